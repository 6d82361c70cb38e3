//! Free runs that pause: a worm whose head waits closes up and stands, and goes on again, as a whole.

use super::engine::WormholeEngine;
use super::records::{Motion, NONE, PAUSED, SINK};

impl WormholeEngine {
    /// A worm whose flits move one by one, and whose head's channel moves a flit in this cycle and
    /// in every following one, begins to run if all its channels are its own and what is behind the
    /// head moves with one pause at most. Answers whether it does.
    pub(super) fn try_begin(&mut self, worm: u32) -> bool {
        let mut chain = std::mem::take(&mut *self.work.chain);
        let last = self.pauses(worm, &mut chain);
        if let Some(last) = last {
            self.begin(worm, last, &chain);
        }
        chain.clear();
        *self.work.chain = chain;
        last.is_some()
    }

    /// The flits that come after the pause, and its length, of each hold of a worm that flits still
    /// come into, from the head's back. Answers the hold behind them; none, if the worm may not run.
    fn pauses(&self, worm: u32, chain: &mut Vec<(u32, (u32, u32))>) -> Option<u32> {
        let state = &self.state;
        let head = state.worm(worm).head;
        // The channel in front moves up to cycle `stop`, and from cycle `go` on.
        let (mut stop, mut go) = (u64::MAX, self.now);
        let mut at = head;
        loop {
            if at >= state.slots {
                let alone = state.emitting[state.worm(worm).source as usize] == 1;
                return alone.then_some(at);
            }
            let hold = state.hold(at);
            if at != head {
                if hold.here == 0 {
                    return None;
                }
                let room = u64::from(state.buffer_flits - hold.here);
                if stop == u64::MAX {
                    if room == 0 {
                        (stop, go) = (self.now, self.now + 1);
                    }
                } else if stop > self.now && room == 0 {
                    return None;
                } else if stop + room > go {
                    stop = u64::MAX;
                } else {
                    (stop, go) = (stop + room, go + 1);
                }
            }
            if hold.left == 0 {
                return Some(at);
            }
            let (channel, v) = state.split(at);
            let row = &state.channels[channel];
            if row.flit & !(1 << v) != 0 || row.run != 0 {
                return None;
            }
            let end = self.now + u64::from(hold.left);
            let pauses = stop != u64::MAX && end > stop;
            let pause = if pauses { ((end - stop) as u32, (go - stop) as u32) } else { (0, 0) };
            chain.push((at, pause));
            at = hold.prev;
        }
    }

    /// A worm begins to run, with these pauses of its holds; `last` is the one behind them.
    fn begin(&mut self, worm: u32, last: u32, chain: &[(u32, (u32, u32))]) {
        let state = &mut self.state;
        if last >= state.slots {
            state.emitter[state.worms[worm as usize].source as usize] = worm;
        } else {
            // It may be full now, and will be empty when it is let go.
            let (row, bit) = state.channel_of(last);
            row.space |= bit;
        }
        for &(at, (after, pause)) in chain {
            let hold = &mut state.holds[at as usize];
            hold.end = self.now + u64::from(hold.left);
            (hold.here, hold.flying) = (after, pause);
            let (row, bit) = state.channel_of(at);
            (row.flit, row.source, row.run) = (0, 0, bit);
            row.space |= bit;
        }
        let Some(&(tail, _)) = chain.last() else { return };
        let due = state.hold(tail).last();
        let row = &mut state.worms[worm as usize];
        row.motion = Motion::Free;
        row.entered = row.entered.min(self.now);
        let head = row.head;
        let crosses = state.hold(head).left == state.worm(worm).length;
        self.tail_crosses_next(worm, tail, due);
        if crosses {
            self.lead(worm, self.state.hold(head).next);
        }
    }

    /// The head of a worm is not granted what it requests: if the worm runs, its flits close up from
    /// now on, or it runs no longer.
    pub(super) fn stand(&mut self, worm: u32) {
        let row = self.state.worm(worm);
        if row.motion != Motion::Free {
            return;
        }
        let mut chain = std::mem::take(&mut *self.work.chain);
        if self.closes_up(worm, &mut chain) {
            let state = &mut self.state;
            for &(at, (left, after)) in &chain {
                let hold = &mut state.holds[at as usize];
                hold.end = self.now + u64::from(left);
                (hold.here, hold.flying) = (after, if after > 0 { PAUSED } else { 0 });
            }
            let row = &mut state.worms[worm as usize];
            row.motion = Motion::Stands;
            if row.tail != NONE && state.holds[row.tail as usize].here > 0 {
                row.due = u64::MAX;
            }
        }
        chain.clear();
        *self.work.chain = chain;
        if self.state.worm(worm).motion != Motion::Stands {
            self.dissolve(worm);
        }
    }

    /// For each hold that flits still come into, from the head's back: how many, and of them those
    /// that find no room before the head goes on. Answers no if a pause before is not over.
    fn closes_up(&self, worm: u32, chain: &mut Vec<(u32, (u32, u32))>) -> bool {
        let state = &self.state;
        let row = state.worm(worm);
        let (mut stop, mut front) = (self.now, row.length);
        for at in state.holds_of(row).take_while(|&at| at < state.slots) {
            let hold = state.hold(at);
            if hold.prev == NONE {
                break;
            }
            let after = u64::from(hold.here);
            if after > 0 && hold.end + u64::from(hold.flying) > self.now + after {
                return false;
            }
            let left = hold.remaining(self.now);
            stop += u64::from(state.buffer_flits - (front - left));
            front = left;
            let after = (self.now + u64::from(left)).saturating_sub(stop) as u32;
            if after > 0 && hold.prev >= state.slots && state.held[row.source as usize] != NONE {
                // Another message of its node would send in the meantime.
                return false;
            }
            chain.push((at, (left, after)));
        }
        true
    }

    /// A worm that stands goes on in this cycle; `head` is the hold in which its head stood.
    pub(super) fn resume(&mut self, worm: u32, head: u32) {
        let state = &mut self.state;
        // The cycle from which the channel in front moves again, if it has stopped.
        let mut go = Some(self.now);
        let mut at = head;
        while at < state.slots {
            let hold = &mut state.holds[at as usize];
            if hold.prev == NONE || hold.here == 0 {
                break;
            }
            let stop = hold.end - u64::from(hold.here);
            go = go.filter(|&go| stop <= go).map(|go| go + 1);
            if let Some(go) = go {
                hold.flying = (go - stop) as u32;
            } else {
                (hold.here, hold.flying) = (0, 0);
            }
            at = hold.prev;
        }
        let row = &mut state.worms[worm as usize];
        row.motion = Motion::Free;
        let tail = row.tail;
        if row.due == u64::MAX && tail != NONE {
            let due = state.hold(tail).last();
            self.tail_crosses_next(worm, tail, due);
        }
    }

    /// A worm has crossed a channel whole: if one other is left there, that may run free.
    #[inline]
    pub(super) fn leave_rival(&mut self, channel: usize) {
        let flit = self.state.channels[channel].flit;
        if flit.is_power_of_two() {
            let rival = self.state.slot(channel, flit.trailing_zeros());
            self.runs.revived.push(self.state.hold(rival).worm);
        }
    }

    /// Worms that have lost a rival run free again, if they may.
    #[inline]
    pub(super) fn revive(&mut self) {
        while let Some(worm) = self.runs.revived.pop() {
            let row = self.state.worm(worm);
            if !row.live || row.runs() || row.head == NONE || !self.free_runs {
                continue;
            }
            let head = self.state.hold(row.head);
            let moves = head.left > 0 && (head.next == SINK || head.left == row.length);
            if moves && self.state.hold(head.prev).here > 0 {
                self.try_begin(worm);
            }
        }
    }
}
