//! The failures due in a run, and the cycles in which routes change.
//!
//! Random failures are drawn one after the other from the seed of the scenario, so they do not depend on
//! the division of a run into calls, nor on the messages.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use get_size2::GetSize;

use super::change::Change;
use crate::ids::ChannelId;
use crate::random::{Stream, mix};
use crate::system::failures::{Event, Failure, Part, Plan, RandomFailures};
use crate::topology::Network;
use crate::units::Cycle;

/// The salt of the hashes that determine random failures.
const FAILURE: u64 = 0xfa11_0000;

/// A random failure.
#[derive(Clone, Copy, Debug, GetSize)]
struct Drawn {
    /// Its number, from 0.
    number: u64,
    cycle: u64,
    /// Mean cycles passed until the failure, as a sum without rounding.
    #[get_size(ignore)]
    passed: f64,
    cable: u32,
}

/// The changes due in a run.
#[derive(Clone, Debug, GetSize)]
pub(super) struct Schedule {
    #[get_size(ignore)]
    plan: Arc<Plan>,
    /// The next given failure.
    given: usize,
    /// The next random failure.
    drawn: Option<Drawn>,
    /// Ends of random failures, each with its link.
    ends: BTreeSet<(u64, u32)>,
    /// The failures of each channel that have not ended.
    counts: BTreeMap<u32, u32>,
    /// Cycles in which routes change.
    reroutes: BTreeSet<u64>,
}

impl Schedule {
    pub fn new(plan: &Arc<Plan>) -> Self {
        let mut schedule = Self {
            plan: Arc::clone(plan),
            given: 0,
            drawn: None,
            ends: BTreeSet::new(),
            counts: BTreeMap::new(),
            reroutes: BTreeSet::new(),
        };
        schedule.draw(0, 0.0);
        schedule
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Draws random failure `number`, after `passed` cycles.
    fn draw(&mut self, number: u64, passed: f64) {
        let Some(RandomFailures { rate, seed, .. }) = self.plan.failures.random else { return };
        let mut stream = Stream::keyed(mix(mix(FAILURE, seed), number));
        let cables = self.plan.cables.len();
        let passed = passed + stream.exponential() / (rate * cables as f64);
        let cable = stream.below(cables as u32);
        self.drawn = Some(Drawn { number, cycle: passed as u64, passed, cable });
    }

    /// The cycle of the next change, or `u64::MAX`.
    pub fn next(&self) -> u64 {
        let given = self.plan.events.get(self.given).map(|event| event.cycle);
        let drawn = self.drawn.map(|drawn| drawn.cycle);
        let end = self.ends.first().map(|&(cycle, _)| cycle);
        let reroute = self.reroutes.first().copied();
        [given, drawn, end, reroute].into_iter().flatten().min().unwrap_or(u64::MAX)
    }

    /// Removes the changes of links due by cycle `now`, in order.
    pub fn take(&mut self, now: u64) -> Vec<Change> {
        self.take_with(now, |_, _| ())
    }

    /// Removes changes as [`Self::take`] does, and passes the cycle and the link of each random failure to
    /// `drawn`.
    fn take_with(&mut self, now: u64, mut drawn: impl FnMut(u64, u32)) -> Vec<Change> {
        let mut changes = Vec::new();
        let plan = Arc::clone(&self.plan);
        while let Some(event) = plan.events.get(self.given).filter(|event| event.cycle <= now) {
            let Event { links, fails, .. } = event;
            self.given += 1;
            self.count(links, *fails, &mut changes);
        }
        while let Some(&(cycle, cable)) = self.ends.first().filter(|end| end.0 <= now) {
            self.ends.remove(&(cycle, cable));
            self.count(&plan.cables[cable as usize], false, &mut changes);
        }
        while let Some(Drawn { number, cycle, passed, cable }) =
            self.drawn.filter(|drawn| drawn.cycle <= now)
        {
            let lasts = plan.failures.random.and_then(|random| random.lasts);
            // A link that has failed does not fail again.
            let first = plan.cables[cable as usize][0].0;
            if !self.counts.contains_key(&first) {
                drawn(cycle, cable);
                self.count(&plan.cables[cable as usize], true, &mut changes);
                self.ends.extend(lasts.map(|lasts| (cycle.saturating_add(lasts), cable)));
            }
            self.draw(number + 1, passed);
        }
        changes
    }

    /// Counts a failure of links, or its end.
    fn count(&mut self, links: &[ChannelId], fails: bool, changes: &mut Vec<Change>) {
        for &link in links {
            let count = self.counts.entry(link.0).or_default();
            if fails {
                *count += 1;
                if *count == 1 {
                    changes.push(Change::LinkDown(link));
                }
            } else {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    self.counts.remove(&link.0);
                    changes.push(Change::LinkUp(link));
                }
            }
        }
    }

    /// Plans new routes after a change in cycle `now`.
    pub fn reroute(&mut self, now: u64) {
        let after = self.plan.consequences().reroute_after;
        self.reroutes.insert(now.saturating_add(after));
    }

    /// True if routes are to change.
    pub fn awaits_routes(&self) -> bool {
        !self.reroutes.is_empty()
    }

    /// True if routes change in cycle `now`; the change is then no longer due.
    pub fn takes_routes(&mut self, now: u64) -> bool {
        let later = self.reroutes.split_off(&now.saturating_add(1));
        !std::mem::replace(&mut self.reroutes, later).is_empty()
    }

    /// A hash of the changes to come.
    pub fn fingerprint(&self, hash: u64) -> u64 {
        // Fields fixed by the scenario are omitted; the number determines a random failure.
        let Self { plan: _, given, drawn, ends, counts, reroutes } = self;
        if self.next() == u64::MAX && counts.is_empty() && *given == 0 {
            return hash;
        }
        let number = drawn.map_or(0, |drawn| drawn.number);
        let ends = ends.iter().flat_map(|&(cycle, cable)| [cycle, u64::from(cable)]);
        let counts = counts.iter().flat_map(|(&link, &count)| [link, count]).map(u64::from);
        let words = [*given as u64, number].into_iter();
        words.chain(ends).chain(counts).chain(reroutes.iter().copied()).fold(hash, mix)
    }
}

/// The random failures of a plan up to a cycle, as given ones.
pub fn drawn_failures(plan: &Arc<Plan>, network: &Network, until: Cycle) -> Vec<Failure> {
    let mut found = Vec::new();
    let Some(RandomFailures { lasts, .. }) = plan.failures.random else { return found };
    let mut schedule = Schedule::new(plan);
    while schedule.next() <= until.0 {
        let now = schedule.next();
        schedule.take_with(now, |cycle, cable| {
            let link = network.channel(plan.cables[cable as usize][0]);
            found.push(Failure { cycle, part: Part::Link(link.from, link.to), lasts });
        });
    }
    found
}
