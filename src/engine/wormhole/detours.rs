//! Chooses between direct routes and detours by the queues at the source.
//!
//! A message chooses once, when its first VC in the network is requested. The queue of a route
//! consists of the flits sent over the VCs of its first hop whose credits have not returned. Queues
//! of whole channels, with the flits of both kinds of routes, would hide the congestion of direct
//! routes (J. Kim, W. J. Dally, S. Scott and D. Abts 2008, *Technology-driven, highly-scalable
//! dragonfly topology*).

use super::records::{Way, bits};
use super::state::State;
use crate::ids::ChannelId;
use crate::routing::{Candidate, Threshold};

/// True if a candidate belongs to a way; `direct` contains the VCs of direct routes.
fn includes(way: Way, candidate: Candidate, direct: u32) -> bool {
    match way {
        Way::Open => true,
        Way::Direct => candidate.vcs & direct != 0,
        Way::Detour => candidate.vcs & direct == 0,
    }
}

/// Chooses for a message with candidates of both ways, and keeps those of the choice.
pub(super) fn choose_way(
    state: &mut State,
    (Threshold(threshold), direct): (Threshold, u32),
    worm: u32,
    candidates: &mut Vec<Candidate>,
) {
    let queue = |way: Way| {
        let ways = candidates.iter().filter(|it| includes(way, **it, direct));
        ways.map(|it| flits_ahead(state, it.channel, it.vcs)).min()
    };
    let (Some(short), Some(long)) = (queue(Way::Direct), queue(Way::Detour)) else { return };
    let is_direct = short <= 2 * long + threshold;
    let row = &mut state.worms[worm as usize];
    // Beyond the source, the VCs of a detour's second part are those of direct routes.
    debug_assert!(row.at == row.header.source.0 && row.way == Way::Open);
    row.way = if is_direct { Way::Direct } else { Way::Detour };
    keep_way(state, direct, worm, candidates);
}

/// Keeps the candidates of the way chosen by a message at its source.
pub(super) fn keep_way(state: &State, direct: u32, worm: u32, candidates: &mut Vec<Candidate>) {
    let way = state.worm(worm).way;
    let has = |way: Way| candidates.iter().any(|it| includes(way, *it, direct));
    if has(Way::Direct) && has(Way::Detour) {
        candidates.retain(|it| includes(way, *it, direct));
    }
}

/// Flits sent over some VCs of a channel without returned credits.
pub(super) fn flits_ahead(state: &State, channel: ChannelId, vcs: u32) -> u32 {
    let slots = bits(vcs).map(|v| state.slot(channel.index(), v) as usize);
    slots.map(|slot| state.buffers[slot].occupied).sum()
}
