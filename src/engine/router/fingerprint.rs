//! Hashes the state that can influence future events of messages.
//!
//! Messages are hashed by their permanent names (source and serial number), never by rows.

use super::engine::RouterEngine;
use super::records::Way;
use super::state::State;
use crate::random::mix;
use crate::units::Cycle;

/// Implements [`crate::engine::Simulator::fingerprint`].
pub(super) fn fingerprint(engine: &RouterEngine) -> u64 {
    #[rustfmt::skip]
    let RouterEngine {
        common, now, state,
        // Fixed by the scenario, or without effect on results.
        machine: _, stages: _, detours: _, is_simple: _, precedes: _, reports: _, uses: _,
        // Determined by the cycle.
        internal: _,
    } = engine;
    let words = [common.counters.flit_hops, common.counters.message_cycles];
    let hash = words.into_iter().fold(common.fingerprint(Cycle(*now)), mix);
    hash_of(state, hash, *now)
}

/// Two numbers as one.
fn pair([high, low]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn hash_of(state: &State, mut hash: u64, now: u64) -> u64 {
    #[rustfmt::skip]
    let State {
        ports, exits, lanes, buffers, nodes, landings, credits,
        // Hashed with the buffers.
        holds: _, worms: _,
        // Fixed by the scenario.
        vcs: _, flits: _, slots: _, rings: _, forwarding: _, release: _, ordered: _, holds_outputs: _, paced: _, shift: _, links: _, ejections: _, speedup: _, vcs_of_lane: _, steps: _,
        exits_of_port: _, exit_shift: _,
        // Derived from other fields, for display only, or scratch storage.
        spare_holds: _, spare_worms: _, sending: _, waiting: _, bidding: _, came: _, work: _,
    } = state;
    let internal = now * state.steps;
    for (channel, port) in ports.iter().enumerate() {
        for exit in &exits[channel << state.exit_shift..(channel + 1) << state.exit_shift] {
            hash = mix(mix(hash, pair(exit.grants)), exit.next.max(internal) - internal);
        }
        hash = mix(hash, port.crossed);
        if port.departs > now {
            hash = mix(hash, port.departs - now);
        }
    }
    for lane in lanes {
        hash = mix(mix(hash, pair(lane.accepts)), u64::from(lane.vc));
    }
    for (slot, buffer) in buffers.iter().enumerate() {
        let stage = mix(buffer.stage as u64, buffer.ready.max(internal) - internal);
        hash = mix(mix(hash, pair([buffer.grants, buffer.accepts])), stage);
        for at in state.in_buffer(slot as u32) {
            let hold = &state.holds[at as usize];
            let worm = &state.worms[hold.worm as usize];
            let flits = u64::from(hold.inside) << 32 | u64::from(hold.left);
            let name = mix(u64::from(worm.source), worm.serial);
            let name = if worm.count == 0 { name } else { mix(name, u64::from(worm.count)) };
            hash = mix(mix(mix(hash, name), flits), u64::from(hold.flying));
            hash = match worm.way {
                Way::Open => hash,
                Way::Direct | Way::Detour => mix(hash, worm.way as u64),
            };
        }
    }
    hash = nodes.iter().fold(hash, |hash, node| mix(hash, u64::from(node.vc)));
    let place = |hold: u32| u64::from(state.holds[hold as usize].slot);
    hash = landings.fingerprint(now, hash, place);
    credits.fingerprint(now, hash, u64::from)
}
