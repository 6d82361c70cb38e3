//! The systems on which speed is measured: fixed, named, with full statistics on.
//!
//! All are two-way tori with uniform Poisson traffic of 12-flit messages, but for the machine of
//! finite buffers (002), which is measured on meshes with messages of 200 flits. Benchmarks and
//! instruction counters run the same cases.

use std::sync::Arc;

use crate::scenario::{self, Scenario};

/// A case.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// Routers on a side.
    radix: u32,
    /// Flits per node and cycle.
    load: f64,
    /// Routing and switching.
    machine: Machine,
}

/// How a case routes and switches; buffers of 4 flits where nothing else is said.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Machine {
    /// Dimension order with destination classes, 2 VCs.
    Ecube,
    /// Minimal adaptive with destination escape, 4 VCs.
    Adaptive,
    /// As `Ecube`, by the rules of the mesh and torus paper (003).
    MeshTorus,
    /// As `Ecube`, by the rules of the hop schemes' paper (004).
    Hops,
    /// As `Ecube`, with flits and credits under way for 10 cycles each, and buffers for that.
    Delayed,
    /// X first on a mesh, by the rules of the finite buffers' paper (002): flits and credits under
    /// way for so many cycles, buffers of 200 flits.
    FiniteBuffers(u32),
}

/// The load, in flits per node and cycle, at which the 8x8 torus saturates under e-cube: of 0.34
/// all is accepted, of 0.36 0.348 (runs of 10⁶ cycles).
pub const SATURATION_8X8: f64 = 0.348;

/// All cases. The first is the one that decides.
pub const ALL: &[Case] = &[
    Case { name: "8x8", radix: 8, load: 0.1056, machine: Machine::Ecube },
    Case { name: "16x16", radix: 16, load: 0.0434, machine: Machine::Ecube },
    // About half of what it can carry.
    Case { name: "16x16-50", radix: 16, load: 0.087, machine: Machine::Ecube },
    // Between its neighbours: their geometric mean.
    Case { name: "32x32", radix: 32, load: 0.0144, machine: Machine::Ecube },
    Case { name: "64x64", radix: 64, load: 0.0048, machine: Machine::Ecube },
    Case { name: "8x8-10", radix: 8, load: 0.1 * SATURATION_8X8, machine: Machine::Ecube },
    Case { name: "8x8-40", radix: 8, load: 0.4 * SATURATION_8X8, machine: Machine::Ecube },
    Case { name: "8x8-80", radix: 8, load: 0.8 * SATURATION_8X8, machine: Machine::Ecube },
    Case { name: "16x16-adaptive", radix: 16, load: 0.0434, machine: Machine::Adaptive },
    Case { name: "8x8-mesh-torus", radix: 8, load: 0.1056, machine: Machine::MeshTorus },
    Case { name: "8x8-hops", radix: 8, load: 0.1056, machine: Machine::Hops },
    Case { name: "8x8-delayed", radix: 8, load: 0.1056, machine: Machine::Delayed },
    Case { name: "4x4-finite", radix: 4, load: 0.2, machine: Machine::FiniteBuffers(1) },
    Case { name: "8x8-finite", radix: 8, load: 0.1056, machine: Machine::FiniteBuffers(10) },
];

/// Circuits with uniform transmission times: a name, the law, the routing and the rate, in a hypercube
/// of so many dimensions. The first is the one that decides.
pub const CIRCUITS: &[(&str, &str, &str, u32, f64)] = &[
    ("circuit-hold-8", "Hold", "DimensionOrder", 8, 0.2),
    ("circuit-drop-8", "Drop", "DimensionOrder", 8, 0.2),
    ("circuit-adaptive-8", "Adaptive", "MinimalAdaptive", 8, 0.2),
    ("circuit-hold-6", "Hold", "DimensionOrder", 6, 0.1),
    ("circuit-hold-12", "Hold", "DimensionOrder", 12, 0.1),
];

/// The case of circuits of this name.
pub fn circuits(name: &str) -> Option<Arc<Scenario>> {
    let (name, law, routing, dimensions, rate) = CIRCUITS.iter().find(|case| case.0 == name)?;
    let text = format!(
        "Scenario(
            network: Hypercube(dimensions: {dimensions}),
            switching: Circuit(conflict: {law}),
            routing: {routing},
            traffic: (
                arrivals: Poisson(rate: {rate:?}),
                destinations: Uniform,
                lengths: Uniform(min: 0.1, max: 1.9),
            ),
        )"
    );
    Some(Arc::new(scenario::parse(name, &text, &[]).expect("every case is a correct scenario")))
}

/// The case of this name.
pub fn find(name: &str) -> Option<Case> {
    ALL.iter().find(|case| case.name == name).copied()
}

impl Case {
    /// The case as a scenario.
    pub fn scenario(&self) -> Arc<Scenario> {
        let Self { name, radix, load, .. } = self;
        let ecube = "DimensionOrder(classes: Destination)";
        let two = |rules: &str| format!("virtual_channels: 2, {rules}");
        let (switching, routing) = match self.machine {
            Machine::Ecube => (two("buffer_flits: 4"), ecube),
            Machine::Adaptive => (
                "virtual_channels: 4, buffer_flits: 4".to_owned(),
                "MinimalAdaptive(escape: Destination)",
            ),
            Machine::MeshTorus => (two("preset: MeshTorus1997, buffer_flits: 4"), ecube),
            Machine::Hops => (two("preset: Hops1993, buffer_flits: 4"), ecube),
            Machine::Delayed => {
                (two("channel_delay: 10, credit_delay: 10, buffer_flits: 20"), ecube)
            }
            Machine::FiniteBuffers(delay) => (
                format!("preset: FiniteBuffers1997, channel_delay: {delay}"),
                "DimensionOrder(classes: None)",
            ),
        };
        let (network, flits) = match self.machine {
            Machine::FiniteBuffers(_) => ("Mesh", 200),
            Machine::Ecube
            | Machine::Adaptive
            | Machine::MeshTorus
            | Machine::Hops
            | Machine::Delayed => ("Torus", 12),
        };
        let text = format!(
            "Scenario(
                network: {network}(radix: [{radix}, {radix}]),
                switching: Wormhole({switching}),
                routing: {routing},
                traffic: (
                    arrivals: Poisson(load: {load:?}),
                    destinations: Uniform,
                    lengths: Fixed({flits}),
                ),
            )"
        );
        Arc::new(scenario::parse(name, &text, &[]).expect("every case is a correct scenario"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_a_scenario_at_its_load() {
        for case in ALL {
            let scenario = case.scenario();
            let load = scenario.system.load().0;
            assert!((load - case.load).abs() < 1e-12, "{}", case.name);
            assert_eq!(find(case.name), Some(*case));
        }
        assert_eq!(find("9x9"), None);
        for case in CIRCUITS {
            let scenario = circuits(case.0).unwrap();
            assert!((scenario.system.traffic.rate.0 - case.4).abs() < 1e-12);
        }
    }
}
