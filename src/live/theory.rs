//! Computes predictions and the proof of deadlock freedom on a separate thread.
//!
//! The predictions are those of the [reference](crate::model::comparison::Reference) of the
//! network. Neither the simulation nor the screen is blocked.

mod known;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};

use self::known::Known;
use super::mailbox::lock;
use super::{AddressedCommand, Command};
use crate::engine::Routed;
use crate::ids::ChannelId;
use crate::model::stated_error::StatedError;
use crate::model::{
    ChannelForecast, Mismatch, Prediction, Prepared, Unsolved, budget, cancellation,
};
use crate::routing::Relation;
use crate::routing::dependency::Proof;
use crate::scenario::Scenario;
use crate::session::short_run::ShortRun;
use crate::session::verdict::Claim;
use crate::units::Rate;

/// Predictions for a scenario at one rate.
#[derive(Clone, PartialEq, Debug)]
pub struct Theory {
    pub name: &'static str,
    /// The interpretation of the model's paper.
    pub reading: &'static str,
    /// The requested rate.
    pub rate: Rate,
    pub prediction: Result<Prediction, Unsolved>,
    /// Assumptions violated by the scenario; none if the model applies.
    pub mismatches: Vec<Mismatch>,
    /// Predicted utilisation of links, if any.
    pub utilisation: Option<Arc<LinkUse>>,
    /// Further predictions for single channels, in the order of their ids; `None` without such
    /// predictions or without a steady state at this rate.
    pub channels: Option<Arc<Vec<ChannelForecast>>>,
    /// True if saturation or curve are still being computed.
    pub at_work: bool,
    /// Reason for an incomplete saturation or curve.
    pub unfinished: Option<Unsolved>,
    /// Short runs at rising rates up to saturation, if faster than the model.
    pub short_runs: Arc<Vec<ShortRun>>,
    /// Predicted saturation rate; `None` while unknown.
    pub saturation: Option<Rate>,
    /// Expected error of the latency; `None` without a prediction, and while saturation is unknown.
    pub stated_error: Option<StatedError>,
    /// Expected error of the saturation rate.
    pub stated_saturation: StatedError,
    /// (rate, mean latency) up to saturation; empty while not known.
    pub curve: Arc<Vec<(f64, f64)>>,
    /// Upper bound on the latency of any message, in cycles; `None` while unknown, and without a
    /// bound.
    pub bound: Option<u64>,
}

/// Predicted flits per cycle over channels.
#[derive(Clone, PartialEq, Debug)]
pub enum LinkUse {
    /// A value for every channel, by its id.
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
    /// The predictions about a run of `scenario`.
    pub(super) fn claim<'a>(&'a self, scenario: &'a Scenario) -> Claim<'a> {
        let utilisation = match self.utilisation.as_deref() {
            Some(LinkUse::Channels(all)) => Some(&all[..]),
            Some(LinkUse::Mean(_)) | None => None,
        };
        Claim {
            system: &scenario.system,
            rate: self.rate,
            prediction: &self.prediction,
            mismatches: &self.mismatches,
            saturation: self.saturation,
            stated_error: self.stated_error.as_ref(),
            stated_saturation: &self.stated_saturation,
            utilisation,
        }
    }

    /// The predicted mean latency, if any.
    pub fn latency_mean(&self) -> Option<f64> {
        self.prediction.as_ref().ok().map(|prediction| prediction.latency_mean)
    }

    /// True if the predictions are for this system: the model assumes the same transfer time of
    /// messages.
    pub fn is_comparable(&self) -> bool {
        !matches!(self.prediction, Err(Unsolved::OtherTransfer { .. }))
    }

    pub fn applies(&self) -> bool {
        self.mismatches.is_empty()
    }
}

/// An answer and its scenario.
type Slot<T> = Mutex<Option<(Arc<Scenario>, Arc<T>)>>;

fn put<T>(slot: &Slot<T>, scenario: &Arc<Scenario>, answer: T) {
    *lock(slot) = Some((Arc::clone(scenario), Arc::new(answer)));
}

fn get<T>(slot: &Slot<T>, scenario: &Arc<Scenario>) -> Option<Arc<T>> {
    let slot = lock(slot);
    let (about, answer) = slot.as_ref()?;
    Arc::ptr_eq(about, scenario).then(|| Arc::clone(answer))
}

#[derive(Debug, Default)]
struct Answers {
    /// The newest question, until taken by a thread.
    asked: Mutex<Option<(Arc<Scenario>, Rate)>>,
    /// The question being answered; locked after `asked`.
    under_way: Mutex<Option<UnderWay>>,
    /// Locked while an answer is computed.
    known: Mutex<Option<Known>>,
    theory: Slot<Theory>,
    proof: Slot<Proof>,
    transitions: Mutex<Transitions>,
}

/// Proofs of changes of routes, by the closed links of each relation, oldest first, and the links closed
/// now.
#[derive(Debug, Default)]
struct Transitions {
    scenario: Option<Arc<Scenario>>,
    /// `None` while a proof is computed.
    proofs: BTreeMap<Vec<Arc<[ChannelId]>>, Option<Arc<Proof>>>,
}

/// A question being answered, with flags that cancel the equations of the scenario, and the answer
/// at the rate.
#[derive(Debug)]
struct UnderWay {
    scenario: Arc<Scenario>,
    equations: Arc<AtomicBool>,
    answer: Arc<AtomicBool>,
}

/// Requests predictions and stores the newest answers, shared between clones.
#[derive(Clone, Debug, Default)]
pub(super) struct Evaluator {
    /// The simulation thread, woken by each answer. Without one, answers are computed
    /// synchronously.
    wake: Option<Sender<AddressedCommand>>,
    /// Maximum steps of work for each answer.
    steps: u64,
    answers: Arc<Answers>,
}

impl Evaluator {
    /// Creates an evaluator without answers.
    pub(super) fn new(wake: Option<Sender<AddressedCommand>>, steps: u64) -> Self {
        Self { wake, steps, answers: Arc::default() }
    }

    /// Creates an independent evaluator without answers.
    pub(super) fn another(&self) -> Self {
        Self::new(self.wake.clone(), self.steps)
    }

    /// Requests predictions for `scenario` at `rate`.
    pub(super) fn ask(&self, scenario: &Arc<Scenario>, rate: Rate) {
        let mut asked = lock(&self.answers.asked);
        *asked = Some((Arc::clone(scenario), rate));
        if let Some(before) = &*lock(&self.answers.under_way) {
            // Equations of the same scenario remain useful.
            let other = !Arc::ptr_eq(&before.scenario, scenario);
            before.equations.fetch_or(other, Ordering::Relaxed);
            before.answer.store(true, Ordering::Relaxed);
        }
        drop(asked);
        self.work("theory", Self::solve);
    }

    /// The newest answer about `scenario`, if for this rate.
    pub(super) fn answer(&self, scenario: &Arc<Scenario>, rate: Rate) -> Option<Arc<Theory>> {
        get(&self.answers.theory, scenario).filter(|theory| theory.rate == rate)
    }

    /// True if a question is not completely answered.
    pub(super) fn is_at_work(&self) -> bool {
        lock(&self.answers.asked).is_some() || lock(&self.answers.under_way).is_some()
    }

    /// Proof of deadlock freedom for the routing of `scenario`, once computed.
    pub(super) fn proof(&self, scenario: &Arc<Scenario>) -> Option<Arc<Proof>> {
        get(&self.answers.proof, scenario)
    }

    /// Proof for all relations that routed messages in the network, oldest first, while links are closed;
    /// `None` until computed.
    pub(super) fn transition(
        &self,
        scenario: &Arc<Scenario>,
        relations: Vec<Routed>,
        closed: &BTreeSet<ChannelId>,
    ) -> Option<Arc<Proof>> {
        let mut known = lock(&self.answers.transitions);
        if !known.scenario.as_ref().is_some_and(|it| Arc::ptr_eq(it, scenario)) {
            *known = Transitions { scenario: Some(Arc::clone(scenario)), ..Transitions::default() };
        }
        let mut key: Vec<Arc<[ChannelId]>> =
            relations.iter().map(|routed| Arc::clone(&routed.closed)).collect();
        key.push(closed.iter().copied().collect());
        if let Some(proof) = known.proofs.get(&key) {
            return proof.clone();
        }
        known.proofs.insert(key.clone(), None);
        drop(known);
        let (about, closed, asked) = (Arc::clone(scenario), closed.clone(), key.clone());
        self.work("transition", move |shared| {
            let relations: Vec<Relation> = relations.into_iter().map(|it| it.relation).collect();
            let proof = about.system.proof_of_transition(&relations, &closed).map(Arc::new);
            let mut known = lock(&shared.answers.transitions);
            if known.scenario.as_ref().is_some_and(|it| Arc::ptr_eq(it, &about)) {
                known.proofs.insert(asked, proof);
            }
            drop(known);
            shared.announce();
        });
        lock(&self.answers.transitions).proofs.get(&key).cloned().flatten()
    }

    /// Runs `work` on a new thread, or synchronously without a thread to wake.
    fn work(&self, name: &str, work: impl FnOnce(&Self) + Send + 'static) {
        if self.wake.is_none() {
            return work(self);
        }
        let shared = self.clone();
        // If the thread cannot start, only the predictions on the screen are missing.
        let thread = std::thread::Builder::new().name(name.to_owned());
        let _ = thread.spawn(move || work(&shared));
    }

    /// Answers the newest question, unless already taken: first the fast parts, then the slow ones.
    fn solve(&self) {
        let mut known = lock(&self.answers.known);
        let mut asked = lock(&self.answers.asked);
        let Some((scenario, rate)) = asked.take() else { return };
        let [equations, answer] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        *lock(&self.answers.under_way) = Some(UnderWay {
            scenario: Arc::clone(&scenario),
            equations: Arc::clone(&equations),
            answer: Arc::clone(&answer),
        });
        drop(asked);
        if !known.as_ref().is_some_and(|known| Arc::ptr_eq(&known.scenario, &scenario)) {
            let beside = self.wake.is_some();
            let begin = || Known::new(&scenario, self.steps, beside);
            let new = || budget::within(self.steps, begin).0;
            *known = Some(cancellation::with_flag(&equations, new));
            if equations.load(Ordering::Relaxed) {
                *known = None;
            }
        }
        let ended =
            known.as_mut().is_some_and(|known| self.work_out(known, (&scenario, rate), &answer));
        let mut under_way = lock(&self.answers.under_way);
        if under_way.as_ref().is_some_and(|it| Arc::ptr_eq(&it.answer, &answer)) {
            *under_way = None;
        }
        drop(under_way);
        let Some(known) = known.as_mut().filter(|_| ended) else { return };
        // Without a model, no later announcement signals the end of the work.
        if known.reference.is_none() && !self.announce() {
            return;
        }
        // The proof takes seconds for large networks, and must not delay predictions.
        if !std::mem::replace(&mut known.proof, true) {
            self.work("proof", move |shared| {
                put(&shared.answers.proof, &scenario, scenario.system.proof());
                shared.announce();
            });
        }
    }

    /// Computes all parts of an answer and publishes each part. True if completed.
    fn work_out(
        &self,
        known: &mut Known,
        (scenario, rate): (&Arc<Scenario>, Rate),
        answer: &Arc<AtomicBool>,
    ) -> bool {
        let shown = |known: &mut Known| {
            let theory = || budget::within(self.steps, || known.theory(rate)).0;
            let theory = cancellation::with_flag(answer, theory);
            if answer.load(Ordering::Relaxed) {
                return false;
            }
            let Some(theory) = theory else { return true };
            put(&self.answers.theory, scenario, theory);
            self.announce()
        };
        // A synchronous caller needs only the complete answer.
        let waits = self.wake.is_none();
        if !waits && !shown(known) {
            return false;
        }
        while known.next.is_some() {
            cancellation::with_flag(answer, || known.compute_next(answer));
            if answer.load(Ordering::Relaxed) || !waits && !shown(known) {
                return false;
            }
        }
        !waits || shown(known)
    }

    /// Announces a new answer. True if the receiver exists.
    fn announce(&self) -> bool {
        let refresh = AddressedCommand { run: 0, command: Command::Refresh };
        self.wake.as_ref().is_none_or(|wake| wake.send(refresh).is_ok())
    }
}
