//! The cycle-driven flit engine: a torus, mesh or hypercube under wormhole switching.
//!
//! A cycle has three stages, each over a list of what is concerned and nothing else:
//! 1. *generate*: sources whose next arrival has come hand out messages;
//! 2. *allocate* (`allocate.rs`): routers at which a head has arrived or a VC was freed serve their
//!    waiting heads, oldest message first;
//! 3. *traverse* (`traverse.rs`): every channel with a movable flit picks one VC, round robin,
//!    looking only at the state in which the cycle began; then all picked flits move.
//!
//! Evaluating before moving is why the order in which lists are visited changes nothing. A blocked
//! worm costs nothing until a VC is freed at its router, and an idle network is skipped over to
//! its next arrival. A worm that shares nothing with another is not moved flit by flit at all
//! (`run.rs`).

mod allocate;
mod audit;
mod general;
mod messages;
mod observe;
mod ports;
mod run;
mod state;
mod traverse;
mod waits;

use std::sync::Arc;

use self::general::General;
use self::ports::Ports;
use self::run::Runs;
use self::state::State;
use super::letters::Letters;
use super::{Counters, Deadlock, Delivery, Engine, Snapshot, Violation, held};
use crate::ids::WormId;
use crate::random::{key, mix};
use crate::routing::{Candidate, Header, Relation};
use crate::switching::{
    Allocation, Injection, LatencyTo, OnDeadlock, Release, Selection, Wormhole,
};
use crate::system::System;
use crate::topology::Network;
use crate::traffic::sources::{Generated, Message, Sources};
use crate::units::{Cycle, Rate};

/// Cycles between looks for a deadlock: the most that one stands unseen. Fixed, so that finding one
/// does not depend on how a run is cut into calls.
const LOOK_CYCLES: u64 = 64;

/// Cycles between looks where victims break deadlocks.
const ABORT_CYCLES: u64 = 256;

/// The wormhole engine.
#[derive(Clone, Debug)]
pub struct WormholeEngine {
    network: Arc<Network>,
    relation: Relation,
    seed: u64,
    now: u64,
    sources: Sources,
    state: State,
    counters: Counters,
    /// Messages generated and not delivered.
    present: u64,
    deliveries: Vec<Delivery>,
    /// Sum of the hashes of all deliveries: the order within a cycle does not matter to it.
    delivered_hash: u64,
    deadlock: Option<Deadlock>,
    /// Scratch for [`Relation::candidates`].
    candidates: Vec<Candidate>,
    /// Scratch: the VCs picked in this cycle.
    picks: Vec<u32>,
    /// Worms that move as a whole.
    runs: Runs,
    /// Whether worms may; they need a slot that is empty at the beginning of every cycle.
    free_runs: bool,
    /// Scratch: the holds of a worm with their flits.
    chain: Vec<(u32, (u32, u32))>,
    switching: Wormhole,
    /// Whether the default step runs: the machine moves flits by the default rules.
    plain: bool,
    /// Whether a head at a router takes the first free VC of the routing's candidates.
    prefers: bool,
    general: General,
    /// Numbers of input ports, where they decide among requests.
    ports: Ports,
    /// Cycles from a tail's arrival to the end of its message's latency.
    delivery_takes: u64,
    /// Not 0: permutes the work lists, for tests.
    shuffle: u64,
}

impl WormholeEngine {
    /// An empty network at cycle 0, of a system with wormhole switching. Replications of one seed draw
    /// from disjoint streams.
    pub fn new(system: &System, seed: u64, replication: u32) -> Self {
        let plain = system.wormhole().is_some_and(Wormhole::moves_by_default);
        Self::build(system, seed, replication, plain)
    }

    /// As [`Self::new`]; even the default machine is moved by the rules for any machine. Changes the
    /// cost and nothing else.
    pub fn general(system: &System, seed: u64, replication: u32) -> Self {
        Self::build(system, seed, replication, false)
    }

    fn build(system: &System, seed: u64, replication: u32, plain: bool) -> Self {
        let network = Arc::clone(&system.network);
        let switching = *system.wormhole().expect("who builds this engine has worms to move");
        let state = State::new(&network, switching, !plain);
        let mut sources = Sources::new(&system.traffic, &network, seed, replication);
        if let Injection::Independent { waiting_max } = switching.injection {
            sources = sources.that_discard_beyond(waiting_max);
        }
        let sizes = if plain { (0, 0) } else { (state.channels.len(), network.nodes()) };
        Self {
            relation: system.relation.clone(),
            sources,
            general: General::new(switching, network.links(), sizes.0, sizes.1),
            ports: if switching.allocation == Allocation::FirstAskedFirstServed {
                Ports::new(&network)
            } else {
                Ports::default()
            },
            delivery_takes: u64::from(switching.latency_to == LatencyTo::EndOfCycle),
            switching,
            plain,
            prefers: plain && switching.selection == Selection::Preference,
            shuffle: 0,
            network,
            seed: key(seed, replication),
            now: 0,
            state,
            counters: Counters::default(),
            present: 0,
            deliveries: Vec::new(),
            delivered_hash: 0,
            deadlock: None,
            candidates: Vec::with_capacity(64),
            picks: Vec::new(),
            runs: Runs::new(),
            free_runs: plain && switching.buffer_flits > 1,
            chain: Vec::new(),
        }
    }

    /// One cycle.
    fn step(&mut self) {
        self.part_clashes();
        self.generate();
        self.counters.message_cycles += self.present;
        if !self.state.asked.is_empty() {
            self.allocate();
        }
        self.traverse();
        self.end_cycle();
    }

    /// What comes after the moves of every cycle.
    #[inline]
    fn end_cycle(&mut self) {
        if !self.state.came.is_empty() {
            self.state.give_letters(self.now);
        }
        self.now += 1;
        self.look_for_deadlock();
    }

    /// Now and then, looks for a deadlock, and does about it what the machine says.
    #[inline]
    fn look_for_deadlock(&mut self) {
        if self.now.is_multiple_of(LOOK_CYCLES) && self.may_lock() {
            match self.switching.on_deadlock {
                OnDeadlock::Stop => self.deadlock = self.find_deadlock(),
                OnDeadlock::Abort if self.now.is_multiple_of(ABORT_CYCLES) => {
                    self.break_deadlocks();
                }
                OnDeadlock::Abort | OnDeadlock::Continue => {}
            }
        }
    }

    /// Whether somebody waits in the network.
    fn may_lock(&self) -> bool {
        self.state.blocked > 0 || (self.switching.release == Release::Sent && self.present > 0)
    }

    /// Takes the messages whose time has come; each asks for its first VC in this cycle.
    fn generate(&mut self) {
        while self.sources.next_arrival() <= self.now {
            self.present += 1;
            match self.sources.generate(self.now) {
                Some(Generated::Asks(message)) => self.enter_queue(&message),
                Some(Generated::Waits) => {}
                Some(Generated::Discarded) | None => self.present -= 1,
            }
        }
    }

    /// A message joins those that ask at its source's router.
    fn enter_queue(&mut self, message: &Message) {
        let header = self.relation.header(message.source, message.destination, message.dice);
        let worm = self.state.new_worm(message, header);
        self.arrives(worm, message.born);
        self.requests(worm, message.born);
        self.ask(worm);
    }

    /// Skips cycles in which nothing can happen: no arrival, no request, no movable flit, no look
    /// for a deadlock that could find one.
    fn skip_idle(&mut self, until: u64) {
        let busy = !self.state.active.is_empty() || !self.state.asked.is_empty();
        if busy || !self.general.ejecting.is_empty() || self.runs.channels > 0 {
            return;
        }
        let mut to = self.sources.next_arrival().min(until);
        if let Some(completion) = self.general.next_completion(self.now) {
            to = to.min(completion);
        }
        if self.may_lock() {
            to = to.min((self.now / LOOK_CYCLES + 1) * LOOK_CYCLES - 1);
        }
        if to > self.now {
            self.counters.message_cycles += self.present * (to - self.now);
            self.now = to;
        }
    }

    /// The same state with every flit written down: no worm runs free in it.
    fn in_flits(&self) -> Self {
        let mut copy = self.clone();
        for worm in 0..copy.state.worms.len() {
            if copy.state.worms[worm].live {
                copy.dissolve(worm as u32);
            }
        }
        copy
    }

    /// Has every worm moved flit by flit from now on, or lets worms move as a whole again. Changes
    /// the cost and nothing else.
    pub fn set_free_runs(&mut self, allowed: bool) {
        self.free_runs = allowed && self.plain && self.state.buffer_flits > 1;
        if !allowed {
            *self = self.in_flits();
        }
    }

    /// The running totals, those of the sources included.
    fn totals(&self) -> Counters {
        Counters {
            generated: self.sources.generated(),
            discarded: self.sources.discarded(),
            ..self.counters
        }
    }

    /// For tests: visits everything in another order, which changes nothing. 0 stops it.
    #[doc(hidden)]
    pub fn set_shuffle(&mut self, shuffle: u64) {
        self.shuffle = shuffle;
    }

    /// The header of a worm.
    fn header(&self, worm: u32) -> Header {
        self.state.worms[worm as usize].header
    }
}

impl Engine for WormholeEngine {
    fn now(&self) -> Cycle {
        Cycle(self.now)
    }

    fn advance(&mut self, until: Cycle) {
        if !self.plain {
            return self.advance_generally(until.0);
        }
        while self.now < until.0 && self.deadlock.is_none() {
            self.skip_idle(until.0);
            if self.now < until.0 {
                self.step();
            }
        }
    }

    fn take_deliveries(&mut self, out: &mut Vec<Delivery>) {
        out.clear();
        out.append(&mut self.deliveries);
        out.sort_unstable_by_key(|d| (d.done, d.source, d.serial));
    }

    fn observe(&self, snapshot: &mut Snapshot) {
        self.draw(snapshot);
    }

    fn audit(&self) -> Result<(), Violation> {
        let violation = |law| Violation { cycle: Cycle(self.now), law };
        self.check_runs().map_err(violation)?;
        self.in_flits().check_laws().map_err(violation)
    }

    fn fingerprint(&self) -> u64 {
        let counters = &self.counters;
        let mut hash = mix(self.seed, self.now);
        for word in [
            self.delivered_hash,
            self.sources.fingerprint(),
            self.present,
            counters.delivered,
            counters.flit_hops,
            counters.message_cycles,
        ] {
            hash = mix(hash, word);
        }
        let hash = self.general_fingerprint(hash);
        self.in_flits().state.fingerprint(hash, self.network.links())
    }

    fn copy_from(&mut self, other: &Self) {
        self.network.clone_from(&other.network);
        self.relation.clone_from(&other.relation);
        self.seed = other.seed;
        self.now = other.now;
        self.sources.copy_from(&other.sources);
        self.state.copy_from(&other.state);
        self.counters = other.counters;
        self.present = other.present;
        self.deliveries.clone_from(&other.deliveries);
        self.delivered_hash = other.delivered_hash;
        self.deadlock.clone_from(&other.deadlock);
        self.runs.copy_from(&other.runs);
        self.free_runs = other.free_runs;
        self.switching = other.switching;
        self.plain = other.plain;
        self.prefers = other.prefers;
        self.general.copy_from(&other.general);
        self.ports.clone_from(&other.ports);
        self.delivery_takes = other.delivery_takes;
        self.shuffle = other.shuffle;
    }

    fn bytes(&self) -> usize {
        let scratch = held(&self.candidates) + held(&self.picks) + held(&self.chain);
        let parts = [
            self.sources.bytes(),
            self.state.bytes(),
            self.runs.bytes(),
            self.general.bytes(),
            self.ports.bytes(),
            held(&self.deliveries),
            self.deadlock.as_ref().map_or(0, Deadlock::bytes),
        ];
        scratch + parts.iter().sum::<usize>()
    }

    fn set_rate(&mut self, rate: Rate) {
        self.sources.set_rate(self.now, rate);
    }

    fn counters(&self) -> Counters {
        self.totals()
    }

    fn letters(&mut self) -> &mut Letters {
        &mut self.state.letters
    }

    fn deadlock(&self) -> Option<&Deadlock> {
        self.deadlock.as_ref()
    }

    fn find_deadlock(&self) -> Option<Deadlock> {
        let since = |worm: WormId| self.waits_since(worm.0);
        Deadlock::new(self, &self.stuck_waits(), since, |cycle| Cycle(cycle + 1))
    }
}
