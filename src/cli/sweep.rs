//! `sweep`: runs a study of loads and fields into a folder of results, and what can be done with such a
//! folder.

mod at;
mod at_work;
mod slurm;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use at::{At, Limits, failure};
use clap::{Args, Subcommand};

use super::interruption::Interruption;
use super::options::{Fields, Printing, Runs, setting};
use super::progress::spinner;
use super::{Failure, output, running};
use crate::experiment::points::{Task, run_points};
use crate::experiment::sweep::{
    Folder, Found, Next, Part, Results, Study, is_study, longest_first,
};
use crate::files;
use crate::scenario::{self, Override};
use crate::text;
use crate::words::written;

/// Files that are named of those that are left as they are.
const NAMED: usize = 3;

/// The arguments of `sweep`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct Sweep {
    #[command(subcommand)]
    action: Option<Action>,
    /// A scenario, or the file of a study, which then says all but --jobs and what becomes of the results
    #[arg(value_name = "SCENARIO|STUDY", required = true)]
    scenario: Option<String>,
    /// The loads, flits per node and cycle: `0.1,0.2`, or the first, the last and how many, as in
    /// `0.02:0.3:9` [default: that of the scenario]
    #[arg(long, value_name = "LOADS", value_parser = loads, conflicts_with_all = ["rate", "load"])]
    loads: Option<String>,
    /// Search where each curve saturates, and choose the loads so that a straight line between two points
    /// errs by less than their intervals
    #[arg(long, conflicts_with_all = ["loads", "of_saturation", "rate", "load"])]
    auto: bool,
    /// Search where each curve saturates, and then run these shares of it: `0.25,0.5,0.9`
    #[arg(long, value_name = "SHARES", conflicts_with_all = ["loads", "rate", "load"])]
    of_saturation: Option<String>,
    /// Search until the loads between which a curve saturates are apart by this share [default: 0.02]
    #[arg(long, value_name = "SHARE")]
    bracket: Option<String>,
    /// A field and its values, a curve for each: `--vary routing='[DimensionOrder(), WestFirst()]'`; may
    /// be repeated, and then every value is run with every one. Fields that go together:
    /// `--vary 'routing, seed=[(WestFirst(), 1), (OddEven(), 2)]'`
    #[arg(long, value_name = "FIELD=[VALUE, ...]", value_parser = setting)]
    vary: Vec<(String, String)>,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    runs: Runs,
    #[command(flatten)]
    limits: Limits,
    /// The folder of the results; points that it has are not run again
    #[arg(long, value_name = "FOLDER", default_value = "sweep")]
    out: PathBuf,
    /// Replace another study in the folder; its results are left
    #[arg(long)]
    force: bool,
    /// Begin the folder, and run nothing: for other machines, or a cluster
    #[arg(long, conflicts_with = "budget")]
    no_run: bool,
    /// Print the study as a file, and run nothing
    #[arg(long)]
    write_study: bool,
    #[command(flatten)]
    printing: Printing,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Run what is missing in a folder, or a part of it
    Run(RunPart),
    /// Make the next round of a study whose loads are searched, once the present one is finished, and say
    /// how many points are to be run
    Plan(At),
    /// Say how far a folder is, and which files in it are no results of its study
    Status(At),
    /// Print the numbers of the missing points, as `sbatch --array=` takes them: `3,7-9`
    Missing(At),
    /// Make the tables of the results that are there, and print them
    Merge(Merge),
    /// Draw the results that are there
    Plot(Plot),
    /// Write the missing points as a job array for Slurm, or hand it over
    Slurm(slurm::Slurm),
}

#[derive(Args, Debug)]
struct RunPart {
    #[command(flatten)]
    at: At,
    /// Only these points, by their numbers: `3,7-9`
    #[arg(long, value_name = "POINTS", value_parser = str::parse::<Part>)]
    point: Option<Part>,
    /// Only one of N equal parts, from 1: `1/4`
    #[arg(long, value_name = "I/N", value_parser = Part::shard, conflicts_with = "point")]
    shard: Option<Part>,
    /// Runs at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    printing: Printing,
}

#[derive(Args, Debug)]
struct Merge {
    #[command(flatten)]
    at: At,
    #[command(flatten)]
    printing: Printing,
}

#[derive(Args, Debug)]
struct Plot {
    #[command(flatten)]
    at: At,
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
                    return output::print(&study.text(&study.scenario));
                }
                let folder = Folder::begin(&self.out, &study, self.force).map_err(failure)?;
                if self.no_run {
                    return Ok(());
                }
                run(folder, &Part::All, (self.runs.jobs, self.limits), self.printing)
            }
            (None, None) => unreachable!("the scenario is required"),
        }
    }

    /// The study of this name, or that of the options and a scenario.
    fn study(&self, name: &str) -> Result<Study, Failure> {
        let given = self.given();
        let (source, text) = files::read(name)?;
        if is_study(&text) {
            if let Some(option) = given.first() {
                let what =
                    format!("`{}` is given beside a study, which says that itself", option.label);
                return Err(Failure::usage(what, "leave it out, or change the study's file"));
            }
            let folder = Path::new(name).parent().unwrap_or(Path::new(""));
            return Ok(Study::read(&source, &text, folder, &[])?);
        }
        if name == "-" {
            scenario::parse(&source, &text, &[])?;
            let what = "a study needs a scenario that can be read again, not standard input";
            return Err(Failure::usage(what, "name a file or a built-in scenario"));
        }
        let text = format!("Study(scenario: {})", written(&name));
        Ok(Study::read("the study", &text, Path::new(""), &given)?)
    }

    /// What options say about a study.
    fn given(&self) -> Vec<Override> {
        let mut given = Vec::new();
        let mut add = |path: &str, value: String, label: String| {
            given.push(Override { path: path.to_owned(), value, label });
        };
        let map = |entries: Vec<(&str, &str)>| {
            let entries = entries.iter().map(|(path, value)| format!("{}: {value}", written(path)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        };
        let fields = self.fields.overrides();
        let (seed, set): (Vec<&Override>, _) = fields.iter().partition(|one| one.path == "seed");
        if !set.is_empty() {
            let entries = Override::joined(&[], set.into_iter().cloned());
            let entries = entries.iter().map(|one| (one.path.as_str(), one.value.as_str()));
            add("set", map(entries.collect()), "--set".to_owned());
        }
        if !self.vary.is_empty() {
            let entries = self.vary.iter().map(|(path, values)| (path.as_str(), values.as_str()));
            add("vary", map(entries.collect()), "--vary".to_owned());
        }
        if let Some(loads) = &self.loads {
            add("loads", loads.clone(), "--loads".to_owned());
        }
        if self.auto {
            add("loads", "Auto".to_owned(), "--auto".to_owned());
        }
        if let Some(shares) = &self.of_saturation {
            let label = format!("--of-saturation {shares}");
            add("loads", format!("OfSaturation([{shares}])"), label);
        }
        if let Some(share) = &self.bracket {
            add("bracket", share.clone(), format!("--bracket {share}"));
        }
        given.extend(seed.into_iter().cloned().chain(self.runs.overrides()));
        given
    }
}

/// Loads as a study has them.
fn loads(text: &str) -> Result<String, String> {
    let parts: Vec<&str> = text.split(':').collect();
    match parts[..] {
        [list] => Ok(format!("[{list}]")),
        [from, to, points] => Ok(format!("Range(from: {from}, to: {to}, points: {points})")),
        _ => Err("these must be loads, as in `0.1,0.2`, or a range, as in `0.02:0.3:9`".to_owned()),
    }
}

impl Action {
    fn run(&self) -> Result<(), Failure> {
        match self {
            Self::Run(part) => {
                let folder = part.at.open()?;
                let points = folder.study.points.len();
                let all = Part::All;
                let chosen = part.point.as_ref().or(part.shard.as_ref()).unwrap_or(&all);
                if let Some(last) = chosen.last().filter(|last| *last >= points) {
                    let what = format!("there is no point {last}");
                    let help = format!("the points of this study are 0 to {}", points - 1);
                    return Err(Failure::usage(what, help));
                }
                run(folder, chosen, (part.jobs, part.limits), part.printing)
            }
            Self::Plan(at) => plan(at.open()?),
            Self::Status(at) => status(&at.open()?, &at.folder),
            Self::Missing(at) => {
                let folder = at.open()?;
                let missing = Part::list(Results::of(&folder, false).missing());
                output::print(&if missing.is_empty() { missing } else { format!("{missing}\n") })
            }
            Self::Merge(merge) => {
                let folder = merge.at.open()?;
                let results = with_models(&folder, merge.printing.quiet);
                results.write_tables(&folder)?;
                print(&results, merge.printing)?;
                wrong(&results)
            }
            Self::Plot(plot) => {
                let folder = plot.at.open()?;
                let results = with_models(&folder, plot.quiet);
                results.write_plots(&folder)?;
                wrong(&results)
            }
            Self::Slurm(slurm) => slurm.run(),
        }
    }
}

/// Runs points that are missing. Where all of them were to be run, the results are put into files and
/// printed.
fn run(
    folder: Folder,
    part: &Part,
    (jobs, limits): (Option<u16>, Limits),
    printing: Printing,
) -> Result<(), Failure> {
    let interruption = Interruption::listen()?;
    let until = limits.budget.map(|budget| Instant::now() + budget);
    let mut folder = folder.with_leases_lasting(Duration::from_secs(limits.lease_seconds));
    let whole = *part == Part::All;
    let stopped = || interruption.stop.load(Ordering::Relaxed);
    loop {
        let points = longest_first(&folder.study, &folder.found(), part).into_iter();
        let tasks: Vec<Task> = points.map(|at| folder.study.points[at].task.clone()).collect();
        running::shown(jobs.map(usize::from), &interruption, printing.quiet, until, |running| {
            run_points(&tasks, &folder, running)
        })?;
        // A part is one of the rounds so far.
        if !whole || stopped() {
            break;
        }
        let Next::Round(points) = folder.plan().map_err(failure)? else { break };
        if !printing.quiet {
            let points = text::count(points.len(), "point", "points");
            output::remark(&format!("round {}: {points}", folder.study.rounds()));
        }
    }
    let interrupted = interruption.failure();
    let results = if whole && !stopped() {
        with_models(&folder, printing.quiet)
    } else {
        Results::of(&folder, false)
    };
    if whole {
        results.write_tables(&folder)?;
        results.write_plots(&folder)?;
        print(&results, printing)?;
    }
    if !printing.quiet {
        for what in folder.strangers()?.iter().take(NAMED) {
            output::remark(&format!("{what}; it is left as it is"));
        }
        let (done, points) = (results.rows().len(), results.found.len());
        if done < points {
            output::remark(&format!(
                "{done} of {points} points are done; `flitscope sweep run` goes on from here"
            ));
        }
    }
    if let Some(interrupted) = interrupted {
        return Err(interrupted);
    }
    wrong(&results)?;
    let chosen = results.found.iter().enumerate().filter(|(at, _)| part.has(*at));
    let chosen: Vec<&Found> = chosen.map(|(_, found)| found).collect();
    if let missing @ 1.. = chosen.iter().filter(|&&found| *found == Found::Missing).count() {
        return Err(Failure::Missing(missing));
    }
    let mut rows = chosen.into_iter().filter_map(Found::row);
    interruption.end(rows.any(|row| row.holds("deadlock")))
}

/// The results beside models, which may take a while.
fn with_models(folder: &Folder, quiet: bool) -> Results<'_> {
    let _spinner = spinner(format!("the models of {}", folder.study.name()), quiet);
    Results::of(folder, true)
}

fn print(results: &Results<'_>, printing: Printing) -> Result<(), Failure> {
    output::print_rows(printing.format, &results.rows(), || results.text())
}

/// A failure, if something else stands in the place of a result.
fn wrong(results: &Results<'_>) -> Result<(), Failure> {
    let wrong: Vec<&str> = results.refused().collect();
    let Some(first) = wrong.first() else { return Ok(()) };
    let more = match wrong.len() - 1 {
        0 => String::new(),
        more => format!("\nand {} like it", text::count(more, "other file", "other files")),
    };
    let what = format!("{first}{more}");
    Err(Failure::usage(what, "move it away, and its point is run again"))
}

/// Makes the next round, if it is time, and says how many points are to be run, and which.
fn plan(mut folder: Folder) -> Result<(), Failure> {
    let next = folder.plan().map_err(failure)?;
    let round = folder.study.rounds();
    let points = |count| text::count(count, "point", "points");
    output::print(&match next {
        Next::Done => format!("0 points: finished after round {round}\n"),
        Next::Round(new) => {
            format!("{} in round {round}: {}\n", points(new.len()), Part::list(new))
        }
        Next::Missing(missing) => {
            let count = points(missing.len());
            format!("{count} missing in round {round}: {}\n", Part::list(missing))
        }
    })?;
    wrong(&Results::of(&folder, false))
}

fn status(folder: &Folder, path: &Path) -> Result<(), Failure> {
    let results = Results::of(folder, false);
    let (points, curves) = (results.found.len(), results.study.curves.len());
    let mut said = format!(
        "{}: {}, {}, {}\n",
        text::line(&path.display().to_string()),
        results.study.name(),
        text::count(points, "point", "points"),
        text::count(curves, "curve", "curves")
    );
    let mut line =
        |name: &str, what: &str| said.extend([format!("{name:<10}{}\n", text::line(what))]);
    line("done", &results.rows().len().to_string());
    let missing: Vec<usize> = results.missing().collect();
    let count = missing.len();
    if results.study.is_searched() {
        line("round", &results.study.rounds().to_string());
    }
    line(
        "missing",
        &if count == 0 { "0".into() } else { format!("{count}: {}", Part::list(missing)) },
    );
    results.refused().for_each(|what| line("refused", what));
    folder.strangers()?.iter().for_each(|what| line("left", what));
    at_work::lines(folder)?.iter().for_each(|(name, what)| line(name, what));
    output::print(&said)
}
