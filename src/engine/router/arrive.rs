//! Flits land, are consumed at their node, and credits return.

use super::engine::RouterEngine;
use super::records::{NONE, Stage};
use super::room::TAIL;
use super::rules::Rules;
use crate::engine::totals::{Delivery, HeadWaits};
use crate::ids::{Letter, NodeId};
use crate::switching::Release;
use crate::units::Cycle;

impl RouterEngine {
    /// Processes the landings and credits of this cycle.
    pub(super) fn arrive<M: Rules>(&mut self) {
        self.state.landings.bring_forward(self.now);
        self.state.credits.bring_forward(self.now);
        if self.state.landings.is_due(self.now) {
            let landed = self.state.landings.take(self.now);
            for &hold in &landed {
                self.land(hold);
            }
            self.state.landings.recycle(landed);
        }
        if self.state.credits.is_due(self.now) {
            let returned = self.state.credits.take(self.now);
            for &row in &returned {
                self.take_credit::<M>(row);
            }
            self.state.credits.recycle(returned);
        }
    }

    #[expect(clippy::inline_always, reason = "called in one loop")]
    #[inline(always)]
    fn land(&mut self, row: u32) {
        let hold = &mut self.state.holds[row as usize];
        hold.flying -= 1;
        let slot = hold.slot;
        if slot >> self.state.shift >= self.state.ejections as u32 {
            return self.consume(row);
        }
        hold.inside += 1;
        let (worm, is_first) = (hold.worm as usize, hold.inside == 1);
        let buffer = &self.state.buffers[slot as usize];
        let (front, stage) = (buffer.front, buffer.stage);
        if front != row {
            if is_first {
                self.state.worms[worm].stopped = self.internal;
            }
            return;
        }
        match stage {
            Stage::Idle => self.state.start(slot, self.internal + u64::from(self.stages.route)),
            // A buffer with more flits bids unless it waits for a credit.
            Stage::Active if is_first => self.bid_if_credited(slot),
            Stage::Active | Stage::Waiting => {}
        }
    }

    /// Adds a buffer with a flit and an output VC to the bids, if the output VC has a credit.
    pub(super) fn bid_if_credited(&mut self, slot: u32) {
        let state = &mut self.state;
        let buffer = &state.buffers[slot as usize];
        let inside = state.holds[buffer.front as usize].inside;
        if inside > 0 && state.buffers[buffer.out as usize].credits > 0 {
            state.bid(slot);
        }
    }

    /// Adds a returned credit, and lets the VC upstream bid.
    fn take_credit<M: Rules>(&mut self, row: u32) {
        let state = &mut self.state;
        let slot = row & !TAIL;
        let buffer = &mut state.buffers[slot as usize];
        buffer.credits += 1;
        buffer.messages -= u32::from(row != slot);
        let (owner, credits) = (buffer.owner, buffer.credits);
        if owner == NONE {
            if state.release == Release::Credit && credits == state.flits {
                state.set_free(slot);
            }
            return;
        }
        if credits > 1 {
            return;
        }
        let up = state.holds[owner as usize].up;
        if up == NONE {
            return;
        }
        let from = state.holds[up as usize].slot;
        let hold = state.holds[owner as usize];
        let ready = state.cycle::<M>(state.buffers[from as usize].ready);
        let worm = &mut state.worms[hold.worm as usize];
        if hold.left == worm.length {
            worm.waited_for_credit += self.now.saturating_sub(ready) as u32;
        }
        self.bid_if_credited(from);
    }

    /// Schedules the return of a credit for a slot emptied in this cycle, by a tail or another flit.
    #[inline]
    pub(super) fn return_credit(&mut self, slot: u32, is_tail: bool) {
        let delay = u64::from(self.state.buffers[slot as usize].credit_delay);
        let mark = if is_tail && self.state.marks_tails() { TAIL } else { 0 };
        self.state.credits.push_late(self.now, self.now + 1 + delay, slot | mark);
    }

    /// Consumes a flit at its node.
    fn consume(&mut self, row: u32) {
        let hold = self.state.holds[row as usize];
        self.common.counters.flits_consumed += 1;
        let is_tail = hold.left == 0 && hold.flying == 0;
        self.return_credit(hold.slot, is_tail);
        if is_tail {
            self.state.leave(hold.slot);
            self.deliver(hold.worm);
        }
    }

    /// Delivers a message with its tail consumed.
    fn deliver(&mut self, worm: u32) {
        let row = &mut self.state.worms[worm as usize];
        row.live = false;
        let row = *row;
        if row.letter != NONE {
            self.common.letters.give_back(self.now, row.name(), Letter(row.letter));
        }
        let delivery = Delivery {
            source: NodeId(row.source),
            destination: NodeId(row.destination),
            serial: row.serial,
            length: row.length,
            hops: row.hops,
            born: Cycle(row.born),
            began: Cycle(row.born),
            message_class: row.header.message_class,
            entered: Cycle(row.entered),
            done: Cycle(self.now),
            aborts: 0,
            held: 0,
            longest_wait: row.longest_wait,
            longest_wait_for: row.longest_wait_for,
            head_waits: Some(HeadWaits {
                behind: row.waited_behind,
                vc: row.waited_for_vc,
                crossbar: row.waited_with_vc - row.waited_for_credit,
                credit: row.waited_for_credit,
            }),
            own_pace: if self.state.paced {
                row.own_pace.cycles(&self.machine, row.length, row.hops)
            } else {
                0
            },
        };
        self.state.spare_worms.push(worm);
        self.common.counters.latency_sum += delivery.latency();
        self.common.deliver(delivery, delivery.born.0, self.now - 1);
    }
}
