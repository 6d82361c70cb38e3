//! Virtual queues: the messages of a run in queues whose mean wait is known exactly.
//!
//! Every source, link and ejection channel has two queues with one server each, first come, first served. An ordinary
//! server takes a cycle per flit, a slow one up to twice as long, like a channel whose worms are often blocked. A
//! message enters the queues of its source and of all channels of its route at its birth. Poisson arrivals that are
//! split by destination and joined by channel remain Poisson, so each queue is M/G/1, and its mean wait follows from
//! the formula of Pollaczek and Khinchine. Messages that wait longer than expected in these queues also wait longer in
//! the network: the waits are control variates of the latency.

use std::collections::VecDeque;

use educe::Educe;

use super::Session;
use super::measurement::offered;
use crate::engine::Delivery;
use crate::flows::Flows;
use crate::flows::routes::Follower;
use crate::ids::{ChannelId, NodeId};
use crate::scenario::Scenario;
use crate::stats::{CONTROLS, Offered, Statistics};
use crate::system::System;
use crate::topology::Role;
use crate::traffic::Process;
use crate::traffic::sources::{Generated, Message, Sources};
use crate::units::Cycle;

/// Bits of a cycle in virtual waits.
const FRACTION: u32 = 8;
/// Bits of a cycle in the births of messages.
const TICKS: u32 = 32;
/// The highest utilisation of a queue: fuller ones take too long to settle.
const UTILISATION_MAX: f64 = 0.9;
/// The time of service in slow queues, in multiples of that in ordinary ones.
const SLOWER: f64 = 2.0;
/// The highest utilisation of a slow queue, where an ordinary one is used less.
const SLOW_UTILISATION_MAX: f64 = 0.65;
/// The most messages of one source under way. Only saturated sources have more.
const UNDER_WAY_MAX: usize = 1024;
/// The last cycle whose ticks fit into 64 bits.
const LAST_CYCLE: u64 = 1 << (64 - TICKS - 1);

/// Virtual waits of the messages of one source.
#[derive(Clone, Debug, Default)]
struct Waits {
    /// The serial number of the first entry.
    first: u64,
    /// The waits of each message under way; `None` once delivered.
    each: VecDeque<Option<[u32; 4]>>,
}

impl Session {
    /// Corrects the mean latency by control variates where possible; call this at the beginning of the
    /// run. The simulation is not affected. A change to the run ends the correction.
    pub fn control_variates(&mut self) {
        let system = &self.scenario.system;
        let Some(queues) = VirtualQueues::new(system, self.seed, self.replication) else { return };
        let controls = Some(queues.means());
        let offered = Offered { controls, ..offered(&self.scenario, self.rate) };
        self.statistics = Statistics::new(offered, self.warm_up, 0);
        self.virtual_queues = Some(Box::new(queues));
    }
}

/// Advances the queues of a run, if any, to cycle `now`, and removes them if they cannot follow the run.
pub(super) fn follow(queues: &mut Option<Box<VirtualQueues>>, now: Cycle, scenario: &Scenario) {
    if let Some(present) = queues
        && !present.advance(now, &scenario.system)
    {
        *queues = None;
    }
}

/// The queues of a run.
#[derive(Debug, Educe)]
#[educe(Clone)]
pub(super) struct VirtualQueues {
    /// The messages of the run, generated a second time with the exact times of their births.
    sources: Sources,
    /// The times at which the servers of each channel, and then of each source, are free, in 1/256 cycles.
    free: Vec<[u64; 2]>,
    /// The time of service per flit in ordinary and slow queues, in 1/256 cycles.
    service: [u64; 2],
    waits: Vec<Waits>,
    follower: Follower,
    means: [f64; CONTROLS],
}

impl VirtualQueues {
    /// The queues of a run at cycle 0; `None` unless arrivals are Poisson, routes are drawn before the first hop, and
    /// no queue is nearly overloaded.
    pub fn new(system: &System, seed: u64, replication: u32) -> Option<Self> {
        let traffic = &system.traffic;
        let routing = system.relation.routing();
        let suits = system.wormhole().is_some()
            && traffic.process == Process::Poisson
            && !traffic.has_no_rate()
            && traffic.classes.is_empty()
            && !traffic.to_itself
            && !system.plan().has_failures()
            && !routing.offers_choice()
            && !routing.selects_by_queues();
        if !suits {
            return None;
        }
        let (means, service) = means(system)?;
        let network = &system.network;
        Some(Self {
            sources: Sources::new(traffic, network, seed, replication).in_ticks(),
            free: vec![[0; 2]; network.channels().len() + network.nodes()],
            service,
            waits: vec![Waits::default(); network.nodes()],
            follower: Follower::default(),
            means,
        })
    }

    /// Expectations of the controls: waits at the source and along the route in 1/256 cycles, in ordinary
    /// and in slow queues, then hops, and length in flits.
    pub fn means(&self) -> [f64; CONTROLS] {
        self.means
    }

    /// Enters the messages generated before cycle `now`. Returns false if the queues can no longer follow the run.
    pub fn advance(&mut self, now: Cycle, system: &System) -> bool {
        if now.0 > LAST_CYCLE {
            return false;
        }
        let last = (now.0 << TICKS).saturating_sub(1);
        while let Some(generated) = self.sources.generate(last) {
            let Generated::Asks(message) = generated else { return false };
            self.sources.leave(message.source, message.class);
            if !self.enter(&message, system) {
                return false;
            }
        }
        true
    }

    fn enter(&mut self, message: &Message, system: &System) -> bool {
        let now = message.born >> (TICKS - FRACTION);
        let busy = self.service.map(|per_flit| per_flit * u64::from(message.length));
        let channels = self.free.len() - self.waits.len();
        let mut waits = [0; 4];
        let mut wait_at = |queue: usize, add_to: usize| {
            for (at, (free, busy)) in self.free[queue].iter_mut().zip(busy).enumerate() {
                let begins = now.max(*free);
                *free = begins + busy;
                waits[2 * at + add_to] += begins - now;
            }
        };
        wait_at(channels + message.source.index(), 0);
        let Message { source, destination, route_bits, .. } = *message;
        let header = system.relation.header(source, destination, route_bits);
        let Ok(hops) = self.follower.follow(system, header) else { return false };
        let links = hops.iter().map(|hop| hop.channel);
        let ejection = system.network.ejection_of(destination);
        links.chain(ejection).for_each(|channel| wait_at(channel.index(), 1));
        let under_way = &mut self.waits[source.index()].each;
        under_way.push_back(Some(waits.map(|wait| u32::try_from(wait).unwrap_or(u32::MAX))));
        under_way.len() <= UNDER_WAY_MAX
    }

    /// Removes a delivered message and returns its waits.
    pub fn leave(&mut self, delivery: &Delivery) -> Option<[u32; 4]> {
        let Waits { first, each } = &mut self.waits[delivery.source.index()];
        let at = delivery.serial.checked_sub(*first)?;
        let waits = each.get_mut(at as usize)?.take();
        while let Some(None) = each.front() {
            each.pop_front();
            *first += 1;
        }
        waits
    }

    /// The size on the heap, in bytes.
    pub fn bytes(&self) -> usize {
        use get_size2::GetSize;
        let under_way: usize = self.waits.iter().map(|waits| waits.each.capacity()).sum();
        size_of::<Self>()
            + self.sources.get_heap_size()
            + self.free.capacity() * size_of::<u64>()
            + self.waits.capacity() * size_of::<Waits>()
            + under_way * size_of::<Option<[u32; 4]>>()
    }
}

/// Expectations of the controls of a message, and the times of service per flit; `None` if heads choose, or
/// if a queue is nearly overloaded.
fn means(system: &System) -> Option<([f64; CONTROLS], [u64; 2])> {
    let (network, traffic) = (&system.network, &system.traffic);
    let flows = Flows::of(system).ok().filter(|flows| !flows.chosen)?;
    let (length, rate, rates) = (traffic.lengths.mean(), traffic.rate.0, system.rates());
    // Messages per cycle.
    let nodes = (0..network.nodes()).map(NodeId::new);
    let at_sources: Vec<f64> = nodes.map(|node| rate * rates.at(node)).collect();
    let channels = (0..network.channels().len()).map(ChannelId::new);
    let entered = channels.filter(|&channel| network.channel(channel).role != Role::Injection);
    let on_routes: Vec<f64> = entered.map(|it| rate * flows.over(it).all()).collect();
    let busiest = at_sources.iter().chain(&on_routes).copied().fold(0.0, f64::max) * length;
    if busiest > UTILISATION_MAX {
        return None;
    }
    let slow = SLOWER.min(SLOW_UTILISATION_MAX / busiest).max(1.0);
    let cycle = f64::from(1u32 << FRACTION);
    let service = [cycle as u64, (cycle * slow) as u64];
    let square = 1.0 + traffic.lengths.variation();
    // The mean wait of a message, of the messages of all sources, in 1/256 cycles.
    let wait = |arrivals: &[f64], per_flit: u64| {
        let mean = length * per_flit as f64;
        let waits = arrivals.iter().map(|rate| {
            let utilisation = rate * mean / cycle;
            rate * utilisation * mean * square / (2.0 * (1.0 - utilisation))
        });
        waits.sum::<f64>() / at_sources.iter().sum::<f64>()
    };
    let waits = service.map(|per_flit| [wait(&at_sources, per_flit), wait(&on_routes, per_flit)]);
    let [[source, route], [slow_source, slow_route]] = waits;
    let hops = flows.hops_mean + f64::from(system.terminal_hops());
    Some(([source, route, slow_source, slow_route, hops, length], service))
}

#[cfg(test)]
mod tests;
