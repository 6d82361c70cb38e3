//! Results kept between runs: one JSON object per line, by the fingerprint of what was run.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::FlockOperation;
use serde::{Deserialize, Serialize};

use super::Replication;
use crate::experiment::Outcome;
use crate::experiment::leases::{Leases, TIMEOUT, lock};
use crate::experiment::points::{Keeper, Task};
use crate::files::{self, named as at};

#[derive(Serialize, Deserialize)]
struct Entry {
    /// The fingerprint of the point's round.
    point: String,
    /// What was run, for people.
    name: String,
    /// The seed of all its replications.
    seed: u64,
    replications: Vec<Replication>,
}

/// The results kept so far, the file that they are in, and which points this program is at.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
    known: Mutex<Known>,
    leases: Leases,
}

/// What has been read of the file.
#[derive(Default, Debug)]
struct Known {
    results: BTreeMap<String, Vec<Replication>>,
    /// Bytes and lines.
    read: (usize, usize),
}

impl Store {
    /// Opens the file, or begins it. What stands behind its last line end was cut off when the
    /// program was killed, and is dropped.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written, or a line is no result (with file, line and column).
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = files::append(path)?;
        let leases = Leases::of(path.parent().unwrap_or(Path::new(".")).join("claims"), TIMEOUT);
        let store = Self { path: path.to_path_buf(), file, known: Mutex::default(), leases };
        store.alone(|known| store.read(known))?;
        Ok(store)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something while nobody else reads or writes the file.
    fn alone<T>(&self, work: impl FnOnce(&mut Known) -> io::Result<T>) -> io::Result<T> {
        let mut known = self.known();
        lock(&self.file, FlockOperation::LockExclusive).map_err(|error| at(&self.path, &error))?;
        let done = work(&mut known);
        lock(&self.file, FlockOperation::Unlock).map_err(|error| at(&self.path, &error))?;
        done
    }

    /// Reads what has come to the file since it was read last.
    fn read(&self, known: &mut Known) -> io::Result<()> {
        let path = &self.path;
        let size = self.file.metadata().map_err(|error| at(path, &error))?.len();
        if size == known.read.0 as u64 {
            return Ok(());
        }
        let text = fs::read_to_string(path).map_err(|error| at(path, &error))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        for line in text.get(known.read.0..whole).unwrap_or_default().lines() {
            known.read.1 += 1;
            let entry: Entry = serde_json::from_str(line).map_err(|error| {
                let (line, column) = (known.read.1, error.column());
                let what = format!(
                    "{}:{line}:{column}: this is no result ({error}); remove the line, and its \
                     point is run again",
                    path.display()
                );
                io::Error::new(io::ErrorKind::InvalidData, what)
            })?;
            known.results.insert(entry.point, entry.replications);
        }
        known.read.0 = whole;
        if whole < text.len() {
            self.file.set_len(whole as u64).map_err(|error| at(path, &error))?;
        }
        Ok(())
    }

    /// The result of the round of a point with this fingerprint.
    pub fn get(&self, point: &str) -> Option<Vec<Replication>> {
        self.known().results.get(point).cloned()
    }

    /// Keeps a result, in the file too before this returns.
    pub fn add(
        &self,
        point: &str,
        (name, seed): (&str, u64),
        replications: &[Replication],
    ) -> io::Result<()> {
        let (point, name, replications) =
            (point.to_owned(), name.to_owned(), replications.to_owned());
        let entry = Entry { point, name, seed, replications };
        let mut line = serde_json::to_vec(&entry)?;
        line.push(b'\n');
        self.alone(|known| {
            // Behind whole lines alone: another program may have been killed in the middle of one.
            self.read(known)?;
            // One write, so that two programs with one file do not mix their lines.
            (&self.file).write_all(&line).map_err(|error| at(&self.path, &error))?;
            self.read(known)
        })
    }

    /// Results kept.
    pub fn len(&self) -> usize {
        self.known().results.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Keeper for Store {
    fn leases(&self) -> &Leases {
        &self.leases
    }

    fn has(&self, point: &str) -> io::Result<bool> {
        self.alone(|known| {
            self.read(known)?;
            Ok(known.results.contains_key(point))
        })
    }

    fn keep(&self, task: &Task, outcomes: &[Outcome]) -> io::Result<()> {
        let replications: Vec<Replication> = outcomes.iter().map(Replication::from).collect();
        self.add(&task.fingerprint, (&task.name, task.job.scenario.seed), &replications)
    }
}
