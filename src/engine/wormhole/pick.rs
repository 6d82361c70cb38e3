//! Picks the flits to move in this cycle, according to the state at its start.
//!
//! Picks under instant credit, with moves that enable other moves, are in `chains.rs`.

use super::engine::WormholeEngine;
use super::records::{NONE, SINK, bits};
use super::rules::Rules;
use super::state::State;
use crate::switching::Ejection;

/// The VC after `v` in round-robin order.
#[inline]
pub(super) fn after(v: u32, virtual_channels: u32) -> u8 {
    if v + 1 == virtual_channels { 0 } else { v as u8 + 1 }
}

/// The VC picked by round robin from `movable` (not empty), and the next pointer.
#[inline]
pub(super) fn round_robin(movable: u32, pointer: u8, virtual_channels: u32) -> (u32, u8) {
    let from_pointer = movable & (u32::MAX << pointer);
    let v = if from_pointer == 0 { movable } else { from_pointer }.trailing_zeros();
    (v, after(v, virtual_channels))
}

impl WormholeEngine {
    /// Picks the flits that cross a channel in this cycle. Returns the number of valid picks.
    #[inline]
    pub(super) fn pick<M: Rules>(&mut self) -> usize {
        if !M::FIXED && !M::INSTANT {
            return if self.state.active.is_empty() { 0 } else { self.pick_one_each::<M>() };
        }
        self.work.picks.clear();
        // The list includes the channels enabled by ejections in this cycle.
        let State { active, channels, .. } = &mut self.state;
        for channel in active.drain(..) {
            channels[channel as usize].listed = false;
            self.work.wave.push(channel);
        }
        if M::FIXED {
            self.pick_all::<M>();
        } else {
            self.pick_with_chains::<M>();
        }
        self.work.picks.len()
    }

    /// Picks a VC per channel, round robin over the movable VCs. Channels without a movable VC
    /// leave the work list.
    #[inline(never)]
    fn pick_one_each<M: Rules>(&mut self) -> usize {
        let State { virtual_channels, shift, slots, flit_by_flit: shared, .. } = self.state;
        let State { active, channels, space, places, holds, worms, claims, busy, paces, .. } =
            &mut self.state;
        let paced = M::FAR && !paces.is_empty();
        let worm = |vc: u32| &worms[holds[vc as usize].worm as usize];
        if self.work.picks.len() < active.len() {
            self.work.picks.resize(active.len(), 0);
        }
        let picks = &mut self.work.picks[..];
        let (mut kept, mut picked) = (0, 0);
        for at in 0..active.len() {
            let channel = active[at];
            let row = &mut channels[channel as usize];
            let movable = row.flit & space[channel as usize];
            let waits = M::TABLES && row.stalled || paced && busy[channel as usize] != 0;
            if movable == 0 || waits {
                row.listed = false;
                continue;
            }
            let (v, pointer) = round_robin(movable, row.pointer, virtual_channels);
            row.pointer = pointer;
            let vc = (channel << shift) + v;
            active[kept] = channel;
            kept += 1;
            let behind = holds[vc as usize].prev;
            let is_source =
                behind >= slots && (!M::TABLES || shared && places[behind as usize].vc == NONE);
            if is_source {
                let claim = &mut claims[worm(vc).source as usize];
                if let Some(place) = claim.stake(self.now, picked) {
                    if worm(vc).age() < worm(picks[place]).age() {
                        picks[place] = vc;
                    }
                    continue;
                }
            }
            picks[picked] = vc;
            picked += 1;
        }
        active.truncate(kept);
        picked
    }

    /// Picks a flit at its source. Among several of the same node, only the flit of the oldest
    /// message is sent; returns the losing VC, if any.
    #[inline]
    pub(super) fn pick_from_source(&mut self, vc: u32) -> Option<u32> {
        let node = self.state.worm_of(vc).source as usize;
        let Some(place) = self.state.claims[node].stake(self.now, self.work.picks.len()) else {
            self.work.picks.push(vc);
            return None;
        };
        let rival = self.work.picks[place];
        if self.state.worm_of(vc).age() < self.state.worm_of(rival).age() {
            self.work.picks[place] = vc;
            return Some(rival);
        }
        Some(vc)
    }

    /// Picks every movable VC of private channels.
    fn pick_all<M: Rules>(&mut self) {
        while let Some(channel) = self.work.wave.pop() {
            self.start_crossings::<M>(channel as usize);
        }
        while let Some(loser) = self.work.lost.pop() {
            let (channel, v) = self.state.split(loser);
            self.state.busy[channel] &= !(1 << v);
            self.work.again.push(channel as u32);
        }
    }

    fn start_crossings<M: Rules>(&mut self, channel: usize) {
        for v in bits(self.state.movable(channel) & !self.state.busy[channel]) {
            let vc = self.state.slot(channel, v);
            self.state.busy[channel] |= 1 << v;
            if self.state.is_fed_by_source(vc) {
                let loser = self.pick_from_source(vc);
                self.work.lost.extend(loser);
                continue;
            }
            self.work.picks.push(vc);
            if M::INSTANT {
                self.move_ahead::<M>(vc);
            }
        }
    }

    /// Counts the move of a flit into `vc` in the slots occupied and left, so that others may
    /// follow in the same cycle. Flits from a source are counted later, once sure to be sent.
    #[inline]
    pub(super) fn move_ahead<M: Rules>(&mut self, vc: u32) {
        let hold = self.state.holds[vc as usize];
        let from = self.state.slot_of(hold.prev);
        if from == NONE {
            return;
        }
        if hold.next != SINK {
            self.take_slot::<M>(vc, hold.here);
        }
        self.leave_slot::<M>(from, 0);
    }

    /// Picks a flit of every ejecting worm, or one per node.
    #[inline]
    pub(super) fn pick_ejections<M: Rules>(&mut self) {
        self.work.ejects.clear();
        if M::TABLES && !self.state.ejecting.is_empty() {
            self.pick_some_ejections::<M>();
        }
    }

    fn pick_some_ejections<M: Rules>(&mut self) {
        let mut kept = 0;
        for at in 0..self.state.ejecting.len() {
            let ejection = self.state.ejecting[at];
            let hold = self.state.holds[ejection as usize];
            if self.state.holds[hold.prev as usize].here == 0 {
                self.state.places[ejection as usize].listed = false;
                continue;
            }
            self.state.ejecting[kept] = ejection;
            kept += 1;
            self.pick_ejection(ejection);
        }
        self.state.ejecting.truncate(kept);
        for at in 0..self.work.ejects.len() {
            let ejection = self.work.ejects[at];
            let from = self.state.slot_of(self.state.holds[ejection as usize].prev);
            if self.switching.ejection == Ejection::OneFlitPerCycle {
                let node = self.state.worm_of(ejection).destination as usize;
                self.state.ejected[node] = from + 1;
            }
            if M::INSTANT {
                self.leave_slot::<M>(from, 0);
            }
        }
    }

    fn pick_ejection(&mut self, ejection: u32) {
        if self.switching.ejection == Ejection::OneFlitPerCycle {
            let node = self.state.worm_of(ejection).destination as usize;
            let claim = &mut self.state.eject_claims[node];
            if let Some(place) = claim.stake(self.now, self.work.ejects.len()) {
                if self.slots_ahead(ejection, node)
                    < self.slots_ahead(self.work.ejects[place], node)
                {
                    self.work.ejects[place] = ejection;
                }
                return;
            }
        }
        self.work.ejects.push(ejection);
    }

    /// The distance from the pointer of the node to the buffer of an ejecting worm, in VC slots.
    fn slots_ahead(&self, ejection: u32, node: usize) -> u32 {
        let from = self.state.slot_of(self.state.holds[ejection as usize].prev);
        let slots = self.state.slots;
        (from + slots - self.state.ejected[node] % slots) % slots
    }
}
