//! File names, and messages about recordings, pictures, sessions, statistics and edited scenarios.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

use super::{App, Confirm, Dialog, Effect, Problems};
use crate::files;
use crate::live::Command;
use crate::recording::Summary;
use crate::scenario::{self, Override, Problem};
use crate::text::shell_word;
use crate::text::short_name;
use crate::tui::action::{Program, Time};
use crate::tui::pen::plural;

/// The kind of a written file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    Session,
    Statistics,
    Picture,
    /// A recording, at the time of writing its header.
    Recording,
}

/// A file about to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Writing {
    pub what: Written,
    pub path: String,
    pub content: Vec<u8>,
    /// True if an existing file may be replaced: it is that of this session.
    pub replace: bool,
}

impl App {
    /// Adds an opened file to the history.
    pub(in crate::tui) fn remember(&self, name: &str) {
        if self.library.is_file(name) {
            self.library.opened(name);
        }
    }

    /// Returns a file name of letters, digits and hyphens: the last part of the scenario's name, and an
    /// ending.
    pub(super) fn file_name(&self, ending: &str) -> String {
        let name = short_name(&self.update.scenario.name);
        let name = name.strip_suffix(".ron").unwrap_or(name);
        let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '_');
        let words: Vec<&str> =
            name.split(|letter| !is_plain(letter)).filter(|word| !word.is_empty()).collect();
        format!("{}{ending}", words.join("-"))
    }

    /// Returns a default file name with the scenario's name and the present cycle.
    pub(super) fn cycle_name(&self, beginning: &str, ending: &str) -> String {
        let cycle = self.snapshot().cycle;
        format!("{beginning}{}", self.file_name(&format!("-{cycle}{ending}")))
    }

    /// Writes the session into a file; after a confirmation into the file from which it was resumed.
    pub(super) fn save_into(&mut self, path: String) {
        let is_older = self.path.as_ref() == Some(&path) && !self.wrote_path;
        self.saving = Some(path);
        if is_older {
            self.dialog = Some(Dialog::Confirm(Confirm::Replace));
        } else {
            self.send(Command::Save);
        }
    }

    /// Writes the pending session if the update's number of saves differs from `before`.
    pub(super) fn receive_saved(&mut self, before: u64) {
        if self.update.saves == before {
            return;
        }
        if let Some((path, saved)) = self.saving.take().zip(self.update.saved.as_ref()) {
            let replace = self.path.as_ref() == Some(&path);
            let in_json = Path::new(&path).extension().is_some_and(|ending| ending == "json");
            let json = if in_json { saved.json() } else { None };
            let content = json.unwrap_or_else(|| saved.text()).into_bytes();
            let writing = Writing { what: Written::Session, path, content, replace };
            self.effects.push(Effect::Write(writing));
        }
    }

    pub(in crate::tui) fn wrote(&mut self, what: Written, path: &str, result: &io::Result<()>) {
        let save = self.keys.way_to(Time::Save);
        let ask = |key: &str| format!("{key} asks for another name");
        let key = |action: Program| ask(&self.keys.way_to(action));
        // Messages for success, for failure, and for an existing file.
        let (done, not, other) = match what {
            Written::Session => {
                let word = shell_word(path);
                let done = format!("the session is in {path} (flitscope {word} opens it again)");
                (done, "not written", ask(&save))
            }
            Written::Statistics => {
                let done = format!("the statistics are in {path}");
                (done, "not written", "name another file".to_owned())
            }
            Written::Picture => {
                (format!("the screen is in {path}"), "not saved", key(Program::Picture))
            }
            Written::Recording => (recording_into(path), "not recorded", key(Program::Record)),
        };
        let place = match what {
            Written::Session => Some(&mut self.path),
            Written::Recording => Some(&mut self.recording),
            Written::Statistics | Written::Picture => None,
        };
        if let (Some(place), Ok(())) = (place, result) {
            *place = Some(path.to_owned());
            self.wrote_path |= what == Written::Session;
        }
        self.notify(&match result {
            Ok(()) => done,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                format!("{not}: {path} exists; {other}")
            }
            Err(error) if what == Written::Session => {
                format!("{not}: {error}; the session goes on ({save} again)")
            }
            Err(error) => format!("{not}: {error}"),
        });
    }

    /// True if the header shows the recording.
    pub(in crate::tui) fn tells_of_recording(&self) -> bool {
        self.recording.is_some() && !self.filmed
    }

    /// Reports the end or failure of a recording.
    pub(in crate::tui) fn ended_recording(&mut self, path: &str, result: &Result<Summary, String>) {
        let then = if result.is_err() { "; the session goes on" } else { "" };
        self.notify(&format!("{}{then}", recorded(path, result)));
    }

    /// Restarts with the edited text of a scenario file, or lists the problems in the text.
    pub(in crate::tui) fn reload_text(&mut self, path: &str, text: &str) {
        let here = &self.update.scenario;
        if here.file.as_deref() == Some(path) && here.text == text {
            self.dialog = None;
            return self.notify(&format!("{path} is as it was: the run goes on"));
        }
        let overrides: Vec<Override> = here.overrides.clone();
        match scenario::parse_with(path, text, &overrides, &files::network_reader(path)) {
            Ok(mut scenario) => {
                self.dialog = None;
                scenario.file = Some(path.to_owned());
                self.load(Arc::new(scenario));
                let set: Vec<&str> = overrides.iter().map(|given| given.path.as_str()).collect();
                let set = match set.join(", ") {
                    none if none.is_empty() => none,
                    set => format!(" (still set from outside: {set})"),
                };
                self.notify(&format!("{path} was read again and runs{set}"));
            }
            Err(problems) => self.refuse(path, problems),
        }
    }

    pub(in crate::tui) fn refuse(&mut self, path: &str, problems: Vec<Problem>) {
        let problems = Problems { path: path.to_owned(), found: problems, scroll: 0 };
        self.dialog = Some(Dialog::Problems(problems));
    }
}

/// The message at the start of a recording.
pub fn recording_into(path: &str) -> String {
    format!("recording into {path} (R again ends it)")
}

/// The message about the result of a recording.
pub fn recorded(path: &str, result: &Result<Summary, String>) -> String {
    match result {
        Ok(summary) => {
            let seconds = summary.length as f64 / 1e6;
            format!("recorded {path}: {seconds:.1} s in {}", plural(summary.events, "event"))
        }
        Err(why) => format!("recording broke off: {path}: {why}"),
    }
}

#[cfg(test)]
mod tests;
