//! The systems on which predictions are measured: drawn once from a seed, whatever models are good at.

use std::sync::Arc;

use flitscope::random::{Purpose, Stream, Streams};
use flitscope::scenario::{Scenario, parse};

/// How many there are.
pub const SYSTEMS: u32 = 300;

/// Of all draws.
const SEED: u64 = 18;

/// One of them, without its rate.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub number: u32,
    /// Mesh, torus, hypercube, switches.
    pub family: &'static str,
    /// Uniform, hotspot, transpose, tornado, bit complement.
    pub pattern: &'static str,
    pub adaptive: bool,
    pub bursts: bool,
    pub text: String,
}

/// The random choices of one system.
pub struct Draw(Stream);

impl Draw {
    /// The choices of system `number` of a draw.
    pub fn new(seed: u64, number: u32) -> Self {
        Self(Streams::new(seed, number, Purpose::Arrivals).next_node())
    }

    /// One of these values.
    pub fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.0.below(values.len() as u32) as usize]
    }

    /// A success in one of so many cases.
    pub fn one_in(&mut self, times: u32) -> bool {
        self.0.below(times) == 0
    }

    /// A whole number, both ends included.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.0.below(high - low + 1)
    }
}

/// A network with what may be sent on it: its name, its nodes, whether coordinates can be exchanged,
/// whether all radices are even, and its longest shortest way.
type Shape = (&'static str, u32, bool, bool, u32);

const MESHES: &[Shape] = &[
    ("Mesh(radix: [4, 4])", 16, true, true, 6),
    ("Mesh(radix: [8, 4])", 32, false, true, 10),
    ("Mesh(radix: [6, 6])", 36, true, true, 10),
    ("Mesh(radix: [4, 4, 4])", 64, false, true, 9),
    ("Mesh(radix: [8, 8])", 64, true, true, 14),
    ("Mesh(radix: [5, 9])", 45, false, false, 12),
    ("Mesh(radix: [12, 12])", 144, true, true, 22),
    ("Mesh(radix: [10, 10])", 100, true, true, 18),
];
const TORI: &[Shape] = &[
    ("Torus(radix: [4, 4])", 16, true, true, 4),
    ("Torus(radix: [8, 4])", 32, false, true, 6),
    ("Torus(radix: [6, 6])", 36, true, true, 6),
    ("Torus(radix: [4, 4, 4])", 64, false, true, 6),
    ("Torus(radix: [8, 8])", 64, true, true, 8),
    ("Torus(radix: [5, 9])", 45, false, false, 6),
    ("Torus(radix: [12, 12])", 144, true, true, 12),
    ("Torus(radix: [10, 10])", 100, true, true, 10),
];
const CUBES: &[Shape] = &[
    ("Hypercube(dimensions: 4)", 16, true, true, 4),
    ("Hypercube(dimensions: 5)", 32, false, true, 5),
    ("Hypercube(dimensions: 6)", 64, true, true, 6),
    ("Hypercube(dimensions: 7)", 128, false, true, 7),
];
/// With all their hosts; a power of two has images of all patterns.
const SWITCHES: &[(&str, u32)] = &[
    ("SwitchGrid(kind: Mesh, radix: [3, 3], hosts: 4)", 36),
    ("SwitchGrid(kind: Torus, radix: [4, 4], hosts: 2)", 32),
    ("SwitchGrid(kind: Mesh, radix: [4, 4], hosts: 4)", 64),
    ("RandomSwitches(switches: 8, degree: 4, hosts: 4, seed: 5)", 32),
    ("RandomSwitches(switches: 16, degree: 4, hosts: 1, seed: 3)", 16),
    ("RandomSwitches(switches: 16, degree: 5, hosts: 4, seed: 2)", 64),
    ("RandomSwitches(switches: 24, degree: 4, hosts: 2, seed: 7)", 48),
];

impl Drawn {
    /// System `number` of the list.
    pub fn new(number: u32) -> Self {
        let mut draw = Draw::new(SEED, number);
        let family = draw.of(&[
            "mesh", "mesh", "mesh", "torus", "torus", "torus", "cube", "cube", "switches",
            "switches",
        ]);
        let adaptive = draw.0.below(5) < 2;
        let (network, nodes, square, even, diameter) = match family {
            "mesh" => draw.of(MESHES),
            "torus" => draw.of(TORI),
            "cube" => draw.of(CUBES),
            _ => {
                let (network, nodes) = draw.of(SWITCHES);
                (network, nodes, false, true, 0)
            }
        };
        let routing = match family {
            "switches" if adaptive && network.starts_with("SwitchGrid") => "MinimalAdaptive()",
            "switches" if network.starts_with("RandomSwitches") || draw.one_in(2) => {
                draw.of(&["UpDown(paths: Split)", "UpDown(paths: Host)"])
            }
            _ if !adaptive && draw.one_in(3) => "DimensionOrder(classes: Dateline)",
            _ if !adaptive => "DimensionOrder(classes: Destination)",
            "mesh" if !network.contains(", 4, ") && draw.one_in(2) => {
                draw.of(&["WestFirst()", "NegativeFirst()", "OddEven()", "NorthLast()", "O1Turn()"])
            }
            "cube" if draw.one_in(3) => "NegativeFirst()",
            _ if even && diameter < 13 && draw.one_in(3) => "NegativeHop()",
            _ if diameter < 8 && draw.one_in(3) => "PositiveHop()",
            _ => "MinimalAdaptive()",
        };
        let adaptive = !routing.starts_with("DimensionOrder") && !routing.starts_with("UpDown");
        let classes = match routing {
            "NegativeHop()" => diameter / 2 + 1,
            "PositiveHop()" => diameter + 1,
            "MinimalAdaptive()" if network.contains("orus") => 3,
            "MinimalAdaptive()" | "O1Turn()" => 2,
            _ if network.contains("orus") && !routing.starts_with("UpDown") => 2,
            _ => 1,
        };
        let vcs = draw.of(&[1, 1, 2, 2, 3, 4, 6, 8]).max(classes);
        let buffer = draw.of(&[1, 2, 4, 4, 8, 16, 32, 64]);
        let pattern =
            draw.of(&["uniform", "uniform", "hotspot", "transpose", "tornado", "complement"]);
        let hot = draw.0.below(nodes);
        let percent = draw.of(&[2, 4, 8]);
        let (pattern, destinations) = match pattern {
            "hotspot" => (pattern, format!("Hotspot(nodes: [{hot}], percent: {percent})")),
            "transpose" if square => (pattern, "Transpose".to_owned()),
            "tornado" if family == "mesh" || family == "torus" => (pattern, "Tornado".to_owned()),
            "complement" if nodes.is_power_of_two() => (pattern, "BitComplement".to_owned()),
            _ => ("uniform", "Uniform".to_owned()),
        };
        let lengths = draw.of(&[
            "Fixed(8)",
            "Fixed(16)",
            "Fixed(16)",
            "Fixed(32)",
            "Geometric(mean: 16)",
            "Uniform(min: 4, max: 28)",
        ]);
        let bursts = draw.one_in(5);
        let (burst, peak) = (draw.of(&[4, 8, 16]), draw.of(&[2, 4, 8]));
        let arrivals = if bursts {
            format!("Bursts(rate: 0.001, burst: {burst}, peak: {peak})")
        } else {
            "Poisson(rate: 0.001)".to_owned()
        };
        let terminals = if family == "switches" {
            let ejection = draw.of(&["Shared", "OneFlitPerCycle"]);
            format!(", injection: OneMessage, ejection: {ejection}, terminals: Channels")
        } else {
            String::new()
        };
        let text = format!(
            "Scenario(network: {network}, switching: Wormhole(virtual_channels: {vcs}, \
             buffer_flits: {buffer}{terminals}), routing: {routing}, traffic: (arrivals: {arrivals}, \
             destinations: {destinations}, lengths: {lengths}))"
        );
        Self { number, family, pattern, adaptive, bursts, text }
    }

    /// The system as a scenario.
    pub fn scenario(&self) -> Arc<Scenario> {
        let found = parse("drawn", &self.text, &[]);
        Arc::new(found.unwrap_or_else(|problems| panic!("{} {problems:?}", self.text)))
    }
}
