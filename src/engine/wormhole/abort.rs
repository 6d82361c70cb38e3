//! Breaks deadlocks: the youngest message in a cycle of waits leaves the network and restarts.

use super::engine::WormholeEngine;
use super::records::{InBuffer, NONE, Place, SINK, Way};
use crate::engine::deadlock::circle;
use crate::engine::own_pace::OwnPace;
use crate::ids::{NodeId, RouterId};
use crate::routing::Straight;
use crate::switching::Release;

impl WormholeEngine {
    /// Aborts a message of each cycle of waits, until no cycle is left.
    pub(super) fn break_deadlocks(&mut self) {
        loop {
            let waits = self.waits().stuck();
            let Some(oldest) = waits.first() else { return };
            let circle = circle(&waits, oldest.worm, |_| true);
            let age = |row: u32| self.state.worm(row).age();
            let victim = circle.iter().map(|wait| wait.worm.0).max_by_key(|&row| age(row));
            let Some(victim) = victim else { return };
            self.abort(victim);
        }
    }

    /// Removes the flits of a worm from the network; the message returns to the head of the queue
    /// of its source, with its original birth time.
    fn abort(&mut self, worm: u32) {
        self.dissolve(worm);
        let row = self.state.worms[worm as usize];
        if row.waits {
            self.unlist(worm, row.at);
            self.state.blocked -= 1;
        }
        let had_left = !self.endpoints.occupies_room(&self.state, worm);
        self.common.counters.flits_aborted += self.take_out(worm);
        self.unstick_all();
        if had_left {
            self.endpoints.occupy_room_again(&self.state, worm);
        }
        let node = NodeId(row.source);
        let router = self.common.network.router_of(node).0;
        let row = &mut self.state.worms[worm as usize];
        row.header.source = RouterId(router);
        (row.head, row.at, row.hops, row.entered, row.class) = (NONE, router, 0, u64::MAX, 0);
        (row.ahead, row.own_pace, row.way) = (Straight::UNKNOWN, OwnPace::default(), Way::Open);
        row.count = 0;
        (row.rank, row.tie, row.requests_since) = (row.born, row.header.route_bits, self.now);
        let born = row.born;
        let class = row.header.message_class;
        self.common.sources.take_back(node, class);
        self.common.counters.aborts += 1;
        self.rank_arrival(worm, born);
        self.request(worm, born);
    }

    /// Removes the flits of a worm that moves flit by flit; returns the number of flits in the network.
    pub(super) fn take_out(&mut self, worm: u32) -> u64 {
        let row = self.state.worms[worm as usize];
        let (mut at, mut flits) = (row.head, 0);
        while at != NONE {
            let prev = self.state.hold(at).prev;
            match self.state.place(at) {
                Place::Vc(slot) => flits += u64::from(self.leave_buffer(at, slot)),
                Place::Source => {
                    let node = row.source as usize;
                    self.state.emitting[node] -= 1;
                    self.state.emitter[node] = NONE;
                    self.state.free_hold(at);
                }
                Place::Ejection => flits += u64::from(self.leave_ejection(at)),
            }
            at = prev;
        }
        flits
    }

    /// Frees the hold of an ejecting worm and removes the flits under way to its node.
    fn leave_ejection(&mut self, at: u32) -> u32 {
        let flying = self.state.hold(at).flying;
        self.state.landings.drop_some(self.now, at, 0, flying);
        self.state.ejecting.retain(|&row| row != at);
        self.state.places[at as usize].listed = false;
        self.state.free_hold(at);
        flying
    }

    /// Frees a hold and removes its flits; returns their number.
    fn leave_buffer(&mut self, at: u32, slot: u32) -> u32 {
        let (channel, v) = self.state.split(slot);
        let bit = 1u32 << v;
        let owns = at == slot && self.state.is_held(slot);
        // Flits consumed on arrival occupy no slot.
        let sinks = self.state.hold(at).next == SINK;
        let flits = self.state.hold(at).here + self.state.hold(at).flying;
        let to_come = self.state.hold(at).left;
        let other_sinks =
            at != slot && self.state.is_held(slot) && self.state.hold(slot).next == SINK;
        // Older worms may still fill the buffer.
        let mut full = false;
        if let Some(buffer) = self.state.buffers.get_mut(slot as usize) {
            buffer.occupied -= if sinks { 0 } else { flits };
            full = buffer.occupied == self.state.buffer_flits && !other_sinks;
            self.forget_flights(at, slot);
        }
        let sent = self.switching.release == Release::Sent;
        let queued = sent && !sinks;
        if queued {
            self.state.unlink(at);
        }
        if owns {
            let row = &mut self.state.channels[channel];
            row.flit &= !bit;
            self.state.closed.release(channel, row, bit);
            self.counts.abort(slot, to_come);
        }
        let row = &self.state.channels[channel];
        let (router, stands) = (row.from, row.flit & bit != 0);
        let space = &mut self.state.space[channel];
        *space = *space & !bit | if full { 0 } else { bit };
        let fed = stands && *space & bit != 0;
        self.state.free_hold(at);
        if let Some(place) = self.state.places.get_mut(at as usize) {
            *place = InBuffer::of(slot);
        }
        if fed {
            self.state.activate(channel);
        }
        self.state.mark_if_waiting(router);
        if queued {
            self.next_in_buffer(slot, self.now);
        }
        flits
    }
}
