//! The holds in one buffer, one behind the other: with `Sent` release a worm may come into a buffer
//! from which an older one has not yet gone.

use super::super::WormholeEngine;
use super::super::state::{Hold, NONE, SINK, State, Worm};
use crate::switching::Forwarding;

/// A hold's place in its buffer. One for each row of the holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Berth {
    /// The VC slot; [`NONE`] for a source, [`Berth::EJECTION`] for an ejecting hold.
    pub vc: u32,
    /// The hold in front of it in the same buffer.
    pub older: u32,
    /// The hold behind it.
    pub younger: u32,
    /// The hold into which flits land when all those of this one have; [`NONE`]: that in the VC's
    /// own row.
    pub then: u32,
    /// Whether it is in the list of ejecting holds.
    pub listed: bool,
}

impl Berth {
    /// As [`Self::vc`]: an ejecting hold.
    pub const EJECTION: u32 = u32::MAX - 1;

    pub const fn at(vc: u32) -> Self {
        Self { vc, older: NONE, younger: NONE, then: NONE, listed: false }
    }
}

/// The buffer of a VC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Buffer {
    /// The oldest hold in it, which alone may go on. Kept under `Sent` release only.
    pub front: u32,
    /// The youngest.
    pub last: u32,
    /// Slots taken, as its sender knows: those of flits under way into it are, and those whose
    /// credits are under way back.
    pub occupied: u32,
    /// The hold into which the next flit lands; [`NONE`]: that in the VC's own row.
    pub lands: u32,
    /// The last of those before the own row that flits are under way to, where there are any.
    pub lands_last: u32,
    /// The cycle in which the VC was last granted, and its room spoken for.
    pub granted: u64,
}

impl Buffer {
    pub const EMPTY: Self =
        Self { front: NONE, last: NONE, occupied: 0, lands: NONE, lands_last: NONE, granted: 0 };
}

impl State {
    /// A row behind the slots.
    pub fn new_row(&mut self, hold: Hold, berth: Berth) -> u32 {
        if let Some(row) = self.sources_spare.pop() {
            self.holds[row as usize] = hold;
            self.berths[row as usize] = berth;
            return row;
        }
        self.holds.push(hold);
        self.berths.push(berth);
        self.holds.len() as u32 - 1
    }

    /// The VC slot of a hold, or [`NONE`] for a source.
    #[inline]
    pub fn slot_of(&self, row: u32) -> u32 {
        if row < self.slots { row } else { self.berths[row as usize].vc }
    }

    /// The hold in the row of `vc` joins its buffer behind all others.
    pub fn queue_up(&mut self, vc: u32) {
        let buffer = &mut self.buffers[vc as usize];
        let older = std::mem::replace(&mut buffer.last, vc);
        self.berths[vc as usize] = Berth { older, ..Berth::at(vc) };
        if older == NONE {
            buffer.front = vc;
        } else {
            self.berths[older as usize].younger = vc;
        }
    }

    /// Moves the hold in the row of `vc`, whose tail has been sent, out of the way of a younger one.
    pub fn shelve(&mut self, vc: u32) {
        let hold = self.holds[vc as usize];
        debug_assert!(hold.prev == NONE && hold.left == 0 && hold.here + hold.flying > 0);
        let older = self.berths[vc as usize].older;
        let row = self.new_row(hold, Berth { older, ..Berth::at(vc) });
        let buffer = &mut self.buffers[vc as usize];
        if hold.flying > 0 {
            let before = std::mem::replace(&mut buffer.lands_last, row);
            if buffer.lands == NONE {
                buffer.lands = row;
            } else {
                self.berths[before as usize].then = row;
            }
        }
        // What is consumed at the far end does not stand in the buffer.
        if hold.next != SINK {
            debug_assert!(buffer.last == vc);
            buffer.last = row;
            if older == NONE {
                buffer.front = row;
            } else {
                self.berths[older as usize].younger = row;
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
        self.berths[vc as usize] = Berth::at(vc);
    }

    /// Takes a hold out of its buffer. Answers the slot.
    pub fn unlink(&mut self, row: u32) -> u32 {
        let Berth { vc, older, younger, .. } = self.berths[row as usize];
        let buffer = &mut self.buffers[vc as usize];
        if older == NONE {
            buffer.front = younger;
        } else {
            self.berths[older as usize].younger = younger;
        }
        if younger == NONE {
            buffer.last = older;
        } else {
            self.berths[younger as usize].older = older;
        }
        self.berths[row as usize] = Berth::at(vc);
        vc
    }
}

impl WormholeEngine {
    /// The worm of a hold.
    pub(in super::super) fn worm_of(&self, row: u32) -> &Worm {
        &self.state.worms[self.state.holds[row as usize].worm as usize]
    }

    /// Whether the head in `row` may ask as far as its own flits are concerned.
    pub(super) fn has_landed(&self, row: u32) -> bool {
        let hold = &self.state.holds[row as usize];
        let whole = self.switching.forwarding == Forwarding::StoreAndForward;
        hold.next == NONE && hold.here >= if whole { self.worm_of(row).length } else { 1 }
    }

    /// The hold that is now first in the buffer of `vc` may have a head that has waited for it.
    pub(super) fn next_in_buffer(&mut self, vc: u32, from: u64) {
        let front = self.state.buffers[vc as usize].front;
        if front == NONE || !self.has_landed(front) {
            return;
        }
        let worm = self.state.holds[front as usize].worm;
        let row = &mut self.state.worms[worm as usize];
        if !row.waits {
            row.asks_since = from;
            self.requests(worm, from);
            self.ask(worm);
        }
    }
}
