//! Finds, reads and writes scenarios and sessions: standard input, files, built-in scenarios.

mod fabric;
mod folder;
mod lines;
mod write;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::network_files::{self, DelayUnit, FILE_MAX, Mistake};
use crate::scenario::{self, Override, Place, Problem, Scenario, builtin};
use crate::session::saved::{self, Saved};
pub use fabric::{apart, is_network};
pub use folder::Folder;
pub use lines::Lines;
pub use write::{
    Draft, Fence, Refused, append, are_drafted, can_write, clear_drafts, grow, make_folder, named,
    remove, write,
};

/// Maximum size of a text, in bytes: 8 MiB.
pub const TEXT_MAX: usize = 8 << 20;

/// Maximum size of a table outside of scenarios, in bytes: 1 GiB.
const TABLE_MAX: usize = 1 << 30;

/// Name of standard input in messages.
const STDIN: &str = "standard input";

/// Maximum number of directory entries examined for a suggestion.
const ENTRIES_MAX: usize = 1000;

/// Reads and checks a scenario; see [`read`] for the name. Returns all problems in case of errors.
pub fn open(name: &str, overrides: &[Override]) -> Result<Scenario, Vec<Problem>> {
    checked(name, read_for(name, overrides).map_err(|problem| vec![problem])?, overrides)
}

/// Checks a scenario read under `name`.
fn checked(
    name: &str,
    (source, text): (String, String),
    overrides: &[Override],
) -> Result<Scenario, Vec<Problem>> {
    let mut scenario = scenario::parse_with(&source, &text, overrides, &network_reader(name))?;
    // The file named by the user, if any.
    let file = (name != "-" && Path::new(name).is_file()).then(|| name.to_owned());
    if file.is_some() && is_network(name) {
        scenario.notes.extend(fabric::remark(&text).map(|remark| format!("{name}: {remark}")));
    }
    Ok(Scenario { file, ..scenario })
}

/// A reader of files named in a scenario: paths are relative to the folder of the file `scenario`, or to
/// the current folder for a built-in scenario.
pub fn network_reader(scenario: &str) -> Folder {
    let file = Some(Path::new(scenario)).filter(|path| path.is_file());
    file.map_or_else(|| Folder(PathBuf::new()), beside)
}

/// A reader of files named in a scenario that is or will be the file `scenario`.
pub fn beside(scenario: &Path) -> Folder {
    Folder(scenario.parent().unwrap_or(Path::new("")).to_owned())
}

/// Reads a file of at most `most` bytes completely.
fn bytes(path: &Path, most: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let limit = most as u64 + 1;
    let read = File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes));
    match read {
        Ok(_) if bytes.len() > most => Err(format!("it has more than {most} bytes")),
        Ok(_) => Ok(bytes),
        Err(error) => Err(error.to_string()),
    }
}

/// Reads a table of routes or pairs of a network, in UTF-8 or UTF-16, by `read`. Problems have the
/// name of the file.
pub fn network_table<T>(
    name: &str,
    read: impl FnOnce(&str) -> Result<T, Vec<Mistake>>,
) -> Result<T, Vec<Problem>> {
    let bytes = bytes(Path::new(name), TABLE_MAX)
        .map_err(|why| vec![problem(name, format!("this cannot be read: {why}"), None)])?;
    let text = network_files::decoded(&bytes, TABLE_MAX).map_err(|mistake| vec![mistake]);
    text.and_then(|text| read(&text)).map_err(|mistakes| {
        mistakes.into_iter().map(|mistake| scenario::problem_of_file(name, mistake)).collect()
    })
}

/// Reads the network of a file, or the text of standard input (`-`); problems have its name.
pub fn network(name: &str) -> Result<network_files::Draft, Vec<Problem>> {
    network_in(name, None)
}

/// Reads a network as [`network`] does, with the delays of links in another unit.
pub fn network_in(
    name: &str,
    unit: Option<DelayUnit>,
) -> Result<network_files::Draft, Vec<Problem>> {
    network_by(name, |bytes| network_files::read_in(name, bytes, unit))
}

/// Reads a network as [`network`] does, in which some routers may have no path to others.
pub fn network_in_parts(name: &str) -> Result<network_files::Draft, Vec<Problem>> {
    network_by(name, |bytes| network_files::read_in_parts(name, bytes))
}

fn network_by(
    name: &str,
    read: impl FnOnce(&[u8]) -> Result<network_files::Draft, Vec<Mistake>>,
) -> Result<network_files::Draft, Vec<Problem>> {
    let found = if name == "-" {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().take(FILE_MAX as u64 + 1).read_to_end(&mut bytes);
        read.map(|_| bytes).map_err(|error| error.to_string())
    } else {
        bytes(Path::new(name), FILE_MAX)
    };
    let bytes =
        found.map_err(|why| vec![problem(name, format!("this cannot be read: {why}"), None)])?;
    read(&bytes).map_err(|mistakes| {
        mistakes.into_iter().map(|mistake| scenario::problem_of_file(name, mistake)).collect()
    })
}

/// A parsed file.
#[derive(Clone, Debug)]
pub enum ParsedFile {
    Scenario(Box<Scenario>),
    Session(Box<Saved>),
}

/// Reads and checks a scenario or a saved session. A session takes no overrides, since its journal
/// is valid only for its own scenario.
pub fn open_any(name: &str, overrides: &[Override]) -> Result<ParsedFile, Vec<Problem>> {
    let (source, text) = read_for(name, overrides).map_err(|problem| vec![problem])?;
    if !scenario::is_session(&text) {
        let scenario = checked(name, (source, text), overrides)?;
        return Ok(ParsedFile::Scenario(Box::new(scenario)));
    }
    if let Some(given) = overrides.first() {
        let what = format!("a saved session cannot be changed by `{}`", given.label);
        let help = "remove the option, or change the session's file".to_owned();
        return Err(vec![problem(&source, what, Some(help))]);
    }
    Ok(ParsedFile::Session(Box::new(saved::parse_with(&source, &text, &network_reader(name))?)))
}

/// Reads the text of a scenario or a study, and returns a display name and the text. `-` is
/// standard input; an existing path is read, and a network file becomes a scenario; any other name
/// must be built in, with or without `.ron`.
pub fn read(name: &str) -> Result<(String, String), Problem> {
    read_for(name, &[])
}

/// Reads a text as [`read`] does; the scenario of a network file has the routing of the overrides, if
/// they set one.
fn read_for(name: &str, overrides: &[Override]) -> Result<(String, String), Problem> {
    if name == "-" {
        return Ok((STDIN.into(), text(STDIN, io::stdin().lock())?));
    }
    let found = fs::metadata(name);
    let file = found.as_ref().is_ok_and(|metadata| !metadata.is_dir());
    if !file && let Some(builtin) = builtin::find(name) {
        return Ok((builtin.name.into(), builtin.text.into()));
    }
    if !file && let Some((path, text)) = builtin::study(name) {
        return Ok((path, text.into()));
    }
    match found {
        Ok(metadata) if metadata.is_dir() => {
            let help = "name a file in the directory";
            Err(problem(name, "this is a directory, not a scenario", Some(help.into())))
        }
        Ok(_) if is_network(name) => {
            let mut set = overrides.iter().rev().filter(|one| one.path == "routing");
            Ok((name.into(), fabric::text(name, set.next().map(|one| one.value.as_str()))))
        }
        Ok(_) => {
            let file = File::open(name).map_err(|error| unreadable(name, &error))?;
            Ok((name.into(), text(name, file)?))
        }
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            let what = "there is no such file and no such built-in scenario";
            let help = match builtin::suggest(name).map(String::from).or_else(|| near_file(name)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`flitscope scenarios` lists the built-in scenarios".into(),
            };
            Err(problem(name, what, Some(help)))
        }
        Err(error) => Err(unreadable(name, &error)),
    }
}

/// Reads a possibly empty file.
pub fn read_file(path: impl AsRef<Path>) -> Result<String, Problem> {
    let name = path.as_ref().display().to_string();
    let file = File::open(path).map_err(|error| unreadable(&name, &error))?;
    any_text(&name, file)
}

/// The first bytes of a file, as lossy text; empty if the file is unreadable.
pub fn beginning(path: impl AsRef<Path>, bytes: usize) -> String {
    let mut text = Vec::new();
    let read = File::open(path).and_then(|file| file.take(bytes as u64).read_to_end(&mut text));
    read.map(|_| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default()
}

/// Reads a key script, and returns a display name and the text; `-` is standard input.
pub fn read_script(name: &str) -> Result<(String, String), Problem> {
    if name == "-" {
        return Ok((STDIN.into(), any_text(STDIN, io::stdin().lock())?));
    }
    Ok((name.into(), read_file(name)?))
}

/// Reads a source completely; an empty source is an error.
fn text(source: &str, from: impl Read) -> Result<String, Problem> {
    let text = any_text(source, from)?;
    if text.is_empty() {
        let help = "`flitscope scenarios mesh-8x8` prints a scenario to start from";
        let place = Some(Place { line: 1, column: 1, length: 1, text: String::new() });
        return Err(Problem { place, ..problem(source, "this is empty", Some(help.into())) });
    }
    Ok(text)
}

/// Reads a source completely; a source that is too large or not text is an error.
fn any_text(source: &str, from: impl Read) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    let limit = TEXT_MAX as u64 + 1;
    from.take(limit).read_to_end(&mut bytes).map_err(|error| unreadable(source, &error))?;
    if bytes.len() > TEXT_MAX {
        let what = format!("this is larger than the limit of {TEXT_MAX} bytes");
        return Err(problem(source, what, None));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = bytes[..valid].split(|&byte| byte == b'\n').count();
        let byte = bytes[valid];
        let what = format!("byte {valid} (line {line}), {byte:#04x}, is not UTF-8 text");
        problem(source, what, Some("save the file as UTF-8".into()))
    })
}

fn unreadable(source: &str, error: &io::Error) -> Problem {
    problem(source, format!("this cannot be read: {error}"), None)
}

fn problem(source: &str, what: impl Into<String>, help: Option<String>) -> Problem {
    Problem { source: source.into(), place: None, what: what.into(), help }
}

/// Finds a scenario or network file with a similar name in the same directory.
fn near_file(name: &str) -> Option<String> {
    let path = Path::new(name);
    let wanted = path.file_name()?.to_str()?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let entries = fs::read_dir(parent.unwrap_or(Path::new("."))).ok()?;
    let names: Vec<String> = entries
        .take(ENTRIES_MAX)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| {
            let kind = Path::new(name).extension().and_then(OsStr::to_str).unwrap_or_default();
            kind == "ron" || network_files::has_extension(kind)
        })
        .collect();
    let near = scenario::nearest(wanted, names.iter().map(String::as_str))?;
    let near = parent.map_or(near.into(), |parent| parent.join(near));
    Some(near.display().to_string())
}

#[cfg(test)]
mod tests;
