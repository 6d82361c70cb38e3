//! Layered routes on random graphs and generated networks: proven, complete, short and balanced.

use std::sync::Arc;

use proptest::prelude::*;

use super::{generated, verdict};
use crate::ids::RouterId;
use crate::routing::dependency::{Verdict, prove};
use crate::routing::{Layers, Paths, Relation, Roots, Routing};
use crate::topology::Network;
use crate::topology::switches::{Cable, Switches, flaws, random};

/// Proves the routes, and returns their mean length relative to that of shortest routes.
fn stretch(network: &Arc<Network>, layers: u32) -> f64 {
    let relation =
        Relation::new(Routing::Layered { layers: Layers(layers) }, Arc::clone(network), layers);
    let proof = prove(network, &relation);
    assert!(matches!(proof.verdict, Verdict::Free { .. }), "{layers}: {proof:?}");
    let routes = relation.routes().unwrap();
    let (mut hops, mut least) = (0, 0);
    let ends = || (0..network.routers()).map(RouterId::new);
    for from in ends().filter(|&at| network.terminals_at(at) > 0) {
        let distances = network.distances(from);
        for to in ends().filter(|&to| to != from && network.terminals_at(to) > 0) {
            let count = routes.count(from, to);
            assert!(count > 0);
            let lengths = (0..count).map(|route| routes.route(from, to, route).len());
            let route = routes.route(from, to, count - 1);
            assert!(lengths.into_iter().all(|length| length == route.len()));
            let mut at = from;
            for hop in route {
                assert_eq!((hop.from, network.channel(hop.channel).from), (at, at));
                assert!(u32::from(hop.class) < layers);
                at = network.channel(hop.channel).to;
            }
            assert_eq!(at, to);
            assert!(route.len() <= network.routers());
            hops += route.len();
            least += distances[to.index()] as usize;
        }
    }
    hops as f64 / least as f64
}

pub(super) fn drawn(switches: u32, degree: u32, seed: u64) -> Arc<Network> {
    let links = random::links(switches, (switches * degree / 2) as usize, degree, seed);
    let hosts: Vec<u32> = (0..switches).collect();
    Arc::new(Switches::random(switches as usize, &links, &hosts))
}

#[test]
fn routes_are_short_with_several_layers() {
    let twisted = "TwistedTorus(radix: [8, 4], twist: 4, hosts: 1)";
    let dragonfly = "Dragonfly(group: 4, hosts: 2, global: 2)";
    let mut networks = vec![generated(twisted), generated(dragonfly)];
    networks.push(generated("FatTree(arity: 4, levels: 3)"));
    networks.push(generated("HyperX(radix: [4, 4], hosts: 1)"));
    networks.extend((0..4).map(|seed| drawn(24 + 8 * seed, 3 + seed, seed.into())));
    for network in &networks {
        let stretches = [1, 2, 4].map(|layers| stretch(network, layers));
        assert!(stretches[1] <= 1.2 && stretches[2] <= 1.05, "{}: {stretches:?}", network.name());
    }
    // Every shortest route of a tree is up and down.
    assert!((stretch(&networks[2], 1) - 1.0).abs() < f64::EPSILON);
}

/// The time that the flits of uniform traffic take on the busiest link, with a flit from each host to
/// each other; `None` if the routing does not serve the network.
fn peak(network: &Arc<Network>, routing: &Routing, vcs: u32) -> Option<f64> {
    let relation = Relation::of(routing.on(network).ok()?, Arc::clone(network), vcs);
    let routes = relation.routes().unwrap();
    let mut loads = vec![0.0; network.links()];
    for from in network.host_routers() {
        for to in network.host_routers().filter(|to| *to != from) {
            let count = routes.count(from, to);
            let share = (network.terminals_at(from) * network.terminals_at(to)) as f64;
            for link in (0..count).flat_map(|route| routes.route(from, to, route)) {
                let rate = network.channel(link.channel).attributes.cycles_per_flit;
                loads[link.channel.index()] += share / f64::from(count) * f64::from(rate);
            }
        }
    }
    Some(loads.into_iter().fold(0.0, f64::max))
}

#[test]
fn routes_are_balanced_at_least_as_well_as_those_of_any_root() {
    let leaves = |text: &str| generated(&format!("LeafSpine({text})"));
    let networks = [
        leaves("leaves: 6, spines: 3, hosts: 8, links: 2"),
        leaves("leaves: 9, spines: 4, hosts: 4, links: 1"),
        leaves("leaves: 5, spines: 3, hosts: 1, links: 1"),
        generated("FatTree(arity: 4, levels: 3)"),
        generated("FatTree(arity: 2, levels: 4)"),
        generated("Dragonfly(group: 4, hosts: 2, global: 2)"),
        generated("TwistedTorus(radix: [8, 4], twist: 4, hosts: 1)"),
        generated("TwistedTorus(radix: [6, 6], twist: 3, hosts: 2)"),
        generated("HyperX(radix: [4, 4], hosts: 1)"),
        drawn(24, 3, 1),
        drawn(40, 4, 2),
        drawn(60, 6, 3),
    ];
    for network in &networks {
        let single = (0..network.routers()).map(|root| RouterId::new(root).into());
        let up_down = |roots| Routing::UpDown { roots, paths: Paths::Split };
        let least = std::iter::once(Roots::Hosts)
            .chain(single)
            .filter_map(|roots| peak(network, &up_down(roots), 1))
            .fold(f64::MAX, f64::min);
        let layered = |layers| Routing::Layered { layers: Layers(layers) };
        let peaks = [1, 2, 4].map(|vcs| peak(network, &layered(vcs), vcs).unwrap());
        for peak in peaks {
            assert!(peak <= least * (1.0 + 1e-9), "{}: {peaks:?} {least}", network.name());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
    #[test]
    fn one_layer_is_enough_with_links_both_ways(
        switches in 2u32..20,
        more in 0usize..12,
        hosts in prop::collection::vec(0u32..20, 2..12),
        seed: u64,
    ) {
        let links = random::links(switches, switches as usize - 1 + more, switches, seed);
        let hosts: Vec<u32> = hosts.into_iter().map(|host| host % switches).collect();
        let network = Arc::new(Switches::random(switches as usize, &links, &hosts));
        prop_assume!(network.host_routers().count() > 1);
        prop_assert!(stretch(&network, 1) >= 1.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
    #[test]
    fn one_way_links_need_two_layers_at_most(
        switches in 2u32..9,
        links in prop::collection::vec((0u32..9, 0u32..9), 4..40),
        layers in 2u32..5,
    ) {
        let one_way = |(from, to)| Cable { one_way: true, ..(from % switches, to % switches).into() };
        let mut cables: Vec<Cable> = Vec::new();
        for cable in links.into_iter().map(one_way) {
            if cable.from != cable.to
                && !cables.iter().any(|it| (it.from, it.to) == (cable.from, cable.to))
            {
                cables.push(cable);
            }
        }
        prop_assume!(flaws(switches as usize, &cables).is_empty());
        let hosts: Vec<u32> = (0..switches).collect();
        let network = Arc::new(Switches::network(switches as usize, &cables, &hosts, None));
        prop_assert!(stretch(&network, layers) >= 1.0);
        let one = Routing::Layered { layers: Layers(1) };
        match one.on(&network) {
            Ok(_) => {
                let (_, verdict) = verdict(&network, &one);
                let free = matches!(verdict, Verdict::Free { .. });
                prop_assert!(free);
            }
            Err(why) => prop_assert_eq!(why.help, "write `layers: 2`"),
        }
    }
}

/// 200 random graphs of up to 512 switches: mean lengths relative to shortest routes.
#[test]
#[ignore = "takes minutes"]
fn two_hundred_random_graphs_are_routed() {
    let mut worst = [0.0f64; 3];
    let mut sums = [0.0; 3];
    for seed in 0..200u32 {
        let network = drawn(8 + seed * 504 / 199, 3 + seed % 6, seed.into());
        for (at, layers) in [1, 2, 4].into_iter().enumerate() {
            let found = stretch(&network, layers);
            worst[at] = worst[at].max(found);
            sums[at] += found;
        }
    }
    let means = sums.map(|sum| sum / 200.0);
    assert!(worst[1] <= 1.2 && worst[2] <= 1.05, "{means:?} {worst:?}");
    assert!(means[0] <= 1.3 && means[1] <= 1.02, "{means:?} {worst:?}");
}
