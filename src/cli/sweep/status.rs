//! How far a study is, and what is to be done next.

use std::path::Path;

use super::at::failure;
use super::at_work;
use crate::cli::{Failure, output};
use crate::experiment::sweep::{Folder, Next, Part, Results};
use crate::text;

/// Makes the next round, if it is time, and says how many points are to be run, and which.
pub(super) fn plan(mut folder: Folder) -> Result<(), Failure> {
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

pub(super) fn status(folder: &Folder, path: &Path) -> Result<(), Failure> {
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

/// A failure, if something else stands in the place of a result.
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
