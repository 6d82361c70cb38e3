//! Routing by a table of the user: next hops, or routes from router to router.
//!
//! A row may name the VC to use, the link by which a head arrived, and the VC of its arrival
//! (Duato's general form R: C × N). Several rows for the same head are a choice.

use std::sync::Arc;

use crate::ids::ChannelId;
use crate::routing::algorithm::prelude::*;
use crate::routing::head::CLASSES_MAX;
use crate::routing::lookup::Lookup;
use crate::routing::route_search::refuse_large;
use crate::routing::rows::{Contents, GivenRoute, NextHop, Rows};
use crate::routing::source_routes::Hop;

/// Routing by a table.
#[derive(Clone, Debug)]
pub struct Table {
    /// The rows: `File("routes.csv")`, or the text of such a file.
    pub routes: Rows,
}

impl Algorithm for Table {
    const NAME: &'static str = "table";
    const HELP: &'static str = "Follows the rows of a file: next hops, or routes from router to \
                                router.";
    const MINIMAL: bool = false;
    const CHOOSES: bool = true;

    fn name(&self) -> &'static str {
        match self.routes.contents() {
            Contents::Hops(_) => Self::NAME,
            Contents::Routes(_) => "table of routes",
        }
    }

    fn serves(&self, network: &Network) -> Result<Needs, Misfit> {
        match self.routes.contents() {
            Contents::Hops(hops) => {
                fits(network, hops.iter().map(|hop| (hop.at, hop.next)))?;
                Lookup::new(network, hops, self.routes.classes()).leads_everywhere(network)?;
            }
            Contents::Routes(routes) => {
                let hops = |route: &GivenRoute| route.hops.clone();
                let from = |channel| network.channels().get(ChannelId::index(channel));
                let all = routes.iter().flat_map(hops).map(|(channel, _)| channel);
                fits(network, all.map(|it| (from(it).map_or(NOWHERE, |link| link.from), it)))?;
            }
        }
        let needed = self.routes.classes().min(CLASSES_MAX as u32);
        Ok(Needs::new(needed, "the table names VCs up to this number"))
    }

    fn routes(&self, network: &Network) -> Option<Result<Routes, Misfit>> {
        match self.routes.contents() {
            Contents::Hops(_) => None,
            Contents::Routes(routes) => Some(listed(network, routes)),
        }
    }

    fn on(&self, network: &Network) -> Option<OnNetwork> {
        match self.routes.contents() {
            Contents::Hops(hops) => {
                let lookup = Lookup::new(network, hops, self.routes.classes());
                Some(Arc::new(Rules { lookup, chooses: has_choices(hops) }))
            }
            Contents::Routes(_) => None,
        }
    }

    fn chooses(&self) -> bool {
        match self.routes.contents() {
            Contents::Hops(hops) => has_choices(hops),
            Contents::Routes(_) => false,
        }
    }

    fn settles_routes(&self, _: bool) -> bool {
        false
    }

    fn reads_source(&self, _: bool) -> bool {
        matches!(self.routes.contents(), Contents::Routes(_))
    }

    #[inline]
    fn candidates(&self, step: Step<'_>) {
        step.on.follow(step.at, step.header, step.found);
    }
}

/// A router of no network.
const NOWHERE: RouterId = RouterId(u32::MAX);

/// Checks that links leave the routers of a network.
fn fits(
    network: &Network,
    mut links: impl Iterator<Item = (RouterId, ChannelId)>,
) -> Result<(), Misfit> {
    let leaves = |(at, link): (RouterId, ChannelId)| {
        link.index() < network.links() && network.channel(link).from == at
    };
    if links.all(leaves) {
        return Ok(());
    }
    Misfit::because("the table was made for another network", "write a table for this network")
}

/// True if several rows apply to the same head.
fn has_choices(hops: &[NextHop]) -> bool {
    let mut keys: Vec<(u32, u32, u64)> =
        hops.iter().map(|hop| (hop.destination.0, hop.at.0, Lookup::arrival_key(hop))).collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| {
        let ((to, at, one), (other_to, other_at, other)) = (pair[0], pair[1]);
        (to, at) == (other_to, other_at) && (one == other || one == 0)
    })
}

/// The given routes as a list.
fn listed(network: &Network, given: &[GivenRoute]) -> Result<Routes, Misfit> {
    refuse_large(network, Table::NAME)?;
    let mut sorted: Vec<&GivenRoute> = given.iter().collect();
    sorted.sort_by_key(|route| (route.destination, route.source));
    let mut routes = Routes::none(network.routers());
    for route in sorted {
        let hop = |&(channel, class): &(ChannelId, u8)| Hop {
            from: network.channel(channel).from,
            channel,
            class,
        };
        let hops: Vec<Hop> = route.hops.iter().map(hop).collect();
        routes.add(route.source, route.destination, &hops);
    }
    let with_hosts = |at: &RouterId| network.terminals_at(*at) > 0;
    let all = || (0..network.routers()).map(RouterId::new).filter(with_hosts);
    let pairs = all().flat_map(|from| all().map(move |to| (from, to)));
    let missing: Vec<(RouterId, RouterId)> =
        pairs.filter(|&(from, to)| from != to && routes.count(from, to) == 0).collect();
    if let Some(&(from, to)) = missing.first() {
        let what = format!(
            "the table has no route from {} to {}, the first of {}",
            network.router_name(from),
            network.router_name(to),
            crate::text::count(missing.len(), "missing pair", "missing pairs")
        );
        return Misfit::because(what, "add a row for every pair of routers with hosts");
    }
    Ok(routes)
}

/// Next hops on a network.
#[derive(Debug)]
struct Rules {
    lookup: Lookup,
    chooses: bool,
}

impl Algorithm for Rules {
    const NAME: &'static str = Table::NAME;
    const HELP: &'static str = Table::HELP;
    const MINIMAL: bool = false;
    const CHOOSES: bool = true;
    const READS_SOURCE: bool = false;

    fn serves(&self, _: &Network) -> Result<Needs, Misfit> {
        Ok(Needs::ONE)
    }

    fn chooses(&self) -> bool {
        self.chooses
    }

    fn settles_routes(&self, _: bool) -> bool {
        false
    }

    fn reads_arrival(&self) -> bool {
        self.lookup.reads_arrival()
    }

    fn bits_read(&self, _: &Prepared, _: Option<RouterId>, _: RouterId) -> u64 {
        0
    }

    #[inline]
    fn candidates(&self, step: Step<'_>) {
        let entries = self.lookup.at(step.at, step.header.destination);
        if let ([only], false) = (entries, self.lookup.reads_arrival()) {
            let vcs = step.on.class_vcs[usize::from(only.class)];
            step.found.push(Candidate { channel: only.channel, vcs });
            return;
        }
        let came = step.came.map(|came| (came.channel(), step.on.class_of(came.vc()) as u8));
        for entry in entries.iter().filter(|entry| entry.applies(came)) {
            let vcs = step.on.class_vcs[usize::from(entry.class)];
            match step.found.last_mut().filter(|last| last.channel == entry.channel) {
                Some(last) => last.vcs |= vcs,
                None => step.found.push(Candidate { channel: entry.channel, vcs }),
            }
        }
    }
}
