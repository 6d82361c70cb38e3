//! Queues the holds of several worms in one buffer.
//!
//! Under `Sent` release a worm may enter a buffer still occupied by an older worm.

use super::records::{Hold, InBuffer, NONE, SINK, bits};
use super::state::State;
use crate::ids::ChannelId;

impl State {
    /// Appends the hold in the row of `vc` to its buffer.
    pub fn queue_up(&mut self, vc: u32) {
        let buffer = &mut self.buffers[vc as usize];
        let older = std::mem::replace(&mut buffer.last, vc);
        self.places[vc as usize] = InBuffer { older, ..InBuffer::of(vc) };
        if older == NONE {
            buffer.front = vc;
        } else {
            self.places[older as usize].younger = vc;
        }
    }

    /// Moves the hold in the row of `vc`, with its tail already sent, to another row, for a younger
    /// hold.
    pub fn shelve(&mut self, vc: u32) {
        let hold = self.holds[vc as usize];
        debug_assert!(hold.prev == NONE && hold.left == 0 && hold.here + hold.flying > 0);
        let older = self.places[vc as usize].older;
        let row = self.new_hold(hold, InBuffer { older, ..InBuffer::of(vc) });
        if hold.flying > 0 {
            match self.landing(vc).last() {
                None => self.buffers[vc as usize].lands = row,
                Some(before) => self.places[before as usize].then = row,
            }
        }
        let buffer = &mut self.buffers[vc as usize];
        // Flits consumed on arrival do not occupy the buffer.
        if hold.next != SINK {
            debug_assert!(buffer.last == vc);
            buffer.last = row;
            if older == NONE {
                buffer.front = row;
            } else {
                self.places[older as usize].younger = row;
            }
        }
        if hold.next < SINK {
            self.holds[hold.next as usize].prev = row;
        }
        let worm = &mut self.worms[hold.worm as usize];
        if worm.head == vc {
            worm.head = row;
        }
        self.holds[vc as usize] = Hold::FREE;
        self.places[vc as usize] = InBuffer::of(vc);
    }

    /// Removes a hold from its buffer.
    pub fn unlink(&mut self, row: u32) {
        let InBuffer { vc, older, younger, .. } = self.places[row as usize];
        let buffer = &mut self.buffers[vc as usize];
        if older == NONE {
            buffer.front = younger;
        } else {
            self.places[older as usize].younger = younger;
        }
        if younger == NONE {
            buffer.last = older;
        } else {
            self.places[younger as usize].older = older;
        }
        self.places[row as usize] = InBuffer::of(vc);
    }
}

/// Flits sent over some VCs of a channel without returned credits.
pub(super) fn flits_ahead(state: &State, channel: ChannelId, vcs: u32) -> u32 {
    let slots = bits(vcs).map(|v| state.slot(channel.index(), v) as usize);
    slots.map(|slot| state.buffers[slot].occupied).sum()
}
