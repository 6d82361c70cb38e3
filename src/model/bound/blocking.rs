//! Worms that can block a message, and the cycles of blocking by each.

use std::collections::HashMap;

use super::routes::{Resource, Route, Routes};
use crate::model::{Unsolved, cancellation};

/// Relevant parameters of the machine and the messages.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Worms {
    /// Flits of the longest message.
    pub length: u32,
    /// Flits in the buffer of a VC.
    pub buffer: u32,
}

impl Worms {
    /// Number of channels beyond the next occupied by a worm with its tail still in a buffer.
    fn spread(self) -> usize {
        ((self.length - 1) / self.buffer) as usize
    }

    /// Maximum number of successive flit moves from the head's first move to the tail's last: e(L,
    /// n) of the guide.
    pub fn moves(self, hops: usize) -> f64 {
        let behind = f64::from(self.length - 1);
        hops as f64 + if self.buffer == 1 && hops > 1 { 2.0 * behind } else { behind }
    }

    /// Maximum number of successive flit moves while a worm holds the VC of its `hop` (from 1) of
    /// `hops`: h of the guide. If the worm `stretches`, its flits may lag behind its head.
    fn moves_holding(self, hop: usize, hops: usize, stretches: bool) -> f64 {
        let (last, length) = (hop == hops, f64::from(self.length));
        let hop = if stretches && self.length > 1 { hop as f64 } else { 1.0 };
        match (self.buffer == 1 && hops > 1, last) {
            (false, false) => length - 1.0 + hop.max(2.0),
            (false, true) => length - 2.0 + hop.max(2.0),
            (true, false) => (2.0 * length).max(2.0 * length - 3.0 + hop),
            (true, true) => (2.0 * length - 1.0).max(2.0 * length - 4.0 + hop),
        }
    }
}

/// Number of routes between checks for cancellation.
const LOOK: usize = 1024;

/// A set of resources.
type Set = Vec<u64>;

/// Cost of a set of contended VCs for messages waiting for a member.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Closure {
    /// The maximum total cycles for which a message blocks a waiting message, by source.
    pub cost: Vec<f64>,
}

/// Blocking between messages, for given numbers of messages under way from each source.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Blocking {
    /// True if some head may have to wait for the resource.
    contended: Vec<bool>,
    /// Number of VCs of each resource's channel that may have a flit to send at the same time.
    width: Vec<u32>,
    pub closures: Vec<Closure>,
    /// The closure of each route; `None` if its messages never wait.
    pub of_route: Vec<Option<u32>>,
    /// Maximum number of VCs that share a channel of each route.
    pub width_of_route: Vec<u32>,
    /// Cycles for which one message of a source can prevent a younger message of the same source
    /// from sending over another channel.
    pub rivalry: Vec<f64>,
}

impl Blocking {
    /// Computes the blocking on `routes`, given the maximum number of messages of each source
    /// `under_way`; `None` if equal to `before`; an error if cancelled.
    pub fn of(
        routes: &Routes,
        order: &[u32],
        worms: Worms,
        under_way: &[u64],
        before: &Self,
    ) -> Result<Option<Self>, Unsolved> {
        let all = |it: &Resource| it.sources.iter().map(|&it| under_way[it as usize]).sum::<u64>();
        let contended: Vec<bool> =
            routes.resources.iter().map(|it| all(it) > u64::from(it.choice)).collect();
        let mut width = vec![0; contended.len()];
        for group in routes.resources.chunk_by(|a, b| a.channel == b.channel) {
            let vcs = |it: &Resource| u64::from(it.vcs.count_ones()).min(all(it));
            let sum = group.iter().map(vcs).sum::<u64>() as u32;
            for it in group {
                let at = routes
                    .resources
                    .partition_point(|other| (other.channel, other.vcs) < (it.channel, it.vcs));
                width[at] = sum.max(1);
            }
        }
        if contended == before.contended && width == before.width {
            return Ok(None);
        }
        let widest = |route: &Route| route.hops.iter().map(|&it| width[it as usize]).max();
        let width_of_route: Vec<u32> =
            routes.all.iter().map(|route| widest(route).unwrap_or(1)).collect();
        let mut blocking = Self { contended, width, width_of_route, ..Self::default() };
        blocking.rivalry = blocking.rivalries(routes, worms, under_way.len());
        blocking.close(routes, order, worms, under_way.len())?;
        Ok(Some(blocking))
    }

    /// Sources with only one first channel have no rivalry.
    fn rivalries(&self, routes: &Routes, worms: Worms, sources: usize) -> Vec<f64> {
        let mut rivalry = vec![0.0; sources];
        for of_source in routes.all.chunk_by(|a, b| a.source == b.source) {
            let first = |route: &Route| routes.resources[route.hops[0] as usize].channel;
            if of_source.iter().any(|route| first(route) != first(&of_source[0])) {
                let widths = of_source.iter().map(|route| self.width[route.hops[0] as usize]);
                let widest = widths.max().unwrap_or(1);
                rivalry[of_source[0].source.index()] = f64::from(widest * worms.length);
            }
        }
        rivalry
    }

    /// The hops of a route with a VC that its head may have to wait for.
    fn waits<'a>(&'a self, route: &'a Route) -> impl Iterator<Item = (usize, u32)> + Clone + 'a {
        let hops = route.hops.iter().copied().enumerate();
        hops.filter(|&(_, it)| self.contended[it as usize])
    }

    fn close(
        &mut self,
        routes: &Routes,
        order: &[u32],
        worms: Worms,
        sources: usize,
    ) -> Result<(), Unsolved> {
        let mut next = vec![Vec::new(); self.contended.len()];
        for route in &routes.all {
            let waits: Vec<(usize, u32)> = self.waits(route).collect();
            for (place, &(hop, from)) in waits.iter().enumerate() {
                let near = waits[place + 1..].iter();
                let near = near.take_while(|&&(other, _)| other <= hop + 1 + worms.spread());
                next[from as usize].extend(near.map(|&(_, to)| to));
            }
        }
        let mut reach: Vec<Set> = vec![Set::new(); next.len()];
        for &at in order.iter().rev().filter(|&&it| self.contended[it as usize]) {
            cancellation::check_cancelled()?;
            let mut set = vec![0; next.len().div_ceil(64)];
            set[at as usize / 64] |= 1 << (at % 64);
            next[at as usize].sort_unstable();
            next[at as usize].dedup();
            for &to in &next[at as usize] {
                join(&mut set, &reach[to as usize]);
            }
            reach[at as usize] = set;
        }
        let mut known: HashMap<Set, u32> = HashMap::new();
        self.of_route = Vec::with_capacity(routes.all.len());
        for (at, route) in routes.all.iter().enumerate() {
            if at % LOOK == 0 {
                cancellation::check_cancelled()?;
            }
            let mut set = Set::new();
            for (_, at) in self.waits(route) {
                join(&mut set, &reach[at as usize]);
            }
            let closure = (!set.is_empty()).then(|| {
                let count = known.len() as u32;
                *known.entry(set).or_insert(count)
            });
            self.of_route.push(closure);
        }
        let mut sets: Vec<(Set, u32)> = known.into_iter().collect();
        sets.sort_unstable_by_key(|&(_, number)| number);
        let each = sets.iter().map(|(set, _)| {
            cancellation::check_cancelled()?;
            Ok(self.closure(set, routes, worms, sources))
        });
        self.closures = each.collect::<Result<_, Unsolved>>()?;
        Ok(())
    }

    /// Maximum blocking of a message waiting for VCs of `set` by a message of each source.
    fn closure(&self, set: &Set, routes: &Routes, worms: Worms, sources: usize) -> Closure {
        let mut cost: Vec<f64> = vec![0.0; sources];
        for (route, &width) in routes.all.iter().zip(&self.width_of_route) {
            let source = route.source.index();
            let stretches = width > 1 || self.rivalry[source] > 0.0;
            let hops =
                self.waits(route).filter(|&(_, it)| set[it as usize / 64] >> (it % 64) & 1 == 1);
            let holds = hops.map(|(hop, it)| {
                let choice = f64::from(routes.resources[it as usize].choice);
                let moves = worms.moves_holding(hop + 1, route.hops.len(), stretches);
                moves * f64::from(width) / choice
            });
            let held: f64 = holds.sum();
            if held > 0.0 {
                cost[source] = cost[source].max(held + self.rivalry[source]);
            }
        }
        Closure { cost }
    }
}

/// Adds to a possibly empty set.
fn join(set: &mut Set, more: &Set) {
    if set.is_empty() {
        set.clone_from(more);
    } else {
        set.iter_mut().zip(more).for_each(|(mine, more)| *mine |= more);
    }
}
