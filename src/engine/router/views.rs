//! Positions and states of messages, derived from the tables.

use super::records::{NONE, Stage, Worm};
use super::state::State;
use crate::engine::tables::list;
use crate::engine::view::{HeadStage, HeadState};
use crate::switching::Stages;
use crate::units::Cycle;

impl State {
    /// The stage of the head of a message in the last internal cycle before `now`; `None` behind another
    /// message, and at the destination.
    pub fn stage_of(&self, worm: &Worm, stages: Stages, now: u64) -> Option<HeadStage> {
        let head = self.holds.get(worm.head as usize)?;
        // A cycle is over if an engine is observed, so a stage that starts now is not reached.
        let until = |ready: u64, before, after| Some(if ready >= now { before } else { after });
        if let Some(from) = self.unsent(worm) {
            let ready = self.buffers[from as usize].ready;
            return until(ready, HeadStage::Vc, HeadStage::Switch);
        }
        if self.crosses(worm) {
            if (self.links..self.ejections).contains(&self.split(head.slot).0) {
                return Some(HeadStage::Channel);
            }
            if worm.crosses >= now {
                return Some(HeadStage::Switch);
            }
            let leaves = worm.crosses + u64::from(stages.traverse);
            return until(leaves, HeadStage::Traverse, HeadStage::Channel);
        }
        let buffer = &self.buffers[head.slot as usize];
        if buffer.front != worm.head || buffer.stage != Stage::Waiting {
            return None;
        }
        until(buffer.ready, HeadStage::Route, HeadStage::Vc)
    }

    /// The rows of the messages in the network, oldest first.
    pub fn in_network(&self) -> Vec<u32> {
        let live = self.live().filter(|(_, worm)| worm.head != NONE);
        let mut rows: Vec<u32> = live.map(|(row, _)| row).collect();
        rows.sort_unstable_by_key(|&row| self.worms[row as usize].age());
        rows
    }

    /// The state of the head of a message in the network, before the internal cycle `now`.
    pub fn head_state(&self, worm: &Worm, now: u64) -> HeadState {
        if let Some(from) = self.unsent(worm) {
            let ready = self.buffers[from as usize].ready;
            return if ready < now {
                HeadState::Blocked(Cycle(ready / self.steps))
            } else {
                HeadState::Moving
            };
        }
        let slot = self.holds[worm.head as usize].slot;
        let buffer = &self.buffers[slot as usize];
        let requests = buffer.stage == Stage::Waiting && buffer.ready < now;
        if self.split(slot).0 >= self.ejections {
            HeadState::Arriving
        } else if buffer.front == worm.head && requests {
            HeadState::Blocked(Cycle(worm.asked / self.steps))
        } else {
            HeadState::Moving
        }
    }

    /// The buffer of a head with a VC that has not got the crossbar.
    pub fn unsent(&self, worm: &Worm) -> Option<u32> {
        let head = &self.holds[worm.head as usize];
        let from = self.holds.get(head.up as usize)?;
        (head.left == worm.length).then_some(from.slot)
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
