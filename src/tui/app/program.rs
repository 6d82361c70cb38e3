//! Dispatches actions, arranges panes, and handles `Esc` and quitting.

use super::copying::text_in_focus;
use super::{App, Confirm, Dialog, Effect};
use crate::ids::RouterId;
use crate::live::{Command, RunState};
use crate::tui::action::{Action, Panes, Pointer, Program, Runs};
use crate::tui::layout::{Arrangement, Class, LayoutInput, PaneState, Preset, class_of};
use crate::tui::palette::commands::What;
use crate::tui::panes::inspector;
use crate::tui::run_view::RunView;
use crate::tui::scene::Scene;
use crate::tui::theme::Theme;
use crate::tui::view::{Filter, Pane};

impl App {
    /// Executes an action; returns the resulting requests to the caller.
    pub fn update(&mut self, action: impl Into<Action>) -> Vec<Effect> {
        let action = action.into();
        let resized = matches!(action, Action::Program(Program::Resize(..)));
        if !resized && action != Pointer::Release.into() {
            self.note = None;
        }
        if !resized && self.dialog.take_if(|it| matches!(it, Dialog::Card)).is_some() {
            // The key also closes the card.
            if action == Program::Back.into() {
                return self.effects();
            }
        }
        let leaves = matches!(action, Action::Program(what) if self.leaves(what));
        if self.dialog.is_some() && !leaves {
            self.dialog_action(action);
        } else {
            self.act(action);
        }
        self.look_on_tour();
        self.measure();
        self.effects()
    }

    /// True for actions on the terminal itself, executed even in a dialog.
    fn leaves(&self, what: Program) -> bool {
        use Program::{Quit, QuitNow, Repaint, Resize, Suspend};
        let quits = what == Quit && self.recording.is_none();
        quits || matches!(what, QuitNow | Suspend | Repaint | Resize(..))
    }

    /// Executes an action while no dialog is open.
    pub(super) fn act(&mut self, action: Action) {
        match action {
            Action::Run(what) => self.run_action(what),
            Action::Time(what) => self.time_action(what),
            Action::Grid(what) => self.grid_action(what),
            Action::Move(what) => self.move_action(what),
            Action::Runs(what) => self.runs_action(what),
            Action::Panes(what) => self.panes_action(what),
            Action::Program(what) => self.program_action(what),
            Action::Tour(what) => self.tour_action(what),
            Action::Study(what) => self.study_action(what),
            Action::Pointer(what) if self.shown_study().is_some() => self.study_pointer(what),
            Action::Pointer(what) => self.pointer_action(what),
            Action::Answer(_) => {}
        }
    }

    fn program_action(&mut self, action: Program) {
        match action {
            Program::Help => self.open_help(),
            Program::Palette => self.open_palette(),
            Program::Open => self.open_chooser(false),
            Program::Edit => match &self.update.scenario.file {
                Some(file) => self.effects.push(Effect::Edit(file.clone(), None)),
                None => self.ask(What::Copy),
            },
            Program::Record if self.recording.is_some() => self.effects.push(Effect::EndRecording),
            Program::Record => self.ask(What::Recording),
            Program::Picture => self.ask(What::Picture),
            Program::Copy => {
                let text = text_in_focus(&self.shown()).or_else(|| self.selected_name());
                if let Some(text) = text {
                    self.notify(&format!("copied {}", text.replace('\n', ", ")));
                    self.effects.push(Effect::Copy(text));
                }
            }
            Program::Theme => self.set_theme(self.looks.after(self.theme)),
            Program::Mouse => {
                self.mouse = !self.mouse;
                self.notify(if self.mouse { "mouse on" } else { "mouse off" });
                self.effects.push(Effect::Mouse(self.mouse));
            }
            Program::Back => self.go_back(),
            Program::Repaint => self.effects.push(Effect::Repaint),
            Program::Suspend => self.effects.push(Effect::Suspend),
            Program::Quit if self.recording.is_some() => {
                self.dialog = Some(Dialog::Confirm(Confirm::Quit));
            }
            Program::Quit | Program::QuitNow => self.effects.push(Effect::Quit),
            Program::Resize(width, height) => {
                self.size = (width, height);
                self.keep_in_sight();
            }
        }
    }

    pub(super) fn set_theme(&mut self, theme: Theme) {
        self.theme = theme;
        self.notify(&format!("theme {}", theme.name()));
    }

    /// Leaves the innermost mode.
    fn go_back(&mut self) {
        if self.leave_mode() {
            return;
        }
        if self.panes.focus == Pane::Grid && self.other().is_some() {
            let what = if self.contrasts() { Runs::Contrast } else { Runs::Compare };
            return self.runs_action(what);
        }
        if self.panes.focus == Pane::Grid && self.study.is_some() {
            return self.show_study();
        }
        self.panes.focus = Pane::Grid;
        self.panes.scroll = 0;
        self.keep_in_sight();
    }

    /// Ends a search, a full screen, a table, the history, following or a filter, in this order;
    /// returns false without any.
    pub(super) fn leave_mode(&mut self) -> bool {
        if self.update.state == RunState::Seeking {
            self.notify("given up");
            self.send(Command::Cancel);
            return true;
        }
        if self.panes.zen || self.panes.expanded {
            (self.panes.zen, self.panes.expanded) = (false, false);
        } else if self.panes.focus.is_table() {
            self.close_table();
        } else if self.panes.focus == Pane::History {
            self.close_history();
        } else if self.tracking.followed.is_some() {
            self.stop_following();
        } else if self.map.filter != Filter::default() {
            self.map.filter = Filter::default();
            self.refresh();
        } else {
            return false;
        }
        self.panes.scroll = 0;
        self.keep_in_sight();
        true
    }
}

impl App {
    /// The panes to arrange; `lens` is added later if the network is crowded.
    fn layout_input(&self) -> LayoutInput {
        let vcs = self.system().switching.virtual_channels();
        LayoutInput {
            panes: self.panes,
            class_rows: self.words().class_rows.unwrap_or(vcs.min(8) as u16),
            runs: self.runs.len() as u16,
            networks: if self.contrasts() { 1 } else { self.runs.len() as u16 },
            active: self.active as u16,
            lens: false,
            card: matches!(self.dialog, Some(Dialog::Card)),
            tour: self.guide().is_some(),
        }
    }

    /// The active run as shown on the screen.
    pub(in crate::tui) fn shown(&self) -> Scene<'_> {
        self.shown_of(self)
    }

    /// A run as shown on the screen.
    pub(in crate::tui) fn shown_of<'a>(&'a self, run: &'a RunView) -> Scene<'a> {
        Scene {
            run,
            runs: &self.runs,
            plane: &run.plane,
            theme: self.theme,
            glyphs: self.glyphs,
            map: self.map,
            size: self.size,
            layout: self.layout_input(),
            links: self.links,
            messages: &self.messages,
            followed: self.tracking.followed,
            pointed: self.tracking.pointed,
            history: self.tracking.history,
            swept: self.swept(),
            guide: self.guide(),
            planned: self.planned.as_ref().filter(|it| it.is_of(&run.update.scenario)),
            contrasts: self.contrasts(),
            conceals: self.conceals(),
        }
    }

    pub(in crate::tui) fn arrangement(&self) -> Arrangement {
        self.shown().arrangement()
    }

    /// The router under the cursor.
    pub fn cursor_router(&self) -> Option<RouterId> {
        self.plane.router(self.map.cursor.0, self.map.cursor.1)
    }

    /// Counts the lines of the inspector, for a pane as tall as its text.
    pub(super) fn measure(&mut self) {
        let all = class_of(self.size.0, self.size.1) == Class::Large;
        let inner = self.arrangement().inside(Pane::Inspector);
        let lines = inner.map(|it| inspector::said(&self.shown(), usize::from(it.width) - 2, all));
        self.panes.told = lines.map_or(0, |lines| lines.min(100) as u16);
    }

    pub(super) fn panes_action(&mut self, action: Panes) {
        match action {
            Panes::Layout => self.arrange_as(self.panes.preset.next()),
            Panes::FocusNext => self.move_focus(true),
            Panes::FocusPrevious => self.move_focus(false),
            Panes::Inspect => self.focus_on(Pane::Inspector),
            Panes::Terms => self.focus_on(Pane::Terms),
            Panes::Tables => self.next_table(),
            Panes::SortTable => self.sort_table(true),
            Panes::Expand => self.panes.expanded = !self.panes.expanded && !self.panes.zen,
            Panes::Zen => {
                self.panes.zen = !self.panes.zen;
                self.panes.focus = Pane::Grid;
                self.panes.expanded = false;
                self.keep_in_sight();
            }
        }
    }

    pub(super) fn arrange_as(&mut self, preset: Preset) {
        self.panes.preset = preset;
        self.notify(&format!("layout {}: {}", preset.name(), preset.about()));
        self.keep_in_sight();
    }

    /// Moves the focus to the next visible pane, column by column, or to the one before. Alone on the
    /// screen, a pane is replaced by the next of all.
    fn move_focus(&mut self, forward: bool) {
        let panes = PaneState { expanded: false, zen: false, ..self.panes };
        let layout = LayoutInput { panes, ..self.layout_input() };
        let mut placed = Scene { layout, ..self.shown() }.arrangement().panes;
        placed.sort_by_key(|(_, rect)| (rect.x, rect.y));
        let mut order: Vec<Pane> = placed.into_iter().map(|(pane, _)| pane).collect();
        if order.len() < 2 || self.panes.expanded {
            let tour = self.guide().is_some();
            order = Pane::ALL.iter().copied().filter(|&it| it != Pane::Tour || tour).collect();
        }
        let at = order.iter().position(|&pane| pane == self.panes.focus).unwrap_or(0);
        let by = if forward { 1 } else { order.len() - 1 };
        self.focus_on(order[(at + by) % order.len()]);
    }

    pub(in crate::tui) fn focus_on(&mut self, pane: Pane) {
        self.panes.focus = pane;
        self.panes.scroll = 0;
        self.panes.zen = false;
        if pane.is_table() {
            self.panes.table = Some(pane);
        }
        if !self.panes.expanded && self.arrangement().pane(pane).is_none() {
            self.panes.spare_pane = pane;
        }
        self.keep_in_sight();
    }
}
