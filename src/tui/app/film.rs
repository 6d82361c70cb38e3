//! Files: recordings, pictures, sessions and statistics; what they are called, and what became of them.

use std::io::{self, ErrorKind};

use super::{App, Effect, Question};
use crate::recording::Summary;
use crate::tui::action::{Film, Time};
use crate::tui::header::{plural, short_name};

/// A session on its way into a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Writing {
    /// The file.
    pub path: String,
    /// What to write.
    pub text: String,
    /// Whether a file of this name may be replaced: it is this session's own.
    pub replace: bool,
}

impl App {
    /// Actions about recordings and pictures.
    pub(super) fn film_action(&mut self, action: Film) -> Vec<Effect> {
        match action {
            Film::Record if self.recording.is_some() => vec![Effect::EndRecording],
            Film::Record => self.ask(Question::Recording),
            Film::Picture => self.ask(Question::Picture),
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
        let cycle = self.update.snapshot.cycle;
        format!("{beginning}{}", self.file_name(&format!("-{cycle}{ending}")))
    }

    /// Takes note of a saved session that has come; what is to be written is handed over by
    /// [`Self::take_writing`].
    pub(super) fn receive_saved(&mut self, before: u64) {
        if self.update.saves == before {
            return;
        }
        if let Some((path, saved)) = self.saving.take().zip(self.update.saved.as_ref()) {
            let replace = self.path.as_ref() == Some(&path);
            self.writing = Some(Writing { text: saved.text(), path, replace });
        }
    }

    /// What is to be written now.
    pub fn take_writing(&mut self) -> Option<Writing> {
        self.writing.take()
    }

    /// What became of a session's file.
    pub fn wrote(&mut self, path: &str, result: &io::Result<()>) {
        let save = self.keys.way_to(Time::Save);
        if result.is_ok() {
            self.path = Some(path.to_owned());
        }
        self.tell_of(
            path,
            result,
            &format!("the session is in {path} (flitscope {path} opens it again)"),
            ["not written", &format!("{save} asks for another name")],
            &format!("; the session goes on ({save} again)"),
        );
    }

    /// What became of a file of statistics.
    pub fn exported(&mut self, path: &str, result: &io::Result<()>) {
        let done = format!("the statistics are in {path}");
        self.tell_of(path, result, &done, ["not written", "name another file"], "");
    }

    /// What became of a picture.
    pub fn saved_picture(&mut self, path: &str, result: &io::Result<()>) {
        let done = format!("the screen is in {path}");
        self.tell_of(path, result, &done, ["not saved", "s asks for another name"], "");
    }

    /// A recording into this file has begun, or could not.
    pub fn began_recording(&mut self, path: &str, result: &io::Result<()>) {
        if result.is_ok() {
            self.recording = Some(path.to_owned());
        }
        let done = format!("recording into {path} (R again ends it)");
        self.tell_of(path, result, &done, ["not recorded", "R asks for another name"], "");
    }

    /// Says what became of a file: the words where it is `done`, and where it is not,
    /// with what to do where it exists, or `then` for another reason.
    fn tell_of(
        &mut self,
        path: &str,
        result: &io::Result<()>,
        done: &str,
        [not, other]: [&str; 2],
        then: &str,
    ) {
        self.say(&match result {
            Ok(()) => done.to_owned(),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                format!("{not}: {path} exists; {other}")
            }
            Err(error) => format!("{not}: {error}{then}"),
        });
    }

    /// A recording has ended, or could not go on.
    pub fn ended_recording(&mut self, path: &str, result: &Result<Summary, String>) {
        let mut said = recorded(path, result);
        if result.is_err() {
            said.push_str("; the session goes on");
        }
        self.say(&said);
    }
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
