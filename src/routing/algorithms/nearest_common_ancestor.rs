//! Nearest common ancestor routing on trees of routers, such as fat trees: up until a way down
//! leads to the destination, and then down (F. Petrini and M. Vanneschi 1997).
//!
//! Up links lead away from the hosts. No route continues from a down link to an up link, so no
//! cycle of dependencies can close.

use std::sync::Arc;

use crate::ids::ChannelId;
use crate::routing::algorithm::prelude::*;
use crate::routing::ancestors::Ancestors;

words! {
    /// The choice among several up links.
    #[derive(Eq)]
    pub enum UpLinks {
        /// Any free up link that leads to a common ancestor, by the `selection` of the machine.
        Free,
        /// A way drawn for every message before its first hop.
        Random,
    }
}

/// Nearest common ancestor.
#[derive(Clone, Copy, Debug)]
pub struct NearestCommonAncestor {
    /// The choice among several up links.
    pub up: UpLinks,
}

impl NearestCommonAncestor {
    fn search(self) -> Option<Search> {
        let up = Some(Roots::Hosts);
        (self.up == UpLinks::Random).then_some(Search { up, paths: Paths::Split })
    }
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
        }
    }

    fn serves(&self, _: &Network) -> Result<Needs, Misfit> {
        Ok(Needs::ONE)
    }

    fn routes(&self, network: &Network) -> Option<Result<Routes, Misfit>> {
        self.search().map(|search| search.routes(network, Self::NAME))
    }

    fn on(&self, network: &Network) -> Result<Option<OnNetwork>, Misfit> {
        let ancestors = Ancestors::new(network)?;
        Ok(match self.up {
            UpLinks::Free => Some(Arc::new(OnTree(ancestors))),
            UpLinks::Random => None,
        })
    }

    fn chooses(&self) -> bool {
        self.up == UpLinks::Free
    }

    fn candidates(&self, step: Step<'_>) {
        step.on.follow(step.at, step.header, step.found);
    }
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
        let (tree, network) = (&self.0, &step.on.network);
        let down = tree.is_above(at, to);
        let leads = |link: ChannelId| {
            let next = network.channel(link).to;
            let falls = tree.level(next) > tree.level(at);
            down == falls && if down { tree.is_above(next, to) } else { tree.leads_to(next, to) }
        };
        let links = network.outputs(at).iter().copied().filter(|&link| leads(link));
        let vcs = step.on.class_vcs[0];
        let offer = |channel| Candidate { channel, vcs };
        step.found.extend(links.map(offer));
    }
}
