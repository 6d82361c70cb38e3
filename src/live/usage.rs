//! How busy each channel has been at the present load: long averages, to hold against a model.

use super::Census;
use crate::engine::Snapshot;
use crate::session::Session;

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

/// Where an average began.
#[derive(Debug, Default)]
pub(super) struct Meter {
    /// Flits that had crossed each channel then; empty for none.
    base: Vec<u64>,
    since: u64,
    settled: bool,
    snapshot: Snapshot,
    census: Census,
}

impl Meter {
    /// Begins where `session` is now.
    pub(super) fn restart(&mut self, session: &Session) {
        session.observe(&mut self.snapshot);
        self.base.clone_from(&self.snapshot.crossed);
        self.since = session.now().0;
        let system = &session.scenario().system;
        self.census.restart(&system.network, system.switching.virtual_channels());
        self.settled = session.statistics().stationary().is_some();
    }

    /// Begins anew if the warm-up has ended since it was last asked. Where it is asked is where it can
    /// begin: at cycles that no wall clock chooses.
    pub(super) fn settle(&mut self, session: &Session) {
        if !self.settled && session.statistics().stationary().is_some() {
            self.restart(session);
        }
    }

    /// Looks at the links if a look is due.
    pub(super) fn look(&mut self, session: &Session) {
        if self.census.is_due(session.now().0) {
            session.observe(&mut self.snapshot);
            self.census.add(&session.scenario().system.network, &self.snapshot);
        }
    }

    /// The averages up to cycle `now`, at which `crossed` flits had crossed each channel.
    pub(super) fn read(&self, crossed: &[u64], now: u64, usage: &mut Usage) {
        usage.cycles = now.saturating_sub(self.since);
        usage.shares.clear();
        usage.census.clone_from(&self.census);
        let cycles = usage.cycles.max(1) as f64;
        let base = |channel: usize| self.base.get(channel).copied().unwrap_or(0);
        usage.shares.extend(
            crossed.iter().enumerate().map(|(channel, &flits)| {
                (flits.saturating_sub(base(channel)) as f64 / cycles) as f32
            }),
        );
    }
}
