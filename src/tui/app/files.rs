//! Files: recordings, pictures, sessions and statistics; what they are called, and what became of
//! them. The scenario's own file as an editor left it.

use std::io::{self, ErrorKind};
use std::sync::Arc;

use super::{App, Dialog, Effect, Problems};
use crate::recording::Summary;
use crate::scenario::{self, Override, Problem};
use crate::text::shell_word;
use crate::text::short_name;
use crate::tui::action::Time;
use crate::tui::pen::plural;

/// What is written into a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    Session,
    Statistics,
    Picture,
    /// A recording, of which the beginning is written.
    Recording,
}

/// What is on its way into a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Writing {
    pub what: Written,
    pub path: String,
    pub content: Vec<u8>,
    /// True if a file of this name may be replaced: it is this session's own.
    pub replace: bool,
}

impl App {
    /// Remembers a file that was opened.
    pub(in crate::tui) fn remember(&self, name: &str) {
        if self.library.is_file(name) {
            self.library.opened(name);
        }
    }

    /// A name for a file of this scenario: the last part of its own, and an ending.
    pub(super) fn file_name(&self, ending: &str) -> String {
        let name = short_name(&self.update.scenario.name);
        let name = name.strip_suffix(".ron").unwrap_or(name);
        format!("{}{ending}", name.replace(' ', "-"))
    }

    /// The name that is offered for a file about this cycle.
    pub(super) fn cycle_name(&self, beginning: &str, ending: &str) -> String {
        let cycle = self.snapshot().cycle;
        format!("{beginning}{}", self.file_name(&format!("-{cycle}{ending}")))
    }

    /// Has a session written that has come, where one more was saved than `before`.
    pub(super) fn receive_saved(&mut self, before: u64) {
        if self.update.saves == before {
            return;
        }
        if let Some((path, saved)) = self.saving.take().zip(self.update.saved.as_ref()) {
            let replace = self.path.as_ref() == Some(&path);
            let content = saved.text().into_bytes();
            let writing = Writing { what: Written::Session, path, content, replace };
            self.effects.push(Effect::Write(writing));
        }
    }

    pub(in crate::tui) fn wrote(&mut self, what: Written, path: &str, result: &io::Result<()>) {
        let save = self.keys.way_to(Time::Save);
        let ask = |key: &str| format!("{key} asks for another name");
        // What is said where it is done; where not, that, and what to do where the file exists.
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
            Written::Picture => (format!("the screen is in {path}"), "not saved", ask("s")),
            Written::Recording => (recording_into(path), "not recorded", ask("R")),
        };
        let place = match what {
            Written::Session => Some(&mut self.path),
            Written::Recording => Some(&mut self.recording),
            Written::Statistics | Written::Picture => None,
        };
        if let (Some(place), Ok(())) = (place, result) {
            *place = Some(path.to_owned());
        }
        self.say(&match result {
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

    /// True if the header says that the screen is recorded.
    pub(in crate::tui) fn tells_of_recording(&self) -> bool {
        self.recording.is_some() && !self.filmed
    }

    /// A recording has ended, or could not go on.
    pub(in crate::tui) fn ended_recording(&mut self, path: &str, result: &Result<Summary, String>) {
        let then = if result.is_err() { "; the session goes on" } else { "" };
        self.say(&format!("{}{then}", recorded(path, result)));
    }

    /// Runs what an editor left in a file, if it can be run; else says what is wrong with it.
    pub(in crate::tui) fn read_again(&mut self, path: &str, text: &str) {
        let here = &self.update.scenario;
        if here.file.as_deref() == Some(path) && here.text == text {
            self.dialog = None;
            return self.say(&format!("{path} is as it was: the run goes on"));
        }
        let overrides: Vec<Override> = here.overrides.clone();
        match scenario::parse(path, text, &overrides) {
            Ok(mut scenario) => {
                self.dialog = None;
                scenario.file = Some(path.to_owned());
                self.load(Arc::new(scenario));
                let set: Vec<&str> = overrides.iter().map(|given| given.path.as_str()).collect();
                let set = match set.join(", ") {
                    none if none.is_empty() => none,
                    set => format!(" (still set from outside: {set})"),
                };
                self.say(&format!("{path} was read again and runs{set}"));
            }
            Err(problems) => self.refuse(path, problems),
        }
    }

    pub(in crate::tui) fn refuse(&mut self, path: &str, problems: Vec<Problem>) {
        let problems = Problems { path: path.to_owned(), found: problems, scroll: 0 };
        self.dialog = Some(Dialog::Problems(problems));
    }
}

/// What is said while a recording begins.
pub fn recording_into(path: &str) -> String {
    format!("recording into {path} (R again ends it)")
}

/// What became of a recording, in a sentence.
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
