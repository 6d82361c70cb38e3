//! All strongly connected digraphs of four routers with all minimal tables of next hops: the proof
//! agrees with a search for worms that wait for each other.

use std::sync::Arc;

use crate::ids::{ChannelId, RouterId};
use crate::routing::dependency::{Verdict, prove};
use crate::routing::rows::{Contents, From, NextHop, Rows};
use crate::routing::{Relation, Routing};
use crate::topology::Network;
use crate::topology::switches::{Cable, Switches, flaws};

const ROUTERS: u32 = 4;

/// The strongly connected digraphs of four routers.
fn digraphs() -> Vec<Arc<Network>> {
    let all: Vec<(u32, u32)> = (0..ROUTERS)
        .flat_map(|from| (0..ROUTERS).map(move |to| (from, to)))
        .filter(|(from, to)| from != to)
        .collect();
    let mut found = Vec::new();
    for chosen in 0u32..1 << all.len() {
        let links = all.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
        let cables: Vec<Cable> =
            links.map(|(_, &ends)| Cable { one_way: true, ..ends.into() }).collect();
        if flaws(ROUTERS as usize, &cables).is_empty() {
            found.push(Arc::new(Switches::network(4, &cables, &[0, 1, 2, 3], None)));
        }
    }
    found
}

/// All tables with one of the minimal next hops for every router and destination.
fn tables(network: &Network) -> Vec<Vec<NextHop>> {
    let mut tables: Vec<Vec<NextHop>> = vec![Vec::new()];
    for destination in (0..ROUTERS).map(RouterId) {
        let left = network.distances_to(destination);
        for at in (0..ROUTERS).map(RouterId).filter(|at| *at != destination) {
            let closer = |link: &&ChannelId| {
                left[network.channel(**link).to.index()] + 1 == left[at.index()]
            };
            let links: Vec<ChannelId> =
                network.outputs(at).iter().filter(closer).copied().collect();
            let row = |next| {
                let (class, from, from_class) = (None, From::Anywhere, None);
                NextHop { at, destination, next, class, from, from_class, line: 0 }
            };
            let longer = |table: Vec<NextHop>| {
                let each = links.iter().map(move |&next| (table.clone(), row(next)));
                each.map(|(mut table, row)| {
                    table.push(row);
                    table
                })
                .collect::<Vec<_>>()
            };
            tables = tables.into_iter().flat_map(longer).collect();
        }
    }
    tables
}

/// True if a set of worms can be extended until every channel waited for is occupied.
pub(super) fn closes(worms: &[(u64, u64)], held: u64, wanted: u64) -> bool {
    let open = wanted & !held;
    if open == 0 {
        return held != 0;
    }
    let channel = open & open.wrapping_neg();
    let fits = |worm: &&(u64, u64)| worm.0 & channel != 0 && worm.0 & held == 0;
    worms.iter().filter(fits).any(|worm| closes(worms, held | worm.0, wanted | worm.1))
}

/// True if worms longer than their routes, one flit in every buffer, can wait for each other: each
/// occupies the channels from its source to its head and waits for a channel occupied by another.
fn can_deadlock(network: &Network, table: &[NextHop]) -> bool {
    let mut worms: Vec<(u64, u64)> = Vec::new();
    for source in (0..ROUTERS).map(RouterId) {
        for destination in (0..ROUTERS).map(RouterId).filter(|to| *to != source) {
            let (mut at, mut held) = (source, 0u64);
            while at != destination {
                let leads = |hop: &&NextHop| (hop.at, hop.destination) == (at, destination);
                let next = table.iter().find(leads).expect("a row").next;
                if held != 0 {
                    worms.push((held, 1 << next.0));
                }
                held |= 1 << next.0;
                at = network.channel(next).to;
            }
        }
    }
    worms.iter().any(|worm| closes(&worms, worm.0, worm.1))
}

#[test]
fn proofs_agree_with_a_search_for_waiting_worms_on_all_small_digraphs() {
    let networks = digraphs();
    assert_eq!(networks.len(), 1606);
    let (mut proven, mut cyclic) = (0, 0);
    for network in &networks {
        for table in tables(network) {
            let deadlock = can_deadlock(network, &table);
            let routing = Routing::Table { routes: Rows::new(Contents::Hops(table)) };
            let relation = Relation::new(routing, Arc::clone(network), 1);
            match prove(network, &relation).verdict {
                Verdict::Free { .. } => {
                    assert!(!deadlock);
                    proven += 1;
                }
                Verdict::Cyclic { .. } => {
                    assert!(deadlock);
                    cyclic += 1;
                }
                other @ (Verdict::SharedBuffers
                | Verdict::Stranded { .. }
                | Verdict::TooLarge { .. }) => {
                    panic!("{other:?}")
                }
            }
        }
    }
    assert_eq!((proven, cyclic), (2755, 488));
}
