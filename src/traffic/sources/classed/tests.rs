//! Tests of requests and replies at their sources.

use super::*;
use crate::topology::cube::{Cube, Family};
use crate::traffic::classes::MessageClass;
use crate::traffic::{Destinations, Process};

fn traffic(closed_loop: Option<Feedback>) -> Traffic {
    let class = |name: &str, lengths, origin| MessageClass { name: name.into(), lengths, origin };
    let reply = Origin::Reply { to: 0, after: 7, room: None };
    let classes = vec![
        class("request", Lengths::Fixed(1), Origin::Arrivals { weight: 1.0 }),
        class("reply", Lengths::Uniform { min: 2, max: 9 }, reply),
    ];
    let random =
        Traffic::random(Process::Poisson, Rate(0.1), Destinations::Uniform, Lengths::Fixed(1));
    Traffic { classes: MessageClasses(classes), closed_loop, ..random }
}

fn source(closed_loop: Option<Feedback>) -> Classed {
    Classed::new(&traffic(closed_loop), &Cube::network(Family::Mesh, &[4]), 1, 0)
}

#[test]
fn a_delivered_request_makes_its_node_reply_after_the_service_time() {
    let mut source = source(None);
    let Due { cycle, node, queue } = source.next();
    assert_eq!(queue, node);
    let request = source.take(node);
    assert_eq!((request.length, request.class), (1, 0));
    // Whatever arrives before is generated before.
    while source.next().cycle < cycle + 20 {
        source.take(source.next().node);
    }
    assert_eq!(source.delivered(NodeId(node), 0, cycle + 13), cycle);
    let due = source.next();
    let answers = request.destination.0;
    assert_eq!((due.cycle, due.node, due.queue), (cycle + 20, answers, answers + 4));
    assert_eq!(source.prepared(request.destination, 1), 1);
    let mut same = source.clone();
    let reply = source.take(due.node);
    assert_eq!((reply.destination, reply.class), (NodeId(node), 1));
    assert!((2..=9).contains(&reply.length));
    assert_eq!(source.prepared(request.destination, 1), 0);
    assert_ne!(source.fingerprint(), same.fingerprint());
    same.leave();
    assert_eq!(same.take_left(due.queue, true), (cycle + 20, reply));
    assert_eq!(source.fingerprint(), same.fingerprint());
}

#[test]
fn a_closed_loop_asks_again_once_its_reply_has_arrived() {
    let mut source = source(Some(Feedback::ClosedLoop { window: 2, think: 5 }));
    let first: Vec<(Due, Content)> = (0..8)
        .map(|_| {
            let due = source.next();
            (due, source.take(due.node))
        })
        .collect();
    assert!(first.iter().all(|(due, content)| due.cycle == 0 && content.class == 0));
    assert!((0..4).all(|node| first.iter().filter(|(due, _)| due.node == node).count() == 2));
    assert_eq!(source.next().cycle, u64::MAX);
    let (due, request) = first[3];
    source.delivered(NodeId(due.node), u64::from(first[2].0.node == due.node), 30);
    let due = source.next();
    assert_eq!((due.cycle, due.node), (37, request.destination.0));
    let serial = 2;
    source.take(due.node);
    assert_eq!(source.delivered(NodeId(due.node), serial, 50), 0);
    assert_eq!((source.next().cycle, source.next().node), (55, first[3].0.node));
}
