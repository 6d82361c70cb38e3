//! One run, or two runs advanced together to the same cycle.

use std::sync::Arc;

use educe::Educe;

use super::fates::Fate;
use super::letters::SharedLetters;
use super::pairs::{Pairs, PairsSummary};
use super::{Intervention, Session};
use crate::engine::letters::Change as LetterChange;
use crate::engine::{Change, Snapshot};
use crate::scenario::Scenario;
use crate::scenario::contrast;
use crate::stats::{SAMPLE_PERIOD, Steadiness};
use crate::topology::{Channel, Network};
use crate::units::Cycle;

/// Pairs and labels of the same messages in two runs.
#[derive(Debug, Default, Educe)]
#[educe(Clone)]
struct Same {
    pairs: Pairs,
    letters: SharedLetters,
}

/// One run, or two runs at the same cycle. A deadlocked run remains at its last cycle while the
/// other continues.
#[derive(Debug, Educe)]
#[educe(Clone)]
pub struct Runs {
    sessions: Vec<Session>,
    /// Pairs and labels of two runs; `None` unless both send the same messages.
    same: Option<Box<Same>>,
    /// The number of interventions applied.
    done: usize,
    /// True if messages have labels.
    lettered: bool,
}

impl From<Session> for Runs {
    fn from(first: Session) -> Self {
        Self { done: first.journal().len(), sessions: vec![first], same: None, lettered: false }
    }
}

impl Runs {
    /// Combines the run `first`, at its beginning, with a run of `against` with the same seed,
    /// warm-up and changes. Both send the same messages if `against` was made for this purpose
    /// ([`contrast::beside`]) and has the same traffic.
    pub fn two(first: Session, against: Arc<Scenario>) -> Self {
        let same = contrast::same_messages(first.scenario(), &against).then(Box::default);
        let mut session = Session::new(against, first.seed(), first.replication(), first.warm_up());
        let journal = first.journal().to_vec();
        let done = journal.len();
        for Intervention { change, .. } in journal {
            if concerns(change, &first, &session) {
                session.apply(change);
            }
        }
        let mut runs = Self { done, sessions: vec![first, session], same, lettered: false };
        runs.begin_pairs();
        runs
    }

    /// The first run.
    pub fn first(&self) -> &Session {
        &self.sessions[0]
    }

    /// All runs, for changes without visible effect.
    pub(crate) fn all_mut(&mut self) -> &mut [Session] {
        &mut self.sessions
    }

    /// The second run, if any.
    pub fn second(&self) -> Option<&Session> {
        self.sessions.get(1)
    }

    /// The second run if `second` is true and there are two, otherwise the first.
    pub fn run(&self, second: bool) -> &Session {
        self.second().filter(|_| second).unwrap_or(&self.sessions[0])
    }

    /// All runs.
    pub fn all(&self) -> impl Iterator<Item = &Session> {
        self.sessions.iter()
    }

    /// Statistics of the messages paired in both runs; `None` for a single run and for runs with
    /// different messages. The difference has an interval only if both runs are steady.
    pub fn pairs(&self) -> Option<PairsSummary> {
        let mut known = self.same.as_ref()?.pairs.summary();
        let steady = |run: &Session| run.steadiness() == Steadiness::Steady;
        if let Some(difference) = known.paired.difference.as_mut()
            && !self.all().all(steady)
        {
            difference.half_width = None;
        }
        Some(known)
    }

    /// Labels messages in a snapshot of the second run like the first run, if both send the same
    /// messages.
    pub fn share_labels(&self, snapshot: &mut Snapshot) {
        if let Some(same) = &self.same {
            same.letters.show(snapshot);
        }
    }

    /// The number of cycles simulated.
    pub fn now(&self) -> Cycle {
        self.all().map(Session::now).max().unwrap_or_default()
    }

    /// True if no run can continue.
    pub fn are_over(&self) -> bool {
        self.all().all(Session::is_over)
    }

    /// Simulates up to `until`, or until no run can continue. The result does not depend on the
    /// number of calls.
    pub fn advance(&mut self, until: Cycle) {
        self.advance_with(until, |_, _| ());
    }

    /// Simulates like [`Self::advance`] and passes every delivery and loss to `tell`, with true for the
    /// second run.
    pub(crate) fn advance_with(&mut self, until: Cycle, mut tell: impl FnMut(bool, Fate<'_>)) {
        if let [alone] = self.sessions.as_mut_slice() {
            return alone.advance_telling(until, |fate| tell(false, fate));
        }
        while self.now() < until && !self.are_over() {
            let sample = (self.now().0 / SAMPLE_PERIOD + 1) * SAMPLE_PERIOD;
            let until = Cycle(until.0.min(sample));
            let mut arrived = Vec::new();
            for (session, second) in self.sessions.iter_mut().zip([false, true]) {
                session.advance_telling(until, |fate| {
                    match fate {
                        Fate::Delivered(delivery) => arrived.push((second, *delivery)),
                        Fate::Lost(_) => {}
                    }
                    tell(second, fate);
                });
            }
            // The warm-up of the later run may have ended in this interval: messages generated
            // since then have also arrived since then.
            self.begin_pairs();
            self.share_letters();
            let Some(Same { pairs, .. }) = self.same.as_deref_mut() else { continue };
            for (second, delivery) in &arrived {
                pairs.take(delivery, *second);
            }
            if until.0 == sample {
                pairs.thin();
            }
        }
    }

    /// Excludes messages generated from now on from the statistics and from the pairs.
    pub fn close(&mut self) {
        let now = self.now().0;
        self.sessions.iter_mut().for_each(Session::close);
        if let Some(Same { pairs, .. }) = self.same.as_deref_mut() {
            pairs.close(now);
        }
    }

    /// Starts labelling messages; call this at the beginning of the runs.
    pub fn want_letters(&mut self) {
        let shared = self.same.is_some();
        self.lettered = true;
        for session in &mut self.sessions {
            session.letters().want();
            session.letters().keep_log(shared);
        }
    }

    fn share_letters(&mut self) {
        let mut changes: [Vec<LetterChange>; 2] = Default::default();
        for (session, changes) in self.sessions.iter_mut().zip(&mut changes) {
            session.letters().take_log(changes);
        }
        if let Some(same) = &mut self.same {
            same.letters.take(changes.each_ref().map(Vec::as_slice));
        }
    }

    /// Starts pairing once both runs have completed their warm-up, or after a change of the load.
    fn begin_pairs(&mut self) {
        let now = self.now().0;
        let settled = self.all().map(|session| session.statistics().settled_at(now));
        let settled = settled.collect::<Option<Vec<u64>>>();
        let born = self.all().map(|session| session.statistics().born_from());
        let from = settled.iter().flatten().copied().chain(born).max().unwrap_or(0);
        if let Some(Same { pairs, .. }) = self.same.as_deref_mut() {
            pairs.begin(from, settled.is_some());
        }
    }

    /// Applies a change to every run that it affects: of two runs not to a deadlocked one, and
    /// links of the second only if both have the same network.
    pub fn apply(&mut self, change: Change) {
        let reached = [false, true].map(|second| self.is_reached(second, change));
        for (session, reached) in self.sessions.iter_mut().zip(reached) {
            if reached {
                session.apply(change);
            }
        }
        self.done += 1;
        self.begin_pairs();
    }

    /// True if a change affects the first or the second run. A deadlocked run of two keeps its
    /// measurements, and links of the first run have no meaning in another network.
    fn is_reached(&self, second: bool, change: Change) -> bool {
        let session = self.run(second);
        self.sessions.len() == 1
            || session.deadlock().is_none() && concerns(change, self.first(), session)
    }

    /// True if a change has no effect in any run.
    pub(super) fn is_idle(&self, change: Change) -> bool {
        let idle =
            |second| !self.is_reached(second, change) || self.run(second).engine().is_idle(change);
        idle(false) && idle(true)
    }

    pub(super) fn done(&self) -> usize {
        self.done
    }

    /// Keeps a single run: the second if `second` is true and there are two, otherwise the first.
    pub(super) fn part(&mut self, second: bool) {
        let last = self.sessions.len() - 1;
        self.sessions.swap(0, if second { last } else { 0 });
        self.sessions.truncate(1);
        self.same = None;
        self.sessions[0].letters().keep_log(false);
        self.done = self.sessions[0].journal().len();
    }

    /// Returns the same runs at cycle 0, without interventions.
    #[must_use]
    pub(super) fn anew(&self) -> Self {
        let same = self.same.as_ref().map(|_| Box::default());
        let sessions = self.all().map(Session::anew).collect();
        let mut runs = Self { sessions, same, done: 0, lettered: false };
        if self.lettered {
            runs.want_letters();
        }
        runs.begin_pairs();
        runs
    }

    /// The size of a copy in bytes, including the value itself.
    pub(super) fn bytes(&self) -> usize {
        let same = self.same.as_ref();
        self.all().map(Session::bytes).sum::<usize>()
            + same.map_or(0, |same| same.pairs.bytes() + same.letters.bytes())
    }

    /// The part of [`Self::bytes`] that a copy shares with `other`.
    pub(super) fn shared_bytes(&self, other: &Self) -> usize {
        self.all().zip(other.all()).map(|(own, other)| own.shared_bytes(other)).sum()
    }

    /// The work done so far; see [`Session::work`].
    pub(super) fn work(&self) -> u64 {
        self.all().map(Session::work).sum()
    }
}

/// True if a change of the run `first` has the same meaning in the run `other`.
fn concerns(change: Change, first: &Session, other: &Session) -> bool {
    fn links(network: &Network) -> &[Channel] {
        &network.channels()[..network.links()]
    }
    match change {
        Change::Rate(_) => true,
        Change::LinkDown(_) | Change::LinkUp(_) => {
            let [first, other] = [first, other].map(|run| &run.scenario().system.network);
            Arc::ptr_eq(first, other) || links(first) == links(other)
        }
    }
}
