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
use super::{Command, Options, RunState, Speed, Update};
use crate::scenario::Scenario;
use crate::session::Session;
use crate::units::{Cycle, Rate};

/// The work that a slice aims at: short enough that commands are obeyed at once.
const SLICE: Duration = Duration::from_millis(4);
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
    session: Session,
    options: Options,
    inbox: Receiver<Command>,
    mailbox: Arc<Mailbox>,
    pulse: &'a Pulse,
    theorist: Theorist,
    obeyed: u64,
    running: bool,
    /// Where stepping or a limit stops the run.
    until: Option<u64>,
    /// Whether a long step is under way, which does not keep to the pace.
    hurry: bool,
    speed: Speed,
    /// Cycles that a paced run may simulate now.
    budget: f64,
    paid: Instant,
    slice_cycles: u64,
    pace: Pace,
    dirty: bool,
    watch: Watch,
    window: u64,
    /// Flits that had crossed each channel when last looked at, and when that was.
    seen: Vec<u64>,
    seen_at: u64,
    utilisation: Vec<f32>,
    meter: Meter,
    history: History,
    consumed: u64,
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
        let session = Session::new(scenario, seed, 0, options.warm_up);
        let worker = Self {
            session,
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
            window: 256,
            seen: Vec::new(),
            seen_at: 0,
            utilisation: Vec::new(),
            meter: Meter::default(),
            history: History::default(),
            consumed: 0,
        };
        worker.ask();
        worker
    }

    /// Works until told to quit.
    pub(super) fn run(mut self) {
        self.post();
        while self.listen() {
            self.slice();
            if self.dirty && (!self.advancing() || self.mailbox.wants(self.options.frame)) {
                self.post();
            }
        }
    }

    fn advancing(&self) -> bool {
        self.running && self.session.deadlock().is_none()
    }

    /// Obeys what has come, waiting where there is nothing else to do; false at the end.
    fn listen(&mut self) -> bool {
        self.earn();
        let mut first = if !self.advancing() {
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
                let goal = self.session.now().0 + cycles;
                self.running = false;
                self.watch.stopped_by = None;
                while self.session.now().0 < goal && !self.stopped() {
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
                let seen = self.session.counters().events;
                let first = self.session.now().0;
                // Worms have no events: something moves in every cycle.
                let worms = self.session.scenario().system.circuit().is_none();
                let last = first + if worms { 1 } else { EVENT_CYCLES };
                while self.session.counters().events == seen
                    && self.session.now().0 < last
                    && !self.stopped()
                {
                    self.advance(self.session.now().0 + 1);
                }
            }
            Command::Speed(speed) => {
                self.speed = speed;
                self.budget = 0.0;
                self.rest();
            }
            Command::SetRate(rate) => {
                self.session.set_rate(rate);
                self.meter.restart(&self.session);
                self.history.note(self.session.now().0, Event::Load);
                self.ask();
            }
            Command::Window(cycles) => self.window = cycles.max(1),
            Command::Break(breakpoint) => self.watch.set(breakpoint, &mut self.session),
            Command::Restart => {
                let (scenario, seed) = (Arc::clone(self.session.scenario()), self.session.seed());
                self.begin(scenario, seed, Some(self.session.rate()));
            }
            Command::Reseed(seed) => {
                let scenario = Arc::clone(self.session.scenario());
                self.begin(scenario, seed, Some(self.session.rate()));
            }
            Command::Load(scenario) => {
                let seed = scenario.seed;
                self.begin(scenario, seed, None);
            }
            Command::Refresh | Command::Quit => {}
        }
    }

    /// Begins from cycle 0; `rate` is kept where it differs from the scenario's.
    fn begin(&mut self, scenario: Arc<Scenario>, seed: u64, rate: Option<Rate>) {
        self.session = Session::new(scenario, seed, 0, self.options.warm_up);
        if let Some(rate) = rate.filter(|&rate| rate != self.session.rate()) {
            self.session.set_rate(rate);
        }
        self.pulse.seed.store(seed, Ordering::Relaxed);
        self.pulse.cycle.store(0, Ordering::Relaxed);
        self.watch.set(self.watch.breakpoint, &mut self.session);
        self.until = None;
        self.hurry = false;
        self.seen.clear();
        self.seen_at = 0;
        self.utilisation.clear();
        self.meter = Meter::default();
        self.history.clear();
        self.consumed = 0;
        self.slice_cycles = 16;
        self.rest();
        self.ask();
    }

    /// Starts measuring the pace anew.
    fn rest(&mut self) {
        let per_second = if self.running { self.pace.per_second } else { 0.0 };
        self.pace = Pace { since: Instant::now(), cycle: self.session.now().0, per_second };
        self.paid = Instant::now();
    }

    fn ask(&self) {
        self.theorist.ask(self.session.scenario(), self.session.rate());
    }

    /// Simulates a few milliseconds' worth of cycles, or what the pace allows.
    fn slice(&mut self) {
        if !self.advancing() || self.budget < 1.0 {
            return;
        }
        let start = Instant::now();
        let from = self.session.now().0;
        let allowed = self.slice_cycles.min(if self.budget.is_finite() {
            self.budget as u64
        } else {
            u64::MAX
        });
        let until = (from + allowed).min(self.until.unwrap_or(u64::MAX));
        while self.session.now().0 < until && !self.stopped() {
            self.advance(until);
        }
        let done = self.session.now().0 - from;
        self.budget -= done as f64;
        if Some(self.session.now().0) == self.until {
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
        let sample = (self.session.now().0 / SAMPLE_CYCLES + 1) * SAMPLE_CYCLES;
        self.session
            .advance(Cycle(until.min(sample).min(self.watch.look_at(self.session.now().0))));
        let now = self.session.now().0;
        self.pulse.cycle.store(now, Ordering::Relaxed);
        self.dirty = true;
        if now == sample {
            let consumed = self.session.counters().flits_consumed;
            let nodes = self.session.scenario().system.network.nodes() as u64;
            let flits = consumed.saturating_sub(self.consumed);
            let unit = self.session.scenario().system.time_unit();
            let per_load = f64::from(unit.flits) / unit.cycles as f64;
            let load = flits as f64 / ((nodes * SAMPLE_CYCLES) as f64 * per_load);
            self.history.push(load as f32);
            self.consumed = consumed;
            self.meter.settle(&self.session);
        }
        if self.session.deadlock().is_some() {
            self.history.note(now, Event::Deadlock);
        }
        if self.watch.check(&mut self.session) {
            (self.running, self.hurry) = (false, false);
        }
    }

    /// Whether deadlock or the breakpoint has stopped the run.
    fn stopped(&self) -> bool {
        self.session.deadlock().is_some() || self.watch.stopped_by.is_some()
    }

    fn measure(&mut self) {
        let elapsed = self.pace.since.elapsed();
        // The first figure after a rest comes early, so that the screen has one.
        let enough = if self.pace.per_second == 0.0 { PACE_WINDOW / 5 } else { PACE_WINDOW };
        if elapsed >= enough {
            let now = self.session.now().0;
            let cycles = now.saturating_sub(self.pace.cycle);
            let per_second = cycles as f64 / elapsed.as_secs_f64();
            self.pace = Pace { since: Instant::now(), cycle: now, per_second };
        }
    }

    /// Draws the state into recycled storage and posts it.
    fn post(&mut self) {
        let mut update = self
            .mailbox
            .storage()
            .unwrap_or_else(|| Box::new(Update::empty(Arc::clone(self.session.scenario()))));
        self.session.observe(&mut update.snapshot);
        self.average(&update.snapshot.crossed);
        update.commands = self.obeyed;
        update.scenario = Arc::clone(self.session.scenario());
        update.seed = self.session.seed();
        update.rate = self.session.rate();
        update.speed = self.speed;
        update.breakpoint = self.watch.breakpoint;
        update.stopped_by.clone_from(&self.watch.stopped_by);
        update.state = self.state();
        update.cycles_per_second = if self.advancing() { self.pace.per_second } else { 0.0 };
        update.summary = self.session.summary();
        update.latencies.read(self.session.statistics().latencies());
        match self.session.statistics().set_ups() {
            Some(set_ups) => update.set_ups.read(set_ups),
            None => update.set_ups.clear(),
        }
        update.utilisation.clone_from(&self.utilisation);
        update.window = self.window;
        self.meter.read(&update.snapshot.crossed, self.session.now().0, &mut update.usage);
        update.history.copy_from(&self.history);
        update.theory = self.theorist.answer(self.session.scenario(), self.session.rate());
        update.proof = self.theorist.proof(self.session.scenario());
        self.mailbox.post(update);
        self.dirty = false;
    }

    fn state(&self) -> RunState {
        if self.session.deadlock().is_some() {
            RunState::Deadlocked
        } else if self.running {
            RunState::Running
        } else if self.options.limit.is_some_and(|limit| limit == self.session.now()) {
            RunState::Limit
        } else {
            RunState::Paused
        }
    }

    /// Moves the smoothed utilisation on to the present cycle.
    fn average(&mut self, crossed: &[u64]) {
        let now = self.session.now().0;
        let cycles = now.saturating_sub(self.seen_at);
        if self.seen.len() != crossed.len() {
            self.seen = vec![0; crossed.len()];
            self.utilisation = vec![0.0; crossed.len()];
        }
        if cycles == 0 {
            return;
        }
        let weight = if self.seen_at == 0 {
            1.0
        } else {
            1.0 - (-(cycles as f64) / self.window as f64).exp()
        };
        for ((average, seen), &total) in
            self.utilisation.iter_mut().zip(&mut self.seen).zip(crossed)
        {
            let share = total.saturating_sub(*seen) as f64 / cycles as f64;
            *average += (weight * (share - f64::from(*average))) as f32;
            *seen = total;
        }
        self.seen_at = now;
    }
}
