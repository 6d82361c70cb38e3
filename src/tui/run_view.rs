//! A run on the screen: newest snapshot and derived data.

use std::cell::RefCell;
use std::sync::Arc;

use crate::engine::messages::MessageView;
use crate::engine::{CircuitView, Deadlock, Snapshot, Wait, WormView};
use crate::ids::MessageId;
use crate::live::{Theory, Update};
use crate::model::Prediction;
use crate::model::spread::Spread;
use crate::scenario::Scenario;
use crate::stats::{Estimate, Steadiness, Summary};
use crate::system::System;
use crate::topology::Network;
use crate::topology::cube::Cube;
use crate::tui::grid::difference::Differences;
use crate::tui::grid::heat::Heat;
use crate::tui::grid::plane::Plane;
use crate::tui::view::{Filter, View};
use crate::units::{Rate, TimeUnit};

/// The predicted share of messages in each column of a scale, kept while prediction and scale are the
/// same, since its computation takes longer than drawing the histogram.
#[derive(Debug, Default)]
pub struct Density {
    spread: Option<Spread>,
    /// The parameters of the scale.
    scale: [f64; 2],
    columns: Vec<f64>,
}

impl Density {
    /// The shares for a prediction on a scale with as many columns, computed by `compute` if unknown.
    pub fn of(
        &mut self,
        spread: &Spread,
        (scale, columns): ([f64; 2], usize),
        compute: impl FnOnce() -> Vec<f64>,
    ) -> Vec<f64> {
        let same_scale = self.scale.map(f64::to_bits) == scale.map(f64::to_bits);
        if !same_scale || self.columns.len() != columns || self.spread.as_ref() != Some(spread) {
            *self = Self { spread: Some(spread.clone()), scale, columns: compute() };
        }
        self.columns.clone()
    }
}

/// The data of one run; view settings belong to the screen.
#[derive(Debug)]
pub struct RunView {
    pub update: Box<Update>,
    pub plane: Plane,
    /// Heat levels of channels and nodes.
    pub heat: Heat,
    /// Differences of links from the model or from the other run, computed in the corresponding
    /// view.
    pub differences: Differences,
    /// Pinned messages: highlighted and listed first, even outside the network.
    pub pins: Vec<MessageId>,
    /// True for each deadlocked worm of the snapshot.
    doomed: Vec<bool>,
    /// The predicted shares of messages last drawn over the histogram.
    pub density: RefCell<Density>,
    /// Rates simulated earlier in this scenario with their mean latencies, in ascending order.
    pub simulated: Vec<(Rate, Estimate)>,
    /// The lowest rate that saturated this scenario.
    pub saturated_at: Option<Rate>,
    /// The run's index and its differences from the other run, in a comparison.
    pub label: Option<(usize, String)>,
    /// Two scenarios of a comparison and their names.
    pub(super) compared: Option<([Arc<Scenario>; 2], [String; 2])>,
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
            density: RefCell::default(),
            simulated: Vec::new(),
            saturated_at: None,
            label: None,
            compared: None,
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

    /// The deadlock that stopped the run, or a deadlock not yet detected by the run.
    pub fn deadlock(&self) -> Option<&Deadlock> {
        self.update.snapshot.deadlock.as_ref().or(self.update.present_deadlock.as_ref())
    }

    /// Measurements up to the snapshot.
    pub fn summary(&self) -> &Summary {
        &self.update.summary
    }

    /// The model's results, if a model exists.
    pub fn theory(&self) -> Option<&Theory> {
        self.update.theory.as_deref()
    }

    /// The text in place of missing model results.
    pub fn no_theory(&self) -> &'static str {
        if self.update.theory_at_work {
            "the model is at work"
        } else {
            "no model for this network"
        }
    }

    /// The saturation load predicted by the model.
    pub fn saturation_load(&self) -> Option<f64> {
        self.theory()?.saturation.map(|rate| self.system().load_at(rate).0)
    }

    /// The reason for treating the run's figures with care.
    pub fn caveat(&self) -> Option<&'static str> {
        let summary = &self.update.summary;
        match summary.steadiness {
            Steadiness::Saturated => Some("saturated"),
            Steadiness::Deadlocked => Some("stands still"),
            Steadiness::Finite => None,
            Steadiness::Steady | Steadiness::TooShort => {
                summary.measured_from.is_none().then_some("warming up")
            }
        }
    }

    /// The model's prediction at the present load, if a steady state exists.
    pub fn prediction(&self) -> Option<&Prediction> {
        self.theory()?.prediction.as_ref().ok()
    }

    /// True if both snapshots are of the same run.
    pub(super) fn goes_on_from(&self, before: &Update) -> bool {
        self.update.run == before.run && Arc::ptr_eq(&self.update.scenario, &before.scenario)
    }

    /// Receives a new snapshot in exchange for the old one; data of another run are reset.
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

    /// Stores the mean latency of the previous load, if measured. A saturated or deadlocked network
    /// has no mean.
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

    /// Recomputes everything derived from the snapshot, with a heat scale up to `top`.
    pub(super) fn refresh(&mut self, view: View, filter: Filter, top: f32) {
        let snapshot = &self.update.snapshot;
        let dead = |worm: &WormView| self.deadlock().is_some_and(|it| it.holds(worm.id));
        self.doomed = snapshot.worms.iter().map(dead).collect();
        self.heat.update(&self.update, view, self.own_filter(filter), top);
    }

    /// Pins or unpins a message; returns true if pinned.
    pub(in crate::tui) fn toggle_pin(&mut self, name: MessageId) -> bool {
        let pinned = self.pins.len();
        self.pins.retain(|&other| other != name);
        let pins = self.pins.len() == pinned;
        self.pins.extend(pins.then_some(name));
        pins
    }

    /// True if a worm of the snapshot is deadlocked.
    pub fn is_doomed(&self, worm: usize) -> bool {
        self.doomed.get(worm).copied().unwrap_or(false)
    }

    /// Column and row of the node at the centre of the layout.
    pub(super) fn middle(&self) -> (u32, u32) {
        (self.plane.cols / 2, self.plane.rows / 2)
    }

    /// Lays out a slice of the network.
    pub(super) fn show_slice(&mut self, slice: u32) {
        if slice != self.plane.slice {
            self.plane = Plane::new(self.network(), slice);
        }
    }

    /// The parts of a filter that the run has.
    pub fn own_filter(&self, filter: Filter) -> Filter {
        let System { switching, traffic, .. } = self.system();
        Filter {
            vc: filter.vc.filter(|&vc| vc < switching.virtual_channels()),
            message_class: filter
                .message_class
                .filter(|&class| usize::from(class) < traffic.classes.0.len()),
        }
    }

    /// The letter of a compared run: A, B, and so on.
    pub fn letter(&self) -> Option<char> {
        self.label.as_ref().map(|&(at, _)| char::from(b'A' + at as u8))
    }

    /// True for the second of two runs.
    pub fn is_second(&self) -> bool {
        self.label.as_ref().is_some_and(|&(at, _)| at == 1)
    }

    /// The name of a compared run: its letter and its differences from the other run.
    pub fn called(&self) -> Option<String> {
        let letter = self.letter()?;
        let (_, what) = self.label.as_ref()?;
        Some(if what.is_empty() { letter.to_string() } else { format!("{letter} {what}") })
    }

    /// The time unit for display.
    pub fn times(&self) -> TimeUnit {
        self.system().time_unit()
    }

    /// True if messages travel over circuits.
    pub fn has_circuits(&self) -> bool {
        self.system().circuit().is_some()
    }

    /// True if virtual channels have buffers; the lanes of circuits have none.
    pub fn has_buffers(&self) -> bool {
        self.system().switching.buffer_flits() > 0
    }

    /// The noun for carriers: worm or circuit.
    pub fn carrier(&self) -> &'static str {
        self.words().carrier
    }

    /// The simulated hypercube, if the network is a hypercube.
    pub fn hypercube(&self) -> Option<&Cube> {
        let cube = self.network().grid();
        cube.filter(|cube| cube.is_hypercube())
    }

    /// The first wait of a message, preferably a wait with a holder.
    pub fn wait_of(&self, view: &MessageView) -> Option<&Wait> {
        let waits = self.update.snapshot.waits.iter().filter(|wait| wait.worm == view.worm);
        waits.min_by_key(|wait| wait.holder.is_none())
    }

    /// The message that holds the requested channel.
    pub fn holder_of(&self, wait: &Wait) -> Option<MessageId> {
        let (snapshot, id) = (&self.update.snapshot, wait.holder?);
        let worm = snapshot.worms.iter().find(|worm| worm.id == id);
        let circuit = || snapshot.circuits.iter().find(|circuit| circuit.worm == id);
        worm.map(WormView::name).or_else(|| circuit().map(CircuitView::name))
    }
}
