//! The panes: how the screen is divided among them, which one is in focus.

use super::App;
use crate::tui::action::Panes;
use crate::tui::layout::{Arrangement, Preset, Wants, arrange};
use crate::tui::panes::classes::CIRCUIT_ROWS;
use crate::tui::view::Pane;

impl App {
    /// How the screen is divided.
    pub(in crate::tui) fn arrangement(&self) -> Arrangement {
        let mut wants = Wants {
            focus: self.focus,
            guest: self.spare_pane,
            expanded: self.expanded,
            zen: self.zen,
            class_rows: match self.system().switching.virtual_channels() {
                _ if self.has_circuits() => CIRCUIT_ROWS,
                vcs => vcs.min(8) as u16,
            },
            table: self.table,
            runs: self.runs.len() as u16,
            networks: if self.contrasts() { 1 } else { self.runs.len() as u16 },
            active: self.active as u16,
            preset: self.preset,
            lens: false,
        };
        let arranged = arrange(self.size.0, self.size.1, &wants);
        wants.lens = self.wants_lens(&arranged);
        if wants.lens { arrange(self.size.0, self.size.1, &wants) } else { arranged }
    }

    pub(super) fn panes_action(&mut self, action: Panes) {
        match action {
            Panes::Layout => self.arrange_as(self.preset.next()),
            Panes::FocusNext => self.move_focus(1),
            Panes::FocusPrevious => self.move_focus(Pane::ALL.len() - 1),
            Panes::Inspect => self.focus_on(Pane::Inspector),
            Panes::Terms => self.focus_on(Pane::Terms),
            Panes::Tables => self.next_table(),
            Panes::SortTable => self.sort_table(true),
            Panes::Expand => self.expanded = !self.expanded && !self.zen,
            Panes::Zen => {
                self.zen = !self.zen;
                self.focus = Pane::Grid;
                self.expanded = false;
                self.keep_in_sight();
            }
        }
    }

    /// Arranges the panes in another way.
    pub(super) fn arrange_as(&mut self, preset: Preset) {
        self.preset = preset;
        self.say(&format!("layout {}: {}", preset.name(), preset.about()));
        self.keep_in_sight();
    }

    fn move_focus(&mut self, by: usize) {
        let at = Pane::ALL.iter().position(|&pane| pane == self.focus).unwrap_or(0);
        self.focus_on(Pane::ALL[(at + by) % Pane::ALL.len()]);
    }

    pub(super) fn focus_on(&mut self, pane: Pane) {
        self.focus = pane;
        self.scroll = 0;
        self.zen = false;
        if pane.is_table() {
            self.table = Some(pane);
        }
        if !self.expanded && self.arrangement().pane(pane).is_none() {
            self.spare_pane = pane;
        }
        self.keep_in_sight();
    }
}
