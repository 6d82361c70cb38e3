//! Results kept between runs: one JSON object per line, by the fingerprint of what was run.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Replication;
use crate::files::named as at;

/// A line of the file.
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

/// The results kept so far, and the file that they are in.
#[derive(Debug)]
pub struct Store {
    known: BTreeMap<String, Vec<Replication>>,
    file: File,
}

impl Store {
    /// Opens the file, or begins it. What stands behind its last line end was cut off when the
    /// program was killed, and is dropped.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written, or a line is no result (with file, line and column).
    pub fn open(path: &Path) -> io::Result<Self> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text.map_err(|error| at(path, &error))?,
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut known = BTreeMap::new();
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
            known.insert(entry.point, entry.replications);
        }
        let open = || {
            let file = OpenOptions::new().create(true).append(true).open(path)?;
            if whole < text.len() {
                file.set_len(whole as u64)?;
            }
            Ok(file)
        };
        Ok(Self { known, file: open().map_err(|error: io::Error| at(path, &error))? })
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
        self.file.write_all(&line)?;
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
