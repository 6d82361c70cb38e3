//! The wormhole engine: its state, and the stages of a cycle.

use std::borrow::Cow;

use educe::Educe;
use get_size2::GetSize;

use super::counts::Counts;
use super::endpoints::Endpoints;
use super::pace::{Flits, Pace, Schedule};
use super::ports::Ports;
use super::records::{LISTED, NONE};
use super::rules::{By, Default, Rules};
use super::runs::FreeRuns;
use super::state::State;
use crate::engine::common::Common;
use crate::engine::simulator::Simulator;
use crate::engine::tables::Scratch;
use crate::engine::totals::Delivery;
use crate::engine::wheel::Wheel;
use crate::ids::{Letter, NodeId};
use crate::random::mix;
use crate::routing::{Relation, Threshold};
use crate::switching::{
    Allocation, Bandwidth, Forwarding, Injection, LatencyTo, OnDeadlock, Release, Selection,
    Terminals, Wormhole,
};
use crate::system::System;
use crate::traffic::sources::Generated;
use crate::units::Cycle;

/// Cycles between searches for deadlock, the same however a run is divided into calls.
const LOOK_CYCLES: u64 = 64;

/// Cycles between searches if deadlocks are broken by aborts.
const ABORT_CYCLES: u64 = 256;

#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub struct WormholeEngine {
    pub(super) common: Common,
    #[get_size(ignore)]
    pub(super) switching: Wormhole,
    pub(super) now: u64,
    pub(super) state: State,
    /// Worms that move in bulk.
    pub(super) runs: FreeRuns,
    /// True if free runs are allowed ([`Self::may_run`]).
    pub(super) free_runs: bool,
    /// True if a head simply takes its first preferred free candidate, and carries no count.
    pub(super) prefers: bool,
    /// True if routing always offers a single candidate.
    pub(super) straight: bool,
    /// The threshold of the choice between direct routes and detours, and the VCs of direct routes.
    #[get_size(ignore)]
    pub(super) detours: Option<(Threshold, u32)>,
    /// Numbers of input ports, if used for ranking requests.
    pub(super) ports: Ports,
    pub(super) counts: Counts,
    /// The room for replies at the nodes.
    pub(super) endpoints: Endpoints,
    /// The seed of a permutation of the work lists, for tests; 0 for none.
    pub(super) shuffle: u64,
    pub(super) work: Work,
}

/// Work lists of a cycle.
#[derive(Debug, std::default::Default, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Work {
    /// VCs and ejecting holds picked.
    pub picks: Scratch<u32>,
    pub ejects: Scratch<u32>,
    /// Channels to visit again after the moves of this cycle.
    pub again: Scratch<u32>,
    /// VCs that lost to another message of the same source.
    pub lost: Scratch<u32>,
    /// Channels to evaluate, and channels that wait for decisions of others.
    pub wave: Scratch<u32>,
    pub deferred: Scratch<u32>,
    pub stalled: Scratch<u32>,
    pub settling: Scratch<u32>,
    /// The holds of a worm with their flits, and with their schedules.
    pub chain: Scratch<(u32, Flits)>,
    pub schedules: Scratch<(u32, Schedule)>,
}

impl WormholeEngine {
    /// Creates an empty network at cycle 0, for a system with wormhole switching. Replications of a
    /// seed draw from disjoint streams.
    pub fn new(system: &System, seed: u64, replication: u32) -> Self {
        let by_default = system.wormhole().is_some_and(|machine| {
            machine.moves_by_default() && !Self::reads_queues(machine, &system.relation)
        });
        let tables = !by_default || system.network.has_paced_links() || system.plan().stalls();
        Self::with_tables(system, seed, replication, tables)
    }

    /// As [`Self::new`], optionally with the tables that the default machine does not need. For
    /// tests; results do not change.
    #[doc(hidden)]
    pub fn with_tables(system: &System, seed: u64, replication: u32, tables: bool) -> Self {
        let mut common = Common::new(system, seed, replication);
        let switching = *system.wormhole().expect("the system uses wormhole switching");
        if let Injection::Independent { waiting_max } = switching.injection {
            common.sources = common.sources.that_discard_beyond(waiting_max);
        }
        if switching.injection == Injection::OneMessage {
            common.sources = common.sources.that_share_queues();
        }
        let endpoints = Endpoints::new(&system.traffic.classes, common.network.nodes());
        let detours = common.relation.selects_by_queues();
        let free_runs = Self::may_run(&switching, &common)
            && !common.network.has_paced_links()
            && !endpoints.are_limited();
        let prefers = !tables && switching.selection == Selection::Preference;
        let asked_first = switching.allocation == Allocation::FirstAskedFirstServed;
        let ports = asked_first.then(|| Ports::new(&common.network));
        Self {
            now: 0,
            state: State::new(&common.network, switching, tables),
            runs: FreeRuns::default(),
            free_runs,
            prefers: prefers && !common.relation.counts(),
            straight: common.relation.goes_straight(),
            detours,
            ports: ports.unwrap_or_default(),
            counts: Counts::default(),
            endpoints,
            shuffle: 0,
            work: Work::default(),
            switching,
            common,
        }
    }

    /// True if heads choose by the queues of channels.
    fn reads_queues(machine: &Wormhole, relation: &Relation) -> bool {
        machine.selection == Selection::LeastLoaded || relation.selects_by_queues().is_some()
    }

    /// True if the worms of a machine may run freely: credits return in time, and a VC sends at the
    /// same rate everywhere.
    fn may_run(machine: &Wormhole, common: &Common) -> bool {
        let Pace { each, delay, credit, private, .. } = Pace::of(machine);
        machine.forwarding == Forwarding::Wormhole
            && machine.buffer_flits * each >= delay + credit
            && (!private || machine.terminals == Terminals::Direct)
            // The queues of free runs are known only by formula, and departures after the fact.
            && !Self::reads_queues(machine, &common.relation)
            && !common.sources.await_departures()
            && !common.stalls()
    }

    pub(super) fn run_until(&mut self, until: u64) {
        if self.state.buffers.is_empty() {
            self.run::<Default>(until);
        } else if self.switching.is_far() || !self.state.paces.is_empty() {
            self.advance_by::<true>(until);
        } else {
            self.advance_by::<false>(until);
        }
    }

    fn advance_by<const FAR: bool>(&mut self, until: u64) {
        let Wormhole { credit_delay, bandwidth, release, .. } = self.switching;
        let fixed = bandwidth == Bandwidth::Fixed;
        match (credit_delay == 0, fixed, release == Release::Sent) {
            (false, false, false) => self.run::<By<false, false, false, FAR>>(until),
            (false, false, true) => self.run::<By<false, false, true, FAR>>(until),
            (false, true, false) => self.run::<By<false, true, false, FAR>>(until),
            (false, true, true) => self.run::<By<false, true, true, FAR>>(until),
            (true, false, false) => self.run::<By<true, false, false, FAR>>(until),
            (true, false, true) => self.run::<By<true, false, true, FAR>>(until),
            (true, true, false) => self.run::<By<true, true, false, FAR>>(until),
            (true, true, true) => self.run::<By<true, true, true, FAR>>(until),
        }
    }

    fn run<M: Rules>(&mut self, until: u64) {
        while self.now < until && self.common.deadlock.is_none() && !self.common.is_complete() {
            self.skip_idle(until);
            if self.now < until {
                self.step::<M>();
            }
        }
    }

    /// Simulates a cycle.
    fn step<M: Rules>(&mut self) {
        if self.shuffle != 0 {
            self.permute_work();
        }
        self.land_arrivals::<M>();
        self.dissolve_clashing();
        self.start_delayed();
        self.revive::<M>();
        if self.common.sources.next_arrival() <= self.now {
            self.generate();
        }
        self.common.counters.message_cycles += self.common.present;
        if !self.state.requested.is_empty() {
            self.allocate::<M>();
        }
        // Tails precede the picks: the channels they release may prevent a clash.
        self.run_tails::<M>();
        self.pick_ejections::<M>();
        let picked = self.pick::<M>();
        self.commit::<M>(picked);
        self.run_heads::<M>();
        if !self.state.came.is_empty() {
            self.give_letters();
        }
        self.now += 1;
        if M::FAR || M::FIXED {
            self.state.arrivals_done = 0;
        }
        if self.now.is_multiple_of(LOOK_CYCLES) && self.may_lock() {
            self.look_for_deadlock();
        }
    }

    /// Permutes every work list: tests verify that the order does not matter.
    #[cold]
    fn permute_work(&mut self) {
        let mut hash = mix(self.shuffle, self.now);
        let State { active, requested, ejecting, .. } = &mut self.state;
        for list in [active, requested, ejecting] {
            for at in (1..list.len()).rev() {
                hash = mix(hash, at as u64);
                list.swap(at, (hash % (at as u64 + 1)) as usize);
            }
        }
    }

    /// Searches for a deadlock, and applies the remedy of the machine.
    #[cold]
    fn look_for_deadlock(&mut self) {
        match self.switching.on_deadlock {
            OnDeadlock::Stop => self.common.deadlock = self.find_deadlock(),
            OnDeadlock::Abort if self.now.is_multiple_of(ABORT_CYCLES) => self.break_deadlocks(),
            OnDeadlock::Abort | OnDeadlock::Continue => {}
        }
    }

    /// True if a deadlock is possible: a head is blocked or, under `Sent` release, any message is
    /// present.
    fn may_lock(&self) -> bool {
        self.state.blocked > 0
            || (self.switching.release == Release::Sent && self.common.present > 0)
    }

    /// Enqueues all due messages; each requests its first VC in this cycle.
    fn generate(&mut self) {
        while let Some(generated) = self.common.sources.generate(self.now) {
            match generated {
                Generated::Asks(message) => {
                    self.common.present += 1;
                    self.enter_queue(&message);
                }
                Generated::Waits => self.common.present += 1,
                Generated::Discarded => {}
            }
        }
    }

    /// Skips idle cycles: no arrival, no request, no single flit, no tail of a free run, and no
    /// search for deadlock with a possible result.
    #[inline]
    fn skip_idle(&mut self, until: u64) {
        let State { active, requested, ejecting, .. } = &self.state;
        let busy = !active.is_empty() || !requested.is_empty() || !ejecting.is_empty();
        let FreeRuns { clashes, revived, starting, .. } = &self.runs;
        if !busy && clashes.is_empty() && revived.is_empty() && starting.is_empty() {
            self.skip_to_next(until);
        }
    }

    #[inline(never)]
    fn skip_to_next(&mut self, until: u64) {
        let mut to = self.common.sources.next_arrival().min(until);
        let State { crossings, landings, credits, .. } = &self.state;
        let FreeRuns { timers, coming, tails, .. } = &self.runs;
        let wheels = [timers, coming, tails, crossings, landings, credits];
        to = Wheel::first_of(&wheels, self.now).map_or(to, |next| to.min(next));
        if !self.state.paces.is_empty() {
            let late = wheels.iter().filter_map(|wheel| wheel.first_late());
            to = late.fold(to, u64::min);
        }
        if self.may_lock() {
            to = to.min((self.now / LOOK_CYCLES + 1) * LOOK_CYCLES - 1);
        }
        if to > self.now {
            self.common.counters.message_cycles += self.common.present * (to - self.now);
            self.now = to;
        }
    }

    /// Delivers a worm after the consumption of its tail; the worm is gone by cycle `come`.
    #[inline]
    pub(super) fn deliver(&mut self, worm: u32, come: u64) {
        let takes = u64::from(self.switching.latency_to == LatencyTo::EndOfCycle);
        self.common.counters.message_cycles += takes;
        if self.common.letters.are_wanted() {
            self.take_letter(worm);
        }
        let row = &mut self.state.worms[worm as usize];
        row.live = false;
        let delivery = Delivery {
            source: NodeId(row.source),
            destination: NodeId(row.destination),
            serial: row.serial,
            length: row.length,
            hops: row.hops,
            born: Cycle(row.born),
            began: Cycle(row.born),
            message_class: row.header.message_class,
            entered: Cycle(row.entered),
            done: Cycle(come + takes),
            aborts: 0,
            held: 0,
            longest_wait: row.longest_wait,
            longest_wait_for: row.longest_wait_for,
            head_waits: None,
            own_pace: match *self.state.paces {
                [] => 0,
                [_, ..] => row.own_pace.cycles(&self.switching, row.length, row.hops),
            },
        };
        self.state.spare_worms.push(worm);
        self.common.counters.latency_sum += delivery.latency();
        self.common.deliver(delivery, delivery.born.0, come + takes - 1);
    }

    /// Assigns labels to the worms that entered in this cycle, sorted by name.
    #[inline(never)]
    fn give_letters(&mut self) {
        let mut came = std::mem::take(&mut self.state.came);
        came.sort_unstable_by_key(|&worm| self.state.worm(worm).name());
        for worm in came.drain(..) {
            let row = &mut self.state.worms[worm as usize];
            row.letter = self.common.letters.give(self.now, row.name()).0;
        }
        self.state.came = came;
    }

    /// Returns the label of a delivered worm.
    #[inline(never)]
    pub(super) fn take_letter(&mut self, worm: u32) {
        let row = self.state.worm(worm);
        match row.letter {
            // Entered and delivered within the cycle.
            NONE => self.state.came.retain(|&other| other != worm),
            letter => self.common.letters.give_back(self.now, row.name(), Letter(letter)),
        }
    }

    /// Dissolves all free runs: every flit is then stored explicitly.
    pub(super) fn dissolve_all(&mut self) {
        self.list_heads();
        for worm in 0..self.state.worms.len() {
            if self.state.worms[worm].live {
                self.dissolve(worm as u32);
            }
        }
        (0..self.state.buffers.len()).for_each(|slot| self.schedule_credits(slot as u32));
    }

    /// The same state with every flit stored explicitly.
    pub(super) fn without_free_runs(&self) -> Cow<'_, Self> {
        let State { requested, heads, buffers, .. } = &self.state;
        let listed = |&router: &u32| heads[router as usize].requests == LISTED;
        if self.state.live().all(|(_, worm)| !worm.runs())
            && requested.iter().all(listed)
            && buffers.iter().all(|buffer| buffer.credits == 0)
        {
            return Cow::Borrowed(self);
        }
        let mut copy = self.clone();
        copy.dissolve_all();
        Cow::Owned(copy)
    }

    /// Disables or enables free runs, for tests; results do not change.
    #[doc(hidden)]
    pub fn set_free_runs(&mut self, allowed: bool) {
        let may_run = Self::may_run(&self.switching, &self.common);
        let paced = !self.state.paces.is_empty();
        self.free_runs = allowed && may_run && !paced && !self.endpoints.are_limited();
        if !allowed {
            self.dissolve_all();
        }
    }

    /// Permutes the order of visits, without effect on results; 0 disables. For tests.
    #[doc(hidden)]
    pub fn set_shuffle(&mut self, shuffle: u64) {
        self.shuffle = shuffle;
    }
}
