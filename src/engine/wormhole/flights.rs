//! Lands the flits and credits that arrive in this cycle.

use super::engine::WormholeEngine;
use super::records::{Hold, NONE, Place, SINK};
use super::rules::Rules;
use super::state::State;

impl WormholeEngine {
    /// Processes the flits and credits that arrive in this cycle.
    #[inline]
    pub(super) fn land_arrivals<M: Rules>(&mut self) {
        if M::FAR && !self.state.paces.is_empty() {
            let State { crossings, landings, credits, .. } = &mut self.state;
            for wheel in [crossings, landings, credits] {
                wheel.bring_forward(self.now);
            }
        }
        if (M::FIXED || M::FAR) && self.state.crossings.is_due(self.now) {
            self.end_crossings::<M>();
        }
        if M::FAR {
            if self.state.landings.is_due(self.now) {
                self.land_all::<M>();
            }
            if self.state.credits.is_due(self.now) {
                self.return_credits::<M>();
            }
        }
        if M::FIXED || M::FAR {
            self.land_run_arrivals::<M>();
            self.state.arrivals_done = 1;
        }
    }

    /// Makes channels available after sending a flit. Over a private channel the flit also lands,
    /// unless a further delay follows.
    fn end_crossings<M: Rules>(&mut self) {
        let bucket = self.state.crossings.take(self.now);
        for &vc in &bucket {
            let (channel, v) = self.state.split(vc);
            self.state.busy[channel] &= !(1 << v);
            // A shared channel may send for any of its VCs.
            let next = if M::FIXED { 1 << v } else { u32::MAX };
            if self.state.movable(channel) & next != 0 {
                self.state.activate(channel);
            }
            if !M::FIXED {
                continue;
            }
            if M::FAR {
                if self.state.hold(vc).left == 0 {
                    self.tail_is_sent::<M>(vc);
                }
                let more = self.delay_after_sending(channel);
                if more > 0 {
                    self.state.landings.push_late(self.now, self.now + more, vc);
                    continue;
                }
            }
            self.land::<M>(vc);
        }
        self.state.crossings.recycle(bucket);
    }

    /// The cycles from the end of sending a flit over a private channel until the flit lands.
    fn delay_after_sending(&self, channel: usize) -> u64 {
        match self.state.paces.get(channel) {
            Some(pace) => u64::from(pace.delay - pace.each),
            None => u64::from(self.switching.channel_delay) - 1,
        }
    }

    fn land_all<M: Rules>(&mut self) {
        let bucket = self.state.landings.take(self.now);
        for &row in &bucket {
            self.land::<M>(row);
        }
        self.state.landings.recycle(bucket);
    }

    /// Lands a flit sent over the VC `row`, or to the ejecting hold `row`.
    #[inline]
    fn land<M: Rules>(&mut self, row: u32) {
        let state = &mut self.state;
        let mut at = row;
        if M::FAR && M::SENT && row < state.slots && state.buffers[row as usize].lands != NONE {
            at = state.buffers[row as usize].lands;
        }
        let hold = &mut state.holds[at as usize];
        let Hold { next, here, left, flying, .. } = *hold;
        debug_assert!(flying > 0);
        hold.flying = flying - 1;
        if next != SINK {
            hold.here = here + 1;
        }
        if at != row && flying == 1 {
            state.buffers[row as usize].lands = state.places[at as usize].then;
        }
        self.landed::<M>(at, (next, here, left + flying - 1), self.now);
    }

    fn return_credits<M: Rules>(&mut self) {
        let bucket = self.state.credits.take(self.now);
        for &vc in &bucket {
            self.leave_slot::<M>(vc, 0);
        }
        self.state.credits.recycle(bucket);
    }

    /// Frees `vc` after its tail has been sent; the VC may be granted again while flits are under
    /// way.
    #[inline]
    pub(super) fn tail_is_sent<M: Rules>(&mut self, vc: u32) {
        if M::SENT {
            if self.state.hold(vc).next == SINK {
                self.state.may_be_full_again(vc);
            }
            self.state.free_vc(vc);
        }
    }

    /// Discards the flits under way to an abandoned hold.
    pub(super) fn forget_flights(&mut self, row: u32, slot: u32) {
        let state = &mut self.state;
        let flying = state.hold(row).flying;
        if flying == 0 {
            return;
        }
        // Among flits under way over the same VC, those of older holds land first; a flit still
        // being sent belongs to the youngest hold.
        let older = state.landing(slot).take_while(|&at| at != row);
        let (before, behind) =
            older.fold((0, NONE), |(flits, _), at| (flits + state.hold(at).flying, at));
        if row != slot {
            let then = state.places[row as usize].then;
            if behind == NONE {
                state.buffers[slot as usize].lands = then;
            } else {
                state.places[behind as usize].then = then;
            }
        }
        let dropped = self.state.landings.drop_some(self.now, slot, before, flying);
        if dropped < flying {
            // A flit is still being sent.
            self.state.crossings.drop_some(self.now, slot, 0, 1);
            let (channel, v) = self.state.split(slot);
            self.state.busy[channel] &= !(1 << v);
        }
        debug_assert!(self.state.place(row) != Place::Ejection);
    }
}
