//! The folder of a study: what is run, a file for each finished point, and whose work the rest is.
//!
//! `study.ron` and the copy of its scenario say what is run; `points/HASH.json` is a point, written
//! once and never again. A result is known by its name and looked through before it is believed; what
//! is no result of this study is named and left.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tempfile::NamedTempFile;

use super::{Point, Study, SweepRow};
use crate::experiment::Outcome;
use crate::experiment::claims::{self, Held, host, lock};
use crate::experiment::points::{Keeper, Task};
use crate::experiment::report::SimulateRow;
use crate::files::{self, named};
use crate::scenario::Problem;

const STUDY: &str = "study.ron";
/// Where scenarios are copied to that are not built in.
const SCENARIOS: &str = "scenario";
const POINTS: &str = "points";
/// Locked while claims are made.
const LOCK: &str = "claims.lock";

/// A finished point, as its file says it.
#[derive(Serialize, Deserialize)]
struct Kept<R> {
    /// The fingerprint of the point.
    point: String,
    /// What was run, for people.
    name: String,
    /// The machine that it was run on.
    machine: String,
    /// What came out of each replication; of several, then of all together.
    rows: Vec<R>,
}

/// A folder with a study and its results.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// What is run.
    pub study: Study,
    claim: Option<NamedTempFile>,
}

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The study in it is not right.
    #[error("{}", crate::scenario::render(.0))]
    Study(Vec<Problem>),
    /// Input or output failed; [`ErrorKind::AlreadyExists`]: it holds another study.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What stands in a folder of one point.
#[derive(Clone, PartialEq, Debug)]
pub enum Found {
    /// Its result.
    Row(SweepRow),
    /// Nothing.
    Missing,
    /// Something else in the place of its result: which file, and what is wrong with it.
    Refused(String),
}

impl Found {
    /// The result, if it is there.
    pub fn row(&self) -> Option<&SweepRow> {
        match self {
            Self::Row(row) => Some(row),
            Self::Missing | Self::Refused(_) => None,
        }
    }
}

impl Folder {
    /// Begins a study in a folder, which is made, or goes on with it. Another study that is there is
    /// replaced only where `replace` says so; results are left in any case.
    pub fn begin(path: &Path, study: &Study, replace: bool) -> Result<Self, OpenError> {
        let copy = study.file.as_ref().map(|file| {
            let name =
                file.file_name().map_or("scenario.ron".into(), |name| name.to_string_lossy());
            format!("{SCENARIOS}/{name}")
        });
        let text = study.text(copy.as_deref().unwrap_or(&study.scenario));
        let mut contents = vec![(STUDY.to_owned(), &text)];
        contents.extend(copy.map(|copy| (copy, &study.scenario_text)));
        for folder in ["", SCENARIOS, POINTS] {
            files::make_folder(&path.join(folder))?;
        }
        // The scenario first: what has a study is whole.
        for (name, content) in contents.iter().rev() {
            let path = path.join(name);
            if fs::read_to_string(&path).is_ok_and(|known| known == **content) {
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
        Self::open(path)
    }

    /// Opens a folder that was begun before.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let file = path.join(STUDY);
        let text = files::read_file(&file).map_err(|problem| {
            let help = "name a folder that `flitscope sweep` has begun".to_owned();
            OpenError::Study(vec![Problem { help: Some(help), ..problem }])
        })?;
        let study = Study::read(&file.to_string_lossy(), &text, path, &[]);
        let study = study.map_err(OpenError::Study)?;
        Ok(Self { path: path.to_path_buf(), study, claim: None })
    }

    /// Where the result of a point stands, or will stand.
    fn place(&self, fingerprint: &str) -> PathBuf {
        self.path.join(POINTS).join(format!("{fingerprint}.json"))
    }

    /// What there is of every point, by their order.
    pub fn found(&self) -> Vec<Found> {
        let points = self.study.points.iter().enumerate();
        points.map(|(at, point)| self.found_of(at, point)).collect()
    }

    fn found_of(&self, at: usize, point: &Point) -> Found {
        let path = self.place(&point.task.fingerprint);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Found::Missing,
            Err(error) => return Found::Refused(named(&path, &error).to_string()),
        };
        let file = path.display();
        let scenario = &point.task.job.scenario;
        let wanted = [
            ("version", Value::from(env!("CARGO_PKG_VERSION"))),
            ("seed", scenario.seed.into()),
            ("scenario_hash", format!("{:016x}", scenario.hash()).into()),
        ];
        match serde_json::from_str::<Kept<Map<String, Value>>>(&text) {
            Err(error) => {
                let (line, column) = (error.line(), error.column());
                Found::Refused(format!("{file}:{line}:{column}: this is no result ({error})"))
            }
            Ok(Kept { point: hash, machine, rows, .. }) => match rows.last() {
                Some(row)
                    if hash == point.task.fingerprint
                        && wanted.iter().all(|(column, is)| row.get(*column) == Some(is)) =>
                {
                    let curve = &self.study.curves[point.curve];
                    Found::Row(SweepRow::new(at, curve, &machine, row))
                }
                Some(_) | None => {
                    Found::Refused(format!("{file}: this is the result of another point"))
                }
            },
        }
    }

    /// The files among the results that are of no point of this study, and what they are.
    pub fn strangers(&self) -> io::Result<Vec<String>> {
        let folder = self.path.join(POINTS);
        let own: BTreeSet<PathBuf> =
            self.study.points.iter().map(|point| self.place(&point.task.fingerprint)).collect();
        let mut strangers = Vec::new();
        for entry in fs::read_dir(&folder).map_err(|error| named(&folder, &error))? {
            let path = entry?.path();
            // What a program that was killed had begun to write.
            let begun = path.extension().is_some_and(|kind| kind == "part");
            if begun || own.contains(&path) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            let kept: Option<Kept<Map<String, Value>>> = serde_json::from_str(&text).ok();
            let version =
                kept.map(|kept| kept.rows.last()?.get("version")?.as_str().map(str::to_owned));
            let what = match version.map(Option::unwrap_or_default) {
                None => "no result".to_owned(),
                Some(version) if version == env!("CARGO_PKG_VERSION") => {
                    "the result of another study".to_owned()
                }
                Some(version) => format!("a result of version {version}"),
            };
            strangers.push(format!("{}: {what}", path.display()));
        }
        strangers.sort();
        Ok(strangers)
    }

    /// Writes a file beside the study, in the place of an older one.
    pub fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        files::write(self.path.join(name), content, true)
    }
}

impl Keeper for Folder {
    fn claim(&mut self, points: &BTreeSet<String>) -> io::Result<(BTreeSet<String>, Vec<Held>)> {
        self.claim = None;
        let path = self.path.join(LOCK);
        let file = files::append(&path)?;
        lock(&file, FlockOperation::LockExclusive).map_err(|error| named(&path, &error))?;
        // Whatever has a point's name is left, be it a result or not.
        let free = points.iter().filter(|point| !self.place(point).exists()).cloned().collect();
        let (claim, mine, held) = claims::claim(&self.path, free)?;
        self.claim = claim;
        Ok((mine, held))
    }

    fn keep(&mut self, task: &Task, outcomes: &[Outcome]) -> io::Result<()> {
        let together = (outcomes.len() > 1)
            .then(|| Outcome::together(outcomes, task.job.plan.replications))
            .flatten();
        let kept = Kept {
            point: task.fingerprint.clone(),
            name: task.name.clone(),
            machine: host(),
            rows: outcomes.iter().chain(&together).map(SimulateRow::new).collect(),
        };
        let mut text = serde_json::to_vec(&kept)?;
        text.push(b'\n');
        match files::write(self.place(&task.fingerprint), text, false) {
            // Another program, beyond a file system without locks, was faster: it has the same result.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            done => done,
        }
    }
}
