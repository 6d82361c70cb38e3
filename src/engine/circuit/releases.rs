//! Releases links: forwards after the data, or backwards after a failed attempt.

use super::engine::CircuitEngine;
use super::events::Service;
use super::state::NONE;
use crate::engine::view::CircuitState;

impl CircuitEngine {
    /// Adds a release request to the queue of the router at the start of a lane.
    #[inline]
    pub(super) fn ask_release(&mut self, now: u64, router: u32, call: u32) {
        self.calls[call as usize].at = router;
        self.join(now, router, call, Service::Release);
    }

    /// Fails an attempt: its links are released, the last link first, before the back-off.
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

    /// Completes the release of a lane by a controller.
    #[inline]
    pub(super) fn released(&mut self, now: u64, router: u32, call: u32) {
        let message = &mut self.calls[call as usize];
        let backwards = message.state == CircuitState::Aborting;
        let lane = if backwards { message.last } else { message.first };
        let row = &mut self.lanes[lane as usize];
        let held = now - row.since;
        if lane < self.lanes_between_routers {
            message.link_ticks += held;
        }
        message.held -= 1;
        row.busy += held;
        let (next, mut from) = if backwards { (row.before, NONE) } else { (row.after, row.to) };
        (row.owner, row.channel, row.before, row.after) = (row.vacant, NONE, NONE, NONE);
        let is_wanted = row.waiting.head != NONE && row.vacant == NONE;
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

    /// Allocates a lane to the first waiting message immediately; the same controller connects the
    /// lane.
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
}
