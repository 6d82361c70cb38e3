//! Opens dialogs, and applies actions while a dialog is open.

use std::rc::Rc;

use super::{App, Effect, failing};
use crate::live::Command;
use crate::scenario::Problem;
use crate::system::failures::Part;
use crate::text;
use crate::tui::action::{Action, Answer, Pointer, Program};
use crate::tui::chooser::Chooser;
use crate::tui::help::Help;
use crate::tui::line::{Edit, EditLine, LONGEST};
use crate::tui::palette::Palette;
use crate::tui::palette::commands::What;
use crate::units::Rate;

/// Problems of an edited file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problems {
    pub path: String,
    /// The problems, at least one.
    pub found: Vec<Problem>,
    /// Number of lines scrolled out at the top.
    pub scroll: u16,
}

/// A line of input.
#[derive(Clone, Debug)]
pub struct Prompt {
    pub what: What,
    pub text: EditLine,
    /// The reason for rejecting the last answer.
    pub error: Option<String>,
}

/// A layer over the main screen.
#[derive(Clone, Debug)]
pub enum Dialog {
    /// An introduction of three lines, until the first key.
    Card,
    Help(Help),
    Chooser(Chooser),
    Prompt(Prompt),
    Confirm(Confirm),
    Palette(Palette),
    Problems(Problems),
}

impl Dialog {
    /// True if the dialog refers to the run shown at its opening.
    pub(super) fn is_about_one_run(&self) -> bool {
        let compares = matches!(self, Self::Chooser(chooser) if chooser.beside.is_some());
        compares || matches!(self, Self::Confirm(Confirm::Fork(_) | Confirm::Fail(_)))
    }
}

/// An action to confirm.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Confirm {
    /// Discard the future and change the rate.
    Fork(Rate),
    /// Discard the future, and make a part fail or work again.
    Fail(Part),
    Quit,
    /// Replace the file from which the session was resumed.
    Replace,
}

impl App {
    pub(super) fn dialog_action(&mut self, action: Action) {
        let answer = match (action, &self.dialog) {
            (Action::Answer(answer), _) => answer,
            (Action::Pointer(Pointer::Wheel(true, ..)), _) => Answer::Up,
            (Action::Pointer(Pointer::Wheel(false, ..)), _) => Answer::Down,
            (Action::Tour(what), _) => return self.tour_action(what),
            (Action::Program(Program::Back), Some(Dialog::Help(help))) if help.search.is_some() => {
                self.dialog = Some(Dialog::Help(Help { search: None, ..help.clone() }));
                return;
            }
            (Action::Program(Program::Back), _) => {
                self.dialog = None;
                return;
            }
            (Action::Program(Program::Edit), Some(Dialog::Problems(list))) => {
                self.effects.push(Effect::Edit(list.path.clone(), None));
                self.dialog = None;
                return;
            }
            _ => return,
        };
        let accept = answer == Answer::Accept;
        match self.dialog.take() {
            Some(Dialog::Palette(palette)) => self.update_palette(palette, answer),
            Some(Dialog::Chooser(chooser)) => self.update_chooser(chooser, answer),
            Some(Dialog::Prompt(prompt)) => self.update_prompt(prompt, answer),
            Some(Dialog::Confirm(Confirm::Fork(rate))) if accept => self.fork(rate),
            Some(Dialog::Confirm(Confirm::Fail(part))) if accept => failing::fork(self, part),
            Some(Dialog::Confirm(Confirm::Quit)) if accept => self.effects.push(Effect::Quit),
            Some(Dialog::Confirm(Confirm::Replace)) if accept => self.send(Command::Save),
            Some(Dialog::Help(help)) => self.update_help(help, answer),
            Some(Dialog::Problems(list)) => {
                let scroll = scrolled(list.scroll, answer, 1);
                self.dialog = Some(Dialog::Problems(Problems { scroll, ..list }));
            }
            waits @ (Some(Dialog::Confirm(_) | Dialog::Card) | None) => self.dialog = waits,
        }
    }

    /// Types the first line of pasted text into an open input line; ignored elsewhere.
    pub(in crate::tui) fn paste(&mut self, pasted: &str) {
        let typed = self.context().has_line();
        let line = text::line(pasted.lines().next().unwrap_or_default());
        for letter in line.chars().take(LONGEST).filter(|_| typed) {
            self.dialog_action(Answer::typed(letter).into());
        }
    }

    pub(super) fn open_chooser(&mut self, to_compare: bool) {
        let chooser = Chooser::new(&*self.library, &self.update.scenario, to_compare);
        self.dialog = Some(Dialog::Chooser(chooser));
    }

    fn update_chooser(&mut self, mut chooser: Chooser, answer: Answer) {
        let library = Rc::clone(&self.library);
        if answer == Answer::Accept {
            // The file may have been corrected since its last reading.
            chooser.read(&*library);
            if let Some(scenario) = chooser.scenario() {
                if chooser.beside.is_none() {
                    let name = chooser.entry().map_or("", |entry| &entry.name);
                    self.load_or_resume(name, scenario);
                } else if let Err(refused) = self.compare_with(&scenario) {
                    self.notify(&refused);
                }
                return;
            }
        } else {
            chooser.answer(answer, &*library);
        }
        self.dialog = Some(Dialog::Chooser(chooser));
    }

    fn update_prompt(&mut self, mut prompt: Prompt, answer: Answer) {
        let typed = matches!(answer, Answer::Edit(Edit::Type(_)));
        // The first typed digit replaces the number offered.
        let number = matches!(prompt.what, What::Cycles | What::CyclesBack);
        if typed && number && *prompt.text == *self.motion.step_many_text {
            prompt.text.clear();
        }
        if let Answer::Edit(edit) = answer {
            prompt.text.edit(edit);
            prompt.error = None;
        }
        // A dimension is a single digit and needs no Enter.
        let digit = typed && prompt.what == What::Dimension;
        if digit || answer == Answer::Accept {
            match self.answer(prompt.what, prompt.text.trim()) {
                Ok(()) => return,
                Err(error) => prompt.error = Some(error),
            }
        }
        if digit {
            prompt.text.clear();
        }
        self.dialog = Some(Dialog::Prompt(prompt));
    }
}

/// Returns the scroll position after moving `step` lines up or down.
fn scrolled(lines: u16, answer: Answer, step: u16) -> u16 {
    if answer == Answer::Down {
        return lines.saturating_add(step).min(500);
    }
    lines.saturating_sub(if answer == Answer::Up { step } else { 0 })
}
