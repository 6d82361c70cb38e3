//! Evaluation without chains: which flits move in this cycle, by the state in which it began; and
//! the ejections, which never wait for anything in front of them.

use super::super::WormholeEngine;
use super::super::state::{Claim, NONE, SINK};
use super::Machine;
use crate::switching::Ejection;

/// The VC that round robin picks of those in `movable` (not empty), and the next pointer.
#[inline]
pub(super) fn by_turns(movable: u32, pointer: u8, virtual_channels: u32) -> (u32, u8) {
    let from_pointer = movable & (u32::MAX << pointer);
    let v = if from_pointer == 0 { movable } else { from_pointer }.trailing_zeros();
    (v, if v + 1 == virtual_channels { 0 } else { v as u8 + 1 })
}

impl WormholeEngine {
    /// One VC per channel, round robin over those that can move. Channels without any leave the
    /// work list.
    pub(super) fn pick_by_turns(&mut self) {
        let virtual_channels = self.state.virtual_channels;
        let mut kept = 0;
        let mut active = std::mem::take(&mut self.state.active);
        self.general.picks.reserve(active.len());
        for at in 0..active.len() {
            let channel = active[at];
            let row = &mut self.state.channels[channel as usize];
            let movable = row.flit & row.space;
            if movable == 0 {
                row.listed = false;
                continue;
            }
            let (v, pointer) = by_turns(movable, row.pointer, virtual_channels);
            row.pointer = pointer;
            let fed_by_source = row.source >> v & 1 == 1;
            let vc = (channel << self.state.shift) + v;
            active[kept] = channel;
            kept += 1;
            if fed_by_source {
                self.pick_from_source(vc);
            } else {
                self.general.picks.push(vc);
            }
        }
        active.truncate(kept);
        self.state.active = active;
    }

    /// A flit at its source is picked. Of several of one node the oldest message's is sent; answers
    /// the VC that loses, if there is one.
    pub(super) fn pick_from_source(&mut self, vc: u32) -> Option<u32> {
        let worm = self.worm_of(vc);
        let (node, age) = (worm.source as usize, worm.age());
        let claim = self.state.claims[node];
        if claim.cycle != self.now {
            let pick = self.general.picks.len() as u32;
            self.state.claims[node] = Claim { cycle: self.now, pick };
            self.general.picks.push(vc);
            return None;
        }
        let rival = self.general.picks[claim.pick as usize];
        if age < self.worm_of(rival).age() {
            self.general.picks[claim.pick as usize] = vc;
            return Some(rival);
        }
        Some(vc)
    }

    /// Private channels: every VC that can move does.
    pub(super) fn pick_all<M: Machine>(&mut self) {
        let mut list = std::mem::take(&mut self.state.active);
        for &channel in &list {
            self.state.channels[channel as usize].listed = false;
            self.start_crossings::<M>(channel as usize);
        }
        list.clear();
        debug_assert!(self.state.active.is_empty());
        self.state.active = list;
        while let Some(channel) = self.general.wave.pop() {
            self.start_crossings::<M>(channel as usize);
        }
        while let Some(loser) = self.general.lost.pop() {
            let (channel, v) = self.state.split(loser);
            self.general.busy[channel] &= !(1 << v);
            self.general.again.push(channel as u32);
        }
    }

    fn start_crossings<M: Machine>(&mut self, channel: usize) {
        let row = self.state.channels[channel];
        let mut movable = row.flit & row.space & !self.general.busy[channel];
        while movable != 0 {
            let v = movable.trailing_zeros();
            movable &= movable - 1;
            let vc = ((channel << self.state.shift) as u32) + v;
            self.general.busy[channel] |= 1 << v;
            if row.source >> v & 1 == 1 {
                if let Some(loser) = self.pick_from_source(vc) {
                    self.general.lost.push(loser);
                }
                continue;
            }
            self.general.picks.push(vc);
            if M::INSTANT {
                self.move_ahead::<M>(vc);
            }
        }
    }

    /// Counts the move of a flit into `vc` in the slots that it takes and leaves, so that others may
    /// follow in the same cycle. What comes from a source is counted when it is sure to be sent.
    #[inline]
    pub(super) fn move_ahead<M: Machine>(&mut self, vc: u32) {
        let hold = self.state.holds[vc as usize];
        let from = self.state.slot_of(hold.prev);
        if from == NONE {
            return;
        }
        if hold.next != SINK {
            self.take_slot(vc);
        }
        self.leave_slot::<M>(from);
    }

    /// Every ejecting worm with a flit ejects it, or one per node does.
    pub(super) fn pick_ejections<M: Machine>(&mut self) {
        if self.general.ejecting.is_empty() {
            return;
        }
        let mut kept = 0;
        for at in 0..self.general.ejecting.len() {
            let ejection = self.general.ejecting[at];
            let hold = self.state.holds[ejection as usize];
            if self.state.holds[hold.prev as usize].here == 0 {
                self.state.berths[ejection as usize].listed = false;
                continue;
            }
            self.general.ejecting[kept] = ejection;
            kept += 1;
            self.pick_ejection(ejection);
        }
        self.general.ejecting.truncate(kept);
        for at in 0..self.general.ejects.len() {
            let ejection = self.general.ejects[at];
            let from = self.state.slot_of(self.state.holds[ejection as usize].prev);
            if self.switching.ejection == Ejection::OneFlitPerCycle {
                let node = self.worm_of(ejection).destination as usize;
                self.general.ejected[node] = from + 1;
            }
            if M::INSTANT {
                self.leave_slot::<M>(from);
            }
        }
    }

    fn pick_ejection(&mut self, ejection: u32) {
        let pick = self.general.ejects.len() as u32;
        if self.switching.ejection == Ejection::OneFlitPerCycle {
            let node = self.worm_of(ejection).destination as usize;
            let claim = self.general.eject_claims[node];
            if claim.cycle == self.now {
                let rival = self.general.ejects[claim.pick as usize];
                if self.until_turn(ejection, node) < self.until_turn(rival, node) {
                    self.general.ejects[claim.pick as usize] = ejection;
                }
                return;
            }
            self.general.eject_claims[node] = Claim { cycle: self.now, pick };
        }
        self.general.ejects.push(ejection);
    }

    /// How far the buffer of an ejecting worm is from the node's pointer, in VC slots.
    fn until_turn(&self, ejection: u32, node: usize) -> u32 {
        let from = self.state.slot_of(self.state.holds[ejection as usize].prev);
        let slots = self.state.slots;
        (from + slots - self.general.ejected[node] % slots) % slots
    }
}
