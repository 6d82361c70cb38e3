//! Measures the use of channels.
//!
//! Recent use is for the screen, use at the present load for comparison with a model. A census of
//! links is taken at fixed intervals.

use std::sync::Arc;

use crate::engine::Snapshot;
use crate::session::Session;
use crate::session::census::{Census, PERIOD};

/// Flits per cycle over each channel.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Usage {
    /// Per channel, smoothed over the window of the screen.
    pub recent: Vec<f32>,
    /// Per channel, since the end of the warm-up at the present load, or, during the warm-up, since
    /// the change of load.
    pub shares: Vec<f32>,
    /// Number of cycles averaged over; 0 before the first.
    pub cycles: u64,
    /// Census of the links over the same time.
    pub census: Arc<Census>,
}

/// A cycle, and the flits over each channel up to that cycle.
#[derive(Debug, Default)]
struct Instant {
    cycle: u64,
    crossed: Vec<u64>,
}

impl Instant {
    /// Per channel, the flits per cycle from this instant until `now`.
    fn shares(&self, now: u64, crossed: &[u64]) -> impl Iterator<Item = f64> {
        let cycles = now.saturating_sub(self.cycle).max(1) as f64;
        let before = self.crossed.iter().copied().chain(std::iter::repeat(0));
        crossed.iter().zip(before).map(move |(&now, then)| now.saturating_sub(then) as f64 / cycles)
    }
}

/// Smooths the share of cycles with a flit forwarded over each channel.
#[derive(Debug, Default)]
pub(super) struct Utilisation {
    /// The last sample.
    seen: Instant,
    /// True if there is an average to update.
    known: bool,
}

impl Utilisation {
    /// Starts averaging at cycle `now`.
    pub(super) fn restart(&mut self, now: u64, crossed: &[u64]) {
        self.seen.cycle = now;
        crossed.clone_into(&mut self.seen.crossed);
        self.known = false;
    }

    /// Advances `averages` to cycle `now`, over about `window` cycles.
    pub(super) fn look(&mut self, now: u64, crossed: &[u64], window: u64, averages: &mut Vec<f32>) {
        averages.resize(crossed.len(), 0.0);
        let cycles = now.saturating_sub(self.seen.cycle);
        if cycles == 0 {
            return;
        }
        let weight = if self.known { 1.0 - (-(cycles as f64) / window as f64).exp() } else { 1.0 };
        for (average, share) in averages.iter_mut().zip(self.seen.shares(now, crossed)) {
            *average += (weight * (share - f64::from(*average))) as f32;
        }
        self.restart(now, crossed);
        self.known = true;
    }
}

#[derive(Debug)]
struct Base {
    since: Instant,
    /// True if the warm-up had ended.
    settled: bool,
    /// Number of changes of the run's load, each of which starts a new average.
    changes: usize,
    /// Census since then. After a rewind, later samples are kept, since they belong to the same
    /// load.
    census: Arc<Census>,
    /// The cycle of the last sample.
    looked: u64,
}

/// Start of the averages for each load of a run; a rewind restores the average of the earlier load.
#[derive(Debug, Default)]
pub(super) struct Meter {
    /// The bases in order of cycles; before the first, averages start at cycle 0.
    bases: Vec<Base>,
    snapshot: Snapshot,
}

impl Meter {
    /// Starts at the present cycle of `session`; later starts are dropped.
    pub(super) fn restart(&mut self, session: &Session) {
        let cycle = session.now().0;
        self.bases.retain(|base| base.since.cycle < cycle);
        let mut crossed = Vec::new();
        session.engine().crossings(&mut crossed);
        let system = &session.scenario().system;
        let vcs = system.switching.virtual_channels();
        let census = Arc::new(Census::new(&system.network, vcs, PERIOD));
        self.bases.push(Base {
            since: Instant { cycle, crossed },
            settled: session.statistics().settled_at(cycle).is_some(),
            changes: session.journal().len(),
            census,
            looked: cycle,
        });
    }

    /// Starts anew if the warm-up has ended since the last call, or the load has changed. Calls
    /// must be at cycles independent of the wall clock, since averages start at the cycle of the
    /// call. Known later starts are kept.
    pub(super) fn settle(&mut self, session: &Session) {
        let now = session.now().0;
        let changes = session.journal().len();
        let settled = session.statistics().settled_at(now).is_some();
        let stays = |base: &Base| {
            base.since.cycle > now || base.changes == changes && (base.settled || !settled)
        };
        if !self.bases.last().map_or(changes == 0 && !settled, stays) {
            self.restart(session);
        }
    }

    /// Takes the sample that is due, unless taken before.
    pub(super) fn look(&mut self, session: &Session) {
        let now = session.now().0;
        let base = self.bases.iter_mut().rev().find(|base| base.since.cycle <= now);
        if let Some(base) = base.filter(|base| base.looked < now && base.census.is_due(now)) {
            session.observe(&mut self.snapshot);
            Arc::make_mut(&mut base.census).add(&session.scenario().system.network, &self.snapshot);
            base.looked = now;
        }
    }

    /// The averages up to cycle `now`, with `crossed` flits over each channel.
    pub(super) fn read(&self, crossed: &[u64], now: u64, usage: &mut Usage) {
        let begun = self.bases.iter().rev().find(|base| base.since.cycle <= now);
        if let Some(base) = begun {
            usage.census.clone_from(&base.census);
        }
        let beginning = Instant::default();
        let since = begun.map_or(&beginning, |base| &base.since);
        usage.cycles = now.saturating_sub(since.cycle);
        usage.shares.clear();
        usage.shares.extend(since.shares(now, crossed).map(|share| share as f32));
    }
}

#[cfg(test)]
mod tests;
