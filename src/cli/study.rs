//! The study that is named where a scenario could be: a folder of results, or a study's file.

use std::path::Path;
use std::sync::Arc;

use super::Failure;
use crate::experiment::sweep::{Folder, Study, is_study};
use crate::files;
use crate::scenario::{Override, Scenario, builtin};

/// The folder of the study of this name; `None` if it is no study's. That of a study's file is the one
/// in which it lies as `study.ron`, or else `out`, which is made if need be.
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

/// What is run before any of a study's points is opened: the first of them.
pub(super) fn first_of(folder: &Folder) -> Result<Arc<Scenario>, Failure> {
    let first = folder.study.points.first();
    let none = || Failure::usage("this study has no points", "let it have loads");
    first.map(|point| Arc::clone(&point.task.job.scenario)).ok_or_else(none)
}

/// What is asked for is about a run, not about a study.
pub(super) fn no_run() -> Failure {
    let help = "`flitscope sweep status FOLDER` says how far a study is";
    Failure::usage("--plain and --against are for a run, and this is a study", help)
}
