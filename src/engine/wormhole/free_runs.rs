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
use super::pick::after;
use super::records::{Hold, Motion, NONE, SINK};
use super::rules::Default;
use super::state::State;
use super::wheel::Wheel;
use crate::engine::totals::Counters;

impl State {
    /// The flits of `hold` in its buffer and those yet to come in, running or not, before the moves
    /// of cycle `now`.
    pub fn flits(&self, hold: u32, now: u64) -> (u32, u32) {
        let row = self.hold(hold);
        let worm = self.worm(row.worm);
        if !worm.runs() {
            return (row.here, row.left);
        }
        let left = |row: &Hold| if row.prev == NONE { 0 } else { row.remaining(now) };
        let here = match row.next {
            SINK => 0,
            NONE => worm.length - left(row),
            next => left(self.hold(next)) - left(row),
        };
        (here, left(row))
    }

    /// Flits under way to a hold: none to one whose worm runs free.
    pub fn flying(&self, hold: u32) -> u32 {
        if self.worm_of(hold).runs() { 0 } else { self.hold(hold).flying }
    }

    /// Flits that have crossed a channel since cycle 0, those of a running worm included.
    pub fn crossed(&self, channel: usize, now: u64) -> u64 {
        let row = &self.channels[channel];
        if row.run == 0 {
            return row.crossed;
        }
        let hold = &self.holds[self.slot(channel, row.run.trailing_zeros()) as usize];
        row.crossed + u64::from(hold.left - hold.remaining(now))
    }

    /// Writes down how far a running hold has come: its flits and what its channel has moved, which
    /// it answers.
    fn settle(&mut self, hold: u32, (here, left): (u32, u32)) -> u32 {
        let row = &mut self.holds[hold as usize];
        let moved = row.left - left;
        (row.here, row.left, row.flying) = (here, left, 0);
        if hold < self.slots {
            self.count_moves(hold, moved);
        }
        moved
    }

    /// A running worm has moved flits into a VC.
    fn count_moves(&mut self, vc: u32, moved: u32) {
        let (channel, v) = self.split(vc);
        let next = after(v, self.virtual_channels);
        let row = &mut self.channels[channel];
        row.crossed += u64::from(moved);
        if moved > 0 {
            row.pointer = next;
        }
    }
}

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
        let end = self.now + u64::from(self.state.worm(worm).length);
        let state = &mut self.state;
        let hold = &mut state.holds[vc as usize];
        (hold.end, hold.here, hold.flying) = (end, 0, 0);
        let (row, bit) = state.channel_of(vc);
        (row.flit, row.source, row.run) = (0, 0, bit);
        let next = self.state.hold(vc).next;
        self.lead(worm, next);
        if self.state.worm(worm).tail == NONE {
            self.tail_crosses_next(worm, vc, end - 1);
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

    /// Whatever runs on `channel` runs free no longer.
    pub(super) fn dissolve_on(&mut self, channel: usize) {
        let run = self.state.channels[channel].run;
        if run != 0 {
            let vc = self.state.slot(channel, run.trailing_zeros());
            self.dissolve(self.state.hold(vc).worm);
        }
    }

    /// Turns a running worm back into flits, as they stand before the moves of this cycle.
    #[inline(never)]
    pub(super) fn dissolve(&mut self, worm: u32) {
        if !self.state.worm(worm).runs() || self.let_go(worm) {
            return;
        }
        let state = &mut self.state;
        // From the head back: a hold's flits are told from the one in front, which must still be
        // as the run left it, so all are settled before any is put back to work.
        let mut chain = std::mem::take(&mut *self.work.chain);
        for at in state.holds_of(state.worm(worm)) {
            chain.push((at, state.flits(at, self.now)));
        }
        for &(hold, flits) in &chain {
            let moved = state.settle(hold, flits);
            count_moved(&mut self.common.counters, state, hold, moved);
        }
        let row = &mut state.worms[worm as usize];
        row.motion = Motion::Single;
        for &(hold, (here, left)) in &chain {
            if hold >= state.slots {
                if here == state.worm(worm).length {
                    // It has not left its source after all.
                    state.worms[worm as usize].entered = u64::MAX;
                }
            } else if left > 0 {
                state.put_back(hold);
            } else if here == state.buffer_flits {
                let (row, bit) = state.channel_of(hold);
                row.space &= !bit;
            }
        }
        chain.clear();
        *self.work.chain = chain;
    }

    /// Adds what worms that run free have moved and is not counted yet: by worms or by channels,
    /// whichever are fewer. Far beyond saturation most worms wait at their sources.
    pub(super) fn count_running(&self, counters: &mut Counters) {
        let state = &self.state;
        let mut count = |at: u32| {
            let hold = state.hold(at);
            if hold.prev != NONE && at < state.slots {
                count_moved(counters, state, at, hold.left - hold.remaining(self.now));
            }
        };
        if state.worms.len() < state.channels.len() {
            let running = state.live().filter(|(_, worm)| worm.runs());
            running.flat_map(|(_, worm)| state.holds_of(worm)).for_each(count);
        } else {
            let running = state.channels.iter().enumerate().filter(|(_, row)| row.run != 0);
            running.for_each(|(at, row)| count(state.slot(at, row.run.trailing_zeros())));
        }
    }

    /// Works off the tail timers of this cycle.
    #[inline]
    pub(super) fn run_tails(&mut self) {
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
                self.tail_runs(worm);
            } else if row.due != u64::MAX
                && row.due > self.now
                && Wheel::is_same_bucket(row.due, self.now)
            {
                self.runs.timers.push(row.due, worm);
            }
        }
        self.runs.timers.recycle(bucket);
    }

    /// The tail of a running worm crosses its next channel in this cycle.
    #[inline]
    fn tail_runs(&mut self, worm: u32) {
        let State { worms, holds, channels, shift, slots, virtual_channels, .. } = &mut self.state;
        let row = &mut worms[worm as usize];
        let vc = row.tail;
        let hold = &mut holds[vc as usize];
        let Hold { prev, next, left, .. } = *hold;
        (hold.prev, hold.left, hold.here, hold.flying) = (NONE, 0, 0, 0);
        let ahead = &mut channels[(vc >> *shift) as usize];
        let moved = u64::from(left);
        ahead.crossed += moved;
        ahead.pointer = after(vc & ((1 << *shift) - 1), *virtual_channels);
        ahead.run = 0;
        self.common.counters.flit_hops += moved;
        row.tail = next;
        if next < SINK {
            row.due = holds[next as usize].last();
            if row.due != u64::MAX {
                self.runs.timers.push(row.due, worm);
            }
        } else {
            // In a sink; or a message of one flit, whose tail is its head and waits for a grant.
            row.due = u64::MAX;
        }
        let node = row.source as usize;
        if next == SINK {
            self.common.counters.flits_consumed += moved;
            row.motion = Motion::Single;
        }
        if prev < *slots {
            let behind = &mut holds[prev as usize];
            (behind.worm, behind.here) = (NONE, 0);
            self.state.free_vc(prev);
        } else {
            self.common.counters.flits_injected += moved;
            self.tail_leaves::<Default>(prev, vc);
            self.release(node);
        }
        if next == SINK {
            self.all_consumed::<Default>(vc, self.now + 1);
        }
    }

    /// The heads that crossed in this cycle request in the next.
    #[inline]
    pub(super) fn run_heads(&mut self) {
        let mut heads = std::mem::take(&mut self.runs.heads);
        for &worm in &heads {
            let row = &mut self.state.worms[worm as usize];
            // Dissolved in the meantime: its head moves, or not, like any flit.
            if row.runs() {
                row.requests_since = self.now + 1;
                self.head_arrived(worm, self.now);
                self.request(worm, self.now + 1);
            }
        }
        heads.clear();
        self.runs.heads = heads;
    }

    /// Dissolves the runs that met another worm's flit in the cycle before.
    #[inline]
    pub(super) fn part_clashes(&mut self) {
        while let Some(worm) = self.runs.clashes.pop() {
            self.dissolve(worm);
        }
    }
}

impl State {
    /// A hold whose worm no longer runs: its channel moves flits one by one again.
    fn put_back(&mut self, vc: u32) {
        let hold = self.hold(vc);
        let behind = self.hold(hold.prev).here;
        let fed_by_source = hold.prev >= self.slots;
        let room = hold.next == SINK || hold.here < self.buffer_flits;
        let (row, bit) = self.channel_of(vc);
        row.run = 0;
        if !room {
            row.space &= !bit;
        }
        if fed_by_source {
            row.source |= bit;
        }
        if behind > 0 {
            row.flit |= bit;
            if room {
                self.activate((vc >> self.shift) as usize);
            }
        }
    }
}

/// Counts flits that have moved into a running hold.
#[inline]
fn count_moved(counters: &mut Counters, state: &State, hold: u32, moved: u32) {
    if hold >= state.slots {
        return;
    }
    let (row, moved) = (state.hold(hold), u64::from(moved));
    counters.flit_hops += moved;
    if row.next == SINK {
        counters.flits_consumed += moved;
    }
    if row.prev >= state.slots && row.prev != NONE {
        counters.flits_injected += moved;
    }
}
