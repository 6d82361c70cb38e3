//! Tests of the bound against figures computed by hand, and of its coverage.

use std::sync::Arc;

use super::*;
use crate::model::{Part, models_for};
use crate::routing::{Classes, Escape, Routing};
use crate::switching::circuit::Conflict;
use crate::switching::{Circuit, Switching, Terminals, Wormhole};
use crate::topology::cube::{Cube, Family};
use crate::traffic::destinations::{Form, Weight};
use crate::traffic::{Destinations, Lengths, Process, Traffic, Weights};

fn torus(radix: &[u32], switching: impl Into<Switching>) -> System {
    let switching = switching.into();
    let traffic =
        Traffic::random(Process::Poisson, Rate(0.01), Destinations::Uniform, Lengths::Fixed(12));
    let routing = match switching {
        Switching::Wormhole(_) => Routing::minimal_adaptive(Escape::Dateline),
        Switching::Circuit(_) => Routing::dimension_order(Classes::None),
    };
    let family = Family::Torus { unidirectional: false };
    System::new(Arc::new(Cube::network(family, radix)), routing, switching, traffic)
}

#[test]
fn the_wait_is_the_mean_over_messages_of_fast_and_slow_sources() {
    let mut system = torus(&[4, 4], Wormhole::new(4, 2));
    let pair = |source, destination, weight| Weight {
        source: NodeId(source),
        destination: NodeId(destination),
        weight,
    };
    let pairs = vec![pair(0, 1, 3.0), pair(5, 6, 1.0)];
    let destinations = Destinations::Weighted(Weights::new(Form::Pairs, pairs));
    let traffic = Traffic { destinations, ..system.traffic.clone() };
    let routing = system.relation.routing().clone();
    let network = Arc::clone(&system.network);
    system = System::new(network, routing, Wormhole::new(4, 2), traffic);
    let wait = |rate: f64| rate * 144.0 / (2.0 * (1.0 - 12.0 * rate));
    let found = ZeroLoad.predict(&system, Rate(0.04)).unwrap().part(Part::SourceWait).unwrap();
    assert!((found - 0.75 * wait(0.06) - 0.25 * wait(0.02)).abs() < 1e-9, "{found}");
    // The faster source sends all the time.
    let most = ZeroLoad.saturation_rate(&system).unwrap().0;
    assert!((most - 1.0 / 12.0 / 1.5).abs() < 1e-9, "{most}");
}

#[test]
fn messages_wait_at_their_source_and_nowhere_else() {
    // A mean distance of 1 in each dimension, over 15 other nodes of 16; the tail 11 cycles behind.
    let (hops, wait) = (32.0 / 15.0, 0.05 * 144.0 / (2.0 * (1.0 - 0.6)));
    for (ends, terminals) in [(0.0, Terminals::Direct), (2.0, Terminals::Channels)] {
        let system = torus(&[4, 4], Wormhole { terminals, ..Wormhole::new(4, 2) });
        let found = ZeroLoad.predict(&system, Rate(0.05)).unwrap();
        let parts = [Part::SourceWait, Part::Blocking, Part::Transfer].map(|part| found.part(part));
        let expected = [wait, 0.0, hops + ends + 11.0];
        for (part, expected) in parts.into_iter().zip(expected) {
            assert!((part.unwrap() - expected).abs() < 1e-9, "{part:?} {expected}");
        }
        assert!((found.hops_mean.unwrap() - hops).abs() < 1e-12);
        let saturation = ZeroLoad.saturation_rate(&system).unwrap().0;
        assert!((saturation * 12.0 - 1.0).abs() < 1e-9);
        let beyond = Rate(0.09);
        let saturated = Err(Unsolved::Saturated { rate: beyond });
        assert_eq!(ZeroLoad.predict(&system, beyond), saturated);
        let uses = ZeroLoad.prepare(&system).unwrap().utilisation_mean(Rate(0.05)).unwrap();
        assert!((uses - 0.05 * 12.0 * hops / 4.0).abs() < 1e-12);
    }
}

#[test]
fn links_with_their_own_delays_and_rates_determine_the_transfer() {
    // Two links of a route from 0 over 1 to 2, with injection and ejection before and after them.
    let text = "Scenario(network: Switches(links: [(0, 1, (delay: 7)), (1, 2, (cycles_per_flit: 3))], hosts: \
                [0, 2]), switching: Wormhole(virtual_channels: 1, buffer_flits: 64, terminals: Channels, \
                ejection: OneFlitPerCycle), routing: UpDown(), traffic: (arrivals: Poisson(rate: 0.0001), \
                destinations: Uniform, lengths: Fixed(8)))";
    let with = |from: &str, to: &str| {
        crate::scenario::parse("paced", &text.replace(from, to), &[]).unwrap().system
    };
    // 1 + 7 + (3 - 1 + 1) + 1 cycles of the head, and 3 cycles for each of 7 flits behind.
    let latency = |from: &str, to: &str| empty_latency(&with(from, to)).unwrap();
    assert!((latency("", "") - (12.0 + 21.0)).abs() < 1e-9, "{}", latency("", ""));
    // Flits move in groups of 2 per round trip of 7 + 7 + 1 cycles over the first link.
    let narrow = latency("buffer_flits: 64", "buffer_flits: 2");
    assert!((narrow - (12.0 + 3.0 * 15.0 + 3.0)).abs() < 1e-9, "{narrow}");
    let stages = "ejection: Shared, pipeline: Stages(route: 1), release: Sent";
    let pipelined = with("ejection: OneFlitPerCycle", stages);
    assert_eq!(empty_latency(&pipelined), None);
}

#[test]
fn lengths_are_averaged_over_groups_of_flits() {
    let slow = Wormhole { channel_delay: 3, credit_delay: 4, ..Wormhole::new(4, 2) };
    for machine in [Wormhole::new(4, 2), slow] {
        let mut system = torus(&[4, 4], machine);
        system.traffic.lengths = Lengths::Uniform { min: 1, max: 6 };
        let found = ZeroLoad.predict(&system, Rate(0.01)).unwrap().part(Part::Transfer).unwrap();
        // Number of nodes at each distance, of 15.
        let away = [(1, 4.0), (2, 6.0), (3, 4.0), (4, 1.0)];
        let all = away.iter().flat_map(|&(hops, nodes)| {
            (1..=6).map(move |flits| nodes / 15.0 / 6.0 * machine.transfer(flits, hops) as f64)
        });
        let expected: f64 = all.sum();
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
}

#[test]
fn it_is_offered_behind_what_knows_the_network_and_refuses_circuits_and_sources_without_order() {
    for radix in [&[4, 4][..], &[8, 8, 8]] {
        let models = models_for(&torus(radix, Wormhole::new(4, 2)));
        let ours = models.iter().position(|it| it.name() == ZeroLoad.name()).unwrap();
        assert_eq!(models[ours].reading(), "lower bound");
        assert_eq!((ours == 0, models.len() == 1), (radix.len() == 3, radix.len() == 3));
    }
    let circuits = torus(&[4, 4], Circuit::new(Conflict::Hold));
    let independent = Injection::Independent { waiting_max: 10 };
    let independent = torus(&[4, 4], Wormhole { injection: independent, ..Wormhole::new(4, 2) });
    for (system, why) in [(circuits, "messages use circuits"), (independent, "one flit after")] {
        assert!(!ZeroLoad.covers(&system));
        let Err(Unsolved::NotCovered(found)) = ZeroLoad.predict(&system, Rate(0.01)) else {
            panic!("{why}");
        };
        assert!(found.contains(why), "{found}");
    }
}

#[test]
fn distances_are_those_of_all_pairs() {
    for (family, radix) in [
        (Family::Mesh, &[5, 3, 2][..]),
        (Family::Hypercube, &[2, 2, 2]),
        (Family::Torus { unidirectional: false }, &[5, 4]),
        (Family::Torus { unidirectional: true }, &[4, 3]),
    ] {
        let network = Cube::network(family, radix);
        let cube = network.cube().unwrap();
        let mut counted = vec![0.0; pairs_by_distance(cube).len()];
        for from in (0..network.nodes()).map(RouterId::new) {
            network.distances(from).iter().for_each(|&hops| counted[hops as usize] += 1.0);
        }
        assert_eq!(pairs_by_distance(cube), counted, "{family:?} {radix:?}");
    }
}
