//! Free runs: a worm that shares no channel or buffer moves in bulk.
//!
//! A worm runs freely while every channel it crosses is its own (no other VC of the channel has a
//! flit, or every VC is a separate channel), its buffers contain no other worm, and its node emits
//! nothing else over the same channel. No work per flit is then necessary: each channel moves a
//! flit in every turn (`pace.rs`), except for one pause. Per hold, the engine stores the time when
//! all flits to come have been sent ([`Hold::end`]), and the pause ([`Hold::remaining`]); the flits
//! in a buffer are the difference between two neighbouring holds (`formula.rs`). The remaining work
//! is an event per hop for the head (a grant), and another for the tail (a timer, `tails.rs`). A
//! pause begins when the head is blocked and its flits close up, and ends some cycles after the
//! head continues (`paused_runs.rs`). Buffers must be deep enough for credits to return in time; slots
//! and credits are then not counted.
//!
//! A run ends when another worm is granted a VC or sends a flit on one of its channels, or enters
//! one of its buffers, or when its node emits a second message that does not wait for it
//! (`delayed.rs`). *Dissolving* a run stores its flits in the positions given by the formula.
//! Dissolving is always neutral: its time affects only the cost. All of this happens between the
//! moves of two cycles.

use super::engine::WormholeEngine;
use super::pace::Pace;
use super::records::{Hold, Motion, NONE, SINK};
use super::rules::Rules;

impl WormholeEngine {
    /// The pace of consecutive flits, a compile-time constant for the default machine.
    #[inline]
    pub(super) fn pace<M: Rules>(&self) -> Pace {
        if M::TABLES { self.state.pace } else { Pace::DEFAULT }
    }

    /// Starts a free run from the source over VC `v` of `channel`, if clear, at a node that sends
    /// nothing else. Returns false if the general rules apply.
    #[inline]
    pub(super) fn start_run<M: Rules>(&mut self, worm: u32, channel: usize, v: u32) -> bool {
        let (pace, clear) = (self.pace::<M>(), self.is_clear::<M>(channel, v));
        let row = self.state.worm(worm);
        let (node, left) = (row.source as usize, row.length);
        let shares = !M::TABLES || self.state.flit_by_flit;
        let alone = clear && (self.state.emitting[node] == 0 || !shares);
        // The tail of a message of length 1 is its head.
        if !alone || !self.free_runs || left == 1 {
            return false;
        }
        let vc = self.state.slot(channel, v);
        let next = self.next_over::<M>(worm, channel);
        let prev = self.enter_first_vc(worm, vc);
        let state = &mut self.state;
        let row = &mut state.worms[worm as usize];
        let (end, each) = (self.now + u64::from(left * pace.each), u64::from(pace.each));
        (row.due, row.entered) = (end - each, self.now);
        state.emitting[node] += 1;
        if shares {
            state.emitter[node] = worm;
        }
        state.holds[vc as usize] = Hold { prev, next, worm, here: 0, left, flying: 0, end };
        self.runs.timers.push(end - each, worm);
        self.send_head::<M>(worm, vc, next);
        true
    }

    /// Extends a free run into VC `v` of `channel`, if no other worm has a flit there. Returns
    /// false if the general rules apply.
    #[inline]
    pub(super) fn continue_run(&mut self, worm: u32, channel: usize, v: u32) -> bool {
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
        state.heads.prefetch(row.at);
        let next = if row.at == row.header.destination.0 { SINK } else { NONE };
        let (left, end) = (row.length, self.now + u64::from(row.length));
        state.holds[prev as usize].next = vc;
        state.holds[vc as usize] = Hold { prev, next, worm, here: 0, left, flying: 0, end };
        self.request_next(worm, next);
        true
    }

    /// Grants a running worm VC `v` of `channel`, clear of other flits.
    pub(super) fn extend_run<M: Rules>(&mut self, worm: u32, channel: usize, v: u32) {
        let next = self.next_over::<M>(worm, channel);
        let state = &mut self.state;
        let vc = state.slot(channel, v);
        let ahead = &mut state.channels[channel];
        debug_assert!(ahead.free >> v & 1 == 1);
        ahead.free &= !(1 << v);
        ahead.run |= 1 << v;
        let row = &mut state.worms[worm as usize];
        let (prev, left) = (row.head, row.length);
        row.go_to(vc, ahead.to);
        state.holds[prev as usize].next = vc;
        state.holds[vc as usize] = Hold { prev, next, worm, left, ..Hold::FREE };
        self.advance_head::<M>(worm, vc);
    }

    /// Moves the head of a running worm into the hold `at` in this cycle.
    #[inline]
    pub(super) fn advance_head<M: Rules>(&mut self, worm: u32, at: u32) {
        let (pace, Hold { prev, next, .. }) = (self.pace::<M>(), *self.state.hold(at));
        if self.state.worm(worm).motion == Motion::Blocked {
            self.resume::<M>(worm, prev);
        }
        let row = self.state.worm(worm);
        let (end, whole) = (self.now + u64::from(row.length * pace.each), row.tail == NONE);
        self.state.holds[at as usize].end = end;
        self.send_head::<M>(worm, at, next);
        if whole {
            self.tail_crosses_next(worm, at, end - u64::from(pace.each));
        }
    }

    /// Sends the head of a running worm in this cycle into the hold `at`, followed by `next`.
    #[inline]
    pub(super) fn send_head<M: Rules>(&mut self, worm: u32, at: u32, next: u32) {
        if M::SENT && next == NONE {
            self.state.worms[worm as usize].stopped_since = self.now;
            self.state.buffers[at as usize].granted = self.now;
        }
        if !M::FAR && !M::FIXED {
            self.request_next(worm, next);
        } else if next != SINK {
            self.runs.coming.push(self.now + u64::from(self.state.pace.delay), worm);
        }
    }

    /// Schedules the tail to cross into `vc` in cycle `due`, or after the next grant (`u64::MAX`).
    pub(super) fn tail_crosses_next(&mut self, worm: u32, vc: u32, due: u64) {
        let row = &mut self.state.worms[worm as usize];
        (row.tail, row.due) = (vc, due);
        if due != u64::MAX {
            self.runs.timers.push(due, worm);
        }
    }

    /// Schedules the request of a head that crosses into a hold in this cycle, unless `next` shows
    /// that the head is consumed.
    #[inline]
    pub(super) fn request_next(&mut self, worm: u32, next: u32) {
        if next != SINK {
            self.runs.heads.push(worm);
        }
    }

    /// True if a worm may run over VC `v` of `channel`: the channel is not shared, and the buffer
    /// of the VC is empty.
    #[inline]
    pub(super) fn is_clear<M: Rules>(&mut self, channel: usize, v: u32) -> bool {
        let row = &self.state.channels[channel];
        let alone = M::FIXED || row.flit | row.run == 0;
        if !M::TABLES {
            return alone;
        }
        let slot = self.state.slot(channel, v);
        if M::FIXED && M::SENT {
            self.tail_leaves_first::<M>(slot);
        }
        if M::FAR {
            self.schedule_credits(slot);
        }
        let state = &self.state;
        let buffer = &state.buffers[slot as usize];
        // Flits of several worms leave faster than flits of a single worm arrive: all slots may be
        // under way.
        let back = !(M::FIXED && M::SENT && M::FAR) || buffer.occupied == 0;
        alone && state.hold(slot).worm == NONE && buffer.front == NONE && back
    }

    /// Dissolves all runs that share VC `v` of `channel` with `worm`, and the run of `worm`.
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

    /// Dissolves the runs that met a flit of another worm in the previous cycle.
    #[inline]
    pub(super) fn dissolve_clashing(&mut self) {
        while let Some(worm) = self.runs.clashes.pop() {
            self.dissolve(worm);
        }
    }
}

#[cfg(test)]
mod tests;
