//! `shrink`: reduces a deadlock to few messages on a small network.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use clap::Args;

use super::interruption::Interruption;
use super::options::{Fields, Printing};
use super::progress::by_words;
use super::{Failure, output};
use crate::experiment::report::{ShrinkRow, shrink_table};
use crate::experiment::shrink::{Progress, Without, shrink};
use crate::files::{self, ParsedFile};
use crate::session::saved::Saved;
use crate::text::count;
use crate::units::Cycle;

/// The arguments of `shrink`.
#[derive(Args, Debug)]
pub(super) struct Shrink {
    /// A scenario whose run deadlocks, or a saved session of such a run
    #[arg(value_name = "SCENARIO")]
    scenario: String,
    /// Write the smaller scenario to this file, which `flitscope FILE` opens
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Replace the file, if it exists; without this it is left as it is, and the status is 2
    #[arg(long)]
    force: bool,
    /// Search for a deadlock up to this cycle of the run
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    cycles: u64,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    printing: Printing,
}

impl Shrink {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let saved = match self.fields.open_any(&self.scenario)? {
            ParsedFile::Session(saved) => *saved,
            ParsedFile::Scenario(scenario) => Saved::beginning(Arc::new(*scenario)),
        };
        files::can_write(&self.output, self.force)?;
        let interruption = Interruption::listen()?;
        let name = &saved.scenario.name;
        let found = by_words(&format!("shrinking {name}"), self.printing.quiet, |tell| {
            let tell = |progress: Progress| {
                interruption.keep(progress.smallest.is_some());
                tell(words(progress));
            };
            shrink(&saved, Cycle(self.cycles), (&interruption.stop, &tell))
        });
        let shrunk = match found {
            Ok(shrunk) => shrunk,
            Err(Without::Interrupted) => {
                return Err(interruption.failure().unwrap_or(Failure::Interrupted(2)));
            }
            Err(why) => return Err(Failure::usage(format!("{name}: {why}"), help(&why, name))),
        };
        files::write(&self.output, &shrunk.text, self.force)?;
        let was_stopped = interruption.stop.load(Ordering::Relaxed);
        let row = ShrinkRow::of(name.clone(), &shrunk);
        output::print_rows(self.printing.format, std::slice::from_ref(&row), || {
            shrink_table(&row)
        })?;
        if was_stopped {
            return Err(interruption.failure().unwrap_or(Failure::Interrupted(2)));
        }
        interruption.end(false)
    }
}

/// The phase of a search and the size of the smallest case.
fn words(Progress { phase, smallest }: Progress) -> String {
    let Some(size) = smallest else { return phase.to_string() };
    let messages = count(size.messages, "message", "messages");
    let routers = count(size.routers, "router", "routers");
    format!("{messages}, {} flits, {routers}; {phase}", size.flits)
}

/// The command that may help where nothing was reduced.
fn help(why: &Without, name: &str) -> String {
    match why {
        Without::Circuits => "choose a scenario of worms".to_owned(),
        Without::Deadlock { .. } => format!(
            "write `--cycles` for more cycles, or `flitscope check {name} --witness FILE` for messages \
             that close a cycle of the proof"
        ),
        Without::Repetition { .. } => {
            format!(
                "`flitscope check {name} --witness FILE` finds other messages, if there are any"
            )
        }
        Without::Interrupted => String::new(),
    }
}
