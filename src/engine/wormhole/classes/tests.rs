//! Tests of `classes`, with queues far beyond saturation.

use std::sync::Arc;

use super::*;
use crate::engine::simulator::Simulator;
use crate::engine::tables::list;
use crate::routing::{Classes, Escape, Routing};
use crate::switching::{Switching, Wormhole};
use crate::system::System;
use crate::topology::cube::{Cube, Family};
use crate::traffic::classes::{Feedback, MessageClasses};
use crate::traffic::{Destinations, Lengths, Process, Traffic};
use crate::units::{Cycle, Rate};

#[test]
fn heads_that_wait_are_looked_at_when_their_channels_are_freed() {
    let network = Cube::network(Family::Torus { unidirectional: false }, &[4, 4]);
    let traffic =
        Traffic::random(Process::Poisson, Rate(0.25), Destinations::Uniform, Lengths::Fixed(4));
    let routing = Routing::minimal_adaptive(Escape::Dateline);
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
    // The audit follows the links of a class.
    let of_source = waiting.iter().filter(|&&at| state.worm(at).head == NONE);
    let longest = of_source.map(|&at| list(at, |at| state.worm(at).class_next).count());
    assert!(longest.max() > Some(20));
}

/// Four nodes in a ring with many requests on their way.
fn in_closed_loop(window: u32, machine: Wormhole) -> WormholeEngine {
    let network = Cube::network(Family::Torus { unidirectional: false }, &[4]);
    let rate = Process::Poisson;
    let random = Traffic::random(rate, Rate(0.01), Destinations::Uniform, Lengths::Fixed(2));
    let closed_loop = Some(Feedback::ClosedLoop { window, think: 0 });
    let classes = MessageClasses::single(random.lengths);
    let traffic = Traffic { classes, closed_loop, ..random };
    let routing = Routing::dimension_order(Classes::Dateline);
    let system = System::new(Arc::new(network), routing, Switching::Wormhole(machine), traffic);
    WormholeEngine::new(&system, 3, 0)
}

#[test]
fn messages_born_in_one_cycle_leave_in_the_order_of_their_priorities() {
    let plain = Wormhole::new(2, 4);
    let channels = Wormhole { terminals: Terminals::Channels, ..plain };
    for machine in [plain, channels, Wormhole { injection: Injection::OneMessage, ..plain }] {
        let mut engine = in_closed_loop(40, machine);
        let mut left = vec![Vec::new(); 4];
        for cycle in 1..400 {
            engine.advance(Cycle(cycle));
            engine.audit().unwrap();
            for (_, worm) in engine.state.live().filter(|(_, worm)| worm.entered == cycle - 1) {
                left[worm.source as usize].push(worm.priority());
            }
        }
        for left in left {
            assert!(left.len() > 60, "{} messages", left.len());
            // Several VCs of a source may be granted before the first of its messages moves.
            assert!(left.is_sorted() || engine.switching.injection != Injection::OneMessage);
        }
    }
}

#[test]
fn a_hundred_thousand_messages_may_be_born_in_one_cycle() {
    let mut engine = in_closed_loop(100_000, Wormhole::new(2, 4));
    engine.advance(Cycle(2_000));
    engine.audit().unwrap();
    let row = |at: u32| engine.state.worm(at);
    let classes = engine.state.waiting_at(0).filter(|&at| row(at).head == NONE);
    // All messages of a class are of one rank, or of a few.
    let ranks: usize = classes.map(|at| list(at, |at| row(at).class_next).count()).sum();
    assert!(ranks < 3_000, "{ranks}");
}
