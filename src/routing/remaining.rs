//! Routes on what remains of a network after failures.
//!
//! The remaining network may consist of several parts. Routers of different parts have no routes; each
//! part is routed by the rule of the whole network where the rule permits, with a root of its own.

use std::collections::VecDeque;

use super::algorithms::layered::Layered;
use super::around::{Around, Search};
use super::fields::{Distance, Layers, Paths};
use super::roots::Roots;
use super::route_search::refuse_large;
use super::source_routes::{Hop, Routes};
use crate::ids::RouterId;
use crate::topology::Network;
use crate::words::Misfit;

/// The name of the rule in messages.
const NAME: &str = "routing around failures";

/// The routes of a search on a network whose routers need not be connected.
///
/// # Errors
/// The reason why there are too many, or none within a connected part.
pub(super) fn routes(around: &Around, network: &Network) -> Result<Routes, Misfit> {
    refuse_large(network, NAME)?;
    let parts = Parts::of(network);
    match around {
        Around::Search(search) => searched(search, network, &parts),
        Around::Layers(layers) => layered(*layers, network, &parts),
    }
}

/// The connected parts of a network.
struct Parts {
    /// The part of each router.
    of: Vec<u32>,
    /// The routers of each part.
    routers: Vec<Vec<RouterId>>,
}

impl Parts {
    fn of(network: &Network) -> Self {
        let mut of = vec![u32::MAX; network.routers()];
        let mut routers: Vec<Vec<RouterId>> = Vec::new();
        let mut queue = VecDeque::new();
        for first in (0..network.routers()).map(RouterId::new) {
            if of[first.index()] != u32::MAX {
                continue;
            }
            let number = routers.len() as u32;
            let mut members = Vec::new();
            of[first.index()] = number;
            queue.push_back(first);
            while let Some(at) = queue.pop_front() {
                members.push(at);
                let onward = network.outputs(at).iter().map(|&link| network.channel(link).to);
                let back = network.inputs(at).iter().map(|&link| network.channel(link).from);
                for next in onward.chain(back) {
                    if of[next.index()] == u32::MAX {
                        of[next.index()] = number;
                        queue.push_back(next);
                    }
                }
            }
            members.sort_unstable();
            routers.push(members);
        }
        Self { of, routers }
    }

    /// Some roots, and one for each part without any of these.
    fn with_roots(&self, network: &Network, some: &[RouterId]) -> Roots {
        let mut roots = some.to_vec();
        for (part, members) in (0..).zip(&self.routers) {
            if members.len() > 1 && !some.iter().any(|root| self.of[root.index()] == part) {
                roots.push(centre(network, members));
            }
        }
        Roots::Listed(roots)
    }

    /// True if no route leads from a router with hosts to another of the same part.
    fn are_apart(&self, network: &Network, routes: &Routes) -> bool {
        let missing = routes.missing(network);
        missing.iter().any(|(from, to)| self.of[from.index()] == self.of[to.index()])
    }
}

/// The router of a part with the shortest distances to the others.
fn centre(network: &Network, members: &[RouterId]) -> RouterId {
    let far = |at: &&RouterId| {
        let hops = network.distances_from(&[**at]);
        let all: u64 = members.iter().map(|other| u64::from(hops[other.index()])).sum();
        (all, **at)
    };
    *members.iter().min_by_key(far).expect("a part has a router")
}

/// The routes of a search.
fn searched(search: &Search, network: &Network, parts: &Parts) -> Result<Routes, Misfit> {
    let up = match &search.up {
        None => None,
        Some(Roots::Listed(roots)) => Some(parts.with_roots(network, roots)),
        Some(Roots::Hosts) => Some(Roots::Hosts),
    };
    let mut routes = search.listed(network, up.as_ref(), NAME)?;
    if up.is_some() && parts.are_apart(network, &routes) {
        // Several roots, or the levels of a damaged tree, may leave routers apart; one root does not.
        routes = search.listed(network, Some(&parts.with_roots(network, &[])), NAME)?;
    }
    Ok(search.chosen(routes))
}

/// Balanced routes in the largest part, and up*/down* routes in the others.
fn layered(layers: Layers, network: &Network, parts: &Parts) -> Result<Routes, Misfit> {
    let hosts =
        |members: &Vec<RouterId>| members.iter().map(|&at| network.terminals_at(at)).sum::<usize>();
    let sizes = || parts.routers.iter().map(hosts);
    let most = sizes().max().unwrap_or_default();
    let largest = sizes().position(|size| size == most).unwrap_or_default() as u32;
    let within = network.within(|at| parts.of[at.index()] == largest);
    let mut routes = match within.host_routers().nth(1) {
        Some(_) => completed(Layered { layers }.synthesized(&within)?),
        None => Routes::none(network.routers()),
    };
    if parts.routers.iter().filter(|members| members.len() > 1).count() > 1 {
        let others = network.within(|at| parts.of[at.index()] != largest);
        let search = Search { up: None, paths: Paths::First, by: Distance::Hops };
        let up = parts.with_roots(&others, &[]);
        routes.extend(&search.listed(&others, Some(&up), NAME)?);
    }
    Ok(routes)
}

/// The same routes, and for routers that have none, the rest of a route that leads through them.
pub(super) fn completed(mut routes: Routes) -> Routes {
    let routers = routes.routers();
    let mut rests: Vec<Option<Vec<Hop>>> = vec![None; routers];
    for destination in (0..routers).map(RouterId::new) {
        rests.fill(None);
        for source in (0..routers).map(RouterId::new) {
            for number in 0..routes.count(source, destination) {
                let hops = routes.route(source, destination, number);
                for (at, hop) in hops.iter().enumerate().skip(1) {
                    let rest = &mut rests[hop.from.index()];
                    if rest.is_none() && routes.count(hop.from, destination) == 0 {
                        *rest = Some(hops[at..].to_vec());
                    }
                }
            }
        }
        for (at, rest) in rests.iter().enumerate() {
            if let Some(rest) = rest {
                routes.add(RouterId::new(at), destination, rest);
            }
        }
    }
    routes
}
