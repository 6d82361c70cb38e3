//! Nearest common ancestor routing on trees of routers, such as fat trees: up until a way down
//! leads to the destination, and then down (F. Petrini and M. Vanneschi 1997).
//!
//! Up links lead away from the hosts. No route continues from a down link to an up link, so no
//! cycle of dependencies can close.

use std::sync::Arc;

use crate::routing::algorithm::prelude::*;
use crate::routing::ancestors::Ancestors;
use crate::routing::route_search::refuse_large;

words! {
    /// The choice among several up links.
    #[derive(Eq)]
    pub enum UpLinks {
        /// Any free up link that leads to a common ancestor, by the `selection` of the machine.
        Free,
        /// A way drawn for every message before its first hop.
        Random,
        /// One up link at each level for every destination, by the digits of its number.
        Destination,
    }
}

/// Nearest common ancestor.
#[derive(Clone, Copy, Debug)]
pub struct NearestCommonAncestor {
    /// The choice among several up links.
    pub up: UpLinks,
}

impl Algorithm for NearestCommonAncestor {
    const NAME: &'static str = "nearest common ancestor";
    const HELP: &'static str = "Goes up to an ancestor of the destination and then down, on trees.";
    const MINIMAL: bool = false;
    const CHOOSES: bool = true;

    fn name(&self) -> &'static str {
        match self.up {
            UpLinks::Free => Self::NAME,
            UpLinks::Random => "nearest common ancestor, random way up",
            UpLinks::Destination => "nearest common ancestor, way up by destination",
        }
    }

    fn serves(&self, _: &Network) -> Result<Needs, Misfit> {
        Ok(Needs::ONE)
    }

    fn routes(&self, network: &Network) -> Option<Result<Routes, Misfit>> {
        match self.up {
            UpLinks::Free => None,
            UpLinks::Random => Some(up_and_down().routes(network, Self::NAME)),
            UpLinks::Destination => Some(
                refuse_large(network, Self::NAME)
                    .and_then(|()| Ok(Ancestors::new(network)?.routes_by_destination(network))),
            ),
        }
    }

    fn on(&self, network: &Network) -> Result<Option<OnNetwork>, Misfit> {
        Ok(match self.up {
            UpLinks::Free => Some(Arc::new(OnTree(Ancestors::new(network)?))),
            UpLinks::Random => {
                Ancestors::new(network)?;
                None
            }
            // The list of routes needs the ancestors.
            UpLinks::Destination => None,
        })
    }

    fn around(&self) -> Option<Around> {
        Some(Around::Search(up_and_down()))
    }

    fn chooses(&self) -> bool {
        self.up == UpLinks::Free
    }

    fn candidates(&self, step: Step<'_>) {
        step.on.follow(step.at, step.header, step.found);
    }
}

/// All shortest routes away from the hosts and then towards them.
fn up_and_down() -> Search {
    Search { up: Some(Roots::Hosts), paths: Paths::Split, by: Distance::Hops }
}

/// The rule on a tree.
#[derive(Debug)]
struct OnTree(Ancestors);

impl Algorithm for OnTree {
    const NAME: &'static str = NearestCommonAncestor::NAME;
    const HELP: &'static str = NearestCommonAncestor::HELP;
    const MINIMAL: bool = false;
    const CHOOSES: bool = true;
    const READS_SOURCE: bool = false;

    fn serves(&self, _: &Network) -> Result<Needs, Misfit> {
        Ok(Needs::ONE)
    }

    fn candidates(&self, step: Step<'_>) {
        let (at, to) = (step.at, step.header.destination);
        if at == to {
            return;
        }
        let links = self.0.links(&step.on.network, at, to);
        let vcs = step.on.class_vcs[0];
        let offer = |channel| Candidate { channel, vcs };
        step.found.extend(links.map(offer));
    }
}
