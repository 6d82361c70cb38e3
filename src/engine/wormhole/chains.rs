//! Evaluation with instant credit: a slot emptied in a cycle can be refilled in it, so a flit may
//! move because the one in front of it does, through a whole chain of full buffers.
//!
//! Every channel chooses the first VC, round robin, of those that can move in this cycle.
//! Where that one has room already the channel decides at once, and the slot that its flit leaves
//! may let the channel behind decide (the *wave*). Where the first VC's buffer is full while another
//! VC could move, the channel waits (*deferred*) until it is known whether the flit in front moves:
//! the chain is followed to a head that waits, to a channel that chose another, or to a
//! channel that is itself deferred, which is then settled first. Where nothing else can be settled
//! the remaining channels wait for each other in circles, and each of a circle gives up the VC for
//! which it waited. A full ring without a gap stays as it is.
//!
//! The order in which channels are looked at changes nothing: what is decided at once stays
//! possible and what is known not to move stays so, so all that can be settled without breaking a
//! circle is the same in any order; and then all circles are broken at once.
//!
//! Only heads can block: a chain that was followed to a head without a VC is marked *stuck* until
//! that head is granted one, so blocked worms are followed once and not in every cycle.

use super::engine::WormholeEngine;
use super::pick::round_robin;
use super::records::{Decision, NONE, Stage};
use super::rules::Rules;

/// What becomes of the flit that stands first in a full buffer.
enum Outlook {
    /// It stays in this cycle.
    Stays,
    /// It depends on what this channel decides.
    Depends(usize),
}

impl WormholeEngine {
    /// Picks one VC per channel, round robin over all that can move in this cycle.
    pub(super) fn pick_with_chains<M: Rules>(&mut self) {
        self.roll::<M>();
        self.settle_all::<M>();
    }

    /// Has every deferred channel decide. Circles are broken only when nothing else can be settled,
    /// all of them at once, so that what they are does not depend on the order of visits.
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

    /// Follows the wave to its end.
    #[inline]
    fn roll<M: Rules>(&mut self) {
        while let Some(channel) = self.work.wave.pop() {
            self.look::<M>(channel as usize);
        }
    }

    /// This cycle's record of a channel.
    #[inline]
    fn decision(&mut self, channel: usize) -> &mut Decision {
        let stamp = self.now + 1;
        let decision = &mut self.state.decisions[channel];
        if decision.stamp != stamp {
            *decision = Decision { stamp, stuck: decision.stuck, ..Decision::default() };
        }
        decision
    }

    /// The VC to choose, if the channel has one that moves whatever others do, and the next pointer; and
    /// whether it has room already.
    #[inline]
    fn first(&mut self, channel: usize) -> Option<(u32, u8, bool)> {
        let decision = *self.decision(channel);
        let (row, space) = (&self.state.channels[channel], self.state.space[channel]);
        let open = row.flit & !decision.gone & !decision.stuck;
        if decision.stage == Stage::Decided || open & space == 0 {
            return None;
        }
        let (v, pointer) = round_robin(open, row.pointer, self.state.virtual_channels);
        Some((v, pointer, space >> v & 1 == 1))
    }

    /// Looks at a channel: it decides, is deferred, or has nothing that moves.
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

    /// Has a deferred channel decide, after all those on which it depends, or stalls it with them.
    /// Answers whether anything was learnt.
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
                // What had room when it was deferred has it still.
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

    /// Every stalled channel waits for a stalled one: those in circles give up the VCs for which they wait.
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
                // An ejection that was picked has emptied its slot already.
                return Outlook::Stays;
            }
            let (onward, w) = self.state.split(next);
            let decision = *self.decision(onward);
            if decision.stage == Stage::Decided || decision.gone >> w & 1 == 1 {
                return Outlook::Stays;
            }
            if hold.here == 0 {
                // All that fills the buffer is still under way.
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

    /// Marks the chain from one VC to another as stuck; without an end it is a ring.
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

    /// A head in `row` was granted its next VC: what stood behind it is no longer stuck.
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
            // What feeds this buffer now: the hold in the VC's own row.
            let feeder = self.state.hold(slot).prev;
            if self.state.hold(slot).worm == NONE || feeder == NONE {
                return;
            }
            row = feeder;
        }
    }

    /// Forgets which VCs are stuck: they are found again.
    pub(super) fn unstick_all(&mut self) {
        for decision in self.state.decisions.iter_mut() {
            decision.stuck = 0;
        }
    }

    /// The hold that stands first in a full buffer.
    fn front_of(&self, slot: u32) -> u32 {
        // Kept only where several may stand in it.
        match self.state.buffers[slot as usize].front {
            NONE => slot,
            front => front,
        }
    }
}
