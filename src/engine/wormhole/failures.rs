//! Failures of links: lost worms, and routes of all messages by another relation.

use super::engine::WormholeEngine;
use super::records::{NONE, bits};
use crate::ids::{NodeId, RouterId};
use crate::routing::{Relation, Straight};
use crate::switching::Release;

/// Loses the worms with flits on a link, or with flits still to cross it.
pub(super) fn lose_across(engine: &mut WormholeEngine, channel: usize) {
    engine.dissolve_all();
    let state = &engine.state;
    let mut lost = Vec::new();
    for slot in bits(state.vcs_of(channel)).map(|v| state.slot(channel, v)) {
        let hold = state.hold(slot);
        if hold.worm != NONE && hold.left + hold.flying > 0 {
            lost.push(hold.worm);
        }
        if engine.switching.release == Release::Sent {
            lost.extend(state.landing(slot).map(|row| state.hold(row).worm));
        }
    }
    lost.sort_unstable();
    lost.dedup();
    for worm in lost {
        lose(engine, worm);
    }
    serve_all(engine);
}

/// Loses a worm that moves flit by flit.
fn lose(engine: &mut WormholeEngine, worm: u32) {
    let row = engine.state.worms[worm as usize];
    if row.waits {
        engine.unlist(worm, row.at);
        engine.state.blocked -= 1;
    }
    engine.endpoints.forget(&engine.state, worm);
    let flits = engine.take_out(worm);
    engine.unstick_all();
    forget(engine, worm, flits);
}

/// Frees the row of a lost message.
fn forget(engine: &mut WormholeEngine, worm: u32, flits: u64) {
    if engine.common.letters.are_wanted() {
        engine.take_letter(worm);
    }
    let row = &mut engine.state.worms[worm as usize];
    row.live = false;
    let message = row.message();
    engine.state.spare_worms.push(worm);
    engine.common.lose(message, flits, engine.now);
}

/// Serves the heads at all routers in the next allocation.
fn serve_all(engine: &mut WormholeEngine) {
    for router in 0..engine.state.heads.len() as u32 {
        engine.state.mark_if_waiting(router);
    }
}

/// Routes all messages by another relation; heads continue from their routers. Messages without a
/// route are lost.
pub(super) fn route_by(engine: &mut WormholeEngine, relation: Relation) {
    engine.dissolve_all();
    engine.straight = relation.goes_straight();
    engine.detours = relation.selects_by_queues();
    engine.common.relation = relation;
    let all: Vec<u32> = engine.state.live().map(|(row, _)| row).collect();
    let empties = engine.common.schedule.plan().empties();
    let is_lost = |worm: &u32| {
        let under_way = empties && engine.state.worm(*worm).head != NONE;
        !leads_on(engine, *worm) || under_way
    };
    let lost: Vec<u32> = all.into_iter().filter(is_lost).collect();
    let at_source = |worm: &u32| engine.state.worm(*worm).head == NONE;
    let (unsent, under_way): (Vec<u32>, Vec<u32>) = lost.into_iter().partition(at_source);
    for worm in under_way {
        lose(engine, worm);
    }
    engine.list_heads();
    let mut waiting = clear_lists(engine);
    let mut vacant = Vec::new();
    for worm in unsent {
        let row = engine.state.worm(worm);
        vacant.push((NodeId(row.source), row.header.message_class));
        waiting.retain(|&other| other != worm);
        engine.endpoints.forget(&engine.state, worm);
        forget(engine, worm, 0);
    }
    waiting.sort_unstable_by_key(|&worm| engine.state.worm(worm).priority());
    for worm in waiting {
        engine.join(worm);
    }
    for (source, class) in vacant {
        if let Some(came) = engine.next_from(source, class, engine.now) {
            engine.state.worms[came as usize].requests_since = engine.now;
            engine.join(came);
        }
    }
    serve_all(engine);
}

/// Removes all messages from the lists of their routers, and forgets their candidates. Returns the
/// messages.
fn clear_lists(engine: &mut WormholeEngine) -> Vec<u32> {
    let state = &mut engine.state;
    let mut waiting = Vec::new();
    for (worm, row) in (0..).zip(state.worms.iter_mut()).filter(|(_, row)| row.live) {
        if row.waits || row.head == NONE {
            waiting.push(worm);
        }
        (row.waits, row.waits_next, row.looked, row.class) = (false, NONE, false, 0);
        (row.class_next, row.class_before) = (NONE, NONE);
        (row.class_last, row.class_ties) = (NONE, NONE);
        row.ahead = Straight::UNKNOWN;
    }
    for heads in state.heads.iter_mut() {
        heads.waiting = NONE;
    }
    state.blocked = 0;
    waiting
}

/// Routes a message from the router of its head; false for lack of a route.
fn leads_on(engine: &mut WormholeEngine, worm: u32) -> bool {
    let row = &mut engine.state.worms[worm as usize];
    let at = RouterId(row.at);
    let relation = &engine.common.relation;
    row.header = relation.onward(at, NodeId(row.destination), &row.header);
    row.count = 0;
    relation.leads_on(at, &row.header)
}
