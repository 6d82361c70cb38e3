//! Files among the results of a folder that are of no point of its study.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

use serde_json::{Map, Value};

use super::folder::{Folder, POINTS, StoredResult};
use super::seal;
use super::study::Point;
use crate::files::named;

/// A file among the results that is of no point of the study.
#[derive(Debug)]
pub struct Stranger {
    path: PathBuf,
    /// The origin of the result; `None` if the file is no result.
    origin: Option<String>,
}

impl Stranger {
    pub fn is_result(&self) -> bool {
        self.origin.is_some()
    }
}

impl fmt::Display for Stranger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.origin.as_deref().unwrap_or("no result"))
    }
}

impl Folder {
    /// Foreign files among the results, in order of path.
    pub fn strangers(&self) -> io::Result<Vec<Stranger>> {
        let folder = self.path().join(POINTS);
        let own: BTreeSet<PathBuf> =
            self.study.points.iter().map(|point| self.place(&point.task.fingerprint)).collect();
        let mut strangers = Vec::new();
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| named(&folder, &error))?,
        };
        for entry in entries {
            let path = entry?.path();
            // An incomplete file of a killed program.
            let begun = path.extension().is_some_and(|kind| kind == "part");
            if begun || own.contains(&path) {
                continue;
            }
            let kept: Option<StoredResult<Map<String, Value>>> =
                seal::opened(&fs::read(&path).unwrap_or_default()).ok();
            let origin = kept.as_ref().and_then(|kept| Some(self.origin(kept, kept.rows.last()?)));
            strangers.push(Stranger { path, origin });
        }
        strangers.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(strangers)
    }

    /// The origin of a result without a point in this study.
    fn origin(&self, kept: &StoredResult<Map<String, Value>>, row: &Map<String, Value>) -> String {
        let says = |column: &str| row.get(column).and_then(Value::as_str).unwrap_or_default();
        let (version, hash) = (says("version"), says("scenario_hash"));
        if version != env!("CARGO_PKG_VERSION") {
            return format!("a result of version {version}");
        }
        let of_another_engine = |point: &Point| {
            format!("{:016x}", point.task.job.scenario.hash()) == hash
                && format!("{:016x}", point.task.engine) != kept.engine
        };
        if self.study.points.iter().any(of_another_engine) {
            return format!("a result of another engine, of version {version} too");
        }
        "the result of another study".to_owned()
    }

    /// The number of results here that are of no point of another folder's study: of other points,
    /// studies, versions and engines.
    pub(super) fn results_beside(&self, other: &Self) -> io::Result<usize> {
        let points = other.study.points.iter();
        let theirs: BTreeSet<&str> = points.map(|it| it.task.fingerprint.as_str()).collect();
        let own = self.study.points.iter().enumerate();
        let beside = own.filter(|(_, point)| !theirs.contains(point.task.fingerprint.as_str()));
        let beside = beside.filter(|(at, point)| self.found_of(*at, point).row().is_some()).count();
        let is_theirs = |path: &PathBuf| {
            path.file_stem()
                .and_then(|stem| stem.to_str())
                .is_some_and(|stem| theirs.contains(stem))
        };
        let strangers = self.strangers()?;
        let results = strangers.iter().filter(|it| it.is_result() && !is_theirs(&it.path));
        Ok(beside + results.count())
    }
}
