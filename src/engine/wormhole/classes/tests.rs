//! Tests of `classes`, with queues far beyond saturation.

use std::sync::Arc;

use super::*;
use crate::engine::common::Simulator;
use crate::routing::{Escape, Routing};
use crate::switching::{Switching, Wormhole};
use crate::system::System;
use crate::topology::cube::{Cube, Family};
use crate::traffic::{Destinations, Lengths, Process, Traffic};
use crate::units::{Cycle, Rate};

#[test]
fn heads_that_wait_are_looked_at_when_their_channels_are_freed() {
    let network = Cube::network(Family::Torus { unidirectional: false }, &[4, 4]);
    let traffic =
        Traffic::random(Process::Poisson, Rate(0.25), Destinations::Uniform, Lengths::Fixed(4));
    let routing = Routing::MinimalAdaptive { escape: Escape::Dateline };
    let machine = Switching::Wormhole(Wormhole::new(3, 2));
    let system = System::new(Arc::new(network), routing, machine, traffic);
    let mut engine = WormholeEngine::new(&system, 5, 0);
    engine.advance(Cycle(4_000));
    engine.audit().unwrap();
    let state = &engine.state;
    let waiting: Vec<u32> = (0..16).flat_map(|router| state.waiting_at(router)).collect();
    let looked = waiting.iter().filter(|&&at| state.worm(at).looked).count();
    // All except arrivals of the last cycle or two.
    assert!(waiting.len() > 64 && 10 * looked > 9 * waiting.len(), "{looked} of {}", waiting.len());
    // A class is linked in both directions, from the oldest message to the youngest.
    let of_source = waiting.iter().filter(|&&at| state.worm(at).head == NONE);
    let longest = of_source.map(|&at| {
        let mut length = 1;
        let mut last = at;
        while state.worm(last).class_next != NONE {
            assert_eq!(state.worm(state.worm(last).class_next).class_before, last);
            (length, last) = (length + 1, state.worm(last).class_next);
        }
        assert!(length == 1 || state.worm(at).class_last == last);
        length
    });
    assert!(longest.max() > Some(20));
}
