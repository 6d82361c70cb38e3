//! The dialogs, and what actions do while one is open.

use super::{App, Effect, Problems};
use crate::live::{Breakpoint, Command};
use crate::tui::action::Action;
use crate::tui::chooser::Chooser;
use crate::tui::palette::Palette;
use crate::units::Rate;

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

/// A line that asks for something.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// What for.
    pub question: Question,
    /// What was typed.
    pub text: String,
    /// Why it was not accepted.
    pub error: Option<String>,
}

/// What a prompt asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// A number of cycles, or of units of time.
    Cycles,
    /// A node or a worm.
    Place,
    /// When to stop.
    Break,
    /// A number of cycles to go back.
    CyclesBack,
    /// A cycle to go to.
    Cycle,
    /// A bookmark to go to.
    Mark,
    /// A dimension of a hypercube.
    Dimension,
    /// Which events to stop at.
    Events,
    /// A file for the session.
    File,
    /// A file for a recording.
    Recording,
    /// A file for a picture.
    Picture,
    /// A file for a copy of the scenario, to be edited.
    Copy,
}

impl App {
    pub(super) fn ask(&mut self, question: Question) {
        let text = self.offer(question);
        self.dialog = Some(Dialog::Prompt(Prompt { question, text, error: None }));
    }

    pub(super) fn update_dialog(&mut self, action: Action) -> Vec<Effect> {
        let Some(mut dialog) = self.dialog.take() else { return Vec::new() };
        if action == Action::Back {
            return Vec::new();
        }
        let action = match action {
            Action::Wheel(true, ..) => Action::Up,
            Action::Wheel(false, ..) => Action::Down,
            action => action,
        };
        if let Dialog::Palette(palette) = dialog {
            return self.update_palette(palette, action);
        }
        match (&mut dialog, action) {
            (Dialog::Problems(list), Action::Edit) => return vec![list.edit()],
            (Dialog::Problems(list), Action::Down) => {
                list.scroll = list.scroll.saturating_add(1).min(500);
            }
            (Dialog::Problems(list), Action::Up) => list.scroll = list.scroll.saturating_sub(1),
            (Dialog::Help(scroll), Action::Down) => *scroll = scroll.saturating_add(3).min(500),
            (Dialog::Help(scroll), Action::Up) => *scroll = scroll.saturating_sub(3),
            (Dialog::Chooser(chooser), Action::Down) => chooser.move_by(1, &*self.library),
            (Dialog::Chooser(chooser), Action::Up) => chooser.move_by(-1, &*self.library),
            (Dialog::Chooser(chooser), Action::Type(letter)) => {
                chooser.edit(|filter| filter.push(letter), &*self.library);
            }
            (Dialog::Chooser(chooser), Action::Erase) => {
                chooser.edit(
                    |filter| {
                        filter.pop();
                    },
                    &*self.library,
                );
            }
            (Dialog::Chooser(chooser), Action::Accept) => {
                // A file may have been mended since.
                chooser.read(&*self.library);
                if let Some(scenario) = chooser.scenario().filter(|_| chooser.beside.is_some()) {
                    return self.compare_with(&scenario).unwrap_or_else(|refused| {
                        self.say(&refused);
                        Vec::new()
                    });
                }
                if let Some(scenario) = chooser.scenario() {
                    return self.load(scenario);
                }
            }
            (Dialog::Prompt(prompt), Action::Type(letter)) if prompt.text.len() < 200 => {
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
            (Dialog::Prompt(prompt), Action::Erase) => {
                prompt.text.pop();
                prompt.error = None;
            }
            (Dialog::Prompt(prompt), Action::Accept) => match self.answer(prompt) {
                Ok(effects) => return effects,
                Err(error) => prompt.error = Some(error),
            },
            (Dialog::Confirm(Confirm::Fork(rate)), Action::Accept) => return self.fork(*rate),
            (Dialog::Confirm(Confirm::Quit), Action::Accept) => return vec![Effect::Quit],
            _ => {}
        }
        self.dialog = Some(dialog);
        Vec::new()
    }

    pub(super) fn answer(&mut self, prompt: &Prompt) -> Result<Vec<Effect>, String> {
        let answer = self.answer_in_time(prompt.question, &prompt.text);
        if let Some(answer) = answer.or_else(|| self.answer_on_film(prompt.question, &prompt.text))
        {
            return answer;
        }
        match prompt.question {
            Question::Cycles => {
                let cycles = self.span(&prompt.text)?;
                prompt.text.trim().clone_into(&mut self.many);
                self.say(&format!("{} on", self.times().with_unit(cycles)));
                Ok(vec![Effect::Send(Command::Step(cycles))])
            }
            Question::Break => {
                let system = &self.update.scenario.system;
                let breakpoint = Breakpoint::parse(prompt.text.trim(), system)?;
                let words = if breakpoint.is_off() {
                    "stops at deadlock only".to_owned()
                } else {
                    format!("stops at {}, and at deadlock", breakpoint.words(system))
                };
                self.say(&words);
                Ok(vec![Effect::Send(Command::Break(breakpoint))])
            }
            Question::Copy => self.edit_copy(prompt.text.trim()),
            Question::Place => {
                self.find(&prompt.text)?;
                Ok(Vec::new())
            }
            Question::Dimension => self.cross(&prompt.text).map(|()| Vec::new()),
            _ => Ok(Vec::new()),
        }
    }
}
