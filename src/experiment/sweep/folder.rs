//! The folder of a study: the study, a file for each finished point, and leases.
//!
//! `study.ron` and the copy of its scenario define the points, and `checksums.json` has their
//! checksums; `points/HASH.json` is the result of a point; `claims/HASH.lease` names the program
//! running a point.
//!
//! A result is valid only under the name of its point and with the checksum of its content. A
//! damaged file (torn, empty, changed, or with fields unlike this version's) counts as missing: the
//! damage is reported, the point is run again, and the new result replaces the file. A valid result
//! of another point, and an unreadable file, are reported and left.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::seal;
use super::{Point, Study, SweepRow, checksums, named_files, rounds};
use crate::experiment::Outcome;
use crate::experiment::leases::{Lease, Leases, TIMEOUT, host};
use crate::experiment::points::{Keeper, Task};
use crate::experiment::report::SimulateRow;
use crate::experiment::reproduce::sources::{COPIES, Source};
use crate::files::{self, named};
use crate::scenario::Problem;

/// The name of the study file in a folder.
pub const STUDY: &str = "study.ron";
pub(super) const POINTS: &str = "points";
const CLAIMS: &str = "claims";

/// A finished point, as stored in its file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredResult<R> {
    /// The fingerprint of the point.
    point: String,
    /// The point's name, for people.
    name: String,
    /// The probe of the engine, 16 hexadecimal digits.
    pub(super) engine: String,
    /// The machine of the run.
    machine: String,
    /// The results of each replication; with several replications, followed by the pooled result.
    pub(super) rows: Vec<R>,
}

/// A folder with a study and its results.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    pub study: Study,
    leases: Leases,
    /// The damage of the file for the round after the study's last, if any; the file is rewritten.
    pub damaged_round: Option<String>,
}

/// The reason for an unusable folder.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The study in the folder is invalid.
    #[error("{}", crate::scenario::render(.0))]
    Study(Vec<Problem>),
    /// Input or output failed; [`ErrorKind::AlreadyExists`] means another study in the folder.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The content of a folder for one point.
#[derive(Clone, PartialEq, Debug)]
pub enum Found {
    Row(SweepRow),
    /// No file.
    Missing,
    /// A damaged file, replaced by the next result: file name and damage.
    Damaged(String),
    /// A foreign file in place of the result: file name and problem.
    Refused(String),
}

impl Found {
    /// The result, if any.
    pub fn row(&self) -> Option<&SweepRow> {
        match self {
            Self::Row(row) => Some(row),
            Self::Missing | Self::Damaged(_) | Self::Refused(_) => None,
        }
    }

    /// True if the point must be run: no foreign file blocks the result.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Missing | Self::Damaged(_))
    }
}

/// Refuses a folder without a study if existing files may collide with tables and figures.
fn spare_what_is_there(path: &Path) -> io::Result<()> {
    let ours = ["txt", "csv", "json", "svg", "png", "html"];
    let is_ours =
        |file: &Path| file.extension().is_some_and(|it| ours.iter().any(|&our| it == our));
    let Ok(entries) = fs::read_dir(path) else { return Ok(()) };
    let mut others = entries.filter_map(|entry| entry.ok().map(|it| it.path()));
    let Some(other) = others.find(|file| file.is_file() && is_ours(file)) else { return Ok(()) };
    let what = format!("{}: is there already, and is of no study in this folder", other.display());
    Err(io::Error::new(ErrorKind::AlreadyExists, what))
}

impl Folder {
    /// Begins a study in a folder, created if missing, or continues the study. Another study, or
    /// files that may collide with tables and figures, are replaced only if `replace` is set;
    /// results are always left.
    pub fn begin(path: &Path, study: &Study, replace: bool) -> Result<Self, OpenError> {
        let named = |file: &Path| {
            let name = file.file_name().unwrap_or("scenario.ron".as_ref());
            format!("{COPIES}/{}", name.to_string_lossy())
        };
        let copy = study.file.as_deref().map(|file| {
            // The scenario of a network file, whose name remains for the network.
            let is_scenario = file.extension().is_none_or(|it| it == "ron" || it == "json");
            if is_scenario { named(file) } else { format!("{}.ron", named(file)) }
        });
        let text = study.text(copy.as_deref().unwrap_or(&study.scenario));
        // Names are relative to the folder of the scenario, for a built-in one to the current folder.
        let base = study.file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        let taken = copy.as_deref().and_then(|copy| copy.split_once('/')).map(|(_, name)| name);
        let (text, files) = named_files::copied(&text, base, taken);
        let mut contents = vec![(STUDY.to_owned(), text)];
        contents.extend(copy.map(|copy| (copy, study.scenario_text.clone())));
        contents.extend(files.into_iter().map(|(name, text)| (format!("{COPIES}/{name}"), text)));
        let others = study.files().into_iter();
        contents.extend(
            others.filter_map(|Source { file, text, .. }| Some((named(&file?), text.to_string()))),
        );
        if !replace && !path.join(STUDY).exists() {
            spare_what_is_there(path)?;
        }
        for folder in ["", COPIES, POINTS] {
            files::make_folder(&path.join(folder))?;
        }
        checksums::clear(path, &contents)?;
        // The scenario first: a folder with a study is complete.
        for (name, content) in contents.iter().rev() {
            let path = path.join(name);
            if fs::read_to_string(&path).is_ok_and(|known| known == *content) {
                continue;
            }
            files::write(&path, content, replace).map_err(|error| {
                if error.kind() != ErrorKind::AlreadyExists {
                    return error;
                }
                let what = format!("{error} and says otherwise");
                io::Error::new(ErrorKind::AlreadyExists, what)
            })?;
        }
        checksums::write(path, &contents)?;
        Self::open(path)
    }

    /// Opens an existing folder.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let file = path.join(STUDY);
        let text = files::read_file(&file).map_err(|problem| {
            let help = "name a folder that `flitscope sweep` has begun".to_owned();
            let none = path.is_dir() && !file.exists();
            let what = if none {
                format!("there is no study in this folder: no {STUDY}")
            } else {
                problem.what
            };
            let source = if none { path.display().to_string() } else { problem.source };
            OpenError::Study(vec![Problem { source, what, place: None, help: Some(help) }])
        })?;
        checksums::verify(path).map_err(OpenError::Study)?;
        let study = Study::read(&file.to_string_lossy(), &text, path, &[]);
        let mut study = study.map_err(OpenError::Study)?;
        let damaged_round = rounds::restore(path, &mut study).map_err(OpenError::Study)?;
        let leases = Leases::of(path.join(CLAIMS), TIMEOUT);
        Ok(Self { path: path.to_path_buf(), study, leases, damaged_round })
    }

    /// The folder with this file as study, if any.
    pub fn around(file: &Path) -> Option<PathBuf> {
        let folder = file.parent().filter(|_| file.file_name().is_some_and(|it| it == STUDY))?;
        let folder = if folder == Path::new("") { Path::new(".") } else { folder };
        folder.join(POINTS).is_dir().then(|| folder.to_path_buf())
    }

    /// Sets the lifetime of leases, by default [`TIMEOUT`].
    #[must_use]
    pub fn with_leases_lasting(self, timeout: Duration) -> Self {
        let leases = Leases::of(self.path.join(CLAIMS), timeout);
        Self { leases, ..self }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The leases on points of this study, by point number.
    pub fn at_work(&self) -> io::Result<Vec<(usize, Lease)>> {
        let numbers = self.study.points.iter().enumerate();
        let numbers: BTreeMap<&str, usize> =
            numbers.map(|(at, point)| (point.task.fingerprint.as_str(), at)).collect();
        let leases = self.leases.all()?.into_iter();
        Ok(leases.filter_map(|lease| Some((*numbers.get(&*lease.point)?, lease))).collect())
    }

    /// The current text of the study file.
    pub(super) fn text(&self) -> Option<String> {
        fs::read_to_string(self.path.join(STUDY)).ok()
    }

    /// The path of a point's result file.
    pub(super) fn place(&self, fingerprint: &str) -> PathBuf {
        self.path.join(POINTS).join(format!("{fingerprint}.json"))
    }

    /// True if the file of a point is readable and damaged.
    fn is_damaged(&self, fingerprint: &str) -> bool {
        fs::read(self.place(fingerprint))
            .is_ok_and(|text| matches!(kept(&text, fingerprint), Err(Unfit::Damaged(_))))
    }

    /// The state of every point, in order.
    pub fn found(&self) -> Vec<Found> {
        let points = self.study.points.iter().enumerate();
        points.map(|(at, point)| self.found_of(at, point)).collect()
    }

    /// The state of the point with number `at`.
    pub(super) fn found_of(&self, at: usize, point: &Point) -> Found {
        let path = self.place(&point.task.fingerprint);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Found::Missing,
            Err(error) => return Found::Refused(named(&path, &error).to_string()),
        };
        let file = path.display();
        let scenario = &point.task.job.scenario;
        let StoredResult { machine, rows, .. } = match kept(&text, &point.task.fingerprint) {
            Ok(kept) => kept,
            Err(Unfit::Damaged(damage)) => {
                return Found::Damaged(format!("{file}: this result is damaged: {damage}"));
            }
            Err(Unfit::Foreign) => return Found::Refused(foreign(&path)),
        };
        let wanted = [
            ("version", Value::from(env!("CARGO_PKG_VERSION"))),
            ("seed", scenario.seed.into()),
            ("scenario_hash", format!("{:016x}", scenario.hash()).into()),
        ];
        let is_own = |row: &Map<String, Value>| {
            wanted.iter().all(|(column, is)| row.get(*column) == Some(is))
        };
        if !rows.last().is_some_and(is_own) {
            return Found::Refused(foreign(&path));
        }
        let curve = &self.study.curves[point.curve];
        Found::Row(SweepRow::new(at, (curve, &machine), scenario.system.time_unit(), &rows))
    }

    /// Copies the result of a point from another folder, replacing a damaged file.
    pub(super) fn copy(&self, fingerprint: &str, from: &Self) -> io::Result<()> {
        let source = from.place(fingerprint);
        let text = fs::read(&source).map_err(|error| named(&source, &error))?;
        self.put(fingerprint, text)
    }

    /// Writes the result of a point, unless present; replaces a damaged file.
    fn put(&self, fingerprint: &str, text: Vec<u8>) -> io::Result<()> {
        // A study copied from elsewhere lacks this folder.
        files::make_folder(&self.path.join(POINTS))?;
        match files::write(self.place(fingerprint), text, self.is_damaged(fingerprint)) {
            // Another program took the point over and was faster, with the same result.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            done => done,
        }
    }

    /// Writes a file next to the study, replacing an older file.
    pub fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        files::write(self.path.join(name), content, true)
    }
}

impl Keeper for Folder {
    fn leases(&self) -> &Leases {
        &self.leases
    }

    fn has(&self, point: &str) -> io::Result<bool> {
        let place = self.place(point);
        Ok(fs::symlink_metadata(&place).is_ok() && !self.is_damaged(point))
    }

    fn clear_up(&self) {
        self.leases.clear_up();
        for folder in ["", COPIES, POINTS, rounds::FOLDER] {
            files::clear_drafts(&self.path.join(folder));
        }
    }

    fn keep(&self, task: &Task, outcomes: &[Outcome]) -> io::Result<()> {
        let together = (outcomes.len() > 1)
            .then(|| Outcome::together(outcomes, task.job.plan.replications))
            .flatten();
        let kept = StoredResult {
            point: task.fingerprint.clone(),
            name: task.name.clone(),
            engine: format!("{:016x}", task.engine),
            machine: host(),
            rows: outcomes.iter().chain(&together).map(SimulateRow::new).collect(),
        };
        self.put(&task.fingerprint, seal::sealed(&kept)?)
    }
}

/// The reason against accepting a text as the result of a point.
enum Unfit {
    /// The result is damaged, in this way.
    Damaged(String),
    /// The text is the result of another point.
    Foreign,
}

/// Parses a file as the result of the point with this fingerprint.
fn kept(text: &[u8], fingerprint: &str) -> Result<StoredResult<Map<String, Value>>, Unfit> {
    let kept: StoredResult<Map<String, Value>> =
        seal::opened(text).map_err(|damage| Unfit::Damaged(damage.to_string()))?;
    if kept.point != fingerprint {
        return Err(Unfit::Foreign);
    }
    match kept.rows.iter().find_map(seal::misfit) {
        Some(misfit) => {
            Err(Unfit::Damaged(format!("it has other fields than this version writes ({misfit})")))
        }
        None => Ok(kept),
    }
}

fn foreign(path: &Path) -> String {
    format!("{}: this is the result of another point", path.display())
}
