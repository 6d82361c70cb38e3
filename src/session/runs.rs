//! One run, or two of the same messages that always stand at the same cycle.

use std::sync::Arc;

use educe::Educe;

use super::letters::SharedLetters;
use super::pairs::{Pairs, PairsSummary};
use super::{Intervention, Session};
use crate::engine::letters::Change as LetterChange;
use crate::engine::{Change, Delivery, Snapshot};
use crate::scenario::Scenario;
use crate::scenario::contrast;
use crate::stats::{SAMPLE_PERIOD, Steadiness};
use crate::topology::{Channel, Network};
use crate::units::Cycle;

/// What is known of the same messages in two runs.
#[derive(Debug, Default, Educe)]
#[educe(Clone)]
struct Same {
    pairs: Pairs,
    letters: SharedLetters,
}

/// One run, or two at the same cycle. A run that stands in a deadlock stays at its last cycle while
/// the other goes on.
#[derive(Debug, Educe)]
#[educe(Clone)]
pub struct Runs {
    sessions: Vec<Session>,
    /// What is known of the messages of two; `None` where they do not send the same.
    same: Option<Box<Same>>,
    /// How often something was done to them.
    done: usize,
    /// True if their messages are given letters.
    lettered: bool,
}

impl From<Session> for Runs {
    fn from(first: Session) -> Self {
        Self { done: first.journal().len(), sessions: vec![first], same: None, lettered: false }
    }
}

impl Runs {
    /// The run of `first`, which must stand at its beginning, and beside it one of `against` with the
    /// same seed, warm-up and changes. They send the same messages if `against` was made for that
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

    /// The first run, or the only one.
    pub fn first(&self) -> &Session {
        &self.sessions[0]
    }

    /// Both, or the only one, to be changed in what nobody sees.
    pub(crate) fn all_mut(&mut self) -> &mut [Session] {
        &mut self.sessions
    }

    /// The other run, where there is one.
    pub fn second(&self) -> Option<&Session> {
        self.sessions.get(1)
    }

    /// The second run, if that is wanted and there is one, or the first.
    pub fn run(&self, second: bool) -> &Session {
        self.second().filter(|_| second).unwrap_or(&self.sessions[0])
    }

    /// Both, or the only one.
    pub fn all(&self) -> impl Iterator<Item = &Session> {
        self.sessions.iter()
    }

    /// What is known of the same messages in both; `None` where there is one run, or where the two do
    /// not send the same. The difference has an interval only where both are steady.
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

    /// Has a picture of the second run call its messages as the first does, where both send the
    /// same.
    pub fn call_alike(&self, snapshot: &mut Snapshot) {
        if let Some(same) = &self.same {
            same.letters.show(snapshot);
        }
    }

    /// Cycles simulated.
    pub fn now(&self) -> Cycle {
        self.all().map(Session::now).max().unwrap_or_default()
    }

    /// True if nothing can happen any more: every run stands in a deadlock.
    pub fn are_over(&self) -> bool {
        self.all().all(|session| session.deadlock().is_some())
    }

    /// Simulates up to `until`, or until nothing can happen any more. How that is cut into calls
    /// changes nothing.
    pub fn advance(&mut self, until: Cycle) {
        self.advance_telling(until, |_, _| ());
    }

    /// The same, and tells of every delivery: whether it is of the second run, and the delivery.
    pub(crate) fn advance_telling(&mut self, until: Cycle, mut tell: impl FnMut(bool, &Delivery)) {
        if let [alone] = self.sessions.as_mut_slice() {
            return alone.advance_telling(until, |delivery| tell(false, delivery));
        }
        while self.now() < until && !self.are_over() {
            let sample = (self.now().0 / SAMPLE_PERIOD + 1) * SAMPLE_PERIOD;
            let until = Cycle(until.0.min(sample));
            let mut arrived = Vec::new();
            for (session, second) in self.sessions.iter_mut().zip([false, true]) {
                session.advance_telling(until, |delivery| {
                    arrived.push((second, *delivery));
                    tell(second, delivery);
                });
            }
            // The warm-up of the later one may have ended on the way: what was generated since then
            // has arrived since then.
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

    /// Leaves out what is generated from now on, in both and of the messages of both.
    pub fn close(&mut self) {
        let now = self.now().0;
        self.sessions.iter_mut().for_each(Session::close);
        if let Some(Same { pairs, .. }) = self.same.as_deref_mut() {
            pairs.close(now);
        }
    }

    /// Gives messages letters. To be asked at the beginning of the runs.
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

    /// Has the pairs begin where the later run has come past its warm-up, or the present load was set.
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

    /// Applies a change to every run that it reaches: of two, not to one that stands for ever, and to the
    /// second one's links only if both networks have the same.
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

    /// True if a change reaches the first or the second run. Of two, one that stands for ever keeps
    /// what was measured of it, and the links of the first mean nothing in another network.
    fn is_reached(&self, second: bool, change: Change) -> bool {
        let session = self.run(second);
        self.sessions.len() == 1
            || session.deadlock().is_none() && concerns(change, self.first(), session)
    }

    /// True if a change would close or open no link in any run.
    pub(super) fn is_idle(&self, change: Change) -> bool {
        let idle =
            |second| !self.is_reached(second, change) || self.run(second).engine().is_idle(change);
        match change {
            Change::Rate(_) => false,
            Change::LinkDown(_) | Change::LinkUp(_) => idle(false) && idle(true),
        }
    }

    pub(super) fn done(&self) -> usize {
        self.done
    }

    /// One of them alone from now on: the second, if that is wanted and there is one, or the first.
    pub(super) fn part(&mut self, second: bool) {
        let last = self.sessions.len() - 1;
        self.sessions.swap(0, if second { last } else { 0 });
        self.sessions.truncate(1);
        self.same = None;
        self.sessions[0].letters().keep_log(false);
        self.done = self.sessions[0].journal().len();
    }

    /// The same at the beginning, nothing done to them.
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

    /// Bytes of a copy, the value itself included.
    pub(super) fn bytes(&self) -> usize {
        let same = self.same.as_ref();
        self.all().map(Session::bytes).sum::<usize>()
            + same.map_or(0, |same| same.pairs.bytes() + same.letters.bytes())
    }

    /// Of [`Self::bytes`], those that a copy shares with `other`.
    pub(super) fn shared_bytes(&self, other: &Self) -> usize {
        self.all().zip(other.all()).map(|(own, other)| own.shared_bytes(other)).sum()
    }

    /// What has been done so far; see [`Session::work`].
    pub(super) fn work(&self) -> u64 {
        self.all().map(Session::work).sum()
    }
}

/// True if a change of the run `first` means the same in the run `other`.
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
