//! Picks flits under instant credit.
//!
//! A slot emptied in a cycle can be refilled in the same cycle, so a flit may move because the flit
//! ahead moves, through a whole chain of full buffers.
//!
//! Every channel picks, round robin, the first VC able to move in this cycle. If the buffer of this
//! VC has room, the channel decides immediately, and the slot left by its flit may enable the
//! channel behind (the *wave*). If the buffer is full while another VC could move, the channel is
//! *deferred* until the fate of the flit ahead is known: the chain is followed to a blocked head,
//! to a channel that picked another VC, or to another deferred channel, settled first. If nothing
//! else can be settled, the remaining channels wait for each other in cycles, and each channel of a
//! cycle gives up the VC for which it waited. A full ring without a gap does not move.
//!
//! The order of visits does not matter: immediate decisions remain possible, and flits unable to
//! move remain so. Everything that can be settled without breaking a cycle is therefore the same in
//! any order; then all cycles are broken at once.
//!
//! Only heads can block: a chain that ends at a head without a VC is marked *stuck* until the grant
//! of a VC to this head, so blocked worms are followed once and not in every cycle.

use super::engine::WormholeEngine;
use super::pick::round_robin;
use super::records::{Decision, NONE, Stage};
use super::rules::Rules;

/// The fate of the first flit in a full buffer.
enum Outlook {
    /// Does not move in this cycle.
    Stays,
    /// Depends on the decision of the given channel.
    Depends(usize),
}

impl WormholeEngine {
    /// Picks a VC per channel, round robin over all VCs able to move in this cycle.
    pub(super) fn pick_with_chains<M: Rules>(&mut self) {
        self.roll::<M>();
        self.settle_all::<M>();
    }

    /// Settles all deferred channels. Cycles are broken only if nothing else can be settled, and
    /// all at once, so that the set of cycles does not depend on the order of visits.
    fn settle_all<M: Rules>(&mut self) {
        loop {
            let mut progress = false;
            while let Some(channel) = self.work.deferred.pop() {
                progress |= self.settle_chain::<M>(channel as usize);
            }
            if self.work.stalled.is_empty() {
                return;
            }
            if !progress {
                self.break_circles();
            }
            while let Some(channel) = self.work.stalled.pop() {
                let decision = self.decision(channel as usize);
                if decision.stage == Stage::Stalled {
                    decision.stage = Stage::Open;
                }
                self.work.deferred.push(channel);
            }
        }
    }

    /// Processes the wave until it is empty.
    #[inline]
    fn roll<M: Rules>(&mut self) {
        while let Some(channel) = self.work.wave.pop() {
            self.look::<M>(channel as usize);
        }
    }

    /// The record of a channel for this cycle.
    #[inline]
    fn decision(&mut self, channel: usize) -> &mut Decision {
        let stamp = self.now + 1;
        let decision = &mut self.state.decisions[channel];
        if decision.stamp != stamp {
            *decision = Decision { stamp, stuck: decision.stuck, ..Decision::default() };
        }
        decision
    }

    /// The preferred VC among those that may still move, the next pointer, and whether the VC has
    /// room already. `None` if the channel has decided, or no such VC has room.
    #[inline]
    fn first(&mut self, channel: usize) -> Option<(u32, u8, bool)> {
        let decision = *self.decision(channel);
        let (row, space) = (&self.state.channels[channel], self.state.space[channel]);
        let open = row.flit & !decision.gone & !decision.stuck;
        if decision.stage == Stage::Decided || open & space == 0 || row.stalled {
            return None;
        }
        let (v, pointer) = round_robin(open, row.pointer, self.state.virtual_channels);
        Some((v, pointer, space >> v & 1 == 1))
    }

    /// Visits a channel, which decides, is deferred, or has no movable flit.
    #[inline]
    fn look<M: Rules>(&mut self, channel: usize) {
        let Some((v, pointer, room)) = self.first(channel) else { return };
        if room {
            self.decide::<M>(channel, v, pointer);
            return;
        }
        let decision = self.decision(channel);
        if !decision.deferred {
            decision.deferred = true;
            self.work.deferred.push(channel as u32);
        }
    }

    #[inline]
    fn decide<M: Rules>(&mut self, channel: usize, v: u32, pointer: u8) {
        self.decision(channel).stage = Stage::Decided;
        self.work.again.push(channel as u32);
        self.state.channels[channel].pointer = pointer;
        let vc = self.state.slot(channel, v);
        if self.state.is_fed_by_source(vc) {
            self.pick_from_source(vc);
        } else {
            self.work.picks.push(vc);
            self.move_ahead::<M>(vc);
        }
    }

    /// Settles a deferred channel after all channels it depends on, or stalls all of them. Returns
    /// true on progress.
    #[inline(never)]
    fn settle_chain<M: Rules>(&mut self, channel: usize) -> bool {
        let mut progress = false;
        let mut chain = std::mem::take(&mut *self.work.settling);
        if self.decision(channel).stage == Stage::Open {
            chain.push(channel as u32);
        }
        while let Some(&channel) = chain.last() {
            let channel = channel as usize;
            let Some((v, pointer, room)) = self.first(channel) else {
                // Room at the time of deferral is still available.
                debug_assert!(self.decision(channel).stage == Stage::Decided);
                chain.pop();
                continue;
            };
            if room {
                self.decide::<M>(channel, v, pointer);
                self.roll::<M>();
                progress = true;
                continue;
            }
            match self.outlook(channel, v) {
                Outlook::Stays => {
                    self.decision(channel).gone |= 1 << v;
                    progress = true;
                }
                Outlook::Depends(other) => {
                    let decision = self.decision(channel);
                    (decision.stage, decision.vc, decision.ahead) =
                        (Stage::Settling, v as u8, other as u32);
                    if self.decision(other).stage == Stage::Open {
                        chain.push(other as u32);
                        continue;
                    }
                    for &stalled in &chain {
                        let decision = self.decision(stalled as usize);
                        if decision.stage == Stage::Settling {
                            decision.stage = Stage::Stalled;
                        }
                    }
                    self.work.stalled.append(&mut chain);
                }
            }
        }
        *self.work.settling = chain;
        progress
    }

    /// Breaks the cycles of stalled channels: each channel of a cycle gives up its VC. Every
    /// stalled channel waits for a stalled channel.
    fn break_circles(&mut self) {
        let stalled = std::mem::take(&mut *self.work.stalled);
        for &channel in &stalled {
            self.decision(channel as usize).mark = 0;
        }
        for (path, &first) in (1..).zip(&stalled) {
            let mut at = first as usize;
            while self.decision(at).mark == 0 {
                let decision = self.decision(at);
                decision.mark = path;
                at = decision.ahead as usize;
            }
            if self.decision(at).mark != path {
                continue;
            }
            while self.decision(at).mark == path {
                let decision = self.decision(at);
                decision.mark = u32::MAX;
                decision.gone |= 1 << decision.vc;
                at = decision.ahead as usize;
            }
        }
        *self.work.stalled = stalled;
    }

    /// Follows the chain of full buffers in front of VC `v` of `channel`.
    #[inline(never)]
    fn outlook(&mut self, channel: usize, v: u32) -> Outlook {
        let first = self.state.slot(channel, v);
        let mut at = first;
        for _ in 0..=self.state.slots {
            let front = self.front_of(at);
            let hold = self.state.holds[front as usize];
            if hold.next == NONE {
                self.mark_stuck(first, Some(at));
                return Outlook::Stays;
            }
            let next = hold.next;
            if next >= self.state.slots {
                // A picked ejection has emptied its slot already.
                return Outlook::Stays;
            }
            let (onward, w) = self.state.split(next);
            let decision = *self.decision(onward);
            let stalled = self.state.channels[onward].stalled;
            if stalled || decision.stage == Stage::Decided || decision.gone >> w & 1 == 1 {
                return Outlook::Stays;
            }
            if hold.here == 0 {
                // All flits of the buffer are still under way.
                return Outlook::Stays;
            }
            if decision.stuck >> w & 1 == 1 {
                self.mark_stuck(first, Some(at));
                return Outlook::Stays;
            }
            if self.state.space[onward] >> w & 1 == 1 {
                return Outlook::Depends(onward);
            }
            at = next;
        }
        self.mark_stuck(first, None);
        Outlook::Stays
    }

    /// Marks the chain from `first` to `last` as stuck; without `last` the chain is a ring.
    fn mark_stuck(&mut self, first: u32, last: Option<u32>) {
        let mut at = first;
        loop {
            let (channel, v) = self.state.split(at);
            let decision = self.decision(channel);
            if last.is_none() && decision.stuck >> v & 1 == 1 {
                return;
            }
            decision.stuck |= 1 << v;
            if last == Some(at) {
                return;
            }
            let front = self.front_of(at);
            at = self.state.hold(front).next;
        }
    }

    /// Clears the marks of the chain behind a head in `row` that was granted its next VC.
    pub(super) fn unstick(&mut self, row: u32) {
        let mut row = row;
        loop {
            let slot = self.state.slot_of(row);
            if slot == NONE {
                return;
            }
            let (channel, v) = self.state.split(slot);
            let stuck = &mut self.state.decisions[channel].stuck;
            if *stuck >> v & 1 == 0 {
                return;
            }
            *stuck &= !(1 << v);
            // The current feeder of the buffer belongs to the hold in the row of the VC.
            let feeder = self.state.hold(slot).prev;
            if self.state.hold(slot).worm == NONE || feeder == NONE {
                return;
            }
            row = feeder;
        }
    }

    /// Clears all stuck marks; later evaluations find them again.
    pub(super) fn unstick_all(&mut self) {
        for decision in self.state.decisions.iter_mut() {
            decision.stuck = 0;
        }
    }

    /// The first hold in a full buffer.
    fn front_of(&self, slot: u32) -> u32 {
        // Stored only if several holds may share a buffer.
        match self.state.buffers[slot as usize].front {
            NONE => slot,
            front => front,
        }
    }
}
