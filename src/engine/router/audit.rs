//! Checks the conservation laws against the whole state.
//!
//! The checks are independent of the code that maintains the laws.

use std::collections::{BTreeMap, BTreeSet};

use super::engine::RouterEngine;
use super::records::{NONE, Stage, Worm};
use super::room::TAIL;
use super::state::State;
use crate::engine::common::Common;
use crate::engine::tables::{counted, law};
use crate::ids::NodeId;
use crate::switching::Release;

/// Returns the first violation of a law.
pub(super) fn check(engine: &RouterEngine) -> Result<(), String> {
    let RouterEngine { common, now, state, .. } = engine;
    Audit { common, state, now: *now }.check()
}

/// The state under audit.
struct Audit<'a> {
    common: &'a Common,
    state: &'a State,
    now: u64,
}

impl Audit<'_> {
    fn check(&self) -> Result<(), String> {
        let mut holds = 0;
        for (row, worm) in self.state.live() {
            let name = format!("message {} of node {}", worm.serial, worm.source);
            holds += self.check_worm(row, worm).map_err(|law| format!("{name}: {law}"))?;
        }
        let in_use = self.state.holds.len() - self.state.spare_holds.len();
        counted("holds belong to messages", holds, in_use)?;
        (0..self.state.buffers.len() as u32).try_for_each(|slot| {
            self.check_buffer(slot).map_err(|law| format!("buffer {slot}: {law}"))
        })?;
        self.check_rings()?;
        self.check_nodes()?;
        self.check_totals()
    }

    /// Checks that a slot of every ring is free, or becomes free as a message moves within the ring.
    fn check_rings(&self) -> Result<(), String> {
        let state = self.state;
        let mut rings: BTreeMap<u32, (u32, BTreeSet<u32>)> = BTreeMap::new();
        for (channel, &ring) in state.rings.iter().enumerate().filter(|(_, ring)| **ring != NONE) {
            let (slots, worms) = rings.entry(ring).or_default();
            for slot in (0..state.vcs).map(|v| state.slot(channel, v)) {
                *slots += state.slots;
                worms.extend(state.in_buffer(slot).map(|at| state.holds[at as usize].worm));
            }
        }
        for (ring, (slots, worms)) in rings {
            law!((worms.len() as u32) < slots, "ring {ring}: no slot of {slots} is free");
        }
        Ok(())
    }

    /// Checks that every flit of a message is at its source, in a buffer, on its way or consumed.
    /// Returns the number of holds.
    fn check_worm(&self, row: u32, worm: &Worm) -> Result<usize, String> {
        let state = self.state;
        let (mut holds, mut behind, mut last) = (0, None, NONE);
        for at in state.holds_of(worm) {
            let hold = &state.holds[at as usize];
            law!(hold.worm == row, "a hold in its chain belongs to another message");
            law!(hold.down == last, "its holds are not linked in both directions");
            let here = hold.inside + hold.flying + hold.left;
            if let Some(left) = behind {
                law!(left == here, "{left} flits expected, but {here} behind");
            }
            law!(here <= worm.length, "{here} of {} flits", worm.length);
            (behind, last) = (Some(hold.left), at);
            holds += 1;
        }
        if last != NONE {
            let fed = state.nodes[worm.source as usize].feeds == last;
            law!(fed == (behind != Some(0)), "its source does not send its flits");
        }
        Ok(holds)
    }

    /// Checks the owner, the slots, the credits and the stage of a buffer.
    fn check_buffer(&self, slot: u32) -> Result<(), String> {
        let state = self.state;
        let (channel, v) = state.split(slot);
        let (port, buffer) = (&state.ports[channel], &state.buffers[slot as usize]);
        if v >= state.vcs {
            return Ok(());
        }
        let free = match state.release {
            Release::Sent => buffer.owner == NONE,
            Release::Drained => buffer.last == NONE,
            Release::Credit => buffer.last == NONE && buffer.credits == state.flits,
        };
        law!(state.is_free(slot) == free, "a held VC is free, or a free VC is held");
        for at in state.in_buffer(slot) {
            let hold = &state.holds[at as usize];
            law!(hold.slot == slot, "a hold belongs to another buffer");
            law!((hold.left > 0) == (buffer.owner == at), "a VC has two owners, or none");
        }
        let taken = state.taken(slot);
        law!(taken <= state.flits, "{taken} flits in a buffer of {}", state.flits);
        let returning = || state.credits.ahead(self.now).filter(|&(_, row)| row & !TAIL == slot);
        counted("slots", buffer.credits + taken + returning().count() as u32, state.flits)?;
        if state.marks_tails() {
            let tails = returning().filter(|&(_, row)| row != slot).count();
            let messages = state.in_buffer(slot).count() + tails;
            counted("messages in slots", messages, buffer.messages as usize)?;
            law!(buffer.messages <= state.slots, "{messages} messages in {} slots", state.slots);
        }
        let is_ejection = channel >= state.ejections;
        let front = state.holds.get(buffer.front as usize);
        let inside = front.map_or(0, |front| front.inside);
        let active = front.is_some_and(|front| front.down != NONE);
        let expected = match (inside, active) {
            (_, true) => Stage::Active,
            (0, false) => Stage::Idle,
            (_, false) => Stage::Waiting,
        };
        law!(buffer.stage == expected, "the front is {:?}, not {expected:?}", buffer.stage);
        let out = front.and_then(|front| state.holds.get(front.down as usize));
        let is_named = out.is_none_or(|out| buffer.out == out.slot);
        law!(is_named, "the output VC is that of another message");
        let waits = state.waiting.iter().filter(|&&it| it == slot).count();
        counted("requests", waits, usize::from(expected == Stage::Waiting))?;
        let credit = front.and_then(|front| state.holds.get(front.down as usize));
        let credit = credit.is_some_and(|down| state.buffers[down.slot as usize].credits > 0);
        let bids = active && inside > 0 && credit && !is_ejection;
        law!((port.bids >> v & 1 == 1) == bids, "a VC that can send does not bid");
        let listed = state.bidding.iter().filter(|&&it| it as usize == channel).count();
        counted("channels listed", listed, usize::from(port.listed))?;
        law!(port.listed || port.bids == 0, "a channel with bids is not listed");
        Ok(())
    }

    /// Checks the queues of the nodes.
    fn check_nodes(&self) -> Result<(), String> {
        let state = self.state;
        for (at, node) in state.nodes.iter().enumerate() {
            let mut waiting = 0;
            for queue in node.queues {
                let mut worm = queue.first;
                while worm != NONE {
                    waiting += 1;
                    let row = &state.worms[worm as usize];
                    law!(row.head == NONE && row.live, "node {at}: a queued message has entered");
                    worm = row.next;
                }
            }
            let node_id = NodeId::new(at);
            counted("messages waiting at a node", waiting, self.common.sources.waiting(node_id))?;
            let busy = node.first() != NONE || node.feeds != NONE;
            law!(node.listed || !busy, "node {at}: not listed, but has messages");
        }
        Ok(())
    }

    /// Checks that flits in = out + inside, and Little's law as an identity.
    fn check_totals(&self) -> Result<(), String> {
        let (state, sources, counters) = (self.state, &self.common.sources, &self.common.counters);
        let (mut inside, mut present, mut sojourn) =
            (0u64, 0u64, counters.latency_sum + counters.lost_cycles);
        for (_, worm) in state.live() {
            present += 1;
            sojourn += self.now - worm.born;
            for at in state.holds_of(worm) {
                let hold = &state.holds[at as usize];
                inside += u64::from(hold.inside + hold.flying);
            }
        }
        let nodes = (0..self.common.network.nodes()).map(NodeId::new);
        for born in nodes.flat_map(|node| sources.births_behind(node)) {
            present += 1;
            sojourn += self.now - born;
        }
        counted(
            "flits consumed, lost or inside",
            counters.flits_consumed + counters.flits_lost + inside,
            counters.flits_injected,
        )?;
        counted("messages present", present, self.common.present)?;
        let all = counters.delivered + counters.lost + sources.discarded() + present;
        counted("messages delivered, lost, discarded or present", all, sources.generated())?;
        counted("cycles of messages (Little's law)", sojourn, counters.message_cycles)?;
        let links = state.ports.iter().take(state.links);
        counted("crossings of links", links.map(|port| port.crossed).sum(), counters.flit_hops)
    }
}
