//! `simulate`: runs scenarios without the screen and prints what was measured.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use super::Failure;
use super::against::Against;
use super::compare::Pair;
use super::interruption::Interruption;
use super::modelling::{self, Asked};
use super::options::{Fields, Printing, Runs};
use super::output;
use super::progress::Bar;
use crate::experiment::report::{Format, SimulateRow, outcomes_table};
use crate::experiment::{self, Ended, Outcome, Plan, Results};
use crate::scenario::Scenario;

/// The arguments of `simulate`.
#[derive(Args, Debug)]
pub(super) struct Simulate {
    /// Scenario files, names of built-in scenarios, or `-` for standard input
    #[arg(value_name = "SCENARIO", required = true)]
    scenarios: Vec<String>,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    against: Against,
    #[command(flatten)]
    runs: Runs,
    #[command(flatten)]
    printing: Printing,
}

impl Simulate {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let scenarios = self.fields.open_all(&self.scenarios)?;
        if let Some(first) = scenarios.first()
            && let Some(second) = self.against.open(first, &self.fields)?
        {
            if scenarios.len() > 1 {
                let what = "error: one scenario is compared with one other";
                let help = "leave all but one out, or run `simulate` for each";
                return Err(Failure::Usage(format!("{what}\n = help: {help}")));
            }
            let pair = Pair {
                scenarios: [first, &second],
                plan: self.runs.plan(),
                replicated: self.runs.replicated(),
                jobs: self.runs.jobs(),
                printing: self.printing,
            };
            return pair.run();
        }
        let batch = Batch {
            scenarios: &scenarios,
            plan: self.runs.plan(),
            replicated: self.runs.replicated(),
            jobs: self.runs.jobs(),
            printing: self.printing,
        };
        batch.run()
    }
}

/// Scenarios to be run and printed.
pub(super) struct Batch<'a> {
    /// What to run.
    pub(super) scenarios: &'a [Arc<Scenario>],
    /// How.
    pub(super) plan: Plan,
    /// Whether a result of all replications together is wanted.
    pub(super) replicated: bool,
    /// Runs at a time.
    pub(super) jobs: Option<usize>,
    /// How results are printed.
    pub(super) printing: Printing,
}

impl Batch<'_> {
    /// Runs all, and prints each scenario's results as soon as they are there.
    pub(super) fn run(&self) -> Result<(), Failure> {
        let interruption = Interruption::listen()?;
        let stop = interruption.flag();
        let replications = self.plan.replications as usize;
        let bar = Bar::new(self.scenarios.len() * replications, self.printing.quiet);
        if !self.printing.quiet {
            for scenario in self.scenarios {
                let remark = |text| output::remark(&format!("{}: {text}", scenario.name));
                scenario.remarks().into_iter().for_each(remark);
            }
        }
        let mut printer = Printer {
            batch: self,
            stop,
            rows: Vec::new(),
            slow: Vec::new(),
            deadlock: false,
            partial: false,
            crash: None,
        };
        let mut printed = Ok(());
        experiment::run_all(
            self.scenarios,
            &self.plan,
            self.jobs,
            stop,
            &|seen| bar.tell(seen),
            |at, results| {
                (0..replications).for_each(|run| bar.done(at * replications + run, 1.0));
                if printed.is_ok() {
                    printed = bar.aside(|| printer.scenario(at, results));
                    // With nobody reading, the rest is not worth running.
                    stop.fetch_or(printed.is_err(), Ordering::Relaxed);
                }
            },
        )
        .map_err(|error| Failure::Internal(error.to_string()))?;
        bar.finish();
        printed?;
        printer.rest()?;
        if printer.partial && !self.printing.quiet {
            output::remark("the results are partial");
        }
        match (printer.crash, interruption.failure(), printer.deadlock) {
            (Some(crash), ..) => Err(crash),
            (None, Some(interrupted), _) => Err(interrupted),
            (None, None, true) => Err(Failure::Deadlock),
            (None, None, false) => Ok(()),
        }
    }
}

/// Prints results, and remembers what decides about the exit status.
struct Printer<'a> {
    batch: &'a Batch<'a>,
    stop: &'a AtomicBool,
    /// Rows to be printed when all is done: CSV has one heading for all.
    rows: Vec<SimulateRow>,
    /// Models whose answer did not stand beside the results.
    slow: Vec<Asked>,
    /// Whether some run was stopped by a deadlock.
    deadlock: bool,
    /// Whether some run was stopped from outside, or never begun.
    partial: bool,
    /// The first run in which the program broke.
    crash: Option<Failure>,
}

impl Printer<'_> {
    fn scenario(&mut self, at: usize, results: Results) -> Result<(), Failure> {
        self.partial |= results.len() < self.batch.plan.replications as usize;
        let mut outcomes: Vec<Outcome> = Vec::new();
        for result in results {
            match result {
                Ok(outcome) => outcomes.push(outcome),
                Err(crash) => {
                    self.crash.get_or_insert_with(|| crash.into());
                }
            }
        }
        self.partial |= outcomes.iter().any(|outcome| outcome.ended == Ended::Stopped);
        self.deadlock |= outcomes.iter().any(|outcome| outcome.deadlock.is_some());
        let together = if self.batch.replicated {
            Outcome::together(&outcomes, self.batch.plan.replications)
        } else {
            None
        };
        if let Some(whole) = together.as_ref().or(outcomes.first())
            && !self.batch.printing.quiet
            && let Some(share) = whole.summary.shortfall()
        {
            let percent = (100.0 * share).round();
            let name = &whole.scenario.name;
            output::remark(&format!("{name}: accepts {percent} % of what is offered"));
        }
        let mut rows: Vec<SimulateRow> =
            outcomes.iter().chain(&together).map(SimulateRow::new).collect();
        let format = self.batch.printing.format();
        if format == Format::Csv {
            self.rows.append(&mut rows);
            return Ok(());
        }
        output::print_rows(format, &rows, || {
            let scenario = &self.batch.scenarios[at];
            let asked = Asked::about(scenario, self.stop);
            let gap = if at == 0 { "" } else { "\n" };
            let table = outcomes_table(scenario, &outcomes, together.as_ref(), asked.told());
            self.slow.extend(asked.slow(together.or(outcomes.into_iter().next())));
            format!("{gap}{table}")
        })
    }

    /// Prints what had to wait for the end.
    fn rest(&mut self) -> Result<(), Failure> {
        if self.batch.printing.format() == Format::Csv {
            output::print_rows(Format::Csv, &self.rows, String::new)?;
        }
        modelling::print_late(std::mem::take(&mut self.slow), self.stop, self.batch.printing.quiet)
    }
}
