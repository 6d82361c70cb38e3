//! How far a run is, why it ends, what comes out of it, and its breaking.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::engine::{Counters, Deadlock};
use crate::scenario::Scenario;
use crate::session::Session;
use crate::stats::{Histogram, Summary};
use crate::units::Rate;

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Which run of the plan, from 0.
    pub run: usize,
    /// Cycles simulated.
    pub cycles: u64,
    /// Messages counted so far (all, while warming up).
    pub messages: u64,
    /// The share of the run that is done, by estimate, 0 to 1.
    pub share: f64,
}

/// Why a run ended. Of several runs together, the greatest counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr, Debug)]
#[strum(serialize_all = "lowercase")]
pub enum Ended {
    /// It reached the end that its plan gives.
    Reached,
    /// It reached its limit of messages or cycles first.
    Limit,
    /// It was found saturated.
    Saturated,
    /// It was found deadlocked.
    Deadlocked,
    /// It was stopped from outside.
    Stopped,
}

impl Ended {
    /// In one word, for machines.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What came out of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was run.
    pub scenario: Arc<Scenario>,
    /// The seed.
    pub seed: u64,
    /// The replication, from 0; `None` for several replications taken together.
    pub replication: Option<u32>,
    /// The generation rate.
    pub rate: Rate,
    /// What was measured.
    pub summary: Summary,
    /// The latencies of the messages counted, in cycles.
    pub latencies: Histogram,
    /// The engine's totals, warm-up included.
    pub counters: Counters,
    /// Cycles simulated, warm-up included.
    pub cycles: u64,
    /// The deadlock that ended the run.
    pub deadlock: Option<Deadlock>,
    /// Why it ended.
    pub ended: Ended,
    /// The wall time it took.
    pub wall: Duration,
    /// A hash of engine and statistics at the end.
    pub fingerprint: u64,
}

/// A run in which the program broke: its own mistake, never the scenario's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what} (scenario {scenario}, seed {seed}, replication {replication}, cycle {cycle})")]
pub struct Crash {
    /// The scenario's name.
    pub scenario: String,
    /// The seed.
    pub seed: u64,
    /// The replication.
    pub replication: u32,
    /// The cycle up to which the run had been simulated before the slice that broke.
    pub cycle: u64,
    /// The broken law or the panic's message.
    pub what: String,
}

/// Makes a run; a panic or a broken law, its error, becomes a crash. The run keeps the cycle that it
/// has reached where it is told to.
pub(super) fn guarded<T>(
    scenario: &Scenario,
    seed: u64,
    replication: u32,
    make: impl FnOnce(&mut u64) -> Result<T, String>,
) -> Result<T, Crash> {
    let mut reached = 0;
    let result = catch_unwind(AssertUnwindSafe(|| make(&mut reached)));
    let crash =
        |what| Crash { scenario: scenario.name.clone(), seed, replication, cycle: reached, what };
    match result {
        Ok(Ok(outcome)) => Ok(outcome),
        Ok(Err(law)) => Err(crash(law)),
        Err(panic) => {
            // Of several at the same cycle, the one that broke.
            let panic = match panic.downcast::<Crash>() {
                Ok(crash) => return Err(*crash),
                Err(panic) => panic,
            };
            Err(crash(said(&*panic)))
        }
    }
}

/// The message of a panic.
pub fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}

/// What came out of a run that has ended; the error is a broken law.
pub(super) fn conclude(session: &Session, ended: Ended, begun: Instant) -> Result<Outcome, String> {
    session.audit().map_err(|violation| violation.to_string())?;
    let statistics = session.statistics();
    Ok(Outcome {
        scenario: Arc::clone(session.scenario()),
        seed: session.seed(),
        replication: Some(session.replication()),
        rate: session.rate(),
        summary: session.summary(),
        latencies: statistics.histogram(),
        counters: session.counters(),
        cycles: session.now().0,
        deadlock: session.deadlock().cloned(),
        ended,
        wall: begun.elapsed(),
        fingerprint: session.fingerprint(),
    })
}
