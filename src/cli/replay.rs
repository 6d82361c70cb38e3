//! `replay`: repeats the run of a saved session, without the screen.

use std::sync::Arc;

use clap::Args;

use super::Failure;
use super::interruption::Interruption;
use super::late_predictions::{Pending, print_late};
use super::options::Printing;
use super::output;
use super::progress::Bar;
use crate::engine::Change;
use crate::experiment::Ended;
use crate::experiment::replay::replay;
use crate::experiment::report::{Format, SimulateRow, outcomes_table};
use crate::files::{self, ParsedFile};
use crate::scenario::Problem;
use crate::session::saved::Saved;

/// The arguments of `replay`.
#[derive(Args, Debug)]
pub(super) struct Replay {
    /// A session file, written with `W` on the screen, or `-` for standard input
    #[arg(value_name = "SESSION")]
    session: String,
    #[command(flatten)]
    printing: Printing,
}

impl Replay {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let saved = match files::open_any(&self.session, &[])? {
            ParsedFile::Session(saved) => saved,
            ParsedFile::Scenario(_) => {
                let problem = Problem {
                    source: self.session.clone(),
                    place: None,
                    what: "this is a scenario, not a saved session".into(),
                    help: Some(format!("`flitscope simulate {}` runs it", self.session)),
                };
                return Err(problem.into());
            }
        };
        make(&saved, self.printing)
    }
}

/// Repeats the run, prints the results and compares the final state with the saved state.
pub(super) fn make(saved: &Saved, printing: Printing) -> Result<(), Failure> {
    let interruption = Interruption::listen()?;
    let bar = Bar::new(1, printing.quiet);
    let outcome = replay(saved, &interruption.stop, &|seen| {
        interruption.seen(&seen);
        bar.tell(seen);
    })?;
    drop(bar);
    let row = SimulateRow::new(&outcome);
    // The load may have changed during the session.
    let mut scenario = saved.scenario.clone();
    Arc::make_mut(&mut scenario).system.traffic.rate = outcome.rate;
    let mut slow = None;
    output::print_rows(printing.format, std::slice::from_ref(&row), || {
        let model = Pending::about(&scenario, &interruption.stop);
        let outcomes = std::slice::from_ref(&outcome);
        let table = outcomes_table(&scenario, outcomes, None, model.told());
        slow = model.slow(Some(outcome.clone()));
        table + &format!("fingerprint          {}\n", row.fingerprint)
    })?;
    print_late(slow, &interruption.stop, printing.quiet)?;
    let before = saved.journal.iter().rfind(|it| it.cycle <= saved.cycle);
    if let (Some(last), false) = (before, printing.quiet) {
        let unit = scenario.system.time_unit();
        let since = last.cycle.0 as f64 / unit.cycles as f64;
        let what = if unit.cycles == 1 { "cycle" } else { "time" };
        output::remark(&match last.change {
            Change::Rate(_) => format!(
                "the load was changed at {what} {since}: the messages counted were sent since, at the last load"
            ),
            Change::LinkDown(_) | Change::LinkUp(_) => format!(
                "a link was closed or opened at {what} {since}: the messages counted were sent since"
            ),
        });
    }
    if outcome.ended == Ended::Stopped {
        return Err(interruption.failure().unwrap_or(Failure::Interrupted(2)));
    }
    let told = printing.quiet || printing.format != Format::Table;
    match saved.fingerprint {
        Some(known) if known != outcome.fingerprint => {
            Err(Failure::Differs { saved: known, found: outcome.fingerprint })
        }
        Some(_) if !told => {
            output::remark("the state is the one that was saved");
            Ok(())
        }
        _ => Ok(()),
    }
}
