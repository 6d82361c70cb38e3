//! Handles the mouse.
//!
//! A click chooses, a double click inspects, dragging pans the network or selects text, and the wheel
//! zooms. Each action has an equivalent key.

use super::{App, Effect};
use crate::tui::action::{Panes, Pointer};
use crate::tui::grid::frame::Origin;
use crate::tui::grid::graph::map::Map;
use crate::tui::layout::{inside, within};
use crate::tui::panes::{lens, table};
use crate::tui::selection::Selection;
use crate::tui::view::Pane;
use ratatui::layout::Rect;

/// A drag with the mouse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drag {
    /// The network is moved: pointer position and view at the beginning.
    Pan { at: (u16, u16), origin: Origin },
    /// Text is selected.
    Select(Selection),
}

impl App {
    /// Executes a mouse action; a click on the timeline seeks.
    pub(super) fn pointer_action(&mut self, action: Pointer) {
        match action {
            Pointer::Click(x, y) => {
                // A click in another run's grid activates the run first.
                while self.arrangement().others.iter().any(|it| it.contains((x, y).into())) {
                    self.next_run();
                }
                self.click_or_seek(x, y);
            }
            Pointer::DoubleClick(x, y) => {
                if self.seek_on_timeline(x, y) {
                    return;
                }
                self.click(x, y);
                match self.pane_at(x, y) {
                    // Double click on a title or border: expand the pane, or restore all panes.
                    Some((_, rect)) if !inside(rect).contains((x, y).into()) => {
                        self.panes_action(Panes::Expand);
                    }
                    Some((Pane::Grid | Pane::Lens, _)) => self.panes_action(Panes::Inspect),
                    Some(_) | None => {}
                }
            }
            Pointer::Drag(x, y) => match &mut self.drag {
                Some(Drag::Pan { at, origin }) => {
                    let drag = (*at, *origin);
                    self.pan(drag, (x, y));
                }
                Some(Drag::Select(selection)) => selection.extend((x, y)),
                None => self.click_or_seek(x, y),
            },
            Pointer::Release => {
                let selection = self.selection().copied();
                self.drag = None;
                if let Some(selection) = selection.filter(|selection| !selection.is_empty()) {
                    self.effects.push(Effect::CopySelection(selection));
                }
            }
            Pointer::Wheel(up, x, y) => {
                // Both grids share one zoom: a position in the other grid is mapped to the active
                // grid.
                let arranged = self.arrangement();
                let other = arranged.others.iter().find(|rect| rect.contains((x, y).into()));
                let (x, y) = match other.zip(arranged.pane(Pane::Grid)) {
                    Some((there, here)) => (x - there.x + here.x, y - there.y + here.y),
                    None => (x, y),
                };
                self.wheel(up, x, y);
            }
        }
    }

    fn click_or_seek(&mut self, x: u16, y: u16) {
        if !self.seek_on_timeline(x, y) {
            self.click(x, y);
        }
    }

    /// Returns the pane at a position; a shared border belongs to the later pane.
    fn pane_at(&self, x: u16, y: u16) -> Option<(Pane, Rect)> {
        let panes = self.arrangement().panes;
        panes.into_iter().rev().find(|(_, rect)| rect.contains((x, y).into()))
    }

    fn click(&mut self, x: u16, y: u16) {
        self.drag = None;
        let Some((pane, rect)) = self.pane_at(x, y) else { return };
        self.panes.focus = pane;
        let inner = within(pane, rect);
        if !inner.contains((x, y).into()) {
            return;
        }
        let at = (i32::from(x - inner.x), i32::from(y - inner.y));
        if pane.is_table() {
            if let Some(row) = usize::from(y - inner.y).checked_sub(table::HEAD) {
                self.click_row(row, table::room(inner.height));
            }
        } else if pane == Pane::Grid {
            self.drag = Some(Drag::Pan { at: (x, y), origin: self.map.origin });
            self.click_node(at, (inner.width, inner.height));
        } else if pane == Pane::Lens
            && let Some(router) = lens::router_at(&self.shown(), at, (inner.width, inner.height))
        {
            self.go_to(router);
        }
        if !matches!(pane, Pane::Grid | Pane::Lens) {
            self.drag = Some(Drag::Select(Selection::begin(inner, (x, y))));
        }
    }

    /// The text selected by dragging.
    pub(in crate::tui) fn selection(&self) -> Option<&Selection> {
        match &self.drag {
            Some(Drag::Select(selection)) => Some(selection),
            Some(Drag::Pan { .. }) | None => None,
        }
    }

    fn click_node(&mut self, at: (i32, i32), size: (u16, u16)) {
        if self.plane.is_graph() {
            let found = self.shown().map(size).and_then(|map| map.nearest(at.0, at.1));
            if let Some(router) = found.filter(|_| self.shown().zoom_of(size) <= Map::ZOOM_MAX) {
                self.go_to(router);
            }
            return;
        }
        let at = self.show_slice_at(at, size);
        let (col, row) = self.shown().frame(size).node_at(at.0, at.1, self.shown().half_rows());
        if self.plane.router(col, row).is_some() {
            self.map.cursor = (col, row);
        }
    }

    /// Selects the slice at a position and returns the position within the slice.
    fn show_slice_at(&mut self, at: (i32, i32), size: (u16, u16)) -> (i32, i32) {
        let Some(tiles) = self.shown().tiles(size) else { return at };
        let (slice, at) = tiles.at(at);
        self.show_slice(slice);
        at
    }

    /// Pans by the pointer's movement; the cursor stays in the visible part.
    fn pan(&mut self, (at, origin): ((u16, u16), Origin), (x, y): (u16, u16)) {
        let Some(size) = self.shown().grid_size() else { return };
        let (right, down) = (i32::from(x) - i32::from(at.0), i32::from(y) - i32::from(at.1));
        if self.plane.is_graph() {
            let Some(map) = self.shown().map(size) else { return };
            self.map.origin.corner = map.panned(origin.corner, (right, down));
            let Some(map) = self.shown().map(size) else { return };
            if let Some(router) = self.cursor_router().and_then(|it| map.nearest_in_sight(it)) {
                self.set_cursor(router);
            }
            return;
        }
        self.map.origin = origin;
        let frame = self.shown().frame(size);
        let down = if frame.zoom == 0 && self.shown().half_rows() { 2 * down } else { down };
        let corner = frame.moved(right, down);
        self.map.origin = frame.origin_at(self.map.origin, corner);
        self.map.cursor = self.shown().frame(size).nearest_in_sight(self.map.cursor);
    }

    fn wheel(&mut self, up: bool, x: u16, y: u16) {
        match self.pane_at(x, y) {
            Some((Pane::Grid, rect)) => self.zoom_about(up, (x, y), within(Pane::Grid, rect)),
            Some((pane, _)) if pane.is_table() => {
                self.panes.focus = pane;
                self.choose_by(if up { -1 } else { 1 });
            }
            Some((pane, _)) if pane.scrolls() => {
                self.panes.focus = pane;
                self.scroll_by(if up { -1 } else { 1 });
            }
            _ => {}
        }
    }

    /// Zooms and keeps the node under the pointer in place, as far as the edges allow.
    fn zoom_about(&mut self, up: bool, (x, y): (u16, u16), inner: Rect) {
        self.panes.focus = Pane::Grid;
        let by = if up { 1 } else { -1 };
        if !inner.contains((x, y).into()) {
            return self.zoom_by(by);
        }
        let size = (inner.width, inner.height);
        let at = (i32::from(x - inner.x), i32::from(y - inner.y));
        if self.plane.is_graph() {
            self.click_node(at, size);
            self.zoom_by(by);
            if let Some((map, router)) = self.shown().map(size).zip(self.cursor_router()) {
                self.map.origin.corner = map.placing(router, at);
                self.keep_in_sight();
            }
            return;
        }
        let from = self.show_slice_at(at, size);
        let node = self.shown().frame(size).node_at(from.0, from.1, self.shown().half_rows());
        self.zoom_by(by);
        let after = self.shown().frame(size);
        let corner = after.placing(node, after.seat_at(at.0, at.1, self.shown().half_rows()));
        if !after.whole() {
            self.map.origin = after.origin_at(self.map.origin, corner);
        }
        self.map.cursor = self.shown().frame(size).nearest_in_sight(self.map.cursor);
    }
}
