//! What the [reference](crate::model::comparison::Reference) of the network says, and whether the routing is proven free of
//! deadlock: worked out on a thread of its own, so that neither simulation nor screen is held up.

mod known;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};

use self::known::Known;
use super::mailbox::lock;
use super::{Command, Told};
use crate::model::stated::StatedError;
use crate::model::{ChannelForecast, Mismatch, Prediction, Prepared, Unsolved, budget, wanted};
use crate::routing::dependency::Proof;
use crate::scenario::Scenario;
use crate::session::short_run::ShortRun;
use crate::session::verdict::Claim;
use crate::units::Rate;

/// What theory says of a scenario at one rate.
#[derive(Clone, PartialEq, Debug)]
pub struct Theory {
    pub name: &'static str,
    /// Which reading of its paper.
    pub reading: &'static str,
    /// The rate it was asked for.
    pub rate: Rate,
    pub prediction: Result<Prediction, Unsolved>,
    /// The assumptions that the scenario breaks; none where the model applies.
    pub mismatches: Vec<Mismatch>,
    /// How busy it says that links are; `None` where it does not say.
    pub utilisation: Option<Arc<LinkUse>>,
    /// What else it says of single channels, in the order of their ids; `None` where it says nothing
    /// or has no steady state at this rate.
    pub channels: Option<Arc<Vec<ChannelForecast>>>,
    /// True if saturation or curve are still being worked out.
    pub at_work: bool,
    /// The reason for which saturation or curve were not worked out to their end.
    pub unfinished: Option<Unsolved>,
    /// Short runs at rising rates up to saturation, where they take less time than the model.
    pub short_runs: Arc<Vec<ShortRun>>,
    /// Where it saturates; `None` while not known.
    pub saturation: Option<Rate>,
    /// How far its latency may be off; `None` without one, and while saturation is not known.
    pub stated_error: Option<StatedError>,
    /// How far its saturation may be off.
    pub stated_saturation: StatedError,
    /// (rate, mean latency) up to saturation; empty while not known.
    pub curve: Arc<Vec<(f64, f64)>>,
    /// Cycles that no message exceeds; `None` while not known, and where there is no bound.
    pub bound: Option<u64>,
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
    /// What it says of a run of `scenario`.
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

    /// The mean latency predicted, if there is one.
    pub fn latency_mean(&self) -> Option<f64> {
        self.prediction.as_ref().ok().map(|prediction| prediction.latency_mean)
    }

    /// True if its figures are of this system: it reckons with the transfer that messages have here.
    pub fn is_comparable(&self) -> bool {
        !matches!(self.prediction, Err(Unsolved::OtherTransfer { .. }))
    }

    pub fn applies(&self) -> bool {
        self.mismatches.is_empty()
    }
}

/// An answer and the scenario it is about.
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
    /// The newest question, until somebody begins to answer it.
    asked: Mutex<Option<(Arc<Scenario>, Rate)>>,
    /// What is being answered; locked behind `asked`.
    under_way: Mutex<Option<UnderWay>>,
    /// Held by whoever works out an answer.
    known: Mutex<Option<Known>>,
    theory: Slot<Theory>,
    proof: Slot<Proof>,
}

/// A question that is being answered, and how to give up what depends on the scenario, and on the rate.
#[derive(Debug)]
struct UnderWay {
    scenario: Arc<Scenario>,
    equations: Arc<AtomicBool>,
    answer: Arc<AtomicBool>,
}

/// Asks for theory and holds the newest answers, which clones share.
#[derive(Clone, Debug, Default)]
pub(super) struct Evaluator {
    /// The simulation thread, which is woken by each answer. With nobody to wake, answers are worked
    /// out where they are asked for, before anything else goes on.
    wake: Option<Sender<Told>>,
    /// Steps of work for each of its answers.
    steps: u64,
    answers: Arc<Answers>,
}

impl Evaluator {
    /// One that knows nothing yet.
    pub(super) fn new(wake: Option<Sender<Told>>, steps: u64) -> Self {
        Self { wake, steps, answers: Arc::default() }
    }

    /// One that knows nothing yet, to work beside this one.
    pub(super) fn another(&self) -> Self {
        Self::new(self.wake.clone(), self.steps)
    }

    /// Asks about `scenario` at `rate`.
    pub(super) fn ask(&self, scenario: &Arc<Scenario>, rate: Rate) {
        let mut asked = lock(&self.answers.asked);
        *asked = Some((Arc::clone(scenario), rate));
        if let Some(before) = &*lock(&self.answers.under_way) {
            // Equations of the same scenario are still wanted.
            let other = !Arc::ptr_eq(&before.scenario, scenario);
            before.equations.fetch_or(other, Ordering::Relaxed);
            before.answer.store(true, Ordering::Relaxed);
        }
        drop(asked);
        self.work("theory", Self::solve);
    }

    /// The newest answer about `scenario`, if it is about this rate.
    pub(super) fn answer(&self, scenario: &Arc<Scenario>, rate: Rate) -> Option<Arc<Theory>> {
        get(&self.answers.theory, scenario).filter(|theory| theory.rate == rate)
    }

    /// True if a question has not been answered to its end.
    pub(super) fn is_at_work(&self) -> bool {
        lock(&self.answers.asked).is_some() || lock(&self.answers.under_way).is_some()
    }

    /// Whether the routing of `scenario` is proven free of deadlock, once that is known.
    pub(super) fn proof(&self, scenario: &Arc<Scenario>) -> Option<Arc<Proof>> {
        get(&self.answers.proof, scenario)
    }

    /// Works something out, on a thread of its own where somebody can be woken.
    fn work(&self, name: &str, work: impl FnOnce(&Self) + Send + 'static) {
        if self.wake.is_none() {
            return work(self);
        }
        let shared = self.clone();
        // Without the thread there is no theory on the screen, and nothing else is missing.
        let thread = std::thread::Builder::new().name(name.to_owned());
        let _ = thread.spawn(move || work(&shared));
    }

    /// Answers the newest question, unless somebody has: first what is quick, then what takes time.
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
            *known = Some(wanted::until(&equations, new));
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
        // Where there is no model, nothing else says that the work has ended.
        if known.reference.is_none() && !self.announce() {
            return;
        }
        // Large networks take seconds, and predictions are wanted meanwhile.
        if !std::mem::replace(&mut known.proof, true) {
            self.work("proof", move |shared| {
                put(&shared.answers.proof, &scenario, scenario.system.proof());
                shared.announce();
            });
        }
    }

    /// Works out all that a question is about, and shows each part once it is there; says whether it came to
    /// the end.
    fn work_out(
        &self,
        known: &mut Known,
        (scenario, rate): (&Arc<Scenario>, Rate),
        answer: &Arc<AtomicBool>,
    ) -> bool {
        let shown = |known: &mut Known| {
            let theory = || budget::within(self.steps, || known.theory(rate)).0;
            let theory = wanted::until(answer, theory);
            if answer.load(Ordering::Relaxed) {
                return false;
            }
            let Some(theory) = theory else { return true };
            put(&self.answers.theory, scenario, theory);
            self.announce()
        };
        // Who waits for all of it needs no part.
        let waits = self.wake.is_none();
        if !waits && !shown(known) {
            return false;
        }
        while known.next.is_some() {
            wanted::until(answer, || known.go_on(answer));
            if answer.load(Ordering::Relaxed) || !waits && !shown(known) {
                return false;
            }
        }
        !waits || shown(known)
    }

    /// Has an answer shown that has come. Says whether anybody listens.
    fn announce(&self) -> bool {
        let refresh = Told { run: 0, command: Command::Refresh };
        self.wake.as_ref().is_none_or(|wake| wake.send(refresh).is_ok())
    }
}
