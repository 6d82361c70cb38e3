//! Pauses and resumes free runs: flits close up behind a blocked head.

use super::engine::WormholeEngine;
use super::pace::{Pace, Schedule};
use super::records::{Hold, Motion, NONE, PAUSED, Place, SINK};
use super::rules::Rules;
use super::state::State;
use crate::switching::Ejection;

impl WormholeEngine {
    /// Starts a free run of a worm in flit-by-flit motion, if all its channels are its own, and if
    /// the flits behind the head move with at most one pause. The channel of the head must move a
    /// flit in this and every following cycle. Returns true on success.
    pub(super) fn try_begin<M: Rules>(&mut self, worm: u32) -> bool {
        let mut schedules = std::mem::take(&mut *self.work.schedules);
        let last = self.schedules::<M>(worm, &mut schedules);
        if let Some(last) = last {
            self.begin::<M>(worm, last, &schedules);
        }
        schedules.clear();
        *self.work.schedules = schedules;
        last.is_some()
    }

    /// Computes the schedules of the holds of a worm with flits to come, from the head back.
    /// Returns the hold behind these holds, or `None` if the worm may not run.
    fn schedules<M: Rules>(&self, worm: u32, schedules: &mut Vec<(u32, Schedule)>) -> Option<u32> {
        let state = &self.state;
        let (head, pace) = (state.worm(worm).head, self.pace::<M>());
        let (each, credit) = (u64::from(pace.each), u64::from(pace.credit));
        // The channel ahead moves up to cycle `stop`, and again from cycle `go`.
        let (mut stop, mut go) = (u64::MAX, self.now);
        let mut at = head;
        if M::FIXED && !M::FAR {
            return self.steady_schedules(worm, schedules);
        }
        loop {
            if at >= state.slots && (!M::TABLES || state.is_source(at)) {
                let alone = state.emitting[state.worm(worm).source as usize] == 1;
                return (alone || M::TABLES && !state.flit_by_flit).then_some(at);
            }
            let hold = state.hold(at);
            if at != head {
                if hold.here == 0 || M::TABLES && (hold.flying > 0 || !self.has_to_itself(at)) {
                    return None;
                }
                let room = u64::from(state.buffer_flits - hold.here);
                if pace.far {
                    // Blocked flits close up from the head back.
                    if hold.left > 0 && room > 0 {
                        return None;
                    }
                    go += credit;
                } else if stop == u64::MAX {
                    if room == 0 && credit > 0 {
                        (stop, go) = (self.now, self.now + credit);
                    }
                } else if stop > self.now && room == 0 {
                    return None;
                } else if stop + room >= go + credit {
                    stop = u64::MAX;
                } else {
                    (stop, go) = (stop + room, go + credit);
                }
            }
            let left = hold.left;
            if left == 0 {
                return Some(at);
            }
            if at < state.slots && !pace.private {
                let (channel, v) = state.split(at);
                let row = &state.channels[channel];
                if row.flit & !(1 << v) != 0 || row.run != 0 {
                    return None;
                }
            }
            let end = self.now + u64::from(left) * each;
            let schedule = if at == head {
                Schedule { end, after: 0, pause: 0 }
            } else if pace.far {
                // Flits sent earlier have long arrived.
                let ago = u64::from(pace.delay.max(pace.credit)) + 1;
                Schedule { end: end - ago, after: left, pause: (go - self.now + ago) as u32 }
            } else if stop < end {
                Schedule { end, after: (end - stop) as u32, pause: (go - stop) as u32 }
            } else {
                Schedule { end, after: 0, pause: 0 }
            };
            schedules.push((at, schedule));
            at = hold.prev;
        }
    }

    /// As [`Self::schedules`], over private channels: each hold is sent its next flit as soon as
    /// the flit before has been sent, a flit is available, and there is room; further flits follow
    /// in every turn.
    fn steady_schedules(&self, worm: u32, schedules: &mut Vec<(u32, Schedule)>) -> Option<u32> {
        let (state, now) = (&self.state, self.now);
        let (head, each) = (state.worm(worm).head, u64::from(state.pace.each));
        // The cycle in which the next flit is sent into the hold ahead.
        let mut front = now;
        let mut at = head;
        loop {
            if state.is_source(at) {
                let alone = state.emitting[state.worm(worm).source as usize] == 1;
                return (alone || !state.flit_by_flit).then_some(at);
            }
            let hold = state.hold(at);
            if !self.has_to_itself(at) {
                return None;
            }
            if hold.left == 0 {
                return (hold.here > 0 && hold.flying == 0).then_some(at);
            }
            let left = u64::from(hold.left) * each;
            let schedule = if at == head {
                if hold.flying > 0 {
                    return None;
                }
                Schedule { end: now + left, after: 0, pause: 0 }
            } else {
                let behind = state.hold(hold.prev);
                let ready = if hold.flying > 0 { hold.end + each } else { now };
                let full = hold.here + hold.flying == state.buffer_flits;
                let room = if full { front + u64::from(state.pace.credit) } else { now };
                let flit = match (behind.here, behind.flying) {
                    (0, 0) => return None,
                    (0, _) => behind.end + each,
                    _ => now,
                };
                let sends = ready.max(room).max(flit);
                if sends >= now + each || (sends > front && hold.here + hold.flying < 2) {
                    return None;
                }
                // Flits sent earlier are under way, or have long arrived.
                let next = if hold.flying > 0 { ready } else { now.saturating_sub(each + 1) };
                let pause = (sends - next) as u32;
                front = sends;
                let after = if pause > 0 { hold.left } else { 0 };
                Schedule { end: next + left, after, pause }
            };
            schedules.push((at, schedule));
            at = hold.prev;
        }
    }

    /// True if the buffer of a hold contains no flits of other worms.
    fn has_to_itself(&self, at: u32) -> bool {
        if self.state.buffers.is_empty() {
            return true;
        }
        match self.state.buffers.get(at as usize) {
            Some(buffer) => {
                buffer.front == buffer.last && (buffer.front == at || buffer.front == NONE)
            }
            None => self.ejects_alone() && self.state.place(at) == Place::Ejection,
        }
    }

    /// True if a worm at its destination ejects its flits independently of other worms.
    pub(super) fn ejects_alone(&self) -> bool {
        self.switching.ejection == Ejection::PerWorm
    }

    /// Starts a free run with the given schedules; `last` is the hold behind the scheduled holds.
    fn begin<M: Rules>(&mut self, worm: u32, last: u32, schedules: &[(u32, Schedule)]) {
        let pace = self.pace::<M>();
        let state = &mut self.state;
        if last < state.slots {
            // Possibly full now, but empty when released.
            state.make_room(last);
            if M::TABLES {
                state.clear_buffer(last);
            }
            let hold = &mut state.holds[last as usize];
            (hold.here, hold.flying, hold.end) = (0, 0, 0);
        } else if !M::TABLES || state.flit_by_flit {
            state.emitter[state.worms[worm as usize].source as usize] = worm;
        }
        for &(at, schedule) in schedules {
            if M::TABLES {
                state.clear_buffer(at);
                let Hold { flying, end, .. } = state.holds[at as usize];
                if M::FIXED && flying > 0 {
                    let (channel, v) = state.split(at);
                    state.busy[channel] &= !(1 << v);
                    state.crossings.remove(end + u64::from(pace.each), at);
                }
            }
            state.holds[at as usize].follow(schedule);
            if !M::TABLES || at < state.slots {
                let (row, bit) = state.channel_of(at);
                (row.flit, row.run) = (row.flit & !bit, row.run | bit);
                state.make_room(at);
            } else if std::mem::replace(&mut state.places[at as usize].listed, false) {
                state.ejecting.retain(|&row| row != at);
            }
        }
        let Some(&(tail, _)) = schedules.last() else { return };
        let due = state.hold(tail).last(pace);
        let row = &mut state.worms[worm as usize];
        row.motion = Motion::Free;
        row.entered = row.entered.min(self.now);
        let (head, length) = (row.head, row.length);
        self.tail_crosses_next(worm, tail, due);
        if self.state.hold(head).left == length {
            self.send_head::<M>(worm, head, self.state.hold(head).next);
        }
    }

    /// Handles a head without a grant: the flits of a running worm close up from now, or the run is
    /// dissolved.
    pub(super) fn block_run<M: Rules>(&mut self, worm: u32) {
        let row = self.state.worm(worm);
        if row.motion != Motion::Free {
            return;
        }
        let mut schedules = std::mem::take(&mut *self.work.schedules);
        if self.closes_up::<M>(worm, &mut schedules) {
            let state = &mut self.state;
            for &(at, schedule) in &schedules {
                state.holds[at as usize].follow(schedule);
            }
            let row = &mut state.worms[worm as usize];
            row.motion = Motion::Blocked;
            if row.tail != NONE && state.holds[row.tail as usize].here > 0 {
                row.due = u64::MAX;
            }
        }
        schedules.clear();
        *self.work.schedules = schedules;
        if self.state.worm(worm).motion != Motion::Blocked {
            self.dissolve(worm);
        }
    }

    /// Computes the schedule of each hold with flits to come, from the head back, until the buffers
    /// are full with the head still blocked. Returns false if an earlier pause is not over.
    fn closes_up<M: Rules>(&self, worm: u32, schedules: &mut Vec<(u32, Schedule)>) -> bool {
        let state = &self.state;
        let (row, pace) = (state.worm(worm), self.pace::<M>());
        // The number of flits that fit into the buffers up to the head.
        let mut room = 0;
        for at in state.holds_of(row).take_while(|&at| at < state.slots) {
            let hold = state.hold(at);
            if hold.prev == NONE {
                break;
            }
            let mut end = hold.end;
            if hold.here > 0 {
                let resumes = hold.sends(hold.here, pace);
                let over = match pace {
                    Pace { far: false, .. } => resumes <= self.now,
                    Pace { each, delay, credit, .. } => {
                        resumes + u64::from(delay.max(credit)) <= self.now + u64::from(each)
                    }
                };
                if !over {
                    return false;
                }
                end += u64::from(hold.flying);
            }
            room += state.buffer_flits;
            let after = row.length.saturating_sub(room);
            if after > 0 && state.is_source(hold.prev) && state.delayed[row.source as usize] != NONE
            {
                // Another message of the node would send in the meantime.
                return false;
            }
            schedules
                .push((at, Schedule { end, after, pause: if after > 0 { PAUSED } else { 0 } }));
        }
        true
    }

    /// Resumes a paused run in this cycle; `head` is the hold of the blocked head.
    pub(super) fn resume<M: Rules>(&mut self, worm: u32, head: u32) {
        let pace = self.pace::<M>();
        let state = &mut self.state;
        // The cycle from which the channel ahead moves again, if stopped.
        let mut go = Some(self.now);
        let mut at = head;
        while at < state.slots {
            let hold = &mut state.holds[at as usize];
            if hold.prev == NONE || hold.here == 0 {
                break;
            }
            let stop = hold.end - u64::from(hold.here) * u64::from(pace.each);
            go = go.map(|go| go + u64::from(pace.credit)).filter(|&go| stop < go);
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
            let due = state.hold(tail).last(pace);
            self.tail_crosses_next(worm, tail, due);
        }
    }

    /// Schedules the revival of the only remaining worm of a channel, after another worm has
    /// crossed completely.
    #[inline]
    pub(super) fn leave_rival(&mut self, channel: usize) {
        let flit = self.state.channels[channel].flit;
        if flit.is_power_of_two() {
            let rival = self.state.slot(channel, flit.trailing_zeros());
            self.runs.revived.push(self.state.hold(rival).worm);
        }
    }

    /// Restarts the free runs of worms without further competition, if possible.
    #[inline]
    pub(super) fn revive<M: Rules>(&mut self) {
        while let Some(worm) = self.runs.revived.pop() {
            let row = self.state.worm(worm);
            if !row.live || row.runs() || row.head == NONE || !self.free_runs {
                continue;
            }
            let head = self.state.hold(row.head);
            let moves = head.left > 0 && (head.next == SINK || head.left == row.length);
            if moves
                && self.state.hold(head.prev).here > 0
                && (!M::TABLES || self.has_to_itself(row.head))
            {
                self.try_begin::<M>(worm);
            }
        }
    }
}

impl State {
    /// Removes a worm that starts a free run from the buffer of its hold.
    fn clear_buffer(&mut self, at: u32) {
        let hold = self.hold(at);
        let here = if hold.next == SINK { 0 } else { hold.here + hold.flying };
        if let Some(buffer) = self.buffers.get_mut(at as usize) {
            buffer.occupied -= here;
            if buffer.front == at {
                self.unlink(at);
            }
        }
    }
}
