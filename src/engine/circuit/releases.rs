//! Links given back: one after the other behind the data, or backwards after a failed attempt; and links
//! that are closed, so that nobody gets them back.
//!
//! A lane of a closed link that no circuit holds belongs to [`CLOSED`], so that a request finds it in
//! use like any other: it looks at another link, gives up, or waits. Where both directions share a link,
//! it is closed as long as one of them is.

use super::engine::CircuitEngine;
use super::events::Service;
use super::state::{CLOSED, NONE};
use crate::engine::common::Simulator;
use crate::engine::view::CircuitState;
use crate::ids::ChannelId;

impl CircuitEngine {
    /// A request to give back a lane joins the queue of the router where its hop begins.
    #[inline]
    pub(super) fn ask_release(&mut self, now: u64, router: u32, call: u32) {
        self.calls[call as usize].at = router;
        self.join(now, router, call, Service::Release);
    }

    /// An attempt has failed: its links go back, the last first, and then it backs off.
    pub(super) fn abort(&mut self, now: u64, call: u32) {
        self.common.counters.aborts += 1;
        let message = &mut self.calls[call as usize];
        message.tries += 1;
        message.wants = NONE;
        message.wants_as = NONE;
        message.since = now;
        if message.last == NONE {
            message.state = CircuitState::BackingOff;
            self.calendar.back_off(&mut self.calls, now, call);
        } else {
            message.state = CircuitState::Aborting;
            let last = message.last;
            let from = self.ways[self.lanes[last as usize].channel as usize].from;
            self.ask_release(now, from, call);
        }
    }

    /// A controller has given a lane back.
    #[inline]
    pub(super) fn released(&mut self, now: u64, router: u32, call: u32) {
        let message = &self.calls[call as usize];
        let backwards = message.state == CircuitState::Aborting;
        let lane = if backwards { message.last } else { message.first };
        let closed = !self.common.down.is_empty() && self.is_closed(lane);
        let message = &mut self.calls[call as usize];
        let row = &mut self.lanes[lane as usize];
        let held = now - row.since;
        message.link_ticks += held;
        message.held -= 1;
        row.busy += held;
        let (next, mut from) = if backwards { (row.before, NONE) } else { (row.after, row.to) };
        (row.owner, row.channel, row.before, row.after) = (NONE, NONE, NONE, NONE);
        if closed {
            row.owner = CLOSED;
        }
        let is_wanted = row.waiting.head != NONE && !closed;
        if let Some(row) = self.lanes.get_mut(next as usize) {
            if backwards {
                message.last = next;
                row.after = NONE;
                from = self.ways[row.channel as usize].from;
            } else {
                message.first = next;
                row.before = NONE;
            }
            message.at = from;
        } else {
            (message.first, message.last) = (NONE, NONE);
        }
        if is_wanted {
            self.inherit(now, router, lane);
        } else {
            self.serve(now, router);
        }
        if next != NONE {
            self.join(now, from, call, Service::Release);
        } else if backwards {
            let message = &mut self.calls[call as usize];
            message.state = CircuitState::BackingOff;
            message.since = now;
            self.calendar.back_off(&mut self.calls, now, call);
        } else {
            self.deliver(now, call);
        }
    }

    /// The first who waits for a lane has it from this instant on, and this controller connects it.
    #[inline(never)]
    fn inherit(&mut self, now: u64, router: u32, lane: u32) {
        let Some(heir) = self.lanes[lane as usize].waiting.pop(&mut self.calls) else { return };
        let message = &mut self.calls[heir as usize];
        message.state = CircuitState::SettingUp;
        message.since = now;
        message.wants = NONE;
        let channel = std::mem::replace(&mut message.wants_as, NONE);
        let to = self.ways[channel as usize].to;
        self.take(now, lane, (channel, to), heir);
        self.controllers[router as usize].serving = heir;
        self.calendar.serve(&mut self.controllers, now, Service::Connect, router);
    }

    /// True if the link of a lane is closed.
    pub(super) fn is_closed(&self, lane: u32) -> bool {
        let first = lane - lane % self.machine.lanes();
        self.common.down.iter().any(|link| self.ways[link.index()].lane == first)
    }

    fn lanes_of(&self, link: ChannelId) -> std::ops::Range<usize> {
        let first = self.ways[link.index()].lane as usize;
        first..first + self.machine.lanes() as usize
    }

    /// Has no message take a lane of a link from now on.
    pub(super) fn close_lanes(&mut self, link: ChannelId) {
        let lanes = self.lanes_of(link);
        for lane in self.lanes[lanes].iter_mut().filter(|lane| lane.owner == NONE) {
            lane.owner = CLOSED;
        }
    }

    /// Has messages take the lanes of a link again, unless its other direction is closed. Those that
    /// wait for a lane that nobody holds request anew, in their order.
    pub(super) fn open_lanes(&mut self, link: ChannelId) {
        let lanes = self.lanes_of(link);
        if self.is_closed(lanes.start as u32) {
            return;
        }
        let now = self.clock();
        for lane in lanes.filter(|&lane| self.lanes[lane].owner == CLOSED).collect::<Vec<_>>() {
            self.lanes[lane].owner = NONE;
            while let Some(call) = self.lanes[lane].waiting.pop(&mut self.calls) {
                let message = &mut self.calls[call as usize];
                (message.wants, message.wants_as) = (NONE, NONE);
                (message.state, message.since) = (CircuitState::SettingUp, now);
                let router = message.at;
                self.ask(now, router, call);
            }
        }
    }
}
