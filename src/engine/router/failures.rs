//! Failures of links: lost messages, and routes of all messages by another relation.

use super::engine::RouterEngine;
use super::records::{NONE, Stage};
use crate::ids::{Letter, NodeId, RouterId};
use crate::routing::Relation;
use crate::switching::{Forwarding, Release};

/// Loses the messages with flits on a link, or with flits still to cross it.
pub(super) fn lose_across(engine: &mut RouterEngine, channel: usize) {
    let state = &engine.state;
    let slots = (0..state.vcs).map(|v| state.slot(channel, v));
    let holds = slots.flat_map(|slot| state.in_buffer(slot)).map(|at| &state.holds[at as usize]);
    let crossing = holds.filter(|hold| hold.left + hold.flying > 0);
    let mut lost: Vec<u32> = crossing.map(|hold| hold.worm).collect();
    lost.sort_unstable();
    lost.dedup();
    for worm in lost {
        lose(engine, worm);
    }
}

/// Stops the flits in front of a link.
pub(super) fn stall(engine: &mut RouterEngine, channel: usize) {
    for exit in exits(engine, channel) {
        engine.state.exits[exit].next = u64::MAX;
    }
}

/// Lets flits cross a link again.
pub(super) fn restart(engine: &mut RouterEngine, channel: usize) {
    for exit in exits(engine, channel) {
        let next = &mut engine.state.exits[exit].next;
        if *next == u64::MAX {
            *next = engine.internal;
        }
    }
}

/// The exits to a channel.
fn exits(engine: &RouterEngine, channel: usize) -> std::ops::Range<usize> {
    let shift = engine.state.exit_shift;
    channel << shift..(channel + 1) << shift
}

/// Routes all messages by another relation; heads continue from their routers. Messages without a route
/// are lost.
pub(super) fn route_by(engine: &mut RouterEngine, relation: Relation) {
    engine.detours = relation.selects_by_queues();
    engine.common.relation = relation;
    let live: Vec<u32> = engine.state.live().map(|(row, _)| row).collect();
    for worm in live {
        let row = &mut engine.state.worms[worm as usize];
        let (at, relation) = (RouterId(row.at), &engine.common.relation);
        row.header = relation.onward(at, NodeId(row.destination), &row.header);
        row.count = 0;
        let under_way = row.head != NONE && engine.common.schedule.plan().empties();
        if under_way || !relation.leads_on(at, &row.header) {
            lose(engine, worm);
        }
    }
}

/// Loses a message.
fn lose(engine: &mut RouterEngine, worm: u32) {
    let row = engine.state.worms[worm as usize];
    let (name, now) = (row.name(), engine.now);
    let flits = if row.head == NONE { 0 } else { take_out(engine, worm) };
    if row.letter != NONE {
        engine.common.letters.give_back(now, name, Letter(row.letter));
    }
    engine.state.came.retain(|&other| other != worm);
    engine.state.worms[worm as usize].live = false;
    engine.state.spare_worms.push(worm);
    if row.head == NONE {
        leave_queue(engine, worm);
    }
    unlist(engine, row.source);
    engine.common.lose(row.message(), flits, now);
}

/// Removes a node without messages from the list of those that send.
fn unlist(engine: &mut RouterEngine, node: u32) {
    let row = &mut engine.state.nodes[node as usize];
    if row.first() == NONE && row.feeds == NONE && std::mem::take(&mut row.listed) {
        engine.state.sending.retain(|&other| other != node);
    }
}

/// Removes a message from the queue of its node.
fn leave_queue(engine: &mut RouterEngine, worm: u32) {
    let row = engine.state.worms[worm as usize];
    let class = row.header.message_class;
    let state = &mut engine.state;
    let queue = &mut state.nodes[row.source as usize].queues
        [usize::from(engine.precedes >> class & 1 == 0)];
    let (mut before, mut at) = (NONE, queue.first);
    while at != NONE && at != worm {
        (before, at) = (at, state.worms[at as usize].next);
    }
    if before == NONE {
        queue.first = row.next;
    } else {
        state.worms[before as usize].next = row.next;
    }
    if queue.last == worm {
        queue.last = before;
    }
    engine.next_from(NodeId(row.source), class, engine.now);
}

/// Removes the flits of a message from the network, and returns their credits; returns their number.
fn take_out(engine: &mut RouterEngine, worm: u32) -> u64 {
    let (mut at, mut flits) = (engine.state.worms[worm as usize].head, 0);
    while at != NONE {
        let hold = engine.state.holds[at as usize];
        flits += u64::from(hold.inside + hold.flying);
        leave_buffer(engine, at);
        at = hold.up;
    }
    let source = engine.state.worms[worm as usize].source;
    let node = &mut engine.state.nodes[source as usize];
    let feeds = node.feeds;
    if feeds != NONE && engine.state.holds[feeds as usize].worm == worm {
        node.feeds = NONE;
    }
    flits
}

/// Removes a hold from its buffer, with its flits.
fn leave_buffer(engine: &mut RouterEngine, at: u32) {
    let (now, internal, route) = (engine.now, engine.internal, engine.stages.route);
    let state = &mut engine.state;
    let hold = state.holds[at as usize];
    let slot = hold.slot;
    let (channel, v) = state.split(slot);
    state.landings.drop_some(now, at, 0, hold.flying);
    let before = state.in_buffer(slot).take_while(|&other| other != at).last();
    let buffer = &mut state.buffers[slot as usize];
    buffer.credits += hold.inside + hold.flying;
    buffer.messages -= u32::from(state.forwarding == Forwarding::Bubble);
    let is_owner = buffer.owner == at;
    if is_owner {
        buffer.owner = NONE;
    }
    if buffer.last == at {
        buffer.last = before.unwrap_or(NONE);
    }
    if let Some(before) = before {
        state.holds[before as usize].younger = hold.younger;
    } else {
        buffer.front = hold.younger;
        (buffer.stage, buffer.has_head) = (Stage::Idle, false);
        state.ports[channel].bids &= !(1 << v);
        state.waiting.retain(|&other| other != slot);
        if let Some(front) = state.holds.get(hold.younger as usize)
            && front.inside > 0
            && channel < state.ejections
        {
            let worm = &mut state.worms[front.worm as usize];
            worm.waited_behind += ((internal - worm.stopped) / state.steps) as u32;
            state.start(slot, internal + u64::from(route));
        }
    }
    state.spare_holds.push(at);
    let buffer = state.buffers[slot as usize];
    let is_free = buffer.owner == NONE
        && match state.release {
            Release::Sent => is_owner,
            Release::Drained => buffer.last == NONE,
            Release::Credit => buffer.last == NONE && buffer.credits == state.flits,
        };
    if is_free {
        state.set_free(slot);
    }
    // The message behind may have waited for the credits.
    if let Some(owner) = state.holds.get(buffer.owner as usize)
        && let Some(up) = state.holds.get(owner.up as usize)
    {
        let from = up.slot;
        engine.bid_if_credited(from);
    }
}
