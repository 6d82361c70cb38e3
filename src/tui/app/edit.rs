//! The scenario's file in an editor, and what is read from it afterwards.

use std::sync::Arc;

use super::dialogs::Problems;
use super::{App, Dialog, Effect};
use crate::scenario::{self, Override, Problem};

/// A file as an editor left it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edited {
    /// Its text.
    Text(String),
    /// It cannot be read.
    Unreadable(Problem),
    /// There was no editing it: why.
    Not(String),
}

impl App {
    /// Runs what an editor left in a file, if it can be run; else says what is wrong with it.
    pub fn edited(&mut self, path: &str, edited: Edited) -> Vec<Effect> {
        let text = match edited {
            Edited::Text(text) => text,
            Edited::Unreadable(problem) => {
                self.refuse(path, vec![problem]);
                return Vec::new();
            }
            Edited::Not(why) => {
                self.say(&why);
                return Vec::new();
            }
        };
        let here = &self.update.scenario;
        if here.file.as_deref() == Some(path) && here.text == text {
            self.dialog = None;
            self.say(&format!("{path} is as it was: the run goes on"));
            return Vec::new();
        }
        let overrides: Vec<Override> = here.overrides.clone();
        match scenario::parse(path, &text, &overrides) {
            Ok(mut scenario) => {
                self.dialog = None;
                scenario.file = Some(path.to_owned());
                let effects = self.load(Arc::new(scenario));
                let set: Vec<&str> = overrides.iter().map(|given| given.path.as_str()).collect();
                let set = if set.is_empty() {
                    String::new()
                } else {
                    format!(" (still set from outside: {})", set.join(", "))
                };
                self.say(&format!("{path} was read again and runs{set}"));
                effects
            }
            Err(problems) => {
                self.refuse(path, problems);
                Vec::new()
            }
        }
    }

    /// Shows what is wrong with a file.
    pub(super) fn refuse(&mut self, path: &str, problems: Vec<Problem>) {
        let problems = Problems { path: path.to_owned(), problems, scroll: 0 };
        self.dialog = Some(Dialog::Problems(problems));
    }
}
