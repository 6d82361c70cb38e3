//! The systems on which speed is measured: fixed, named, with full statistics on. Benchmarks and
//! instruction counters run the same cases.

use std::sync::Arc;

use crate::scenario::{self, Scenario};

/// A case, its parts as a scenario says them. Traffic is uniform and Poisson.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Case {
    /// Its name.
    pub name: &'static str,
    network: &'static str,
    switching: &'static str,
    routing: &'static str,
    /// The load in flits per node and cycle, or of circuits the rate in messages per node and unit of
    /// time.
    offered: f64,
    lengths: &'static str,
}

/// The load, in flits per node and cycle, at which the 8x8 torus saturates under e-cube: of 0.34
/// all is accepted, of 0.36 0.348 (runs of 10⁶ cycles).
const SATURATION_8X8: f64 = 0.348;

const BY_DESTINATION: &str = "DimensionOrder(classes: Destination)";
/// A two-way torus under dimension order with messages of 12 flits.
const TORUS: Case = Case {
    name: "8x8",
    network: "Torus(radix: [8, 8])",
    switching: "Wormhole(virtual_channels: 2, buffer_flits: 4)",
    routing: BY_DESTINATION,
    offered: 0.1056,
    lengths: "Fixed(12)",
};
const TORUS_16: Case = Case { network: "Torus(radix: [16, 16])", ..TORUS };
/// A mesh by the rules of the finite buffers' paper (002): messages and buffers of 200 flits.
const FINITE: Case =
    Case { routing: "DimensionOrder(classes: None)", lengths: "Fixed(200)", ..TORUS };
/// An 8-cube of circuits with uniform transmission times.
const CUBE: Case = Case {
    name: "circuit-hold-8",
    network: "Hypercube(dimensions: 8)",
    switching: "Circuit(conflict: Hold)",
    routing: "DimensionOrder",
    offered: 0.2,
    lengths: "Uniform(min: 0.1, max: 1.9)",
};

/// The cases of worms. The first is the one that decides.
pub const WORMS: &[Case] = &[
    TORUS,
    Case { name: "16x16", offered: 0.0434, ..TORUS_16 },
    // About half of what it can carry.
    Case { name: "16x16-50", offered: 0.087, ..TORUS_16 },
    // Between its neighbours: their geometric mean.
    Case { name: "32x32", network: "Torus(radix: [32, 32])", offered: 0.0144, ..TORUS },
    Case { name: "64x64", network: "Torus(radix: [64, 64])", offered: 0.0048, ..TORUS },
    Case { name: "8x8-10", offered: 0.1 * SATURATION_8X8, ..TORUS },
    Case { name: "8x8-40", offered: 0.4 * SATURATION_8X8, ..TORUS },
    Case { name: "8x8-80", offered: 0.8 * SATURATION_8X8, ..TORUS },
    Case {
        name: "16x16-adaptive",
        switching: "Wormhole(virtual_channels: 4, buffer_flits: 4)",
        routing: "MinimalAdaptive(escape: Destination)",
        offered: 0.0434,
        ..TORUS_16
    },
    // By the rules of the mesh and torus paper (003), and of the hop schemes' (004).
    Case {
        name: "8x8-mesh-torus",
        switching: "Wormhole(virtual_channels: 2, preset: MeshTorus1997, buffer_flits: 4)",
        ..TORUS
    },
    Case {
        name: "8x8-hops",
        switching: "Wormhole(virtual_channels: 2, preset: Hops1993, buffer_flits: 4)",
        ..TORUS
    },
    // Flits and credits are under way for 10 cycles each, and buffers made for that.
    Case {
        name: "8x8-delayed",
        switching: "Wormhole(
            virtual_channels: 2, channel_delay: 10, credit_delay: 10, buffer_flits: 20)",
        ..TORUS
    },
    Case {
        name: "4x4-finite",
        network: "Mesh(radix: [4, 4])",
        switching: "Wormhole(preset: FiniteBuffers1997, channel_delay: 1)",
        offered: 0.2,
        ..FINITE
    },
    Case {
        name: "8x8-finite",
        network: "Mesh(radix: [8, 8])",
        switching: "Wormhole(preset: FiniteBuffers1997, channel_delay: 10)",
        ..FINITE
    },
];

/// The cases of circuits. The first is the one that decides.
pub const CIRCUITS: &[Case] = &[
    CUBE,
    Case { name: "circuit-drop-8", switching: "Circuit(conflict: Drop)", ..CUBE },
    Case {
        name: "circuit-adaptive-8",
        switching: "Circuit(conflict: Adaptive)",
        routing: "MinimalAdaptive",
        ..CUBE
    },
    Case { name: "circuit-hold-6", network: "Hypercube(dimensions: 6)", offered: 0.1, ..CUBE },
    Case { name: "circuit-hold-12", network: "Hypercube(dimensions: 12)", offered: 0.1, ..CUBE },
];

/// All cases.
pub fn all() -> impl Iterator<Item = &'static Case> {
    WORMS.iter().chain(CIRCUITS)
}

/// The case of this name.
pub fn find(name: &str) -> Option<&'static Case> {
    all().find(|case| case.name == name)
}

impl Case {
    /// The case as a scenario.
    pub fn scenario(&self) -> Arc<Scenario> {
        let Self { name, network, switching, routing, offered, lengths } = self;
        let of = if switching.starts_with("Circuit") { "rate" } else { "load" };
        let text = format!(
            "Scenario(
                network: {network},
                switching: {switching},
                routing: {routing},
                traffic: (
                    arrivals: Poisson({of}: {offered:?}),
                    destinations: Uniform,
                    lengths: {lengths},
                ),
            )"
        );
        Arc::new(scenario::parse(name, &text, &[]).expect("every case is a correct scenario"))
    }
}
