//! A run as the grid shows it: the run, and what of the screen decides how it is drawn.

use std::ops::Deref;

use super::{App, RunView};
use crate::ids::RouterId;
use crate::tui::glyphs::Glyphs;
use crate::tui::grid::frame::{Frame, Origin, ZOOM_MAX};
use crate::tui::grid::graph::Map;
use crate::tui::theme::Theme;
use crate::tui::view::{Aggregate, Pane, View};

/// A run and how it is shown; what is known of the run itself is in [`RunView`], what each of the
/// other fields is in [`App`].
#[derive(Clone, Copy, Debug)]
pub(in crate::tui) struct Shown<'a> {
    pub screen: &'a App,
    pub run: &'a RunView,
    pub theme: Theme,
    pub glyphs: Glyphs,
    pub view: View,
    pub zoom: Option<u8>,
    /// The one VC looked at, if the run has it, or all.
    pub vc: Option<u32>,
    pub cursor: (u32, u32),
    pub origin: Origin,
    pub aggregate: Aggregate,
    pub heat_top: f32,
    pub scroll: u16,
}

impl Deref for Shown<'_> {
    type Target = RunView;

    fn deref(&self) -> &RunView {
        self.run
    }
}

impl<'a> From<&'a App> for Shown<'a> {
    fn from(screen: &'a App) -> Self {
        Self::new(screen, screen)
    }
}

impl From<&Self> for Shown<'_> {
    fn from(shown: &Self) -> Self {
        *shown
    }
}

impl<'a> Shown<'a> {
    /// One of the runs on a screen.
    pub(super) fn new(screen: &'a App, run: &'a RunView) -> Self {
        Self {
            screen,
            run,
            theme: screen.theme,
            glyphs: screen.glyphs,
            view: screen.view,
            zoom: screen.zoom,
            vc: run.own_vc(screen.vc),
            cursor: screen.cursor,
            origin: screen.origin,
            aggregate: screen.aggregate,
            heat_top: screen.heat_top,
            scroll: screen.scroll,
        }
    }

    /// Whether the view is that of the differences between two runs.
    pub fn contrasts(&self) -> bool {
        self.screen.contrasts()
    }

    /// The router under the cursor.
    pub fn cursor_router(&self) -> Option<RouterId> {
        self.plane.router(self.cursor.0, self.cursor.1)
    }

    /// The zoom level of a grid whose inside is of this size.
    pub fn zoom_of(&self, size: (u16, u16)) -> u8 {
        match self.zoom {
            Some(zoom) if self.plane.is_graph() => zoom.max(1),
            Some(zoom) => zoom,
            None if self.plane.is_graph() => 1,
            None => Frame::fit(&self.plane, size),
        }
    }

    /// The view onto the plane for a grid whose inside is `width` by `height`.
    pub fn frame(&self, size: (u16, u16)) -> Frame {
        Frame::new(&self.plane, self.zoom_of(size), self.origin, size, self.half_rows())
    }

    /// The grid's view as it is on the screen now, if it is there.
    pub fn shown_frame(&self) -> Option<Frame> {
        let inner = self.screen.arrangement().inside(Pane::Grid)?;
        Some(self.frame((inner.width, inner.height)))
    }

    /// The part of a graph of switches that a grid of this size shows; `None` if it is none, or too
    /// crowded to be drawn.
    pub fn map(&self, size: (u16, u16)) -> Option<Map> {
        let network = self.network();
        Map::new(network, size, self.zoom_of(size), self.origin.corner)
    }

    /// Whether one router fills the grid.
    pub fn shows_one_router(&self) -> bool {
        self.zoom.is_some_and(|zoom| zoom >= ZOOM_MAX)
    }

    /// Whether zoom level 0 puts two pixels into a row: not where a character tells a sign.
    pub fn half_rows(&self) -> bool {
        let signs = self.view == View::Worms && self.has_circuits();
        self.theme.has_ramp() && !self.glyphs.ascii && self.view != View::Difference && !signs
    }
}

impl App {
    /// The active run.
    pub(in crate::tui) fn shown(&self) -> Shown<'_> {
        self.into()
    }

    /// The router under the cursor.
    pub fn cursor_router(&self) -> Option<RouterId> {
        self.shown().cursor_router()
    }

    /// The grid's view onto the plane, where its inside is of this size.
    pub(in crate::tui) fn frame(&self, size: (u16, u16)) -> Frame {
        self.shown().frame(size)
    }
}
