//! How the screen is divided, and what part of the network is in sight.

use super::App;
use crate::tui::grid::frame::Frame;
use crate::tui::layout::{Arrangement, Wants, arrange};
use crate::tui::view::{Pane, View};

impl App {
    /// How the screen is divided.
    pub fn arrangement(&self) -> Arrangement {
        let wants = Wants {
            focus: self.focus,
            guest: self.guest,
            expanded: self.expanded,
            zen: self.zen,
            class_rows: match self.update.scenario.system.switching.virtual_channels() {
                _ if self.has_circuits() => crate::tui::panes::circuits::ROWS,
                vcs => vcs.min(8) as u16,
            },
            curve: true,
            table: self.table,
            beside: self.beside(),
        };
        arrange(self.size.0, self.size.1, &wants)
    }

    /// Whether zoom level 0 puts two pixels into a row: not where a character tells a sign.
    pub fn half_rows(&self) -> bool {
        let signs = self.view == View::Worms && self.has_circuits();
        self.theme.has_ramp() && !self.glyphs.ascii && !self.view.is_signed() && !signs
    }

    /// The view onto the plane for a grid whose inside is `width` by `height`.
    pub fn frame(&self, size: (u16, u16)) -> Frame {
        let zoom = self.zoom.unwrap_or_else(|| Frame::fit(&self.plane, size));
        Frame::new(&self.plane, zoom, self.origin, size, self.half_rows())
    }

    /// The grid's view as it is on the screen now, if it is there.
    pub fn shown_frame(&self) -> Option<Frame> {
        let inner = self.arrangement().inside(Pane::Grid)?;
        Some(self.frame((inner.width, inner.height)))
    }
}
