//! Drawings show levels, groups, stages and the edges of lattices.

use std::collections::BTreeSet;

use super::*;
use crate::ids::NodeId;
use crate::topology::generators::Generator;
use crate::topology::switches::{Switches, random};
use crate::words;

fn generated(text: &str) -> Network {
    words::value::<Generator>(text).unwrap().network().unwrap()
}

/// The same network without its labels and places.
fn bare(network: &Network) -> Network {
    let links = network.channels()[..network.links()].iter();
    let links: Vec<(u32, u32)> =
        links.map(|link| (link.from.0, link.to.0)).filter(|link| link.0 < link.1).collect();
    let hosts: Vec<u32> =
        (0..network.nodes()).map(|host| network.router_of(NodeId::new(host)).0).collect();
    Switches::network(network.routers(), &links, &hosts, None)
}

fn places(network: &Network) -> Vec<Place> {
    let switches = network.switches().unwrap();
    (0..network.routers()).map(|at| switches.place(RouterId::new(at))).collect()
}

fn squared(a: Place, b: Place) -> i64 {
    let (x, y) = (i64::from(a.x) - i64::from(b.x), i64::from(a.y) - i64::from(b.y));
    x * x + y * y
}

/// The first label of each router.
fn firsts(network: &Network) -> Vec<u16> {
    let labels = network.labels().unwrap();
    (0..network.routers()).map(|at| labels.of(RouterId::new(at))[0]).collect()
}

#[test]
fn no_two_routers_share_a_place() {
    for text in [
        "FatTree(arity: 2, levels: 3)",
        "FatTree(arity: 4, levels: 4)",
        "LeafSpine(leaves: 8, spines: 3, hosts: 8, links: 1)",
        "Dragonfly(group: 4, hosts: 2, global: 2)",
        "Dragonfly(group: 16, hosts: 1, global: 2)",
        "Dragonfly(group: 1, hosts: 1, global: 2, groups: 3)",
        "HyperX(radix: [4, 3, 3, 2], hosts: 4)",
        "HyperX(radix: [5], hosts: 1)",
        "Butterfly(arity: 4, levels: 3)",
        "TwistedTorus(radix: [8, 4], twist: 4, hosts: 1)",
        "Complete(routers: 9, hosts: 1)",
    ] {
        let network = generated(text);
        for network in [bare(&network), network] {
            let places = places(&network);
            let distinct: BTreeSet<(i32, i32)> = places.iter().map(|at| (at.x, at.y)).collect();
            assert_eq!(distinct.len(), network.routers(), "{text}");
        }
    }
}

#[test]
fn levels_are_rows_with_the_hosts_at_the_bottom() {
    for text in
        ["FatTree(arity: 4, levels: 3)", "LeafSpine(leaves: 8, spines: 3, hosts: 2, links: 1)"]
    {
        let tree = generated(text);
        let levels = firsts(&tree);
        // The levels are found without labels, too.
        for tree in [bare(&tree), tree] {
            let places = places(&tree);
            for (a, b) in (0..levels.len()).flat_map(|a| (0..levels.len()).map(move |b| (a, b))) {
                assert_eq!(levels[a].cmp(&levels[b]), places[a].y.cmp(&places[b].y), "{text}");
            }
        }
    }
}

#[test]
fn links_of_a_tree_without_rings_never_cross() {
    // Three branches, named in no order: 0 is the root.
    let links = [(4, 0), (7, 4), (4, 2), (0, 1), (1, 9), (3, 1), (6, 0), (6, 5), (8, 6)];
    let places = places(&Switches::network(10, &links, &[2, 3, 5, 7, 8, 9], None));
    let highest = places.iter().map(|at| at.y).max().unwrap();
    assert_eq!(places[0].y, highest);
    let rows = |&(a, b): &(u32, u32)| {
        let (a, b) = (places[a as usize], places[b as usize]);
        if a.y < b.y { (a, b) } else { (b, a) }
    };
    for (one, other) in links.iter().flat_map(|a| links.iter().map(move |b| (a, b))) {
        let ((low, high), (low_other, high_other)) = (rows(one), rows(other));
        if low.y == low_other.y && low.x < low_other.x {
            assert!(high.x <= high_other.x, "{one:?} {other:?}");
        }
    }
}

#[test]
fn routers_of_a_group_are_nearer_to_each_other_than_to_other_groups() {
    for text in [
        "Dragonfly(group: 4, hosts: 2, global: 2)",
        "Dragonfly(group: 3, hosts: 1, global: 1)",
        "Dragonfly(group: 8, hosts: 4, global: 4)",
    ] {
        let all = generated(text);
        let groups = firsts(&all);
        // Groups are found without labels, too.
        for all in [bare(&all), all] {
            let places = places(&all);
            let middle = |group: u16| {
                let members: Vec<Place> = (0..places.len())
                    .filter(|&at| groups[at] == group)
                    .map(|at| places[at])
                    .collect();
                let size = (members.len() as u32).cast_signed();
                let sum = |part: fn(&Place) -> i32| members.iter().map(part).sum::<i32>() / size;
                Place { x: sum(|at| at.x), y: sum(|at| at.y) }
            };
            let last = groups.iter().copied().max().unwrap();
            let middles: Vec<Place> = (0..=last).map(middle).collect();
            for (at, &place) in places.iter().enumerate() {
                let nearest = (0..middles.len()).min_by_key(|&of| squared(place, middles[of]));
                assert_eq!(nearest, Some(usize::from(groups[at])), "{text} {at}");
            }
        }
    }
}

#[test]
fn links_around_a_twisted_torus_leave_it_on_one_side_and_enter_it_on_the_other() {
    let torus = generated("TwistedTorus(radix: [8, 4], twist: 4, hosts: 1)");
    let switches = torus.switches().unwrap();
    let around = |from: u32, to: u32| switches.around(RouterId(from), RouterId(to));
    for x in 0..8 {
        assert_eq!(around(24 + x, (x + 4) % 8), Some((0, 1)));
        assert_eq!(around((x + 4) % 8, 24 + x), Some((0, -1)));
        assert_eq!(around(x, x + 8), None);
    }
    for y in 0..4 {
        assert_eq!(around(8 * y + 7, 8 * y), Some((1, 0)));
        assert_eq!(around(8 * y, 8 * y + 7), Some((-1, 0)));
    }
    // Its places alone show the lattice.
    let links = torus.channels()[..torus.links()].iter();
    let links: Vec<(u32, u32)> =
        links.map(|link| (link.from.0, link.to.0)).filter(|link| link.0 < link.1).collect();
    let hosts: Vec<u32> = (0..32).collect();
    let given = Switches::network(32, &links, &hosts, Some(places(&torus)));
    assert_eq!(given.switches().unwrap().around(RouterId(25), RouterId(5)), Some((0, 1)));
}

#[test]
fn a_butterfly_has_a_column_for_each_stage_and_links_back_leave_it() {
    let fly = generated("Butterfly(arity: 2, levels: 3)");
    let (stages, places) = (firsts(&fly), places(&fly));
    let switches = fly.switches().unwrap();
    for link in &fly.channels()[..fly.links()] {
        let [from, to] = [link.from, link.to].map(RouterId::index);
        let is_back = stages[to] == 0;
        assert_eq!(switches.around(link.from, link.to), is_back.then_some((1, 0)));
        assert_eq!(places[from].x < places[to].x, !is_back);
    }
}

#[test]
fn no_link_of_a_hyper_x_passes_over_a_router() {
    let network = generated("HyperX(radix: [5, 4, 3], hosts: 1)");
    let places = places(&network);
    for link in &network.channels()[..network.links()] {
        let [from, to] = [link.from, link.to].map(|at| places[at.index()]);
        for (at, &other) in places.iter().enumerate().filter(|&(_, &at)| at != from && at != to) {
            let area = i64::from(to.x - from.x) * i64::from(other.y - from.y)
                - i64::from(to.y - from.y) * i64::from(other.x - from.x);
            let inside = squared(from, other) + squared(other, to) <= squared(from, to);
            assert!(area != 0 || !inside, "{link:?} {at}");
        }
    }
}

#[test]
fn random_networks_have_neither_levels_nor_groups() {
    for seed in 0..20 {
        let links = random::links(24, 48, 4, seed);
        let hosts: Vec<u32> = (0..24).collect();
        let network = Switches::random(24, &links, &hosts);
        let neighbours = neighbours(&network);
        assert_eq!(rows::levels(&network, &neighbours), None);
        assert_eq!(communities::groups(&neighbours), None);
    }
}
