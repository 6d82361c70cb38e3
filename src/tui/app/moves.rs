//! Moving about: the cursor, slices, the mouse, jumps to what matters.

use super::App;
use crate::engine::{CircuitView, HeadState};
use crate::ids::{NodeId, RouterId};
use crate::tui::action::Action;
use crate::tui::grid::graph::Map;
use crate::tui::grid::plane::{Plane, Side};
use crate::tui::layout::inside;
use crate::tui::names::capital;
use crate::tui::panes::links;
use crate::tui::view::{Pane, View};

/// Hot nodes that `n` goes through.
const HOT: usize = 16;

impl App {
    pub(super) fn move_action(&mut self, action: Action) {
        match action {
            Action::Move(side) if self.focus == Pane::Links => self.move_in_links(side, false),
            Action::Page(side) if self.focus == Pane::Links => self.move_in_links(side, true),
            Action::Move(side) if self.focus.scrolls() && !side.is_across() => {
                let step = if side == Side::South { 1 } else { -1 };
                self.scroll = self.scroll.saturating_add_signed(step).min(10_000);
            }
            Action::Page(side) if self.focus.scrolls() && !side.is_across() => {
                let step = if side == Side::South { 8 } else { -8 };
                self.scroll = self.scroll.saturating_add_signed(step).min(10_000);
            }
            Action::Move(side) => self.move_cursor(side, 1),
            Action::Page(side) => {
                let page = self.shown_frame().map_or(4, |frame| {
                    if side.is_across() { frame.cols / 2 } else { frame.rows / 2 }
                });
                self.move_cursor(side, page.max(1));
            }
            Action::SliceDown | Action::SliceUp => self.move_slice(action == Action::SliceUp),
            Action::Next => self.jump(true),
            Action::Previous => self.jump(false),
            Action::Click(x, y) => self.click(x, y),
            Action::Wheel(up, x, y) => self.wheel(up, x, y),
            _ => {}
        }
    }

    fn move_cursor(&mut self, side: Side, by: u32) {
        let block = self.shown_frame().map_or(1, |frame| frame.block);
        for _ in 0..by.saturating_mul(block).min(self.plane.cols.max(self.plane.rows)) {
            if let Some((col, row)) = self.plane.step(self.cursor.0, self.cursor.1, side)
                && self.plane.router(col, row).is_some()
            {
                self.cursor = (col, row);
            }
        }
        self.keep_in_sight();
    }

    fn move_slice(&mut self, up: bool) {
        let slices = self.plane.slices;
        if slices <= 1 {
            self.say("this network has one slice only");
            return;
        }
        let slice = (self.plane.slice + if up { 1 } else { slices - 1 }) % slices;
        self.show_slice(slice);
    }

    fn show_slice(&mut self, slice: u32) {
        if slice != self.plane.slice {
            self.plane = Plane::new(&self.update.scenario.system.network, slice);
        }
    }

    /// Puts the cursor on a router.
    pub(super) fn go_to(&mut self, router: RouterId) {
        let (slice, col, row) = self.plane.place(router);
        self.show_slice(slice);
        self.cursor = (col, row);
        self.keep_in_sight();
    }

    /// The router under the cursor.
    pub fn cursor_router(&self) -> Option<RouterId> {
        self.plane.router(self.cursor.0, self.cursor.1)
    }

    /// Moves the view so that the cursor is in sight.
    pub(super) fn keep_in_sight(&mut self) {
        if let Some(frame) = self.shown_frame() {
            self.origin = frame.follow(self.cursor);
        }
    }

    /// Goes to the next blocked head (by age), or in the heat views to the next hot node.
    fn jump(&mut self, forward: bool) {
        let nobody = format!("no {} is blocked", self.carrier());
        let (goals, nothing) = match self.view {
            View::Occupancy | View::Utilisation => (self.hot_nodes(), "nothing is hot"),
            View::Difference => (self.nodes_off("off the model"), "no link is off the model"),
            View::Contrast => (self.nodes_off("different"), "no link is used differently"),
            _ => (self.blocked_heads(), nobody.as_str()),
        };
        if goals.is_empty() {
            self.say(nothing);
            return;
        }
        let step = if forward { 1 } else { goals.len() - 1 };
        // The first jump goes to the first goal.
        self.hop = if self.hop == usize::MAX { 0 } else { (self.hop + step) % goals.len() };
        let (router, what) = &goals[self.hop];
        let said = format!("{what}, {} of {}", self.hop + 1, goals.len());
        self.go_to(*router);
        self.say(&said);
    }

    fn hot_nodes(&self) -> Vec<(RouterId, String)> {
        self.foremost("hot node", |router| self.heat.router(router))
    }

    /// The nodes whose inputs are farthest off the model, or off the other run.
    fn nodes_off(&self, how: &str) -> Vec<(RouterId, String)> {
        self.foremost(&format!("{how} into"), |router| {
            self.differences.router(router).unsigned_abs()
        })
    }

    /// The routers with the highest levels above 0, and what to say of each.
    fn foremost(&self, what: &str, level: impl Fn(usize) -> u8) -> Vec<(RouterId, String)> {
        let network = &self.update.scenario.system.network;
        let mut found: Vec<(u8, usize)> = (0..network.routers())
            .map(|router| (level(router), router))
            .filter(|&(level, _)| level > 0)
            .collect();
        found.sort_by_key(|&(level, router)| (std::cmp::Reverse(level), router));
        found.truncate(HOT);
        found
            .into_iter()
            .map(|(_, router)| {
                let router = RouterId::new(router);
                (router, format!("{what} {}", network.router_name(router)))
            })
            .collect()
    }

    fn blocked_heads(&self) -> Vec<(RouterId, String)> {
        let times = self.times();
        let snapshot = &self.update.snapshot;
        if self.has_circuits() {
            let waiting = snapshot.circuits.iter().filter(|one| one.wants.is_some());
            let what = |circuit: &CircuitView| {
                let time = times.with_unit(snapshot.cycle.0.saturating_sub(circuit.since.0));
                let name = self.names.call_circuit(snapshot, circuit);
                (circuit.at, format!("{name} waits for {time}"))
            };
            return waiting.map(what).collect();
        }
        let blocked = snapshot.worms.iter().enumerate().filter_map(|(at, worm)| match worm.head {
            HeadState::Blocked(since) => {
                let time = snapshot.cycle.0.saturating_sub(since.0);
                let time = format!("{} {}", times.unit.text(time), times.symbol());
                let name = self.names.call(at, worm);
                Some((worm.head_at, format!("{name} blocked for {time}")))
            }
            _ => None,
        });
        blocked.collect()
    }

    fn click(&mut self, x: u16, y: u16) {
        let arranged = self.arrangement();
        // The last pane under the pointer: shared borders belong to the later one.
        let hit = arranged.panes.iter().rev().find(|(_, rect)| rect.contains((x, y).into()));
        let Some(&(pane, rect)) = hit else { return };
        self.focus = pane;
        let inner = inside(rect);
        if pane == Pane::Links && inner.contains((x, y).into()) {
            let row = usize::from(y - inner.y).checked_sub(links::HEAD);
            if let Some(row) = row {
                self.click_link(row, links::room(inner.height));
            }
        }
        if pane == Pane::Grid && inner.contains((x, y).into()) {
            if self.plane.is_graph() {
                let at = (i32::from(x - inner.x), i32::from(y - inner.y));
                let network = &self.update.scenario.system.network;
                let map = Map::new(network, (inner.width, inner.height));
                if let Some(router) = map.and_then(|map| map.nearest(at.0, at.1)) {
                    self.go_to(router);
                }
                return;
            }
            let frame = self.frame((inner.width, inner.height));
            let at = (i32::from(x - inner.x), i32::from(y - inner.y));
            let (col, row) = frame.node_at(at.0, at.1, self.half_rows());
            if self.plane.router(col, row).is_some() {
                self.cursor = (col, row);
            }
        }
    }

    fn wheel(&mut self, up: bool, x: u16, y: u16) {
        let arranged = self.arrangement();
        let hit = arranged.panes.iter().rev().find(|(_, rect)| rect.contains((x, y).into()));
        match hit {
            Some(&(Pane::Grid, _)) => {
                self.click(x, y);
                self.screen_action(if up { Action::ZoomIn } else { Action::ZoomOut });
            }
            Some(&(Pane::Links, _)) => {
                self.focus = Pane::Links;
                self.choose_link_by(if up { -1 } else { 1 });
            }
            Some(&(pane, _)) if pane.scrolls() => {
                self.focus = pane;
                self.scroll =
                    self.scroll.saturating_add_signed(if up { -1 } else { 1 }).min(10_000);
            }
            _ => {}
        }
    }

    /// Finds `(3,4)`, `3 4`, a router's number, a host as `h12`, or a worm's letter.
    pub(super) fn find(&mut self, text: &str) -> Result<(), String> {
        let text = text.trim();
        let mut letters = text.chars();
        if let (Some(letter), None) = (letters.next(), letters.next()) {
            let letter = letter.to_ascii_uppercase();
            if letter.is_ascii_uppercase() {
                let found = (0..crate::tui::names::LETTERS)
                    .find(|&at| capital(at) == letter)
                    .and_then(|at| self.names.worm(at))
                    .ok_or_else(|| format!("there is no worm {letter} now"))?;
                self.go_to(self.update.snapshot.worms[found].head_at);
                return Ok(());
            }
        }
        let numbers: Result<Vec<u32>, _> = text
            .split(|c: char| !c.is_ascii_digit())
            .filter(|part| !part.is_empty())
            .map(str::parse)
            .collect();
        let numbers = numbers.map_err(|_| format!("{text} is not a place"))?;
        let network = &self.update.scenario.system.network;
        let host = text.starts_with(['h', 'H']) && network.switches().is_some();
        let router = match (numbers.as_slice(), network.grid()) {
            ([host_number], _) if host => ((*host_number as usize) < network.nodes())
                .then(|| network.router_of(NodeId(*host_number))),
            ([], _) => return Err("a place is (3,4), a router's number, or a worm's letter".into()),
            ([number], cube) => {
                let on_ring = cube.filter(|cube| cube.dimensions() == 1);
                on_ring.and_then(|cube| cube.router_at(&[*number])).or_else(|| {
                    ((*number as usize) < network.routers()).then_some(RouterId(*number))
                })
            }
            (place, Some(cube)) => cube.router_at(place),
            (_, None) => None,
        };
        let router = router.ok_or_else(|| format!("{text} lies outside the network"))?;
        self.go_to(router);
        Ok(())
    }
}
