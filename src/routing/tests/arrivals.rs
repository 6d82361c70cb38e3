//! Random tables with rows for links and VCs of arrival: the proof and a search for worms that wait
//! for each other.

use std::sync::Arc;

use super::digraphs::closes;
use crate::ids::{ChannelId, RouterId};
use crate::random::mix;
use crate::routing::dependency::{Pairs, Verdict, prove_pairs};
use crate::routing::rows::{Contents, From, NextHop, Rows};
use crate::routing::{Header, Relation, Routing, Stop};
use crate::topology::Network;
use crate::topology::switches::{Cable, Switches, flaws};

const CLASSES: u64 = 2;

/// A source of numbers.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = mix(self.0, 1);
        (self.0 >> 16) % limit
    }
}

/// A strongly connected digraph of two to five routers, each with a host or, if not `everywhere`, two or
/// more of them.
fn network(draws: &mut Draws, everywhere: bool) -> Arc<Network> {
    loop {
        let routers = 2 + draws.below(4) as u32;
        let density = 2 + draws.below(6);
        let mut cables = Vec::new();
        for ends in (0..routers).flat_map(|from| (0..routers).map(move |to| (from, to))) {
            if ends.0 != ends.1 && draws.below(8) < density {
                cables.push(Cable { one_way: true, ..ends.into() });
            }
        }
        if flaws(routers as usize, &cables).is_empty() {
            let mut hosts: Vec<u32> = (0..routers).collect();
            while !everywhere && hosts.len() > 2 && draws.below(2) == 0 {
                hosts.remove(draws.below(hosts.len() as u64) as usize);
            }
            return Arc::new(Switches::network(routers as usize, &cables, &hosts, None));
        }
    }
}

/// The lengths of shortest routes to a destination, with random lengths of links.
fn distances(network: &Network, destination: RouterId, draws: &mut Draws) -> Vec<u64> {
    let lengths: Vec<u64> = (0..network.links()).map(|_| 1 + draws.below(3)).collect();
    let mut left = vec![u64::MAX; network.routers()];
    left[destination.index()] = 0;
    for _ in 0..network.routers() {
        for (link, length) in network.channels()[..network.links()].iter().zip(&lengths) {
            let through = left[link.to.index()].saturating_add(*length);
            left[link.from.index()] = left[link.from.index()].min(through);
        }
    }
    left
}

/// A next hop and VC for every router, destination, and link and VC of arrival.
fn table(network: &Network, draws: &mut Draws) -> Vec<NextHop> {
    let mut rows = Vec::new();
    let routers = || (0..network.routers()).map(RouterId::new);
    for destination in routers() {
        let left = distances(network, destination, draws);
        for at in routers().filter(|at| *at != destination) {
            let by_link = network.inputs(at).iter().map(|&link| From::Link(link));
            let arrivals = by_link.flat_map(|from| (0..CLASSES).map(move |vc| (from, Some(vc))));
            for (from, vc) in std::iter::once((From::Source, None)).chain(arrivals) {
                let closer =
                    |link: &&ChannelId| left[network.channel(**link).to.index()] < left[at.index()];
                let links: Vec<ChannelId> =
                    network.outputs(at).iter().filter(closer).copied().collect();
                rows.push(NextHop {
                    at,
                    destination,
                    next: links[draws.below(links.len() as u64) as usize],
                    class: Some(draws.below(CLASSES) as u8),
                    from,
                    from_class: vc.map(|vc| vc as u8),
                    line: 0,
                });
            }
        }
    }
    rows
}

/// Pairs of different routers with hosts, each with a probability of one half.
fn some_pairs(network: &Network, draws: &mut Draws) -> Vec<(RouterId, RouterId)> {
    let mut pairs = all_pairs(network);
    pairs.retain(|_| draws.below(2) == 0);
    pairs
}

fn all_pairs(network: &Network) -> Vec<(RouterId, RouterId)> {
    let routers = || network.host_routers();
    let all = routers().flat_map(|from| routers().map(move |to| (from, to)));
    all.filter(|(from, to)| from != to).collect()
}

/// True if worms longer than their routes, one flit in every buffer, can wait for each other; one worm of
/// each host if these have one queue.
fn can_deadlock(
    network: &Network,
    relation: &Relation,
    pairs: &[(RouterId, RouterId)],
    one_queue: bool,
) -> bool {
    let mut worms: Vec<(u64, u64)> = Vec::new();
    for &(source, destination) in pairs {
        let header = Header::new(source, destination, 0);
        // A source is held as a VC for which nobody waits.
        let queue =
            u64::from(one_queue) << (network.links() as u64 * CLASSES + u64::from(source.0));
        let (mut stop, mut held, mut found) = (Stop::start(source), 0u64, Vec::new());
        while stop.at != destination {
            relation.candidates(stop, &header, &mut found);
            let vc = found[0].vcs.trailing_zeros();
            let bit = 1 << (u64::from(found[0].channel.0) * CLASSES + u64::from(vc));
            if held != 0 {
                worms.push((held | queue, bit));
            }
            held |= bit;
            stop = relation.stop_after(stop, &header, found[0].channel, vc);
        }
    }
    worms.iter().any(|worm| closes(&worms, worm.0, worm.1))
}

/// Compares proofs of random tables with the search, for all pairs of routers or for some with hosts at
/// some routers; returns the tables that are proven, that can deadlock, and that have a cycle of
/// dependencies which no set of worms closes.
fn compare(tables: u64, everywhere: bool) -> [u32; 3] {
    let mut counts = [0; 3];
    let mut draws = Draws(7);
    for _ in 0..tables {
        let network = network(&mut draws, everywhere);
        let rows = table(&network, &mut draws);
        let routing = Routing::Table { routes: Rows::new(Contents::Hops(rows)) };
        let relation = Relation::new(routing, Arc::clone(&network), CLASSES as u32);
        let one_queue = !everywhere && draws.below(2) == 0;
        let (listed, pairs) = if everywhere || draws.below(2) == 0 {
            (all_pairs(&network), Pairs::All)
        } else {
            let listed = some_pairs(&network, &mut draws);
            (listed.clone(), Pairs::of(&network, listed.into_iter()))
        };
        let deadlock = can_deadlock(&network, &relation, &listed, one_queue);
        let proof = prove_pairs(&network, &relation, &pairs, one_queue);
        match proof.verdict {
            Verdict::Free { .. } => {
                assert!(!deadlock, "{network:?} {relation:?}");
                counts[0] += 1;
            }
            Verdict::Cyclic { .. } => {
                // One class for each VC, so the search of the proof covers all sets.
                assert_eq!(deadlock, !proof.unclosed, "{network:?} {relation:?}");
                counts[if deadlock { 1 } else { 2 }] += 1;
            }
            other @ (Verdict::SharedBuffers
            | Verdict::Stranded { .. }
            | Verdict::TooLarge { .. }) => panic!("{other:?}"),
        }
    }
    counts
}

#[test]
fn proofs_of_tables_by_arrival_agree_with_a_search_for_waiting_worms() {
    assert_eq!(compare(10_000, true), [9606, 393, 1]);
}

#[test]
fn so_do_those_for_some_pairs_of_some_routers_and_sources_with_one_queue() {
    assert_eq!(compare(10_000, false), [9865, 134, 1]);
}
