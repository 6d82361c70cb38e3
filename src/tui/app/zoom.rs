//! How much of the network is in sight, from where, and how it is summed up.

use super::{App, Effect};
use crate::tui::action::Grid;
use crate::tui::grid::frame::{Frame, Origin, ZOOM_MAX};
use crate::tui::grid::graph::Map;
use crate::tui::grid::heat::TOPS;
use crate::tui::layout::Arrangement;
use crate::tui::view::{Pane, View};

impl App {
    /// Actions that change what the grid shows, and which part of the network.
    pub(super) fn grid_action(&mut self, action: Grid) -> Vec<Effect> {
        match action {
            Grid::View(view) => {
                self.leave_contrast(view);
                match view {
                    View::Waits => self.guest = Pane::Chains,
                    View::Difference => self.guest = Pane::Inspector,
                    View::Occupancy | View::Worms | View::Classes | View::Utilisation => {}
                }
                self.keep_in_sight();
                self.refresh();
            }
            Grid::ZoomIn => self.zoom_by(1),
            Grid::ZoomOut => self.zoom_by(-1),
            Grid::ZoomFit => {
                self.zoom = None;
                self.origin = Origin::default();
                self.keep_in_sight();
            }
            Grid::Origin => self.turn(),
            Grid::Aggregate => {
                self.aggregate = self.aggregate.next();
                self.say(&format!("a pixel of several nodes shows {}", self.aggregate.name()));
            }
            Grid::VcFilter => {
                let all = self.update.scenario.system.switching.virtual_channels();
                self.vc = Some(self.vc.map_or(0, |vc| vc + 1)).filter(|&vc| vc < all);
                self.refresh();
            }
            Grid::Window => return self.next_window(),
        }
        Vec::new()
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

    /// The part of a graph of switches that a grid of this size shows; `None` if it is none, or too
    /// crowded to be drawn.
    pub fn map(&self, size: (u16, u16)) -> Option<Map> {
        let network = &self.update.scenario.system.network;
        Map::new(network, size, self.zoom_of(size), self.origin.corner)
    }

    /// Whether the nodes of the grid are too small for anything but their heat.
    pub(super) fn wants_lens(&self, without: &Arrangement) -> bool {
        let Some(inner) = without.inside(Pane::Grid).filter(|_| !self.plane.is_graph()) else {
            return false;
        };
        self.frame((inner.width, inner.height)).block > 1
    }

    /// Whether one router fills the grid.
    pub fn shows_one_router(&self) -> bool {
        self.zoom.is_some_and(|zoom| zoom >= ZOOM_MAX)
    }

    /// The grid's view as it is on the screen now, if it is there.
    pub fn shown_frame(&self) -> Option<Frame> {
        let inner = self.arrangement().inside(Pane::Grid)?;
        Some(self.frame((inner.width, inner.height)))
    }

    /// One level nearer or farther; what is under the cursor stays in sight.
    pub(super) fn zoom_by(&mut self, by: i8) {
        let zoom = match self.arrangement().inside(Pane::Grid) {
            Some(inner) => self.zoom_of((inner.width, inner.height)),
            None => 2,
        };
        let least = u8::from(self.plane.is_graph());
        self.zoom = Some(zoom.saturating_add_signed(by).clamp(least, ZOOM_MAX));
        self.scroll = 0;
        self.keep_in_sight();
    }

    /// Puts the cursor's node into the middle of the view, or everything back to its place.
    fn turn(&mut self) {
        let Some(frame) = self.shown_frame().filter(|_| !self.plane.is_graph()) else {
            return self.say("there is no ring to turn round");
        };
        let straight = Origin { turn: (0, 0), ..self.origin };
        if frame.origin_at(straight, (frame.from_col, frame.from_row)).turn != (0, 0) {
            self.origin = straight;
            self.say("node (0,0) is back at the corner");
            return self.keep_in_sight();
        }
        let middle = (frame.cols / 2, frame.rows / 2);
        let corner = frame.placing(self.cursor, middle);
        let here = (frame.from_col, frame.from_row);
        if corner == here {
            self.say(if self.plane.wraps_across || self.plane.wraps_along || !frame.whole() {
                "this node is in the middle already"
            } else {
                "this network has edges: there is nothing to turn round"
            });
            return;
        }
        self.origin = frame.origin_at(self.origin, corner);
        let what = match self.origin.turn {
            (0, 0) => "the cursor's node is in the middle",
            _ => "the cursor's node is in the middle, the seam is dashed (O: back)",
        };
        self.say(what);
    }

    /// The heat scale ends lower or higher.
    pub(super) fn scale_heat(&mut self, up: bool) {
        if self.view == View::Difference {
            return self.say("this scale ends at the largest difference");
        }
        let at = TOPS.iter().position(|&top| top >= self.heat_top).unwrap_or(0);
        let at = if up { (at + 1).min(TOPS.len() - 1) } else { at.saturating_sub(1) };
        self.heat_top = TOPS[at];
        self.say(&format!("heat from 0 to {}", self.heat_top));
        self.refresh();
    }
}
