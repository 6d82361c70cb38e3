//! Results kept between runs: one JSON object per line, by the fingerprint of what was run; and who
//! runs which points of a folder: of two programs at work in it, none runs the other's.
//!
//! A program's claim is a file beside the results, locked for as long as the program lives; it says
//! the host, the process and the time, and which points. The system gives the lock back when its
//! owner is gone, however it ended; the next program removes the file and takes the points.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::Replication;
use crate::files::named as at;

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

/// Points that another program at work has claimed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    /// How many.
    pub points: usize,
    /// Which program, for people.
    pub by: String,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
struct Claim {
    host: String,
    process: u32,
    /// Seconds since 1970.
    since: u64,
    /// The fingerprints of the points.
    points: BTreeSet<String>,
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
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|error| at(path, &error))?;
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

    /// Claims those of `points` that have no result yet and that no other program at work has
    /// claimed, in place of what was claimed before; returns them, and what others have of the
    /// points.
    pub fn claim(
        &mut self,
        points: &BTreeSet<String>,
    ) -> io::Result<(BTreeSet<String>, Vec<Held>)> {
        self.alone(|store| {
            store.claim = None;
            store.read()?;
            let folder = store.path.parent().unwrap_or(Path::new("."));
            let mut free: BTreeSet<String> =
                points.iter().filter(|point| !store.known.contains_key(*point)).cloned().collect();
            let mut held = Vec::new();
            for claim in others(folder)? {
                let points = claim.points.intersection(&free).count();
                let by = format!("process {} on {}", claim.process, claim.host);
                held.extend((points > 0).then_some(Held { points, by }));
                free.retain(|point| !claim.points.contains(point));
            }
            if !free.is_empty() {
                store.claim = Some(take(folder, free.clone())?);
            }
            Ok((free, held))
        })
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

/// Locks a file, or gives the lock back; waits for others.
fn lock(file: &File, how: FlockOperation) -> io::Result<()> {
    match flock(file, how) {
        // Where a file system knows no locks, results may be made twice, but none is lost.
        Ok(()) | Err(Errno::NOTSUP | Errno::NOLCK | Errno::NOSYS) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The claims in a folder of programs that are at work. Claims whose owners are gone are removed.
/// The caller holds the lock of the results.
fn others(folder: &Path) -> io::Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| at(folder, &error))? {
        let path = entry?.path();
        if path.extension() != Some(OsStr::new("claim")) {
            continue;
        }
        let Ok(file) = File::options().read(true).write(true).open(&path) else { continue };
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => fs::remove_file(&path).map_err(|error| at(&path, &error))?,
            Err(Errno::WOULDBLOCK) => {
                // One that is just being given up may be half gone.
                claims.extend(serde_json::from_reader::<_, Claim>(file).ok());
            }
            Err(error) => return Err(at(&path, &error.into())),
        }
    }
    Ok(claims)
}

/// Claims points. Dropping the file gives them up.
fn take(folder: &Path, points: BTreeSet<String>) -> io::Result<NamedTempFile> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let host = fs::read_to_string("/proc/sys/kernel/hostname")
        .or_else(|_| fs::read_to_string("/etc/hostname"));
    let host = host.map_or_else(|_| "this host".to_owned(), |host| host.trim().to_owned());
    let claim = Claim { host, process: std::process::id(), since, points };
    let made = || -> io::Result<NamedTempFile> {
        let mut file = tempfile::Builder::new()
            .prefix("results.")
            .suffix(".claim")
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)?;
        lock(file.as_file(), FlockOperation::LockExclusive)?;
        file.write_all(&serde_json::to_vec(&claim)?)?;
        Ok(file)
    };
    made().map_err(|error| at(folder, &error))
}
