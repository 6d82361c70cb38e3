//! The router engine: its state, and the stages of a cycle.

use educe::Educe;
use get_size2::GetSize;

use super::rules::{Other, Rules, Simple};
use super::state::State;
use crate::engine::common::Common;
use crate::engine::simulator::Simulator;
use crate::engine::totals::VcUse;
use crate::engine::wheel::Wheel;
use crate::routing::Threshold;
use crate::switching::{Allocation, Injection, OnDeadlock, Stages, Wormhole};
use crate::system::System;

/// Cycles between searches for deadlock, the maximal delay of detection. Fixed, so that detection
/// does not depend on the division of a run into calls.
const LOOK_CYCLES: u64 = 64;

#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub struct RouterEngine {
    pub(super) common: Common,
    #[get_size(ignore)]
    pub(super) machine: Wormhole,
    #[get_size(ignore)]
    pub(super) stages: Stages,
    /// The threshold of the choice between direct routes and detours, and the VCs of direct routes.
    #[get_size(ignore)]
    pub(super) detours: Option<(Threshold, u32)>,
    /// The message classes that leave a node before the others, as bits.
    #[get_size(ignore)]
    pub(super) precedes: u32,
    pub(super) now: u64,
    /// The internal cycle of the routers, of which every cycle has the same number.
    pub(super) internal: u64,
    pub(super) state: State,
    /// True if routers are simple ([`Rules::SIMPLE`]).
    pub(super) is_simple: bool,
    /// True if departures must be reported to the sources.
    pub(super) reports: bool,
    /// The uses of every buffer's VC; empty unless counted.
    pub(super) uses: Vec<VcUse>,
}

impl RouterEngine {
    /// Creates an empty network at cycle 0, for a system with pipelined routers. Replications of a seed draw from disjoint streams.
    pub fn new(system: &System, seed: u64, replication: u32) -> Self {
        let mut common = Common::new(system, seed, replication);
        let machine = *system.wormhole().expect("the system uses wormhole switching");
        let stages = machine.pipeline.stages().expect("the machine has a pipeline");
        let classes = &system.traffic.classes;
        let precedes = match machine.injection {
            Injection::RepliesFirst => {
                let replies = (0..classes.count() as u8).filter(|&class| classes.is_reply(class));
                replies.fold(0, |all, class| all | 1 << class)
            }
            Injection::OneMessage | Injection::OneFlitPerCycle | Injection::Independent { .. } => 0,
        };
        if precedes == 0 {
            common.sources = common.sources.that_share_queues();
        }
        Self {
            now: 0,
            internal: 0,
            state: State::new(&common.network, &machine, stages, system.traffic.longest()),
            reports: common.sources.await_departures(),
            uses: Vec::new(),
            precedes,
            detours: common.relation.selects_by_queues(),
            is_simple: stages.is_simple()
                && machine.allocation == Allocation::RoundRobin
                && !system.plan().stalls()
                && common.network.channels().iter().all(|it| it.attributes.cycles_per_flit == 1),
            stages,
            machine,
            common,
        }
    }

    pub(super) fn run_until(&mut self, until: u64) {
        while self.now < until && self.common.deadlock.is_none() && !self.common.is_complete() {
            self.skip_idle(until);
            if self.now < until {
                self.step();
            }
        }
    }

    /// Simulates a cycle.
    fn step(&mut self) {
        if self.is_simple {
            self.step_by::<Simple>();
        } else {
            self.step_by::<Other>();
        }
    }

    fn step_by<M: Rules>(&mut self) {
        self.arrive::<M>();
        if self.common.sources.next_arrival() <= self.now {
            self.generate();
        }
        self.common.counters.message_cycles += self.common.present;
        if !self.state.sending.is_empty() {
            self.inject();
        }
        for _ in 0..if M::SIMPLE { 1 } else { self.stages.internal_speedup } {
            if !self.state.waiting.is_empty() {
                self.allocate_vcs::<M>();
            }
            let guesses = !M::SIMPLE && !self.state.work.heads.is_empty();
            if guesses || !self.state.bidding.is_empty() {
                self.cross::<M>();
            }
            self.internal += 1;
        }
        if !self.state.came.is_empty() {
            self.give_letters();
        }
        self.now += 1;
        let looks = self.now.is_multiple_of(LOOK_CYCLES) && self.common.present > 0;
        if looks && self.machine.on_deadlock == OnDeadlock::Stop {
            self.common.deadlock = self.find_deadlock();
        }
    }

    /// Skips idle cycles: no arrival, no message at a source, no head, no bid, and no landing.
    fn skip_idle(&mut self, until: u64) {
        let State { sending, waiting, bidding, landings, credits, .. } = &self.state;
        if !(sending.is_empty() && waiting.is_empty() && bidding.is_empty()) {
            return;
        }
        let mut to = self.common.sources.next_arrival().min(until);
        to = Wheel::first_of(&[landings, credits], self.now).map_or(to, |next| to.min(next));
        to = [landings, credits].iter().filter_map(|it| it.first_late()).fold(to, u64::min);
        if self.common.present > 0 {
            to = to.min((self.now / LOOK_CYCLES + 1) * LOOK_CYCLES - 1);
        }
        if to > self.now {
            self.common.counters.message_cycles += self.common.present * (to - self.now);
            self.now = to;
            self.internal = to * self.state.steps;
        }
    }
}

#[cfg(test)]
mod tests;
