//! Source routing along the shortest routes without turn restrictions, to demonstrate deadlocks on
//! rings.

use crate::routing::algorithm::prelude::*;

/// Shortest path.
#[derive(Clone, Copy, Debug)]
pub struct ShortestPath {
    /// Choice among several shortest routes.
    pub paths: Paths,
}

impl Algorithm for ShortestPath {
    const NAME: &'static str = "shortest path";
    const HELP: &'static str = "Takes one of the shortest routes, without turn restrictions.";

    fn settles_routes(&self, _: bool) -> bool {
        false
    }

    fn serves(&self, network: &Network) -> Result<Needs, Misfit> {
        Search { up: None, paths: self.paths }.serves(network, Self::NAME)
    }

    fn routes(&self, network: &Network) -> Option<Result<Routes, Misfit>> {
        Some(Search { up: None, paths: self.paths }.routes(network, Self::NAME))
    }

    #[inline]
    fn candidates(&self, step: Step<'_>) {
        step.on.follow(step.at, step.header, step.found);
    }
}
