//! The event-driven engine of circuit switching (001): messages reserve their links hop by hop, send
//! over all of them at once, and give them back.
//!
//! Time is counted in ticks of 2⁻³² of the unit of time, so that a run is the same on every machine;
//! outside, a cycle is 2²² ticks ([`CYCLES_PER_TIME`]). The life of a message:
//!
//! 1. It *asks* the controller of its source for the first link (`requests.rs`), without waiting for
//!    earlier messages of the same source. The controller serves one job at a time: it verifies, and
//!    where the link is free takes it at that instant, connects, and the request joins the queue of
//!    the next router.
//! 2. At a link in use it waits in the link's queue, or gives up, or looks at another link.
//! 3. From the destination an acknowledgement goes back, and the data pass: pure delays.
//! 4. It *releases* its links from source to destination, router after router (`releases.rs`); an
//!    attempt that failed does so backwards, and begins again after its back-off. A link given back goes
//!    to the first who waits for it, and the same controller connects it at once.
//!
//! A wait that closes a ring of waits is a deadlock, and found when it begins (`waits.rs`).

mod audit;
mod calendar;
mod messages;
mod observe;
mod releases;
mod requests;
mod state;
#[cfg(test)]
mod tests;
mod waits;

use std::sync::Arc;

use self::calendar::{Calendar, Event};
use self::state::{Call, Controller, Lane, NONE, Stage};
use super::letters::Letters;
use super::{Counters, Deadlock, Delivery, Engine, Snapshot, Violation, held};
use crate::ids::{Letter, NodeId};
use crate::random::{key, mix};
use crate::routing::{Candidate, Relation};
use crate::switching::Circuit;
use crate::switching::circuit::Duplex;
use crate::system::System;
use crate::topology::Network;
use crate::topology::links::Links;
use crate::traffic::sources::{Generated, Message, Sources};
use crate::units::{CYCLES_PER_TIME, Cycle, FLITS_PER_TIME, Rate};

/// Ticks in a unit of time.
pub const TICKS_PER_TIME: u64 = 1 << 32;

/// Ticks in a cycle.
const TICKS_PER_CYCLE: u64 = TICKS_PER_TIME / CYCLES_PER_TIME;

/// The ticks of a time, to the nearest.
pub fn ticks(time: f64) -> u64 {
    (time * TICKS_PER_TIME as f64).round() as u64
}

/// The ticks that `flits` take over a circuit, to the nearest.
pub fn transmission_ticks(flits: u32) -> u64 {
    let flits_per_time = u64::from(FLITS_PER_TIME);
    ((u64::from(flits) << 32) + flits_per_time / 2) / flits_per_time
}

/// The circuit engine.
#[derive(Clone, Debug)]
pub struct CircuitEngine {
    network: Arc<Network>,
    relation: Relation,
    machine: Circuit,
    acknowledge: u64,
    seed: u64,
    now: Cycle,
    /// The tick up to which `present_ticks` has been added up.
    counted: u64,
    /// Σ over ticks of the messages present.
    present_ticks: u128,
    sources: Sources,
    links: Links,
    /// Lane `l` of link `k` is `lanes[k × lanes per link + l]`.
    lanes: Vec<Lane>,
    controllers: Vec<Controller>,
    calls: Vec<Call>,
    spare: Vec<u32>,
    letters: Letters,
    calendar: Calendar,
    counters: Counters,
    /// Σ of latencies in ticks.
    latency_ticks: u128,
    /// Messages generated and not delivered.
    present: u64,
    deliveries: Vec<Delivery>,
    delivered_hash: u64,
    deadlock: Option<Deadlock>,
    /// Scratch for [`Relation::candidates`].
    candidates: Vec<Candidate>,
}

impl CircuitEngine {
    /// An empty network at tick 0, of a system with circuit switching. Replications of one seed draw
    /// from disjoint streams, and the messages are those of wormhole switching.
    pub fn new(system: &System, seed: u64, replication: u32) -> Self {
        let machine = *system.circuit().expect("who builds this engine has circuits to set up");
        let network = Arc::clone(&system.network);
        let links = Links::new(&network, machine.duplex == Duplex::Half);
        let delays = [
            ticks(machine.verify),
            ticks(machine.connect),
            ticks(machine.release),
            ticks(machine.back_off().unwrap_or_default()),
        ];
        Self {
            relation: system.relation.clone(),
            machine,
            acknowledge: ticks(machine.acknowledge),
            seed: key(seed, replication),
            now: Cycle(0),
            counted: 0,
            present_ticks: 0,
            sources: Sources::new(&system.traffic, &network, seed, replication).in_ticks(),
            lanes: vec![Lane::FREE; links.count * machine.lanes() as usize],
            links,
            controllers: vec![Controller::IDLE; network.routers()],
            calls: Vec::new(),
            spare: Vec::new(),
            letters: Letters::default(),
            calendar: Calendar::new(delays),
            counters: Counters::default(),
            latency_ticks: 0,
            present: 0,
            deliveries: Vec::new(),
            delivered_hash: 0,
            deadlock: None,
            candidates: Vec::with_capacity(16),
            network,
        }
    }

    /// The number of links, each of which carries as many circuits as it has lanes.
    pub fn links(&self) -> usize {
        self.links.count
    }

    /// Simulates the next event before tick `until`; `false` if there is none.
    #[inline]
    fn step(&mut self, until: u64) -> bool {
        let arrival = self.sources.next_arrival();
        match self.calendar.next() {
            // Of one tick, what is generated comes first.
            Some((tick, event)) if tick < arrival => {
                if tick >= until {
                    return false;
                }
                if let Some(whom) = self.calendar.take(event) {
                    self.counters.events += 1;
                    self.happen(tick, event, whom);
                }
            }
            _ => {
                if arrival >= until {
                    return false;
                }
                self.counters.events += 1;
                self.generate(arrival);
            }
        }
        true
    }

    fn happen(&mut self, now: u64, event: Event, whom: u32) {
        match event {
            Event::Verified => self.verified(now, whom),
            Event::Connected => self.connected(now, whom),
            Event::Released => self.released(now, whom),
            Event::Again => {
                let call = &mut self.calls[whom as usize];
                call.stage = Stage::Asking;
                call.since = now;
                let source = call.source;
                call.at = source;
                self.join(now, source, whom);
            }
            Event::Sent => {
                let call = &mut self.calls[whom as usize];
                call.stage = Stage::Releasing;
                call.since = now;
                let (first, length) = (call.first, u64::from(call.length));
                self.counters.flits_injected += length;
                self.counters.flits_consumed += length;
                self.counters.flit_hops += length * u64::from(call.hops);
                self.ask_release(now, first, whom);
            }
        }
    }

    fn generate(&mut self, now: u64) {
        if let Some(generated) = self.sources.generate(now) {
            self.count(now);
            self.present += 1;
            if let Generated::Asks(message) = generated {
                self.begin(now, &message);
            }
        }
    }

    /// A message asks its source's controller for its first link.
    fn begin(&mut self, now: u64, message: &Message) {
        let source = self.network.router_of(message.source).0;
        let call = Call {
            stage: Stage::Asking,
            source,
            destination: self.network.router_of(message.destination).0,
            length: message.length,
            serial: message.serial,
            dice: message.dice,
            born: message.born,
            since: now,
            at: source,
            ..Call::FREE
        };
        let row = if let Some(row) = self.spare.pop() {
            self.calls[row as usize] = call;
            row
        } else {
            self.calls.push(call);
            self.calls.len() as u32 - 1
        };
        self.join(now, source, row);
    }

    /// Adds up the messages present until now.
    fn count(&mut self, now: u64) {
        self.present_ticks += u128::from(self.present) * u128::from(now - self.counted);
        self.counted = now;
    }

    /// The last link is back: the message is delivered.
    fn deliver(&mut self, now: u64, row: u32) {
        self.count(now);
        let call = std::mem::replace(&mut self.calls[row as usize], Call::FREE);
        self.spare.push(row);
        if call.letter != NONE {
            self.letters.give_back(now, call.name(), Letter(call.letter));
        }
        self.present -= 1;
        self.counters.delivered += 1;
        self.counters.flits_delivered += u64::from(call.length);
        self.latency_ticks += u128::from(now - call.born);
        let name = mix(u64::from(call.source) << 32 | u64::from(call.length), call.serial);
        let hash = mix(mix(name, call.born), now);
        self.delivered_hash = self.delivered_hash.wrapping_add(hash);
        self.deliveries.push(Delivery {
            source: NodeId(call.source),
            destination: NodeId(call.destination),
            serial: call.serial,
            length: call.length,
            hops: call.hops,
            born: cycle_of(call.born),
            entered: cycle_of(call.started),
            done: cycle_of(now),
            aborts: call.tries,
            held: call.link_ticks / TICKS_PER_CYCLE,
        });
    }

    /// The running totals at this cycle.
    fn totals(&self) -> Counters {
        let rest = u128::from(self.present)
            * u128::from((self.now.0 * TICKS_PER_CYCLE).saturating_sub(self.counted));
        let cycles = |ticks: u128| (ticks / u128::from(TICKS_PER_CYCLE)) as u64;
        Counters {
            generated: self.sources.generated(),
            message_cycles: cycles(self.present_ticks + rest),
            latency_sum: cycles(self.latency_ticks),
            ..self.counters
        }
    }

    /// A name of a message that does not hang on the row in which it is kept.
    fn name(&self, row: u32) -> u64 {
        match self.calls.get(row as usize) {
            Some(call) => mix(u64::from(call.source) + 1, call.serial),
            None => 0,
        }
    }
}

/// The cycle in which a tick falls.
fn cycle_of(tick: u64) -> Cycle {
    Cycle(tick / TICKS_PER_CYCLE)
}

impl Engine for CircuitEngine {
    fn now(&self) -> Cycle {
        self.now
    }

    fn advance(&mut self, until: Cycle) {
        let end = until.0.saturating_mul(TICKS_PER_CYCLE);
        while self.deadlock.is_none() && self.step(end) {}
        if self.deadlock.is_none() {
            self.now = self.now.max(until);
        }
    }

    fn take_deliveries(&mut self, out: &mut Vec<Delivery>) {
        out.clear();
        out.append(&mut self.deliveries);
    }

    fn observe(&self, snapshot: &mut Snapshot) {
        self.draw(snapshot);
    }

    fn audit(&self) -> Result<(), Violation> {
        self.check_laws().map_err(|law| Violation { cycle: self.now, law })
    }

    fn fingerprint(&self) -> u64 {
        let counters = &self.counters;
        let queue = |queue: &state::Queue| {
            queue
                .members(&self.calls)
                .fold(u64::from(queue.length), |hash, call| mix(hash, self.name(call)))
        };
        let mut hash = mix(self.seed, self.now.0);
        for word in [
            self.delivered_hash,
            self.sources.fingerprint(),
            self.present,
            counters.delivered,
            counters.aborts,
            counters.deadlocks,
            counters.events,
            self.totals().message_cycles,
            self.calendar.fingerprint(|event, whom| match event {
                Event::Again | Event::Sent => self.name(whom),
                _ => u64::from(whom),
            }),
        ] {
            hash = mix(hash, word);
        }
        for lane in self.lanes.iter().filter(|lane| lane.owner != NONE || lane.busy > 0) {
            for word in [
                self.name(lane.owner),
                u64::from(lane.channel),
                u64::from(lane.before),
                u64::from(lane.after),
                lane.since,
                lane.busy,
                queue(&lane.waiting),
            ] {
                hash = mix(hash, word);
            }
        }
        for controller in &self.controllers {
            hash = mix(mix(hash, self.name(controller.serving)), u64::from(controller.looked));
            hash = mix(hash, queue(&controller.queue));
        }
        // A sum: the row of a message means nothing.
        let calls = self.calls.iter().filter(|call| call.stage != Stage::Free);
        let calls = calls.fold(0u64, |sum, call| {
            let words = [
                u64::from(call.source) << 32 | u64::from(call.destination),
                u64::from(call.length) << 32 | u64::from(call.at),
                call.serial,
                call.born,
                call.since,
                call.started,
                call.link_ticks,
                u64::from(call.first) << 32 | u64::from(call.last),
                u64::from(call.wants) << 32 | u64::from(call.wants_as),
                u64::from(call.held) << 32 | u64::from(call.tries),
                u64::from(call.hops),
            ];
            sum.wrapping_add(words.into_iter().fold(call.stage as u64, mix))
        });
        mix(hash, calls)
    }

    fn copy_from(&mut self, other: &Self) {
        self.network.clone_from(&other.network);
        self.relation.clone_from(&other.relation);
        self.machine = other.machine;
        self.acknowledge = other.acknowledge;
        self.seed = other.seed;
        self.now = other.now;
        self.counted = other.counted;
        self.present_ticks = other.present_ticks;
        self.sources.copy_from(&other.sources);
        self.links.of.clone_from(&other.links.of);
        self.links.count = other.links.count;
        self.lanes.clone_from(&other.lanes);
        self.controllers.clone_from(&other.controllers);
        self.calls.clone_from(&other.calls);
        self.spare.clone_from(&other.spare);
        self.letters.copy_from(&other.letters);
        self.calendar.copy_from(&other.calendar);
        self.counters = other.counters;
        self.latency_ticks = other.latency_ticks;
        self.present = other.present;
        self.deliveries.clone_from(&other.deliveries);
        self.delivered_hash = other.delivered_hash;
        self.deadlock.clone_from(&other.deadlock);
    }

    fn bytes(&self) -> usize {
        held(&self.links.of)
            + held(&self.lanes)
            + held(&self.controllers)
            + held(&self.calls)
            + held(&self.spare)
            + held(&self.deliveries)
            + held(&self.candidates)
            + self.deadlock.as_ref().map_or(0, Deadlock::bytes)
            + self.letters.bytes()
            + self.sources.bytes()
            + self.calendar.bytes()
    }

    fn set_rate(&mut self, rate: Rate) {
        self.sources.set_rate(self.now.0 * TICKS_PER_CYCLE, rate);
    }

    fn counters(&self) -> Counters {
        self.totals()
    }

    fn letters(&mut self) -> &mut Letters {
        &mut self.letters
    }

    fn deadlock(&self) -> Option<&Deadlock> {
        self.deadlock.as_ref()
    }

    fn find_deadlock(&self) -> Option<Deadlock> {
        self.standing()
    }
}
