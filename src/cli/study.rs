//! Opens a study given in place of a scenario: a folder of results, or a study file.

use std::path::Path;
use std::sync::Arc;

use super::Failure;
use crate::experiment::sweep::{Folder, Study, is_study};
use crate::files;
use crate::scenario::{Override, Scenario, builtin};

/// Opens the named study; `None` if the name is not a study. A study file named `study.ron` inside
/// a folder opens that folder; other study files use `out`, created if missing.
pub(super) fn open(name: &str, out: &Path, given: &[Override]) -> Result<Option<Folder>, Failure> {
    let path = Path::new(name);
    let is_folder = path.is_dir() && builtin::find(name).is_none();
    let text = if path.is_file() { Some(files::read(name)?) } else { None };
    let text = text.filter(|(_, text)| is_study(text));
    if !is_folder && text.is_none() {
        return Ok(None);
    }
    if let Some(option) = given.first() {
        return Err(Failure::beside_study(option));
    }
    let folder = match (text, Folder::around(path)) {
        (None, _) => Folder::open(path),
        (Some(_), Some(own)) => Folder::open(&own),
        (Some((source, text)), None) => {
            let beside = path.parent().unwrap_or(Path::new(""));
            let study = Study::read(&source, &text, beside, &[])?;
            Folder::begin(out, &study, false)
        }
    };
    Ok(Some(folder?))
}

/// The scenario of the study's first point, run until the user opens a point.
pub(super) fn first_of(folder: &Folder) -> Result<Arc<Scenario>, Failure> {
    let first = folder.study.points.first();
    let none = || Failure::usage("this study has no points", "let it have loads");
    first.map(|point| Arc::clone(&point.task.job.scenario)).ok_or_else(none)
}

/// The error for options that require a run instead of a study.
pub(super) fn no_run() -> Failure {
    let help = "`flitscope sweep status FOLDER` says how far a study is";
    Failure::usage("--plain and --against are for a run, and this is a study", help)
}
