//! Compares listed routes with flows accumulated without routes.

use std::sync::Arc;

use super::*;
use crate::flows::{Flow, Flows};
use crate::ids::RouterId;
use crate::routing::{Classes, HalfWay, Paths, Routing};
use crate::switching::Wormhole;
use crate::topology::Network;
use crate::topology::cube::{Cube, Family};
use crate::topology::switches::Switches;
use crate::traffic::{Destinations, Lengths, Locality, Permutation, Process, Traffic};
use crate::units::Rate;

fn system(network: Network, routing: Routing, destinations: Destinations) -> System {
    let (process, lengths) = (Process::Poisson, Lengths::Fixed(12));
    let traffic = Traffic::random(process, Rate(0.001), destinations, lengths);
    System::new(Arc::new(network), routing, Wormhole::new(2, 2), traffic)
}

fn ordered(classes: Classes) -> Routing {
    Routing::dimension_order(classes)
}

/// Messages over every channel, summed over the listed routes.
fn over_channels(system: &System) -> Vec<Flow> {
    let mut found = vec![Flow::default(); system.network.channels().len()];
    for_each_route(system, |route| {
        for (at, hop) in (1..).zip(route.hops) {
            found[hop.channel.index()].add(route.share, at == route.hops.len());
        }
        Ok::<_, Unlisted>(())
    })
    .unwrap();
    found
}

#[test]
fn routes_carry_the_flows() {
    let torus = Family::Torus { unidirectional: false };
    let one_way = Family::Torus { unidirectional: true };
    let hot = Destinations::Hotspot { nodes: vec![NodeId(5)], percent: 7.0 };
    let transpose = Destinations::Permutation(Permutation::Transpose);
    let near = Destinations::Local(Locality::Decreasing { ratio: 0.6 });
    let [none, dateline, by_destination] =
        [Classes::None, Classes::Dateline, Classes::Destination].map(ordered);
    let up_down = |paths| Routing::UpDown { roots: RouterId(0).into(), paths };
    let cube = Cube::network;
    let switches = || {
        let links = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)];
        Switches::random(4, &links, &[0, 0, 1, 1, 2, 3, 3])
    };
    let cases = [
        (cube(Family::Mesh, &[5, 4]), by_destination.clone(), Destinations::Uniform),
        (cube(Family::Mesh, &[4, 4]), none.clone(), transpose),
        (cube(Family::Mesh, &[5, 4]), Routing::O1Turn, Destinations::Uniform),
        (cube(torus, &[6, 4]), dateline.clone(), near),
        (cube(torus, &[4, 5, 2]), by_destination, hot),
        (cube(Family::Hypercube, &[2; 5]), none, Destinations::Uniform),
        (cube(one_way, &[5, 3]), dateline, Destinations::Uniform),
        (switches(), up_down(Paths::Split), Destinations::Uniform),
        (switches(), up_down(Paths::First), Destinations::Uniform),
    ];
    for (network, routing, destinations) in cases {
        for half_way in [HalfWay::Random, HalfWay::Positive] {
            let name = format!("{routing:?} {destinations:?} {half_way:?}");
            let system = system(network.clone(), routing.clone(), destinations.clone());
            let system = system.with_half_way(half_way);
            let flows = Flows::of(&system).unwrap();
            let links = system.network.links();
            for (channel, found) in over_channels(&system).into_iter().enumerate().take(links) {
                let expected = flows.over(crate::ids::ChannelId::new(channel));
                let off = (found.all() - expected.all()).abs() + (found.last - expected.last).abs();
                assert!(off < 1e-12, "{name}, channel {channel}: {found:?}, {expected:?}");
            }
        }
    }
}

#[test]
fn routes_are_not_listed_of_heads_that_choose_nor_between_too_many_nodes() {
    let refused = |system: &System| for_each_route(system, |_| Ok::<_, Unlisted>(())).unwrap_err();
    let mesh = |radix: &[u32], routing: Routing| {
        system(Cube::network(Family::Mesh, radix), routing, Destinations::Uniform)
    };
    let chosen = mesh(&[4, 4], Routing::WestFirst);
    assert_eq!(refused(&chosen), Unlisted::Chosen { routing: "west-first" });
    let large = mesh(&[32, 33], ordered(Classes::None));
    assert_eq!(refused(&large), Unlisted::TooManyPairs { nodes: 1056 });
    assert!(!are_few(&large) && are_few(&mesh(&[32, 32], ordered(Classes::None))));
}
