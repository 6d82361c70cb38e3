//! Closed links: no circuit takes one of their lanes.
//!
//! A lane of a closed link that no circuit holds belongs to [`CLOSED`], so that a request finds it in
//! use like any other: it looks at another link, gives up, or waits. Where both directions share a link,
//! it is closed as long as one of them is.

use super::engine::CircuitEngine;
use super::state::{CLOSED, NONE};
use crate::engine::common::Simulator;
use crate::engine::view::CircuitState;
use crate::ids::ChannelId;

impl CircuitEngine {
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
