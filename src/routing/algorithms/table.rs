//! Routing by a table of the user: next hops, or routes from router to router.
//!
//! A row may name the VC to use, the link by which a head arrived, and the VC of its arrival
//! (Duato's general form R: C × N). Several rows for the same head are a choice.

use std::sync::Arc;

use crate::routing::algorithm::prelude::*;
use crate::routing::fields::Layers;
use crate::routing::head::CLASSES_MAX;
use crate::routing::lookup::Lookup;
use crate::routing::route_search::refuse_large;
use crate::routing::rows::{Contents, GivenRoute, NextHop, Rows};
use crate::routing::source_routes::Hop;
use crate::text::count;

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

    fn serves(&self, _: &Network) -> Result<Needs, Misfit> {
        Ok(needs(&self.routes))
    }

    fn routes(&self, network: &Network) -> Option<Result<Routes, Misfit>> {
        match self.routes.contents() {
            Contents::Hops(_) => None,
            Contents::Routes(routes) => Some(listed(network, routes)),
        }
    }

    fn on(&self, network: &Network) -> Result<Option<OnNetwork>, Misfit> {
        let Contents::Hops(hops) = self.routes.contents() else { return Ok(None) };
        let leaves = |hop: &NextHop| {
            hop.next.index() < network.links() && network.channel(hop.next).from == hop.at
        };
        if !hops.iter().all(leaves) {
            return other_network();
        }
        let lookup = Lookup::new(network, hops, self.routes.classes());
        lookup.leads_everywhere(network, hops)?;
        Ok(Some(Arc::new(Rules { lookup, needs: needs(&self.routes) })))
    }

    fn around(&self) -> Option<Around> {
        Some(Around::Layers(Layers(needs(&self.routes).needed)))
    }

    fn chooses(&self) -> bool {
        matches!(self.routes.contents(), Contents::Hops(_))
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

/// The VCs named by a table.
fn needs(rows: &Rows) -> Needs {
    Needs::new(
        rows.classes().min(CLASSES_MAX as u32),
        "each VC that the table names is a class of its own",
    )
}

fn other_network<T>() -> Result<T, Misfit> {
    Misfit::because("the table was made for another network", "write a table for this network")
}

/// The given routes as a list.
fn listed(network: &Network, given: &[GivenRoute]) -> Result<Routes, Misfit> {
    refuse_large(network, Table::NAME)?;
    let mut sorted: Vec<&GivenRoute> = given.iter().collect();
    sorted.sort_by_key(|route| (route.destination, route.source));
    let mut routes = Routes::none(network.routers());
    for route in sorted {
        let mut hops: Vec<Hop> = Vec::with_capacity(route.hops.len());
        let mut at = route.source;
        for &(channel, class) in &route.hops {
            if channel.index() >= network.links() || network.channel(channel).from != at {
                return other_network();
            }
            hops.push(Hop { from: at, channel, class });
            at = network.channel(channel).to;
        }
        if at != route.destination {
            return other_network();
        }
        routes.add(route.source, route.destination, &hops);
    }
    let missing = routes.missing(network);
    if let Some(&(from, to)) = missing.first() {
        let what = format!(
            "the table has no route from {} to {}, the first of {}",
            network.router_name(from),
            network.router_name(to),
            count(missing.len(), "missing pair", "missing pairs")
        );
        return Misfit::because(what, "add a row for every pair of routers with hosts");
    }
    Ok(routes)
}

/// Next hops on a network.
#[derive(Debug)]
struct Rules {
    lookup: Lookup,
    needs: Needs,
}

impl Algorithm for Rules {
    const NAME: &'static str = Table::NAME;
    const HELP: &'static str = Table::HELP;
    const MINIMAL: bool = false;
    const CHOOSES: bool = true;
    const READS_SOURCE: bool = false;

    fn serves(&self, _: &Network) -> Result<Needs, Misfit> {
        Ok(self.needs.clone())
    }

    fn settles_routes(&self, _: bool) -> bool {
        false
    }

    fn reads_arrival(&self) -> bool {
        self.lookup.reads_arrival()
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
