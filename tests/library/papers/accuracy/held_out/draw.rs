//! Systems drawn from wide ranges, with networks, sizes and lengths that no constant was fitted to.

use std::fmt::Write as _;
use std::sync::Arc;

use flitscope::scenario::{Scenario, parse};

use super::super::drawn::Draw;

/// Networks of the systems to which constants were fitted.
const FITTED: [&str; 10] =
    ["4, 4", "8, 4", "6, 6", "4, 4, 4", "8, 8", "5, 9", "12, 12", "10, 10", "3, 3", "4, 8"];

/// Nodes of a network, where heads choose at most [`CHOOSING`].
const NODES: (u32, u32) = (16, 144);

/// The most nodes where heads choose, which the model does not predict.
const CHOOSING: u32 = 36;

/// System `number` of the draw of this seed as a scenario without its rate.
pub fn text(seed: u64, number: u32) -> String {
    let mut draw = Draw::new(seed, number);
    let fields = Fields::of(&mut draw);
    let needed = parsed(&fields.text(None));
    let needed = needed.system.wormhole().expect("a machine of worms").virtual_channels;
    let vcs = draw.of(&[1, 1, 2, 2, 3, 4, 5, 6, 7, 8]).max(needed);
    fields.text(Some(vcs))
}

/// A scenario read from its text.
pub fn parsed(text: &str) -> Arc<Scenario> {
    let found = parse("drawn", text, &[]);
    Arc::new(found.unwrap_or_else(|problems| panic!("{text} {problems:?}")))
}

/// The fields of a scenario.
struct Fields {
    network: String,
    routing: &'static str,
    buffer: u32,
    machine: String,
    destinations: String,
    lengths: String,
    arrivals: String,
}

impl Fields {
    fn of(draw: &mut Draw) -> Self {
        let chooses = draw.one_in(5);
        let network = Network::of(draw, chooses);
        let routing = network.routing(draw, chooses);
        let destinations = network.destinations(draw);
        let buffer = if draw.one_in(20) { 1 } else { buffer(draw) };
        let mut machine = network.machine(draw);
        if draw.one_in(20) {
            let _ = write!(machine, ", channel_delay: {}", draw.between(2, 4));
        }
        let (lengths, arrivals) = (lengths(draw), arrivals(draw));
        let network = network.text;
        Self { network, routing, buffer, machine, destinations, lengths, arrivals }
    }

    fn text(&self, vcs: Option<u32>) -> String {
        let Self { network, routing, buffer, machine, destinations, lengths, arrivals } = self;
        let vcs = vcs.map_or(String::new(), |it| format!("virtual_channels: {it}, "));
        format!(
            "Scenario(network: {network}, switching: Wormhole({vcs}buffer_flits: {buffer}{machine}), \
             routing: {routing}, traffic: (arrivals: {arrivals}, destinations: {destinations}, \
             lengths: {lengths}))"
        )
    }
}

/// Flits in a buffer: small ones as often as large ones.
fn buffer(draw: &mut Draw) -> u32 {
    let power = draw.between(1, 5);
    draw.between(1 << power, (2 << power) - u32::from(power < 5))
}

fn lengths(draw: &mut Draw) -> String {
    if draw.one_in(12) {
        let fixed = if draw.one_in(2) { draw.between(1, 7) } else { draw.between(33, 64) };
        return format!("Fixed({fixed})");
    }
    let mean = draw.between(9, 31);
    match draw.between(0, 4) {
        0 => format!("Geometric(mean: {mean})"),
        1 => {
            let half = draw.between(1, mean - 1);
            format!("Uniform(min: {}, max: {})", mean - half, mean + half)
        }
        _ => format!("Fixed({mean})"),
    }
}

/// Bursts in one of five systems.
fn arrivals(draw: &mut Draw) -> String {
    if !draw.one_in(5) {
        return "Poisson(rate: 0.001)".to_owned();
    }
    let (bursts, peaks) = if draw.one_in(2) { ((2, 8), (15, 40)) } else { ((9, 16), (20, 80)) };
    let (burst, peak) = (draw.between(bursts.0, bursts.1), draw.between(peaks.0, peaks.1));
    format!("Bursts(rate: 0.001, burst: {burst}, peak: {})", f64::from(peak) / 10.0)
}

/// What kind of network.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Mesh,
    Torus,
    Cube,
    Grid { torus: bool },
    Random,
}

struct Network {
    kind: Kind,
    radix: Vec<u32>,
    nodes: u32,
    text: String,
}

impl Network {
    fn of(draw: &mut Draw, chooses: bool) -> Self {
        use Kind::{Cube, Grid, Mesh, Random, Torus};
        let grid = Grid { torus: draw.one_in(2) };
        let all = [Mesh, Mesh, Mesh, Torus, Torus, Torus, Cube, grid, grid, Random];
        let kind = draw.of(&all);
        loop {
            let (radix, hosts) = match kind {
                Mesh | Torus if draw.one_in(5) => ((0..3).map(|_| draw.between(3, 6)).collect(), 1),
                Mesh | Torus => ((0..2).map(|_| draw.between(3, 13)).collect(), 1),
                Cube => (vec![2; draw.between(4, 7) as usize], 1),
                Grid { .. } => ((0..2).map(|_| draw.between(3, 6)).collect(), draw.between(1, 6)),
                Random => (vec![draw.between(6, 36)], draw.between(1, 6)),
            };
            let radix: Vec<u32> = radix;
            let nodes = radix.iter().product::<u32>() * hosts;
            let most = if chooses { CHOOSING } else { NODES.1 };
            let sizes: Vec<String> = radix.iter().map(u32::to_string).collect();
            let sizes = sizes.join(", ");
            let fitted = FITTED.contains(&sizes.as_str()) && kind != Random;
            if fitted || !(NODES.0..=most).contains(&nodes) {
                continue;
            }
            let text = match kind {
                Mesh => format!("Mesh(radix: [{sizes}])"),
                Torus => format!("Torus(radix: [{sizes}])"),
                Cube => format!("Hypercube(dimensions: {})", radix.len()),
                Grid { torus } => {
                    let kind = if torus { "Torus" } else { "Mesh" };
                    format!("SwitchGrid(kind: {kind}, radix: [{sizes}], hosts: {hosts})")
                }
                Random => {
                    let (degree, seed) = (draw.between(3, 6), draw.between(1000, 9999));
                    format!(
                        "RandomSwitches(switches: {sizes}, degree: {degree}, hosts: {hosts}, \
                         seed: {seed})"
                    )
                }
            };
            return Self { kind, radix, nodes, text };
        }
    }

    fn routing(&self, draw: &mut Draw, chooses: bool) -> &'static str {
        let ordered = |draw: &mut Draw| {
            draw.of(&["DimensionOrder(classes: Destination)", "DimensionOrder(classes: Dateline)"])
        };
        let up_down = |draw: &mut Draw| draw.of(&["UpDown(paths: Split)", "UpDown(paths: Host)"]);
        match self.kind {
            Kind::Random => up_down(draw),
            Kind::Grid { .. } if chooses => "MinimalAdaptive()",
            Kind::Grid { .. } if draw.one_in(2) => up_down(draw),
            _ if !chooses => ordered(draw),
            Kind::Mesh if self.radix.len() == 2 && draw.one_in(2) => {
                draw.of(&["WestFirst()", "NegativeFirst()", "OddEven()", "NorthLast()", "O1Turn()"])
            }
            Kind::Cube if draw.one_in(3) => "NegativeFirst()",
            Kind::Mesh | Kind::Torus | Kind::Cube if draw.one_in(3) && self.hops() => {
                "NegativeHop()"
            }
            _ => "MinimalAdaptive()",
        }
    }

    /// Hop schemes are defined and need few VCs.
    fn hops(&self) -> bool {
        let even = self.radix.iter().all(|it| it % 2 == 0);
        let halves: u32 = self.radix.iter().map(|it| it / 2).sum();
        match self.kind {
            Kind::Torus => even && halves < 13,
            Kind::Mesh => self.radix.iter().sum::<u32>() < 15,
            _ => true,
        }
    }

    fn destinations(&self, draw: &mut Draw) -> String {
        let square = self.radix.len().is_multiple_of(2) && {
            let (low, high) = self.radix.split_at(self.radix.len() / 2);
            low == high
        };
        let cube = matches!(self.kind, Kind::Mesh | Kind::Torus | Kind::Cube);
        let hot = draw.between(0, self.nodes - 1);
        let percent = f64::from(draw.between(10, 80)) / 10.0;
        match draw.between(0, 6) {
            0 | 1 => format!("Hotspot(nodes: [{hot}], percent: {percent})"),
            2 if cube && square => "Transpose".to_owned(),
            3 if cube && self.kind != Kind::Cube => "Tornado".to_owned(),
            4 if self.nodes.is_power_of_two() => "BitComplement".to_owned(),
            _ => "Uniform".to_owned(),
        }
    }

    /// Fields of switching beside VCs and buffers.
    fn machine(&self, draw: &mut Draw) -> String {
        if !matches!(self.kind, Kind::Grid { .. } | Kind::Random) {
            return String::new();
        }
        let ejection = draw.of(&["Shared", "OneFlitPerCycle"]);
        format!(", injection: OneMessage, ejection: {ejection}, terminals: Channels")
    }
}
