//! `simulate`: runs scenarios, or compares two, without the screen and prints the results.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use super::Failure;
use super::interruption::Interruption;
use super::late_predictions::{self, Pending};
use super::messages::{Files, Records, write_links};
use super::options::{Against, Fields, Printing, Runs};
use super::output;
use super::progress::Bar;
use super::ranking::{Field, rank};
use super::row_file::RowFile;
use crate::experiment::compare::{Comparison, compare_all};
use crate::experiment::messages::{Record, run_telling};
use crate::experiment::report::{
    ComparisonRow, Format, SimulateRow, comparison_table, outcomes_table,
};
use crate::experiment::{Crash, Ended, Outcome, Plan, Progress, Results, run_all};
use crate::scenario::Scenario;
use crate::session::verdict::in_percent;

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
    /// Rank the values of a field by latency under the same messages: `--rank routing` takes all that can
    /// be run here, `--rank routing=DimensionOrder,OddEven` these [default of each: 8 replications of 50000
    /// to 200000 messages]
    #[arg(long, value_name = "FIELD[=VALUES]", help_heading = "Comparison",
        conflicts_with_all = ["against", "against_set", "messages_to", "links_to"])]
    rank: Option<Field>,
    #[command(flatten)]
    runs: Runs,
    #[command(flatten)]
    printing: Printing,
    #[command(flatten)]
    records: Records,
}

impl Simulate {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let scenarios = self.fields.open_all(&self.scenarios)?;
        if let Some(field) = &self.rank {
            let [scenario] = &scenarios[..] else {
                let help = "leave all but one out, or run `simulate` for each";
                return Err(Failure::usage(
                    "the values of a field are ranked in one scenario",
                    help,
                ));
            };
            return rank(scenario, field, &self.runs, self.printing);
        }
        let against = self.against.open(&scenarios[0], &self.fields)?;
        if against.is_some() && scenarios.len() > 1 {
            let help = "leave all but one out, or run `simulate` for each";
            return Err(Failure::usage("one scenario is compared with one other", help));
        }
        if self.records.messages_to.is_some()
            && (scenarios.len() > 1 || against.is_some() || self.runs.replications.is_some())
        {
            let help = "run each scenario by itself, and each replication with a --seed of its own";
            return Err(Failure::usage("--messages-to takes the messages of one run", help));
        }
        if self.records.links_to.is_some() && against.is_some() {
            let help = "run each of the two by itself, with the same --seed";
            return Err(Failure::usage("--links-to takes the channels of single runs", help));
        }
        let files = self.records.begin()?;
        simulate(&scenarios, against.as_ref(), &self.runs, (self.printing, files))
    }
}

/// Runs scenarios, or compares the first with `against` (see
/// [`crate::scenario::contrast::beside`]), and prints the results. On request, writes every message
/// of a single run, and the channels of all runs, to files.
pub(super) fn simulate(
    scenarios: &[Arc<Scenario>],
    against: Option<&Arc<Scenario>>,
    runs: &Runs,
    (printing, files): (Printing, Files),
) -> Result<(), Failure> {
    let interruption = Interruption::listen()?;
    let mut work = Work {
        plan: Plan { channels: files.links.is_some(), explains: true, ..runs.plan()? },
        replicated: runs.replications.is_some(),
        printing,
        stop: &interruption.stop,
        interruption: &interruption,
        slow: Vec::new(),
        deadlock: false,
        partial: false,
        crash: None,
    };
    match against {
        None => work.each(scenarios, runs.jobs.map(usize::from), files)?,
        Some(against) => work.pair([&scenarios[0], against], runs.jobs.map(usize::from))?,
    }
    late_predictions::print_late(work.slow, work.stop, printing.quiet)?;
    if work.partial && !printing.quiet {
        output::remark("the results are partial");
    }
    interruption.keep(false);
    work.crash.map_or_else(|| interruption.end(work.deadlock), Err)
}

/// Settings and state of runs, including the factors of the exit status.
struct Work<'a> {
    plan: Plan,
    /// True if all replications are pooled into an additional result.
    replicated: bool,
    printing: Printing,
    stop: &'a AtomicBool,
    interruption: &'a Interruption,
    /// Models with pending predictions.
    slow: Vec<Pending>,
    /// True if a run was stopped by a deadlock.
    deadlock: bool,
    /// True if a run was interrupted or never begun.
    partial: bool,
    /// The first crash of a run.
    crash: Option<Failure>,
}

impl Work<'_> {
    /// Runs all scenarios, and prints each scenario's results when complete.
    fn each(
        &mut self,
        scenarios: &[Arc<Scenario>],
        jobs: Option<usize>,
        files: Files,
    ) -> Result<(), Failure> {
        let (plan, stop, replications) = (self.plan, self.stop, self.plan.replications as usize);
        let bar = Bar::new(scenarios.len() * replications, self.printing.quiet);
        for scenario in scenarios.iter().filter(|_| !self.printing.quiet) {
            for remark in scenario.remarks() {
                output::remark_about(&scenario.name, &remark);
            }
        }
        let interruption = self.interruption;
        let progress = |seen: Progress| {
            interruption.seen(&seen);
            bar.tell(seen);
        };
        // CSV has a single heading, so its rows are printed at the end.
        let held_back = self.printing.format == Format::Csv;
        let mut rows = Vec::new();
        let mut printed = Ok(());
        let Files { messages, mut links } = files;
        let mut finished = |at: usize, results| {
            (0..replications).for_each(|run| bar.done(at * replications + run, 1.0));
            if printed.is_ok() {
                let gap = if at == 0 { "" } else { "\n" };
                let into = (links.as_mut(), &mut rows);
                printed = bar.aside(|| self.scenario(&scenarios[at], gap, results, into));
                // Once the output is closed, further runs are useless.
                stop.fetch_or(printed.is_err(), Ordering::Relaxed);
                // The last results may still be followed by a prediction.
                interruption.keep(held_back || at + 1 == scenarios.len());
            }
        };
        if let Some(mut messages) = messages {
            let mut tell = |record: Record<'_>| messages.take(&scenarios[0], record, stop);
            let results = run_telling(&scenarios[0], &plan, stop, &progress, &mut tell);
            finished(0, results);
            messages.keep()?;
        } else {
            run_all(scenarios, &plan, jobs, stop, &progress, finished)?;
        }
        drop(bar);
        printed?;
        links.map_or(Ok(()), RowFile::keep)?;
        if held_back {
            output::print_rows(Format::Csv, &rows, String::new)?;
        }
        Ok(())
    }

    fn scenario(
        &mut self,
        scenario: &Arc<Scenario>,
        gap: &str,
        results: Results,
        (links, rows): (Option<&mut RowFile>, &mut Vec<SimulateRow>),
    ) -> Result<(), Failure> {
        let outcomes = self.whole(results);
        self.ended(&outcomes);
        let replications = self.plan.replications;
        let together =
            self.replicated.then(|| Outcome::together(&outcomes, replications)).flatten();
        if let Some(whole) = together.as_ref().or(outcomes.first())
            && !self.printing.quiet
            && let Some(share) = whole.summary.shortfall()
        {
            let percent = in_percent(share);
            let name = &whole.scenario.name;
            output::remark(&format!("{name}: accepts {percent} % of what is offered"));
        }
        if let Some(links) = links {
            let mut all = outcomes.iter().chain(&together);
            all.try_for_each(|outcome| write_links(links, outcome))?;
        }
        rows.extend(outcomes.iter().chain(&together).map(SimulateRow::new));
        if self.printing.format == Format::Csv {
            return Ok(());
        }
        let rows = std::mem::take(rows);
        output::print_rows(self.printing.format, &rows, || {
            let pending = Pending::about(scenario, self.stop);
            let table = outcomes_table(scenario, &outcomes, together.as_ref(), pending.told());
            self.slow.extend(pending.slow(together.or(outcomes.into_iter().next())));
            format!("{gap}{table}")
        })
    }

    /// Runs both scenarios, replication by replication, and prints the results.
    fn pair(&mut self, scenarios: [&Arc<Scenario>; 2], jobs: Option<usize>) -> Result<(), Failure> {
        let (stop, format) = (self.stop, self.printing.format);
        let bar = Bar::new(self.plan.replications as usize, self.printing.quiet);
        let progress = |seen: Progress| {
            self.interruption.seen(&seen);
            bar.tell(seen);
        };
        let results = compare_all(scenarios, &self.plan, jobs, stop, &progress)?;
        drop(bar);
        let all = self.whole(results);
        self.ended(all.iter().flat_map(|one| &one.outcomes));
        let replications = self.plan.replications;
        let together = self.replicated.then(|| Comparison::together(&all, replications)).flatten();
        let each = || all.iter().chain(&together);
        if format == Format::Json {
            // First each run, then the comparison: rows of one CSV need equal columns.
            let runs: Vec<SimulateRow> =
                each().flat_map(|one| &one.outcomes).map(SimulateRow::new).collect();
            output::print_rows(format, &runs, String::new)?;
        }
        let rows: Vec<ComparisonRow> = each().map(ComparisonRow::new).collect();
        output::print_rows(format, &rows, || {
            let pending = scenarios.map(|scenario| Pending::about(scenario, stop));
            let told = pending.each_ref().map(Pending::told);
            let table = comparison_table(&all, together.as_ref(), told);
            let runs = together.as_ref().or(all.first()).map(|one| one.outcomes.clone());
            let runs = runs.map_or([None, None], |runs| runs.map(Some));
            self.slow.extend(pending.into_iter().zip(runs).filter_map(|(one, run)| one.slow(run)));
            table
        })
    }

    /// The results without crashes. Missing results were never begun.
    fn whole<T>(&mut self, results: Vec<Result<T, Crash>>) -> Vec<T> {
        self.partial |= results.len() < self.plan.replications as usize;
        let mut whole = Vec::new();
        for result in results {
            match result {
                Ok(one) => whole.push(one),
                Err(crash) => drop(self.crash.get_or_insert_with(|| crash.into())),
            }
        }
        whole
    }

    /// Records the endings of runs.
    fn ended<'a>(&mut self, outcomes: impl IntoIterator<Item = &'a Outcome>) {
        for outcome in outcomes {
            self.partial |= outcome.ended == Ended::Stopped;
            self.deadlock |= outcome.deadlock.is_some();
        }
    }
}
