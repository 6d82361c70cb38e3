//! The general step: any machine, flit by flit. The default machine has its own, faster one, and
//! under this one the same future.
//!
//! A cycle is: flits and credits that were under way come in ([`wheel`]: channels have a delay, and
//! under [`Bandwidth::Fixed`] a crossing takes several cycles), sources generate, heads are served, then what moves is *evaluated* and after
//! that *committed*. Four rules decide inside the loop and are parameters of the code
//! ([`Machine`]), chosen once per call; the others matter to heads only.
//!
//! With [`Release::Sent`] several worms may stand in one buffer, each with its own hold. The row of
//! a VC then belongs to the youngest of them, that which is being fed; the older ones are moved to
//! rows behind the slots when it comes ([`berths`]). Flits land in the order in which they were sent, so
//! those under way over one VC belong to its holds one after the other, the oldest first.

mod abort;
mod audit;
mod berths;
mod chains;
mod flights;
mod grants;
mod moves;
mod turns;
mod wheel;

use std::marker::PhantomData;

pub(super) use self::berths::{Berth, Buffer};
use self::chains::Turn;
pub(super) use self::grants::Choice;
use self::wheel::Wheel;
use super::state::{Claim, NONE, State};
use super::{WormholeEngine, held};
use crate::random::mix;
use crate::switching::{Bandwidth, LatencyTo, Release, Wormhole};

/// The rules that matter for every flit.
pub(super) trait Machine {
    /// A slot emptied in a cycle can be refilled in it.
    const INSTANT: bool;
    /// Every VC is a private, slow channel.
    const FIXED: bool;
    /// A VC is free when the tail has been sent into it.
    const SENT: bool;
    /// Flits or credits are under way from one cycle to another.
    const FAR: bool;
}

/// A machine by its rules.
struct Rules<const INSTANT: bool, const FIXED: bool, const SENT: bool, const FAR: bool>(
    PhantomData<()>,
);

impl<const INSTANT: bool, const FIXED: bool, const SENT: bool, const FAR: bool> Machine
    for Rules<INSTANT, FIXED, SENT, FAR>
{
    const INSTANT: bool = INSTANT;
    const FIXED: bool = FIXED;
    const SENT: bool = SENT;
    const FAR: bool = FAR;
}

/// What only the general step needs to know.
#[derive(Clone, Debug)]
pub(super) struct General {
    /// Channels between routers: those before this one.
    pub links: usize,
    /// VCs of each channel over which a flit is being sent, where that takes several cycles.
    pub busy: Vec<u32>,
    /// VCs over which a flit will have been sent, where that takes several cycles.
    pub crossings: Wheel,
    /// VCs, and holds of ejecting worms, into which a flit lands.
    pub landings: Wheel,
    /// VCs to whose senders a credit comes back.
    pub credits: Wheel,
    /// The delays of the machine, in cycles.
    pub channel_delay: u64,
    pub credit_delay: u64,
    /// Ejecting holds behind which a flit stands (lazily: all that have one are in it).
    pub ejecting: Vec<u32>,
    /// For each node, the VC slot at which its round of ejections goes on.
    pub ejected: Vec<u32>,
    /// Scratch: VCs and ejecting holds picked in this cycle.
    picks: Vec<u32>,
    ejects: Vec<u32>,
    /// Scratch: channels that must be looked at again, after this cycle's moves.
    again: Vec<u32>,
    /// Scratch: VCs whose source sends another message's flit instead.
    lost: Vec<u32>,
    /// Per node, the ejection picked in this cycle.
    eject_claims: Vec<Claim>,
    /// Per channel, what it decided in this cycle.
    turns: Vec<Turn>,
    /// Scratch of the evaluation: channels to look at, and those that wait for others' decisions.
    wave: Vec<u32>,
    deferred: Vec<u32>,
    stalled: Vec<u32>,
    chain: Vec<u32>,
}

impl General {
    pub fn new(machine: Wormhole, links: usize, channels: usize, nodes: usize) -> Self {
        Self {
            links,
            busy: vec![0; channels],
            crossings: Wheel::new(),
            landings: Wheel::new(),
            credits: Wheel::new(),
            channel_delay: u64::from(machine.channel_delay),
            credit_delay: u64::from(machine.credit_delay),
            ejecting: Vec::new(),
            ejected: vec![0; nodes],
            picks: Vec::new(),
            ejects: Vec::new(),
            again: Vec::new(),
            lost: Vec::new(),
            eject_claims: vec![Claim { cycle: u64::MAX, pick: 0 }; nodes],
            turns: vec![Turn::default(); channels],
            wave: Vec::new(),
            deferred: Vec::new(),
            stalled: Vec::new(),
            chain: Vec::new(),
        }
    }

    /// The first cycle from `now` on in which something that is under way comes in.
    pub fn next_completion(&self, now: u64) -> Option<u64> {
        let wheels = [&self.crossings, &self.landings, &self.credits];
        wheels.into_iter().filter_map(|wheel| wheel.next(now)).min()
    }

    /// Makes `self` equal to `other`, reusing storage.
    pub fn copy_from(&mut self, other: &Self) {
        self.links = other.links;
        self.busy.clone_from(&other.busy);
        self.crossings.copy_from(&other.crossings);
        self.landings.copy_from(&other.landings);
        self.credits.copy_from(&other.credits);
        self.channel_delay = other.channel_delay;
        self.credit_delay = other.credit_delay;
        self.ejecting.clone_from(&other.ejecting);
        self.ejected.clone_from(&other.ejected);
        self.turns.clone_from(&other.turns);
        self.eject_claims.clone_from(&other.eject_claims);
    }

    /// Bytes of all lists.
    pub fn bytes(&self) -> usize {
        let wheels = self.crossings.bytes() + self.landings.bytes() + self.credits.bytes();
        let state = [&self.busy, &self.ejecting, &self.ejected];
        let scratch = [&self.picks, &self.ejects, &self.again, &self.lost];
        let wave = [&self.wave, &self.deferred, &self.stalled, &self.chain];
        let lists = state.into_iter().chain(scratch).chain(wave).map(held).sum::<usize>();
        wheels + lists + held(&self.eject_claims) + held(&self.turns)
    }
}

/// Where a hold is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// In the buffer of this VC slot.
    Vc(u32),
    /// At the worm's source.
    Source,
    /// Where the worm is ejected flit by flit, without a VC.
    Ejection,
}

impl State {
    /// Where a hold is.
    pub fn place(&self, row: u32) -> Place {
        if row < self.slots {
            return Place::Vc(row);
        }
        match self.berths.get(row as usize).map(|berth| berth.vc) {
            None | Some(NONE) => Place::Source,
            Some(Berth::EJECTION) => Place::Ejection,
            Some(vc) => Place::Vc(vc),
        }
    }
}

impl WormholeEngine {
    /// Simulates until `until` or a deadlock, by the general rules.
    pub(super) fn advance_generally(&mut self, until: u64) {
        let Wormhole { channel_delay, credit_delay, latency_to, .. } = self.switching;
        if channel_delay > 1 || credit_delay > 1 || latency_to == LatencyTo::EndOfCycle {
            self.advance_by::<true>(until);
        } else {
            self.advance_by::<false>(until);
        }
    }

    fn advance_by<const FAR: bool>(&mut self, until: u64) {
        let Wormhole { credit_delay, bandwidth, release, .. } = self.switching;
        let fixed = bandwidth == Bandwidth::Fixed;
        match (credit_delay == 0, fixed, release == Release::Sent) {
            (false, false, false) => self.run::<Rules<false, false, false, FAR>>(until),
            (false, false, true) => self.run::<Rules<false, false, true, FAR>>(until),
            (false, true, false) => self.run::<Rules<false, true, false, FAR>>(until),
            (false, true, true) => self.run::<Rules<false, true, true, FAR>>(until),
            (true, false, false) => self.run::<Rules<true, false, false, FAR>>(until),
            (true, false, true) => self.run::<Rules<true, false, true, FAR>>(until),
            (true, true, false) => self.run::<Rules<true, true, false, FAR>>(until),
            (true, true, true) => self.run::<Rules<true, true, true, FAR>>(until),
        }
    }

    fn run<M: Machine>(&mut self, until: u64) {
        while self.now < until && self.deadlock.is_none() {
            self.skip_idle(until);
            if self.now < until {
                self.general_step::<M>();
            }
        }
    }

    fn general_step<M: Machine>(&mut self) {
        if self.shuffle != 0 {
            self.permute_work();
        }
        self.come_in::<M>();
        self.generate();
        self.counters.message_cycles += self.present;
        if !self.state.asked.is_empty() {
            self.allocate();
        }
        self.general.picks.clear();
        self.general.ejects.clear();
        self.pick_ejections::<M>();
        if M::FIXED {
            self.pick_all::<M>();
        } else if M::INSTANT {
            self.pick_with_chains::<M>();
        } else {
            self.pick_by_turns();
        }
        self.commit::<M>();
        self.end_cycle();
    }

    /// Permutes every work list: for tests, which show that this changes nothing.
    fn permute_work(&mut self) {
        let mut hash = mix(self.shuffle, self.now);
        let lists = [&mut self.state.active, &mut self.state.asked, &mut self.general.ejecting];
        for list in lists {
            for at in (1..list.len()).rev() {
                hash = mix(hash, at as u64);
                list.swap(at, (hash % (at as u64 + 1)) as usize);
            }
        }
    }

    /// Hashes whose flits are under way to a hold.
    fn fly_fingerprint(&self, hash: u64, row: u32) -> u64 {
        let (flying, worm) = (self.state.holds[row as usize].flying, self.worm_of(row));
        mix(mix(hash, u64::from(worm.source) << 32 | u64::from(flying)), worm.serial)
    }

    /// Hashes what the general step adds to the state. Nothing, for the default machine.
    pub(super) fn general_fingerprint(&self, mut hash: u64) -> u64 {
        if self.switching.moves_by_default() {
            return hash;
        }
        let state = &self.state;
        for slot in 0..state.slots {
            let buffer = state.buffers[slot as usize];
            let mut at = buffer.front;
            while at != NONE {
                let (hold, worm) = (&state.holds[at as usize], self.worm_of(at));
                hash = mix(hash, u64::from(worm.source) << 32 | u64::from(hold.here));
                hash = mix(mix(hash, worm.serial), worm.rank);
                at = state.berths[at as usize].younger;
            }
            // Those that are consumed as they come stand in no buffer.
            let mut at = buffer.lands;
            while at != NONE {
                hash = self.fly_fingerprint(hash, at);
                at = state.berths[at as usize].then;
            }
            if state.holds[slot as usize].flying > 0 {
                hash = self.fly_fingerprint(hash, slot);
            }
        }
        for &slot in &self.general.ejected {
            hash = mix(hash, u64::from(slot));
        }
        // Rows of ejecting worms may differ between equal states: their worms' names do not.
        let name = |row: u32| {
            if row < state.slots {
                return u64::from(row);
            }
            let worm = self.worm_of(row);
            mix(u64::from(worm.source) | 1 << 32, worm.serial)
        };
        let General { crossings, landings, credits, .. } = &self.general;
        let hash = crossings.fingerprint(self.now, hash, name);
        let hash = landings.fingerprint(self.now, hash, name);
        credits.fingerprint(self.now, hash, name)
    }
}
