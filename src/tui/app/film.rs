//! Recordings and pictures of the screen: when they are asked for, and what became of them.

use std::io::{self, ErrorKind};

use super::{App, Effect, Question};
use crate::recording::{PICTURES, Summary};
use crate::tui::action::Film;
use crate::tui::header::plural;

impl App {
    /// Actions about recordings and pictures.
    pub(super) fn film_action(&mut self, action: Film) -> Vec<Effect> {
        match action {
            Film::Record if self.recording.is_some() => vec![Effect::EndRecording],
            Film::Record => self.ask(Question::Recording),
            Film::Picture => self.ask(Question::Picture),
        }
    }

    /// The name that is offered for a file about this cycle.
    pub(super) fn cycle_name(&self, beginning: &str, ending: &str) -> String {
        let cycle = self.update.snapshot.cycle;
        format!("{beginning}{}", self.file_name(&format!("-{cycle}{ending}")))
    }

    /// Answers to questions about recordings and pictures; `None` for other questions.
    pub(super) fn answer_on_film(
        &mut self,
        question: Question,
        text: &str,
    ) -> Option<Result<Vec<Effect>, String>> {
        let path = text.trim();
        let effect = match question {
            Question::Recording | Question::Picture if path.is_empty() => {
                return Some(Err("a file needs a name".to_owned()));
            }
            Question::Recording if self.recording.is_some() => {
                return Some(Err("the screen is recorded already: R ends that".to_owned()));
            }
            Question::Recording => Effect::Record(path.to_owned()),
            Question::Picture if !PICTURES.iter().any(|ending| path.ends_with(ending)) => {
                let wanted = "its name ends in .svg, .txt or .ans (text with colours)";
                return Some(Err(wanted.to_owned()));
            }
            Question::Picture => Effect::Picture(path.to_owned()),
            _ => return None,
        };
        Some(Ok(vec![effect]))
    }

    /// A recording into this file has begun, or could not.
    pub fn began_recording(&mut self, path: &str, result: &io::Result<()>) {
        match result {
            Ok(()) => {
                self.recording = Some(path.to_owned());
                self.say(&format!("recording into {path} (R again ends it)"));
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                self.say(&format!("not recorded: {path} exists; R asks for another name"));
            }
            Err(error) => self.say(&format!("not recorded: {error}")),
        }
    }

    /// A recording has ended, or could not go on.
    pub fn ended_recording(&mut self, path: &str, result: &Result<Summary, String>) {
        let mut said = recorded(path, result);
        if result.is_err() {
            said.push_str("; the session goes on");
        }
        self.say(&said);
    }

    /// What became of a picture.
    pub fn saved_picture(&mut self, path: &str, result: &io::Result<()>) {
        match result {
            Ok(()) => self.say(&format!("the screen is in {path}")),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                self.say(&format!("not saved: {path} exists; s asks for another name"));
            }
            Err(error) => self.say(&format!("not saved: {error}")),
        }
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
