//! Commit: the flits that were picked move, land, and what that changes is written down.
//!
//! The order in which picks are committed changes nothing: a flit that lands and one that leaves
//! the same buffer in one cycle meet in its counts only.

use super::super::WormholeEngine;
use super::super::state::{Hold, NONE, SINK};
use super::Machine;
use super::berths::Berth;
use crate::ids::NodeId;
use crate::switching::{Forwarding, Injection};

impl WormholeEngine {
    /// Moves everything that was picked.
    pub(super) fn commit<M: Machine>(&mut self) {
        let mut last = false;
        for at in 0..self.general.ejects.len() {
            last |= self.eject::<M>(self.general.ejects[at]);
        }
        if last {
            let holds = &self.state.holds;
            self.general.ejecting.retain(|&row| holds[row as usize].left > 0);
        }
        let picks = std::mem::take(&mut self.general.picks);
        for &vc in &picks {
            self.cross::<M>(vc);
        }
        if M::FAR && !M::FIXED {
            self.general.landings.push_all(self.now + self.general.channel_delay, &picks);
        }
        self.general.picks = picks;
        while let Some(channel) = self.general.again.pop() {
            let row = &self.state.channels[channel as usize];
            if row.flit & row.space & !self.general.busy[channel as usize] != 0 {
                self.state.activate(channel as usize);
            }
        }
    }

    /// The next flit of the worm that holds `vc` goes over its channel.
    #[inline]
    fn cross<M: Machine>(&mut self, vc: u32) {
        let state = &mut self.state;
        let (channel, v) = state.split(vc);
        let hold = &mut state.holds[vc as usize];
        let Hold { prev, next, here, left, worm, .. } = *hold;
        debug_assert!(left > 0);
        hold.left = left - 1;
        if M::FIXED || M::FAR {
            hold.flying += 1;
        } else if next != SINK {
            hold.here = here + 1;
        }
        let behind = &mut state.holds[prev as usize];
        debug_assert!(behind.here > 0);
        behind.here -= 1;
        let row = &mut state.channels[channel];
        if behind.here == 0 {
            row.flit &= !(1 << v);
        }
        row.crossed += 1;
        self.counters.flit_hops += u64::from(channel < self.general.links);
        let from = state.slot_of(prev);
        if from == NONE {
            self.counters.flits_injected += 1;
            let worm = &mut state.worms[worm as usize];
            if worm.entered == u64::MAX {
                worm.entered = self.now;
            }
        }
        if next != SINK && (!M::INSTANT || from == NONE) {
            self.take_slot(vc);
        }
        if !M::INSTANT && from != NONE {
            self.give_back::<M>(from);
        }
        if left == 1 {
            self.state.holds[vc as usize].prev = NONE;
            self.tail_leaves::<M>(prev, vc);
            if M::FAR && !M::FIXED {
                self.tail_is_sent::<M>(vc);
            }
        }
        if M::FIXED {
            let vcs = if channel < self.general.links {
                self.state.virtual_channels
            } else {
                self.state.vcs_of(channel, self.general.links).count_ones()
            };
            self.general.crossings.push(self.now + u64::from(vcs), vc);
        } else if !M::FAR {
            self.landed::<M>(vc, (next, here, left - 1), self.now + 1);
        }
    }

    /// A flit is consumed by its worm's own ejection. Answers whether it was the last.
    fn eject<M: Machine>(&mut self, ejection: u32) -> bool {
        let hold = &mut self.state.holds[ejection as usize];
        let Hold { prev, left, worm, .. } = *hold;
        hold.left = left - 1;
        if M::FAR {
            hold.flying += 1;
        }
        self.state.holds[prev as usize].here -= 1;
        if !M::INSTANT {
            let from = self.state.slot_of(prev);
            self.give_back::<M>(from);
        }
        let node = NodeId(self.state.worms[worm as usize].destination);
        if let Some(channel) = self.network.ejection_of(node) {
            self.state.channels[channel.index()].crossed += 1;
        }
        if left == 1 {
            self.state.berths[ejection as usize].listed = false;
            self.state.holds[ejection as usize].prev = NONE;
            self.tail_leaves::<M>(prev, ejection);
        }
        if M::FAR {
            self.general.landings.push(self.now + self.general.channel_delay, ejection);
        } else {
            self.counters.flits_consumed += 1;
            if left == 1 {
                self.state.free_hold(ejection);
                self.deliver(worm, self.now + 1);
            }
        }
        left == 1
    }

    /// A flit takes a slot in the buffer of `vc`.
    #[inline]
    pub(super) fn take_slot(&mut self, vc: u32) {
        let occupied = &mut self.state.buffers[vc as usize].occupied;
        *occupied += 1;
        debug_assert!(*occupied <= self.state.buffer_flits);
        if *occupied == self.state.buffer_flits {
            let (channel, v) = self.state.split(vc);
            self.state.channels[channel].space &= !(1 << v);
        }
    }

    /// A flit has left the buffer of `vc`: its slot may be used again when the credit has come back.
    #[inline]
    fn give_back<M: Machine>(&mut self, vc: u32) {
        if M::FAR && self.general.credit_delay > 1 {
            self.general.credits.push(self.now + self.general.credit_delay, vc);
        } else {
            self.leave_slot::<M>(vc);
        }
    }

    /// A flit leaves its slot in the buffer of `vc`: who feeds it may have been waiting for that.
    #[inline]
    pub(super) fn leave_slot<M: Machine>(&mut self, vc: u32) {
        let state = &mut self.state;
        let buffer = &mut state.buffers[vc as usize];
        let was_full = buffer.occupied == state.buffer_flits;
        buffer.occupied -= 1;
        if was_full {
            let (channel, v) = state.split(vc);
            let row = &mut state.channels[channel];
            row.space |= 1 << v;
            if row.flit >> v & 1 == 1 {
                if M::INSTANT {
                    self.general.wave.push(channel as u32);
                } else {
                    state.activate(channel);
                }
            }
        }
        if M::SENT && self.switching.forwarding != Forwarding::Wormhole {
            let Self { state, .. } = self;
            let (channel, v) = state.split(vc);
            let row = &state.channels[channel];
            let router = row.from;
            if row.free >> v & 1 == 1 && state.waiting[router as usize] != NONE {
                state.look_at(router);
            }
        }
    }

    /// The tail has left `behind` for `vc` (or its ejection).
    #[inline(never)]
    fn tail_leaves<M: Machine>(&mut self, behind: u32, vc: u32) {
        let state = &mut self.state;
        let slot = state.slot_of(behind);
        if slot == NONE {
            let worm = &state.worms[state.holds[behind as usize].worm as usize];
            let (node, router) = (worm.source, self.network.router_of(NodeId(worm.source)));
            state.emitting[node as usize] -= 1;
            state.free_hold(behind);
            let (channel, v) = state.split(vc);
            state.channels[channel].source &= !(1 << v);
            let serial = self.switching.injection == Injection::OneMessage;
            if serial && state.waiting[router.index()] != NONE {
                state.look_at(router.0);
            }
            return;
        }
        if M::SENT {
            state.unlink(behind);
            state.free_hold(behind);
            self.next_in_buffer(slot, self.now + 1);
        } else {
            state.free_hold(behind);
            self.free_vc(slot);
        }
    }

    /// A VC can be granted again.
    pub(super) fn free_vc(&mut self, vc: u32) {
        let state = &mut self.state;
        let (channel, v) = state.split(vc);
        let row = &mut state.channels[channel];
        row.free |= 1 << v;
        let router = row.from;
        if state.waiting[router as usize] != NONE {
            state.look_at(router);
        }
    }

    /// A flit has come to the hold in row `vc`, which then had `here` flits in its buffer and `left` to
    /// come; from cycle `from` on it may do what comes next.
    #[inline]
    pub(super) fn landed<M: Machine>(
        &mut self,
        vc: u32,
        (next, here, left): (u32, u32, u32),
        from: u64,
    ) {
        if next == SINK {
            self.counters.flits_consumed += 1;
            if left == 0 {
                self.all_consumed::<M>(vc, from);
            }
            return;
        }
        if next == NONE {
            self.lands_at_head::<M>(vc, from, here == 0);
        } else if here == 0 {
            self.goes_on(next);
        }
        if M::SENT && !M::FAR && left == 0 {
            self.free_vc(vc);
        }
    }

    /// A flit stands where there was none, and may go on into the hold `next`.
    #[inline]
    fn goes_on(&mut self, next: u32) {
        let state = &mut self.state;
        if next < state.slots {
            let (onward, v) = state.split(next);
            let row = &mut state.channels[onward];
            row.flit |= 1 << v;
            if row.space >> v & 1 == 1 {
                state.activate(onward);
            }
        } else if !std::mem::replace(&mut state.berths[next as usize].listed, true) {
            self.general.ejecting.push(next);
        }
    }

    /// A flit has landed in the buffer in which its worm's head stands.
    #[inline]
    fn lands_at_head<M: Machine>(&mut self, vc: u32, from: u64, head: bool) {
        let whole = self.switching.forwarding == Forwarding::StoreAndForward;
        if head || whole {
            self.head_lands::<M>(vc, from, head);
        }
    }

    #[inline(never)]
    fn head_lands<M: Machine>(&mut self, vc: u32, from: u64, head: bool) {
        let worm = self.state.holds[vc as usize].worm;
        if head {
            self.arrives(worm, from - 1);
            self.state.worms[worm as usize].stands_since = self.now;
        }
        let first = !M::SENT || self.state.buffers[self.state.slot_of(vc) as usize].front == vc;
        if first && self.has_landed(vc) {
            self.state.worms[worm as usize].asks_since = from;
            self.requests(worm, from);
            self.ask(worm);
        }
    }

    /// The tail was consumed where the hold in row `vc` has its flits consumed.
    #[inline(never)]
    fn all_consumed<M: Machine>(&mut self, vc: u32, done: u64) {
        let worm = self.state.holds[vc as usize].worm;
        self.state.free_hold(vc);
        if vc < self.state.slots {
            self.state.berths[vc as usize] = Berth::at(vc);
            // Where the tail's sending has freed the VC, it is another's by now.
            if !M::SENT || !M::FAR {
                self.has_room_again(vc);
                self.free_vc(vc);
            }
        }
        self.deliver(worm, done);
    }

    /// A VC whose far end consumed flits as they came does so no longer: its buffer may be full.
    pub(super) fn has_room_again(&mut self, vc: u32) {
        if self.state.buffers[vc as usize].occupied == self.state.buffer_flits {
            let (channel, v) = self.state.split(vc);
            self.state.channels[channel].space &= !(1 << v);
        }
    }
}
