//! How busy each channel is: lately, for the screen, and at the present load, to hold against a model;
//! and what links are found doing when they are looked at at fixed intervals.

use crate::engine::Snapshot;
use crate::session::Session;
use crate::session::census::{Census, PERIOD};

/// Flits that crossed each channel per cycle since the warm-up at the present load ended; while it
/// lasts, since the load was set.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Usage {
    /// By channel.
    pub shares: Vec<f32>,
    /// The cycles over which they are averaged; 0 before the first.
    pub cycles: u64,
    /// What the links were found doing over the same time.
    pub census: Census,
}

/// A cycle, and the flits that had crossed each channel then.
#[derive(Debug, Default)]
struct Instant {
    cycle: u64,
    crossed: Vec<u64>,
}

impl Instant {
    /// By channel, the flits per cycle from then until `now`.
    fn shares(&self, now: u64, crossed: &[u64]) -> impl Iterator<Item = f64> {
        let cycles = now.saturating_sub(self.cycle).max(1) as f64;
        let before = self.crossed.iter().copied().chain(std::iter::repeat(0));
        crossed.iter().zip(before).map(move |(&now, then)| now.saturating_sub(then) as f64 / cycles)
    }
}

/// The share of cycles in which each channel moves a flit, smoothed.
#[derive(Debug, Default)]
pub(super) struct Utilisation {
    /// The last look.
    seen: Instant,
    /// True if there is an average to go on from.
    known: bool,
    /// By channel.
    pub shares: Vec<f32>,
}

impl Utilisation {
    /// Begins anew here: the next look averages from now on.
    pub(super) fn restart(&mut self, now: u64, crossed: &[u64]) {
        self.seen.cycle = now;
        crossed.clone_into(&mut self.seen.crossed);
        self.known = false;
    }

    /// Moves on to cycle `now`, averaging over about `window` cycles.
    pub(super) fn look(&mut self, now: u64, crossed: &[u64], window: u64) {
        self.shares.resize(crossed.len(), 0.0);
        let cycles = now.saturating_sub(self.seen.cycle);
        if cycles == 0 {
            return;
        }
        let weight = if self.known { 1.0 - (-(cycles as f64) / window as f64).exp() } else { 1.0 };
        for (average, share) in self.shares.iter_mut().zip(self.seen.shares(now, crossed)) {
            *average += (weight * (share - f64::from(*average))) as f32;
        }
        self.restart(now, crossed);
        self.known = true;
    }
}

#[derive(Debug)]
struct Base {
    since: Instant,
    /// True if the warm-up was over.
    settled: bool,
    /// How much had been done to the run: another load, another average.
    changes: usize,
    /// Looks since then. Those at cycles that lie ahead, once the run has gone back, stay: they are
    /// of the same load.
    census: Census,
    /// The cycle of the last look.
    looked: u64,
}

/// Where the averages of a run began, load by load: in the past it is the average of then that
/// counts.
#[derive(Debug, Default)]
pub(super) struct Meter {
    /// In order of cycles; before the first, averages begin at cycle 0.
    bases: Vec<Base>,
    snapshot: Snapshot,
}

impl Meter {
    /// Begins where `session` is now; what lies after is forgotten.
    pub(super) fn restart(&mut self, session: &Session) {
        let cycle = session.now().0;
        self.bases.retain(|base| base.since.cycle < cycle);
        session.observe(&mut self.snapshot);
        let system = &session.scenario().system;
        let census = Census::new(&system.network, system.switching.virtual_channels(), PERIOD);
        self.bases.push(Base {
            since: Instant { cycle, crossed: self.snapshot.crossed.clone() },
            settled: session.statistics().settled_at(cycle).is_some(),
            changes: session.journal().len(),
            census,
            looked: cycle,
        });
    }

    /// Begins anew if the warm-up has ended since it was last asked, or the load was changed. Where it
    /// is asked is where it can begin: at cycles that no wall clock chooses. What is known already
    /// stays.
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

    /// Takes the sample that is due, unless it was taken before.
    pub(super) fn look(&mut self, session: &Session) {
        let now = session.now().0;
        let base = self.bases.iter_mut().rev().find(|base| base.since.cycle <= now);
        if let Some(base) = base.filter(|base| base.looked < now && base.census.is_due(now)) {
            session.observe(&mut self.snapshot);
            base.census.add(&session.scenario().system.network, &self.snapshot);
            base.looked = now;
        }
    }

    /// The averages up to cycle `now`, at which `crossed` flits had crossed each channel.
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
