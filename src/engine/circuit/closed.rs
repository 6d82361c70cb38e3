//! Closes links: their lanes are unavailable to circuits.
//!
//! A free lane of a closed link belongs to [`CLOSED`], so a request finds the lane occupied: the
//! message tries another link, gives up, or waits. A link shared by both directions is closed while
//! either direction is closed.

use super::engine::CircuitEngine;
use super::failures;
use super::state::{CLOSED, NONE};
use crate::engine::simulator::Simulator;
use crate::engine::view::CircuitState;
use crate::ids::ChannelId;

impl CircuitEngine {
    /// True if the link of a lane is closed.
    pub(super) fn is_closed(&self, lane: u32) -> bool {
        let first = lane - lane % self.machine.lanes();
        self.common.down.iter().any(|link| self.ways[link.index()].lane == first)
    }

    pub(super) fn lanes_of(&self, link: ChannelId) -> std::ops::Range<usize> {
        let first = self.ways[link.index()].lane as usize;
        first..first + self.machine.lanes() as usize
    }

    /// Makes the lanes of a link unavailable from now on.
    pub(super) fn close_lanes(&mut self, link: ChannelId) {
        let lanes = self.lanes_of(link);
        for lane in &mut self.lanes[lanes] {
            lane.vacant = CLOSED;
            if lane.owner == NONE {
                lane.owner = CLOSED;
            }
        }
    }

    /// Makes the lanes of a link available again, unless its other direction is closed. Messages
    /// waiting for a free lane repeat their requests in order.
    pub(super) fn open_lanes(&mut self, link: ChannelId) {
        let lanes = self.lanes_of(link);
        if self.is_closed(lanes.start as u32) {
            return;
        }
        let now = self.clock();
        for lane in lanes {
            self.lanes[lane].vacant = NONE;
            if self.lanes[lane].owner != CLOSED {
                continue;
            }
            self.lanes[lane].owner = NONE;
            while let Some(call) = self.lanes[lane].waiting.pop(&mut self.calls) {
                let message = &mut self.calls[call as usize];
                (message.wants, message.wants_as) = (NONE, NONE);
                (message.state, message.since) = (CircuitState::SettingUp, now);
                let router = message.at;
                self.ask(now, router, call);
            }
        }
        failures::resume(self);
    }
}
