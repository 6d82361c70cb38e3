//! Moves the cursor and the view: steps, slices, jumps, zoom.

use std::sync::Arc;

use super::App;
use crate::engine::messages::Activity;
use crate::engine::{CircuitState, HeadState};
use crate::ids::{Letter, MessageId, NodeId, RouterId};
use crate::live::RunState;
use crate::tui::action::{Grid, Move};
use crate::tui::carrier::Carrier;
use crate::tui::grid::frame::Origin;
use crate::tui::grid::heat::TOPS;
use crate::tui::grid::plane::Side;
use crate::tui::names::{capital, dimension_digit, dimension_of};
use crate::tui::palette::commands::What;
use crate::tui::pen::plural;
use crate::tui::states;
use crate::tui::view::{Pane, View};

/// Averaging windows of `w`, in cycles.
const WINDOWS: [u64; 4] = [64, 256, 1024, 4096];
/// Maximum number of hot nodes visited by `n`.
const HOT: usize = 16;

/// The target of a jump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A blocked message; the jump leads to its head.
    Message(MessageId),
    Router(RouterId),
}

struct Goal {
    what: Target,
    at: RouterId,
    words: String,
}

impl App {
    pub(super) fn move_action(&mut self, action: Move) {
        match action {
            Move::Move(side) | Move::Page(side) => {
                let page = matches!(action, Move::Page(_));
                let lines = if page { 8 } else { 1 };
                // Paging scrolls the table of a single router, if shown.
                let scrolls = self.panes.focus.scrolls() || page && self.shown().shows_one_router();
                if self.panes.focus.is_table() {
                    self.move_in_table(side, lines as isize);
                } else if scrolls && !side.is_across() {
                    self.scroll_by(if side == Side::South { lines } else { -lines });
                } else if page {
                    let page = self.shown().shown_frame().map_or(4, |frame| {
                        if side.is_across() {
                            frame.across.shown / 2
                        } else {
                            frame.along.shown / 2
                        }
                    });
                    self.move_cursor(side, page.max(1));
                } else {
                    self.move_cursor(side, 1);
                }
            }
            Move::SliceDown => self.move_slice(false),
            Move::SliceUp => self.move_slice(true),
            Move::Next => self.jump(true),
            Move::Previous => self.jump(false),
            Move::Queue => self.jump_among(&self.longest_queues(), "no message waits", true),
            Move::Find => self.ask(What::Place),
            Move::Follow => self.toggle_follow(),
            Move::Pin => self.pin(),
            Move::History => self.toggle_history(),
            Move::Cross if self.hypercube().is_some() => self.ask(What::Dimension),
            Move::Cross => self.notify("only a hypercube has dimensions to cross"),
        }
    }

    pub(super) fn scroll_by(&mut self, lines: i16) {
        self.panes.scroll = self.panes.scroll.saturating_add_signed(lines).min(10_000);
    }

    fn move_cursor(&mut self, side: Side, by: u32) {
        let block = self.shown().shown_frame().map_or(1, |frame| frame.block());
        for _ in 0..by.saturating_mul(block).min(self.plane.cols.max(self.plane.rows)) {
            if let Some((col, row)) = self.plane.step(self.map.cursor.0, self.map.cursor.1, side)
                && self.plane.router(col, row).is_some()
            {
                self.map.cursor = (col, row);
            }
        }
        self.panes.scroll = 0;
        self.keep_in_sight();
    }

    fn move_slice(&mut self, up: bool) {
        let slices = self.plane.slices;
        if slices <= 1 {
            return self.scale_heat(up);
        }
        let slice = (self.plane.slice + if up { 1 } else { slices - 1 }) % slices;
        self.show_slice(slice);
    }

    pub(super) fn show_slice(&mut self, slice: u32) {
        self.runs.iter_mut().for_each(|run| run.show_slice(slice));
    }

    pub(in crate::tui) fn go_to(&mut self, router: RouterId) {
        self.set_cursor(router);
        self.keep_in_sight();
    }

    /// Puts the cursor on a router without moving the view.
    pub(super) fn set_cursor(&mut self, router: RouterId) {
        let (slice, col, row) = self.plane.place(router);
        self.show_slice(slice);
        self.map.cursor = (col, row);
    }

    pub(super) fn keep_in_sight(&mut self) {
        let Some(size) = self.shown().grid_size() else { return };
        self.map.origin.corner = if self.plane.is_graph() {
            let Some((map, router)) = self.shown().map(size).zip(self.cursor_router()) else {
                return;
            };
            map.follow(router)
        } else {
            self.shown().frame(size).follow(self.map.origin.corner, self.map.cursor)
        };
    }

    /// Jumps to the next blocked head (longest wait first), or in heat views to the next hot node.
    fn jump(&mut self, forward: bool) {
        let nobody = format!("no {} is blocked", self.carrier());
        let (goals, nothing) = match self.map.view {
            View::Occupancy | View::Utilisation | View::Routed => {
                (self.hot_nodes(), "nothing is hot")
            }
            View::Difference if self.contrasts() => {
                (self.nodes_off("different"), "no link is used differently")
            }
            View::Difference => (self.nodes_off("off the model"), "no link is off the model"),
            View::Worms | View::Classes | View::Waits => (self.blocked_heads(), nobody.as_str()),
        };
        self.jump_among(&goals, nothing, forward);
    }

    /// Jumps to the goal after or before the last; shows `nothing` if the list is empty.
    fn jump_among(&mut self, goals: &[Goal], nothing: &str, forward: bool) {
        if goals.is_empty() {
            return self.notify(nothing);
        }
        // Continue after the last goal at its present rank; otherwise begin with the first.
        let before =
            self.motion.last_jump.and_then(|last| goals.iter().position(|goal| goal.what == last));
        let at = match (before, forward) {
            (None, true) => 0,
            (Some(at), true) => (at + 1) % goals.len(),
            (before, false) => (before.unwrap_or(0) + goals.len() - 1) % goals.len(),
        };
        let Goal { what, at: router, words } = &goals[at];
        let runs = matches!(what, Target::Message(_)) && self.update.state == RunState::Running;
        let still = if runs { " (Space pauses)" } else { "" };
        let said = format!("{words}: {} of {}{still}", at + 1, goals.len());
        self.motion.last_jump = Some(*what);
        match *what {
            Target::Message(name) => {
                self.point_at(name, *router);
                // The chains pane explains the wait.
                if self.panes.focus != self.panes.spare_pane {
                    self.panes.spare_pane = Pane::Chains;
                }
            }
            Target::Router(_) => self.go_to(*router),
        }
        self.notify(&said);
    }

    /// Routers with the most messages waiting at their sources.
    fn longest_queues(&self) -> Vec<Goal> {
        let mut waiting = vec![0; self.network().routers()];
        for (node, queue) in self.snapshot().queues.iter().enumerate() {
            waiting[self.network().router_of(NodeId::new(node)).index()] += queue;
        }
        let words = |waiting, name| format!("{} at {name}", plural(waiting, "waiting message"));
        self.foremost(words, |router| waiting[router])
    }

    fn hot_nodes(&self) -> Vec<Goal> {
        self.foremost(|_, name| format!("hot node {name}"), |router| self.heat.router(router))
    }

    /// Nodes with the largest difference of an input from the model, or from the other run.
    fn nodes_off(&self, how: &str) -> Vec<Goal> {
        self.foremost(
            |_, name| format!("{how} into {name}"),
            |router| self.differences.router(router).unsigned_abs(),
        )
    }

    /// Routers with the highest levels above 0, each with its description.
    fn foremost<L: Ord + Copy + Default>(
        &self,
        words: impl Fn(L, String) -> String,
        level: impl Fn(usize) -> L,
    ) -> Vec<Goal> {
        let network = self.network();
        let mut found: Vec<(L, usize)> = (0..network.routers())
            .map(|router| (level(router), router))
            .filter(|&(level, _)| level > L::default())
            .collect();
        found.sort_by_key(|&(level, router)| (std::cmp::Reverse(level), router));
        found.truncate(HOT);
        found
            .into_iter()
            .map(|(level, router)| {
                let at = RouterId::new(router);
                let words = words(level, network.router_name(at));
                Goal { what: Target::Router(at), at, words }
            })
            .collect()
    }

    fn blocked_heads(&self) -> Vec<Goal> {
        let (times, now) = (self.times(), self.snapshot().cycle.0);
        let goal = |carrier: Carrier| {
            let (does, since) = match carrier.activity {
                Activity::Circuit(
                    state @ (CircuitState::Waiting | CircuitState::Stopped),
                    since,
                ) => (states::name(state), since),
                Activity::Worm(HeadState::Blocked(since)) => ("blocked", since),
                Activity::Circuit(..) | Activity::Worm(_) => return None,
            };
            let waited = times.with_unit(now.saturating_sub(since.0));
            let how = format!("{does} for {waited}, since {}", times.now(since.0));
            let words = format!("{} {how}", self.call_carrier(carrier));
            let goal = Goal { what: Target::Message(carrier.name), at: carrier.at, words };
            Some((carrier.activity.blocked_since(), goal))
        };
        let mut goals: Vec<_> = self.carriers().filter_map(goal).collect();
        goals.sort_by_key(|&(since, _)| since);
        goals.into_iter().map(|(_, goal)| goal).collect()
    }

    /// Jumps to a place in the format of
    /// [`Network::router_named`](crate::topology::Network::router_named), to a worm by its label,
    /// or to a message by its name.
    pub(super) fn find(&mut self, text: &str) -> Result<(), String> {
        let text = text.trim();
        let network = Arc::clone(self.network());
        let snapshot = self.snapshot();
        let worms = snapshot.worms.iter().map(Carrier::from);
        let mut lettered = worms.chain(snapshot.circuits.iter().map(Carrier::from));
        let is = |letter: Letter| capital(letter).eq_ignore_ascii_case(text);
        let name = match lettered.find(|carrier| carrier.letter.is_some_and(is)) {
            _ if text.contains('#') => Some(network.message_named(text)?),
            found => found.map(|it| it.name),
        };
        if let Some(name) = name {
            self.find_message(name);
            return Ok(());
        }
        if let [letter] = text.as_bytes()
            && letter.is_ascii_alphabetic()
        {
            let letter = text.to_ascii_uppercase();
            return Err(format!("there is no {} {letter} now", self.carrier()));
        }
        let router = network.router_named(text).map_err(|error| match text {
            "" => "a place as (3,4), a letter, or a message as 12#4".to_owned(),
            _ => error,
        })?;
        self.go_to(router);
        Ok(())
    }

    /// Moves the cursor across a dimension of a hypercube, given as a digit: the new node's address
    /// differs in one bit.
    pub(super) fn cross(&mut self, text: &str) -> Result<(), String> {
        let Some((cube, here)) = self.hypercube().zip(self.cursor_router()) else {
            return Err("this is no hypercube".to_owned());
        };
        let last = dimension_digit(cube.dimensions() - 1);
        let mut letters = text.trim().chars();
        let dimension = match (letters.next(), letters.next()) {
            (Some(letter), None) => dimension_of(letter).filter(|&it| it < cube.dimensions()),
            _ => None,
        };
        let dimension = dimension.ok_or_else(|| format!("dimensions are 0 to {last}"))?;
        let there = RouterId(here.0 ^ 1 << dimension);
        self.go_to(there);
        let network = self.network();
        let (from, to) = (network.router_name(here), network.router_name(there));
        self.notify(&format!("dimension {text}: {from}{}{to}", self.glyphs.to));
        Ok(())
    }
}

impl App {
    pub(super) fn grid_action(&mut self, action: Grid) {
        match action {
            Grid::View(view) => {
                self.leave_contrast(view);
                match view {
                    View::Waits => self.panes.spare_pane = Pane::Chains,
                    View::Difference => self.panes.spare_pane = Pane::Inspector,
                    View::Occupancy
                    | View::Worms
                    | View::Classes
                    | View::Utilisation
                    | View::Routed => {}
                }
                self.keep_in_sight();
                self.refresh();
            }
            Grid::ZoomIn => self.zoom_by(1),
            Grid::ZoomOut => self.zoom_by(-1),
            Grid::ZoomFit => {
                self.map.zoom = None;
                self.map.origin = Origin::default();
                self.keep_in_sight();
            }
            Grid::Origin => self.turn(),
            Grid::Aggregate => {
                self.map.aggregate = self.map.aggregate.next();
                self.notify(&format!(
                    "a pixel of several nodes shows {}",
                    self.map.aggregate.name()
                ));
            }
            Grid::VcFilter => {
                let vcs = self.system().switching.virtual_channels();
                self.map.filter = self.map.filter.next_vc(vcs);
                self.refresh();
            }
            Grid::ClassFilter => match self.system().traffic.classes.0.len() {
                0 => self.notify("messages of this scenario have no classes"),
                classes => {
                    self.map.filter = self.map.filter.next_class(classes);
                    self.refresh();
                }
            },
            Grid::Window => {
                let at = WINDOWS.iter().position(|&window| window == self.update.window);
                self.set_window(WINDOWS[at.map_or(0, |at| at + 1) % WINDOWS.len()]);
            }
        }
    }

    /// Zooms by one level; the cursor stays in the visible part.
    pub(super) fn zoom_by(&mut self, by: i8) {
        let zoom = self.shown().grid_size().map_or(2, |size| self.shown().zoom_of(size));
        let least = u8::from(self.plane.is_graph());
        self.map.zoom = Some(zoom.saturating_add_signed(by).clamp(least, self.shown().zoom_max()));
        self.panes.scroll = 0;
        self.keep_in_sight();
    }

    /// Moves the cursor's node to the middle of the view, or resets the origin.
    fn turn(&mut self) {
        let Some(frame) = self.shown().shown_frame().filter(|_| !self.plane.is_graph()) else {
            return self.notify("there is no ring to turn round");
        };
        let straight = Origin { turn: (0, 0), ..self.map.origin };
        if frame.origin_at(straight, frame.corner()).turn != (0, 0) {
            self.map.origin = straight;
            self.notify("node (0,0) is back at the corner");
            return self.keep_in_sight();
        }
        let corner = frame.centring(self.map.cursor);
        if corner == frame.corner() {
            self.notify(if self.plane.wraps_across || self.plane.wraps_along || !frame.whole() {
                "this node is in the middle already"
            } else {
                "this network has edges: there is nothing to turn round"
            });
            return;
        }
        self.map.origin = frame.origin_at(self.map.origin, corner);
        let what = match self.map.origin.turn {
            (0, 0) => "the cursor's node is in the middle",
            _ => "the cursor's node is in the middle, the seam is marked (O: back)",
        };
        self.notify(what);
    }

    /// Lowers or raises the end of the heat scale.
    pub(super) fn scale_heat(&mut self, up: bool) {
        if self.map.view == View::Difference {
            return self.notify("this scale ends at the largest difference");
        }
        let at = TOPS.iter().position(|&top| top >= self.map.heat_top).unwrap_or(0);
        let at = if up { (at + 1).min(TOPS.len() - 1) } else { at.saturating_sub(1) };
        (self.map.heat_top, self.map.heat_is_chosen) = (TOPS[at], true);
        self.notify(&format!("heat from 0 to {}", self.map.heat_top));
        self.refresh();
    }
}
