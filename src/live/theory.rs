//! What the first model that knows the network says, worked out on a thread of its own so that a
//! slow bisection holds up neither simulation nor screen.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use super::Command;
use crate::model::{Mismatch, Model, Prediction, Unsolved, models_for};
use crate::scenario::Scenario;
use crate::units::Rate;

/// Points of the latency–load curve.
const CURVE_POINTS: u32 = 48;

/// What theory says of a scenario at one rate.
#[derive(Clone, PartialEq, Debug)]
pub struct Theory {
    /// The model's name.
    pub name: &'static str,
    /// Which reading of its paper.
    pub reading: &'static str,
    /// The rate it was asked for.
    pub rate: Rate,
    /// What it answers.
    pub prediction: Result<Prediction, Unsolved>,
    /// The assumptions that the scenario breaks; none where the model applies.
    pub mismatches: Vec<Mismatch>,
    /// Where it saturates; `None` while not known.
    pub saturation: Option<Rate>,
    /// (rate, mean latency) up to saturation; empty while not known.
    pub curve: Arc<Vec<(f64, f64)>>,
}

impl Theory {
    /// The mean latency predicted, if there is one.
    pub fn latency_mean(&self) -> Option<f64> {
        self.prediction.as_ref().ok().map(|prediction| prediction.latency_mean)
    }

    /// Whether every assumption holds.
    pub fn applies(&self) -> bool {
        self.mismatches.is_empty()
    }
}

/// An answer and the scenario it is about.
type Slot = Mutex<Option<(Arc<Scenario>, Arc<Theory>)>>;
/// Points of (rate, mean latency).
type Curve = Arc<Vec<(f64, f64)>>;

/// Asks for theory and holds the newest answer.
#[derive(Debug)]
pub(super) struct Theorist {
    questions: Sender<(Arc<Scenario>, Rate)>,
    answer: Arc<Slot>,
}

impl Theorist {
    /// Starts the thread; each answer wakes the simulation thread by a command.
    pub(super) fn start(wake: Sender<Command>) -> Self {
        let (questions, asked) = channel();
        let answer = Arc::new(Mutex::new(None));
        let slot = Arc::clone(&answer);
        // Without the thread there is no theory on the screen, and nothing else is missing.
        let _ = std::thread::Builder::new()
            .name("theory".to_owned())
            .spawn(move || think(&asked, &wake, &slot));
        Self { questions, answer }
    }

    /// Asks about `scenario` at `rate`.
    pub(super) fn ask(&self, scenario: &Arc<Scenario>, rate: Rate) {
        let _ = self.questions.send((Arc::clone(scenario), rate));
    }

    /// The newest answer about `scenario`, if it is about this rate.
    pub(super) fn answer(&self, scenario: &Arc<Scenario>, rate: Rate) -> Option<Arc<Theory>> {
        let slot = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        slot.as_ref()
            .filter(|(about, theory)| Arc::ptr_eq(about, scenario) && theory.rate == rate)
            .map(|(_, theory)| Arc::clone(theory))
    }
}

/// What is worked out once per scenario.
struct Known {
    scenario: Arc<Scenario>,
    model: Option<Box<dyn Model>>,
    mismatches: Vec<Mismatch>,
    limits: Option<(Option<Rate>, Curve)>,
}

fn think(asked: &Receiver<(Arc<Scenario>, Rate)>, wake: &Sender<Command>, slot: &Slot) {
    let mut known: Option<Known> = None;
    while let Ok(mut question) = asked.recv() {
        while let Ok(newer) = asked.try_recv() {
            question = newer;
        }
        let (scenario, rate) = question;
        let mut now = match known.take() {
            Some(known) if Arc::ptr_eq(&known.scenario, &scenario) => known,
            _ => {
                let model = models_for(&scenario.system).into_iter().next();
                let mismatches =
                    model.as_ref().map(|m| m.mismatches(&scenario.system)).unwrap_or_default();
                Known { scenario: Arc::clone(&scenario), model, mismatches, limits: None }
            }
        };
        if let Some(model) = &now.model {
            let mut theory = Theory {
                name: model.name(),
                reading: model.reading(),
                rate,
                prediction: model.predict(&scenario.system, rate),
                mismatches: now.mismatches.clone(),
                saturation: now.limits.as_ref().and_then(|(saturation, _)| *saturation),
                curve: now.limits.as_ref().map(|(_, c)| Arc::clone(c)).unwrap_or_default(),
            };
            let publish = |theory: Theory| {
                *slot.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some((Arc::clone(&scenario), Arc::new(theory)));
                wake.send(Command::Refresh).is_ok()
            };
            if !publish(theory.clone()) {
                return;
            }
            if now.limits.is_none() {
                let saturation = model.saturation_rate(&scenario.system);
                let curve = Arc::new(curve(&**model, &scenario, saturation));
                theory.saturation = saturation;
                theory.curve = Arc::clone(&curve);
                now.limits = Some((saturation, curve));
                if !publish(theory) {
                    return;
                }
            }
        }
        known = Some(now);
    }
}

/// Points of the model's latency–load curve, closer together towards saturation.
fn curve(model: &dyn Model, scenario: &Scenario, saturation: Option<Rate>) -> Vec<(f64, f64)> {
    let Some(Rate(end)) = saturation else { return Vec::new() };
    (1..=CURVE_POINTS)
        .filter_map(|point| {
            let left = 1.0 - f64::from(point) / f64::from(CURVE_POINTS + 1);
            let rate = end * (1.0 - left * left);
            let prediction = model.predict(&scenario.system, Rate(rate)).ok()?;
            Some((rate, prediction.latency_mean))
        })
        .collect()
}
