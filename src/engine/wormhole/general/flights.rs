//! What is under way from one cycle to another comes in: flits, and credits for slots left.

use super::super::WormholeEngine;
use super::super::state::{Hold, NONE, SINK};
use super::{General, Machine, Place};

impl WormholeEngine {
    /// The flits and credits that were under way until now come in.
    #[inline]
    pub(super) fn come_in<M: Machine>(&mut self) {
        if M::FIXED && !self.general.crossings.is_empty() {
            self.end_crossings::<M>();
        }
        if M::FAR {
            if !self.general.landings.is_empty() {
                self.land_all::<M>();
            }
            if !self.general.credits.is_empty() {
                self.return_credits::<M>();
            }
        }
    }

    /// Private channels over which a flit has been sent take the next; if no more delay lies before
    /// it, the flit lands.
    fn end_crossings<M: Machine>(&mut self) {
        let bucket = self.general.crossings.take(self.now);
        for &vc in &bucket {
            let (channel, v) = self.state.split(vc);
            self.general.busy[channel] &= !(1 << v);
            let row = &self.state.channels[channel];
            if row.flit & row.space & 1 << v != 0 {
                self.state.activate(channel);
            }
            if M::FAR {
                if self.state.holds[vc as usize].left == 0 {
                    self.tail_is_sent::<M>(vc);
                }
                let more = self.general.channel_delay - 1;
                if more > 0 {
                    self.general.landings.push(self.now + more, vc);
                    continue;
                }
            }
            self.land::<M>(vc);
        }
        self.general.crossings.recycle(self.now, bucket);
    }

    fn land_all<M: Machine>(&mut self) {
        let bucket = self.general.landings.take(self.now);
        for &row in &bucket {
            self.land::<M>(row);
        }
        self.general.landings.recycle(self.now, bucket);
    }

    /// A flit lands that was sent over the VC `row`, or to the ejecting hold `row`.
    #[inline]
    fn land<M: Machine>(&mut self, row: u32) {
        let state = &mut self.state;
        let mut at = row;
        if M::FAR && M::SENT && row < state.slots {
            let lands = state.buffers[row as usize].lands;
            if lands != NONE {
                at = lands;
            }
        }
        let hold = &mut state.holds[at as usize];
        let Hold { next, here, left, flying, .. } = *hold;
        debug_assert!(flying > 0);
        hold.flying = flying - 1;
        if next != SINK {
            hold.here = here + 1;
        }
        if at != row && flying == 1 {
            state.buffers[row as usize].lands = state.berths[at as usize].then;
        }
        self.landed::<M>(at, (next, here, left + flying - 1), self.now);
    }

    fn return_credits<M: Machine>(&mut self) {
        let bucket = self.general.credits.take(self.now);
        for &vc in &bucket {
            self.leave_slot::<M>(vc);
        }
        self.general.credits.recycle(self.now, bucket);
    }

    /// The tail has been sent over `vc`, which may be granted anew while its flits are under way.
    #[inline]
    pub(super) fn tail_is_sent<M: Machine>(&mut self, vc: u32) {
        if M::SENT {
            if self.state.holds[vc as usize].next == SINK {
                self.has_room_again(vc);
            }
            self.free_vc(vc);
        }
    }

    /// Slots of a VC's buffer that are taken by flits, in it or under way to it, and not by credits
    /// on their way back.
    pub(in super::super) fn filled(&self, slot: u32) -> u32 {
        let returning = self.general.credits.ahead(self.now).filter(|&(_, vc)| vc == slot).count();
        self.state.buffers[slot as usize].occupied - returning as u32
    }

    /// The flits under way to a hold that is given up never land.
    pub(super) fn forget_flights(&mut self, row: u32, slot: u32) {
        let flying = self.state.holds[row as usize].flying;
        if flying == 0 {
            return;
        }
        let (channel, v) = self.state.split(slot);
        let bit = 1u32 << v;
        // Of those under way over one VC, the older holds' land first; the one that is still being
        // sent is the youngest.
        let mut before = 0;
        let mut at = self.state.buffers[slot as usize].lands;
        let mut behind = NONE;
        while at != NONE && at != row {
            before += self.state.holds[at as usize].flying;
            behind = at;
            at = self.state.berths[at as usize].then;
        }
        if at == row {
            let then = self.state.berths[row as usize].then;
            let buffer = &mut self.state.buffers[slot as usize];
            if behind == NONE {
                buffer.lands = then;
            } else {
                self.state.berths[behind as usize].then = then;
            }
            if then == NONE {
                buffer.lands_last = behind;
            }
        }
        let General { landings, crossings, busy, .. } = &mut self.general;
        let dropped = landings.drop_some(self.now, slot, before, flying);
        if dropped < flying {
            // One more: it is being sent.
            crossings.drop_some(self.now, slot, 0, 1);
            busy[channel] &= !bit;
        }
        debug_assert!(self.state.place(row) != Place::Ejection);
    }
}
