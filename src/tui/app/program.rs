//! The program as a whole: what acts on an action, what `Esc` leaves, how it ends.

use super::{App, Confirm, Dialog, Effect, Question};
use crate::live::{Command, RunState};
use crate::tui::action::{Action, Pointer, Program};
use crate::tui::chooser::Chooser;
use crate::tui::view::Pane;

impl App {
    /// Does something; returns what is left for the caller to do.
    pub fn update(&mut self, action: impl Into<Action>) -> Vec<Effect> {
        let action = action.into();
        let resized = matches!(action, Action::Program(Program::Resize(..)));
        if !resized && action != Pointer::Release.into() {
            self.note = None;
        }
        let mut effects = if let Action::Program(what) = action
            && self.leaves(what)
        {
            self.program_action(what)
        } else if self.dialog.is_some() {
            self.update_dialog(action)
        } else {
            self.act(action)
        };
        effects.extend(self.errands_as_effects());
        effects
    }

    /// Whether an action is about the terminal alone, whatever is on the screen.
    fn leaves(&self, what: Program) -> bool {
        match what {
            Program::Quit => self.recording.is_none(),
            Program::QuitNow | Program::Suspend | Program::Repaint | Program::Resize(..) => true,
            Program::Help
            | Program::Palette
            | Program::Open
            | Program::Edit
            | Program::Theme
            | Program::Mouse
            | Program::Back => false,
        }
    }

    fn act(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Run(what) => return self.run_action(what),
            Action::Time(what) => return self.time_action(what),
            Action::Grid(what) => return self.grid_action(what),
            Action::Move(what) => return self.move_action(what),
            Action::Message(what) => self.message_action(what),
            Action::Runs(what) => return self.runs_action(what),
            Action::Panes(what) => self.panes_action(what),
            Action::Film(what) => return self.film_action(what),
            Action::Program(what) => return self.program_action(what),
            Action::Pointer(what) => return self.pointer_action(what),
            Action::Answer(_) => {}
        }
        Vec::new()
    }

    fn program_action(&mut self, action: Program) -> Vec<Effect> {
        match action {
            Program::Help => self.dialog = Some(Dialog::Help(0)),
            Program::Palette => self.open_palette(),
            Program::Open => {
                let chooser = Chooser::new(&*self.library, &self.update.scenario.name);
                self.dialog = Some(Dialog::Chooser(chooser));
            }
            Program::Edit => {
                return match &self.update.scenario.file {
                    Some(file) => vec![Effect::Edit(file.clone(), None)],
                    None => self.ask(Question::Copy),
                };
            }
            Program::Theme => {
                self.theme = self.theme.next();
                self.say(&format!("theme {}", self.theme.name()));
            }
            Program::Mouse => {
                self.mouse = !self.mouse;
                self.say(if self.mouse { "mouse on" } else { "mouse off" });
                return vec![Effect::Mouse(self.mouse)];
            }
            Program::Back => return self.go_back(),
            Program::Repaint => return vec![Effect::Repaint],
            Program::Suspend => return vec![Effect::Suspend],
            Program::Quit if self.recording.is_some() => {
                self.dialog = Some(Dialog::Confirm(Confirm::Quit));
            }
            Program::Quit | Program::QuitNow => return vec![Effect::Quit],
            Program::Resize(width, height) => {
                self.size = (width, height);
                self.keep_in_sight();
            }
        }
        Vec::new()
    }

    /// Leaves the innermost of what was entered.
    fn go_back(&mut self) -> Vec<Effect> {
        if self.update.state == RunState::Seeking {
            self.say("given up");
            return vec![Effect::Send(Command::Cancel)];
        }
        if let Some(effects) = self.leave_comparison() {
            return effects;
        }
        if self.zen || self.expanded {
            (self.zen, self.expanded) = (false, false);
        } else if self.focus.is_table() {
            self.close_table();
        } else if self.focus == Pane::History {
            self.close_history();
        } else if self.singles.followed.is_some() {
            self.stop_following();
        } else if self.vc.is_some() {
            self.vc = None;
            self.refresh();
        } else {
            self.focus = Pane::Grid;
        }
        self.scroll = 0;
        self.keep_in_sight();
        Vec::new()
    }
}
