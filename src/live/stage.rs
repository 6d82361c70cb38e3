//! What is simulated, without a thread or a clock: commands in, cycles on, pictures out.
//!
//! How cycles are cut into pieces, and when pictures are drawn, changes no result.

use std::sync::Arc;

use super::lane::Lane;
use super::theory::{Theorist, Thinking};
use super::winding::{Then, Winding};
use super::{Command, Options, RunState, Speed, Told, Update, WINDOW};
use crate::scenario::{Scenario, contrast};
use crate::session::runs::Runs;
use crate::session::tape::Tape;
use crate::session::{Change, Session};
use crate::units::Cycle;

/// Cycles in which the next event is looked for; with none in them a step ends all the same.
const EVENT_CYCLES: u64 = 1 << 20;
/// The longest step that is made at once.
const STEP_MAX: u64 = 4096;

/// A run, the one it is compared with, and what they were told to do.
///
/// Both stand at the same cycle, except that one in a deadlock stays behind.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) tape: Tape,
    pub(super) lane: Lane,
    pub(super) rival: Option<Lane>,
    thinking: Thinking,
    pub(super) options: Options,
    /// The number of the run.
    number: u64,
    /// How many commands were obeyed.
    obeyed: u64,
    /// Changes whenever the pace must be measured anew.
    pub(super) breaks: u64,
    pub(super) running: bool,
    /// Where stepping or a limit stops the run.
    pub(super) until: Option<u64>,
    /// The cycle at which a long step began that is under way; it does not keep to the pace.
    pub(super) hurry: Option<u64>,
    speed: Speed,
    pub(super) window: u64,
    pub(super) winding: Winding,
}

impl Stage {
    /// A run of `scenario` at its beginning.
    pub(super) fn new(scenario: Arc<Scenario>, options: Options, thinking: Thinking) -> Self {
        let seed = options.seed.unwrap_or(scenario.seed);
        let session = Session::new(scenario, seed, 0, options.warm_up);
        let until = options.limit.map(|limit| limit.0);
        Self { until, ..Self::of(session, Theorist::start(&thinking), options, thinking) }
    }

    fn of(session: Session, theorist: Theorist, options: Options, thinking: Thinking) -> Self {
        let tape = Tape::new(session, options.keep);
        Self {
            lane: Lane::new(tape.session(), theorist),
            tape,
            rival: None,
            thinking,
            options,
            number: 0,
            obeyed: 0,
            breaks: 0,
            running: options.running,
            until: None,
            hurry: None,
            speed: options.speed,
            window: WINDOW,
            winding: Winding::default(),
        }
    }

    /// What is measured of both runs, or of the only one, each with its run.
    pub(super) fn watched(&mut self) -> impl Iterator<Item = (&mut Lane, &Session)> {
        let lanes = std::iter::once(&mut self.lane).chain(&mut self.rival);
        lanes.zip(self.tape.runs().all())
    }

    fn lanes(&self) -> impl Iterator<Item = &Lane> {
        std::iter::once(&self.lane).chain(&self.rival)
    }

    /// The cycle at which the runs stand.
    pub(super) fn now(&self) -> u64 {
        self.tape.now().0
    }

    /// The seed of the run.
    pub(super) fn seed(&self) -> u64 {
        self.session().seed()
    }

    /// The run; of two, the first.
    pub(super) fn session(&self) -> &Session {
        self.tape.session()
    }

    /// Whether cycles are wanted.
    pub(super) fn is_advancing(&self) -> bool {
        self.running && !self.is_dead()
    }

    /// Whether nothing can go on any more.
    fn is_dead(&self) -> bool {
        self.tape.is_over()
    }

    /// The pace to keep to.
    pub(super) fn pace(&self) -> Speed {
        if self.hurry.is_some() { Speed::Max } else { self.speed }
    }

    /// Obeys a command, unless it is about a run that is no more; [`Command::Quit`] is the caller's.
    pub(super) fn obey(&mut self, Told { run, command }: Told) {
        if !matches!(command, Command::Refresh) {
            self.obeyed += 1;
        }
        if run != self.number && command.is_about_one_run() {
            return;
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
                self.hurry = None;
                self.until = None;
                self.forget_stop();
                self.breaks += 1;
            }
            Command::Pause => (self.running, self.hurry) = (false, None),
            Command::Step(cycles) => self.step(cycles),
            Command::StepEvent => self.step_event(),
            Command::Speed(speed) => {
                self.speed = speed;
                self.breaks += 1;
            }
            Command::SetRate(rate) => self.change(Change::Rate(rate)),
            Command::Window(cycles) => self.window = cycles.max(1),
            Command::Break(breakpoint) => {
                self.tape.take_slowest();
                self.watched()
                    .for_each(|(lane, session)| lane.watch.set(breakpoint.clone(), session));
            }
            Command::Follow(_) | Command::List(_) | Command::Trace(_) => {
                self.watched().for_each(|(lane, _)| lane.lookout.obey(&command));
                self.tape.await_delivery(self.lane.lookout.awaited());
            }
            Command::Restart => self.begin_anew(self.seed()),
            Command::Reseed(seed) => self.begin_anew(seed),
            Command::Load(scenario) => {
                let seed = scenario.seed;
                self.start_over(Session::new(scenario, seed, 0, self.options.warm_up));
            }
            Command::Against(scenario) => self.compare(&scenario),
            Command::Part { second } => self.part(second),
            _ => {}
        }
    }

    fn step(&mut self, cycles: u64) {
        let goal = self.now().saturating_add(cycles);
        self.running = false;
        self.forget_stop();
        if cycles > STEP_MAX {
            // A long step is an ordinary run that knows where to stop, and can be given up.
            (self.running, self.hurry) = (true, Some(self.now()));
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
        self.forget_stop();
        let events = |stage: &Self| -> u64 {
            stage.tape.runs().all().map(|session| session.counters().events).sum()
        };
        let (first, seen) = (self.now(), events(self));
        // Worms have no events: something moves in every cycle.
        let worms = self.session().scenario().system.circuit().is_none();
        let last = first + if worms { 1 } else { EVENT_CYCLES };
        while events(self) == seen && self.now() < last && !self.is_stopped() {
            self.advance_piece(self.now() + 1);
        }
    }

    /// Begins the same scenario from cycle 0 at the present rate, beside the same other one.
    fn begin_anew(&mut self, seed: u64) {
        let rate = self.tape.runs().all().map(|run| (run.now(), run.rate())).max_by_key(|it| it.0);
        let mut session =
            Session::new(Arc::clone(self.session().scenario()), seed, 0, self.options.warm_up);
        if let Some((_, rate)) = rate.filter(|&(_, rate)| rate != session.rate()) {
            session.set_rate(rate);
        }
        let against = self.tape.runs().second().map(|other| Arc::clone(other.scenario()));
        let (number, breakpoint) = (self.number, self.lane.watch.breakpoint.clone());
        let lookout = self.lane.lookout.as_at_first();
        let same = seed == self.seed();
        self.start_over(session);
        if same {
            // It is the same run from the beginning, with the same messages.
            (self.number, self.lane.lookout) = (number, lookout);
            self.tape.await_delivery(self.lane.lookout.awaited());
            self.lane.watch.set(breakpoint, self.tape.session());
        }
        if let Some(against) = against {
            self.compare(&against);
        }
    }

    /// Compares the run with one of another scenario from now on, unless that makes no sense: same
    /// seed, same changes of load at the same cycles. Both are brought to the newest cycle of this one,
    /// then to where this one is.
    fn compare(&mut self, scenario: &Arc<Scenario>) {
        self.give_up();
        self.breaks += 1;
        let Ok(beside) = contrast::beside(self.session().scenario(), scenario) else { return };
        let (now, running, live) = (self.now(), self.running, self.tape.live());
        let journal = self.tape.journal().to_vec();
        let runs = Runs::two(self.session().anew(), Arc::new(beside));
        self.tape = Tape::with_journal(runs, journal, live, self.options.keep);
        let breakpoint = self.lane.watch.breakpoint.clone();
        self.tape.await_delivery(self.lane.lookout.awaited());
        let theorist = Theorist::start(&self.thinking);
        self.rival = self.tape.runs().second().map(|other| Lane::new(other, theorist));
        if let Some(rival) = &mut self.rival {
            rival.lookout = self.lane.lookout.as_at_first();
        }
        self.watched().for_each(|(lane, session)| lane.watch.set(breakpoint.clone(), session));
        if live.0 > 0 {
            self.seek(live.0);
            self.winding.then = Some(Then::Seek(now, running));
        }
    }

    /// Goes on with one run of two, the second or the first.
    fn part(&mut self, second: bool) {
        self.give_up();
        self.breaks += 1;
        self.tape.part(second);
        if let Some(rival) = self.rival.take()
            && second
        {
            self.lane = rival;
        }
    }

    /// Forgets what has stopped the runs.
    pub(super) fn forget_stop(&mut self) {
        self.watched().for_each(|(lane, _)| lane.watch.stopped_by = None);
    }

    /// Takes another run alone, at its beginning. Nothing of the one before is left but what is named
    /// here: how fast to go, and what a person must not lose.
    pub(super) fn start_over(&mut self, session: Session) {
        let theorist = self.lane.hand_over();
        let fresh = Self::of(session, theorist, self.options, self.thinking.clone());
        let old = std::mem::replace(self, fresh);
        (self.number, self.obeyed, self.breaks) = (old.number + 1, old.obeyed, old.breaks + 1);
        (self.running, self.speed, self.window) = (old.running, old.speed, old.window);
        (self.winding.saved, self.winding.saves) = (old.winding.saved, old.winding.saves);
        let systems = [&old.tape, &self.tape].map(|tape| &tape.session().scenario().system);
        let breakpoint = old.lane.watch.breakpoint.carried(systems);
        self.lane.watch.set(breakpoint, self.tape.session());
    }

    /// Does something to the run.
    fn change(&mut self, change: Change) {
        let forked = self.tape.apply(change);
        self.watched().for_each(|(lane, session)| lane.changed(session, forked));
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
            (self.running, self.hurry) = (false, None);
        }
        self.now() - from
    }

    /// Whether the history of a message is to be replayed further.
    pub(super) fn is_tracing(&self) -> bool {
        let mut all = self.lanes().zip(self.tape.runs().all());
        !self.is_winding()
            && all.any(|(lane, session)| lane.lookout.is_tracing(session, &self.tape))
    }

    /// Replays histories of messages until it is `enough` or done.
    pub(super) fn retrace(&mut self, enough: impl Fn() -> bool) {
        if self.is_winding() {
            return;
        }
        let lanes = std::iter::once(&mut self.lane).chain(&mut self.rival);
        for ((lane, session), second) in lanes.zip(self.tape.runs().all()).zip([false, true]) {
            lane.lookout.retrace((session, second), &self.tape, &enough);
        }
    }

    /// Simulates to `until`, or to where the run must be looked at.
    fn advance_piece(&mut self, until: u64) {
        let now = self.now();
        let look = self.lanes().map(|lane| lane.look_at(now)).min();
        self.tape.advance(Cycle(until.min(look.unwrap_or(until))));
        let slowest = self.tape.take_slowest();
        let mut stopped = false;
        for ((lane, session), slowest) in self.watched().zip(slowest) {
            stopped |= lane.came(session, slowest);
        }
        self.mark_deadlock();
        if stopped {
            (self.running, self.hurry) = (false, None);
        }
    }

    /// Whether deadlock or the breakpoint has stopped the runs.
    fn is_stopped(&self) -> bool {
        self.is_dead() || self.lanes().any(|lane| lane.watch.stopped_by.is_some())
    }

    /// Draws the present state into recycled storage. How fast it goes only the caller knows.
    pub(super) fn draw(&mut self, update: &mut Update) {
        self.forget_later_bookmarks();
        let (state, window, number) = (self.state(), self.window, self.number);
        let mut against = update.against.take();
        let arrived = self.tape.take_arrived();
        let (live, checkpoints) = (self.tape.live(), self.tape.checkpoints().collect::<Vec<u64>>());
        for (((lane, session), first), arrived) in self.watched().zip([true, false]).zip(arrived) {
            let drawn = if first {
                &mut *update
            } else {
                let empty = || Box::new(Update::empty(Arc::clone(session.scenario())));
                update.against.insert(against.take().unwrap_or_else(empty))
            };
            lane.draw(session, drawn, window);
            lane.lookout.draw(session, arrived, &mut drawn.singled);
            drawn.run = number;
            drawn.state = state;
            drawn.live = live;
            drawn.checkpoints.clone_from(&checkpoints);
        }
        if let Some(against) = &mut update.against {
            self.tape.runs().call_alike(&mut against.snapshot);
        }
        update.pairs = self.tape.runs().pairs();
        update.commands = self.obeyed;
        update.speed = self.speed;
        update.bookmarks.clone_from(&self.winding.bookmarks);
        update.seeking = self.seeking();
        update.nothing = self.winding.nothing;
        update.saved.clone_from(&self.winding.saved);
        update.saves = self.winding.saves;
    }

    fn state(&self) -> RunState {
        if self.is_winding() {
            RunState::Seeking
        } else if self.is_dead() {
            RunState::Deadlocked
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
