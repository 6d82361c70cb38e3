//! `sweep`: runs a study of loads and fields into a folder, and processes such folders.

mod arguments;
mod merge;
mod run_part;
mod slurm;
mod status;
mod study_options;
mod workers;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use arguments::{FolderArgument, Limits};
use clap::{Args, Subcommand};
use merge::Merge;
use run_part::RunPart;
pub(super) use status::wrong;
use status::{Missing, Plan, Status, warn};
use study_options::Offered;

use super::interruption::Interruption;
use super::options::{Fields, Printing, Runs, axis};
use super::progress::{StudyProgress, spinner};
use super::{Failure, output, point_runs};
use crate::experiment::points::{Task, run_points};
use crate::experiment::report::Format;
use crate::experiment::reproduce::Compared;
use crate::experiment::sweep::{Folder, Found, Next, OpenError, Part, Results, longest_first};
use crate::{scenario, text};

/// Maximum number of foreign files named in remarks.
const NAMED: usize = 3;

/// The arguments of `sweep`.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct Sweep {
    #[command(subcommand)]
    action: Option<Action>,
    /// A scenario, or the file of a study, which then says all but --quick, --seed, --jobs and what becomes of
    /// the results
    #[arg(value_name = "SCENARIO|STUDY", required = true)]
    scenario: Option<String>,
    #[command(flatten)]
    offered: Offered,
    /// A field and its values, a curve for each: `--vary routing='[DimensionOrder(), WestFirst()]'`; may
    /// be repeated, and then every value is run with every one. Fields that go together:
    /// `--vary 'routing, seed=[(WestFirst(), 1), (OddEven(), 2)]'`
    #[arg(long, value_name = "FIELD=[VALUE, ...]", value_parser = axis)]
    vary: Vec<(String, String)>,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    runs: Runs,
    #[command(flatten)]
    limits: Limits,
    /// Fewer points and shorter runs, where a study's file says which
    #[arg(long)]
    quick: bool,
    /// The folder of the results; points that it has are not run again
    #[arg(long, value_name = "FOLDER", default_value = "sweep")]
    out: PathBuf,
    /// Replace another study in the folder; its results are left
    #[arg(long)]
    force: bool,
    /// Begin the folder, and run nothing: for other machines, or a cluster
    #[arg(long, conflicts_with = "budget")]
    no_run: bool,
    /// Print the study as a file, in JSON with `--format json`, and run nothing
    #[arg(long)]
    write_study: bool,
    #[command(flatten)]
    drawing: Drawing,
    #[command(flatten)]
    printing: Printing,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Run what is missing in a folder, or a part of it, or points of a study's file
    Run(RunPart),
    /// Make the next round of a study whose loads are searched, once the present one is finished, and say
    /// how many points are to be run
    Plan(Plan),
    /// Say how far a folder is, and which files in it are no results of its study
    Status(Status),
    /// Print the numbers of the missing points, as `sbatch --array=` takes them: `3,7-9`
    Missing(Missing),
    /// Make the tables of the results that are there, and print them; with other folders named behind,
    /// copy their results first
    Merge(Merge),
    /// Draw the results that are there, each figure with its points as CSV
    Plot(Plot),
    /// Write tables, figures and where they are from into one page, `report.html`
    Report(Report),
    /// Write the missing points as a job array for Slurm, or hand it over
    Slurm(slurm::Slurm),
}

#[derive(Args, Debug)]
struct Plot {
    #[command(flatten)]
    at: FolderArgument,
    #[command(flatten)]
    drawing: Drawing,
    /// No progress and no remarks on standard error
    #[arg(long, short)]
    quiet: bool,
}

/// Options of figures.
#[derive(Args, Clone, Copy, Debug)]
struct Drawing {
    /// Draw the figures in pixels too, as PNG
    #[arg(long, help_heading = "Output")]
    png: bool,
}

#[derive(Args, Debug)]
struct Report {
    #[command(flatten)]
    at: FolderArgument,
    /// No progress and no remarks on standard error
    #[arg(long, short)]
    quiet: bool,
}

impl Sweep {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match (&self.action, &self.scenario) {
            (Some(action), _) => action.run(),
            (None, Some(name)) => {
                let study = self.study(name)?;
                if self.write_study {
                    let text = study.text(&study.scenario);
                    let text = match self.printing.format {
                        Format::Json => scenario::json(&text).expect("a written study is RON"),
                        Format::Table | Format::Csv => text,
                    };
                    return output::print(&text);
                }
                let begun = Folder::begin(&self.out, &study, self.force);
                let folder = begun.map_err(|error| match error {
                    OpenError::Io(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                        let help = if self.out.is_file() {
                            "`--out FOLDER` names a folder, and this is a file"
                        } else {
                            "`--out FOLDER` names another folder, `--force` replaces what is there"
                        };
                        Failure::usage(error, help)
                    }
                    error @ (OpenError::Study(_) | OpenError::Io(_)) => error.into(),
                })?;
                if self.no_run {
                    return Ok(());
                }
                let output = (self.drawing, self.printing);
                run(folder, &Part::All, (self.runs.jobs, self.limits), output)
            }
            (None, None) => unreachable!("the scenario is required"),
        }
    }
}

impl Action {
    fn run(&self) -> Result<(), Failure> {
        match self {
            Self::Run(part) => part.run(),
            Self::Plan(plan) => plan.run(),
            Self::Status(status) => status.run(),
            Self::Missing(missing) => missing.run(),
            Self::Merge(merge) => merge.run(),
            Self::Plot(plot) => {
                let folder = plot.at.open()?;
                let results = with_models(&folder, plot.quiet);
                results.write_plots(&folder, plot.drawing.png)?;
                wrong(&results)
            }
            Self::Report(report) => {
                let folder = report.at.open()?;
                let results = with_models(&folder, report.quiet);
                results.write_report(&folder)?;
                wrong(&results)
            }
            Self::Slurm(slurm) => slurm.run(),
        }
    }
}

/// Runs the missing points of a folder, round by round, or a part of them.
pub(super) fn simulate(
    folder: &mut Folder,
    part: &Part,
    (jobs, until): (Option<u16>, Option<Instant>),
    interruption: &Interruption,
    quiet: bool,
) -> Result<(), Failure> {
    let stopped = || interruption.stop.load(Ordering::Relaxed);
    let begun = Instant::now();
    if !quiet {
        warn(folder, &Results::of(folder, false));
    }
    loop {
        let whole = Results::of(folder, false).whole();
        let points = longest_first(&folder.study, &folder.found(), part).into_iter();
        let tasks: Vec<Task> = points.map(|at| folder.study.points[at].task.clone()).collect();
        let [behind, ahead] = if *part == Part::All { whole } else { [0; 2] };
        let until = (until, StudyProgress { begun, behind, ahead });
        point_runs::with_progress(jobs.map(usize::from), interruption, quiet, until, |running| {
            run_points(&tasks, folder, running)
        })?;
        // A part never extends beyond the existing rounds.
        if *part != Part::All || stopped() {
            return Ok(());
        }
        let Next::Round(points) = folder.plan()? else { return Ok(()) };
        if !quiet {
            let points = text::count(points.len(), "point", "points");
            output::remark(&format!("round {}: {points}", folder.study.rounds()));
        }
    }
}

/// Runs missing points. A complete run also writes the result files and prints the results; a part
/// prints its results in the formats for programs.
fn run(
    folder: Folder,
    part: &Part,
    (jobs, limits): (Option<u16>, Limits),
    (drawing, printing): (Drawing, Printing),
) -> Result<(), Failure> {
    let interruption = Interruption::listen()?;
    let until = limits.budget.map(|budget| Instant::now() + budget);
    let mut folder = folder.with_leases_lasting(Duration::from_secs(limits.lease_seconds));
    let whole = *part == Part::All;
    simulate(&mut folder, part, (jobs, until), &interruption, printing.quiet)?;
    let stopped = interruption.stop.load(Ordering::Relaxed);
    let interrupted = interruption.failure();
    let results = if whole && !stopped {
        with_models(&folder, printing.quiet)
    } else {
        Results::of(&folder, false)
    };
    if whole {
        results.write_tables(&folder)?;
        results.write_plots(&folder, drawing.png)?;
        results.write_report(&folder)?;
        print(&results, printing)?;
    } else if printing.format != Format::Table {
        let rows =
            results.rows().into_iter().filter(|row| row.point().is_some_and(|at| part.has(at)));
        output::print_rows(printing.format, &rows.collect::<Vec<_>>(), String::new)?;
    }
    if !printing.quiet {
        let strangers = folder.strangers()?;
        for what in strangers.iter().take(NAMED) {
            output::remark(&format!("{what}; it is left as it is"));
        }
        if let more @ 1.. = strangers.len().saturating_sub(NAMED) {
            output::remark(&format!("{more} more are left; `flitscope sweep status` names all"));
        }
        let (done, points) = (results.rows().len(), results.found.len());
        // Invalid results are reported below.
        if results.missing().next().is_some() {
            output::remark(&format!(
                "{done} of {points} points are done; `flitscope sweep run` goes on from here"
            ));
        } else if points == 1 {
            output::remark("this is one load; `--loads 0.05:0.4:8` or `--auto` runs a curve");
        }
    }
    if let Some(interrupted) = interrupted {
        return Err(interrupted);
    }
    wrong(&results)?;
    let chosen = results.found.iter().enumerate().filter(|(at, _)| part.has(*at));
    let chosen: Vec<&Found> = chosen.map(|(_, found)| found).collect();
    if let missing @ 1.. = chosen.iter().filter(|found| found.is_missing()).count() {
        return Err(Failure::Missing(missing));
    }
    if results.report().is_some_and(|report| report.verdicts().any(Compared::surprises)) {
        return Err(Failure::Verdict);
    }
    let mut rows = chosen.into_iter().filter_map(Found::row);
    interruption.end(rows.any(|row| row.holds("deadlock")))?;
    let unfound = if whole { results.unfound() } else { 0 };
    if unfound > 0 { Err(Failure::Unfound(unfound)) } else { Ok(()) }
}

/// The results with predictions, which may take a while.
fn with_models(folder: &Folder, quiet: bool) -> Results<'_> {
    let results = {
        let _spinner = spinner(format!("the models of {}", folder.study.name()), quiet);
        Results::of(folder, true)
    };
    if !quiet {
        warn(folder, &results);
    }
    results
}

fn print(results: &Results<'_>, printing: Printing) -> Result<(), Failure> {
    output::print_rows(printing.format, &results.rows(), || results.text())
}
