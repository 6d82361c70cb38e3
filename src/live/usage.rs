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
#[derive(Debug)]
struct Base {
    since: u64,
    /// Flits that had crossed each channel then.
    crossed: Vec<u64>,
    /// Whether the warm-up was over.
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
        let since = session.now().0;
        self.bases.retain(|base| base.since < since);
        session.observe(&mut self.snapshot);
        let system = &session.scenario().system;
        let mut census = Census::default();
        census.restart(&system.network, system.switching.virtual_channels());
        self.bases.push(Base {
            since,
            crossed: self.snapshot.crossed.clone(),
            settled: session.statistics().settled_at(session.now().0).is_some(),
            changes: session.journal().len(),
            census,
            looked: since,
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
        if since <= now
            && (changed || (!settled && session.statistics().settled_at(session.now().0).is_some()))
        {
            self.restart(session);
        }
    }

    /// Looks at the links if a look is due that was not taken before.
    pub(super) fn look(&mut self, session: &Session) {
        let now = session.now().0;
        let base = self.bases.iter_mut().rev().find(|base| base.since <= now);
        if let Some(base) = base.filter(|base| base.looked < now && base.census.is_due(now)) {
            session.observe(&mut self.snapshot);
            base.census.add(&session.scenario().system.network, &self.snapshot);
            base.looked = now;
        }
    }

    /// The averages up to cycle `now`, at which `crossed` flits had crossed each channel.
    pub(super) fn read(&self, crossed: &[u64], now: u64, usage: &mut Usage) {
        let begun = self.bases.iter().rev().find(|base| base.since <= now);
        usage.cycles = now.saturating_sub(begun.map_or(0, |base| base.since));
        usage.shares.clear();
        if let Some(base) = begun {
            usage.census.clone_from(&base.census);
        }
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
