//! Free runs: a worm that shares nothing with another moves as a whole.
//!
//! While every channel that a worm crosses is its own (no other VC of it has a flit) and its node
//! emits nothing else, nothing needs doing flit by flit: each of its channels moves a flit in every
//! cycle, but for one pause, and per hold it suffices to know when the flits to come run out
//! ([`Hold::end`]) and which pause they make ([`Hold::remaining`]); the flits in a buffer are the
//! difference of two neighbours. What remains is an event per hop for the head (a grant) and one
//! for the tail (a timer). A pause begins where the head is not granted and its flits close up, and
//! ends some cycles after it goes on (`standing.rs`).
//!
//! A run ends when another worm gets a VC or a flit on one of its channels, or when its node emits a
//! second message that does not wait for it (`held.rs`); *dissolving* it writes the flits down where the formula says they are. Dissolving
//! is always neutral: whether and when it happens changes nothing but the cost. All of it happens
//! between the moves of two cycles.

use super::engine::WormholeEngine;
use super::records::{Hold, Motion, NONE, SINK};

impl WormholeEngine {
    /// Lets a worm that was just granted `vc`, on a channel where nobody else has a flit, run free
    /// if it may. Asked before the moves of this cycle; the head then crosses in it.
    #[inline]
    pub(super) fn try_run(&mut self, worm: u32, vc: u32) -> bool {
        if self.state.worm(worm).runs() {
            self.extend_run(worm, vc);
            return true;
        }
        self.free_runs && self.try_begin(worm)
    }

    /// Has a message leave its source free over VC `v` of `channel`, where nobody has a flit, from a
    /// node that sends nothing else; or answers that more must be looked at.
    #[inline]
    pub(super) fn sets_out(&mut self, worm: u32, channel: usize, v: u32) -> bool {
        let (row, ahead) = (self.state.worm(worm), &self.state.channels[channel]);
        let (node, left) = (row.source as usize, row.length);
        let alone = ahead.flit | ahead.run == 0 && self.state.emitting[node] == 0;
        // The tail of a message of one flit is its head.
        if !alone || !self.free_runs || left == 1 {
            return false;
        }
        let vc = self.state.slot(channel, v);
        let prev = self.leave_over(worm, vc);
        let state = &mut self.state;
        let row = &mut state.worms[worm as usize];
        let end = self.now + u64::from(left);
        (row.due, row.entered) = (end - 1, self.now);
        let next = if row.at == row.header.destination.0 { SINK } else { NONE };
        state.emitting[node] = 1;
        state.emitter[node] = worm;
        state.holds[vc as usize] = Hold { prev, next, worm, here: 0, left, flying: 0, end };
        self.runs.timers.push(end - 1, worm);
        self.lead(worm, next);
        true
    }

    /// Has a worm that runs free go on into VC `v` of `channel`, where nobody else has a flit; or
    /// answers that more must be looked at.
    #[inline]
    pub(super) fn goes_on(&mut self, worm: u32, channel: usize, v: u32) -> bool {
        let state = &mut self.state;
        let (row, ahead) = (&mut state.worms[worm as usize], &mut state.channels[channel]);
        if row.motion != Motion::Free || ahead.flit | ahead.run != 0 || row.tail == NONE {
            return false;
        }
        let vc = (channel << state.shift) as u32 + v;
        ahead.free &= !(1 << v);
        ahead.run = 1 << v;
        let prev = row.head;
        row.go_to(vc, ahead.to);
        let next = if row.at == row.header.destination.0 { SINK } else { NONE };
        let (left, end) = (row.length, self.now + u64::from(row.length));
        state.holds[prev as usize].next = vc;
        state.holds[vc as usize] = Hold { prev, next, worm, here: 0, left, flying: 0, end };
        self.lead(worm, next);
        true
    }

    /// The head of a running worm goes on into `vc`.
    fn extend_run(&mut self, worm: u32, vc: u32) {
        if self.state.worm(worm).motion == Motion::Stands {
            self.resume(worm, self.state.hold(vc).prev);
        }
        let state = &mut self.state;
        let row = &state.worms[worm as usize];
        let each = u64::from(state.pace.each);
        let end = self.now + u64::from(row.length) * each;
        let (hold, whole) = (&mut state.holds[vc as usize], row.tail == NONE);
        (hold.end, hold.here, hold.flying) = (end, 0, 0);
        let next = hold.next;
        if vc < state.slots {
            let (row, bit) = state.channel_of(vc);
            row.run |= bit;
        }
        self.head_crosses_into(worm, next);
        if whole {
            self.tail_crosses_next(worm, vc, end - each);
        }
    }

    /// The head crosses in this cycle into a hold before which lies `next`.
    pub(super) fn head_crosses_into(&mut self, worm: u32, next: u32) {
        if !self.state.pace.far {
            self.lead(worm, next);
        } else if next != SINK {
            self.runs.coming.push(self.now + u64::from(self.state.pace.delay), worm);
        }
    }

    /// The tail crosses into `vc` in cycle `due`, or waits for the next grant (`u64::MAX`).
    pub(super) fn tail_crosses_next(&mut self, worm: u32, vc: u32, due: u64) {
        let row = &mut self.state.worms[worm as usize];
        (row.tail, row.due) = (vc, due);
        if due != u64::MAX {
            self.runs.timers.push(due, worm);
        }
    }

    /// The head crosses into a hold in this cycle, before which lies `next`: it is consumed, or
    /// requests in the next cycle.
    #[inline]
    pub(super) fn lead(&mut self, worm: u32, next: u32) {
        if next != SINK {
            self.runs.heads.push(worm);
        }
    }

    /// Whether a worm may run over VC `v` of `channel`, of a machine with tables: nobody shares the
    /// channel with it, and nothing stands in the VC's buffer.
    pub(super) fn is_clear(&self, channel: usize, v: u32) -> bool {
        let state = &self.state;
        let (row, slot) = (&state.channels[channel], state.slot(channel, v));
        let others = row.flit | row.run;
        let alone = others == 0 || state.pace.private;
        alone && state.hold(slot).worm == NONE && state.buffers[slot as usize].front == NONE
    }

    /// Whatever shares VC `v` of `channel` with `worm` runs free no longer, nor does this.
    pub(super) fn dissolve_on(&mut self, channel: usize, v: u32, worm: u32) {
        let row = &self.state.channels[channel];
        if row.run != 0 && !self.state.pace.private {
            let vc = self.state.slot(channel, row.run.trailing_zeros());
            self.dissolve(self.state.hold(vc).worm);
        }
        let holder = self.state.hold(self.state.slot(channel, v)).worm;
        if holder != NONE {
            self.dissolve(holder);
        }
        self.dissolve(worm);
    }

    /// Dissolves the runs that met another worm's flit in the cycle before.
    #[inline]
    pub(super) fn part_clashes(&mut self) {
        while let Some(worm) = self.runs.clashes.pop() {
            self.dissolve(worm);
        }
    }
}
