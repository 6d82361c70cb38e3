//! The wait-for graph of messages, and the messages that can never move again.
//!
//! Only heads wait ([`WaitKind`]): behind an older message in their buffer, for an output VC while no
//! candidate is free, for a slot in the buffer of their output VC, for its credit, and for the
//! crossbar. The last two end by themselves.

use super::engine::RouterEngine;
use super::records::{NONE, Stage, Worm};
use super::rules::Other;
use super::state::State;
use crate::engine::deadlock::{Wait, WaitKind, stuck};
use crate::ids::{RouterId, WormId};
use crate::routing::Candidate;
use crate::switching::Release;

/// The waits of a cycle.
pub(super) struct Waits<'a>(pub &'a RouterEngine);

impl Waits<'_> {
    /// The waits of a message, an entry for each VC.
    pub fn of_row(&self, row: u32, candidates: &mut Vec<Candidate>) -> Vec<Wait> {
        let state = &self.0.state;
        let worm = &state.worms[row as usize];
        if !worm.live || worm.head == NONE {
            return Vec::new();
        }
        let head = state.holds[worm.head as usize];
        let wait = |kind, wants, at, holder: Option<u32>| Wait {
            kind,
            worm: WormId(row),
            at: RouterId(at),
            wants: state.public_vc(wants),
            holder: holder.map(WormId),
        };
        if state.crosses(worm) {
            let with_vc = self.for_room(worm, wait).or_else(|| self.for_crossbar(worm, wait));
            return with_vc.into_iter().collect();
        }
        let buffer = &state.buffers[head.slot as usize];
        if buffer.front != worm.head {
            let ahead = state.in_buffer(head.slot).take_while(|&it| it != worm.head).last();
            let holder = ahead.map(|ahead| state.holds[ahead as usize].worm);
            return vec![wait(WaitKind::HeadOfLine, head.slot, worm.at, holder)];
        }
        if buffer.stage != Stage::Waiting || buffer.ready >= self.0.internal {
            return Vec::new();
        }
        self.0.candidates_of(head.slot, candidates);
        let slots = candidates.iter().flat_map(|it| {
            let vcs = (0..state.vcs).filter(move |v| it.vcs >> v & 1 == 1);
            vcs.map(|v| state.slot(it.channel.index(), v))
        });
        let worm_of = |at: u32| state.holds.get(at as usize).map(|hold| hold.worm);
        let wait_for = |slot: u32| match state.keeper(slot) {
            NONE if !state.has_room(head.slot, slot, worm.length) => {
                let first = worm_of(state.buffers[slot as usize].front);
                wait(WaitKind::Room, slot, worm.at, first)
            }
            keeper => wait(WaitKind::Vc, slot, worm.at, worm_of(keeper)),
        };
        slots.map(wait_for).collect()
    }

    /// The wait of a head with an output VC for a slot of its buffer.
    fn for_room(
        &self,
        worm: &Worm,
        wait: impl Fn(WaitKind, u32, u32, Option<u32>) -> Wait,
    ) -> Option<Wait> {
        let state = &self.0.state;
        let head = state.holds[worm.head as usize];
        let buffer = &state.buffers[head.slot as usize];
        let waits = head.left == worm.length
            && head.up != NONE
            && buffer.front != worm.head
            && state.taken(head.slot) == state.flits;
        let first = state.holds[buffer.front as usize].worm;
        waits.then(|| wait(WaitKind::Room, head.slot, state.router_of(worm), Some(first)))
    }

    /// The wait of a head with an output VC for a credit or for the crossbar.
    fn for_crossbar(
        &self,
        worm: &Worm,
        wait: impl Fn(WaitKind, u32, u32, Option<u32>) -> Wait,
    ) -> Option<Wait> {
        let (state, now) = (&self.0.state, self.0.internal);
        let from = state.unsent(worm).filter(|&it| state.buffers[it as usize].ready < now)?;
        let wanted = state.holds[worm.head as usize].slot;
        let channel = state.split(wanted).0;
        let (output, input) =
            (&state.ports[channel], &state.lanes[state.lane_of::<Other>()(from) as usize]);
        let exit = &state.exits[state.exit(channel as u32, from) as usize];
        let (kind, holder) = if state.buffers[wanted as usize].credits == 0 {
            (WaitKind::Credit, None)
        } else if exit.next < now && input.next == now {
            (WaitKind::Input, Some(input.served))
        } else {
            // A stalled exit serves nobody.
            let serves = exit.next >= now && exit.next != u64::MAX;
            (WaitKind::Output, Some(output.served).filter(|_| serves))
        };
        Some(wait(kind, wanted, state.router_of(worm), holder))
    }

    /// The waits of all messages in the network that satisfy `kept`, oldest message first; omits
    /// messages unless all of their waits are kept.
    pub fn all(&self, kept: impl Fn(&Wait) -> bool) -> Vec<Wait> {
        let (mut waits, mut candidates) = (Vec::new(), Vec::new());
        for row in self.0.state.in_network() {
            let of_row = self.of_row(row, &mut candidates);
            if of_row.iter().all(&kept) {
                waits.extend(of_row);
            }
        }
        waits
    }

    /// The waits of all messages that can never move again, oldest message first.
    pub fn stuck(&self) -> Vec<Wait> {
        let mut candidates = Vec::new();
        let waiting: Vec<bool> = (0..self.0.state.worms.len() as u32)
            .map(|row| !self.of_row(row, &mut candidates).is_empty())
            .collect();
        stuck(self.all(|wait| {
            let blocked = wait.holder.is_some_and(|holder| waiting[holder.index()]);
            blocked && self.lasts(wait)
        }))
    }

    /// True if a wait cannot end while the head of its holder is blocked. Flits behind a blocked
    /// head close up, and may leave the resource.
    fn lasts(&self, wait: &Wait) -> bool {
        let state = &self.0.state;
        let vc = wait.wants.0;
        let slot = state.slot((vc / state.vcs) as usize, vc % state.vcs);
        let buffer = &state.buffers[slot as usize];
        match wait.kind {
            WaitKind::Vc => {
                let keeper = state.keeper(slot);
                keeper != NONE
                    && match state.release {
                        Release::Sent => {
                            state.holds[keeper as usize].left > state.room_ahead(keeper)
                        }
                        Release::Drained | Release::Credit => !state.can_drain(keeper),
                    }
            }
            WaitKind::HeadOfLine => {
                let head = state.worms[wait.worm.index()].head;
                let ahead = state.in_buffer(slot).take_while(|&it| it != head).last();
                ahead.is_some_and(|ahead| !state.can_drain(ahead))
            }
            WaitKind::Room => {
                let worm = &state.worms[wait.worm.index()];
                let from = state.holds[worm.head as usize].slot;
                if state.crosses(worm) {
                    state.gaps_before(buffer.front) == 0
                } else if state.marks_tails() {
                    state.is_full(from, slot, worm.length) && !state.can_drain(buffer.front)
                } else {
                    state.is_full(from, slot, worm.length) && state.gaps_before(buffer.front) == 0
                }
            }
            WaitKind::Credit | WaitKind::Output | WaitKind::Input | WaitKind::Reply => false,
        }
    }

    /// The cycle in which the current wait of a head began: of its request, its grant or its
    /// arrival, or of the last grant of a candidate to another message.
    pub fn since(&self, row: u32) -> u64 {
        let state = &self.0.state;
        let mut candidates = Vec::new();
        let waits = self.of_row(row, &mut candidates);
        let worm = &state.worms[row as usize];
        let start = match waits.first().map(|wait| wait.kind) {
            Some(WaitKind::Vc) => worm.asked / state.steps,
            Some(WaitKind::Room) if !state.crosses(worm) => worm.asked / state.steps,
            Some(
                WaitKind::HeadOfLine
                | WaitKind::Room
                | WaitKind::Credit
                | WaitKind::Output
                | WaitKind::Input
                | WaitKind::Reply,
            )
            | None => return worm.stopped / state.steps,
        };
        let granted = waits.iter().map(|wait| {
            let (channel, v) = (wait.wants.0 / state.vcs, wait.wants.0 % state.vcs);
            state.buffers[state.slot(channel as usize, v) as usize].granted
        });
        granted.fold(start, u64::max)
    }
}

impl State {
    /// The slots for flits that a hold still expects, if the heads ahead are blocked forever.
    fn room_ahead(&self, hold: u32) -> u32 {
        let slot = self.holds[hold as usize].slot;
        if slot >> self.shift >= self.ejections as u32 {
            return u32::MAX;
        }
        let gaps = self.flits - self.taken(slot);
        gaps.saturating_add(self.gaps_before(hold))
    }

    /// True if all flits of a hold can leave its buffer although the heads ahead are blocked forever.
    fn can_drain(&self, at: u32) -> bool {
        let hold = &self.holds[at as usize];
        let is_last = hold.slot >> self.shift >= self.ejections as u32;
        let flits = hold.inside + hold.flying + hold.left;
        is_last || (hold.down != NONE && flits <= self.gaps_before(at))
    }

    /// The slots for flits to advance from a hold if the heads ahead are blocked forever: the gaps
    /// in the buffers up to the head of its message, and beyond, those left by the oldest message
    /// there.
    fn gaps_before(&self, hold: u32) -> u32 {
        let (mut at, mut gaps) = (hold, 0);
        for _ in 0..self.holds.len() {
            let Some(down) = self.holds.get(self.holds[at as usize].down as usize) else {
                let front = self.buffers[self.holds[at as usize].slot as usize].front;
                if front == at {
                    return gaps;
                }
                at = front;
                continue;
            };
            if down.slot >> self.shift >= self.ejections as u32 {
                return u32::MAX;
            }
            gaps += self.flits - self.taken(down.slot);
            at = self.holds[at as usize].down;
        }
        // A gap in a ring returns repeatedly.
        if gaps > 0 { u32::MAX } else { 0 }
    }
}
