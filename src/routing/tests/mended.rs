//! Repaired tables: complete, proven free of deadlock, and with few changes.

use std::sync::Arc;

use super::generated;
use super::layered::drawn;
use crate::ids::{ChannelId, RouterId};
use crate::random::{Stream, mix};
use crate::routing::dependency::{Verdict, prove};
use crate::routing::mend::{Change, mend};
use crate::routing::rows::{Contents, From, NextHop, Rows};
use crate::routing::{Relation, Routing};
use crate::topology::Network;
use crate::topology::switches::Switches;
use crate::words;

fn rule(text: &str) -> Routing {
    words::value(text).unwrap()
}

fn relation(network: &Arc<Network>, rows: &Rows, vcs: u32) -> Relation {
    Relation::new(Routing::Table { routes: rows.clone() }, Arc::clone(network), vcs)
}

fn is_free(network: &Arc<Network>, relation: &Relation) -> bool {
    matches!(prove(network, relation).verdict, Verdict::Free { .. })
}

/// Asserts that a repair is proven and complete, and returns the number of changed entries.
fn changed(network: &Arc<Network>, given: &Relation, change: Change) -> usize {
    let mended = mend(network, given, change).unwrap_or_else(|why| panic!("{why:?}"));
    assert!(mended.changed <= mended.all && mended.virtual_channels <= 32);
    let repaired = relation(network, &mended.rows, mended.virtual_channels);
    let proof = prove(network, &repaired);
    assert!(matches!(proof.verdict, Verdict::Free { .. }), "{change:?}: {:?}", proof.verdict);
    assert_eq!(mended.turns.is_empty(), change == Change::Layers || mended.changed == 0);
    mended.changed
}

/// A table of random shortest next hops.
fn shortest(network: &Network, seed: u64) -> Rows {
    let mut random = Stream::keyed(mix(seed, 5));
    let mut hops = Vec::new();
    for destination in network.host_routers() {
        let distances = network.distances_to(destination);
        for at in (0..network.routers()).map(RouterId::new).filter(|&at| at != destination) {
            let nearer = |link: &&ChannelId| {
                distances[network.channel(**link).to.index()] < distances[at.index()]
            };
            let links: Vec<&ChannelId> = network.outputs(at).iter().filter(nearer).collect();
            let next = *links[random.below(links.len() as u32) as usize];
            let (from, from_class) = (From::Anywhere, None);
            hops.push(NextHop { at, destination, next, class: None, from, from_class, line: 2 });
        }
    }
    Rows::new(Contents::Hops(hops))
}

#[test]
fn a_ring_of_shortest_paths_changes_one_route_for_each_direction() {
    let links: Vec<(u32, u32)> = (0..5).map(|at| (at, (at + 1) % 5)).collect();
    let network = Arc::new(Switches::network(5, &links, &[0, 1, 2, 3, 4], None));
    let given = relation(&network, &shortest(&network, 1), 1);
    assert!(!is_free(&network, &given));
    // A turn of each direction is avoided by one of the two routes through each end.
    assert_eq!(changed(&network, &given, Change::Routes), 2);
    assert!(changed(&network, &given, Change::Layers) > 0);
    let given = Relation::new(rule("ShortestPath(paths: First)"), Arc::clone(&network), 1);
    assert_eq!(changed(&network, &given, Change::Routes), 2);
}

#[test]
fn two_hundred_random_tables_are_repaired() {
    let mut repaired = 0;
    for seed in 0.. {
        let network = drawn(4 + (seed % 29) as u32, 3 + (seed % 3) as u32, seed);
        let given = relation(&network, &shortest(&network, seed), 1);
        if is_free(&network, &given) {
            continue;
        }
        for change in [Change::Routes, Change::Layers] {
            assert!(changed(&network, &given, change) > 0, "{seed}");
        }
        repaired += 1;
        if repaired == 200 {
            return;
        }
    }
}

#[test]
fn rules_are_repaired_as_routes() {
    for network in
        ["TwistedTorus(radix: [4, 3], twist: 2, hosts: 1)", "HyperX(radix: [3, 3], hosts: 1)"]
    {
        let network = Arc::new(generated(network));
        let given = Relation::new(rule("ShortestPath(paths: Split)"), Arc::clone(&network), 1);
        for change in [Change::Routes, Change::Layers] {
            changed(&network, &given, change);
        }
    }
}

#[test]
fn free_tables_stay_as_they_are() {
    let network = drawn(12, 3, 4);
    let given = Relation::new(rule("UpDown(roots: [0], paths: First)"), Arc::clone(&network), 1);
    assert!(is_free(&network, &given));
    assert_eq!(changed(&network, &given, Change::Routes), 0);
}

/// The fewest entries whose change makes a table free of deadlock, up to a limit.
fn fewest(network: &Arc<Network>, rows: &Rows, limit: usize) -> Option<usize> {
    let Contents::Hops(hops) = rows.contents() else { return None };
    (0..=limit).find(|&count| changes(network, hops, 0, count))
}

/// True if some change of `count` of the entries from `first` on makes a table free of deadlock.
fn changes(network: &Arc<Network>, hops: &[NextHop], first: usize, count: usize) -> bool {
    if count == 0 {
        let rows = Rows::new(Contents::Hops(hops.to_vec()));
        let table = Routing::Table { routes: rows };
        let Ok(placement) = table.on(network) else { return false };
        return is_free(network, &Relation::of(placement, Arc::clone(network), 1));
    }
    (first..hops.len()).any(|entry| {
        network.outputs(hops[entry].at).iter().filter(|&&link| link != hops[entry].next).any(
            |&link| {
                let mut other = hops.to_vec();
                other[entry].next = link;
                changes(network, &other, entry + 1, count - 1)
            },
        )
    })
}

#[test]
#[ignore = "a minute"]
fn few_entries_are_changed_on_small_networks() {
    let (mut done, mut more) = (0, 0);
    for seed in 0..400 {
        let network = drawn(4 + (seed % 3) as u32, 3, seed);
        let rows = shortest(&network, seed);
        let given = relation(&network, &rows, 1);
        if is_free(&network, &given) {
            continue;
        }
        let found = changed(&network, &given, Change::Routes);
        if let Some(fewest) = fewest(&network, &rows, 3) {
            assert!(fewest <= found);
            done += 1;
            more += found - fewest;
        }
    }
    assert!(done > 50 && more * 5 < done, "{done} tables, {more} changes more than needed");
}
