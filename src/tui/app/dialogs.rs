//! What actions do while a dialog is open.

use super::{App, Dialog, Effect, Prompt, Question};
use crate::live::{Breakpoint, Command};
use crate::tui::action::Action;

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
            }
            (Dialog::Prompt(prompt), Action::Erase) => {
                prompt.text.pop();
                prompt.error = None;
            }
            (Dialog::Prompt(prompt), Action::Accept) => match self.answer(prompt) {
                Ok(effects) => return effects,
                Err(error) => prompt.error = Some(error),
            },
            (Dialog::Confirm(confirm), Action::Accept) => return self.fork(confirm.rate),
            _ => {}
        }
        self.dialog = Some(dialog);
        Vec::new()
    }

    pub(super) fn answer(&mut self, prompt: &Prompt) -> Result<Vec<Effect>, String> {
        if let Some(answer) = self.answer_in_time(prompt.question, &prompt.text) {
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
            _ => Ok(Vec::new()),
        }
    }
}
