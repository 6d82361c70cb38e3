//! Simulates a fixed number of messages at one rate.
//!
//! If heads choose among channels, most networks have no other prediction.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Session;
use crate::model::Part;
use crate::scenario::Scenario;
use crate::stats::{Summary, WarmUp};
use crate::switching::Switching;
use crate::system::System;
use crate::units::{Cycle, Rate};

/// Messages delivered in a short run, including its warm-up.
pub const MESSAGES: u64 = 6_000;
/// Minimum number of messages per node.
const MESSAGES_PER_NODE: u64 = 8;
/// Maximum number of nodes for a short run.
const NODES_MAX: usize = 4_096;
/// Number of steps for a run without contention; the end is checked after each step.
const PIECES: f64 = 16.0;
/// Maximum number of steps, for a run that does not accept its load.
const PIECES_MAX: u32 = 64;

/// The result of a short run.
#[derive(Clone, PartialEq, Debug)]
pub struct ShortRun {
    /// Messages per node and cycle.
    pub rate: Rate,
    /// The measured figures.
    pub summary: Summary,
    /// True if the run ended in a deadlock.
    pub deadlock: bool,
}

impl ShortRun {
    /// True if a short run is useful: worms choose among channels, which few models cover, in a
    /// network small enough to build quickly.
    pub fn suits(system: &System) -> bool {
        match &system.switching {
            Switching::Wormhole(_) => {
                system.relation.routing().offers_choice() && system.network.nodes() <= NODES_MAX
            }
            Switching::Circuit(_) => false,
        }
    }

    /// Runs `scenario` at this rate, with its seed; `None` if cancelled.
    pub fn at(scenario: &Arc<Scenario>, rate: Rate, given_up: &AtomicBool) -> Option<Self> {
        let mut session = Session::new(Arc::clone(scenario), scenario.seed, 0, WarmUp::Automatic);
        if session.rate() != rate {
            session.set_rate(rate);
        }
        let system = &scenario.system;
        let nodes = system.network.nodes() as u64;
        let messages = MESSAGES.max(MESSAGES_PER_NODE * nodes);
        let senders = nodes as f64 * system.sending_share();
        let piece = (messages as f64 / (rate.0 * senders) / PIECES).ceil().max(1.0) as u64;
        for _ in 0..PIECES_MAX {
            if given_up.load(Ordering::Relaxed) {
                return None;
            }
            if session.counters().delivered >= messages || session.is_over() {
                break;
            }
            session.advance(Cycle(session.now().0.saturating_add(piece)));
        }
        let (summary, deadlock) = (session.summary(), session.deadlock().is_some());
        Some(Self { rate, summary, deadlock })
    }

    /// The accepted share of the offered load, if significantly less than 1.
    pub fn falls_short(&self) -> Option<f64> {
        self.summary.shortfall()
    }

    /// True if saturated; `None` if the run is too short to decide.
    pub fn saturated(&self) -> Option<bool> {
        self.summary.steadiness.saturated().or(self.falls_short().map(|_| true))
    }

    /// The parts of the latency, in cycles.
    pub fn parts(&self) -> [(Part, Option<f64>); 3] {
        Part::ALL.map(|part| {
            let cycles = match part {
                Part::SourceWait => self.summary.source_wait_mean(),
                Part::Blocking => self.summary.blocking_mean(),
                Part::Transfer => self.summary.transfer_mean,
            };
            (part, cycles)
        })
    }
}

#[cfg(test)]
mod tests;
