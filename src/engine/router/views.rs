//! Positions and states of messages, derived from the tables.

use super::records::{NONE, Stage, Worm};
use super::state::State;
use crate::engine::tables::list;
use crate::engine::view::HeadState;
use crate::units::Cycle;

impl State {
    /// The rows of the messages in the network, oldest first.
    pub fn in_network(&self) -> Vec<u32> {
        let live = self.live().filter(|(_, worm)| worm.head != NONE);
        let mut rows: Vec<u32> = live.map(|(row, _)| row).collect();
        rows.sort_unstable_by_key(|&row| self.worms[row as usize].age());
        rows
    }

    /// The state of the head of a message in the network.
    pub fn head_state(&self, worm: &Worm, now: u64) -> HeadState {
        let slot = self.holds[worm.head as usize].slot;
        let buffer = &self.buffers[slot as usize];
        let requests = buffer.stage == Stage::Waiting && buffer.ready < now;
        if self.split(slot).0 >= self.ejections {
            HeadState::Arriving
        } else if buffer.front == worm.head && requests {
            HeadState::Blocked(Cycle(worm.asked))
        } else {
            HeadState::Moving
        }
    }

    /// The holds of a message from head to tail.
    pub fn holds_of(&self, worm: &Worm) -> impl Iterator<Item = u32> {
        list(worm.head, |at| self.holds[at as usize].up)
    }

    /// The router of the head flit: the start of its newest channel until the head has arrived.
    pub fn router_of(&self, worm: &Worm) -> u32 {
        if !self.crosses(worm) {
            return worm.at;
        }
        let (channel, _) = self.split(self.holds[worm.head as usize].slot);
        self.ports[channel].from
    }

    /// True if the head of a message in the network has not arrived at its newest buffer.
    pub fn crosses(&self, worm: &Worm) -> bool {
        let head = &self.holds[worm.head as usize];
        head.left + head.flying == worm.length
    }

    /// The flits of a message that have not left its source.
    pub fn at_source(&self, worm: &Worm) -> u32 {
        let last = self.holds_of(worm).last();
        last.map_or(worm.length, |last| self.holds[last as usize].left)
    }

    /// The flits in a buffer or on their way there.
    pub fn taken(&self, slot: u32) -> u32 {
        let flits = |at: u32| self.holds[at as usize].inside + self.holds[at as usize].flying;
        self.in_buffer(slot).map(flits).sum()
    }

    /// The holds in a buffer, oldest first.
    pub fn in_buffer(&self, slot: u32) -> impl Iterator<Item = u32> {
        list(self.buffers[slot as usize].front, |at| self.holds[at as usize].younger)
    }
}
