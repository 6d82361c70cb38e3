//! Routers that are needed only as ends of messages.

use super::part::{PART_MAX, ends};
use super::{Case, Search};
use crate::experiment::trial::Letter;
use crate::ids::{NodeId, RouterId};

/// Removes routers at the ends of messages, which begin or end at a neighbour instead, until none can be.
pub(super) fn shorten_ways(search: &Search<'_>, mut case: Case) -> Case {
    if case.scenario.system.network.routers() <= PART_MAX {
        while let Some(part) =
            ends(&case).into_iter().find_map(|router| without(search, &case, router))
        {
            case = part;
        }
    }
    case
}

/// The case without a router, whose messages begin or end at one of its neighbours.
fn without(search: &Search<'_>, case: &Case, router: RouterId) -> Option<Case> {
    let network = &case.scenario.system.network;
    let all = (0..network.routers()).map(RouterId::new);
    let routers: Vec<RouterId> = all.filter(|&other| other != router).collect();
    let hosts = network.neighbours(router).filter_map(|at| network.hosts_at(at).first());
    hosts.copied().find_map(|host| {
        let moved = |end: NodeId| if network.router_of(end) == router { host } else { end };
        let moved = |letter: &Letter| Letter { ends: letter.ends.map(moved), ..*letter };
        let letters: Vec<Letter> = case.letters.iter().map(moved).collect();
        let leads = |letter: &Letter| {
            let [from, to] = letter.ends.map(|end| network.router_of(end));
            from != to
        };
        if !letters.iter().all(leads) {
            return None;
        }
        search.part(&Case { letters, outcome: None, ..case.clone() }, &routers, |_| true)
    })
}
