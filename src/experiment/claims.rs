//! Who runs which points of a folder: of two programs at work in it, none runs the other's.
//!
//! A program's claim is a file beside the results, locked for as long as the program lives; it says
//! the host, the process and the time, and which points. The system gives the lock back when its
//! owner is gone, however it ended; the next program removes the file and takes the points.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::files::named as at;

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

/// Locks a file, or gives the lock back; waits for others.
pub(super) fn lock(file: &File, how: FlockOperation) -> io::Result<()> {
    match flock(file, how) {
        // Where a file system knows no locks, results may be made twice, but none is lost.
        Ok(()) | Err(Errno::NOTSUP | Errno::NOLCK | Errno::NOSYS) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Claims those of `free` that no other program at work has claimed; returns the claim, those points,
/// and what others have of them. The caller holds the lock of the results.
pub(super) fn claim(
    folder: &Path,
    mut free: BTreeSet<String>,
) -> io::Result<(Option<NamedTempFile>, BTreeSet<String>, Vec<Held>)> {
    let mut held = Vec::new();
    for claim in others(folder)? {
        let points = claim.points.intersection(&free).count();
        let by = format!("process {} on {}", claim.process, claim.host);
        held.extend((points > 0).then_some(Held { points, by }));
        free.retain(|point| !claim.points.contains(point));
    }
    let own = if free.is_empty() { None } else { Some(take(folder, free.clone())?) };
    Ok((own, free, held))
}

/// The claims in a folder of programs that are at work. Claims whose owners are gone are removed.
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
    let claim = Claim { host: host(), process: std::process::id(), since, points };
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

/// What this machine is called.
pub(super) fn host() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname")
        .or_else(|_| fs::read_to_string("/etc/hostname"));
    host.map_or_else(|_| "this host".to_owned(), |host| host.trim().to_owned())
}
