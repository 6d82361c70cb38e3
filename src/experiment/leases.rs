//! Assigns the points of a folder to programs by leases.
//!
//! Programs may run on several machines; each point is run once.
//!
//! A lease is a file, created exclusively, with host, process and time. Its owner renews the lease
//! by touching the file. Leases not renewed within [`TIMEOUT`] may be taken over; a lease of this
//! host may be taken over at once if its lock is free, because the owner must have ended. If two
//! programs run the same point nevertheless, both get the same result, and the first file is kept.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{FlockOperation, Timespec, Timestamps, UTIME_NOW, flock, futimens};
use serde::{Deserialize, Serialize};

use crate::files::{make_folder, named};

/// Lifetime of a lease without renewal.
pub const TIMEOUT: Duration = Duration::from_secs(300);
/// Number of renewals within the lifetime.
const RENEWALS: u32 = 5;
/// The file extension of leases.
const ENDING: &str = "lease";
/// The file extension of leases being removed.
const ASIDE: &str = "gone";

/// The owner of a point, as recorded in the lease.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Owner {
    pub host: String,
    pub process: u32,
    /// Acquisition time, in seconds since 1970.
    pub since: u64,
}

impl Owner {
    fn here() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        Self { host: host(), process: std::process::id(), since }
    }

    /// True for this program.
    pub fn is_here(&self) -> bool {
        self.process == std::process::id() && self.host == host()
    }

    /// The owner's name for people.
    pub fn name(&self) -> String {
        format!("process {} on {}", self.process, self.host)
    }
}

/// A lease of any program.
#[derive(Clone, Debug)]
pub struct Lease {
    /// The fingerprint of the point.
    pub point: String,
    pub owner: Owner,
    /// Time since the last renewal, by the clock of the file system.
    pub age: Duration,
    /// True if the lease is no longer valid.
    pub gone: bool,
}

/// The result of requesting a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Taken {
    /// The point is leased to this program.
    Mine,
    /// The point is leased to the named program.
    Held(String),
}

/// Access to the leases of a folder. This program's leases are released on drop.
#[derive(Debug)]
pub struct Leases {
    timeout: Duration,
    own: Arc<Own>,
}

/// This program's leases in a folder.
#[derive(Debug)]
struct Own {
    folder: PathBuf,
    files: Mutex<BTreeMap<String, File>>,
}

static ALL: Mutex<Vec<Weak<Own>>> = Mutex::new(Vec::new());

/// Releases all points of this program, for exits without dropping [`Leases`].
pub fn give_all_back() {
    let all = std::mem::take(&mut *all());
    for own in all.iter().filter_map(Weak::upgrade) {
        let mut files = own.files();
        own.give_all_back(&mut files);
        // Keeps the lock, so no thread takes another point before the exit.
        std::mem::forget(files);
    }
}

fn all() -> MutexGuard<'static, Vec<Weak<Own>>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Own {
    fn files(&self) -> MutexGuard<'_, BTreeMap<String, File>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self, point: &str) -> PathBuf {
        self.folder.join(format!("{point}.{ENDING}"))
    }

    fn remove(&self, point: &str, file: &File) {
        // A lease taken over belongs to another program.
        if is_at(&self.place(point), file) {
            let _ = fs::remove_file(self.place(point));
        }
    }

    fn give_all_back(&self, files: &mut BTreeMap<String, File>) {
        for (point, file) in std::mem::take(files) {
            self.remove(&point, &file);
        }
        self.remove_folder();
    }

    /// Removes the folder, if empty.
    fn remove_folder(&self) {
        let _ = fs::remove_dir(&self.folder);
    }
}

impl Leases {
    /// Leases in a folder, created on demand, with lifetime `timeout`.
    pub fn of(folder: PathBuf, timeout: Duration) -> Self {
        let own = Arc::new(Own { folder, files: Mutex::default() });
        let mut all = all();
        all.retain(|it| it.strong_count() > 0);
        all.push(Arc::downgrade(&own));
        Self { timeout, own }
    }

    /// The interval between renewals.
    pub fn period(&self) -> Duration {
        self.timeout / RENEWALS
    }

    /// Requests a point.
    pub fn take(&self, point: &str) -> io::Result<Taken> {
        let path = self.own.place(point);
        loop {
            let mut files = self.own.files();
            match Self::make(&path) {
                Ok(file) => {
                    files.insert(point.to_owned(), file);
                    return Ok(Taken::Mine);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                // The last program with leases has removed the folder.
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    make_folder(&self.own.folder)?;
                    continue;
                }
                Err(error) => return Err(named(&path, &error)),
            }
            drop(files);
            match self.look(&path) {
                Ok((lease, file)) if lease.gone => clear(&path, &file)?,
                Ok((lease, _)) => return Ok(Taken::Held(lease.owner.name())),
                // The lease has just been released.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Creates a lease unless one exists. The content is written only after locking.
    fn make(path: &Path) -> io::Result<File> {
        let mut file = File::options().write(true).create_new(true).open(path)?;
        // Only the age reveals dead owners if the file system has no locks.
        let _ = flock(&file, FlockOperation::NonBlockingLockExclusive);
        let said = file.write_all(&serde_json::to_vec(&Owner::here())?);
        said.inspect_err(|_| drop(fs::remove_file(path)))?;
        Ok(file)
    }

    /// Reads a lease, and opens its file.
    fn look(&self, path: &Path) -> io::Result<(Lease, File)> {
        let opened = File::options().read(true).write(true).open(path);
        let opened = opened.or_else(|_| File::open(path));
        let file = opened.map_err(|error| named(path, &error))?;
        let renewed = file.metadata().and_then(|found| found.modified());
        let renewed = renewed.map_err(|error| named(path, &error))?;
        let age = self.now().duration_since(renewed).unwrap_or_default();
        // A lease being created is still empty.
        let owner: Option<Owner> = serde_json::from_reader(&file).ok();
        let here = owner.as_ref().is_some_and(|owner| owner.host == host());
        let gone = age > self.timeout
            || here && flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok();
        let unknown = || Owner { host: "an unknown host".to_owned(), process: 0, since: 0 };
        let point = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok((Lease { point, owner: owner.unwrap_or_else(unknown), age, gone }, file))
    }

    /// The time by the clock of the file system: machines sharing a folder may disagree.
    fn now(&self) -> SystemTime {
        let stamp =
            tempfile::tempfile_in(&self.own.folder).and_then(|file| file.metadata()?.modified());
        // Without write access, the local clock is used.
        stamp.unwrap_or_else(|_| SystemTime::now())
    }

    /// Renews this program's leases.
    pub fn renew(&self) {
        let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
        for file in self.own.files().values() {
            // Failed renewals cause a takeover, and the point is run twice.
            let _ = futimens(file, &Timestamps { last_access: now, last_modification: now });
        }
    }

    /// Releases a point, whether run or not.
    pub fn give_back(&self, point: &str) {
        let file = self.own.files().remove(point);
        if let Some(file) = file {
            self.own.remove(point, &file);
        }
    }

    /// All existing leases, sorted by point.
    pub fn all(&self) -> io::Result<Vec<Lease>> {
        let mut leases = Vec::new();
        self.visit(ENDING, |_, lease, _| leases.push(lease))?;
        leases.sort_by(|one, two| one.point.cmp(&two.point));
        Ok(leases)
    }

    /// Visits the leases with this file extension, one after the other: each file is open, and
    /// possibly locked, during its visit.
    fn visit(&self, ending: &str, mut see: impl FnMut(&Path, Lease, File)) -> io::Result<()> {
        let entries = match fs::read_dir(&self.own.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(|error| named(&self.own.folder, &error))?,
        };
        for entry in entries {
            let path = entry?.path();
            if path.extension() == Some(OsStr::new(ending)) {
                match self.look(&path) {
                    Ok((lease, file)) => see(&path, lease, file),
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// Removes dead leases as far as possible, and the folder once empty. A program killed between
    /// storing its results and releasing the point leaves a lease never requested again.
    pub fn clear_up(&self) {
        let _ = self.visit(ENDING, |path, lease, file| {
            if lease.gone {
                let _ = clear(path, &file);
            }
        });
        let _ = self.visit(ASIDE, |path, lease, _| {
            if lease.gone {
                let _ = fs::remove_file(path);
            }
        });
        self.own.remove_folder();
    }
}

impl Drop for Leases {
    fn drop(&mut self) {
        self.own.give_all_back(&mut self.own.files());
    }
}

fn same(one: &Metadata, two: &Metadata) -> bool {
    (one.dev(), one.ino()) == (two.dev(), two.ino())
}

/// True if the file at `path` is this file.
fn is_at(path: &Path, file: &File) -> bool {
    let found = fs::symlink_metadata(path).and_then(|there| Ok(same(&there, &file.metadata()?)));
    found.unwrap_or(false)
}

/// Removes the dead lease `gone`, unless another program has taken the point over in the meantime.
fn clear(path: &Path, gone: &File) -> io::Result<()> {
    let owner = Owner::here();
    let thread = std::thread::current().id();
    let aside = path.with_extension(format!("{}.{}.{thread:?}.{ASIDE}", owner.host, owner.process));
    match fs::rename(path, &aside) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        renamed => renamed.map_err(|error| named(path, &error))?,
    }
    if !is_at(&aside, gone) {
        // A new lease was moved: restores its name.
        let _ = fs::hard_link(&aside, path);
    }
    fs::remove_file(&aside).map_err(|error| named(&aside, &error))
}

/// The host name of this machine.
pub fn host() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname")
        .or_else(|_| fs::read_to_string("/etc/hostname"));
    host.map_or_else(|_| "this host".to_owned(), |host| host.trim().to_owned())
}

#[cfg(test)]
mod tests;
