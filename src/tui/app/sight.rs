//! How the screen is divided.

use super::App;
use crate::tui::layout::{Arrangement, Wants, arrange};
use crate::tui::panes::circuits;
use crate::tui::view::View;

impl App {
    /// How the screen is divided.
    pub fn arrangement(&self) -> Arrangement {
        let mut wants = Wants {
            focus: self.focus,
            guest: self.guest,
            expanded: self.expanded,
            zen: self.zen,
            class_rows: match self.update.scenario.system.switching.virtual_channels() {
                _ if self.has_circuits() => circuits::ROWS,
                vcs => vcs.min(8) as u16,
            },
            table: self.table,
            beside: self.beside(),
            preset: self.preset,
            lens: false,
        };
        let arranged = arrange(self.size.0, self.size.1, &wants);
        wants.lens = self.wants_lens(&arranged);
        if wants.lens { arrange(self.size.0, self.size.1, &wants) } else { arranged }
    }

    /// Whether zoom level 0 puts two pixels into a row: not where a character tells a sign.
    pub fn half_rows(&self) -> bool {
        let signs = self.view == View::Worms && self.has_circuits();
        self.theme.has_ramp() && !self.glyphs.ascii && self.view != View::Difference && !signs
    }
}
