//! Delays the free run of a message until the older message of its node has left.
//!
//! A node sends the flits of its oldest message first, so a younger message ready to start also
//! runs freely, paused until the older message has left.

use super::engine::WormholeEngine;
use super::pick::after;
use super::records::{Hold, InBuffer, Motion, NONE, PAUSED, SINK};

impl WormholeEngine {
    /// Holds back a message just granted VC `v` of `channel`, behind an older free run of its node
    /// without a pause. Returns false if the general rules apply.
    #[inline]
    pub(super) fn try_delay(&mut self, worm: u32, channel: usize, v: u32) -> bool {
        let state = &self.state;
        let (row, ahead) = (state.worm(worm), &state.channels[channel]);
        let node = row.source as usize;
        let emitter = state.emitter[node];
        let alone = ahead.flit | ahead.run == 0 && state.emitting[node] == 1;
        if !alone || emitter == NONE || row.length == 1 {
            return false;
        }
        let older = state.worm(emitter);
        if older.motion != Motion::Free || older.tail == NONE || older.age() > row.age() {
            return false;
        }
        let tail = state.hold(older.tail);
        if tail.prev < state.slots || tail.prev == NONE || tail.here > 0 {
            return false;
        }
        self.delay(worm, channel, v);
        true
    }

    #[inline(never)]
    fn delay(&mut self, worm: u32, channel: usize, v: u32) {
        let vc = self.state.slot(channel, v);
        let prev = self.enter_first_vc(worm, vc);
        let state = &mut self.state;
        let row = &mut state.worms[worm as usize];
        row.due = u64::MAX;
        let (node, left) = (row.source as usize, row.length);
        let next = if row.at == row.header.destination.0 { SINK } else { NONE };
        state.emitting[node] = 2;
        state.delayed[node] = worm;
        // All flits follow after a pause.
        let pause = Hold { here: left, flying: PAUSED, end: self.now, ..Hold::FREE };
        state.holds[vc as usize] = Hold { prev, next, worm, left, ..pause };
    }

    /// Moves a free run to its first VC. Returns the row of its source.
    #[inline]
    pub(super) fn enter_first_vc(&mut self, worm: u32, vc: u32) -> u32 {
        let state = &mut self.state;
        let (ahead, bit) = state.channel_of(vc);
        ahead.free &= !bit;
        ahead.run |= bit;
        let to = ahead.to;
        let row = &mut state.worms[worm as usize];
        row.go_to(vc, to);
        (row.tail, row.motion) = (vc, Motion::Free);
        let source = Hold { next: vc, worm, here: row.length, ..Hold::FREE };
        state.new_hold(source, InBuffer::of(NONE))
    }

    /// Starts the delayed message of a node, in the next cycle, after the last flit of the older
    /// message.
    #[inline]
    pub(super) fn release_delayed(&mut self, node: usize) {
        let worm = std::mem::replace(&mut self.state.delayed[node], NONE);
        if worm == NONE {
            return;
        }
        self.pass_turn(worm);
        let state = &mut self.state;
        state.emitter[node] = worm;
        let row = &mut state.worms[worm as usize];
        let end = self.now + 1 + u64::from(row.length);
        (row.due, row.entered) = (end - 1, self.now + 1);
        let hold = &mut state.holds[row.head as usize];
        (hold.here, hold.flying, hold.end) = (0, 0, end);
        self.runs.timers.push(end - 1, worm);
        self.runs.starting.push(worm);
    }

    /// Moves the heads of messages released in the previous cycle.
    #[inline]
    pub(super) fn start_delayed(&mut self) {
        while let Some(worm) = self.runs.starting.pop() {
            let row = self.state.worm(worm);
            if row.runs() {
                self.request_next(worm, self.state.hold(row.head).next);
            }
        }
    }

    /// Dissolves both messages of a node ordered by [`Self::try_delay`] if either run ends: they
    /// compete flit by flit again. Returns true if there were such messages.
    pub(super) fn dissolve_delayed(&mut self, worm: u32) -> bool {
        let node = self.state.worm(worm).source as usize;
        let (held, emitter) = (self.state.delayed[node], self.state.emitter[node]);
        if held == NONE || (held != worm && emitter != worm) {
            return false;
        }
        self.state.delayed[node] = NONE;
        if self.now > self.state.hold(self.state.worm(held).head).end {
            self.pass_turn(held);
        }
        self.dissolve(held);
        self.dissolve(emitter);
        true
    }

    /// Advances the pointer of the channel of a delayed message, as after a pick without a move.
    fn pass_turn(&mut self, worm: u32) {
        let (channel, v) = self.state.split(self.state.worm(worm).head);
        self.state.channels[channel].pointer = after(v, self.state.virtual_channels);
    }
}
