//! Moves heads and tails of free runs, hop by hop.
//!
//! Credits still under way after a worm has left are recorded here.

use super::engine::WormholeEngine;
use super::pick::after;
use super::records::{Hold, Motion, NONE, SINK, Worm};
use super::rules::Rules;
use super::state::State;
use crate::engine::wheel::Wheel;
use crate::ids::NodeId;
use crate::switching::Allocation;

impl WormholeEngine {
    /// Processes the tail timers of this cycle.
    #[inline]
    pub(super) fn run_tails<M: Rules>(&mut self) {
        if !self.runs.timers.is_due(self.now) {
            return;
        }
        let bucket = self.runs.timers.take(self.now);
        for &worm in &bucket {
            let row = self.state.worm(worm);
            if !row.live || !row.runs() {
                continue;
            }
            if row.due == self.now {
                self.send_run_tail::<M>(worm);
            } else if row.due != u64::MAX
                && row.due > self.now
                && Wheel::is_same_bucket(row.due, self.now)
            {
                self.runs.timers.push(row.due, worm);
            }
        }
        self.runs.timers.recycle(bucket);
    }

    /// Sends the tail of a running worm over its next channel in this cycle.
    #[inline]
    fn send_run_tail<M: Rules>(&mut self, worm: u32) {
        let pace = self.pace::<M>();
        let State { worms, holds, channels, heads, shift, slots, links, virtual_channels, .. } =
            &mut self.state;
        let row = &mut worms[worm as usize];
        let vc = row.tail;
        let hold = &mut holds[vc as usize];
        let Hold { prev, next, left, here: paused, .. } = *hold;
        (hold.prev, hold.left) = (NONE, 0);
        if !pace.far {
            (hold.here, hold.flying) = (0, 0);
        }
        let moved = u64::from(left);
        if !M::TABLES || vc < *slots {
            let ahead = &mut channels[(vc >> *shift) as usize];
            let v = vc & ((1 << *shift) - 1);
            ahead.crossed += moved;
            ahead.run &= !(1 << v);
            heads.prefetch(ahead.from);
            if !M::FIXED {
                ahead.pointer = after(v, *virtual_channels);
            }
        }
        if !M::TABLES || (vc >> *shift) < *links as u32 {
            self.common.counters.flit_hops += moved;
        }
        row.tail = next;
        if next < SINK {
            let ahead = &holds[next as usize];
            row.due = ahead.last(pace);
            if row.due != u64::MAX {
                self.runs.timers.push(row.due, worm);
            }
        } else {
            // The tail is in a sink, or waits at the hold of the head for the next grant.
            row.due = u64::MAX;
        }
        let node = row.source as usize;
        if next == SINK {
            self.common.counters.flits_consumed += moved;
        }
        if M::TABLES {
            return self.run_tail_left::<M>(vc, prev, moved, paused);
        }
        if next == SINK {
            row.motion = Motion::Single;
        }
        if prev < *slots {
            let behind = &mut holds[prev as usize];
            (behind.worm, behind.here) = (NONE, 0);
            self.state.free_vc(prev);
        } else {
            self.common.counters.flits_injected += moved;
            self.tail_leaves::<M>(prev);
            self.release_delayed(node);
        }
        if next == SINK {
            self.all_consumed::<M>(vc, self.now + 1);
        }
    }

    /// Handles the tail of a running worm that has left `prev` for `vc`; `paused` of its flits
    /// followed a pause.
    #[inline]
    fn run_tail_left<M: Rules>(&mut self, vc: u32, prev: u32, moved: u64, paused: u32) {
        let state = &mut self.state;
        let (pace, Hold { next, worm, .. }) = (state.pace, *state.hold(vc));
        if vc >= state.slots {
            let node = NodeId(state.worm(worm).destination);
            let channel = self.common.network.ejection_of(node);
            if let Some(channel) = channel {
                state.channels[channel.index()].crossed += moved;
            }
        }
        if prev >= state.slots {
            self.common.counters.flits_injected += moved;
            self.tail_leaves::<M>(prev);
        } else {
            if pace.credit > 1 {
                self.leave_credits(prev, vc, paused);
            }
            let state = &mut self.state;
            state.holds[prev as usize] = Hold::FREE;
            if !M::SENT {
                state.free_vc(prev);
            }
        }
        if pace.far {
            if M::SENT && M::FAR && !M::FIXED && vc < self.state.slots {
                self.tail_is_sent::<M>(vc);
            }
            if next == SINK || M::FIXED && M::SENT {
                let come = if next == SINK { pace.delay } else { pace.each };
                self.runs.tails.push(self.now + u64::from(come), vc);
            }
            if next == SINK && M::FIXED && M::FAR && M::SENT {
                self.runs.tails.push(self.now + u64::from(pace.each), vc);
            }
            return;
        }
        self.run_tail_arrives::<M>(vc, worm, self.now + 1);
    }

    /// Lets the tail of a running worm leave the buffer of `vc` before the VC is granted again, if
    /// both are due in this cycle. The tail is then under way, unobservable by others.
    pub(super) fn tail_leaves_first<M: Rules>(&mut self, vc: u32) {
        let state = &self.state;
        let hold = state.hold(vc);
        if hold.worm != NONE && hold.prev == NONE {
            let row = state.worm(hold.worm);
            if row.runs() && row.tail == hold.next && row.due == self.now && self.moves_on(row) {
                self.send_run_tail::<M>(hold.worm);
            }
        }
    }

    /// True if the flits of a running worm follow their schedules regardless of grants to its head
    /// in this cycle.
    fn moves_on(&self, worm: &Worm) -> bool {
        let head = self.state.hold(worm.head);
        let under_way = head.sends(worm.length, self.state.pace) + u64::from(self.state.pace.delay);
        worm.motion == Motion::Blocked || head.next == SINK || under_way > self.now
    }

    /// Handles the arrival of the tail of a running worm by cycle `done`.
    #[inline]
    fn run_tail_arrives<M: Rules>(&mut self, vc: u32, worm: u32, done: u64) {
        if self.state.hold(vc).next == SINK {
            self.state.worms[worm as usize].motion = Motion::Single;
            self.all_consumed::<M>(vc, done);
        } else if M::SENT && !M::FAR {
            self.state.free_vc(vc);
        }
    }

    /// Handles the tails, then the heads, of running worms that arrive at the start of this cycle.
    pub(super) fn land_run_arrivals<M: Rules>(&mut self) {
        if self.runs.tails.is_due(self.now) {
            let bucket = self.runs.tails.take(self.now);
            for &vc in &bucket {
                self.tail_lands::<M>(vc);
            }
            self.runs.tails.recycle(bucket);
        }
        if self.runs.coming.is_due(self.now) {
            let bucket = self.runs.coming.take(self.now);
            for &worm in &bucket {
                let row = self.state.worm(worm);
                if row.live && row.runs() && self.head_is_due(worm) {
                    self.run_head_arrives(worm, self.now);
                }
            }
            self.runs.coming.recycle(bucket);
        }
    }

    fn tail_lands<M: Rules>(&mut self, vc: u32) {
        let (state, now) = (&self.state, self.now);
        let (pace, hold) = (state.pace, *state.hold(vc));
        // The row of a lost worm may have become a source.
        let has_tail = hold.worm != NONE && hold.prev == NONE && !state.is_source(vc);
        if !has_tail || !state.worm(hold.worm).runs() {
            return;
        }
        let sent = hold.last(pace);
        if M::SENT && M::FIXED && M::FAR && sent + u64::from(pace.each) == now {
            self.tail_is_sent::<M>(vc);
        }
        if sent + u64::from(pace.delay) == now {
            self.run_tail_arrives::<M>(vc, hold.worm, now);
        }
    }

    /// True if the head of a running worm arrives now.
    fn head_is_due(&self, worm: u32) -> bool {
        let state = &self.state;
        let row = state.worm(worm);
        let sent = state.hold(row.head).sends(row.length, state.pace);
        sent + u64::from(state.pace.delay) == self.now
    }

    /// Handles the arrival of the head of a running worm at a router, with a request from cycle
    /// `from`.
    #[expect(clippy::inline_always, reason = "once for each hop of a head")]
    #[inline(always)]
    fn run_head_arrives(&mut self, worm: u32, from: u64) {
        let row = &mut self.state.worms[worm as usize];
        row.requests_since = from;
        row.stopped_since = self.now;
        if self.switching.allocation != Allocation::OldestFirst {
            self.rank_arrival(worm, from - 1);
            self.rank_request(worm, from);
        }
        self.mark_head(worm);
    }

    /// Records the credits of a running worm that has sent its last flit from `prev` to `vc` in
    /// this cycle. Consecutive credits are stored only as their number: those of all flits, or of
    /// the flits after the last pause.
    fn leave_credits(&mut self, prev: u32, vc: u32, paused: u32) {
        let (pace, hold) = (self.state.pace, *self.state.hold(vc));
        let length = self.state.worm(hold.worm).length;
        let together = if paused > 0 { paused } else { length };
        let buffer = &mut self.state.buffers[prev as usize];
        debug_assert!(buffer.credits == 0);
        (buffer.left, buffer.credits) = (self.now, together);
        for behind in together + 1..=length {
            let back = hold.sends(behind, pace) + u64::from(pace.credit);
            if back <= self.now {
                break;
            }
            self.state.credits.push(back, prev);
            self.state.buffers[prev as usize].occupied += 1;
        }
    }

    /// Schedules the credits under way to the sender of a VC that a running worm has left.
    pub(super) fn schedule_credits(&mut self, vc: u32) {
        let State { pace, .. } = self.state;
        let now = self.now + self.state.arrivals_done;
        let buffer = &mut self.state.buffers[vc as usize];
        let credits = std::mem::replace(&mut buffer.credits, 0);
        if credits == 0 {
            return;
        }
        for flit in 0..u64::from(credits) {
            let back = buffer.left + u64::from(pace.credit) - flit * u64::from(pace.each);
            if back < now {
                break;
            }
            buffer.occupied += 1;
            self.state.credits.push(back, vc);
        }
        // Together with credits scheduled earlier, these may occupy all slots.
        if !(self.state.is_held(vc) && self.state.hold(vc).next == SINK) {
            self.state.may_be_full_again(vc);
        }
    }

    /// Adds the requests of heads that crossed in this cycle to the next allocation.
    #[inline]
    pub(super) fn run_heads<M: Rules>(&mut self) {
        let mut heads = std::mem::take(&mut self.runs.heads);
        for &worm in &heads {
            // Skips worms dissolved in the meantime: their heads move like single flits.
            if self.state.worm(worm).runs() {
                self.run_head_arrives(worm, self.now + 1);
                self.fetch_ahead::<M>(worm);
            }
        }
        heads.clear();
        self.runs.heads = heads;
    }
}
