//! Leases: which program runs which points of a folder, on however many machines, so that each point is
//! run by one of them.
//!
//! A lease is a file, made exclusively, that says host, process and time. Its owner renews it by
//! touching it. One that has not been renewed for [`TIMEOUT`] is taken over; so is at once one of this
//! host whose lock the system has given back, since then its owner is gone, however it ended. Should
//! two programs run a point all the same, both come to the same result, and the first one stays.

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

/// How long a lease counts that is not renewed.
pub const TIMEOUT: Duration = Duration::from_secs(300);
/// How often a lease is renewed in that time.
const RENEWALS: u32 = 5;
/// The ending of a lease's name.
const ENDING: &str = "lease";
/// That of one that is being removed.
const ASIDE: &str = "gone";

/// Who runs a point, as its lease says it.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Owner {
    pub host: String,
    pub process: u32,
    /// When it took the point, in seconds since 1970.
    pub since: u64,
}

impl Owner {
    fn here() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        Self { host: host(), process: std::process::id(), since }
    }

    /// True if it is this program.
    pub fn is_here(&self) -> bool {
        self.process == std::process::id() && self.host == host()
    }

    /// Which program that is, for people.
    pub fn name(&self) -> String {
        format!("process {} on {}", self.process, self.host)
    }
}

/// A lease of whatever program.
#[derive(Clone, Debug)]
pub struct Lease {
    /// The fingerprint of the point.
    pub point: String,
    pub owner: Owner,
    /// How long ago it was renewed, by the clock of the file system.
    pub age: Duration,
    /// True if it counts no longer.
    pub gone: bool,
}

/// What came of asking for a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Taken {
    /// It is this program's to run.
    Mine,
    /// This one has it.
    Held(String),
}

/// The leases of a folder, and those of them that are this program's. They are given back when this is
/// dropped.
#[derive(Debug)]
pub struct Leases {
    timeout: Duration,
    own: Arc<Own>,
}

/// The leases of a folder that are this program's.
#[derive(Debug)]
struct Own {
    folder: PathBuf,
    files: Mutex<BTreeMap<String, File>>,
}

static ALL: Mutex<Vec<Weak<Own>>> = Mutex::new(Vec::new());

/// Gives back all points of this program, which ends now without dropping its [`Leases`].
pub fn give_all_back() {
    let all = std::mem::take(&mut *all());
    for own in all.iter().filter_map(Weak::upgrade) {
        let mut files = own.files();
        own.give_all_back(&mut files);
        // No thread takes another point until the program has ended.
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
        // One that was taken over is somebody else's.
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

    /// Removes the folder, if nobody has a lease.
    fn remove_folder(&self) {
        let _ = fs::remove_dir(&self.folder);
    }
}

impl Leases {
    /// Those in a folder, which is made when it is needed. They count for `timeout` without being
    /// renewed.
    pub fn of(folder: PathBuf, timeout: Duration) -> Self {
        let own = Arc::new(Own { folder, files: Mutex::default() });
        let mut all = all();
        all.retain(|it| it.strong_count() > 0);
        all.push(Arc::downgrade(&own));
        Self { timeout, own }
    }

    /// How often leases are to be renewed.
    pub fn period(&self) -> Duration {
        self.timeout / RENEWALS
    }

    /// Asks for a point.
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
                // The last one that had points here has cleared up.
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
                // It has just been given back.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Makes a lease, if there is none. It says nothing before it is locked.
    fn make(path: &Path) -> io::Result<File> {
        let mut file = File::options().write(true).create_new(true).open(path)?;
        // Where a file system knows no locks, time alone tells that an owner is gone.
        let _ = flock(&file, FlockOperation::NonBlockingLockExclusive);
        let said = file.write_all(&serde_json::to_vec(&Owner::here())?);
        said.inspect_err(|_| drop(fs::remove_file(path)))?;
        Ok(file)
    }

    /// A lease, and its file.
    fn look(&self, path: &Path) -> io::Result<(Lease, File)> {
        let opened = File::options().read(true).write(true).open(path);
        let opened = opened.or_else(|_| File::open(path));
        let file = opened.map_err(|error| named(path, &error))?;
        let renewed = file.metadata().and_then(|found| found.modified());
        let renewed = renewed.map_err(|error| named(path, &error))?;
        let age = self.now().duration_since(renewed).unwrap_or_default();
        // One that is just being made says nothing yet.
        let owner: Option<Owner> = serde_json::from_reader(&file).ok();
        let here = owner.as_ref().is_some_and(|owner| owner.host == host());
        let gone = age > self.timeout
            || here && flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok();
        let unknown = || Owner { host: "an unknown host".to_owned(), process: 0, since: 0 };
        let point = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok((Lease { point, owner: owner.unwrap_or_else(unknown), age, gone }, file))
    }

    /// The time by the clock that stamps the files: machines with one folder may differ in theirs.
    fn now(&self) -> SystemTime {
        let stamp =
            tempfile::tempfile_in(&self.own.folder).and_then(|file| file.metadata()?.modified());
        // Who may only read asks his own.
        stamp.unwrap_or_else(|_| SystemTime::now())
    }

    /// Renews this program's leases.
    pub fn renew(&self) {
        let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
        for file in self.own.files().values() {
            // One that cannot be renewed is taken over, and its point run twice.
            let _ = futimens(file, &Timestamps { last_access: now, last_modification: now });
        }
    }

    /// Gives a point back, whether it was run or not.
    pub fn give_back(&self, point: &str) {
        let file = self.own.files().remove(point);
        if let Some(file) = file {
            self.own.remove(point, &file);
        }
    }

    /// All leases that there are, by their points.
    pub fn all(&self) -> io::Result<Vec<Lease>> {
        let mut leases = Vec::new();
        self.visit(ENDING, |_, lease, _| leases.push(lease))?;
        leases.sort_by(|one, two| one.point.cmp(&two.point));
        Ok(leases)
    }

    /// Looks at the leases of the folder with this ending, one after the other: a file is open, and may
    /// be locked, for as long as it is looked at.
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

    /// Removes the leases that are gone, as far as that is possible, and the folder where none is left: one that was killed between keeping
    /// its results and giving the point back leaves a lease that nobody asks for again.
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

/// True if this file has this name.
fn is_at(path: &Path, file: &File) -> bool {
    let found = fs::symlink_metadata(path).and_then(|there| Ok(same(&there, &file.metadata()?)));
    found.unwrap_or(false)
}

/// Removes a lease that is `gone`, unless another has taken it over in the meantime.
fn clear(path: &Path, gone: &File) -> io::Result<()> {
    let owner = Owner::here();
    let thread = std::thread::current().id();
    let aside = path.with_extension(format!("{}.{}.{thread:?}.{ASIDE}", owner.host, owner.process));
    match fs::rename(path, &aside) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        renamed => renamed.map_err(|error| named(path, &error))?,
    }
    if !is_at(&aside, gone) {
        // It was new: it gets its name back.
        let _ = fs::hard_link(&aside, path);
    }
    fs::remove_file(&aside).map_err(|error| named(&aside, &error))
}

/// What this machine is called.
pub fn host() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname")
        .or_else(|_| fs::read_to_string("/etc/hostname"));
    host.map_or_else(|_| "this host".to_owned(), |host| host.trim().to_owned())
}

#[cfg(test)]
mod tests;
