//! Up*/down* with several roots, and nearest common ancestors of trees.

use std::sync::Arc;

use super::{generated, verdict};
use crate::capacity::Capacity;
use crate::ids::RouterId;
use crate::routing::algorithms::nearest_common_ancestor::UpLinks;
use crate::routing::dependency::{Verdict, prove};
use crate::routing::{Paths, Roots, Routing};
use crate::scenario;
use crate::topology::switches::Switches;

fn capacity(network: &str, routing: &str, destinations: &str) -> f64 {
    let text = format!(
        "Scenario(network: {network}, switching: Wormhole(virtual_channels: 1, buffer_flits: 16, \
         release: Sent, terminals: Channels, ejection: OneFlitPerCycle), routing: {routing}, \
         traffic: (arrivals: Poisson(load: 0.01), destinations: {destinations}, lengths: Fixed(8)))"
    );
    let read = scenario::parse("test", &text, &[]).unwrap_or_else(|why| panic!("{why:#?}"));
    Capacity::of(&read.system).unwrap().load.0
}

#[test]
fn several_roots_use_all_spines() {
    let spines = "LeafSpine(leaves: 4, spines: 2, hosts: 4, links: 1)";
    let shortest = capacity(spines, "ShortestPath()", "Uniform");
    for roots in ["root: 4", "roots: [4]"] {
        let one = capacity(spines, &format!("UpDown({roots})"), "Uniform");
        assert!(one < 0.6 * shortest, "{one} {shortest}");
    }
    for routing in ["UpDown(roots: [4, 5])", "UpDown(roots: Hosts)", "NearestCommonAncestor()"] {
        let all = capacity(spines, routing, "Uniform");
        assert!((all - shortest).abs() < 1e-9, "{routing}: {all} {shortest}");
    }
}

#[test]
fn roots_without_a_common_descendant_are_refused() {
    let links: Vec<(u32, u32)> = (0..8).map(|at| (at, (at + 1) % 8)).collect();
    let ring = Arc::new(Switches::random(8, &links, &[0, 1, 2, 3, 4, 5, 6, 7]));
    let routing = |roots: &[u32]| Routing::UpDown {
        roots: Roots::Listed(roots.iter().copied().map(RouterId).collect()),
        paths: Paths::Split,
    };
    let why = routing(&[0, 4]).on(&ring).unwrap_err();
    assert!(why.what.contains("18 pairs of routers"), "{why}");
    assert_eq!(why.help, "write `roots: [0]`");
    assert!(matches!(verdict(&ring, &routing(&[0])).1, Verdict::Free { .. }));
    assert!(matches!(verdict(&ring, &routing(&[0, 1])).1, Verdict::Free { .. }));
}

#[test]
fn trees_are_routed_to_their_nearest_common_ancestors() {
    let tree = generated("FatTree(arity: 4, levels: 3)");
    for up in [UpLinks::Free, UpLinks::Random, UpLinks::Destination] {
        let (needed, verdict) = verdict(&tree, &Routing::NearestCommonAncestor { up });
        assert_eq!(needed, 1);
        assert!(matches!(verdict, Verdict::Free { .. }), "{up:?}: {verdict:?}");
    }
    let flat = generated("Dragonfly(group: 4, hosts: 2, global: 2)");
    let why = Routing::NearestCommonAncestor { up: UpLinks::Free }.on(&flat).unwrap_err();
    assert!(why.what.contains("needs a tree"), "{why}");
}

#[test]
fn one_up_link_for_each_destination_is_balanced_for_uniform_traffic_only() {
    let by_destination = "NearestCommonAncestor(up: Destination)";
    let tree = "FatTree(arity: 4, levels: 3)";
    assert!(capacity(tree, by_destination, "Uniform") > 0.99);
    for (levels, per_sender) in [(4, 1.0 / 3.0), (5, 1.0 / 3.0), (6, 1.0 / 7.0)] {
        // 1/(k^⌊n/2⌋ − 1) for each node that is not its own partner.
        let tree = format!("FatTree(arity: 2, levels: {levels})");
        let senders = 1.0 - 0.5f64.powi(levels / 2);
        let reversed = capacity(&tree, by_destination, "BitReversal");
        assert!((reversed - senders * per_sender).abs() < 1e-9, "{tree}: {reversed}");
        let random = capacity(&tree, "NearestCommonAncestor(up: Random)", "BitReversal");
        assert!((random - senders).abs() < 1e-9, "{tree}: {random}");
    }
}

#[test]
fn digits_in_reverse_meet_on_the_up_links_of_a_tree() {
    for (levels, per_sender) in [(2, 1.0 / 3.0), (3, 1.0 / 3.0), (4, 1.0 / 15.0)] {
        let hosts = 4u32.pow(levels);
        let reversed = |host: u32| {
            (0..levels).fold(0, |number, digit| 4 * number + host / 4u32.pow(digit) % 4)
        };
        let pairs = (0..hosts).map(|host| (host, reversed(host))).filter(|(host, to)| host != to);
        let pairs: Vec<(u32, u32)> = pairs.collect();
        let senders = pairs.len() as f64 / f64::from(hosts);
        let tree = format!("FatTree(arity: 4, levels: {levels})");
        let traffic = format!("Pairs({pairs:?})");
        let by_destination = capacity(&tree, "NearestCommonAncestor(up: Destination)", &traffic);
        assert!((by_destination - senders * per_sender).abs() < 1e-9, "{tree}: {by_destination}");
        let random = capacity(&tree, "NearestCommonAncestor(up: Random)", &traffic);
        assert!((random - senders).abs() < 1e-9, "{tree}: {random}");
    }
}

#[test]
fn routes_are_shortest_by_delay() {
    // Two routers closer over a third than by their own link.
    let network = "Switches(links: [(0, 1, (delay: 15, one_way: true)), (1, 0, (delay: 5, one_way: \
                   true)), (1, 2), (0, 2, (delay: 3))], hosts: [0, 0, 1, 1, 2, 2])";
    let text = |by: &str| {
        format!(
            "Scenario(network: {network}, switching: Wormhole(virtual_channels: 1, terminals: \
             Channels, ejection: PerWorm), routing: ShortestPath(by: {by}), traffic: (arrivals: \
             Poisson(load: 0.01), destinations: Uniform, lengths: Fixed(4)))"
        )
    };
    let route = |by: &str, delay: f64| -> Vec<u32> {
        let system = scenario::parse("test", &text(by), &[]).unwrap().system;
        let proof = prove(&system.network, &system.relation);
        assert!(matches!(proof.verdict, Verdict::Free { .. }), "{by}: {proof:?}");
        let mean = Capacity::of(&system).unwrap().delay_mean(&system).unwrap();
        assert!((mean - delay).abs() < 1e-12, "{by}: {mean}");
        let routes = system.relation.routes().unwrap();
        assert_eq!(routes.count(RouterId(0), RouterId(1)), 1);
        routes.route(RouterId(0), RouterId(1), 0).iter().map(|hop| hop.from.0).collect()
    };
    // Four of five partners of a host are at the two other routers.
    assert_eq!(route("Hops", 0.8 * (15.0 + 3.0 + 5.0 + 1.0 + 1.0 + 3.0) / 6.0), [0]);
    assert_eq!(route("Delay", 0.8 * (4.0 + 3.0 + 4.0 + 1.0 + 1.0 + 3.0) / 6.0), [0, 2]);
}
