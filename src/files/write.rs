//! Writes all files of the program.
//!
//! A file is first written under a temporary name in the same folder, synced, and then renamed;
//! finally the folder is synced. After any failure, the former content remains. A replaced file
//! keeps its mode, and a symbolic link is followed to its target. Devices and pipes are opened and
//! written directly.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::fs::{FlockOperation, flock};
use tempfile::{Builder, NamedTempFile};

use super::lines::Lines;
use crate::text;

/// Maximum number of links followed in succession.
const LINKS_MAX: usize = 40;
/// Extension of a draft's name.
const ENDING: &str = "part";
/// Random letters before the extension.
const RANDOM: usize = 6;
/// Maximum characters of a file's name within the name of its draft.
const NAME_MAX: usize = 60;

/// Writes a file. An existing file is an error ([`ErrorKind::AlreadyExists`]) unless `replace` is
/// true. Errors contain the file's name.
pub fn write(path: impl AsRef<Path>, content: impl AsRef<[u8]>, replace: bool) -> io::Result<()> {
    let mut draft = Draft::begin(path.as_ref(), replace)?;
    draft.write_all(content.as_ref())?;
    draft.keep().map(drop)
}

/// Refuses a file that [`write()`] cannot create or replace.
pub fn can_write(path: &Path, replace: bool) -> io::Result<()> {
    let is_device = fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    // A device is opened once.
    if is_device && replace { Ok(()) } else { Draft::begin(path, replace).map(drop) }
}

/// Creates a file that grows line by line under its final name, so that completed lines survive if
/// the program is killed; otherwise as [`write()`].
pub fn grow(path: impl AsRef<Path>, replace: bool) -> io::Result<Lines> {
    let path = path.as_ref();
    let file = Draft::begin(path, replace)?.keep()?;
    Lines::new(file).map_err(|error| named(path, &error))
}

/// Opens a file for appending, and creates a missing file. Errors contain the file's name.
pub fn append(path: &Path) -> io::Result<File> {
    let file = File::options().create(true).append(true).open(path);
    file.map_err(|error| named(path, &error))
}

/// Creates a folder and its parents. Errors contain the folder's name.
pub fn make_folder(path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() {
        return Ok(());
    }
    fs::create_dir_all(path).map_err(|error| named(path, &error))
}

/// Adds the file's name to an error.
pub fn named(path: &Path, error: &io::Error) -> io::Error {
    let name = text::line(&path.display().to_string());
    let exists = error.kind() == ErrorKind::AlreadyExists;
    let what = if exists { format!("`{name}` exists") } else { format!("{name}: {error}") };
    io::Error::new(error.kind(), what)
}

/// Removes a file. Errors contain the file's name.
pub fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path).map_err(|error| named(path, &error))
}

/// Removes the drafts of ended programs from a folder. A program locks its draft while writing; on
/// a file system without locks, all drafts are kept.
pub fn clear_drafts(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| entry.ok().map(|it| it.path())) {
        let is_draft = path.file_name().and_then(OsStr::to_str).is_some_and(is_draft);
        if is_draft && fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
            let Ok(file) = File::options().read(true).write(true).open(&path) else { continue };
            if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
                // A draft that cannot be removed is kept.
                let _ = fs::remove_file(&path);
            }
        }
    }
}

/// True for the name of a draft: a file's name, random letters, and the extension.
fn is_draft(name: &str) -> bool {
    let parts: Vec<&str> = name.rsplitn(3, '.').collect();
    let [ending, random, file] = parts[..] else { return false };
    let is_random = random.len() == RANDOM && random.bytes().all(|it| it.is_ascii_alphanumeric());
    ending == ENDING && is_random && file.contains('.')
}

/// A file under a temporary name, removed on drop unless kept by [`Self::keep`].
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    to: Place,
    _counted: Counted,
}

/// Number of drafts not yet renamed.
static DRAFTS: AtomicUsize = AtomicUsize::new(0);

/// True if an immediate end of the program would lose a draft.
pub fn are_drafted() -> bool {
    DRAFTS.load(Ordering::Relaxed) > 0
}

/// Counts a draft until dropped.
#[derive(Debug)]
struct Counted;

impl Counted {
    fn begin() -> Self {
        DRAFTS.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        DRAFTS.fetch_sub(1, Ordering::Relaxed);
    }
}

#[derive(Debug)]
enum Place {
    /// A temporary file in the same folder as the target.
    Beside { file: NamedTempFile, target: PathBuf, replace: bool },
    /// A device or pipe, which cannot be replaced.
    Device(File),
}

impl Draft {
    /// Starts a draft; see [`write()`].
    pub fn begin(path: &Path, replace: bool) -> io::Result<Self> {
        let counted = Counted::begin();
        let to = Self::place(path, replace).map_err(|error| named(path, &error))?;
        Ok(Self { path: path.to_path_buf(), to, _counted: counted })
    }

    fn place(path: &Path, replace: bool) -> io::Result<Place> {
        if !replace && fs::symlink_metadata(path).is_ok() {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let target = target(path)?;
        let found = fs::metadata(&target).ok();
        match &found {
            Some(found) if found.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Some(found) if !found.is_file() => {
                return Ok(Place::Device(OpenOptions::new().write(true).open(&target)?));
            }
            _ => {}
        }
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let prefix: String = name.chars().take(NAME_MAX).chain(['.']).collect();
        // A new file gets its mode from the umask; a replaced file may be confidential.
        let mode = if found.is_some() { 0o600 } else { 0o666 };
        let file = loop {
            let mut builder = Builder::new();
            let suffix = format!(".{ENDING}");
            let draft = builder.prefix(&prefix).suffix(&suffix).rand_bytes(RANDOM);
            let file = draft.make_in(folder_of(&target), |path| {
                OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
            })?;
            let _ = flock(file.as_file(), FlockOperation::LockExclusive);
            // A draft removed before locking is created again.
            if file.path().exists() {
                break file;
            }
        };
        if let Some(found) = found {
            file.as_file().set_permissions(found.permissions())?;
        }
        Ok(Place::Beside { file, target, replace })
    }

    /// Renames the draft to its final name.
    pub fn keep(self) -> io::Result<File> {
        let kept = match self.to {
            Place::Device(file) => Ok(file),
            Place::Beside { file, target, replace } => file.as_file().sync_all().and_then(|()| {
                let kept =
                    if replace { file.persist(&target) } else { file.persist_noclobber(&target) };
                let file = kept.map_err(|unkept| unkept.error)?;
                let _ = flock(&file, FlockOperation::Unlock);
                sync_folder(folder_of(&target))?;
                Ok(file)
            }),
        };
        kept.map_err(|error| named(&self.path, &error))
    }

    fn file(&mut self) -> &mut File {
        match &mut self.to {
            Place::Beside { file, .. } => file.as_file_mut(),
            Place::Device(file) => file,
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes).map_err(|error| {
            let again = error.kind() == ErrorKind::Interrupted;
            if again { error } else { named(&self.path, &error) }
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush().map_err(|error| named(&self.path, &error))
    }
}

/// Target of a chain of links, existing or not.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut at = path.to_path_buf();
    for _ in 0..LINKS_MAX {
        match fs::read_link(&at) {
            Ok(link) => at = folder_of(&at).join(link),
            Err(_) => return Ok(at),
        }
    }
    Err(io::Error::other("too many symbolic links in succession"))
}

/// Syncs a new name in a folder to the disk, if supported by the file system.
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // A folder may be writable without being readable.
        Err(error)
            if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::PermissionDenied) =>
        {
            Ok(())
        }
        synced => synced,
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Confines the output files of a third-party script to a folder.
#[derive(Clone, Default, Debug)]
pub struct Fence {
    /// The folder; empty for the current directory.
    pub folder: PathBuf,
}

/// Reason for not writing a file within a fence.
#[derive(Debug)]
pub enum Refused {
    Outside,
    /// The file's name contains a control character.
    Control,
    Exists(io::Error),
    /// Input or output failed.
    Io(io::Error),
}

impl Fence {
    /// True if a name, judged by its text alone, refers to a file below the folder.
    pub fn admits(name: &str) -> bool {
        let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        let path = Path::new(name);
        path.components().all(inside) && path.file_name().is_some() && !name.ends_with('/')
    }

    /// True if a name can be displayed: contains no control characters.
    pub fn can_show(name: &str) -> bool {
        !name.chars().any(char::is_control)
    }

    /// Writes a file below the folder, and creates missing folders.
    pub fn write(
        &self,
        name: &str,
        content: impl AsRef<[u8]>,
        replace: bool,
    ) -> Result<(), Refused> {
        let path = self.folder.join(name);
        if !Self::admits(name) || path.is_symlink() {
            return Err(Refused::Outside);
        }
        if !Self::can_show(name) {
            return Err(Refused::Control);
        }
        make_folder(&self.folder).map_err(Refused::Io)?;
        let real = |path: &Path| {
            let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
            fs::canonicalize(path).map_err(|error| Refused::Io(named(path, &error)))
        };
        // An intermediate folder may be a link to a folder outside.
        let there = path.ancestors().skip(1).find(|above| above.exists());
        if !real(there.unwrap_or(&self.folder))?.starts_with(real(&self.folder)?) {
            return Err(Refused::Outside);
        }
        make_folder(folder_of(&path)).map_err(Refused::Io)?;
        write(&path, content, replace).map_err(|error| {
            let exists = error.kind() == ErrorKind::AlreadyExists;
            if exists { Refused::Exists(error) } else { Refused::Io(error) }
        })
    }
}

#[cfg(test)]
mod tests;
