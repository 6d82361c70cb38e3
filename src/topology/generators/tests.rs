//! Tests of `generators`: sizes, degrees, routes and the figures known for each family.

use super::*;
use crate::ids::RouterId;
use crate::topology::labels::Labels;
use crate::words;

fn network(text: &str) -> Network {
    let generator: Generator = words::value(text).unwrap_or_else(|| panic!("{text} is read"));
    generator.network().unwrap_or_else(|misfit| panic!("{text}: {misfit}"))
}

fn refusal(text: &str) -> String {
    words::value::<Generator>(text).unwrap().network().unwrap_err().to_string()
}

/// The longest and the mean distance between different routers, and the degrees that occur.
fn figures(network: &Network) -> (u32, f64, Vec<usize>) {
    let routers = || (0..network.routers()).map(RouterId::new);
    let all: Vec<u32> = routers().flat_map(|from| network.distances(from)).collect();
    let pairs = network.routers() * (network.routers() - 1);
    let mut degrees: Vec<usize> = routers().map(|at| network.outputs(at).len()).collect();
    degrees.sort_unstable();
    degrees.dedup();
    let sum: u64 = all.iter().map(|&hops| u64::from(hops)).sum();
    (all.into_iter().max().unwrap(), sum as f64 / pairs as f64, degrees)
}

fn labels(network: &Network) -> &Labels {
    network.labels().unwrap()
}

#[test]
fn a_fat_tree_has_equally_many_links_between_all_levels_and_hosts_at_the_lowest() {
    let tree = network("FatTree(arity: 4, levels: 3)");
    assert_eq!((tree.routers(), tree.nodes(), tree.links()), (48, 64, 2 * 2 * 64));
    assert_eq!(tree.name(), "4-ary 3-tree, 64 hosts");
    for host in 0..64 {
        assert_eq!(
            labels(&tree).of(tree.router_of(crate::ids::NodeId(host))),
            [0, (host / 4) as u16]
        );
    }
    // A route leads up to a common ancestor and as many links down.
    let far = tree.distances(RouterId(0));
    assert_eq!(far[..16].iter().filter(|&&hops| hops == 2).count(), 3);
    assert_eq!(far[..16].iter().filter(|&&hops| hops == 4).count(), 12);
}

#[test]
fn a_dragonfly_joins_every_two_groups_once() {
    let all = network("Dragonfly(group: 4, hosts: 2, global: 2)");
    assert_eq!((all.routers(), all.nodes()), (36, 72));
    let (longest, _, degrees) = figures(&all);
    assert_eq!((longest, degrees), (3, vec![5]));
    let mut joined = vec![0; 9 * 9];
    for link in &all.channels()[..all.links()] {
        let [from, to] = [link.from, link.to].map(|at| labels(&all).of(at)[0] as usize);
        assert_eq!(link.attributes.kind == dragonfly::GLOBAL, from != to);
        joined[from * 9 + to] += usize::from(from != to);
    }
    assert!((0..81).all(|pair| joined[pair] == usize::from(pair / 9 != pair % 9)));
}

#[test]
fn a_smaller_dragonfly_spreads_its_global_links() {
    let few = network("Dragonfly(group: 4, hosts: 1, global: 2, groups: 3)");
    let (longest, _, degrees) = figures(&few);
    assert_eq!((few.routers(), longest, degrees), (12, 2, vec![5]));
    assert_eq!(
        refusal("Dragonfly(group: 2, hosts: 1, global: 1, groups: 4)"),
        "4 groups need 3 global links per group, and 2 routers with 1 have 2; \
         write `groups: 3` or fewer"
    );
}

#[test]
fn twisted_tori_have_the_known_distances() {
    let of = |text: &str| figures(&network(text));
    let close = |(longest, mean, degrees): (u32, f64, Vec<usize>), expected: (u32, f64)| {
        assert_eq!((longest, degrees), (expected.0, vec![4]));
        assert!((mean - expected.1).abs() < 5e-4, "{mean}");
    };
    close(of("TwistedTorus(radix: [8, 4], twist: 4, hosts: 1)"), (4, 2.710));
    close(of("TwistedTorus(radix: [8, 4], twist: 0, hosts: 1)"), (6, 3.097));
    close(of("TwistedTorus(radix: [16, 8], twist: 8, hosts: 1)"), (8, 5.354));
    close(of("TwistedTorus(radix: [16, 8], twist: 0, hosts: 1)"), (12, 6.047));
}

#[test]
fn a_message_crosses_every_stage_of_a_butterfly_once() {
    let fly = network("Butterfly(arity: 4, levels: 3)");
    assert_eq!((fly.routers(), fly.nodes(), fly.links()), (64 + 48, 64, 4 * 64));
    assert!(!fly.is_two_way());
    for from in 0..64 {
        let hops = fly.distances(RouterId(from));
        assert!((0..64).all(|to| hops[to] == if to == from as usize { 0 } else { 4 }));
    }
}

#[test]
fn hyper_x_leaf_spine_and_complete_graphs_have_their_distances() {
    let (longest, mean, degrees) = figures(&network("HyperX(radix: [4, 4], hosts: 4)"));
    assert_eq!((longest, degrees), (2, vec![6]));
    assert!((mean - (6.0 + 2.0 * 9.0) / 15.0).abs() < 1e-12);
    let wide = network("HyperX(radix: [4, 3], hosts: 1, width: [1, 2])");
    assert_eq!(figures(&wide).2, [3 + 2 * 2]);
    let leaves = network("LeafSpine(leaves: 8, spines: 4, hosts: 8, links: 2)");
    assert_eq!((leaves.routers(), leaves.nodes(), leaves.links()), (12, 64, 2 * 2 * 32));
    assert_eq!(figures(&leaves).0, 2);
    assert_eq!(figures(&network("Complete(routers: 8, hosts: 1)")), (1, 1.0, vec![7]));
}

#[test]
fn networks_beyond_the_limits_are_refused() {
    assert_eq!(
        refusal("FatTree(arity: 1024, levels: 16)"),
        format!("a 1024-ary 16-tree has more than {SWITCHES_MAX} routers; write smaller numbers")
    );
    assert!(refusal("TwistedTorus(radix: [4, 4], twist: 4, hosts: 1)").contains("write 0 to 3"));
    assert!(refusal("HyperX(radix: [4, 4], hosts: 1, width: [1])").contains("1 widths"));
    assert!(refusal("FatTree(arity: 64, levels: 3)").contains("more than"));
}
