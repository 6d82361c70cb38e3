//! A run together with the view settings: the input for drawing the network and the panes.

use std::cmp::Reverse;
use std::ops::Deref;

use ratatui::style::Style;

use super::layout::{Arrangement, LayoutInput, arrange};
use super::rows::{LinkTable, MessageTable};
use super::run_view::RunView;
use super::states;
use crate::engine::messages::{Activity, MessageView};
use crate::engine::{CircuitView, HeadState, VcView, WormView};
use crate::ids::{ChannelId, MessageId, RouterId};
use crate::live::{LinkFigures, Traced};
use crate::tui::glyphs::Glyphs;
use crate::tui::grid::frame::{Frame, LINES, Origin, ZOOM_MAX};
use crate::tui::grid::graph::map::Map;
use crate::tui::grid::plane::Plane;
use crate::tui::grid::tiles::Tiles;
use crate::tui::planned::Planned;
use crate::tui::study::Sweep;
use crate::tui::theme::Theme;
use crate::tui::tour::{Goal, Seen, Task, Tour};
use crate::tui::view::{Aggregate, Filter, Pane, View};

/// The visible part of the network and the view of the map.
#[derive(Clone, Copy, Debug)]
pub struct MapState {
    pub view: View,
    /// The view to restore after the differences of two runs; `None` otherwise.
    pub before: Option<View>,
    /// The zoom level; `None` fits the network into the pane.
    pub zoom: Option<u8>,
    /// The part of the traffic drawn.
    pub filter: Filter,
    /// The cursor's column and row.
    pub cursor: (u32, u32),
    /// The position of the layout at the grid's lower left corner.
    pub origin: Origin,
    pub aggregate: Aggregate,
    /// The share at the upper end of the heat scale.
    pub heat_top: f32,
    /// True if the user has chosen the heat scale.
    pub heat_is_chosen: bool,
}

impl Default for MapState {
    fn default() -> Self {
        Self {
            view: View::default(),
            before: None,
            zoom: None,
            filter: Filter::default(),
            cursor: (0, 0),
            origin: Origin::default(),
            aggregate: Aggregate::default(),
            heat_top: 1.0,
            heat_is_chosen: false,
        }
    }
}

/// A run together with the view settings: the input for drawing the network and the panes. Data of
/// the run itself are in [`RunView`].
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    pub run: &'a RunView,
    pub runs: &'a [RunView],
    /// The slice to draw: the run's current slice or another one.
    pub plane: &'a Plane,
    pub theme: Theme,
    pub glyphs: Glyphs,
    pub map: MapState,
    /// Columns and rows of the screen.
    pub size: (u16, u16),
    pub layout: LayoutInput,
    pub links: LinkTable,
    pub messages: &'a MessageTable,
    pub followed: Option<MessageId>,
    /// The message and router of the last cursor jump.
    pub pointed: Option<(MessageId, RouterId)>,
    pub history: Option<MessageId>,
    /// The sweep of the active run's loads, if any.
    pub swept: Option<&'a Sweep>,
    pub guide: Option<&'a Tour>,
    /// The differences of the network from its plan, if it has one.
    pub planned: Option<&'a Planned>,
    /// True while the view shows the differences between two runs.
    pub contrasts: bool,
    /// True if the screen must not reveal the answer to a question of the tour.
    pub conceals: bool,
}

impl Deref for Scene<'_> {
    type Target = RunView;

    fn deref(&self) -> &RunView {
        self.run
    }
}

impl From<&Self> for Scene<'_> {
    fn from(shown: &Self) -> Self {
        *shown
    }
}

impl<'a> Scene<'a> {
    fn about(&self, run: &'a RunView) -> Self {
        Self { run, plane: &run.plane, ..*self }
    }

    /// The selected part of the traffic, if present in the run.
    pub fn filter(&self) -> Filter {
        self.run.own_filter(self.map.filter)
    }

    /// True if the VC of this number is selected.
    pub fn selects(&self, vc: u32) -> bool {
        self.filter().selects(vc)
    }

    /// True if a worm is of the selected message class.
    pub fn shows(&self, worm: &WormView) -> bool {
        self.filter().shows(worm)
    }

    /// True if a VC is selected and held by a message of the selected class.
    pub fn shows_held(&self, vc: u32, view: &VcView) -> bool {
        let owner = self.snapshot().owner(view);
        self.selects(vc) && owner.is_some_and(|(_, worm)| self.shows(worm))
    }

    /// All runs in order.
    pub fn all(&self) -> impl Iterator<Item = Self> + use<'a> {
        let whole = *self;
        self.runs.iter().map(move |run| whole.about(run))
    }

    /// All inactive runs.
    pub fn others(&self) -> impl Iterator<Item = Self> + use<'a> {
        let active = usize::from(self.layout.active);
        self.all().enumerate().filter(move |&(at, _)| at != active).map(|(_, run)| run)
    }

    /// The active run, the subject of panes and commands.
    pub fn active(&self) -> &'a RunView {
        &self.runs[usize::from(self.layout.active)]
    }

    /// Both runs of a comparison of two.
    pub fn both(&self) -> Option<[Self; 2]> {
        let [first, second] = self.runs else { return None };
        Some([first, second].map(|run| self.about(run)))
    }

    /// Computes the arrangement of the screen.
    pub fn arrangement(&self) -> Arrangement {
        let arranged = arrange(self.size.0, self.size.1, &self.layout);
        let active = self.about(self.active());
        let inner = arranged.inside(Pane::Grid).filter(|_| !active.plane.is_graph());
        let crowded = inner.is_some_and(|inner| active.frame(inner.as_size().into()).block() > 1);
        if crowded {
            arrange(self.size.0, self.size.1, &LayoutInput { lens: true, ..self.layout })
        } else {
            arranged
        }
    }

    /// The interior size of the grid, if visible.
    pub fn grid_size(&self) -> Option<(u16, u16)> {
        Some(self.arrangement().inside(Pane::Grid)?.as_size().into())
    }

    /// The message of the last cursor jump, if its head is still at the cursor.
    pub fn pointed_at(&self) -> Option<MessageId> {
        self.pointed_here(self.cursor_router()?)
    }

    /// The message of the last cursor jump, if its head is still at the router.
    pub fn pointed_here(&self, router: RouterId) -> Option<MessageId> {
        let (name, at) = self.pointed?;
        let worms = &self.update.snapshot.worms;
        let head = worms.iter().find(|worm| worm.name() == name).map(|worm| worm.head_at);
        (at == router && head.is_none_or(|head| head == router)).then_some(name)
    }

    /// The message chosen in the table; or the message of the last cursor jump; or a message with
    /// its head under the cursor (preferably followed, then blocked, then the oldest); or a message
    /// passing or waiting here.
    pub fn message_here(&self) -> Option<MessageId> {
        if self.layout.panes.focus == Pane::Messages {
            return self.message_at(self.chosen_message_row()).map(|view| view.name);
        }
        let (router, snapshot) = (self.cursor_router()?, self.snapshot());
        if let Some(name) = self.pointed_here(router) {
            return Some(name);
        }
        let network = self.network();
        let passes = |worm: &&WormView| {
            snapshot.path_of(worm).iter().any(|&vc| {
                let channel = network.channel(snapshot.split(vc).0);
                channel.from == router || channel.to == router
            })
        };
        let (worms, listed) = (&snapshot.worms, &self.update.single_messages.listed);
        let heads = worms.iter().filter(|worm| worm.head_at == router);
        let head = heads.min_by_key(|worm| {
            let followed = Some(worm.name()) == self.followed;
            (!followed, !matches!(worm.head, HeadState::Blocked(_)))
        });
        let circuit = || snapshot.circuits.iter().find(|circuit| circuit.at == router);
        head.map(WormView::name)
            .or_else(|| circuit().map(CircuitView::name))
            .or_else(|| worms.iter().find(passes).map(WormView::name))
            .or_else(|| listed.iter().find(|view| view.at == router).map(|view| view.name))
    }

    /// The requested history, as far as computed.
    pub fn traced(&self) -> Option<&Traced> {
        let traced = self.update.single_messages.traced.as_ref();
        traced.filter(|traced| Some(traced.trace.name) == self.history)
    }

    /// The input for goals of the tour.
    pub fn seen(&self) -> Seen<'a> {
        Seen {
            update: &self.run.update,
            others: self.others().map(|other| &*other.run.update).collect(),
            selected: self.message_here(),
            view: self.map.view,
        }
    }

    /// The goals of the tour's step, with true for each goal reached.
    pub fn goals(&self) -> Vec<(String, bool)> {
        let Some(tour) = self.guide else { return Vec::new() };
        let Task::Reach { goals, .. } = &tour.step().task else { return Vec::new() };
        let seen = self.seen();
        let met = |goal: &Goal| tour.is_done() || tour.leaving.is_none() && goal.is_met(&seen);
        goals.iter().map(|goal| (goal.words(), met(goal))).collect()
    }

    /// The symbol of a carrier's state, with a style for circuits.
    pub fn sign(&self, activity: Activity) -> (char, Option<Style>) {
        match activity {
            Activity::Worm(HeadState::AtSource) => (' ', None),
            Activity::Worm(HeadState::Moving) => (self.glyphs.arrow[0], None),
            Activity::Worm(HeadState::Arriving) => (self.glyphs.arrow[3], None),
            Activity::Worm(HeadState::Blocked(_)) => (self.glyphs.blocked, None),
            Activity::Circuit(state, _) => {
                (states::sign(&self.glyphs, state), Some(states::style(self.theme, state)))
            }
        }
    }

    /// All channels with their figures, in the order of the table.
    pub fn link_rows(&self) -> Vec<(ChannelId, LinkFigures)> {
        let channels = self.network().channels().len();
        let of = |channel| (channel, LinkFigures::of(&self.update, channel));
        let mut rows: Vec<_> = (0..channels).map(ChannelId::new).map(of).collect();
        let order = self.links.order;
        // Bit patterns of nonnegative floats are ordered like the numbers.
        rows.sort_by_cached_key(|(channel, figures)| {
            (Reverse(order.key(figures).map(f64::to_bits)), *channel)
        });
        rows
    }

    pub fn chosen_row(&self, rows: &[(ChannelId, LinkFigures)]) -> usize {
        let chosen = self.links.chosen;
        chosen.and_then(|chosen| rows.iter().position(|row| row.0 == chosen)).unwrap_or(0)
    }

    /// The chosen link, while the table is open.
    pub fn chosen_link(&self) -> Option<ChannelId> {
        if self.layout.panes.table != Some(Pane::Links) {
            return None;
        }
        self.links.chosen.or_else(|| self.link_rows().first().map(|row| row.0))
    }

    pub fn message_at(&self, row: usize) -> Option<&'a MessageView> {
        let at = *self.messages.rows.get(row)?;
        self.run.update.single_messages.listed.get(at as usize)
    }

    /// The row of the chosen message, or the first row after the message has left.
    pub fn chosen_message_row(&self) -> usize {
        let Some(chosen) = self.messages.chosen else { return 0 };
        let rows = 0..self.messages.rows.len();
        let is = |&row: &usize| self.message_at(row).is_some_and(|view| view.name == chosen);
        rows.into_iter().find(is).unwrap_or(0)
    }

    /// The router under the cursor.
    pub fn cursor_router(&self) -> Option<RouterId> {
        self.run.plane.router(self.map.cursor.0, self.map.cursor.1)
    }

    /// The message selected by the cursor at a router: the target of the last jump, otherwise a
    /// message with its head here (the followed one, or the one blocked longest).
    pub fn selected(&self, router: RouterId) -> Option<MessageId> {
        let followed = self.followed;
        let here = self.carriers().filter(|it| it.at == router);
        let first = here.min_by_key(|it| {
            let since = it.activity.blocked_since().map_or(u64::MAX, |since| since.0);
            (Some(it.name) != followed, since)
        });
        self.pointed_here(router).or(first.map(|it| it.name))
    }

    /// The zoom level of a grid with the given interior size.
    pub fn zoom_of(&self, size: (u16, u16)) -> u8 {
        match self.map.zoom {
            Some(zoom) if self.plane.is_graph() => zoom.max(1),
            Some(zoom) => zoom,
            None if self.plane.is_graph() => 1,
            // Boxes have no room for the hops of a hypercube's worm that leave the plane.
            None if self.network().is_hypercube() => Frame::fit(self.plane, size).min(LINES),
            None => Tiles::fit(self.plane, size).unwrap_or_else(|| Frame::fit(self.plane, size)),
        }
    }

    /// The tiles of several slices in a grid with the given interior size; `None` if a single slice
    /// is visible.
    pub fn tiles(&self, size: (u16, u16)) -> Option<Tiles> {
        Tiles::new(self.plane, self.zoom_of(size), size)
    }

    /// The window onto the layout (within a tile if several slices are visible) of a grid with the
    /// given interior size.
    pub fn frame(&self, size: (u16, u16)) -> Frame {
        let part = self.tiles(size).map_or(size, |tiles| tiles.size());
        Frame::new(self.plane, self.zoom_of(size), self.map.origin, part, self.half_rows())
    }

    /// The window of the visible grid.
    pub fn shown_frame(&self) -> Option<Frame> {
        self.grid_size().map(|size| self.frame(size))
    }

    /// The visible part of a graph of switches in a grid of the given size; `None` for other
    /// networks and for graphs too crowded to draw.
    pub fn map(&self, size: (u16, u16)) -> Option<Map> {
        let network = self.network();
        Map::new(network, size, self.zoom_of(size), self.map.origin.corner)
    }

    /// True if a single router fills the grid.
    pub fn shows_one_router(&self) -> bool {
        self.map.zoom.is_some_and(|zoom| zoom >= self.zoom_max())
    }

    /// The zoom level at which one router fills the grid.
    pub fn zoom_max(&self) -> u8 {
        if self.plane.is_graph() { Map::ZOOM_MAX + 1 } else { ZOOM_MAX }
    }

    /// True if zoom level 0 draws two pixels per row, except in views with symbols as pixels.
    pub fn half_rows(&self) -> bool {
        self.theme.has_ramp()
            && !self.glyphs.ascii
            && self.map.view != View::Difference
            && !self.shows_states()
    }

    /// True if the view draws the states of circuits.
    pub fn shows_states(&self) -> bool {
        self.map.view == View::Worms && self.has_circuits()
    }
}
