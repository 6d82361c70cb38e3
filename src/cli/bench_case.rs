//! `bench-case`: one case of the speed measurements, for instruction counters and profilers.
//!
//! What is printed depends on case and cycles alone, so that two runs can be compared.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::Failure;
use super::output;
use crate::experiment::cases;
use crate::session::Session;
use crate::stats::WarmUp;
use crate::units::Cycle;

/// The names of all cases.
fn names() -> impl Iterator<Item = &'static str> {
    cases::ALL.iter().map(|case| case.name).chain(cases::CIRCUITS.iter().map(|case| case.0))
}

/// The arguments of `bench-case`.
#[derive(Args, Debug)]
pub(super) struct BenchCase {
    /// The case
    #[arg(value_parser = PossibleValuesParser::new(names()))]
    case: String,
    /// Cycles to simulate
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    cycles: u64,
}

impl BenchCase {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let worms = cases::find(&self.case).map(|case| case.scenario());
        let scenario = worms.or_else(|| cases::circuits(&self.case));
        let scenario = scenario.expect("the name is one of the list");
        let seed = scenario.seed;
        let mut session = Session::new(scenario, seed, 0, WarmUp::Automatic);
        session.advance(Cycle(self.cycles));
        let counters = session.counters();
        output::print(&format!(
            "case {} cycles {} {} messages {} fingerprint {:016x}\n",
            self.case,
            session.now(),
            if counters.events > 0 {
                format!("events {}", counters.events)
            } else {
                format!("flit_hops {}", counters.flit_hops)
            },
            counters.delivered,
            session.fingerprint(),
        ))
    }
}
