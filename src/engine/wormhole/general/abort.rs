//! Breaking a deadlock: the youngest message in its cycle leaves the network and starts again.

use super::super::WormholeEngine;
use super::super::state::{Hold, NONE};
use super::{Berth, Place};
use crate::engine::deadlock::circle;
use crate::ids::NodeId;
use crate::switching::Release;

impl WormholeEngine {
    /// Aborts one message of each cycle of waits, until there is none.
    pub(in super::super) fn break_deadlocks(&mut self) {
        loop {
            let waits = self.stuck_waits();
            let Some(oldest) = waits.first() else { return };
            let circle = circle(&waits, oldest.worm, |_| true);
            let age = |row: u32| self.state.worms[row as usize].age();
            let victim = circle.iter().map(|wait| wait.worm.0).max_by_key(|&row| age(row));
            let Some(victim) = victim else { return };
            self.abort(victim);
        }
    }

    /// Takes a worm's flits out of the network; the message goes back to the head of its source's
    /// queue, with its birth time.
    fn abort(&mut self, worm: u32) {
        self.dissolve(worm);
        let row = self.state.worms[worm as usize];
        if row.waits {
            self.unlist(worm, row.at);
            self.state.blocked -= 1;
        }
        let mut at = row.head;
        while at != NONE {
            let prev = self.state.holds[at as usize].prev;
            match self.state.place(at) {
                Place::Vc(slot) => self.leave_buffer(at, slot),
                Place::Source => {
                    let node = row.source as usize;
                    self.state.emitting[node] -= 1;
                    self.state.emitter[node] = NONE;
                    self.state.free_hold(at);
                }
                Place::Ejection => debug_assert!(false, "an ejecting worm waits for nobody"),
            }
            at = prev;
        }
        self.unstick_all();
        let node = NodeId(row.source);
        let router = self.network.router_of(node).0;
        let row = &mut self.state.worms[worm as usize];
        (row.head, row.at, row.hops, row.entered, row.class) = (NONE, router, 0, u64::MAX, 0);
        (row.rank, row.tie, row.asks_since) = (row.born, row.header.dice, self.now);
        let born = row.born;
        self.sources.take_back(node);
        self.counters.aborts += 1;
        self.arrives(worm, born);
        self.requests(worm, born);
        self.ask(worm);
    }

    /// A hold that is given up with the flits in it.
    fn leave_buffer(&mut self, at: u32, slot: u32) {
        let (channel, v) = self.state.split(slot);
        let bit = 1u32 << v;
        let owns = at == slot && self.state.channels[channel].free & bit == 0;
        let flits = self.state.holds[at as usize].here + self.state.holds[at as usize].flying;
        self.counters.flits_aborted += u64::from(flits);
        if !self.plain {
            self.state.buffers[slot as usize].occupied -= flits;
            self.forget_flights(at, slot);
            if self.switching.release == Release::Sent {
                self.state.unlink(at);
            }
        }
        // Older worms may still fill the buffer.
        let others = if self.plain { 0 } else { self.state.buffers[slot as usize].occupied };
        let full = others == self.state.buffer_flits;
        let row = &mut self.state.channels[channel];
        row.space |= if full { 0 } else { bit };
        if owns {
            row.free |= bit;
            row.flit &= !bit;
            row.source &= !bit;
        }
        let (router, fed) = (row.from, row.flit & row.space & bit != 0);
        self.state.holds[at as usize] = Hold::FREE;
        if at >= self.state.slots {
            self.state.sources_spare.push(at);
        } else if !self.plain {
            self.state.berths[at as usize] = Berth::at(slot);
        }
        if fed {
            self.state.activate(channel);
        }
        if self.state.waiting[router as usize] != NONE {
            self.state.look_at(router);
        }
        if !self.plain && self.switching.release == Release::Sent {
            self.next_in_buffer(slot, self.now);
        }
    }
}
