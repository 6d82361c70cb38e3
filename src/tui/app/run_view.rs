//! One of the runs on the screen: its newest picture, what is derived from that, and how the grid
//! shows it.

use std::ops::Deref;
use std::sync::Arc;

use super::App;
use crate::engine::messages::MessageView;
use crate::engine::{CircuitView, Deadlock, Snapshot, Wait, WormView};
use crate::ids::{MessageId, RouterId};
use crate::live::{Theory, Update};
use crate::model::Prediction;
use crate::stats::{Estimate, Steadiness, Summary};
use crate::system::System;
use crate::topology::Network;
use crate::topology::cube::{Cube, Family};
use crate::tui::glyphs::Glyphs;
use crate::tui::grid::difference::Differences;
use crate::tui::grid::frame::{Frame, Origin, ZOOM_MAX};
use crate::tui::grid::graph::Map;
use crate::tui::grid::heat::Heat;
use crate::tui::grid::plane::Plane;
use crate::tui::grid::tiles::Tiles;
use crate::tui::theme::Theme;
use crate::tui::view::{Aggregate, View};
use crate::units::{Rate, TimeUnit};

/// What belongs to one run. How it is shown belongs to the screen.
#[derive(Debug)]
pub struct RunView {
    pub update: Box<Update>,
    pub plane: Plane,
    /// Levels of channels and nodes.
    pub heat: Heat,
    /// How far links are off the model, or off the other run, in the view that shows it.
    pub differences: Differences,
    /// The messages that are marked and stand first in lists, in the network or not.
    pub pins: Vec<MessageId>,
    /// For each worm of the snapshot, whether it can never move again.
    doomed: Vec<bool>,
    /// Loads simulated before on this scenario: rate and mean latency, in the order of the rates.
    pub simulated: Vec<(Rate, Estimate)>,
    /// The lowest rate at which this scenario was found saturated.
    pub saturated_at: Option<Rate>,
    /// Where several runs are compared, its place among them, and what differs.
    pub(super) label: Option<(usize, String)>,
}

impl RunView {
    pub(super) fn new(update: Box<Update>) -> Self {
        Self {
            plane: Plane::new(&update.scenario.system.network, 0),
            update,
            heat: Heat::default(),
            differences: Differences::default(),
            pins: Vec::new(),
            doomed: Vec::new(),
            simulated: Vec::new(),
            saturated_at: None,
            label: None,
        }
    }

    pub fn system(&self) -> &System {
        &self.update.scenario.system
    }

    pub fn network(&self) -> &Arc<Network> {
        &self.system().network
    }

    pub fn snapshot(&self) -> &Snapshot {
        &self.update.snapshot
    }

    /// The deadlock that stopped the run, or stands although the run has not found it yet.
    pub fn deadlock(&self) -> Option<&Deadlock> {
        self.update.snapshot.deadlock.as_ref().or(self.update.standing.as_ref())
    }

    /// What was measured until then.
    pub fn summary(&self) -> &Summary {
        &self.update.summary
    }

    /// What the model says, if there is one.
    pub fn theory(&self) -> Option<&Theory> {
        self.update.theory.as_deref()
    }

    /// The words in the place of a model, where there is none or none yet.
    pub fn no_theory(&self) -> &'static str {
        if self.update.theory_at_work {
            "the model is at work"
        } else {
            "no model for this network"
        }
    }

    /// The load at which the model saturates.
    pub fn saturation_load(&self) -> Option<f64> {
        self.theory()?.saturation.map(|rate| self.system().load_at(rate).0)
    }

    /// Why the run's figures are to be taken with care.
    pub fn caveat(&self) -> Option<&'static str> {
        let summary = &self.update.summary;
        match summary.steadiness {
            Steadiness::Saturated => Some("saturated"),
            Steadiness::Deadlocked => Some("stands still"),
            Steadiness::Steady | Steadiness::TooShort => {
                summary.measured_from.is_none().then_some("warming up")
            }
        }
    }

    /// What it predicts at the present load, if it has a steady state there.
    pub fn prediction(&self) -> Option<&Prediction> {
        self.theory()?.prediction.as_ref().ok()
    }

    /// Whether the picture is of the same run as another one.
    pub(super) fn goes_on_from(&self, before: &Update) -> bool {
        self.update.run == before.run && Arc::ptr_eq(&self.update.scenario, &before.scenario)
    }

    /// Takes a new picture in exchange for the old one. What refers to a run goes with it.
    pub(super) fn receive(&mut self, update: &mut Update) {
        std::mem::swap(&mut *self.update, update);
        if self.goes_on_from(update) {
            if self.update.summary.steadiness.is_saturated() {
                let rate = self.update.rate;
                self.saturated_at = Some(self.saturated_at.filter(|it| *it < rate).unwrap_or(rate));
            }
            if update.rate != self.update.rate {
                self.remember(update);
            }
            return;
        }
        (self.heat, self.differences) = (Heat::default(), Differences::default());
        self.pins.clear();
        if !Arc::ptr_eq(&update.scenario, &self.update.scenario) {
            self.plane = Plane::new(self.network(), 0);
            self.simulated.clear();
            self.saturated_at = None;
        }
    }

    /// Keeps the mean latency of a load that is left, if it had been measured. A saturated or deadlocked
    /// network has none.
    fn remember(&mut self, left: &Update) {
        if !left.summary.steadiness.has_mean() {
            return;
        }
        let Some((latency, _)) = left.summary.latency.zip(left.summary.measured_from) else {
            return;
        };
        match self.simulated.binary_search_by(|(rate, _)| rate.0.total_cmp(&left.rate.0)) {
            Ok(at) => self.simulated[at].1 = latency,
            Err(at) => self.simulated.insert(at, (left.rate, latency)),
        }
    }

    /// Works out what is derived from the picture, on a scale of heat that ends at `top`.
    pub(super) fn refresh(&mut self, view: View, vc: Option<u32>, top: f32) {
        let snapshot = &self.update.snapshot;
        let dead = |worm: &WormView| self.deadlock().is_some_and(|it| it.holds(worm.id));
        self.doomed = snapshot.worms.iter().map(dead).collect();
        self.heat.update(&self.update, view, self.own_vc(vc), top);
    }

    /// Pins a message, or lets go of it; says whether it is pinned now.
    pub(in crate::tui) fn toggle_pin(&mut self, name: MessageId) -> bool {
        let pinned = self.pins.len();
        self.pins.retain(|&other| other != name);
        let pins = self.pins.len() == pinned;
        self.pins.extend(pins.then_some(name));
        pins
    }

    /// Whether a worm of the snapshot can never move again.
    pub fn is_doomed(&self, worm: usize) -> bool {
        self.doomed.get(worm).copied().unwrap_or(false)
    }

    /// The node in the middle of the plane: its column and row.
    pub(super) fn middle(&self) -> (u32, u32) {
        (self.plane.cols / 2, self.plane.rows / 2)
    }

    /// Lays out a slice of the network.
    pub(super) fn show_slice(&mut self, slice: u32) {
        if slice != self.plane.slice {
            self.plane = Plane::new(self.network(), slice);
        }
    }

    /// The VC looked at, if the run has it.
    pub fn own_vc(&self, vc: Option<u32>) -> Option<u32> {
        vc.filter(|&vc| vc < self.system().switching.virtual_channels())
    }

    /// The letter of this run, where several are compared: A, B, and so on.
    pub fn letter(&self) -> Option<char> {
        self.label.as_ref().map(|&(at, _)| char::from(b'A' + at as u8))
    }

    /// Whether this run is the second of two.
    pub fn is_second(&self) -> bool {
        self.label.as_ref().is_some_and(|&(at, _)| at == 1)
    }

    /// What this run is called in a comparison: its letter, and what differs from the other one.
    pub fn called(&self) -> Option<String> {
        let letter = self.letter()?;
        let (_, what) = self.label.as_ref()?;
        Some(if what.is_empty() { letter.to_string() } else { format!("{letter} {what}") })
    }

    /// How times are written.
    pub fn times(&self) -> TimeUnit {
        self.system().time_unit()
    }

    /// Whether messages travel over circuits.
    pub fn has_circuits(&self) -> bool {
        self.system().circuit().is_some()
    }

    /// What messages are in the network: worms, or circuits.
    pub fn carrier(&self) -> &'static str {
        if self.has_circuits() { "circuit" } else { "worm" }
    }

    /// The hypercube that is simulated, if it is one.
    pub fn hypercube(&self) -> Option<&Cube> {
        let cube = self.network().grid();
        cube.filter(|cube| cube.family() == Family::Hypercube)
    }

    /// What a message waits for in the network, with somebody in the way if there is one.
    pub fn wait_of(&self, view: &MessageView) -> Option<&Wait> {
        let waits = self.update.snapshot.waits.iter().filter(|wait| wait.worm == view.worm);
        waits.min_by_key(|wait| wait.holder.is_none())
    }

    /// Who holds what is waited for.
    pub fn holder_of(&self, wait: &Wait) -> Option<MessageId> {
        let (snapshot, id) = (&self.update.snapshot, wait.holder?);
        let worm = snapshot.worms.iter().find(|worm| worm.id == id);
        let circuit = || snapshot.circuits.iter().find(|circuit| circuit.worm == id);
        worm.map(WormView::name).or_else(|| circuit().map(CircuitView::name))
    }
}

/// A run and how it is shown; what is known of the run itself is in [`RunView`], what each of the
/// other fields is in [`App`].
#[derive(Clone, Copy, Debug)]
pub(in crate::tui) struct Shown<'a> {
    pub screen: &'a App,
    pub run: &'a RunView,
    /// The slice that is drawn: the run's own, or another one beside it.
    pub plane: &'a Plane,
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
    pub(super) fn new(screen: &'a App, run: &'a RunView) -> Self {
        Self {
            screen,
            run,
            plane: &run.plane,
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
        self.run.plane.router(self.cursor.0, self.cursor.1)
    }

    /// The message that the cursor at a router stands for: the one it was sent to, else one whose head
    /// is there: that followed, or that has stood longest.
    pub fn selected(&self, router: RouterId) -> Option<MessageId> {
        let followed = self.screen.singles.followed;
        let here = self.carriers().filter(|it| it.at == router);
        let first = here.min_by_key(|it| {
            let since = it.doing.blocked_since().map_or(u64::MAX, |since| since.0);
            (Some(it.name) != followed, since)
        });
        self.screen.pointed_here(router).or(first.map(|it| it.name))
    }

    /// The zoom level of a grid whose inside is of this size.
    pub fn zoom_of(&self, size: (u16, u16)) -> u8 {
        match self.zoom {
            Some(zoom) if self.plane.is_graph() => zoom.max(1),
            Some(zoom) => zoom,
            None if self.plane.is_graph() => 1,
            None => Tiles::fit(self.plane, size).unwrap_or_else(|| Frame::fit(self.plane, size)),
        }
    }

    /// How the slices share a grid whose inside is of this size; `None` where there is one in sight.
    pub fn tiles(&self, size: (u16, u16)) -> Option<Tiles> {
        Tiles::new(self.plane, self.zoom_of(size), size)
    }

    /// The view onto the plane, in each tile if there are several, for a grid whose inside is of this
    /// size.
    pub fn frame(&self, size: (u16, u16)) -> Frame {
        let part = self.tiles(size).map_or(size, |tiles| tiles.size());
        Frame::new(self.plane, self.zoom_of(size), self.origin, part, self.half_rows())
    }

    /// The grid's view as it is on the screen now, if it is there.
    pub fn shown_frame(&self) -> Option<Frame> {
        self.screen.grid_size().map(|size| self.frame(size))
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
