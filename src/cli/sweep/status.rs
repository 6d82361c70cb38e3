//! `sweep status`, `sweep missing` and `sweep plan`: print the progress of a study and plan the next
//! round.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::arguments::{FolderArgument, OneObject};
use super::slurm;
use super::workers::{Worker, workers};
use crate::cli::{Failure, output};
use crate::experiment::sweep::{Folder, Next, Part, Results};
use crate::text;

/// The arguments of `sweep status`.
#[derive(Args, Debug)]
pub(super) struct Status {
    #[command(flatten)]
    at: FolderArgument,
    #[command(flatten)]
    form: OneObject,
}

/// The state of a study in a folder, as JSON has it.
#[derive(Serialize, Debug)]
struct State {
    /// The path of the folder.
    folder: PathBuf,
    /// The name of the study.
    study: String,
    /// The number of points in the existing rounds.
    points: usize,
    /// The number of curves.
    curves: usize,
    /// The number of points with results.
    done: usize,
    /// The number of the current round; `None` unless loads are searched.
    round: Option<usize>,
    /// The missing points, including points with damaged files.
    missing: Vec<usize>,
    /// Damaged files; their points are run again.
    damaged: Vec<Damaged>,
    /// Other files in place of results, left untouched.
    refused: Vec<String>,
    /// Files among the results without a point of the study.
    left: Vec<String>,
    /// The programs at work.
    at_work: Vec<Worker>,
    /// The state of the submitted Slurm jobs.
    slurm: Option<String>,
}

/// A damaged file.
#[derive(Serialize, Debug)]
struct Damaged {
    /// The point of the file; `None` for the file of a round.
    point: Option<usize>,
    /// The file name and the damage.
    problem: String,
}

impl State {
    fn of(folder: &Folder, results: &Results<'_>) -> Result<Self, Failure> {
        let of_points = results.damaged().map(|(at, why)| (Some(at), why.to_owned()));
        let of_round = folder.damaged_round.iter().map(|why| (None, why.clone()));
        let damaged = of_points.chain(of_round);
        Ok(Self {
            folder: folder.path().to_path_buf(),
            study: results.study.name().to_owned(),
            points: results.found.len(),
            curves: results.study.curves.len(),
            done: results.rows().len(),
            round: results.study.is_searched().then(|| results.study.rounds()),
            missing: results.missing().collect(),
            damaged: damaged.map(|(point, problem)| Damaged { point, problem }).collect(),
            refused: results.refused().map(str::to_owned).collect(),
            left: folder.strangers()?.iter().map(ToString::to_string).collect(),
            at_work: workers(folder)?,
            slurm: slurm::queued(folder),
        })
    }

    /// Lines for people.
    fn text(&self) -> String {
        let mut said = format!(
            "{}: {}, {}, {}\n",
            text::line(&self.folder.display().to_string()),
            self.study,
            text::count(self.points, "point", "points"),
            text::count(self.curves, "curve", "curves")
        );
        let mut line =
            |name: &str, what: &str| said.extend([format!("{name:<10}{}\n", text::line(what))]);
        line("done", &self.done.to_string());
        if let Some(round) = self.round {
            line("round", &round.to_string());
        }
        let count = self.missing.len();
        let list = Part::list(self.missing.iter().copied());
        line("missing", &if count == 0 { "0".into() } else { format!("{count}: {list}") });
        self.damaged.iter().for_each(|it| line("damaged", &it.problem));
        self.refused.iter().for_each(|what| line("refused", what));
        self.left.iter().for_each(|what| line("left", what));
        self.at_work.iter().map(Worker::line).for_each(|(name, what)| line(name, &what));
        self.slurm.iter().for_each(|what| line("slurm", what));
        said
    }
}

impl Status {
    /// Prints the status. The exit status is 2 if a foreign file replaces a result, and 1 if a file
    /// is damaged.
    pub(super) fn run(&self) -> Result<(), Failure> {
        let folder = self.at.open()?;
        let results = Results::of(&folder, false);
        let state = State::of(&folder, &results)?;
        self.form.print(&state, state.text())?;
        wrong(&results)?;
        match state.damaged.len() {
            0 => Ok(()),
            damaged => Err(Failure::Damaged(damaged)),
        }
    }
}

/// The arguments of `sweep missing`.
#[derive(Args, Debug)]
pub(super) struct Missing {
    #[command(flatten)]
    at: FolderArgument,
    #[command(flatten)]
    form: OneObject,
}

/// The missing points of a study, as JSON has them.
#[derive(Serialize, Debug)]
struct MissingPoints {
    /// Their numbers.
    points: Vec<usize>,
}

impl Missing {
    /// Prints the numbers of the missing points.
    pub(super) fn run(&self) -> Result<(), Failure> {
        let folder = self.at.open()?;
        let results = Results::of(&folder, false);
        warn(&folder, &results);
        let missing = MissingPoints { points: results.missing().collect() };
        let list = Part::list(missing.points.iter().copied());
        let text = if list.is_empty() { list } else { format!("{list}\n") };
        self.form.print(&missing, text)?;
        wrong(&results)
    }
}

/// The arguments of `sweep plan`.
#[derive(Args, Debug)]
pub(super) struct Plan {
    #[command(flatten)]
    at: FolderArgument,
    #[command(flatten)]
    form: OneObject,
}

/// The next round of a study, as JSON has it.
#[derive(Serialize, Debug)]
struct Round {
    /// The number of the round.
    round: usize,
    /// The points to run; none if the study is finished.
    points: Vec<usize>,
}

impl Plan {
    /// Plans the next round, if due, and prints the points to run.
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut folder = self.at.open()?;
        warn(&folder, &Results::of(&folder, false));
        let next = folder.plan()?;
        let round = folder.study.rounds();
        let points = |count| text::count(count, "point", "points");
        let said = match &next {
            Next::Done => format!("0 points: finished after round {round}\n"),
            Next::Round(new) => {
                let list = Part::list(new.clone());
                format!("{} in round {round}: {list}\n", points(new.len()))
            }
            Next::Missing(missing) => {
                let list = Part::list(missing.iter().copied());
                format!("{} missing in round {round}: {list}\n", points(missing.len()))
            }
        };
        let points = match next {
            Next::Done => Vec::new(),
            Next::Round(points) => points.collect(),
            Next::Missing(points) => points,
        };
        self.form.print(&Round { round, points }, said)?;
        wrong(&Results::of(&folder, false))
    }
}

/// Remarks on every damaged file of a study; their contents are ignored.
pub(super) fn warn(folder: &Folder, results: &Results<'_>) {
    for (point, why) in results.damaged() {
        output::remark(&format!("{why}; point {point} counts as missing, and is run again"));
    }
    if let Some(why) = &folder.damaged_round {
        output::remark(&format!("{why}; it is made again once the rounds before it are finished"));
    }
}

/// An error if a foreign file replaces a result.
pub(crate) fn wrong(results: &Results<'_>) -> Result<(), Failure> {
    let wrong: Vec<&str> = results.refused().collect();
    let Some(first) = wrong.first() else { return Ok(()) };
    let more = match wrong.len() - 1 {
        0 => String::new(),
        more => format!("\nand {} like it", text::count(more, "other file", "other files")),
    };
    let what = format!("{first}{more}");
    Err(Failure::usage(what, "move it away, and its point is run again"))
}
