//! Results kept between runs: one JSON object per line, by the fingerprint of what was run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::Replication;
use crate::experiment::Outcome;
use crate::experiment::claims::{self, Held, lock};
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

/// The results kept so far, the file that they are in, and the points that this program has claimed.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    known: BTreeMap<String, Vec<Replication>>,
    file: File,
    claim: Option<NamedTempFile>,
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
        let mut store =
            Self { path: path.to_path_buf(), known: BTreeMap::new(), file, claim: None };
        store.alone(Self::read)?;
        Ok(store)
    }

    /// Does something while no other program reads or writes the file.
    fn alone<T>(&mut self, work: impl FnOnce(&mut Self) -> io::Result<T>) -> io::Result<T> {
        lock(&self.file, FlockOperation::LockExclusive).map_err(|error| at(&self.path, &error))?;
        let done = work(self);
        lock(&self.file, FlockOperation::Unlock).map_err(|error| at(&self.path, &error))?;
        done
    }

    fn read(&mut self) -> io::Result<()> {
        let path = &self.path;
        let text = fs::read_to_string(path).map_err(|error| at(path, &error))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        for (number, line) in text[..whole].lines().enumerate() {
            let entry: Entry = serde_json::from_str(line).map_err(|error| {
                let (line, column) = (number + 1, error.column());
                let what = format!(
                    "{}:{line}:{column}: this is no result ({error}); remove the line, and its \
                     point is run again",
                    path.display()
                );
                io::Error::new(io::ErrorKind::InvalidData, what)
            })?;
            self.known.insert(entry.point, entry.replications);
        }
        if whole < text.len() {
            self.file.set_len(whole as u64).map_err(|error| at(path, &error))?;
        }
        Ok(())
    }

    /// The result of the round of a point with this fingerprint.
    pub fn get(&self, point: &str) -> Option<&[Replication]> {
        self.known.get(point).map(Vec::as_slice)
    }

    /// Keeps a result, in the file too before this returns.
    pub fn add(
        &mut self,
        point: &str,
        (name, seed): (&str, u64),
        replications: &[Replication],
    ) -> io::Result<()> {
        let (point, name, replications) =
            (point.to_owned(), name.to_owned(), replications.to_owned());
        let entry = Entry { point, name, seed, replications };
        let mut line = serde_json::to_vec(&entry)?;
        line.push(b'\n');
        // One write, so that two programs with one file do not mix their lines.
        self.alone(|store| store.file.write_all(&line).map_err(|error| at(&store.path, &error)))?;
        self.known.insert(entry.point, entry.replications);
        Ok(())
    }

    /// Results kept.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

impl Keeper for Store {
    fn claim(&mut self, points: &BTreeSet<String>) -> io::Result<(BTreeSet<String>, Vec<Held>)> {
        self.alone(|store| {
            store.claim = None;
            store.read()?;
            let folder = store.path.parent().unwrap_or(Path::new("."));
            let free = points.iter().filter(|point| !store.known.contains_key(*point));
            let (claim, mine, held) = claims::claim(folder, free.cloned().collect())?;
            store.claim = claim;
            Ok((mine, held))
        })
    }

    fn keep(&mut self, task: &Task, outcomes: &[Outcome]) -> io::Result<()> {
        let replications: Vec<Replication> = outcomes.iter().map(Replication::from).collect();
        self.add(&task.fingerprint, (&task.name, task.job.scenario.seed), &replications)
    }
}
