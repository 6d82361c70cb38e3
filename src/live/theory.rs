//! What the first model that knows the network says, and whether the routing is proven free of
//! deadlock: worked out on a thread of its own, so that neither simulation nor screen is held up.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Command, Told};
use crate::model::{ChannelForecast, Mismatch, Model, Prediction, Prepared, Unsolved, models_for};
use crate::routing::dependency::Proof;
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
    /// How busy it says that links are; `None` where it does not say.
    pub utilisation: Option<Arc<LinkUse>>,
    /// What else it says of single channels, in the order of their ids; `None` where it says nothing
    /// or has no steady state at this rate.
    pub channels: Option<Arc<Vec<ChannelForecast>>>,
    /// Where it saturates; `None` while not known.
    pub saturation: Option<Rate>,
    /// (rate, mean latency) up to saturation; empty while not known.
    pub curve: Arc<Vec<(f64, f64)>>,
}

/// What a model says of the flits that cross channels per cycle.
#[derive(Clone, PartialEq, Debug)]
pub enum LinkUse {
    /// Of every channel, by its id.
    Channels(Vec<f64>),
    /// One figure for all links.
    Mean(f64),
}

impl LinkUse {
    fn of(prepared: &dyn Prepared, rate: Rate) -> Option<Self> {
        let channels = prepared.utilisation(rate).map(Self::Channels);
        channels.or_else(|| prepared.utilisation_mean(rate).map(Self::Mean))
    }
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

/// Has an answer shown that has come.
const REFRESH: Told = Told { run: 0, command: Command::Refresh };

/// An answer and the scenario it is about.
type Slot<T> = Mutex<Option<(Arc<Scenario>, Arc<T>)>>;
/// Points of (rate, mean latency).
type Curve = Arc<Vec<(f64, f64)>>;

/// The newest answers.
#[derive(Debug, Default)]
struct Answers {
    theory: Slot<Theory>,
    proof: Slot<Proof>,
}

fn put<T>(slot: &Slot<T>, scenario: &Arc<Scenario>, answer: T) {
    *slot.lock().unwrap_or_else(PoisonError::into_inner) =
        Some((Arc::clone(scenario), Arc::new(answer)));
}

fn get<T>(slot: &Slot<T>, scenario: &Arc<Scenario>) -> Option<Arc<T>> {
    let slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    slot.as_ref()
        .filter(|(about, _)| Arc::ptr_eq(about, scenario))
        .map(|(_, answer)| Arc::clone(answer))
}

/// Where theory is worked out.
#[derive(Clone, Debug)]
pub(super) enum Evaluation {
    /// On threads of their own; each answer wakes the simulation thread by a command.
    OnThreads(Sender<Told>),
    /// Where it is asked for, before anything else goes on.
    AtOnce,
}

/// Asks for theory and holds the newest answers.
#[derive(Debug)]
pub(super) struct Evaluator {
    by: By,
    answers: Arc<Answers>,
}

/// Who answers.
enum By {
    Thread(Sender<(Arc<Scenario>, Rate)>),
    Caller(Option<Box<Known>>),
}

impl std::fmt::Debug for By {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Thread(_) => "Thread",
            Self::Caller(_) => "Caller",
        })
    }
}

impl Evaluator {
    /// One that knows nothing yet.
    pub(super) fn start(evaluation: &Evaluation) -> Self {
        let answers = Arc::new(Answers::default());
        let by = match evaluation {
            Evaluation::AtOnce => By::Caller(None),
            Evaluation::OnThreads(wake) => {
                let (questions, asked) = channel();
                let (found, wake) = (Arc::clone(&answers), wake.clone());
                // Without the thread there is no theory on the screen, and nothing else is missing.
                let _ = std::thread::Builder::new()
                    .name("theory".to_owned())
                    .spawn(move || evaluate(&asked, &wake, &found));
                By::Thread(questions)
            }
        };
        Self { by, answers }
    }

    /// The same for another run; what is left answers nobody.
    pub(super) fn hand_over(&mut self) -> Self {
        let by = std::mem::replace(&mut self.by, By::Caller(None));
        Self { by, answers: Arc::clone(&self.answers) }
    }

    /// Asks about `scenario` at `rate`.
    pub(super) fn ask(&mut self, scenario: &Arc<Scenario>, rate: Rate) {
        match &mut self.by {
            By::Thread(questions) => drop(questions.send((Arc::clone(scenario), rate))),
            By::Caller(known) => {
                let known = match known {
                    Some(known) if Arc::ptr_eq(&known.scenario, scenario) => known,
                    _ => {
                        put(&self.answers.proof, scenario, scenario.system.proof());
                        known.insert(Box::new(Known::new(scenario)))
                    }
                };
                known.find_limits();
                if let Some(theory) = known.theory(rate) {
                    put(&self.answers.theory, scenario, theory);
                }
            }
        }
    }

    /// The newest answer about `scenario`, if it is about this rate.
    pub(super) fn answer(&self, scenario: &Arc<Scenario>, rate: Rate) -> Option<Arc<Theory>> {
        get(&self.answers.theory, scenario).filter(|theory| theory.rate == rate)
    }

    /// Whether the routing of `scenario` is proven free of deadlock, once that is known.
    pub(super) fn proof(&self, scenario: &Arc<Scenario>) -> Option<Arc<Proof>> {
        get(&self.answers.proof, scenario)
    }
}

/// A model's equations for the scenario, or why there are none.
type Equations = Result<Box<dyn Prepared>, Unsolved>;

/// What is worked out once per scenario.
struct Known {
    scenario: Arc<Scenario>,
    model: Option<(Box<dyn Model>, Equations)>,
    mismatches: Vec<Mismatch>,
    limits: Option<(Option<Rate>, Curve)>,
    proof_begun: bool,
}

impl Known {
    fn new(scenario: &Arc<Scenario>) -> Self {
        let system = &scenario.system;
        let model = models_for(system).into_iter().next();
        let mismatches = model.as_ref().map(|m| m.mismatches(system)).unwrap_or_default();
        let model = model.map(|model| {
            let prepared = model.prepare(system);
            (model, prepared)
        });
        Self { scenario: Arc::clone(scenario), model, mismatches, limits: None, proof_begun: false }
    }

    /// What the model says at `rate`, with what is known of its limits.
    fn theory(&self, rate: Rate) -> Option<Theory> {
        let (model, prepared) = self.model.as_ref()?;
        Some(Theory {
            name: model.name(),
            reading: model.reading(),
            rate,
            prediction: match prepared {
                Ok(prepared) => prepared.predict(rate),
                Err(why) => Err(why.clone()),
            },
            mismatches: self.mismatches.clone(),
            utilisation: prepared
                .as_ref()
                .ok()
                .and_then(|prepared| LinkUse::of(&**prepared, rate))
                .map(Arc::new),
            channels: prepared
                .as_ref()
                .ok()
                .and_then(|prepared| prepared.channels(rate))
                .map(Arc::new),
            saturation: self.limits.as_ref().and_then(|(saturation, _)| *saturation),
            curve: self.limits.as_ref().map(|(_, curve)| Arc::clone(curve)).unwrap_or_default(),
        })
    }

    /// Works out saturation and curve; says whether that is news.
    fn find_limits(&mut self) -> bool {
        let Some((_, prepared)) = &self.model else { return false };
        if self.limits.is_some() {
            return false;
        }
        let prepared = prepared.as_ref().ok();
        let saturation = prepared.map(|prepared| prepared.saturation_rate());
        let curve = prepared.zip(saturation).map(|(prepared, end)| curve(&**prepared, end));
        self.limits = Some((saturation, Arc::new(curve.unwrap_or_default())));
        true
    }
}

/// Answers questions until nobody asks any more: first what is quick, then what takes time.
fn evaluate(asked: &Receiver<(Arc<Scenario>, Rate)>, wake: &Sender<Told>, answers: &Arc<Answers>) {
    let mut known: Option<Known> = None;
    while let Ok(mut question) = asked.recv() {
        while let Ok(newer) = asked.try_recv() {
            question = newer;
        }
        let (scenario, rate) = question;
        let mut now = match known.take() {
            Some(known) if Arc::ptr_eq(&known.scenario, &scenario) => known,
            _ => Known::new(&scenario),
        };
        let publish = |theory: Option<Theory>| {
            let Some(theory) = theory else { return true };
            put(&answers.theory, &scenario, theory);
            wake.send(REFRESH).is_ok()
        };
        if !publish(now.theory(rate)) || now.find_limits() && !publish(now.theory(rate)) {
            return;
        }
        if !std::mem::replace(&mut now.proof_begun, true) {
            prove(&scenario, wake, answers);
        }
        known = Some(now);
    }
}

/// Looks for a proof on a thread of its own: large networks take seconds, and predictions are
/// wanted meanwhile.
fn prove(scenario: &Arc<Scenario>, wake: &Sender<Told>, answers: &Arc<Answers>) {
    let (scenario, wake, answers) = (Arc::clone(scenario), wake.clone(), Arc::clone(answers));
    // Without the thread the screen says nothing of a proof.
    let _ = std::thread::Builder::new().name("proof".to_owned()).spawn(move || {
        put(&answers.proof, &scenario, scenario.system.proof());
        let _ = wake.send(REFRESH);
    });
}

/// Points of the model's latency–load curve, closer together towards saturation.
fn curve(prepared: &dyn Prepared, Rate(end): Rate) -> Vec<(f64, f64)> {
    (1..=CURVE_POINTS)
        .filter_map(|point| {
            let left = 1.0 - f64::from(point) / f64::from(CURVE_POINTS + 1);
            let rate = end * (1.0 - left * left);
            Some((rate, prepared.predict(Rate(rate)).ok()?.latency_mean))
        })
        .collect()
}
