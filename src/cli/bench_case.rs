//! `bench-case`: runs one case of the speed measurements, for instruction counters.
//!
//! The output depends on case and cycles alone, so two runs are comparable.

use std::time::Instant;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::Failure;
use super::output;
use crate::experiment::cases;
use crate::session::Session;
use crate::session::tape::{Keep, SeekProgress, Tape};
use crate::stats::WarmUp;
use crate::units::Cycle;

/// The arguments of `bench-case`.
#[derive(Args, Debug)]
pub(super) struct BenchCase {
    /// The case
    #[arg(value_parser = PossibleValuesParser::new(cases::all().map(|case| case.name)))]
    case: String,
    /// Cycles to simulate
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    cycles: u64,
    /// Keep checkpoints for going back, in this many megabytes
    #[arg(long, value_name = "MB")]
    history: Option<u32>,
    /// Then go back this many cycles, and say on standard error how long it took
    #[arg(long, value_name = "N", requires = "history")]
    back: Option<u64>,
}

impl BenchCase {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let scenario = cases::find(&self.case).expect("the name is one of the list").scenario();
        let seed = scenario.seed;
        let mut session = Session::new(scenario, seed, 0, WarmUp::Automatic);
        if let Some(megabytes) = self.history {
            session = self.wound(session, megabytes);
        } else {
            session.advance(Cycle(self.cycles));
        }
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

    /// Runs with checkpoints, then winds back if asked to.
    fn wound(&self, session: Session, megabytes: u32) -> Session {
        let bytes = megabytes as usize * 1_000_000;
        let mut tape = Tape::new(session, Keep { bytes, ..Keep::default() });
        tape.advance(Cycle(self.cycles));
        if let Some(cycles) = self.back {
            output::remark(&format!(
                "{} checkpoints in {} bytes",
                tape.checkpoints().count(),
                tape.checkpoint_bytes()
            ));
            let begun = Instant::now();
            tape.seek(Cycle(self.cycles.saturating_sub(cycles)), 0);
            while tape.advance_seek(1024) != SeekProgress::Done {}
            output::remark(&format!("{cycles} cycles back in {:?}", begun.elapsed()));
        }
        tape.session().clone()
    }
}
