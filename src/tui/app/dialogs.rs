//! The dialogs, and what actions do while one is open.

use std::rc::Rc;

use super::{App, Effect, Prompt, Question};
use crate::scenario::Problem;
use crate::tui::action::{Action, Answer, Pointer, Program};
use crate::tui::chooser::Chooser;
use crate::tui::palette::Palette;
use crate::units::Rate;

/// What is wrong with a file that was edited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problems {
    /// The file.
    pub path: String,
    /// Its problems, at least one.
    pub problems: Vec<Problem>,
    /// Lines that are scrolled out at the top.
    pub scroll: u16,
}

impl Problems {
    /// The effect that edits the file again.
    pub(super) fn edit(&self) -> Effect {
        Effect::Edit(self.path.clone(), None)
    }
}

/// A layer over the main screen.
#[derive(Clone, Debug)]
pub enum Dialog {
    /// Help, scrolled down by some lines.
    Help(u16),
    /// The scenario chooser.
    Chooser(Chooser),
    /// A question.
    Prompt(Prompt),
    /// A question with yes or no for an answer.
    Confirm(Confirm),
    /// The line that takes commands.
    Palette(Palette),
    /// What is wrong with a file.
    Problems(Problems),
}

impl Dialog {
    /// Whether its answer is about the run that was shown when it was opened.
    pub(super) fn is_about_one_run(&self) -> bool {
        match self {
            Self::Confirm(Confirm::Fork(_)) => true,
            Self::Chooser(chooser) => chooser.beside.is_some(),
            Self::Confirm(Confirm::Quit)
            | Self::Help(_)
            | Self::Prompt(_)
            | Self::Palette(_)
            | Self::Problems(_) => false,
        }
    }
}

/// What is asked before it is done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Confirm {
    /// Whether to forget the future for this rate.
    Fork(Rate),
    /// Whether to end the recording and leave.
    Quit,
}

impl App {
    /// What an action does while a dialog is open.
    pub(super) fn update_dialog(&mut self, action: Action) -> Vec<Effect> {
        let answer = match (action, &self.dialog) {
            (Action::Answer(answer), _) => answer,
            (Action::Pointer(Pointer::Wheel(true, ..)), _) => Answer::Up,
            (Action::Pointer(Pointer::Wheel(false, ..)), _) => Answer::Down,
            (Action::Program(Program::Back), _) => {
                self.dialog = None;
                return Vec::new();
            }
            (Action::Program(Program::Edit), Some(Dialog::Problems(list))) => {
                let again = list.edit();
                self.dialog = None;
                return vec![again];
            }
            _ => return Vec::new(),
        };
        match self.dialog.take() {
            Some(Dialog::Palette(palette)) => self.update_palette(palette, answer),
            Some(Dialog::Chooser(chooser)) => self.update_chooser(chooser, answer),
            Some(Dialog::Prompt(prompt)) => self.update_prompt(prompt, answer),
            Some(Dialog::Confirm(Confirm::Fork(rate))) if answer == Answer::Accept => {
                self.fork(rate)
            }
            Some(Dialog::Confirm(Confirm::Quit)) if answer == Answer::Accept => vec![Effect::Quit],
            mut dialog => {
                match &mut dialog {
                    Some(Dialog::Help(scroll)) => *scroll = scrolled(*scroll, answer, 3),
                    Some(Dialog::Problems(list)) => list.scroll = scrolled(list.scroll, answer, 1),
                    _ => {}
                }
                self.dialog = dialog;
                Vec::new()
            }
        }
    }

    fn update_chooser(&mut self, mut chooser: Chooser, answer: Answer) -> Vec<Effect> {
        let library = Rc::clone(&self.library);
        match answer {
            Answer::Down => chooser.move_by(1, &*library),
            Answer::Up => chooser.move_by(-1, &*library),
            Answer::Type(letter) => chooser.edit(|filter| filter.push(letter), &*library),
            Answer::Erase => chooser.edit(
                |filter| {
                    filter.pop();
                },
                &*library,
            ),
            Answer::Accept => {
                // A file may have been mended since.
                chooser.read(&*library);
                if let Some(scenario) = chooser.scenario() {
                    if chooser.beside.is_none() {
                        return self.load(scenario);
                    }
                    return self.compare_with(&scenario).unwrap_or_else(|refused| {
                        self.say(&refused);
                        Vec::new()
                    });
                }
            }
            Answer::Clear | Answer::Complete | Answer::ChooseNext | Answer::ChoosePrevious => {}
        }
        self.dialog = Some(Dialog::Chooser(chooser));
        Vec::new()
    }

    fn update_prompt(&mut self, mut prompt: Prompt, answer: Answer) -> Vec<Effect> {
        match answer {
            Answer::Type(letter) if prompt.text.len() < 200 => {
                // The number offered gives way to the one that is typed.
                let number = matches!(prompt.question, Question::Cycles | Question::CyclesBack);
                if number && prompt.text == self.many {
                    prompt.text.clear();
                }
                prompt.text.push(letter);
                prompt.error = None;
                // One digit says it all.
                if prompt.question == Question::Dimension {
                    match self.cross(&prompt.text) {
                        Ok(()) => return Vec::new(),
                        Err(error) => (prompt.text, prompt.error) = (String::new(), Some(error)),
                    }
                }
            }
            Answer::Erase => {
                prompt.text.pop();
                prompt.error = None;
            }
            Answer::Accept => match self.answer(prompt.question, &prompt.text) {
                Ok(effects) => return effects,
                Err(error) => prompt.error = Some(error),
            },
            Answer::Type(_)
            | Answer::Up
            | Answer::Down
            | Answer::Clear
            | Answer::Complete
            | Answer::ChooseNext
            | Answer::ChoosePrevious => {}
        }
        self.dialog = Some(Dialog::Prompt(prompt));
        Vec::new()
    }
}

/// Lines scrolled out at the top, after a step of `by` lines up or down.
fn scrolled(lines: u16, answer: Answer, step: u16) -> u16 {
    if answer == Answer::Down {
        return lines.saturating_add(step).min(500);
    }
    lines.saturating_sub(if answer == Answer::Up { step } else { 0 })
}
