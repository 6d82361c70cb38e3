//! Tests of order, queues, windows, discards, and changed rates.

use super::*;
use crate::topology::cube::{Cube, Family};
use crate::traffic::{Destinations, Lengths, Locality, Permutation, Process};

fn sources(lengths: Lengths) -> Sources {
    sending_to(Destinations::Uniform, lengths)
}

fn sending_to(destinations: Destinations, lengths: Lengths) -> Sources {
    let traffic = Traffic::random(Process::Poisson, Rate(0.5), destinations, lengths);
    Sources::new(&traffic, &Cube::network(Family::Mesh, &[2, 2]), 9, 0)
}

fn drain(sources: &mut Sources, now: u64, out: &mut Vec<Message>) {
    while sources.next_arrival() <= now {
        if let Some(Generated::Asks(message)) = sources.generate(now) {
            out.push(message);
        }
    }
}

#[test]
fn bits_of_a_message_are_of_its_seed_and_replication_not_of_their_sum() {
    let traffic =
        Traffic::random(Process::Poisson, Rate(0.5), Destinations::Uniform, Lengths::Fixed(4));
    let network = Cube::network(Family::Mesh, &[2, 2]);
    let bits = |seed, replication| {
        let mut all = Vec::new();
        drain(&mut Sources::new(&traffic, &network, seed, replication), 50, &mut all);
        let first = all.iter().find(|message| message.source.0 == 0 && message.serial == 0);
        first.unwrap().route_bits
    };
    assert_ne!(bits(1, 1), bits(2, 0));
    // Those of the first replication are what they always were.
    assert_eq!(bits(2, 0), route_bits(mix(2, 0), 0, 0));
}

#[test]
fn a_queue_beyond_the_window_gives_the_same_messages_later() {
    let mut eager = sources(Lengths::Geometric { mean: 5.0 });
    let mut all = Vec::new();
    let mut late = eager.clone();
    late.window = WAITING_LEAST;
    // Eager: every message leaves at once. Late: nothing leaves until cycle 5000.
    for now in 0..5000 {
        let before = all.len();
        drain(&mut eager, now, &mut all);
        for message in &all[before..] {
            assert_eq!(eager.leave(message.source, 0), None);
        }
        if now == 2000 {
            eager.set_rate(2000, Rate(0.3));
        }
    }
    let mut held = Vec::new();
    for now in 0..5000 {
        drain(&mut late, now, &mut held);
        if now == 2000 {
            late.set_rate(2000, Rate(0.3));
        }
    }
    assert_eq!(held.len(), 4 * WAITING_LEAST as usize, "the window is full at every source");
    assert_eq!(late.generated(), eager.generated());
    let mut at = 0;
    while at < held.len() {
        let next = late.leave(held[at].source, 0);
        held.extend(next);
        at += 1;
    }
    let key = |m: &Message| (m.source, m.serial);
    all.sort_by_key(key);
    held.sort_by_key(key);
    assert_eq!(all, held);
}

#[test]
fn what_is_discarded_moves_no_message_behind_it() {
    let (mut all, mut few) = (sources(Lengths::Fixed(3)), sources(Lengths::Fixed(3)));
    few = few.that_discard_beyond(2);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    drain(&mut all, 500, &mut a);
    drain(&mut few, 250, &mut b);
    assert_eq!(b.len(), 8);
    for message in &b {
        assert_eq!(few.leave(message.source, 0), None);
    }
    drain(&mut few, 500, &mut b);
    assert_eq!(b.len(), 16);
    assert_eq!(few.generated(), few.discarded() + 16);
    assert!(b.iter().all(|message| a.contains(message)));
}

#[test]
fn lengths_do_not_move_arrivals_or_destinations() {
    let (mut fixed, mut geometric) =
        (sources(Lengths::Fixed(3)), sources(Lengths::Geometric { mean: 9.0 }));
    let (mut a, mut b) = (Vec::new(), Vec::new());
    drain(&mut fixed, 500, &mut a);
    drain(&mut geometric, 500, &mut b);
    assert!(!a.is_empty() && a.len() == b.len());
    for (a, b) in a.iter().zip(&b) {
        assert_eq!((a.born, a.destination, a.route_bits), (b.born, b.destination, b.route_bits));
    }
}

#[test]
fn destinations_do_not_move_arrivals_or_lengths_and_silent_nodes_generate_nothing() {
    let mut uniform = sources(Lengths::Geometric { mean: 9.0 });
    let mut expected = Vec::new();
    drain(&mut uniform, 500, &mut expected);
    let key = |m: &Message| (m.source, m.serial, m.born, m.length, m.route_bits);
    for destinations in [
        Destinations::Hotspot { nodes: vec![NodeId(1)], percent: 30.0 },
        Destinations::Permutation(Permutation::BitComplement),
        Destinations::Permutation(Permutation::Transpose),
        Destinations::Local(Locality::Sphere { radius: 1, percent: 60.0 }),
        Destinations::Local(Locality::Decreasing { ratio: 0.5 }),
    ] {
        let transpose = destinations == Destinations::Permutation(Permutation::Transpose);
        let mut sources = sending_to(destinations, Lengths::Geometric { mean: 9.0 });
        let mut found = Vec::new();
        drain(&mut sources, 500, &mut found);
        // Of (0, 0), (1, 0), (0, 1), (1, 1) only the middle ones have another image.
        let sends = |m: &&Message| !transpose || [1, 2].contains(&m.source.0);
        let expected: Vec<_> = expected.iter().filter(sends).map(key).collect();
        assert_eq!(found.iter().map(key).collect::<Vec<_>>(), expected);
        assert_eq!(sources.generated(), expected.len() as u64);
        if transpose {
            assert!(found.iter().all(|m| m.destination.0 == 3 - m.source.0));
            sources.set_rate(501, Rate(0.1));
            let next = sources.generate(u64::MAX);
            assert!(matches!(next, Some(Generated::Asks(m)) if [1, 2].contains(&m.source.0)));
        }
    }
}
