//! The engine of circuits: state and events.

use std::sync::Arc;

use educe::Educe;
use get_size2::GetSize;

use super::calendar::Calendar;
use super::events::{Event, Served, Service};
use super::state::{Call, Controller, Lane, NONE, Way};
use super::transmissions::Transmissions;
use crate::engine::change::Change;
use crate::engine::common::Common;
use crate::engine::simulator::Simulator;
use crate::engine::totals::Delivery;
use crate::engine::view::CircuitState;
use crate::ids::{ChannelId, Letter, NodeId};
use crate::switching::Circuit;
use crate::system::System;
use crate::topology::{Channel, Role};
use crate::traffic::sources::{Generated, Message};
use crate::units::{CYCLES_PER_TIME, Cycle, FLITS_PER_TIME};

/// The number of ticks per unit of time.
pub const TICKS_PER_TIME: u64 = 1 << 32;

/// The number of ticks per cycle.
pub(super) const TICKS_PER_CYCLE: u64 = TICKS_PER_TIME / CYCLES_PER_TIME;

/// Converts time to ticks, rounded to nearest.
pub fn ticks(time: f64) -> u64 {
    (time * TICKS_PER_TIME as f64).round() as u64
}

/// The transmission time of `flits` over a circuit in ticks, rounded to nearest.
pub fn transmission_ticks(flits: u32) -> u64 {
    let flits_per_time = u64::from(FLITS_PER_TIME);
    ((u64::from(flits) << 32) + flits_per_time / 2) / flits_per_time
}

#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub struct CircuitEngine {
    pub(super) common: Common,
    #[get_size(ignore)]
    pub(super) machine: Circuit,
    /// True if routing always offers a single candidate.
    pub(super) straight: bool,
    /// True if terminals have channels.
    pub(super) terminals: bool,
    /// The number of lanes between routers; those of terminals follow.
    pub(super) lanes_between_routers: u32,
    pub(super) acknowledge: u64,
    pub(super) now: Cycle,
    /// The end of the period covered by `present_ticks`, in ticks.
    pub(super) counted: u64,
    /// Σ over ticks of the number of messages present.
    pub(super) present_ticks: u128,
    /// All channels.
    #[get_size(ignore)]
    pub(super) ways: Arc<[Way]>,
    /// Lane `l` of link `k` is `lanes[k × lanes per link + l]`. The channel of a terminal is a link.
    pub(super) lanes: Vec<Lane>,
    pub(super) controllers: Vec<Controller>,
    pub(super) calls: Vec<Call>,
    pub(super) spare: Vec<u32>,
    pub(super) calendar: Calendar,
    /// The sum of latencies, in ticks.
    pub(super) latency_ticks: u128,
    /// The sum of the ticks for which lost messages were present.
    pub(super) lost_ticks: u128,
    /// The number of messages at controllers whose attempts end because a link has failed.
    pub(super) broken: u32,
}

impl CircuitEngine {
    /// Creates an empty network at tick 0, for a system with circuit switching. Replications of a
    /// seed draw from disjoint streams, and generate the same messages as under wormhole switching.
    pub fn new(system: &System, seed: u64, replication: u32) -> Self {
        let machine = *system.circuit().expect("the system uses circuit switching");
        let mut common = Common::new(system, seed, replication);
        common.sources = common.sources.in_ticks();
        let links = system.links();
        let mean = system.traffic.lengths.mean() / f64::from(FLITS_PER_TIME);
        let transmissions = Transmissions::new(common.network.routers(), ticks(mean));
        let routers = common.network.routers() as u32;
        let way = |(at, &Channel { from, to, role, .. }): (usize, &Channel)| {
            let channel = ChannelId::new(at);
            let of_terminals = at.saturating_sub(links.of.len()) as u32;
            let link = links.of.get(at).copied().unwrap_or(links.count as u32 + of_terminals);
            let terminal = common.network.terminal_of(channel).filter(|_| role == Role::Ejection);
            let to = terminal.map_or(to.0, |terminal| routers + terminal.0);
            Way { lane: link * machine.lanes(), from: from.0, to }
        };
        let terminals = common.network.channels().len() - links.of.len();
        let delays = [
            ticks(machine.verify),
            ticks(machine.connect),
            ticks(machine.release),
            ticks(machine.back_off().unwrap_or_default()),
        ];
        let mut engine = Self {
            machine,
            straight: common.relation.goes_straight(),
            terminals: terminals > 0,
            lanes_between_routers: links.count as u32 * machine.lanes(),
            acknowledge: ticks(machine.acknowledge),
            now: Cycle(0),
            counted: 0,
            present_ticks: 0,
            lanes: vec![Lane::FREE; (links.count + terminals) * machine.lanes() as usize],
            ways: common.network.channels().iter().enumerate().map(way).collect(),
            controllers: vec![Controller::IDLE; common.network.routers()],
            calls: Vec::new(),
            spare: Vec::new(),
            calendar: Calendar::new(delays, transmissions),
            latency_ticks: 0,
            lost_ticks: 0,
            broken: 0,
            common,
        };
        for &link in system.failed() {
            engine.apply(Change::LinkDown(link));
        }
        engine
    }

    /// The number of links between routers; a link carries as many circuits as it has lanes.
    pub fn links(&self) -> usize {
        (self.lanes_between_routers / self.machine.lanes()) as usize
    }

    /// Handles the end of a service.
    #[inline]
    fn served(&mut self, Served { tick: now, service, router, call }: Served) {
        if self.broken > 0 && self.ends(now, router, call) {
            return;
        }
        match service {
            Service::Verify => self.verified(now, router, call),
            Service::Connect => self.connected(now, router, call),
            Service::Release => self.released(now, router, call),
        }
    }

    /// Handles the next event; returns the end of a service instead of handling it.
    #[inline(never)]
    fn happen(&mut self) -> Option<Served> {
        let event = self.calendar.take(&self.controllers, &mut self.calls)?;
        self.common.counters.events += 1;
        match event {
            Event::Served(served) => return Some(served),
            Event::Again(now, call) => {
                if !self.tries_again(now, call) {
                    return None;
                }
                let message = &mut self.calls[call as usize];
                message.state = CircuitState::SettingUp;
                message.since = now;
                let source = message.begins;
                self.ask(now, source, call);
            }
            Event::Sent(now, call) => {
                let message = &mut self.calls[call as usize];
                message.state = CircuitState::Releasing;
                message.since = now;
                let (source, length) = (message.begins, u64::from(message.length));
                self.common.counters.flits_injected += length;
                self.common.counters.flits_consumed += length;
                self.common.counters.flit_hops += length * u64::from(message.hops);
                self.ask_release(now, source, call);
            }
        }
        None
    }

    fn generate(&mut self, now: u64) {
        if let Some(generated) = self.common.sources.generate(now) {
            self.count(now);
            self.common.present += 1;
            if let Generated::Asks(message) = generated {
                self.begin(now, message);
            }
        }
    }

    /// Creates a message, and requests its first link from the controller of its source. A message without
    /// a route is lost, and the next of its source follows.
    pub(super) fn begin(&mut self, now: u64, message: Message) {
        let mut next = Some(message);
        while let Some(message) = next {
            next = self.create(now, &message);
        }
    }

    /// Creates a message; returns the next of its source if this message has no route.
    fn create(&mut self, now: u64, message: &Message) -> Option<Message> {
        let Message { source, destination, route_bits, .. } = *message;
        let header = self.common.relation.header(source, destination, route_bits);
        let (begins, ends) = (header.source.0, header.destination.0);
        let beyond = self.common.network.routers() as u32 + destination.0;
        let call = Call {
            live: true,
            state: CircuitState::SettingUp,
            source: source.0,
            destination: destination.0,
            begins,
            ends,
            target: if self.terminals { beyond } else { ends },
            length: message.length,
            serial: message.serial,
            route_bits: header.route_bits,
            routed_from: begins,
            born: message.born,
            since: now,
            ..Call::FREE
        };
        let row = if let Some(row) = self.spare.pop() {
            self.calls[row as usize] = call;
            row
        } else {
            self.calls.push(call);
            self.calls.len() as u32 - 1
        };
        if self.common.is_cut_off(header.source, &header) {
            return self.discard(now, row);
        }
        self.ask(now, begins, row);
        None
    }

    /// Adds the ticks of all messages present until now.
    pub(super) fn count(&mut self, now: u64) {
        self.present_ticks += self.present_since(now);
        self.counted = now;
    }

    /// The ticks of all messages present since the last addition.
    pub(super) fn present_since(&self, now: u64) -> u128 {
        u128::from(self.common.present) * u128::from(now - self.counted)
    }

    /// Delivers a message after the release of its last link.
    pub(super) fn deliver(&mut self, now: u64, row: u32) {
        self.count(now);
        let call = &mut self.calls[row as usize];
        call.live = false;
        self.spare.push(row);
        if call.letter != NONE {
            self.common.letters.give_back(now, call.name(), Letter(call.letter));
        }
        self.latency_ticks += u128::from(now - call.born);
        let delivery = Delivery {
            source: NodeId(call.source),
            destination: NodeId(call.destination),
            serial: call.serial,
            length: call.length,
            hops: call.hops,
            born: cycle_of(call.born),
            began: cycle_of(call.born),
            message_class: 0,
            entered: cycle_of(call.started),
            done: cycle_of(now),
            aborts: call.tries,
            held: call.link_ticks / TICKS_PER_CYCLE,
            longest_wait: 0,
            longest_wait_for: NONE,
            head_waits: None,
            own_pace: 0,
        };
        self.common.deliver(delivery, call.born, now);
    }

    pub(super) fn run_until(&mut self, until: Cycle) {
        let end = until.0.saturating_mul(TICKS_PER_CYCLE);
        while self.common.deadlock.is_none() {
            // Arrivals precede other events of the same tick.
            let arrival = self.common.sources.next_arrival();
            self.calendar.stop_at(arrival.min(end));
            loop {
                // Nearly all events are ends of services.
                let served = if let Some(served) = self.calendar.take_service(&self.controllers) {
                    self.common.counters.events += 1;
                    served
                } else if self.calendar.is_over() {
                    break;
                } else if let Some(served) = self.happen() {
                    served
                } else {
                    continue;
                };
                self.served(served);
            }
            if self.common.deadlock.is_some() || arrival >= end {
                break;
            }
            self.common.counters.events += 1;
            self.generate(arrival);
        }
        if self.common.deadlock.is_none() {
            self.now = self.now.max(until);
        }
    }
}

/// The cycle of a tick.
pub(super) fn cycle_of(tick: u64) -> Cycle {
    Cycle(tick / TICKS_PER_CYCLE)
}
