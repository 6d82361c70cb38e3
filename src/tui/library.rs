//! The library of the chooser: built-in scenarios, and files with their kinds.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use strum::IntoStaticStr;

use crate::experiment::sweep::{Folder, STUDY, is_study};
use crate::files::{self, ParsedFile};
use crate::recording;
use crate::scenario::{self, Problem, Scenario, builtin};
use crate::session::saved::Saved;

/// The kind of an entry, in the order of the list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    /// A field of the present scenario with another value, to compare with.
    Setting,
    /// A recently opened file, the last one first.
    Recent,
    /// A built-in scenario for beginners.
    #[strum(serialize = "start here")]
    Start,
    /// A scenario in a file, the newest one first.
    File,
    Session,
    /// A study: its folder (shown on the screen) or its file (run by `flitscope sweep`).
    Study,
    Film,
    Script,
    Folder,
    #[strum(serialize = "built in")]
    Builtin,
    #[strum(serialize = "deadlocks")]
    Hang,
    Paper,
}

impl Kind {
    /// The heading of a group.
    pub fn heading(self) -> &'static str {
        self.into()
    }

    /// True if the entry is read from a file.
    pub fn is_file(self) -> bool {
        match self {
            Self::Recent
            | Self::File
            | Self::Session
            | Self::Study
            | Self::Film
            | Self::Script
            | Self::Folder => true,
            Self::Setting | Self::Start | Self::Builtin | Self::Hang | Self::Paper => false,
        }
    }
}

/// Simple scenarios that show the most.
const FIRST: [&str; 4] = ["mesh-8x8", "ring-deadlock", "hotspot-torus-16x16", "switches-campus"];
const FILES_MAX: usize = 200;
const RECENT_MAX: usize = 12;
/// Maximum number of bytes read from a film: the title is in the first line.
const HEADER_MAX: usize = 1 << 14;

/// An entry of the library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub name: String,
    pub kind: Kind,
    pub title: String,
}

impl Entry {
    /// The entry of a built-in scenario.
    pub fn builtin(it: &builtin::Builtin) -> Self {
        let kind = if FIRST.contains(&it.name) {
            Kind::Start
        } else if it.name.starts_with("hangs/") {
            Kind::Hang
        } else if it.name.starts_with("papers/") {
            Kind::Paper
        } else {
            Kind::Builtin
        };
        Self { name: it.name.to_owned(), kind, title: title(it.text) }
    }

    /// The entry of a file not yet read.
    pub fn file(name: &str) -> Self {
        Self { name: name.to_owned(), kind: Kind::File, title: String::new() }
    }

    /// The entry of a file or folder, classified by its content; `None` for other files.
    fn at(path: &Path) -> Option<Self> {
        let shown = path.strip_prefix(".").unwrap_or(path).display();
        if path.is_dir() {
            let name = format!("{}/", shown.to_string().trim_end_matches('/'));
            let study = files::read_file(path.join(STUDY)).ok();
            let kind = if study.is_some() { Kind::Study } else { Kind::Folder };
            return Some(Self { name, kind, title: title(&study.unwrap_or_default()) });
        }
        let ending = path.extension()?.to_str()?;
        let text = match ending {
            "ron" | "json" | "keys" => files::read_file(path).unwrap_or_default(),
            "cast" => files::beginning(path, HEADER_MAX),
            _ => return None,
        };
        let kind = if ending == "cast" {
            let (kind, title) = (Kind::Film, recording::title(&text).unwrap_or_default());
            let title = crate::text::line(&title);
            return Some(Self { name: shown.to_string(), kind, title });
        } else if ending == "keys" {
            Kind::Script
        } else if scenario::is_session(&text) {
            Kind::Session
        } else if is_study(&text) {
            Kind::Study
        } else {
            Kind::File
        };
        Some(Self { name: shown.to_string(), kind, title: title(&text) })
    }
}

/// The title or topic stated in a text, or the first comment of a script.
fn title(text: &str) -> String {
    let field = ["title:", "about:"].into_iter().find_map(|field| text.split_once(field));
    let said = field.and_then(|(_, rest)| rest.split('"').nth(1));
    let comment = || text.lines().next().and_then(|line| line.strip_prefix("# "));
    crate::text::line(said.or_else(comment).unwrap_or_default())
}

/// A scenario's text and the verdict of its check.
pub type OpenedScenario = (String, Result<Arc<Scenario>, Vec<Problem>>);

/// A library that lists and opens entries.
pub trait Library: std::fmt::Debug + Send {
    /// All entries in display order.
    fn list(&self) -> Vec<Entry>;
    /// Text and verdict of an entry; a session gives its scenario.
    fn open(&self, entry: &Entry) -> OpenedScenario;
    /// The session stored in a file, if any.
    fn resume(&self, _name: &str) -> Option<Saved> {
        None
    }
    /// Files and folders with the typed path as prefix.
    fn below(&self, _typed: &str) -> Vec<Entry> {
        Vec::new()
    }
    /// The study stored in a folder, if any.
    fn study(&self, _name: &str) -> Option<Folder> {
        None
    }
    /// Adds a file to the recently opened files.
    fn opened(&self, _name: &str) {}
    /// Stores the name of the tour's present stop; `None` after the last stop.
    fn keep_stop(&self, _name: Option<&str>) {}
    /// The stored stop of the tour.
    fn stop_left(&self) -> Option<String> {
        None
    }
    /// True if the name is a path of a file or study.
    fn is_file(&self, name: &str) -> bool {
        self.list().iter().any(|entry| entry.kind.is_file() && entry.name == name)
    }
}

impl Default for Box<dyn Library> {
    fn default() -> Self {
        Box::new(Shelf::default())
    }
}

/// Built-in scenarios, and the files of some folders.
#[derive(Clone, Default, Debug)]
pub struct Shelf {
    /// The folders, read at each opening of the chooser.
    pub folders: Vec<PathBuf>,
    /// The file with the paths of recently opened files, one per line. The file with the tour's
    /// stop is in the same folder.
    pub recent: Option<PathBuf>,
}

impl Shelf {
    fn left(&self) -> Option<PathBuf> {
        Some(self.recent.as_ref()?.with_file_name("tour"))
    }

    /// Paths of recently opened files, the last one first.
    fn remembered(&self) -> Vec<String> {
        let text = self.recent.as_ref().and_then(|file| files::read_file(file).ok());
        text.unwrap_or_default().lines().take(RECENT_MAX).map(str::to_owned).collect()
    }

    /// The recently opened files that still exist, with paths relative to the current folder.
    fn recent(&self) -> Vec<Entry> {
        let here = std::env::current_dir().unwrap_or_default();
        let entry = |path: String| {
            let path = Path::new(&path);
            let path = path.strip_prefix(&here).unwrap_or(path);
            // Files with unknown extensions count as scenarios.
            Entry::at(path).unwrap_or_else(|| Entry::file(&path.display().to_string()))
        };
        let there = self.remembered().into_iter().filter(|path| Path::new(path).exists());
        there.map(|path| Entry { kind: Kind::Recent, ..entry(path) }).collect()
    }
}

/// Writes a file and ignores failures: a missing history needs no error message.
fn write(file: &Path, text: String) {
    let folder = file.parent().unwrap_or(Path::new(""));
    if files::make_folder(folder).is_ok() {
        let _ = files::write(file, text, true);
    }
}

/// The entries of a folder, the newest one first; subfolders are omitted, except studies and
/// folders named like files.
fn held(folder: &Path) -> Vec<Entry> {
    let Ok(found) = std::fs::read_dir(folder) else { return Vec::new() };
    let changed = |path: &PathBuf| {
        let at = std::fs::metadata(path).and_then(|file| file.modified());
        at.unwrap_or(SystemTime::UNIX_EPOCH)
    };
    let mut paths: Vec<PathBuf> = found.filter_map(Result::ok).map(|it| it.path()).collect();
    let is_called_file =
        |path: &PathBuf| path.extension().is_some_and(|ending| ending == "ron" || ending == "json");
    paths.retain(|path| path.is_file() || is_called_file(path) || path.join(STUDY).is_file());
    paths.sort_by_cached_key(|path| (std::cmp::Reverse(changed(path)), path.clone()));
    paths.truncate(FILES_MAX);
    paths.iter().filter_map(|path| Entry::at(path)).collect()
}

impl Library for Shelf {
    fn list(&self) -> Vec<Entry> {
        let mut all = self.recent();
        let known: Vec<String> = all.iter().map(|entry| entry.name.clone()).collect();
        let files = self.folders.iter().flat_map(|folder| held(folder));
        all.extend(files.filter(|entry| !known.contains(&entry.name)));
        all.extend(builtin::ALL.iter().map(Entry::builtin));
        all.sort_by_key(|entry| {
            let first = FIRST.iter().position(|&name| name == entry.name);
            (entry.kind, first.filter(|_| entry.kind == Kind::Start))
        });
        all
    }

    fn open(&self, entry: &Entry) -> OpenedScenario {
        let name = &entry.name;
        let refuse = |text: String, what: &str, help: String| {
            let (source, what) = (name.clone(), what.to_owned());
            (text, Err(vec![Problem { source, place: None, what, help: Some(help) }]))
        };
        if let Some(folder) = self.study(name) {
            let text = files::read_file(Path::new(name).join(STUDY)).unwrap_or_default();
            return match folder.study.points.first() {
                Some(first) => (text, Ok(Arc::clone(&first.task.job.scenario))),
                None => refuse(text, "this study has no points", "let it have loads".to_owned()),
            };
        }
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
        if ending == Some("cast") && Path::new(name).is_file() {
            let help = format!("`asciinema play {name}` plays it");
            return refuse(String::new(), "this is a film, not a scenario", help);
        }
        let text = if entry.kind.is_file() {
            match files::read(name) {
                Ok((_, text)) => text,
                Err(problem) => return (String::new(), Err(vec![problem])),
            }
        } else {
            builtin::find(name).map(|it| it.text.to_owned()).unwrap_or_default()
        };
        if ending == Some("keys") {
            let help = format!("`flitscope record --keys {name} -o film.svg` makes a film of it");
            return refuse(text, "this is a script of keys, not a scenario", help);
        }
        if is_study(&text) {
            let help = format!("`flitscope sweep {name}` runs it");
            return refuse(text, "this is a study, not a scenario", help);
        }
        if scenario::is_session(&text) {
            let held = files::open_any(name, &[]);
            let scenario = held.map(|held| match held {
                ParsedFile::Scenario(scenario) => Arc::new(*scenario),
                ParsedFile::Session(saved) => saved.scenario,
            });
            return (text, scenario);
        }
        let file = entry.kind.is_file().then(|| name.clone());
        let checked = scenario::parse_with(name, &text, &[], &files::network_reader(name));
        (text, checked.map(|read| Arc::new(Scenario { file, ..read })))
    }

    fn resume(&self, name: &str) -> Option<Saved> {
        match files::open_any(name, &[]) {
            Ok(ParsedFile::Session(saved)) if Path::new(name).is_file() => Some(*saved),
            Ok(ParsedFile::Session(_) | ParsedFile::Scenario(_)) | Err(_) => None,
        }
    }

    fn below(&self, typed: &str) -> Vec<Entry> {
        let folder = match typed.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/"),
            None => "./".to_owned(),
        };
        let Ok(found) = std::fs::read_dir(&folder) else { return Vec::new() };
        // Paths are shown as typed: without `./` for names in the current folder.
        let path = |it: std::fs::DirEntry| {
            if typed.contains('/') { it.path() } else { it.file_name().into() }
        };
        let mut paths: Vec<PathBuf> = found.filter_map(Result::ok).map(path).collect();
        paths.retain(|path| path.display().to_string().starts_with(typed));
        paths.sort();
        paths.truncate(FILES_MAX);
        paths.iter().filter_map(|path| Entry::at(path)).collect()
    }

    fn study(&self, name: &str) -> Option<Folder> {
        let path = Path::new(name);
        path.join(STUDY).is_file().then(|| Folder::open(path).ok()).flatten()
    }

    fn opened(&self, name: &str) {
        let Some((file, path)) = self.recent.as_ref().zip(std::path::absolute(name).ok()) else {
            return;
        };
        let Some(path) = path.to_str().filter(|path| !path.contains(char::is_control)) else {
            return;
        };
        let mut all = self.remembered();
        all.retain(|other| other != path);
        all.insert(0, path.to_owned());
        all.truncate(RECENT_MAX);
        write(file, all.join("\n") + "\n");
    }

    fn keep_stop(&self, name: Option<&str>) {
        let Some(file) = self.left() else { return };
        match name {
            Some(_) if self.stop_left().as_deref() == name => {}
            Some(name) => write(&file, format!("{name}\n")),
            None => drop(std::fs::remove_file(file)),
        }
    }

    fn stop_left(&self) -> Option<String> {
        Some(files::read_file(self.left()?).ok()?.trim().to_owned())
    }

    fn is_file(&self, name: &str) -> bool {
        Path::new(name).is_file() || Path::new(name).join(STUDY).is_file()
    }
}
