//! What runs on the simulation thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::time::{Duration, Instant};

use super::breakpoint::Watch;
use super::history::{Event, History, SAMPLE_CYCLES};
use super::mailbox::Mailbox;
use super::theory::Theorist;
use super::usage::Meter;
use super::utilisation::Utilisation;
use super::winding::Winding;
use super::{Command, Options, RunState, Speed, Update};
use crate::engine::Snapshot;
use crate::scenario::Scenario;
use crate::session::tape::Tape;
use crate::session::{Change, Session};
use crate::units::{Cycle, Rate};

/// The work that a slice aims at: short enough that commands are obeyed at once.
pub(super) const SLICE: Duration = Duration::from_millis(4);
/// Over how long the pace reached is measured.
const PACE_WINDOW: Duration = Duration::from_millis(500);
/// Cycles in which the next event is looked for; with none in them a step ends all the same.
const EVENT_CYCLES: u64 = 1 << 20;
/// Cycles that a paced run may owe after a hold-up, in seconds of its pace.
const DEBT_SECONDS: f64 = 0.1;

/// Where the run is, readable after a panic.
#[derive(Debug, Default)]
pub(super) struct Pulse {
    cycle: AtomicU64,
    seed: AtomicU64,
}

impl Pulse {
    /// The last cycle finished and the seed.
    pub(super) fn read(&self) -> (u64, u64) {
        (self.cycle.load(Ordering::Relaxed), self.seed.load(Ordering::Relaxed))
    }
}

/// The pace reached, measured now and then.
#[derive(Debug)]
struct Pace {
    since: Instant,
    cycle: u64,
    per_second: f64,
}

/// The thread's state.
pub(super) struct Worker<'a> {
    pub(super) tape: Tape,
    pub(super) options: Options,
    inbox: Receiver<Command>,
    mailbox: Arc<Mailbox>,
    pulse: &'a Pulse,
    theorist: Theorist,
    obeyed: u64,
    pub(super) running: bool,
    /// Where stepping or a limit stops the run.
    pub(super) until: Option<u64>,
    /// Whether a long step is under way, which does not keep to the pace.
    pub(super) hurry: bool,
    speed: Speed,
    /// Cycles that a paced run may simulate now.
    budget: f64,
    paid: Instant,
    slice_cycles: u64,
    pace: Pace,
    pub(super) dirty: bool,
    pub(super) watch: Watch,
    pub(super) winding: Winding,
    pub(super) window: u64,
    pub(super) utilisation: Utilisation,
    pub(super) meter: Meter,
    pub(super) history: History,
    /// Scratch: a picture to look at.
    pub(super) look: Snapshot,
    /// The last sampling instant, or that of a jump, and the flits consumed until then.
    sampled: (u64, u64),
    /// The rate for which theory was asked last.
    asked: Option<Rate>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        scenario: Arc<Scenario>,
        options: Options,
        inbox: Receiver<Command>,
        wake: Sender<Command>,
        mailbox: Arc<Mailbox>,
        pulse: &'a Pulse,
    ) -> Self {
        let seed = options.seed.unwrap_or(scenario.seed);
        pulse.seed.store(seed, Ordering::Relaxed);
        let tape = Tape::new(Session::new(scenario, seed, 0, options.warm_up), options.keep);
        let mut worker = Self {
            tape,
            options,
            inbox,
            mailbox,
            pulse,
            theorist: Theorist::start(wake),
            obeyed: 0,
            running: options.running,
            until: options.limit.map(|limit| limit.0),
            hurry: false,
            speed: options.speed,
            budget: 0.0,
            paid: Instant::now(),
            slice_cycles: 16,
            pace: Pace { since: Instant::now(), cycle: 0, per_second: 0.0 },
            dirty: true,
            watch: Watch::default(),
            winding: Winding::default(),
            window: 256,
            utilisation: Utilisation::default(),
            meter: Meter::default(),
            history: History::default(),
            look: Snapshot::default(),
            sampled: (0, 0),
            asked: None,
        };
        worker.meter.restart(worker.tape.session());
        worker.ask();
        worker
    }

    /// Works until told to quit.
    pub(super) fn run(mut self) {
        self.post();
        while self.listen() {
            if self.tape.is_winding() {
                self.wind_slice();
            } else {
                self.slice();
            }
            let rests = !self.advancing() && !self.tape.is_winding();
            if self.dirty && (rests || self.mailbox.wants(self.options.frame)) {
                self.post();
            }
        }
    }

    fn advancing(&self) -> bool {
        self.running && self.tape.session().deadlock().is_none()
    }

    /// Obeys what has come, waiting where there is nothing else to do; false at the end.
    fn listen(&mut self) -> bool {
        self.earn();
        let mut first = if self.tape.is_winding() {
            None
        } else if !self.advancing() {
            match self.inbox.recv() {
                Ok(command) => Some(command),
                Err(_) => return false,
            }
        } else if self.budget < 1.0 {
            let Speed::PerSecond(pace) = self.speed else { return true };
            let wait = ((1.0 - self.budget) / pace).clamp(0.0, 3600.0);
            match self.inbox.recv_timeout(Duration::from_secs_f64(wait)) {
                Ok(command) => Some(command),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        } else {
            None
        };
        loop {
            let command = match first.take() {
                Some(command) => command,
                None => match self.inbox.try_recv() {
                    Ok(command) => command,
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => return false,
                },
            };
            if matches!(command, Command::Quit) {
                return false;
            }
            self.obey(command);
        }
        self.earn();
        true
    }

    /// Adds the cycles that the pace has earned since the last look at the clock.
    fn earn(&mut self) {
        let now = Instant::now();
        let elapsed = now.duration_since(self.paid).as_secs_f64();
        self.paid = now;
        self.budget = match self.speed {
            _ if self.hurry => f64::INFINITY,
            Speed::Max => f64::INFINITY,
            Speed::PerSecond(pace) if self.budget.is_finite() => {
                (self.budget + elapsed * pace).min((pace * DEBT_SECONDS).max(1.0))
            }
            Speed::PerSecond(_) => 0.0,
        };
    }

    fn obey(&mut self, command: Command) {
        if !matches!(command, Command::Refresh) {
            self.obeyed += 1;
        }
        self.dirty = true;
        if let Some(command) = self.obey_winding(command) {
            self.obey_run(command);
        }
    }

    /// Commands that are not about winding; those that move the run end it first.
    pub(super) fn obey_run(&mut self, command: Command) {
        let moves = matches!(command, Command::Run | Command::Step(_) | Command::SetRate(_));
        if moves || matches!(command, Command::Pause) {
            self.give_up();
        }
        match command {
            Command::Run => {
                self.running = true;
                self.hurry = false;
                self.until = None;
                self.watch.stopped_by = None;
                self.rest();
            }
            Command::Pause => (self.running, self.hurry) = (false, false),
            Command::Step(cycles) => {
                let goal = self.tape.now().0 + cycles;
                self.running = false;
                self.watch.stopped_by = None;
                while self.tape.now().0 < goal && !self.stopped() {
                    // A long step is an ordinary run that knows where to stop.
                    if cycles > 4096 {
                        (self.running, self.hurry) = (true, true);
                        self.until = Some(goal);
                        self.rest();
                        break;
                    }
                    self.advance(goal);
                }
            }
            Command::StepEvent => {
                self.running = false;
                self.watch.stopped_by = None;
                let seen = self.tape.session().counters().events;
                let first = self.tape.now().0;
                // Worms have no events: something moves in every cycle.
                let worms = self.tape.session().scenario().system.circuit().is_none();
                let last = first + if worms { 1 } else { EVENT_CYCLES };
                while self.tape.session().counters().events == seen
                    && self.tape.now().0 < last
                    && !self.stopped()
                {
                    self.advance(self.tape.now().0 + 1);
                }
            }
            Command::Speed(speed) => {
                self.speed = speed;
                self.budget = 0.0;
                self.rest();
            }
            Command::SetRate(rate) => {
                self.change(Change::Rate(rate));
                self.ask();
            }
            Command::Window(cycles) => self.window = cycles.max(1),
            Command::Break(breakpoint) => self.watch.set(breakpoint, &mut self.tape),
            Command::Restart => {
                let (scenario, seed) =
                    (Arc::clone(self.tape.session().scenario()), self.tape.session().seed());
                self.begin(scenario, seed, Some(self.tape.session().rate()));
            }
            Command::Reseed(seed) => {
                let scenario = Arc::clone(self.tape.session().scenario());
                self.begin(scenario, seed, Some(self.tape.session().rate()));
            }
            Command::Load(scenario) => {
                let seed = scenario.seed;
                self.begin(scenario, seed, None);
            }
            _ => {}
        }
    }

    /// Begins from cycle 0; `rate` is kept where it differs from the scenario's.
    fn begin(&mut self, scenario: Arc<Scenario>, seed: u64, rate: Option<Rate>) {
        let mut session = Session::new(scenario, seed, 0, self.options.warm_up);
        if let Some(rate) = rate.filter(|&rate| rate != session.rate()) {
            session.set_rate(rate);
        }
        self.start_over(session);
        self.ask();
    }

    /// Takes another run, at its beginning.
    pub(super) fn start_over(&mut self, session: Session) {
        self.pulse.seed.store(session.seed(), Ordering::Relaxed);
        self.pulse_at(0);
        self.tape = Tape::new(session, self.options.keep);
        self.watch.set(self.watch.breakpoint, &mut self.tape);
        self.winding.forget();
        self.until = None;
        self.hurry = false;
        self.utilisation.clear();
        self.meter = Meter::default();
        self.meter.restart(self.tape.session());
        self.history.clear();
        self.sampled = (0, 0);
        self.slice_cycles = 16;
        self.rest();
    }

    pub(super) fn pulse_at(&self, cycle: u64) {
        self.pulse.cycle.store(cycle, Ordering::Relaxed);
    }

    /// Starts measuring the pace anew.
    pub(super) fn rest(&mut self) {
        let per_second = if self.running { self.pace.per_second } else { 0.0 };
        self.pace = Pace { since: Instant::now(), cycle: self.tape.now().0, per_second };
        self.paid = Instant::now();
    }

    pub(super) fn ask(&mut self) {
        self.asked = Some(self.tape.session().rate());
        self.theorist.ask(self.tape.session().scenario(), self.tape.session().rate());
    }

    /// Simulates a few milliseconds' worth of cycles, or what the pace allows.
    fn slice(&mut self) {
        if !self.advancing() || self.budget < 1.0 {
            return;
        }
        let start = Instant::now();
        let from = self.tape.now().0;
        let allowed = self.slice_cycles.min(if self.budget.is_finite() {
            self.budget as u64
        } else {
            u64::MAX
        });
        let until = (from + allowed).min(self.until.unwrap_or(u64::MAX));
        while self.tape.now().0 < until && !self.stopped() {
            self.advance(until);
        }
        let done = self.tape.now().0 - from;
        self.budget -= done as f64;
        if Some(self.tape.now().0) == self.until {
            (self.running, self.hurry) = (false, false);
        }
        let took = start.elapsed();
        if done >= self.slice_cycles {
            let factor = SLICE.as_secs_f64() / took.as_secs_f64().max(1e-9);
            let next = self.slice_cycles as f64 * factor.clamp(0.25, 2.0);
            self.slice_cycles = (next as u64).clamp(1, 1 << 24);
        } else if took > SLICE * 2 {
            self.slice_cycles = done.max(1);
        }
        self.measure();
    }

    /// Simulates to `until`, to the next sampling instant of the history, or to where the breakpoint
    /// must be looked at.
    fn advance(&mut self, until: u64) {
        let now = self.tape.now().0;
        let sample = (now / SAMPLE_CYCLES + 1) * SAMPLE_CYCLES;
        self.tape.advance(Cycle(until.min(sample).min(self.watch.look_at(now))));
        let now = self.tape.now().0;
        self.pulse_at(now);
        self.dirty = true;
        self.note_sample();
        if self.tape.session().deadlock().is_some() {
            self.history.note(now, Event::Deadlock);
        }
        if self.watch.check(&mut self.tape) {
            (self.running, self.hurry) = (false, false);
        }
    }

    /// At a sampling instant, notes the accepted load since the last one, unless it is known.
    pub(super) fn note_sample(&mut self) {
        let now = self.tape.now().0;
        let passed = now < self.sampled.0 || now > self.sampled.0 + SAMPLE_CYCLES;
        if !now.is_multiple_of(SAMPLE_CYCLES) && !passed {
            return;
        }
        let consumed = self.tape.session().counters().flits_consumed;
        let (since, before) = self.sampled;
        if now == self.history.end() + SAMPLE_CYCLES && since < now {
            let nodes = self.tape.session().scenario().system.network.nodes() as u64;
            let flits = consumed.saturating_sub(before);
            let unit = self.tape.session().scenario().system.time_unit();
            let per_load = f64::from(unit.flits) / unit.cycles as f64;
            let load = flits as f64 / ((nodes * (now - since)) as f64 * per_load);
            self.history.push(load as f32);
        }
        self.sampled = (now, consumed);
        self.meter.settle(self.tape.session());
        self.meter.look(self.tape.session());
    }

    /// Whether deadlock or the breakpoint has stopped the run.
    fn stopped(&self) -> bool {
        self.tape.session().deadlock().is_some() || self.watch.stopped_by.is_some()
    }

    fn measure(&mut self) {
        let elapsed = self.pace.since.elapsed();
        // The first figure after a rest comes early, so that the screen has one.
        let enough = if self.pace.per_second == 0.0 { PACE_WINDOW / 5 } else { PACE_WINDOW };
        if elapsed >= enough {
            let now = self.tape.now().0;
            let cycles = now.saturating_sub(self.pace.cycle);
            let per_second = cycles as f64 / elapsed.as_secs_f64();
            self.pace = Pace { since: Instant::now(), cycle: now, per_second };
        }
    }

    /// Draws the state into recycled storage and posts it.
    fn post(&mut self) {
        // Going through time, the load changes by itself.
        if self.asked != Some(self.tape.session().rate()) {
            self.ask();
        }
        let mut update = self
            .mailbox
            .storage()
            .unwrap_or_else(|| Box::new(Update::empty(Arc::clone(self.tape.session().scenario()))));
        self.tape.session().observe(&mut update.snapshot);
        self.utilisation.look(self.tape.now().0, &update.snapshot.crossed, self.window);
        update.commands = self.obeyed;
        update.scenario = Arc::clone(self.tape.session().scenario());
        update.seed = self.tape.session().seed();
        update.rate = self.tape.session().rate();
        update.speed = self.speed;
        update.breakpoint = self.watch.breakpoint;
        update.stopped_by.clone_from(&self.watch.stopped_by);
        update.state = self.state();
        update.cycles_per_second = if self.advancing() { self.pace.per_second } else { 0.0 };
        update.summary = self.tape.session().summary();
        let statistics = self.tape.session().statistics();
        update.latencies.read(statistics.latencies());
        match statistics.set_ups() {
            Some(set_ups) => update.set_ups.read(set_ups),
            None => update.set_ups.clear(),
        }
        update.utilisation.clone_from(self.utilisation.shares());
        update.window = self.window;
        self.meter.read(&update.snapshot.crossed, self.tape.now().0, &mut update.usage);
        update.history.copy_from(&self.history);
        update.live = self.tape.live();
        update.checkpoints.clear();
        update.checkpoints.extend(self.tape.checkpoints());
        update.bookmarks.clone_from(&self.winding.bookmarks);
        update.seeking = self.seeking();
        update.nothing = self.winding.nothing;
        update.saved.clone_from(&self.winding.saved);
        update.saves = self.winding.saves;
        update.theory =
            self.theorist.answer(self.tape.session().scenario(), self.tape.session().rate());
        update.proof = self.theorist.proof(self.tape.session().scenario());
        self.mailbox.post(update);
        self.dirty = false;
    }

    fn state(&self) -> RunState {
        if self.tape.is_winding() {
            RunState::Seeking
        } else if self.tape.session().deadlock().is_some() {
            RunState::Deadlocked
        } else if self.running {
            RunState::Running
        } else if self.options.limit.is_some_and(|limit| limit == self.tape.now()) {
            RunState::Limit
        } else {
            RunState::Paused
        }
    }
}
