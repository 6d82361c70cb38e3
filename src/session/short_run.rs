//! A short run: a fixed number of messages at one rate, which takes less time than the prediction where
//! heads choose among channels.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Session;
use crate::model::Part;
use crate::scenario::Scenario;
use crate::stats::{Summary, WarmUp};
use crate::switching::Switching;
use crate::system::System;
use crate::units::{Cycle, Rate};

/// Messages that are delivered in a short run, those of its warm-up included.
pub const MESSAGES: u64 = 6_000;
/// Messages for each node, where that is more.
const MESSAGES_PER_NODE: u64 = 8;
/// Nodes above which none is made.
const NODES_MAX: usize = 4_096;
/// Pieces into which a run without contention is cut; after each its end is looked for.
const PIECES: f64 = 16.0;
/// Pieces after which a run ends that does not carry its load.
const PIECES_MAX: u32 = 64;

/// The result of a short run.
#[derive(Clone, PartialEq, Debug)]
pub struct ShortRun {
    /// Messages per node and cycle.
    pub rate: Rate,
    /// What was measured.
    pub summary: Summary,
    /// True if it ended in a deadlock.
    pub deadlock: bool,
}

impl ShortRun {
    /// True if a short run takes less time than a prediction: worms that choose among channels, in a network
    /// that is built at once.
    pub fn suits(system: &System) -> bool {
        match &system.switching {
            Switching::Wormhole(_) => {
                system.relation.routing().offers_choice() && system.network.nodes() <= NODES_MAX
            }
            Switching::Circuit(_) => false,
        }
    }

    /// A run of `scenario` at this rate, with its seed; `None` where it is given up.
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
            if session.counters().delivered >= messages || session.deadlock().is_some() {
                break;
            }
            session.advance(Cycle(session.now().0.saturating_add(piece)));
        }
        let (summary, deadlock) = (session.summary(), session.deadlock().is_some());
        Some(Self { rate, summary, deadlock })
    }

    /// The share of the offered load that it accepts, where that is less by more than chance.
    pub fn falls_short(&self) -> Option<f64> {
        self.summary.shortfall()
    }

    /// Whether it is saturated; `None` where it is too short to tell.
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
