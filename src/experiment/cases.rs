//! The systems of the speed measurements.
//!
//! The systems are fixed, named, and run with full statistics. Benchmarks and instruction counters
//! run the same cases.

use std::sync::Arc;

use crate::scenario::{self, Scenario};

/// A case, its parts in the notation of scenarios. Traffic is uniform and Poisson.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Case {
    pub name: &'static str,
    /// True if messages set up circuits.
    pub circuits: bool,
    /// Network, switching, routing, offered load or rate, and lengths.
    parts: [&'static str; 5],
}

/// All cases, wormhole cases before circuit cases. The first of either kind is decisive.
pub fn all() -> impl Iterator<Item = Case> {
    let lines = include_str!("cases.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut cells = line.split('|').map(str::trim);
        let mut next = || cells.next().expect("a case has six parts");
        let (name, parts) = (next(), [(); 5].map(|()| next()));
        Case { name, circuits: parts[1].starts_with("Circuit"), parts }
    })
}

/// Finds a case by name.
pub fn find(name: &str) -> Option<Case> {
    all().find(|case| case.name == name)
}

impl Case {
    /// The case as a scenario.
    pub fn scenario(&self) -> Arc<Scenario> {
        let [network, switching, routing, offered, lengths] = self.parts;
        let of = if self.circuits { "rate" } else { "load" };
        let text = format!(
            "Scenario(
                network: {network},
                switching: {switching},
                routing: {routing},
                traffic: (
                    arrivals: Poisson({of}: {offered}),
                    destinations: Uniform,
                    lengths: {lengths},
                ),
            )"
        );
        Arc::new(scenario::parse(self.name, &text, &[]).expect("every case is a correct scenario"))
    }
}
