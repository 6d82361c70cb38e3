//! The simulation thread: commands go in, the newest picture comes out, and nobody waits.
//!
//! The thread drains its commands, advances a slice of a few milliseconds, and posts an
//! [`Update`] only where the last one was taken or has grown older than a screen frame. Slicing,
//! looking and pausing change no result: the run depends on scenario, seed and interventions only.
//! While it is paused the thread sleeps on its channel. Going back in time (`seek.rs`) is cut into
//! slices as well, and can be given up.

mod breakpoint;
mod command;
mod history;
mod latencies;
mod links;
mod mailbox;
mod monitor;
mod obey;
mod pace;
mod probe;
mod ring;
mod seek;
mod stage;
mod staged;
#[cfg(test)]
mod tests;
mod theory;
mod usage;
mod worker;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::engine::{Deadlock, Snapshot};
use crate::model::budget;
use crate::routing::dependency::Proof;
use crate::scenario::Scenario;
use crate::session::pairs::PairsSummary;
use crate::session::saved::Saved;
use crate::session::tape::Keep;
use crate::session::verdict::{self, Evidence, Stands};
use crate::stats::{Summary, WarmUp};
use crate::units::{Cycle, Rate, TimeUnit};

pub use breakpoint::{Breakpoint, longest_chain};
pub use command::Command;
pub use history::{Event, History, Span};
pub use latencies::{Bin, Latencies};
pub use links::{LinkFigures, Measured, forecast};
pub use pace::Pace;
pub use probe::{Followed, Singled, Traced};
pub use ring::{Ring, RingWait};
pub use staged::{AT_ONCE_MAX, MOST_PER_SECOND, Staged, Stand};
pub use theory::{LinkUse, Theory};
pub use usage::Usage;

use command::Told;
use mailbox::{Mailbox, lock};
use worker::Worker;

/// The name of the simulation thread, by which a panic hook can tell it from others.
pub const THREAD_NAME: &str = "simulation";

/// Cycles over which the utilisation is averaged at first.
pub const WINDOW: u64 = 256;

/// How fast to simulate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Speed {
    /// This many cycles per second of wall-clock time, if the machine can.
    PerSecond(f64),
    /// As fast as the machine can.
    Max,
}

impl Speed {
    /// A pace at which people can follow: 64 cycles per second, or a quarter of a unit of time.
    pub fn natural(unit: TimeUnit) -> Self {
        Self::PerSecond(if unit.cycles == 1 { 64.0 } else { unit.cycles as f64 / 4.0 })
    }
}

/// What the run is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunState {
    /// Advancing.
    Running,
    /// Stopped by a person or a breakpoint.
    Paused,
    /// Stopped by a deadlock, for good.
    Deadlocked,
    /// Stopped at the number of cycles asked for.
    Limit,
    /// On its way to another cycle.
    Seeking,
}

/// A way to another cycle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Seeking {
    /// Where it leads, if that is known.
    pub to: Option<Cycle>,
    /// The share of it that is behind, from 0 to 1.
    pub share: f32,
}

/// A panic of the simulation thread: a mistake of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Death {
    /// The panic's message.
    pub message: String,
    /// About where: the last cycle finished.
    pub cycle: u64,
    /// The seed of the run, which together with the scenario brings it back.
    pub seed: u64,
}

/// All that a screen needs, in recycled storage.
#[derive(Clone, Debug)]
pub struct Update {
    /// How many commands had been obeyed when this was drawn.
    pub commands: u64,
    /// The number of the run: another one with every scenario, seed or saved session that is begun.
    /// What refers to a run's messages or places is not to outlive it.
    pub run: u64,
    pub scenario: Arc<Scenario>,
    pub seed: u64,
    /// The generation rate now.
    pub rate: Rate,
    /// The pace asked for.
    pub speed: Speed,
    /// Cycles per second reached, smoothed; 0 while stopped.
    pub cycles_per_second: f64,
    /// What the run is doing.
    pub state: RunState,
    /// When it stops by itself.
    pub breakpoint: Breakpoint,
    /// What of that stopped it: `chain of 5`.
    pub stopped_by: Option<String>,
    /// The engine's picture.
    pub snapshot: Snapshot,
    /// A deadlock that has closed, where a run that stands still has not come to the cycle in which
    /// it is found.
    pub standing: Option<Deadlock>,
    /// The ring that will close, where a run that led to a deadlock has gone back before it.
    pub ring: Option<Ring>,
    /// The statistics.
    pub summary: Summary,
    /// The latencies counted.
    pub latencies: Latencies,
    /// Under circuit switching, the times from generation to the start of the data.
    pub set_ups: Latencies,
    /// For each channel, the share of cycles in which it moved a flit, smoothed over
    /// [`Self::window`].
    pub utilisation: Vec<f32>,
    /// Cycles over which the utilisation is smoothed.
    pub window: u64,
    /// The same averaged over the whole time of the present load, its warm-up left out.
    pub usage: Usage,
    /// Accepted load over the whole run.
    pub history: History,
    /// The newest cycle reached; the picture may be of an earlier one.
    pub live: Cycle,
    /// The cycles of the checkpoints.
    pub checkpoints: Vec<u64>,
    /// The cycles that a person marked.
    pub bookmarks: Vec<u64>,
    /// The way to another cycle, while the run is on it.
    pub seeking: Option<Seeking>,
    /// True if the last search for an event found none.
    pub no_such_event: bool,
    /// The last session asked for, and how many were.
    pub saved: Option<Arc<Saved>>,
    /// How many sessions were asked for.
    pub saves: u64,
    /// What was asked about single messages.
    pub singled: Singled,
    /// What theory says of the present load; `None` until it has been worked out.
    pub theory: Option<Arc<Theory>>,
    /// True if theory is still being worked out, in whole or in part.
    pub theory_at_work: bool,
    /// How the run contradicts it, and the likely reason, in words; `None` where it does not.
    pub wrong_here: Option<String>,
    /// Whether the routing is proven free of deadlock; `None` until that has been worked out.
    pub proof: Option<Arc<Proof>>,
    /// The runs that this one is compared with, at the same cycle unless one of them is in a deadlock.
    /// What belongs to all (commands, bookmarks, saved sessions) stands in the first only.
    pub others: Vec<Self>,
    /// What is known of the messages of both, where they are the same.
    pub pairs: Option<PairsSummary>,
}

impl Update {
    /// An update of a run that has not begun.
    pub fn empty(scenario: Arc<Scenario>) -> Self {
        let (seed, rate) = (scenario.seed, scenario.system.traffic.rate);
        let summary = Summary { offered: scenario.system.load().0, ..Summary::default() };
        Self {
            commands: 0,
            run: 0,
            scenario,
            seed,
            rate,
            speed: Speed::Max,
            cycles_per_second: 0.0,
            state: RunState::Paused,
            breakpoint: Breakpoint::default(),
            stopped_by: None,
            snapshot: Snapshot::default(),
            standing: None,
            ring: None,
            summary,
            latencies: Latencies::default(),
            set_ups: Latencies::default(),
            utilisation: Vec::new(),
            window: WINDOW,
            usage: Usage::default(),
            history: History::default(),
            live: Cycle(0),
            checkpoints: Vec::new(),
            bookmarks: Vec::new(),
            seeking: None,
            no_such_event: false,
            saved: None,
            saves: 0,
            singled: Singled::default(),
            theory: None,
            theory_at_work: false,
            wrong_here: None,
            proof: None,
            others: Vec::new(),
            pairs: None,
        }
    }

    /// Finds whether the run contradicts the model. Evidence is looked at where it does.
    pub(crate) fn judge(&mut self, evidence: impl FnOnce() -> Evidence) {
        let claim = self.theory.as_deref().map(|theory| theory.claim(&self.scenario));
        let locked = self.snapshot.deadlock.is_some();
        let stands = if locked { Stands::Locked } else { Stands::Going };
        self.wrong_here =
            claim.and_then(|claim| verdict::refuted(&claim, &self.summary, stands, evidence));
    }
}

/// How a live run begins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// The seed, if not the scenario's.
    pub seed: Option<u64>,
    /// How the warm-up is left out.
    pub warm_up: WarmUp,
    /// The run starts at once.
    pub running: bool,
    /// The pace.
    pub speed: Speed,
    /// Where to stop by itself.
    pub limit: Option<Cycle>,
    /// How old an update may grow in the mailbox before it is replaced.
    pub frame: Duration,
    /// What checkpoints may be kept.
    pub keep: Keep,
    /// Steps of work that the model may take for each answer ([`crate::model::budget`]).
    pub model_steps: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: None,
            warm_up: WarmUp::default(),
            running: true,
            speed: Speed::natural(TimeUnit::CYCLE),
            limit: None,
            frame: Duration::from_millis(33),
            keep: Keep::default(),
            model_steps: budget::ALONE,
        }
    }
}

/// A handle on the simulation thread; dropping it ends the thread.
#[derive(Debug)]
pub struct Live {
    commands: Sender<Told>,
    sent: u64,
    /// The run of the last update taken.
    seen: Cell<u64>,
    mailbox: Arc<Mailbox>,
    death: Arc<Mutex<Option<Death>>>,
    thread: Option<JoinHandle<()>>,
}

impl Live {
    /// Starts a thread that simulates `scenario`.
    pub fn start(scenario: Arc<Scenario>, options: Options) -> std::io::Result<Self> {
        let (commands, inbox) = channel();
        let mailbox = Arc::new(Mailbox::default());
        let death = Arc::new(Mutex::new(None));
        let post = Arc::clone(&mailbox);
        let fate = Arc::clone(&death);
        let wake = commands.clone();
        let thread = std::thread::Builder::new().name(THREAD_NAME.to_owned()).spawn(move || {
            let seed = options.seed.unwrap_or(scenario.seed);
            let mut worker = None;
            let lived = catch_unwind(AssertUnwindSafe(|| {
                worker.insert(Worker::new(scenario, options, inbox, wake, post)).run();
            }));
            if let Err(panic) = lived {
                let message = panic
                    .downcast_ref::<String>()
                    .map(String::as_str)
                    .or_else(|| panic.downcast_ref::<&str>().copied())
                    .unwrap_or("a panic without a message")
                    .to_owned();
                let place = |worker: Worker| (worker.stage.now(), worker.stage.seed());
                let (cycle, seed) = worker.map_or((0, seed), place);
                *lock(&fate) = Some(Death { message, cycle, seed });
            }
        })?;
        Ok(Self { commands, sent: 0, seen: Cell::new(0), mailbox, death, thread: Some(thread) })
    }

    /// Tells the thread something, about the run of the last update taken. A dead thread hears
    /// nothing.
    pub fn send(&mut self, command: Command) {
        self.sent += 1;
        let _ = self.commands.send(Told { run: self.seen.get(), command });
    }

    /// How many commands were sent; an update with this number has seen them all.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// The newest update, if there is one that was not taken yet.
    pub fn take(&self) -> Option<Box<Update>> {
        let update = self.mailbox.take()?;
        self.seen.set(update.run);
        Some(update)
    }

    /// Gives back an update that is no longer needed, for its storage.
    pub fn give_back(&self, spent: Box<Update>) {
        self.mailbox.give_back(spent);
    }

    /// The panic that ended the thread, if one did.
    pub fn death(&self) -> Option<Death> {
        lock(&self.death).clone()
    }
}

impl Live {
    /// Ends the thread without waiting for it, for the end of the program: a large network may be in the
    /// middle of being built, and its memory takes long to be given back.
    pub fn abandon(mut self) {
        drop(self.thread.take());
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let _ = self.commands.send(Told { run: 0, command: Command::Quit });
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
