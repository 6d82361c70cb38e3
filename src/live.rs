//! The simulation thread: receives commands and posts snapshots without blocking.
//!
//! The thread drains its commands, advances a slice of a few milliseconds, and posts an [`Update`]
//! only if the last one was taken or is older than a screen frame. Slicing, drawing and pausing
//! change no result: the run depends on scenario, seed and interventions only. While paused, the
//! thread sleeps on its channel. Rewinding (`seek.rs`) is sliced as well and can be cancelled.

mod breakpoint;
mod clocked_run;
mod command;
mod execution;
mod failed;
mod history;
mod latencies;
mod links;
mod mailbox;
mod monitor;
mod pace;
mod probe;
mod ring;
mod seek;
mod stage;
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
use crate::session::fault::Fault;
use crate::session::pairs::PairsSummary;
use crate::session::saved::Saved;
use crate::session::tape::Keep;
use crate::session::verdict::{self, Evidence, RunStatus};
use crate::stats::{Summary, WarmUp};
use crate::units::{Cycle, Rate, TimeUnit};

pub use breakpoint::{Breakpoint, CONDITIONS, longest_chain};
pub use clocked_run::{AT_ONCE_MAX, ClockedRun, MOST_PER_SECOND, Positions};
pub use command::Command;
pub use failed::{Failed, Routes};
pub use history::{Event, History, Span};
pub use latencies::{Bin, Latencies};
pub use links::{LinkFigures, Measured, forecast};
pub use pace::Pace;
pub use probe::{Followed, SingleMessages, Traced};
pub use ring::{Ring, RingWait};
pub use theory::{LinkUse, Theory};
pub use usage::Usage;

use command::AddressedCommand;
use mailbox::{Mailbox, lock};
use worker::Worker;

/// Name of the simulation thread, used by a panic hook.
pub const THREAD_NAME: &str = "simulation";

/// Initial number of cycles over which the utilisation is averaged.
pub const WINDOW: u64 = 256;

/// Pace of the simulation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Speed {
    /// A number of cycles per second of wall-clock time, if the machine is fast enough.
    PerSecond(f64),
    /// The maximum pace of the machine.
    Max,
}

impl Speed {
    /// A pace suitable for watching: 64 cycles per second, or a quarter of a unit of time.
    pub fn natural(unit: TimeUnit) -> Self {
        Self::PerSecond(if unit.cycles == 1 { 64.0 } else { unit.cycles as f64 / 4.0 })
    }
}

/// State of the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunState {
    /// Advancing.
    Running,
    /// Stopped by the user or a breakpoint.
    Paused,
    /// Stopped by a deadlock, permanently.
    Deadlocked,
    /// Stopped at the requested number of cycles.
    Limit,
    /// All messages of a script were delivered.
    Delivered,
    /// Seeking another cycle.
    Seeking,
}

impl RunState {
    /// True if the run cannot continue.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Deadlocked | Self::Delivered)
    }
}

/// Progress of a seek to another cycle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Seeking {
    /// Destination, if known.
    pub to: Option<Cycle>,
    /// Completed share, from 0 to 1.
    pub share: f32,
}

/// A panic of the simulation thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadPanic {
    pub fault: Fault,
    /// The last completed cycle, near the panic.
    pub cycle: u64,
    /// Seed of the run, which reproduces the panic together with the scenario.
    pub seed: u64,
}

/// Complete input of a screen, in recycled storage.
#[derive(Clone, Debug)]
pub struct Update {
    /// Number of commands executed before the update was drawn.
    pub commands: u64,
    /// Number of the run, incremented with every new scenario, seed or resumed session. References
    /// to a run's messages or channels are valid only for this run.
    pub run: u64,
    pub scenario: Arc<Scenario>,
    pub seed: u64,
    /// The generation rate now.
    pub rate: Rate,
    /// The requested pace.
    pub speed: Speed,
    /// Cycles per second reached, smoothed; 0 while stopped.
    pub cycles_per_second: f64,
    /// State of the run.
    pub state: RunState,
    /// Condition that stops the run.
    pub breakpoint: Breakpoint,
    /// The part of the breakpoint that stopped the run: `chain of 5`.
    pub stopped_by: Option<String>,
    /// Snapshot of the engine.
    pub snapshot: Snapshot,
    /// A closed deadlock, present if the run is paused before the cycle of its detection.
    pub present_deadlock: Option<Deadlock>,
    /// The ring of a known deadlock, if the run was rewound to a cycle before the ring closes.
    pub ring: Option<Ring>,
    /// The statistics.
    pub summary: Summary,
    /// The latencies counted.
    pub latencies: Latencies,
    /// The same of each message class; empty without classes.
    pub class_latencies: Vec<Latencies>,
    /// Under circuit switching, the times from generation to the start of the data.
    pub set_ups: Latencies,
    /// Cycles over which the recent use of channels is smoothed.
    pub window: u64,
    /// Use of the channels, recently and over the whole time of the present load.
    pub usage: Arc<Usage>,
    /// Accepted load over the whole run.
    pub history: History,
    /// The newest cycle reached; the snapshot may be of an earlier cycle.
    pub live: Cycle,
    /// The cycles of the checkpoints.
    pub checkpoints: Vec<u64>,
    /// Cycles bookmarked by the user.
    pub bookmarks: Vec<u64>,
    /// Progress of the seek, if any.
    pub seeking: Option<Seeking>,
    /// True if the last search for an event found none.
    pub no_such_event: bool,
    /// The last session saved on request.
    pub saved: Option<Arc<Saved>>,
    /// Number of sessions saved on request.
    pub saves: u64,
    /// Requested views of single messages.
    pub single_messages: SingleMessages,
    /// Prediction for the present load; `None` until computed.
    pub theory: Option<Arc<Theory>>,
    /// True if the prediction is still being computed, in whole or in part.
    pub theory_at_work: bool,
    /// Contradiction between run and prediction, with the likely reason, as displayed; `None` if
    /// they agree.
    pub wrong_here: Option<String>,
    /// Proof of deadlock freedom of the routing; `None` until computed.
    pub proof: Option<Arc<Proof>>,
    /// Failed links and the routes around them, if any.
    pub failed: Option<Failed>,
    /// Compared runs, at the same cycle unless one is in a deadlock. Data common to all runs
    /// (commands, bookmarks, saved sessions) are in the first only.
    pub others: Vec<Self>,
    /// Differences of the messages in both runs, if the messages are the same.
    pub pairs: Option<PairsSummary>,
}

impl Update {
    /// Creates an update of a run before its start.
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
            present_deadlock: None,
            ring: None,
            summary,
            latencies: Latencies::default(),
            class_latencies: Vec::new(),
            set_ups: Latencies::default(),
            window: WINDOW,
            usage: Arc::default(),
            history: History::default(),
            live: Cycle(0),
            checkpoints: Vec::new(),
            bookmarks: Vec::new(),
            seeking: None,
            no_such_event: false,
            saved: None,
            saves: 0,
            single_messages: SingleMessages::default(),
            theory: None,
            theory_at_work: false,
            wrong_here: None,
            proof: None,
            failed: None,
            others: Vec::new(),
            pairs: None,
        }
    }

    /// Checks the run against the model. Evidence is collected only if they disagree.
    pub(crate) fn judge(&mut self, evidence: impl FnOnce() -> Evidence) {
        let claim = self.theory.as_deref().map(|theory| theory.claim(&self.scenario));
        let locked = self.snapshot.deadlock.is_some();
        let status = if locked { RunStatus::Locked } else { RunStatus::Going };
        self.wrong_here =
            claim.and_then(|claim| verdict::refuted(&claim, &self.summary, status, evidence));
    }
}

/// Initial settings of a live run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// The seed, if not the scenario's.
    pub seed: Option<u64>,
    /// The method of excluding the warm-up.
    pub warm_up: WarmUp,
    /// True to start the run immediately.
    pub running: bool,
    /// The initial pace.
    pub speed: Speed,
    /// Cycle at which the run stops by itself.
    pub limit: Option<Cycle>,
    /// Maximum age of an update in the mailbox before its replacement.
    pub frame: Duration,
    /// Limits on checkpoints.
    pub keep: Keep,
    /// Maximum steps of work of the model for each answer ([`crate::model::budget`]).
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

/// Handle of the simulation thread; dropping the handle ends the thread.
#[derive(Debug)]
pub struct Live {
    commands: Sender<AddressedCommand>,
    sent: u64,
    /// The run of the last update taken.
    seen: Cell<u64>,
    mailbox: Arc<Mailbox>,
    death: Arc<Mutex<Option<ThreadPanic>>>,
    thread: Option<JoinHandle<()>>,
}

impl Live {
    /// Starts a thread for the simulation of `scenario`.
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
                let fault = Fault::of(&*panic);
                let place = |worker: Worker| (worker.stage.now(), worker.stage.seed());
                let (cycle, seed) = worker.map_or((0, seed), place);
                *lock(&fate) = Some(ThreadPanic { fault, cycle, seed });
            }
        })?;
        Ok(Self { commands, sent: 0, seen: Cell::new(0), mailbox, death, thread: Some(thread) })
    }

    /// Sends a command about the run of the last update taken. A dead thread ignores commands.
    pub fn send(&mut self, command: Command) {
        self.sent += 1;
        let _ = self.commands.send(AddressedCommand { run: self.seen.get(), command });
    }

    /// Number of commands sent; an update with the same number reflects all of them.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Takes the newest update, unless already taken.
    pub fn take(&self) -> Option<Box<Update>> {
        let update = self.mailbox.take()?;
        self.seen.set(update.run);
        Some(update)
    }

    /// Returns a used update, for reuse of its storage.
    pub fn give_back(&self, spent: Box<Update>) {
        self.mailbox.give_back(spent);
    }

    /// The panic of the thread, if any.
    pub fn death(&self) -> Option<ThreadPanic> {
        lock(&self.death).clone()
    }
}

impl Live {
    /// Ends the thread without waiting, for the end of the program: the thread may be building a
    /// large network, and releasing the memory takes long.
    pub fn abandon(mut self) {
        drop(self.thread.take());
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let _ = self.commands.send(AddressedCommand { run: 0, command: Command::Quit });
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
