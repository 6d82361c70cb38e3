//! Tests that messages recorded from a random source are replayed unchanged.

use super::*;
use crate::topology::cube::{Cube, Family};
use crate::traffic::sources::{Generated, Message, Sources, WAITING_LEAST};
use crate::traffic::{Destinations, Lengths, Process, Traffic};
use crate::units::Rate;

fn drawn() -> Sources {
    let traffic = Traffic {
        process: Process::Poisson,
        rate: Rate(0.5),
        destinations: Destinations::Uniform,
        senders: None,
        lengths: Lengths::Geometric { mean: 5.0 },
    };
    Sources::new(&traffic, &Cube::network(Family::Mesh, &[2, 2]), 9, 0)
}

/// All messages of the cycles before `end`, in order.
fn recorded(end: u64) -> Vec<Message> {
    let mut sources = drawn();
    let mut all = Vec::new();
    while sources.next_arrival() < end {
        let Some(Generated::Asks(message)) = sources.generate(end) else { panic!("none waits") };
        assert_eq!(sources.leave(message.source), None);
        all.push(message);
    }
    all
}

fn arrival(message: &Message) -> Arrival {
    let &Message { source, destination, serial, length, born, .. } = message;
    Arrival { born, source, destination, length, serial }
}

/// What is generated up to `now`, and what comes forward of it when each message leaves at once.
fn drain(sources: &mut Sources, now: u64, leave: bool) -> Vec<Message> {
    let mut out = Vec::new();
    while sources.next_arrival() <= now {
        if let Some(Generated::Asks(message)) = sources.generate(now) {
            out.push(message);
        }
    }
    let mut at = 0;
    while leave && at < out.len() {
        let next = sources.leave(out[at].source);
        out.extend(next);
        at += 1;
    }
    out
}

#[test]
fn messages_are_replayed_as_they_were_drawn_however_they_are_given() {
    let all = recorded(400);
    let arrivals: Vec<Arrival> = all.iter().map(arrival).collect();
    assert!(arrivals.len() > 500);
    for size in [1, 7, 100_000] {
        let mut sources = drawn().that_replay(u32::MAX);
        let (mut out, mut now) = (Vec::new(), 0);
        let blocks = arrivals.chunks(size);
        let count = blocks.len();
        for (at, block) in blocks.enumerate() {
            assert!(!sources.are_at_end());
            sources.give(block.into(), at + 1 == count).unwrap();
            while now < sources.known_until().min(400) {
                out.extend(drain(&mut sources, now, true));
                now += 1;
            }
        }
        assert_eq!(out, all, "with their ties, in blocks of {size}");
        assert!(sources.are_at_end() && sources.next_arrival() == u64::MAX);
        assert_eq!((sources.added(), sources.generated()), (all.len() as u64, all.len() as u64));
        assert_eq!(sources.known_until(), u64::MAX);
    }
}

#[test]
fn what_waits_behind_the_window_or_is_discarded_is_the_same_as_of_random_sources() {
    let arrivals: Arc<[Arrival]> = recorded(8_000).iter().map(arrival).collect();
    let replay = || {
        let mut sources = drawn().that_replay(u32::MAX);
        sources.give(Arc::clone(&arrivals), true).unwrap();
        sources
    };
    // More come than a source hands out.
    let (mut left, mut right) = (drawn(), replay());
    (left.window, right.window) = (WAITING_LEAST, WAITING_LEAST);
    let (held, again) = (drain(&mut left, 7_000, false), drain(&mut right, 7_000, false));
    assert_eq!(held, again);
    for node in (0..4).map(NodeId) {
        assert!(left.queue(node) > u64::from(left.waiting(node)), "some are behind");
        assert_eq!(left.queue(node), right.queue(node));
        assert_eq!(left.generated_at(node), right.generated_at(node));
        assert_eq!(left.handed_out(node), right.handed_out(node));
        assert!(left.births_behind(node).eq(right.births_behind(node)));
    }
    for message in &held {
        assert_eq!(left.leave(message.source), right.leave(message.source));
    }
    let (mut left, mut right) = (drawn().that_discard_beyond(2), replay().that_discard_beyond(2));
    assert_eq!(drain(&mut left, 100, true), drain(&mut right, 100, true));
    assert_eq!(drain(&mut left, 200, false), drain(&mut right, 200, false));
    assert!(left.discarded() > 0);
    assert_eq!(left.discarded(), right.discarded());
}

#[test]
fn a_fingerprint_is_of_the_place_in_the_replay_and_a_copy_keeps_its_own() {
    let arrivals: Vec<Arrival> = recorded(300).iter().map(arrival).collect();
    let mut whole = drawn().that_replay(u32::MAX);
    whole.give(arrivals.clone().into(), true).unwrap();
    let mut parts = drawn().that_replay(u32::MAX);
    parts.give(arrivals[..200].into(), false).unwrap();
    assert_eq!(whole.fingerprint(), parts.fingerprint());
    let before = whole.fingerprint();
    let copy = whole.clone();
    for sources in [&mut whole, &mut parts] {
        drain(sources, 30, false);
    }
    assert_eq!(whole.fingerprint(), parts.fingerprint());
    assert_ne!(whole.fingerprint(), before);
    assert_eq!(copy.fingerprint(), before);
    // From the copy the rest comes again.
    let given = parts.added() as usize;
    parts.give(arrivals[given..].into(), true).unwrap();
    let mut again = copy;
    drain(&mut again, 30, false);
    assert_eq!(drain(&mut again, 299, false), drain(&mut parts, 299, false));
    assert_eq!(again.fingerprint(), parts.fingerprint());
    assert!(again.are_at_end());
}

#[test]
fn what_cannot_be_replayed_is_refused_with_its_row_and_nothing_of_its_block_is_taken() {
    let right =
        Arrival { born: 10, source: NodeId(1), destination: NodeId(2), length: 4, serial: 0 };
    let next = Arrival { born: 12, serial: 1, ..right };
    let wrong = [
        (Arrival { source: NodeId(4), ..next }, "no node 4; the nodes are 0 to 3"),
        (Arrival { destination: NodeId(9), ..next }, "no node 9"),
        (Arrival { destination: NodeId(1), ..next }, "node 1 sends to itself"),
        (Arrival { length: 0, ..next }, "no flits"),
        (Arrival { length: 9, ..next }, "more than a buffer holds; write 8 or fewer"),
        (Arrival { born: 9, ..next }, "born at 9, after one born at 10"),
        (Arrival { serial: 0, ..next }, "number 0 of node 1; its next is number 1"),
        (Arrival { serial: 2, ..next }, "its next is number 1"),
    ];
    let mut sources = drawn().that_replay(8);
    for (wrong, words) in wrong {
        let refused = sources.give([right, wrong, next].into(), true).unwrap_err();
        assert_eq!(refused.row, 1);
        assert!(refused.to_string().contains(words), "{refused}");
        assert_eq!((sources.added(), sources.known_until()), (0, 0));
    }
    sources.give([right].into(), false).unwrap();
    assert_eq!((sources.added(), sources.known_until()), (1, 10));
    sources.give([].into(), false).unwrap();
    sources.give([next].into(), true).unwrap();
    let late = Arrival { born: 13, serial: 2, ..right };
    let refused = sources.give([late].into(), true).unwrap_err();
    assert!(refused.to_string().contains("the last message was given"), "{refused}");
    let refused = drawn().give([right].into(), true).unwrap_err();
    assert!(refused.to_string().contains("drawn at random"), "{refused}");
}
