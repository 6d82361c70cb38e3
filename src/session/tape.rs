//! A run that can be rewound: restores the nearest checkpoint, then replays the journal.
//!
//! Rewinding and replaying gives the same states, bit for bit, as a direct run. The future remains
//! known until an intervention in the past forks the run. A seek is divided into steps of any
//! number of cycles, so that progress can be shown and the seek cancelled; the result does not
//! depend on the division.

mod goal;

use super::checkpoints::Checkpoints;
pub use super::checkpoints::Keep;
use super::events::{EventWatch, Events};
use super::fates::Fate;
use super::runs::Runs;
use super::{Intervention, Session};
use crate::engine::messages::MessageState;
use crate::engine::{Change, Delivery};
use crate::ids::MessageId;
use crate::units::Cycle;
use goal::Goal;

/// Cycles between opportunities to take a checkpoint.
const LOOK_CYCLES: u64 = 64;

/// Progress of a seek.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeekProgress {
    /// Not yet finished.
    Going,
    /// The intermediate cycle has been reached.
    Passing,
    Done,
    /// Finished; no such event was found.
    Nothing,
}

/// One run, or two runs together, that can be rewound.
#[derive(Debug)]
pub struct Tape {
    runs: Runs,
    /// All interventions, including those after the present cycle.
    journal: Vec<Intervention>,
    /// The latest cycle reached.
    live: u64,
    checkpoints: Checkpoints,
    goal: Option<Goal>,
    /// The cycle restored on cancellation, and the start of the present stage of the seek.
    origin: u64,
    began: u64,
    /// One watch per run.
    watches: [EventWatch; 2],
    /// The message to record on delivery, and its delivery in each run.
    awaited: Option<MessageId>,
    arrived: [Option<Delivery>; 2],
}

impl Tape {
    /// Creates a tape of runs at their beginning.
    pub fn new(runs: impl Into<Runs>, keep: Keep) -> Self {
        let mut runs = runs.into();
        runs.want_letters();
        let live = runs.now().0;
        Self {
            journal: runs.first().journal().to_vec(),
            runs,
            live,
            checkpoints: Checkpoints::new(keep),
            goal: None,
            origin: live,
            began: live,
            watches: Default::default(),
            awaited: None,
            arrived: [None; 2],
        }
    }

    /// Creates a tape of runs before their first cycle, with a known journal to replay. `live` is
    /// the latest known cycle.
    pub fn with_journal(
        runs: impl Into<Runs>,
        journal: Vec<Intervention>,
        live: Cycle,
        keep: Keep,
    ) -> Self {
        let mut tape = Self::new(runs, keep);
        tape.live = live.0;
        tape.journal = journal;
        tape.catch_up();
        tape
    }

    /// The first run, at the present cycle.
    pub fn session(&self) -> &Session {
        self.runs.first()
    }

    /// The runs at the present cycle.
    pub fn runs(&self) -> &Runs {
        &self.runs
    }

    /// Keeps a single run with its past: the second if `second` is true and there are two,
    /// otherwise the first.
    pub fn part(&mut self, second: bool) {
        self.cancel();
        self.runs.part(second);
        self.checkpoints.part(second);
        self.arrived.rotate_left(usize::from(second));
        if self.is_over() {
            // Only the removed run continued.
            self.end();
        }
    }

    /// True if no run can continue.
    pub fn is_over(&self) -> bool {
        self.runs.are_over()
    }

    /// Records the delivery of this message in every run from now on.
    pub fn await_delivery(&mut self, message: Option<MessageId>) {
        (self.awaited, self.arrived) = (message, [None; 2]);
    }

    /// Takes the recorded delivery of each run.
    pub fn take_arrived(&mut self) -> [Option<Delivery>; 2] {
        std::mem::take(&mut self.arrived)
    }

    /// A copy of the first or the second run from the latest checkpoint before the generation of
    /// `message`.
    pub fn before_birth_of(&self, message: MessageId, second: bool) -> Session {
        let unborn = |runs: &Runs| {
            let state = runs.run(second).engine().state_of(message, None);
            runs.now() <= self.now() && state == MessageState::Unborn
        };
        let kept = self.checkpoints.last_where(unborn);
        match kept {
            Some(runs) => runs.run(second).clone(),
            None => self.runs.run(second).anew(),
        }
    }

    /// The present cycle.
    pub fn now(&self) -> Cycle {
        self.runs.now()
    }

    /// The latest cycle reached.
    pub fn live(&self) -> Cycle {
        Cycle(self.live)
    }

    /// True if the present cycle is earlier than the latest cycle reached.
    pub fn is_behind(&self) -> bool {
        self.now().0 < self.live
    }

    /// All interventions, including those after the present cycle.
    pub fn journal(&self) -> &[Intervention] {
        &self.journal
    }

    /// The cycles of the checkpoints, in order.
    pub fn checkpoints(&self) -> impl Iterator<Item = u64> {
        self.checkpoints.cycles()
    }

    /// The size of the checkpoints in bytes.
    pub fn checkpoint_bytes(&self) -> usize {
        self.checkpoints.bytes()
    }

    /// Advances up to `until` or to a deadlock, replaying the known interventions.
    pub fn advance(&mut self, until: Cycle) {
        self.catch_up();
        while self.now() < until && !self.runs.are_over() {
            let now = self.now().0;
            let look = (now / LOOK_CYCLES + 1) * LOOK_CYCLES;
            let due = self.journal.get(self.runs.done()).map_or(u64::MAX, |i| i.cycle.0);
            let (awaited, arrived) = (self.awaited, &mut self.arrived);
            self.runs.advance_with(Cycle(until.0.min(look).min(due)), |second, fate| match fate {
                Fate::Delivered(delivery) if awaited == Some(delivery.name()) => {
                    arrived[usize::from(second)] = Some(*delivery);
                }
                Fate::Delivered(_) | Fate::Lost(_) => {}
            });
            let now = self.now().0;
            self.live = self.live.max(now);
            if now == look {
                self.checkpoints.offer(&self.runs);
            }
            self.catch_up();
        }
        if self.runs.are_over() && self.is_behind() {
            self.end();
        }
    }

    /// Drops the known future, which cannot occur any more.
    fn end(&mut self) {
        self.live = self.now().0;
        self.journal.truncate(self.runs.done());
        self.checkpoints.cut(self.live);
    }

    /// Applies the known interventions at the present cycle.
    fn catch_up(&mut self) {
        while let Some(next) = self.journal.get(self.runs.done())
            && next.cycle <= self.now()
        {
            self.runs.apply(next.change);
        }
    }

    /// Applies a change at the present cycle, unless idle. Returns true if the change forked the
    /// run and the known future was dropped.
    pub fn apply(&mut self, change: Change) -> bool {
        self.catch_up();
        self.arrive();
        if self.runs.is_idle(change) {
            return false;
        }
        let forked = self.is_behind();
        if forked {
            self.journal.truncate(self.runs.done());
            self.checkpoints.cut(self.now().0);
            self.live = self.now().0;
        }
        self.runs.apply(change);
        self.journal.push(Intervention { cycle: self.now(), change });
        forked
    }

    /// Starts a seek to a cycle, at most the latest cycle reached. On the way the tape passes a
    /// cycle at least `lead` cycles earlier, if there is one ([`SeekProgress::Passing`]).
    pub fn seek(&mut self, cycle: Cycle, lead: u64) {
        self.depart();
        self.head_for(cycle.0.min(self.live), lead);
    }

    /// Starts rewinding to the last cycle before the present with one of the `wanted` events in the
    /// previous cycle; to cycle 0 if there is none.
    pub fn seek_last(&mut self, wanted: Events, lead: u64) {
        self.depart();
        self.stretch(wanted, lead, self.now().0);
    }

    /// Starts advancing to the next of the `wanted` events, through the known future and beyond.
    pub fn seek_next(&mut self, wanted: Events) {
        self.depart();
        self.open_watches();
        self.goal = Some(Goal::Next { wanted });
    }

    /// True during a seek.
    pub fn is_seeking(&self) -> bool {
        self.goal.is_some()
    }

    /// The destination of the seek, if known, and the share of the distance covered.
    pub fn progress(&self) -> Option<(Option<Cycle>, f32)> {
        let now = self.now().0;
        let share = |from: u64, to: u64| {
            (now.saturating_sub(from)) as f32 / (to.saturating_sub(from)).max(1) as f32
        };
        match *self.goal.as_ref()? {
            Goal::Cycle { to, .. } => Some((Some(Cycle(to)), share(self.began, to).min(1.0))),
            Goal::Last { from, last, .. } => Some((None, share(from, last).min(1.0))),
            Goal::Next { .. } => Some((None, 0.0)),
        }
    }

    /// Advances the seek by at most `cycles`.
    pub fn advance_seek(&mut self, cycles: u64) -> SeekProgress {
        let end = self.now().0.saturating_add(cycles.max(1));
        match self.goal.clone() {
            None => SeekProgress::Done,
            Some(Goal::Cycle { via, to }) => {
                self.advance(Cycle(via.unwrap_or(to).min(end)));
                let now = self.now().0;
                if via.is_some_and(|via| now >= via) {
                    self.goal = Some(Goal::Cycle { via: None, to });
                    return SeekProgress::Passing;
                }
                if now >= to || self.runs.are_over() {
                    self.arrive();
                    return SeekProgress::Done;
                }
                SeekProgress::Going
            }
            Some(Goal::Last { wanted, lead, from, last, mut found }) => {
                while self.now().0 < last.min(end) {
                    if self.cycle().intersects(wanted) {
                        found = Some(self.now().0);
                    }
                }
                if self.now().0 < last {
                    self.goal = Some(Goal::Last { wanted, lead, from, last, found });
                    return SeekProgress::Going;
                }
                match found {
                    Some(cycle) => self.head_for(cycle, lead),
                    None if from == 0 => {
                        self.restore(0);
                        self.arrive();
                        return SeekProgress::Nothing;
                    }
                    None => self.stretch(wanted, lead, from + 1),
                }
                SeekProgress::Going
            }
            Some(Goal::Next { wanted }) => {
                while self.now().0 < end {
                    let happened = self.cycle().intersects(wanted);
                    if happened || self.runs.are_over() {
                        self.arrive();
                        return if happened { SeekProgress::Done } else { SeekProgress::Nothing };
                    }
                }
                SeekProgress::Going
            }
        }
    }

    /// Cancels the seek and returns to its start; an advance to the next event stops at the present
    /// cycle.
    pub fn cancel(&mut self) {
        match self.goal.take() {
            None | Some(Goal::Next { .. }) => {}
            Some(_) => {
                self.restore(self.origin);
                self.advance(Cycle(self.origin));
            }
        }
        self.arrive();
    }

    fn arrive(&mut self) {
        self.goal = None;
        self.checkpoints.unpin();
    }

    /// Simulates one cycle and returns the events of all runs.
    fn cycle(&mut self) -> Events {
        self.advance(self.now() + 1);
        let watches = self.watches.iter_mut().zip(self.runs.all());
        watches.map(|(watch, session)| watch.look(session)).collect()
    }

    fn open_watches(&mut self) {
        self.watches
            .iter_mut()
            .zip(self.runs.all())
            .for_each(|(watch, session)| watch.open(session));
    }

    /// Records the present position for a later return.
    fn depart(&mut self) {
        if self.goal.take().is_none() {
            self.origin = self.now().0;
            self.checkpoints.pin(&self.runs);
        }
        self.began = self.now().0;
    }

    /// Winds to `to` by way of a cycle `lead` earlier.
    fn head_for(&mut self, to: u64, lead: u64) {
        let via = to.saturating_sub(lead);
        let now = self.now().0;
        let kept = self.checkpoints.before(via).map_or(0, |runs| runs.now().0);
        if now > via || kept > now {
            self.restore(via);
        }
        self.began = self.now().0;
        self.goal = Some(Goal::Cycle { via: (lead > 0).then_some(via), to });
    }

    /// Searches for an event in the cycles before `end`, back to the checkpoint before.
    fn stretch(&mut self, wanted: Events, lead: u64, end: u64) {
        let last = end.saturating_sub(1);
        self.restore(last.saturating_sub(1));
        let from = self.now().0;
        self.began = from;
        self.open_watches();
        self.goal = Some(Goal::Last { wanted, lead, from, last, found: None });
    }

    /// Restores the newest checkpoint at `cycle` or earlier, or the beginning.
    fn restore(&mut self, cycle: u64) {
        match self.checkpoints.before(cycle) {
            Some(checkpoint) => self.runs.clone_from(checkpoint),
            None => self.runs = self.runs.anew(),
        }
        self.catch_up();
    }
}
