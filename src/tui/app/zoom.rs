//! How much of the network is in sight, from where, and how it is summed up.

use super::App;
use crate::tui::action::Grid;
use crate::tui::grid::frame::{Origin, ZOOM_MAX};
use crate::tui::grid::heat::TOPS;
use crate::tui::layout::Arrangement;
use crate::tui::view::{Pane, View};

impl App {
    pub(super) fn grid_action(&mut self, action: Grid) {
        match action {
            Grid::View(view) => {
                self.leave_contrast(view);
                match view {
                    View::Waits => self.spare_pane = Pane::Chains,
                    View::Difference => self.spare_pane = Pane::Inspector,
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
                let all = self.system().switching.virtual_channels();
                self.vc = Some(self.vc.map_or(0, |vc| vc + 1)).filter(|&vc| vc < all);
                self.refresh();
            }
            Grid::Window => self.next_window(),
        }
    }

    /// Whether the nodes of the grid are too small for anything but their heat.
    pub(super) fn wants_lens(&self, without: &Arrangement) -> bool {
        let Some(inner) = without.inside(Pane::Grid).filter(|_| !self.plane.is_graph()) else {
            return false;
        };
        self.frame((inner.width, inner.height)).block() > 1
    }

    /// One level nearer or farther; what is under the cursor stays in sight.
    pub(super) fn zoom_by(&mut self, by: i8) {
        let zoom = match self.arrangement().inside(Pane::Grid) {
            Some(inner) => self.shown().zoom_of((inner.width, inner.height)),
            None => 2,
        };
        let least = u8::from(self.plane.is_graph());
        self.zoom = Some(zoom.saturating_add_signed(by).clamp(least, ZOOM_MAX));
        self.scroll = 0;
        self.keep_in_sight();
    }

    /// Puts the cursor's node into the middle of the view, or everything back to its place.
    fn turn(&mut self) {
        let Some(frame) = self.shown().shown_frame().filter(|_| !self.plane.is_graph()) else {
            return self.say("there is no ring to turn round");
        };
        let straight = Origin { turn: (0, 0), ..self.origin };
        if frame.origin_at(straight, frame.corner()).turn != (0, 0) {
            self.origin = straight;
            self.say("node (0,0) is back at the corner");
            return self.keep_in_sight();
        }
        let corner = frame.centring(self.cursor);
        if corner == frame.corner() {
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
