//! `predict`: prints the predictions of the models, or the bound on message latency.
//!
//! Predictions are listed term by term, with reasons for inapplicable models and, given a run,
//! refutations.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::Failure;
use super::interruption::Interruption;
use super::options::{Fields, Printing, Runs};
use super::output;
use super::point_runs::outcomes;
use super::progress::{Bar, spinner};
use crate::experiment::Outcome;
use crate::experiment::forecast::Forecast;
use crate::experiment::messages::{Record, run_telling};
use crate::experiment::report::{
    BoundRow, Format, PathsOfRun, PredictRow, bound_table, capacity_lines, capacity_rows,
    forecast_lines, forecasts_heading, path_rows, path_table, short_run_lines,
};
use crate::model::bound::bound;
use crate::scenario::Scenario;
use crate::session::short_run::ShortRun;

/// Never set: short runs take a fraction of a second and need no cancellation.
static NEVER: AtomicBool = AtomicBool::new(false);

/// The arguments of `predict`.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one for each flag")]
pub(super) struct Predict {
    /// A scenario file, the name of a built-in scenario, or `-` for standard input
    scenario: String,
    /// Also what the model says of every channel: flow, waits, how often its buffer is full, how
    /// long worms hold it (for models that know it)
    #[arg(long)]
    channels: bool,
    /// Instead, the longest that messages between any two nodes can take, where token buckets limit
    /// what sources send: no run exceeds it
    #[arg(long, conflicts_with_all = ["channels", "beside_run"])]
    bound: bool,
    /// Instead, the latency of every path, by the models that know it; with `--beside-run` beside the latency of
    /// the run's messages between the same nodes
    #[arg(long, conflicts_with_all = ["channels", "bound", "replications"])]
    paths: bool,
    /// Also make a run, to the end that the options under Runs give, and say which models it
    /// contradicts by more than their stated errors, and the likely reason
    #[arg(long)]
    beside_run: bool,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    runs: Runs,
    #[command(flatten)]
    printing: Printing,
}

impl Predict {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if !self.beside_run && self.runs != Runs::default() {
            let what = "when a run ends is said, and none is made";
            return Err(Failure::usage(what, "say `--beside-run` as well, or leave it out"));
        }
        let scenario = Arc::new(self.fields.open(&self.scenario)?);
        if self.bound {
            return self.print_bound(&scenario);
        }
        if self.paths {
            return self.print_paths(&scenario);
        }
        if !self.beside_run {
            return self.print(&scenario, None);
        }
        let interruption = Interruption::listen()?;
        let run = self.make(&scenario, &interruption)?;
        self.print(&scenario, run.as_ref())?;
        interruption.end(run.is_some_and(|run| run.deadlock.is_some()))
    }

    /// Makes the run, or pools all replications; `None` if stopped before the start.
    fn make(
        &self,
        scenario: &Arc<Scenario>,
        interruption: &Interruption,
    ) -> Result<Option<Outcome>, Failure> {
        let plan = self.runs.plan()?;
        let (scenario, stop) = (std::slice::from_ref(scenario), &interruption.stop);
        let made = outcomes(scenario, &plan, self.runs.jobs, stop, self.printing.quiet)?;
        let mut outcomes = made.into_iter().flatten().collect::<Vec<_>>();
        if self.runs.replications.is_some() {
            return Ok(Outcome::together(&outcomes, plan.replications));
        }
        Ok(outcomes.pop())
    }

    fn print_bound(&self, scenario: &Scenario) -> Result<(), Failure> {
        let spinner = spinner(format!("the bound of {}", scenario.name), self.printing.quiet);
        let bound = bound(&scenario.system, scenario.system.traffic.rate);
        drop(spinner);
        output::print_rows(self.printing.format, &BoundRow::all(scenario, &bound), || {
            bound_table(scenario, &bound)
        })
    }

    fn print_paths(&self, scenario: &Arc<Scenario>) -> Result<(), Failure> {
        let interruption = Interruption::listen()?;
        let mut run = self.beside_run.then(PathsOfRun::default);
        let mut deadlock = false;
        if let Some(paths) = &mut run {
            let bar = Bar::new(1, self.printing.quiet);
            let mut tell = |record: Record<'_>| {
                if let Record::Delivered(delivery) = record {
                    paths.take(delivery);
                }
            };
            let (plan, stop) = (self.runs.plan()?, &interruption.stop);
            let made = run_telling(scenario, &plan, stop, &|seen| bar.tell(seen), &mut tell);
            for outcome in made {
                let outcome = outcome?;
                deadlock |= outcome.deadlock.is_some();
                paths.count(outcome.summary.measured_from.unwrap_or_default());
            }
        }
        let spinner = spinner(format!("the models of {}", scenario.name), self.printing.quiet);
        let mut rows = Vec::new();
        Forecast::each(scenario, |forecast| {
            rows.extend(path_rows(scenario, Some(&forecast), run.as_ref()));
            Ok::<(), Failure>(())
        })?;
        if rows.is_empty() {
            rows.extend(path_rows(scenario, None, run.as_ref()));
        }
        drop(spinner);
        output::print_rows(self.printing.format, &rows, || {
            path_table(scenario, &rows, run.as_ref())
        })?;
        interruption.end(deadlock)
    }

    /// Prints each row as soon as the row and all previous rows are available.
    fn print(&self, scenario: &Arc<Scenario>, run: Option<&Outcome>) -> Result<(), Failure> {
        let (begun, told) = (Cell::new(false), Cell::new(false));
        let rows = capacity_rows(scenario, run, self.channels);
        if !rows.is_empty() || self.printing.format == Format::Table {
            begun.set(true);
            output::print_more(self.printing.format, &rows, true, || {
                forecasts_heading(scenario, run) + &capacity_lines(scenario, self.channels)
            })?;
        }
        let wait = || spinner(format!("the models of {}", scenario.name), self.printing.quiet);
        let mut spinner = wait();
        // A full run is more informative than a short run.
        let short = run.is_none() && ShortRun::suits(&scenario.system);
        let short = short.then(|| ShortRun::at(scenario, scenario.system.traffic.rate, &NEVER));
        let short = short.flatten();
        if let Some(short) = &short {
            let row = PredictRow::of_short_run(scenario, short);
            spinner.finish_and_clear();
            let first = !begun.replace(true);
            output::print_more(self.printing.format, &[row], first, || {
                let heading = if first { forecasts_heading(scenario, run) } else { String::new() };
                heading + &short_run_lines(scenario, short)
            })?;
            spinner = wait();
        }
        let mut print = |forecast: Option<&Forecast>| {
            told.set(true);
            let first = !begun.replace(true);
            let row = PredictRow::new(scenario, forecast, run, self.channels);
            spinner.finish_and_clear();
            output::print_more(self.printing.format, &[row], first, || {
                let heading = if first { forecasts_heading(scenario, run) } else { String::new() };
                heading + &forecast_lines(scenario, forecast, run, self.channels)
            })?;
            spinner = wait();
            Ok::<(), Failure>(())
        };
        Forecast::each(scenario, |forecast| print(Some(&forecast)))?;
        if told.get() { Ok(()) } else { print(None) }
    }
}
