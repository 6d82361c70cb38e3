//! What is simulated, without a thread or a clock: commands in, cycles on, pictures out.
//!
//! How cycles are cut into pieces, and when pictures are drawn, changes no result.

use std::sync::Arc;

use super::lane::Lane;
use super::theory::{Theorist, Thinking};
use super::winding::Winding;
use super::{Command, Options, RunState, Speed, Update};
use crate::scenario::Scenario;
use crate::session::tape::Tape;
use crate::session::{Change, Session};
use crate::units::Cycle;

/// Cycles in which the next event is looked for; with none in them a step ends all the same.
const EVENT_CYCLES: u64 = 1 << 20;
/// The longest step that is made at once.
const STEP_MAX: u64 = 4096;

/// A run, and what it was told to do.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) lane: Lane,
    pub(super) options: Options,
    /// How many commands were obeyed.
    obeyed: u64,
    /// Changes whenever the pace must be measured anew.
    pub(super) breaks: u64,
    pub(super) running: bool,
    /// Where stepping or a limit stops the run.
    pub(super) until: Option<u64>,
    /// Whether a long step is under way, which does not keep to the pace.
    pub(super) hurry: bool,
    speed: Speed,
    pub(super) window: u64,
    pub(super) winding: Winding,
}

impl Stage {
    /// A run of `scenario` at its beginning.
    pub(super) fn new(scenario: Arc<Scenario>, options: Options, thinking: &Thinking) -> Self {
        let seed = options.seed.unwrap_or(scenario.seed);
        let tape = Tape::new(Session::new(scenario, seed, 0, options.warm_up), options.keep);
        Self {
            lane: Lane::new(tape, Theorist::start(thinking)),
            options,
            obeyed: 0,
            breaks: 0,
            running: options.running,
            until: options.limit.map(|limit| limit.0),
            hurry: false,
            speed: options.speed,
            window: 256,
            winding: Winding::default(),
        }
    }

    /// The cycle that is shown.
    pub(super) fn now(&self) -> u64 {
        self.lane.now()
    }

    /// The seed of the run.
    pub(super) fn seed(&self) -> u64 {
        self.lane.session().seed()
    }

    /// Whether cycles are wanted.
    pub(super) fn is_advancing(&self) -> bool {
        self.running && !self.lane.is_dead()
    }

    /// The pace to keep to.
    pub(super) fn pace(&self) -> Speed {
        if self.hurry { Speed::Max } else { self.speed }
    }

    /// Obeys a command; [`Command::Quit`] is the caller's.
    pub(super) fn obey(&mut self, command: Command) {
        if !matches!(command, Command::Refresh) {
            self.obeyed += 1;
        }
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
                self.lane.watch.stopped_by = None;
                self.breaks += 1;
            }
            Command::Pause => (self.running, self.hurry) = (false, false),
            Command::Step(cycles) => self.step(cycles),
            Command::StepEvent => self.step_event(),
            Command::Speed(speed) => {
                self.speed = speed;
                self.breaks += 1;
            }
            Command::SetRate(rate) => self.change(Change::Rate(rate)),
            Command::Window(cycles) => self.window = cycles.max(1),
            Command::Break(breakpoint) => self.lane.watch.set(breakpoint, &mut self.lane.tape),
            Command::Restart => self.begin_anew(self.seed()),
            Command::Reseed(seed) => self.begin_anew(seed),
            Command::Load(scenario) => {
                let seed = scenario.seed;
                self.start_over(Session::new(scenario, seed, 0, self.options.warm_up));
            }
            _ => {}
        }
    }

    fn step(&mut self, cycles: u64) {
        let goal = self.now().saturating_add(cycles);
        self.running = false;
        self.lane.watch.stopped_by = None;
        if cycles > STEP_MAX {
            // A long step is an ordinary run that knows where to stop.
            (self.running, self.hurry) = (true, true);
            self.until = Some(goal);
            self.breaks += 1;
            return;
        }
        while self.now() < goal && !self.is_stopped() {
            self.advance_piece(goal);
        }
    }

    fn step_event(&mut self) {
        self.running = false;
        self.lane.watch.stopped_by = None;
        let events = |stage: &Self| stage.lane.session().counters().events;
        let (first, seen) = (self.now(), events(self));
        // Worms have no events: something moves in every cycle.
        let worms = self.lane.session().scenario().system.circuit().is_none();
        let last = first + if worms { 1 } else { EVENT_CYCLES };
        while events(self) == seen && self.now() < last && !self.is_stopped() {
            self.advance_piece(self.now() + 1);
        }
    }

    /// Begins the same scenario from cycle 0 at the present rate.
    fn begin_anew(&mut self, seed: u64) {
        let (scenario, rate) =
            (Arc::clone(self.lane.session().scenario()), self.lane.session().rate());
        let mut session = Session::new(scenario, seed, 0, self.options.warm_up);
        if rate != session.rate() {
            session.set_rate(rate);
        }
        self.start_over(session);
    }

    /// Takes another run, at its beginning.
    pub(super) fn start_over(&mut self, session: Session) {
        self.lane.start_over(Tape::new(session, self.options.keep));
        self.winding.forget();
        self.until = None;
        self.hurry = false;
        self.breaks += 1;
    }

    /// Does something to the run; bookmarks in what it forks off are forgotten.
    fn change(&mut self, change: Change) {
        let now = self.now();
        if self.lane.change(change) {
            self.winding.bookmarks.retain(|&cycle| cycle <= now);
        }
    }

    /// Simulates at most `cycles`, to where a step, a limit, the breakpoint or a deadlock stops the
    /// run. Says how many it were.
    pub(super) fn advance(&mut self, cycles: u64) -> u64 {
        let from = self.now();
        let until = from.saturating_add(cycles).min(self.until.unwrap_or(u64::MAX));
        while self.now() < until && !self.is_stopped() {
            self.advance_piece(until);
        }
        if Some(self.now()) == self.until {
            (self.running, self.hurry) = (false, false);
        }
        self.now() - from
    }

    /// Simulates to `until`, or to where the run must be looked at.
    fn advance_piece(&mut self, until: u64) {
        if self.lane.advance(until.min(self.lane.look_at())) {
            (self.running, self.hurry) = (false, false);
        }
    }

    /// Whether deadlock or the breakpoint has stopped the run.
    fn is_stopped(&self) -> bool {
        self.lane.is_dead() || self.lane.watch.stopped_by.is_some()
    }

    /// Draws the present state into recycled storage. How fast it goes only the caller knows.
    pub(super) fn draw(&mut self, update: &mut Update) {
        self.lane.draw(update, self.window);
        update.commands = self.obeyed;
        update.speed = self.speed;
        update.state = self.state();
        update.bookmarks.clone_from(&self.winding.bookmarks);
        update.seeking = self.seeking();
        update.nothing = self.winding.nothing;
        update.saved.clone_from(&self.winding.saved);
        update.saves = self.winding.saves;
    }

    fn state(&self) -> RunState {
        if self.is_winding() {
            RunState::Seeking
        } else if self.lane.is_dead() {
            RunState::Deadlocked
        } else if self.running {
            RunState::Running
        } else if self.options.limit == Some(Cycle(self.now())) {
            RunState::Limit
        } else {
            RunState::Paused
        }
    }
}
