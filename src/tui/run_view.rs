//! One of the runs on the screen: its newest picture, and the data derived from it.

use std::sync::Arc;

use crate::engine::messages::MessageView;
use crate::engine::{CircuitView, Deadlock, Snapshot, Wait, WormView};
use crate::ids::MessageId;
use crate::live::{Theory, Update};
use crate::model::Prediction;
use crate::stats::{Estimate, Steadiness, Summary};
use crate::system::System;
use crate::topology::Network;
use crate::topology::cube::Cube;
use crate::tui::grid::difference::Differences;
use crate::tui::grid::heat::Heat;
use crate::tui::grid::plane::Plane;
use crate::tui::view::View;
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
    pub label: Option<(usize, String)>,
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

    /// True if the picture is of the same run as another one.
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

    /// True if a worm of the snapshot can never move again.
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

    /// True if this run is the second of two.
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

    /// True if messages travel over circuits.
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
        cube.filter(|cube| cube.is_hypercube())
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
