//! Tests that the release rule determines what is in a buffer when its VC is granted.

use std::sync::Arc;

use super::*;
use crate::engine::Simulator;
use crate::routing::{Classes, Routing};
use crate::switching::{Preset, Switching, Wormhole};
use crate::system::System;
use crate::topology::cube::{Cube, Family};
use crate::traffic::{Destinations, Lengths, Process, Traffic};
use crate::units::{Cycle, Rate};

/// The worm of a VC, and the flits in its buffer or on their way there.
fn occupant(engine: &WormholeEngine, vc: u32) -> (u32, u32) {
    let state = &engine.state;
    let hold = state.hold(vc);
    let flits = state.buffers[vc as usize].occupied;
    (if state.is_held(vc) { hold.worm } else { NONE }, flits)
}

/// For the grants of a busy torus to a new worm, the numbers of those with the buffer empty before,
/// with the buffer empty for the first cycle, and with flits of older worms.
fn grants(machine: Wormhole) -> [u32; 3] {
    let traffic =
        Traffic::random(Process::Poisson, Rate(0.04), Destinations::Uniform, Lengths::Fixed(5));
    let network = Cube::network(Family::Torus { unidirectional: false }, &[4, 4]);
    let routing = Routing::dimension_order(Classes::Destination);
    let system = System::new(Arc::new(network), routing, Switching::Wormhole(machine), traffic);
    let mut engine = WormholeEngine::with_tables(&system, 3, 0, true);
    engine.set_free_runs(false);
    let vcs: Vec<u32> = (0..engine.state.slots)
        .filter(|&vc| engine.state.split(vc).1 < machine.virtual_channels)
        .collect();
    let look = |engine: &WormholeEngine| -> Vec<(u32, u32)> {
        vcs.iter().map(|&vc| occupant(engine, vc)).collect()
    };
    let mut last = [look(&engine), look(&engine)];
    let mut counts = [0; 3];
    for cycle in 1..=3000 {
        engine.advance(Cycle(cycle));
        let found = look(&engine);
        let [before, earlier] = &last;
        for (at, &(worm, _)) in found.iter().enumerate() {
            let (holder, flits) = before[at];
            if worm == NONE || worm == holder {
                continue;
            }
            counts[0] += u32::from(flits == 0);
            counts[1] += u32::from(flits == 0 && earlier[at].1 > 0);
            counts[2] += u32::from(flits > 0);
        }
        let [before, _] = last;
        last = [found, before];
    }
    counts
}

#[test]
fn a_drained_vc_is_granted_as_soon_as_its_buffer_is_empty_and_no_sooner() {
    let hops = Wormhole::preset(Preset::Hops1993, 2);
    let machines = [
        Wormhole::new(2, 1),
        Wormhole::new(2, 4),
        Wormhole { credit_delay: 0, ..Wormhole::new(2, 2) },
        Wormhole { channel_delay: 3, ..Wormhole::new(2, 4) },
        hops,
        Wormhole { buffer_flits: 4, ..hops },
    ];
    for machine in machines {
        let [empty, at_once, behind] = grants(Wormhole { release: Release::Drained, ..machine });
        assert!(empty > 1000 && at_once > 0, "{empty} {at_once} {machine:?}");
        assert_eq!(behind, 0, "{machine:?}");
        let [_, _, behind] = grants(Wormhole { release: Release::Sent, ..machine });
        assert!(behind > 0, "{machine:?}");
    }
}
