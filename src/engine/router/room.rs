//! Room for whole messages: the conditions of cut-through switching and of bubble flow control.

use super::records::NONE;
use super::state::State;
use crate::switching::Forwarding;

/// The mark of a credit that a tail returns, in a row of the credits, under bubble flow control.
pub(super) const TAIL: u32 = 1 << 31;

impl State {
    /// True if the credit of a tail frees the slot of its message.
    #[inline]
    pub fn marks_tails(&self) -> bool {
        self.forwarding == Forwarding::Bubble
    }

    /// The free slots that a head in the buffer `from` needs in the buffer of a VC, under bubble flow
    /// control.
    pub fn slots_needed(&self, from: u32, to: u32) -> u32 {
        let ring_of = |slot: u32| self.rings[self.split(slot).0];
        let ring = ring_of(to);
        let enters = ring != NONE && (from == NONE || ring_of(from) != ring);
        1 + u32::from(enters)
    }

    /// True if the sender knows of room for a message of `length` flits in the buffer of a VC, seen
    /// from the buffer `from`, or from a node ([`NONE`]).
    #[inline]
    pub fn has_room(&self, from: u32, to: u32, length: u32) -> bool {
        let buffer = &self.buffers[to as usize];
        match self.forwarding {
            Forwarding::Wormhole => true,
            Forwarding::CutThrough | Forwarding::StoreAndForward => buffer.credits >= length,
            Forwarding::Bubble => buffer.messages + self.slots_needed(from, to) <= self.slots,
        }
    }

    /// True if a message of `length` flits gets no room in the buffer of a VC before a flit leaves the
    /// buffer, or under bubble flow control, a message.
    pub fn is_full(&self, from: u32, to: u32, length: u32) -> bool {
        match self.forwarding {
            Forwarding::Wormhole => false,
            Forwarding::CutThrough | Forwarding::StoreAndForward => {
                self.taken(to) + length > self.flits
            }
            Forwarding::Bubble => {
                let inside = self.in_buffer(to).count() as u32;
                inside + self.slots_needed(from, to) > self.slots
            }
        }
    }

    /// The VCs of a channel with room for the whole message at the front of a buffer.
    pub fn with_room(&self, from: u32, channel: usize, vcs: u32) -> u32 {
        let front = self.buffers[from as usize].front;
        let length = self.worms[self.holds[front as usize].worm as usize].length;
        let has_room = |v: u32| self.has_room(from, self.slot(channel, v), length);
        let kept = (0..self.vcs).filter(|&v| vcs >> v & 1 == 1 && has_room(v));
        kept.fold(0, |all, v| all | 1 << v)
    }
}
