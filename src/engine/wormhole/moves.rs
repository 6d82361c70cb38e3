//! Commit: the flits that were picked move, land, and what that changes is written down.
//!
//! The order in which picks are committed changes nothing: a flit that lands and one that leaves
//! the same buffer in one cycle meet in its counts only.

use super::engine::WormholeEngine;
use super::records::{Hold, InBuffer, NONE, SINK};
use super::rules::Rules;
use super::state::State;
use crate::ids::NodeId;
use crate::switching::{Forwarding, Injection};

impl WormholeEngine {
    /// Moves everything that was picked: of the picks, the first `picked`.
    #[inline]
    pub(super) fn commit<M: Rules>(&mut self, picked: usize) {
        let mut last = false;
        for at in 0..self.work.ejects.len() {
            last |= self.eject::<M>(self.work.ejects[at]);
        }
        if last {
            let holds = &self.state.holds;
            self.state.ejecting.retain(|&row| holds[row as usize].left > 0);
        }
        for at in 0..picked {
            self.cross::<M>(self.work.picks[at]);
        }
        let picks = &self.work.picks[..picked];
        let links = self.state.slot(self.state.links, 0);
        let is_hop = |vc: &&u32| **vc < links;
        let hops = if M::TABLES { picks.iter().filter(is_hop).count() } else { picked };
        self.common.counters.flit_hops += hops as u64;
        if M::FAR && !M::FIXED {
            if self.state.paces.is_empty() {
                let at = self.now + u64::from(self.switching.channel_delay);
                self.state.landings.push_all(at, picks);
            } else {
                self.send_paced(picked);
            }
        }
        while M::TABLES
            && let Some(channel) = self.work.again.pop()
        {
            if self.state.movable(channel as usize) & !self.state.busy[channel as usize] != 0 {
                self.state.activate(channel as usize);
            }
        }
    }

    /// Puts the flits picked on their way over channels that have their own paces and are shared.
    fn send_paced(&mut self, picked: usize) {
        let State { landings, crossings, paces, busy, shift, .. } = &mut self.state;
        for &vc in &self.work.picks[..picked] {
            let channel = (vc >> *shift) as usize;
            let pace = paces[channel];
            landings.push_late(self.now, self.now + u64::from(pace.delay), vc);
            if pace.each > 1 {
                busy[channel] |= 1 << (vc & ((1 << *shift) - 1));
                crossings.push(self.now + u64::from(pace.each), vc);
            }
        }
    }

    /// The next flit of the worm that holds `vc` goes over its channel.
    #[inline]
    fn cross<M: Rules>(&mut self, vc: u32) {
        let state = &mut self.state;
        let (channel, v) = state.split(vc);
        let hold = &mut state.holds[vc as usize];
        let Hold { prev, next, here, left, worm, .. } = *hold;
        debug_assert!(left > 0);
        hold.left = left - 1;
        if M::FIXED {
            hold.end = self.now;
        }
        if M::FIXED || M::FAR {
            hold.flying += 1;
        } else if next != SINK {
            hold.here = here + 1;
        }
        let behind = &mut state.holds[prev as usize];
        let stood = behind.here;
        debug_assert!(stood > 0);
        behind.here = stood - 1;
        let row = &mut state.channels[channel];
        if stood == 1 {
            row.flit &= !(1 << v);
        }
        row.crossed += 1;
        let from = if M::TABLES { state.slot_of(prev) } else { prev };
        let from_source = if M::TABLES { from == NONE } else { prev >= state.slots };
        if from_source {
            self.common.counters.flits_injected += 1;
            if M::TABLES || here == 0 || next == SINK {
                let worm = &mut state.worms[worm as usize];
                if worm.entered == u64::MAX {
                    worm.entered = self.now;
                }
            }
        }
        if next != SINK && (!M::INSTANT || from_source) {
            self.take_slot::<M>(vc, here + 1);
        }
        if !M::INSTANT && !from_source {
            self.give_back::<M>(from, stood);
        }
        if left == 1 {
            self.state.holds[vc as usize].prev = NONE;
            self.tail_leaves::<M>(prev);
            if !M::FIXED && !M::FAR {
                self.leave_rival(channel);
            }
            if M::FAR && !M::FIXED {
                self.tail_is_sent::<M>(vc);
            }
        }
        if M::FIXED {
            let cycles = if let Some(pace) = self.state.paces.get(channel) {
                pace.each
            } else if channel < self.state.links {
                self.state.virtual_channels
            } else {
                self.state.vcs_of(channel).count_ones()
            };
            self.state.crossings.push_late(self.now, self.now + u64::from(cycles), vc);
        } else if !M::FAR {
            self.landed::<M>(vc, (next, here, left - 1), self.now + 1);
        }
    }

    /// A flit is consumed by its worm's own ejection. Answers whether it was the last.
    fn eject<M: Rules>(&mut self, ejection: u32) -> bool {
        let hold = &mut self.state.holds[ejection as usize];
        let Hold { prev, left, worm, .. } = *hold;
        hold.left = left - 1;
        if M::FAR {
            hold.flying += 1;
        }
        self.state.holds[prev as usize].here -= 1;
        if !M::INSTANT {
            let from = self.state.slot_of(prev);
            self.give_back::<M>(from, 0);
        }
        let node = NodeId(self.state.worm(worm).destination);
        if let Some(channel) = self.common.network.ejection_of(node) {
            self.state.channels[channel.index()].crossed += 1;
        }
        if left == 1 {
            self.state.places[ejection as usize].listed = false;
            self.state.holds[ejection as usize].prev = NONE;
            self.tail_leaves::<M>(prev);
        }
        if M::FAR {
            self.state.landings.push(self.now + u64::from(self.switching.channel_delay), ejection);
        } else {
            self.common.counters.flits_consumed += 1;
            if left == 1 {
                self.state.free_hold(ejection);
                self.deliver(worm, self.now + 1);
            }
        }
        left == 1
    }

    /// A flit takes a slot in the buffer of `vc`, whose hold then has `here` flits there.
    #[inline]
    pub(super) fn take_slot<M: Rules>(&mut self, vc: u32, here: u32) {
        let state = &mut self.state;
        let mut taken = here;
        if M::TABLES {
            let occupied = &mut state.buffers[vc as usize].occupied;
            *occupied += 1;
            taken = *occupied;
        }
        debug_assert!(taken <= state.buffer_flits);
        if taken == state.buffer_flits {
            let (channel, v) = state.split(vc);
            state.space[channel] &= !(1 << v);
        }
    }

    /// A flit has left the buffer of `vc`, in which `stood` stood: its slot may be used again when the
    /// credit has come back.
    #[inline]
    fn give_back<M: Rules>(&mut self, vc: u32, stood: u32) {
        let delay = if M::FAR && !self.state.paces.is_empty() {
            u64::from(self.state.pace_of(self.state.split(vc).0).credit)
        } else {
            u64::from(self.switching.credit_delay)
        };
        if M::FAR && delay > 1 {
            self.state.credits.push_late(self.now, self.now + delay, vc);
        } else {
            self.leave_slot::<M>(vc, stood);
        }
    }

    /// A slot of the buffer of `vc`, in which `stood` flits stood, is empty: who feeds it may have been
    /// waiting for that.
    #[inline]
    pub(super) fn leave_slot<M: Rules>(&mut self, vc: u32, stood: u32) {
        let state = &mut self.state;
        let mut taken = stood;
        if M::TABLES {
            let occupied = &mut state.buffers[vc as usize].occupied;
            taken = *occupied;
            *occupied -= 1;
        }
        if taken == state.buffer_flits {
            let (channel, v) = state.split(vc);
            state.space[channel] |= 1 << v;
            if state.channels[channel].flit >> v & 1 == 1 {
                if M::INSTANT {
                    self.work.wave.push(channel as u32);
                } else {
                    state.activate(channel);
                }
            }
        }
        if M::SENT && self.switching.forwarding != Forwarding::Wormhole {
            let (row, bit) = self.state.channel_of(vc);
            if row.free & bit != 0 {
                let router = row.from;
                self.state.mark_if_waiting(router);
            }
        }
    }

    /// The tail has left `behind`.
    #[inline(never)]
    pub(super) fn tail_leaves<M: Rules>(&mut self, behind: u32) {
        let state = &mut self.state;
        let slot = state.slot_of(behind);
        if slot == NONE {
            let node = state.worm_of(behind).source;
            state.emitting[node as usize] -= 1;
            state.emitter[node as usize] = NONE;
            state.free_hold(behind);
            if M::TABLES && self.switching.injection == Injection::OneMessage {
                let router = self.common.network.router_of(NodeId(node)).0;
                state.mark_if_waiting(router);
            }
            return;
        }
        if M::SENT {
            state.unlink(behind);
            state.free_hold(behind);
            self.next_in_buffer(slot, self.now + 1);
        } else {
            state.free_hold(behind);
            state.free_vc(slot);
        }
    }

    /// A flit has come to the hold in row `vc`, which then had `here` flits in its buffer and `left` to
    /// come; from cycle `from` on it may do what comes next.
    #[inline]
    pub(super) fn landed<M: Rules>(
        &mut self,
        vc: u32,
        (next, here, left): (u32, u32, u32),
        from: u64,
    ) {
        if next == SINK {
            self.common.counters.flits_consumed += 1;
            if left == 0 {
                self.all_consumed::<M>(vc, from);
            }
            return;
        }
        if next == NONE {
            let whole = M::TABLES && self.switching.forwarding == Forwarding::StoreAndForward;
            if here == 0 || whole {
                self.head_lands::<M>(vc, from, here == 0);
            }
        } else if here == 0 {
            self.activate_next::<M>(next);
        }
        if M::SENT && !M::FAR && left == 0 {
            self.state.free_vc(vc);
        }
    }

    /// A flit stands where there was none, and may go on into the hold `next`.
    #[inline]
    fn activate_next<M: Rules>(&mut self, next: u32) {
        let state = &mut self.state;
        if !M::TABLES || next < state.slots {
            let (onward, v) = state.split(next);
            let row = &mut state.channels[onward];
            row.flit |= 1 << v;
            let run = row.run;
            if !M::FIXED && run != 0 {
                let vc = state.slot(onward, run.trailing_zeros());
                self.runs.clashes.push(state.hold(vc).worm);
            }
            if state.space[onward] >> v & 1 == 1 {
                state.activate(onward);
            }
        } else if !std::mem::replace(&mut state.places[next as usize].listed, true) {
            state.ejecting.push(next);
        }
    }

    /// A flit has landed in the buffer in which its worm's head stands.
    #[inline(never)]
    fn head_lands<M: Rules>(&mut self, vc: u32, from: u64, head: bool) {
        let worm = self.state.hold(vc).worm;
        if head {
            self.head_arrived(worm, from - 1);
            self.state.worms[worm as usize].stands_since = self.now;
        }
        let first = !M::SENT || self.state.buffers[self.state.slot_of(vc) as usize].front == vc;
        if !M::TABLES || (first && self.has_landed(vc)) {
            self.state.worms[worm as usize].requests_since = from;
            self.request(worm, from);
        }
    }

    /// True if the head in `row` may request as far as its own flits are concerned.
    fn has_landed(&self, row: u32) -> bool {
        let hold = self.state.hold(row);
        let whole = self.switching.forwarding == Forwarding::StoreAndForward;
        hold.next == NONE && hold.here >= if whole { self.state.worm_of(row).length } else { 1 }
    }

    /// The hold that is now first in the buffer of `vc` may have a head that has waited for it.
    pub(super) fn next_in_buffer(&mut self, vc: u32, from: u64) {
        let front = self.state.buffers[vc as usize].front;
        if front == NONE || !self.has_landed(front) {
            return;
        }
        let worm = self.state.hold(front).worm;
        let row = &mut self.state.worms[worm as usize];
        if !row.waits && self.state.heads[row.at as usize].requests != worm {
            row.requests_since = from;
            self.request(worm, from);
        }
    }

    /// The last flit of the worm that holds row `vc` was consumed: delivers it.
    #[inline(never)]
    pub(super) fn all_consumed<M: Rules>(&mut self, vc: u32, done: u64) {
        let worm = self.state.hold(vc).worm;
        self.state.free_hold(vc);
        if vc < self.state.slots {
            if M::TABLES {
                self.state.places[vc as usize] = InBuffer::of(vc);
            }
            // If sending the tail has freed the VC already, another worm may hold it.
            if !M::SENT || !M::FAR {
                if M::TABLES {
                    self.state.may_be_full_again(vc);
                }
                self.state.free_vc(vc);
            }
        }
        self.deliver(worm, done);
    }
}
