//! The flows against every route followed by itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::ChannelFlow;
use super::super::servers::Step;
use super::*;
use crate::ids::NodeId;
use crate::model::Model;
use crate::model::queue::Moments;
use crate::routing::{Candidate, Classes, HalfWay, Header, Routing, Stop};
use crate::switching::Wormhole;
use crate::topology::cube::{Cube, Family};
use crate::traffic::destinations::DestinationDraw;
use crate::traffic::{Destinations, Lengths, Locality, Permutation, Process, Traffic};
use crate::units::Rate;

/// Messages through each place, and from place to place (from a source: by its node), per message
/// of a node.
#[derive(Default)]
struct Counted {
    resources: BTreeMap<Resource, f64>,
    steps: BTreeMap<(Option<Resource>, u32, Resource), f64>,
    hops: Moments,
}

/// Follows every pair of nodes by itself, all values of its route bits equally likely.
fn pair_by_pair(system: &System) -> Counted {
    let network = &system.network;
    let cube = network.cube().unwrap();
    let draw = DestinationDraw::new(&system.traffic.destinations, network);
    let mut counted = Counted::default();
    let mut candidates = Vec::new();
    for source in (0..network.nodes()).map(NodeId::new) {
        for (destination, share) in draw.probabilities(source).into_iter().enumerate() {
            let destination = NodeId::new(destination);
            let falls = 1u64 << cube.dimensions();
            for route_bits in (0..falls).filter(|_| share > 0.0) {
                let share = share / falls as f64;
                let mut at = network.router_of(source);
                let header =
                    Header { source: at, destination: network.router_of(destination), route_bits };
                let (mut last, mut hops) = ((None, source.0), 0.0);
                loop {
                    system.relation.candidates(Stop::start(at), &header, &mut candidates);
                    let place = match candidates[..] {
                        [] => Resource::Ejection(destination),
                        [Candidate { channel, vcs }] => Resource::Link(channel, vcs),
                        _ => panic!("deterministic"),
                    };
                    *counted.resources.entry(place).or_default() += share;
                    *counted.steps.entry((last.0, last.1, place)).or_default() += share;
                    last = (Some(place), 0);
                    let Resource::Link(channel, _) = place else { break };
                    at = network.channel(channel).to;
                    hops += 1.0;
                }
                counted.hops.mix(share, Moments::with_variance(hops, 0.0));
            }
        }
    }
    counted
}

fn of_walks(system: &System) -> Counted {
    let flows = Flows::follow(system).unwrap();
    let mut counted = Counted::default();
    let place = |step: &Step| flows.servers[step.to as usize].resource;
    for (node, source) in flows.sources.iter().enumerate() {
        counted.hops.mix(source.share, source.hops);
        for step in &source.next {
            counted.steps.insert((None, node as u32, place(step)), step.share);
        }
    }
    for server in &flows.servers {
        counted.resources.insert(server.resource, server.share);
        for step in &server.next {
            counted.steps.insert((Some(server.resource), 0, place(step)), step.share);
        }
    }
    counted
}

fn same<K: Ord + std::fmt::Debug>(name: &str, one: &BTreeMap<K, f64>, other: &BTreeMap<K, f64>) {
    assert_eq!(one.len(), other.len(), "{name}");
    for ((key, one), (other_key, other)) in one.iter().zip(other) {
        assert_eq!(key, other_key, "{name}");
        assert!((one - other).abs() < 1e-12, "{name} {key:?}: {one}, {other}");
    }
}

#[test]
fn flows_add_up_to_every_way_followed_by_itself() {
    let torus = Family::Torus { unidirectional: false };
    let one_way = Family::Torus { unidirectional: true };
    let hot = Destinations::Hotspot { nodes: vec![NodeId(5)], percent: 7.0 };
    let transpose = Destinations::Permutation(Permutation::Transpose);
    let near = Destinations::Local(Locality::Decreasing { ratio: 0.6 });
    let cases: [(Family, &[u32], Classes, Destinations); 13] = [
        (Family::Mesh, &[5, 4], Classes::Destination, Destinations::Uniform),
        (Family::Mesh, &[4, 4], Classes::None, transpose.clone()),
        (Family::Mesh, &[3, 2, 4], Classes::None, hot.clone()),
        (Family::Mesh, &[5, 4], Classes::None, near.clone()),
        (torus, &[6, 4], Classes::Dateline, near.clone()),
        (torus, &[4, 6], Classes::Static, near),
        (Family::Hypercube, &[2; 5], Classes::None, Destinations::Uniform),
        (torus, &[6, 4], Classes::Destination, hot.clone()),
        (torus, &[4, 4], Classes::Dateline, transpose),
        (torus, &[4, 5, 2], Classes::Dateline, Destinations::Uniform),
        (torus, &[4, 6], Classes::Static, hot),
        (one_way, &[5, 3], Classes::Dateline, Destinations::Uniform),
        (one_way, &[4, 4], Classes::Destination, Destinations::Uniform),
    ];
    for (family, radix, classes, destinations) in cases {
        for half_way in [HalfWay::Random, HalfWay::Positive] {
            let traffic = Traffic {
                process: Process::Poisson,
                rate: Rate(0.001),
                destinations: destinations.clone(),
                lengths: Lengths::Fixed(12),
            };
            let routing = Routing::DimensionOrder { classes };
            let network = Arc::new(Cube::network(family, radix));
            let system =
                System::new(network, routing, Wormhole::new(2, 2), traffic).with_half_way(half_way);
            let name = format!("{family:?} {radix:?} {classes:?} {destinations:?} {half_way:?}");
            let (expected, found) = (pair_by_pair(&system), of_walks(&system));
            same(&name, &expected.resources, &found.resources);
            same(&name, &expected.steps, &found.steps);
            assert!((expected.hops.mean - found.hops.mean).abs() < 1e-9, "{name}");
            assert!((expected.hops.square - found.hops.square).abs() < 1e-9, "{name}");
            assert!(found.steps.len() as u64 <= streams_at_most(&system), "{name}");
        }
    }
}

#[test]
fn networks_with_too_many_streams_have_no_equations() {
    let covered = |radix: &[u32]| {
        let traffic = Traffic {
            process: Process::Poisson,
            rate: Rate(0.001),
            destinations: Destinations::Uniform,
            lengths: Lengths::Fixed(12),
        };
        let routing = Routing::DimensionOrder { classes: Classes::Destination };
        let network = Arc::new(Cube::network(Family::Torus { unidirectional: false }, radix));
        ChannelFlow::default().covers(&System::new(network, routing, Wormhole::new(2, 2), traffic))
    };
    assert!(covered(&[512, 512]) && covered(&[4; 7]));
    assert!(!covered(&[4; 8]) && !covered(&[1024, 1024]));
}
