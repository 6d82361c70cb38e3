//! Tests of bounds computed by hand, and of reasons for having none.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::routing::{Classes, Routing};
use crate::switching::Release;
use crate::topology::cube::{Cube, Family};
use crate::traffic::{Destinations, Process, Traffic};

const GREEDY: Process = Process::GreedyBucket { burst: 1, spread: 0.0 };

/// Messages of 4 flits from all nodes to the last in a line of three nodes.
fn line(process: Process) -> System {
    let network = Arc::new(Cube::network(Family::Mesh, &[3]));
    let traffic = Traffic::random(
        process,
        Rate(1e-4),
        Destinations::Hotspot { nodes: vec![NodeId(2)], percent: 100.0 },
        Lengths::Fixed(4),
    );
    let routing = Routing::dimension_order(Classes::None);
    System::new(network, routing, Wormhole::new(1, 4), traffic)
}

fn cycles(system: &System, source: u32, destination: u32) -> u64 {
    let bound = bound(system, system.traffic.rate).unwrap();
    let ends = (NodeId(source), NodeId(destination));
    bound.flows.iter().find(|flow| (flow.source, flow.destination) == ends).unwrap().cycles
}

fn why_not(system: &System) -> String {
    bound(system, system.traffic.rate).unwrap_err().to_string()
}

#[test]
fn two_messages_that_meet_wait_for_each_other_once() {
    // 4 and 5 cycles without conflicts; the other message holds the shared channel for 4.
    let system = line(GREEDY);
    assert_eq!((cycles(&system, 1, 2), cycles(&system, 0, 2)), (8, 9));
    assert_eq!(bound(&system, Rate(1e-4)).unwrap().worst().cycles, 9);
    // Two messages of each source: a third and a fourth message move first, the messages of node 0
    // in succession.
    let two = line(Process::GreedyBucket { burst: 2, spread: 0.0 });
    assert_eq!(cycles(&two, 1, 2), 4 + 2 * 4 + 4);
}

#[test]
fn a_second_virtual_channel_ends_the_wait_and_halves_the_pace() {
    let mut system = line(GREEDY);
    system = System::new(
        Arc::clone(&system.network),
        system.relation.routing().clone(),
        Wormhole::new(2, 4),
        system.traffic,
    );
    assert_eq!((cycles(&system, 1, 2), cycles(&system, 0, 2)), (8, 10));
}

#[test]
fn the_bound_grows_with_rate_and_burst_and_ends_where_buckets_refill_too_soon() {
    let mut before = 0;
    for burst in 1..6 {
        for rate in [1e-5, 1e-3, 3e-3] {
            let system = line(Process::GreedyBucket { burst, spread: 0.0 });
            let worst = bound(&system, Rate(rate)).unwrap().worst().cycles;
            assert!(worst >= before, "{burst} {rate}");
            before = if rate < 3e-3 { worst } else { 0 };
        }
    }
    let mut system = line(GREEDY);
    system.traffic.rate = Rate(0.2);
    assert!(why_not(&system).starts_with("at 0.2 messages/node/cycle buckets refill"));
    // A bucket that fills faster passes more messages.
    let shaped = line(Process::TokenBucket { burst: 1, tokens: 50.0 });
    assert!(cycles(&shaped, 0, 2) >= cycles(&line(GREEDY), 0, 2));
}

#[test]
fn where_there_is_no_bound_one_sentence_says_why() {
    assert!(why_not(&line(Process::Poisson)).contains("sources may send any number"));
    let rebuilt = |family: Family, routing, switching: crate::switching::Switching| {
        let System { traffic, .. } = line(GREEDY);
        let traffic = Traffic { destinations: Destinations::Uniform, ..traffic };
        System::new(Arc::new(Cube::network(family, &[4, 4])), routing, switching, traffic)
    };
    let by_dimension = |classes| Routing::dimension_order(classes);
    let none = by_dimension(Classes::None);
    let machine = Wormhole::new(2, 4);
    let ring = rebuilt(Family::Torus { unidirectional: false }, none.clone(), machine.into());
    assert!(why_not(&ring).contains("wait for each other in a cycle"));
    let dateline = rebuilt(
        Family::Torus { unidirectional: false },
        by_dimension(Classes::Dateline),
        machine.into(),
    );
    assert!(bound(&dateline, Rate(1e-6)).is_ok());
    let choice = rebuilt(Family::Mesh, Routing::WestFirst, machine.into());
    assert!(why_not(&choice).contains("routes that are fixed"));
    let sent = Wormhole { release: Release::Sent, ..machine };
    let sent = rebuilt(Family::Mesh, none.clone(), sent.into());
    assert!(why_not(&sent).contains("this one has release: Sent"));
    let mut any_length = rebuilt(Family::Mesh, none, machine.into());
    any_length.traffic.lengths = Lengths::Geometric { mean: 4.0 };
    assert!(why_not(&any_length).contains("no maximum length"));
}

#[test]
fn a_bound_that_nobody_wants_is_given_up() {
    let system = line(GREEDY);
    let equations = Equations::of(&system).unwrap();
    let given_up = Arc::new(AtomicBool::new(true));
    let solve = || equations.solve(system.traffic.rate);
    assert_eq!(cancellation::with_flag(&given_up, solve), Err(Unsolved::GivenUp));
    let prepare = || Equations::of(&system);
    assert_eq!(cancellation::with_flag(&given_up, prepare), Err(Unsolved::GivenUp));
    given_up.store(false, Ordering::Relaxed);
    assert_eq!(cancellation::with_flag(&given_up, solve), bound(&system, system.traffic.rate));
}
