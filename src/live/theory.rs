//! What the first model that knows the network says, and whether the routing is proven free of
//! deadlock: worked out on a thread of its own, so that neither simulation nor screen is held up.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use super::mailbox::lock;
use super::{Command, Told};
use crate::model::{ChannelForecast, Mismatch, Model, Prediction, Prepared, Unsolved, models_for};
use crate::routing::dependency::Proof;
use crate::scenario::Scenario;
use crate::units::Rate;

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
type Curve = Arc<Vec<(f64, f64)>>;

#[derive(Debug, Default)]
struct Answers {
    theory: Slot<Theory>,
    proof: Slot<Proof>,
}

fn put<T>(slot: &Slot<T>, scenario: &Arc<Scenario>, answer: T) {
    *lock(slot) = Some((Arc::clone(scenario), Arc::new(answer)));
}

fn get<T>(slot: &Slot<T>, scenario: &Arc<Scenario>) -> Option<Arc<T>> {
    let slot = lock(slot);
    let (about, answer) = slot.as_ref()?;
    Arc::ptr_eq(about, scenario).then(|| Arc::clone(answer))
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
#[derive(Debug)]
enum By {
    Thread(Sender<(Arc<Scenario>, Rate)>),
    Caller(Solver),
}

impl Evaluator {
    /// One that knows nothing yet.
    pub(super) fn start(evaluation: &Evaluation) -> Self {
        let answers = Arc::new(Answers::default());
        let mut solver = Solver { answers: Arc::clone(&answers), ..Solver::default() };
        let by = match evaluation {
            Evaluation::AtOnce => By::Caller(solver),
            Evaluation::OnThreads(wake) => {
                let (questions, asked) = channel();
                solver.wake = Some(wake.clone());
                // Without the thread there is no theory on the screen, and nothing else is missing.
                let _ = std::thread::Builder::new()
                    .name("theory".to_owned())
                    .spawn(move || solver.serve(&asked));
                By::Thread(questions)
            }
        };
        Self { by, answers }
    }

    /// The same for another run; what is left answers nobody.
    pub(super) fn hand_over(&mut self) -> Self {
        let by = std::mem::replace(&mut self.by, By::Caller(Solver::default()));
        Self { by, answers: Arc::clone(&self.answers) }
    }

    /// Asks about `scenario` at `rate`.
    pub(super) fn ask(&mut self, scenario: &Arc<Scenario>, rate: Rate) {
        match &mut self.by {
            By::Thread(questions) => drop(questions.send((Arc::clone(scenario), rate))),
            By::Caller(solver) => drop(solver.answer(scenario, rate)),
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

#[derive(Debug)]
struct Known {
    scenario: Arc<Scenario>,
    model: Option<(Box<dyn Model>, Equations)>,
    mismatches: Vec<Mismatch>,
    /// Saturation and curve, once they have been worked out.
    limits: Option<(Option<Rate>, Curve)>,
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
        Self { scenario: Arc::clone(scenario), model, mismatches, limits: None }
    }

    /// What the model says at `rate`, with what is known of its limits.
    fn theory(&self, rate: Rate) -> Option<Theory> {
        let (model, prepared) = self.model.as_ref()?;
        let equations = prepared.as_deref();
        let (saturation, curve) = self.limits.clone().unwrap_or_default();
        Some(Theory {
            name: model.name(),
            reading: model.reading(),
            rate,
            prediction: equations.map_err(Clone::clone).and_then(|it| it.predict(rate)),
            mismatches: self.mismatches.clone(),
            utilisation: equations.ok().and_then(|it| LinkUse::of(it, rate)).map(Arc::new),
            channels: equations.ok().and_then(|it| it.channels(rate)).map(Arc::new),
            saturation,
            curve,
        })
    }

    /// Works out saturation and curve; says whether that is news.
    fn find_limits(&mut self) -> bool {
        let Some((_, prepared)) = self.model.as_ref().filter(|_| self.limits.is_none()) else {
            return false;
        };
        let prepared = prepared.as_deref().ok();
        let saturation = prepared.map(Prepared::saturation_rate);
        let curve = prepared.zip(saturation).map(|(prepared, end)| curve(prepared, end));
        self.limits = Some((saturation, Arc::new(curve.unwrap_or_default())));
        true
    }
}

/// Works out answers; each is announced by a command where somebody is to be woken.
#[derive(Debug, Default)]
struct Solver {
    known: Option<Known>,
    answers: Arc<Answers>,
    wake: Option<Sender<Told>>,
}

impl Solver {
    /// Answers the newest question until nobody asks any more.
    fn serve(mut self, asked: &Receiver<(Arc<Scenario>, Rate)>) {
        while let Ok(first) = asked.recv() {
            let (scenario, rate) = asked.try_iter().last().unwrap_or(first);
            if !self.answer(&scenario, rate) {
                return;
            }
        }
    }

    /// Answers a question: first what is quick, then what takes time. Says whether anybody listens.
    fn answer(&mut self, scenario: &Arc<Scenario>, rate: Rate) -> bool {
        let Self { known, answers, wake } = self;
        let same = |known: &Known| Arc::ptr_eq(&known.scenario, scenario);
        let new = !known.as_ref().is_some_and(same);
        if new {
            *known = None;
        }
        let known = known.get_or_insert_with(|| Known::new(scenario));
        let publish = |theory: Option<Theory>| {
            let Some(theory) = theory else { return true };
            put(&answers.theory, scenario, theory);
            wake.as_ref().is_none_or(|wake| wake.send(REFRESH).is_ok())
        };
        // Who waits for all of it needs no part.
        let waits = wake.is_none() && known.limits.is_none();
        if !(waits || publish(known.theory(rate)))
            || known.find_limits() && !publish(known.theory(rate))
        {
            return false;
        }
        if new {
            prove(scenario, wake.as_ref(), answers);
        }
        true
    }
}

/// Looks for a proof, where somebody can be woken on a thread of its own: large networks take seconds,
/// and predictions are wanted meanwhile.
fn prove(scenario: &Arc<Scenario>, wake: Option<&Sender<Told>>, answers: &Arc<Answers>) {
    let Some(wake) = wake.cloned() else {
        return put(&answers.proof, scenario, scenario.system.proof());
    };
    let (scenario, answers) = (Arc::clone(scenario), Arc::clone(answers));
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
