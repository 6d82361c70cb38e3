//! How busy each channel has been at the present load: long averages, to hold against a model.

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
}

/// Where an average began.
#[derive(Debug)]
struct Base {
    since: u64,
    /// Flits that had crossed each channel then.
    crossed: Vec<u64>,
    /// Whether the warm-up was over.
    settled: bool,
    /// How much had been done to the run: another load, another average.
    changes: usize,
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
        let since = session.now().0;
        self.bases.retain(|base| base.since < since);
        session.observe(&mut self.snapshot);
        self.bases.push(Base {
            since,
            crossed: self.snapshot.crossed.clone(),
            settled: session.statistics().stationary().is_some(),
            changes: session.journal().len(),
        });
    }

    /// Begins anew if the warm-up has ended since it was last asked, or the load was changed. Where it
    /// is asked is where it can begin: at cycles that no wall clock chooses. What is known already
    /// stays.
    pub(super) fn settle(&mut self, session: &Session) {
        let now = session.now().0;
        let (since, settled, changes) = self
            .bases
            .last()
            .map_or((0, false, 0), |base| (base.since, base.settled, base.changes));
        let changed = changes != session.journal().len();
        if since <= now && (changed || (!settled && session.statistics().stationary().is_some())) {
            self.restart(session);
        }
    }

    /// The averages up to cycle `now`, at which `crossed` flits had crossed each channel.
    pub(super) fn read(&self, crossed: &[u64], now: u64, usage: &mut Usage) {
        let begun = self.bases.iter().rev().find(|base| base.since <= now);
        usage.cycles = now.saturating_sub(begun.map_or(0, |base| base.since));
        usage.shares.clear();
        let cycles = usage.cycles.max(1) as f64;
        let base =
            |channel: usize| begun.and_then(|base| base.crossed.get(channel).copied()).unwrap_or(0);
        usage.shares.extend(
            crossed.iter().enumerate().map(|(channel, &flits)| {
                (flits.saturating_sub(base(channel)) as f64 / cycles) as f32
            }),
        );
    }
}
