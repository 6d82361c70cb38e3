//! Commits the picked flits: moves each, and updates all affected state.
//!
//! The order of commits does not matter: a flit that enters a buffer and a flit that leaves it in
//! the same cycle affect only its counts.

use super::engine::WormholeEngine;
use super::records::{Hold, InBuffer, NONE, SINK};
use super::rules::Rules;
use super::state::State;
use crate::ids::NodeId;
use crate::switching::{Forwarding, Injection};
use crate::traffic::script::Event;

impl WormholeEngine {
    /// Moves all picked flits: the picked ejections, and the first `picked` of the picks.
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

    /// Sends the picked flits over shared channels with their own paces.
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

    /// Moves the next flit of the worm that holds `vc` over its channel.
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
                let row = &mut state.worms[worm as usize];
                if row.entered == u64::MAX {
                    row.entered = self.now;
                    self.report(worm, Event::Started);
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
            if let Some(pace) = self.state.paces.get(channel) {
                let end = self.now + u64::from(pace.each);
                self.state.crossings.push_late(self.now, end, vc);
                return;
            }
            let vcs = if channel < self.state.links {
                self.state.virtual_channels
            } else {
                self.state.vcs_of(channel).count_ones()
            };
            self.state.crossings.push(self.now + u64::from(vcs), vc);
        } else if !M::FAR {
            self.landed::<M>(vc, (next, here, left - 1), self.now + 1);
        }
    }

    /// Reports to the sources that a worm leaves its node in this cycle, if messages await this.
    #[inline]
    fn report(&mut self, worm: u32, event: Event) {
        let sources = &mut self.common.sources;
        if sources.await_departures() {
            let row = self.state.worm(worm);
            sources.departed(NodeId(row.source), row.serial, event, self.now + 1);
        }
    }

    /// Consumes a flit by the separate ejection of its worm. Returns true for the last flit.
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

    /// Occupies a slot in the buffer of `vc`, with `here` flits of the hold afterwards.
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

    /// Returns the slot of a flit that has left the buffer of `vc`, with `stood` flits before; the
    /// slot is available after the credit delay.
    #[inline]
    fn give_back<M: Rules>(&mut self, vc: u32, stood: u32) {
        let delay = u64::from(self.switching.credit_delay);
        if M::FAR && !self.state.paces.is_empty() {
            self.give_back_late::<M>(vc, stood);
        } else if M::FAR && delay > 1 {
            self.state.credits.push(self.now + delay, vc);
        } else {
            self.leave_slot::<M>(vc, stood);
        }
    }

    /// Gives back a credit like `give_back`, if links have their own paces.
    #[inline(never)]
    fn give_back_late<M: Rules>(&mut self, vc: u32, stood: u32) {
        let (channel, _) = self.state.split(vc);
        match u64::from(self.state.paces[channel].credit) {
            ..=1 => self.leave_slot::<M>(vc, stood),
            delay => self.state.credits.push_late(self.now, self.now + delay, vc),
        }
    }

    /// Frees a slot in the buffer of `vc`, with `stood` flits before, and activates a feeder that
    /// may have waited for room.
    #[expect(clippy::inline_always, reason = "measured: a call per flit-hop otherwise")]
    #[inline(always)]
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

    /// Handles a tail that has left `behind`.
    #[inline(never)]
    pub(super) fn tail_leaves<M: Rules>(&mut self, behind: u32) {
        let state = &mut self.state;
        let slot = state.slot_of(behind);
        if slot == NONE {
            let worm = state.hold(behind).worm;
            let node = state.worm(worm).source;
            state.emitting[node as usize] -= 1;
            state.emitter[node as usize] = NONE;
            state.free_hold(behind);
            if M::TABLES
                && self.endpoints.are_limited()
                && let Some(node) = self.endpoints.vacate_room(&self.state, worm)
            {
                let router = self.common.network.router_of(node).0;
                self.state.mark_if_waiting(router);
            }
            if M::TABLES && self.switching.injection == Injection::OneMessage {
                let router = self.common.network.router_of(NodeId(node)).0;
                self.state.mark_if_waiting(router);
            }
            return self.report(worm, Event::Sent);
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

    /// Handles the arrival of a flit at the hold in row `vc`, with `here` flits in its buffer
    /// before and `left` flits to come. Subsequent actions are possible from cycle `from`.
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

    /// Makes the first flit of a buffer available to the next hold, `next`.
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

    /// Handles the arrival of a flit in the buffer of the head of its worm.
    #[inline(never)]
    fn head_lands<M: Rules>(&mut self, vc: u32, from: u64, head: bool) {
        let worm = self.state.hold(vc).worm;
        if head {
            self.rank_arrival(worm, from - 1);
            self.state.worms[worm as usize].stopped_since = self.now;
        }
        let first = !M::SENT || self.state.buffers[self.state.slot_of(vc) as usize].front == vc;
        if !M::TABLES || (first && self.has_landed(vc)) {
            self.state.worms[worm as usize].requests_since = from;
            self.request(worm, from);
        }
    }

    /// True if enough flits have landed for the head in `row` to request.
    fn has_landed(&self, row: u32) -> bool {
        let hold = self.state.hold(row);
        let whole = self.switching.forwarding == Forwarding::StoreAndForward;
        hold.next == NONE && hold.here >= if whole { self.state.worm_of(row).length } else { 1 }
    }

    /// Issues the pending request of the hold that is now first in the buffer of `vc`.
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

    /// Delivers the worm that holds row `vc`, after the consumption of its last flit.
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
