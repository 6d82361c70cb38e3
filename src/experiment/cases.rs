//! The systems on which speed is measured: fixed, named, with full statistics on.
//!
//! All are two-way tori with uniform Poisson traffic of 12-flit messages. Benchmarks and
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

/// How a case routes and switches; buffers of 4 flits.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Machine {
    /// Dimension order with destination classes, 2 VCs.
    Ecube,
    /// Minimal adaptive with destination escape, 4 VCs.
    Adaptive,
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
];

/// The case of this name.
pub fn find(name: &str) -> Option<Case> {
    ALL.iter().find(|case| case.name == name).copied()
}

impl Case {
    /// The case as a scenario.
    pub fn scenario(&self) -> Arc<Scenario> {
        let (virtual_channels, routing) = match self.machine {
            Machine::Ecube => (2, "DimensionOrder(classes: Destination)"),
            Machine::Adaptive => (4, "MinimalAdaptive(escape: Destination)"),
        };
        let Self { name, radix, load, .. } = self;
        let text = format!(
            "Scenario(
                network: Torus(radix: [{radix}, {radix}]),
                switching: Wormhole(virtual_channels: {virtual_channels}, buffer_flits: 4),
                routing: {routing},
                traffic: (
                    arrivals: Poisson(load: {load:?}),
                    destinations: Uniform,
                    lengths: Fixed(12),
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
    }
}
