//! The simulation without a thread or a clock: executes commands, advances cycles, draws updates.
//!
//! Slicing of cycles and the times of drawing change no result.

use std::sync::Arc;

use super::monitor::Monitor;
use super::theory::Evaluator;
use super::{Options, RunState, Seeking, Speed, Update, WINDOW};
use crate::scenario::Scenario;
use crate::session::Session;
use crate::session::saved::Saved;
use crate::session::tape::Tape;
use crate::units::Cycle;

/// Maximum number of cycles searched for the next event; a step ends there even without an event.
const EVENT_CYCLES: u64 = 1 << 20;
/// The longest step made at once.
const STEP_MAX: u64 = 4096;

/// Action after the end of a seek.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Then {
    /// Simulate up to this cycle, beyond the newest one.
    Step(u64),
    /// Rewind to this cycle, and continue if `true`.
    Seek(u64, bool),
}

/// A run, an optional compared run, and the state of their commands.
///
/// Both are at the same cycle, except that a run in a deadlock stays behind.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) tape: Tape,
    /// Measurements of each run.
    pub(super) monitors: Vec<Monitor>,
    pub(super) options: Options,
    /// The number of the run.
    pub(super) number: u64,
    /// Number of commands executed.
    pub(super) executed: u64,
    pub(super) running: bool,
    /// Cycle at which a step or a limit stops the run.
    pub(super) until: Option<u64>,
    /// First cycle of a long step in progress, which ignores the pace.
    pub(super) hurry: Option<u64>,
    pub(super) speed: Speed,
    pub(super) window: u64,
    /// Action after the end of a seek.
    pub(super) then: Option<Then>,
    /// True if the requested event does not exist.
    pub(super) no_such_event: bool,
    /// Cycles bookmarked by the user, in order.
    pub(super) bookmarks: Vec<u64>,
    /// The last session saved on request, and the number of such sessions.
    pub(super) saved: Option<Arc<Saved>>,
    pub(super) saves: u64,
}

impl Stage {
    pub(super) fn new(scenario: Arc<Scenario>, options: Options, evaluator: Evaluator) -> Self {
        let seed = options.seed.unwrap_or(scenario.seed);
        let session = Session::new(scenario, seed, 0, options.warm_up);
        let until = options.limit.map(|limit| limit.0);
        Self { until, ..Self::of(session, evaluator, options) }
    }

    pub(super) fn of(session: Session, evaluator: Evaluator, options: Options) -> Self {
        let tape = Tape::new(session, options.keep);
        Self {
            monitors: vec![Monitor::new(tape.session(), evaluator)],
            tape,
            options,
            number: 0,
            executed: 0,
            running: options.running,
            until: None,
            hurry: None,
            speed: options.speed,
            window: WINDOW,
            then: None,
            no_such_event: false,
            bookmarks: Vec::new(),
            saved: None,
            saves: 0,
        }
    }

    /// The monitor of each run, with the run.
    pub(super) fn watched(&mut self) -> impl Iterator<Item = (&mut Monitor, &Session)> {
        self.monitors.iter_mut().zip(self.tape.runs().all())
    }

    pub(super) fn now(&self) -> u64 {
        self.tape.now().0
    }

    pub(super) fn seed(&self) -> u64 {
        self.session().seed()
    }

    /// The run, or the first of two.
    pub(super) fn session(&self) -> &Session {
        self.tape.session()
    }

    /// True if the run is advancing.
    pub(super) fn is_advancing(&self) -> bool {
        self.running && !self.tape.is_over()
    }

    pub(super) fn pace(&self) -> Speed {
        if self.hurry.is_some() { Speed::Max } else { self.speed }
    }

    pub(super) fn forget_stop(&mut self) {
        self.watched().for_each(|(monitor, _)| monitor.watch.stopped_by = None);
    }

    /// Simulates a number of cycles, then pauses.
    pub(super) fn step(&mut self, cycles: u64) {
        let goal = self.now().saturating_add(cycles);
        self.running = false;
        self.forget_stop();
        if cycles > STEP_MAX {
            // A long step is an ordinary run with a limit, and can be cancelled.
            (self.running, self.hurry) = (true, Some(self.now()));
            self.until = Some(goal);
            return;
        }
        while self.now() < goal && !self.is_stopped() {
            self.advance_piece(goal);
        }
    }

    pub(super) fn step_event(&mut self) {
        self.running = false;
        self.forget_stop();
        let events = |stage: &Self| -> u64 {
            stage.tape.runs().all().map(|session| session.counters().events).sum()
        };
        let (first, seen) = (self.now(), events(self));
        // Worms have no events: flits move in every cycle.
        let worms = self.session().scenario().system.circuit().is_none();
        let last = first + if worms { 1 } else { EVENT_CYCLES };
        while events(self) == seen && self.now() < last && !self.is_stopped() {
            self.advance_piece(self.now() + 1);
        }
    }

    /// Bookmarks the closing cycle of a newly detected deadlock.
    pub(super) fn mark_deadlock(&mut self) {
        for (monitor, session) in self.monitors.iter_mut().zip(self.tape.runs().all()) {
            for cycle in monitor.new_deadlock(session) {
                if let Err(at) = self.bookmarks.binary_search(&cycle) {
                    self.bookmarks.insert(at, cycle);
                }
            }
        }
    }

    /// Drops bookmarks after the newest cycle: the run was forked before them, or ends there.
    pub(super) fn forget_later_bookmarks(&mut self) {
        let live = self.tape.live().0;
        self.bookmarks.retain(|&cycle| cycle <= live);
    }

    /// Progress of a seek or a long step, for the screen.
    pub(super) fn seeking(&self) -> Option<Seeking> {
        let hurry = self.hurry.filter(|_| self.is_advancing());
        if let (Some(from), Some(to)) = (hurry, self.until) {
            let share = (self.now() - from) as f32 / (to - from).max(1) as f32;
            return Some(Seeking { to: Some(Cycle(to)), share });
        }
        let (to, share) = self.tape.progress()?;
        Some(Seeking { to, share })
    }

    /// Simulates at most `cycles`, until stopped by a step, a limit, the breakpoint or a deadlock.
    /// Returns the number of cycles advanced.
    pub(super) fn advance(&mut self, cycles: u64) -> u64 {
        let from = self.now();
        let until = from.saturating_add(cycles).min(self.until.unwrap_or(u64::MAX));
        while self.now() < until && !self.is_stopped() {
            self.advance_piece(until);
        }
        if Some(self.now()) == self.until {
            (self.running, self.hurry) = (false, None);
        }
        self.now() - from
    }

    /// True if a history of a message needs further replay.
    pub(super) fn is_tracing(&mut self) -> bool {
        let mut all = self.monitors.iter_mut().zip(self.tape.runs().all());
        !self.tape.is_seeking()
            && all.any(|(monitor, session)| {
                monitor.probe.is_tracing(session.now(), &self.tape)
                    || monitor.probe.is_explaining(session)
            })
    }

    /// Replays histories of messages until complete or until `enough` is true.
    pub(super) fn retrace(&mut self, enough: impl Fn() -> bool) {
        if self.tape.is_seeking() {
            return;
        }
        let monitors = self.monitors.iter_mut().zip(self.tape.runs().all());
        for ((monitor, session), second) in monitors.zip([false, true]) {
            monitor.probe.retrace((session.now(), second), &self.tape, &enough);
            monitor.probe.explain(session, (&self.tape, second), &enough);
        }
    }

    /// Simulates to `until`, or to the next cycle at which a run must be examined.
    fn advance_piece(&mut self, until: u64) {
        let now = self.now();
        let look = self.monitors.iter().map(|monitor| monitor.next_look(now)).min();
        self.tape.advance(Cycle(until.min(look.unwrap_or(until))));
        let mut stopped = false;
        self.watched().for_each(|(monitor, session)| stopped |= monitor.came(session));
        self.mark_deadlock();
        if stopped {
            (self.running, self.hurry) = (false, None);
        }
    }

    fn is_stopped(&self) -> bool {
        self.tape.is_over()
            || self.monitors.iter().any(|monitor| monitor.watch.stopped_by.is_some())
    }

    /// Draws the present state into recycled storage. The caller fills in the pace reached.
    pub(super) fn draw(&mut self, update: &mut Update) {
        self.forget_later_bookmarks();
        let (state, window, number) = (self.state(), self.window, self.number);
        update.others.truncate(self.monitors.len() - 1);
        let arrived = self.tape.take_arrived();
        let in_motion = matches!(state, RunState::Running | RunState::Seeking);
        let (live, checkpoints) = (self.tape.live(), self.tape.checkpoints().collect::<Vec<u64>>());
        for (at, ((monitor, session), arrived)) in self.watched().zip(arrived).enumerate() {
            if at > update.others.len() {
                update.others.push(Update::empty(Arc::clone(session.scenario())));
            }
            let drawn = if at == 0 { &mut *update } else { &mut update.others[at - 1] };
            monitor.draw(session, drawn, window, in_motion);
            monitor.probe.draw(session, arrived, &mut drawn.single_messages);
            drawn.run = number;
            drawn.state = state;
            let paused = matches!(state, RunState::Paused | RunState::Limit);
            drawn.present_deadlock = if paused { session.present_deadlock() } else { None };
            drawn.live = live;
            drawn.checkpoints.clone_from(&checkpoints);
        }
        for other in &mut update.others {
            self.tape.runs().share_labels(&mut other.snapshot);
        }
        update.pairs = self.tape.runs().pairs();
        update.commands = self.executed;
        update.speed = self.speed;
        update.bookmarks.clone_from(&self.bookmarks);
        update.seeking = self.seeking();
        update.no_such_event = self.no_such_event;
        update.saved.clone_from(&self.saved);
        update.saves = self.saves;
    }

    fn state(&self) -> RunState {
        if self.tape.is_seeking() {
            RunState::Seeking
        } else if self.tape.is_over() {
            let complete = self.tape.runs().all().all(Session::is_complete);
            if complete { RunState::Delivered } else { RunState::Deadlocked }
        } else if self.hurry.is_some() {
            RunState::Seeking
        } else if self.running {
            RunState::Running
        } else if self.options.limit == Some(Cycle(self.now())) {
            RunState::Limit
        } else {
            RunState::Paused
        }
    }
}
