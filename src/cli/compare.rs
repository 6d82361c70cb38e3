//! `simulate --against`: two runs of the same messages without the screen.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::Failure;
use super::interruption::Interruption;
use super::modelling::{self, Asked};
use super::options::Printing;
use super::output;
use super::progress::Bar;
use crate::experiment::compare::{Comparison, compare_all};
use crate::experiment::report::{ComparisonRow, Format, SimulateRow, comparison_table};
use crate::experiment::{Ended, Plan};
use crate::scenario::Scenario;

/// Two scenarios to be run and printed.
pub(super) struct Pair<'a> {
    /// What to run: the second as [`crate::scenario::contrast::beside`] makes it.
    pub(super) scenarios: [&'a Arc<Scenario>; 2],
    /// How.
    pub(super) plan: Plan,
    /// Whether a result of all replications together is wanted.
    pub(super) replicated: bool,
    /// Runs at a time.
    pub(super) jobs: Option<usize>,
    /// How results are printed.
    pub(super) printing: Printing,
}

impl Pair<'_> {
    /// Runs both, replication by replication, and prints what came out.
    pub(super) fn run(&self) -> Result<(), Failure> {
        let interruption = Interruption::listen()?;
        let bar = Bar::new(self.plan.replications as usize, self.printing.quiet);
        let told = |seen| bar.tell(seen);
        let stop = interruption.flag();
        let results = compare_all(self.scenarios, &self.plan, self.jobs, stop, &told)
            .map_err(|error| Failure::Internal(error.to_string()))?;
        bar.finish();
        let begun = results.len();
        let (mut all, mut crash) = (Vec::new(), None);
        for result in results {
            match result {
                Ok(comparison) => all.push(comparison),
                Err(broken) => crash = crash.or(Some(Failure::from(broken))),
            }
        }
        let together =
            if self.replicated { Comparison::together(&all, self.plan.replications) } else { None };
        let stopped = |one: &Comparison| one.outcomes.iter().any(|it| it.ended == Ended::Stopped);
        let partial = begun < self.plan.replications as usize || all.iter().any(stopped);
        self.print(&all, together.as_ref(), stop)?;
        if partial && !self.printing.quiet {
            output::remark("the results are partial");
        }
        let stands = |one: &Comparison| one.outcomes.iter().any(|it| it.deadlock.is_some());
        match (crash, interruption.failure(), all.iter().any(stands)) {
            (Some(crash), ..) => Err(crash),
            (None, Some(interrupted), _) => Err(interrupted),
            (None, None, true) => Err(Failure::Deadlock),
            (None, None, false) => Ok(()),
        }
    }

    fn print(
        &self,
        all: &[Comparison],
        together: Option<&Comparison>,
        stop: &AtomicBool,
    ) -> Result<(), Failure> {
        let format = self.printing.format();
        let each = || all.iter().chain(together);
        if format == Format::Json {
            // Each run by itself, then how they differ.
            let runs: Vec<SimulateRow> =
                each().flat_map(|one| one.outcomes.iter().map(SimulateRow::new)).collect();
            output::print_rows(format, &runs, String::new)?;
        }
        let rows: Vec<ComparisonRow> = each().map(ComparisonRow::new).collect();
        let mut slow = Vec::new();
        output::print_rows(format, &rows, || {
            let asked = self.scenarios.map(|scenario| Asked::about(scenario, stop));
            let table = comparison_table(all, together, asked.each_ref().map(Asked::told));
            let runs = together.or(all.first()).map(|one| one.outcomes.clone());
            let runs = runs.map_or([None, None], |runs| runs.map(Some));
            slow.extend(asked.into_iter().zip(runs).filter_map(|(one, run)| one.slow(run)));
            table
        })?;
        modelling::print_late(slow, stop, self.printing.quiet)
    }
}
