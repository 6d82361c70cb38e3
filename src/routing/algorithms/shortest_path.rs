//! Source routing along the shortest routes without turn restrictions, to demonstrate deadlocks on
//! rings.

use crate::routing::algorithm::prelude::*;

/// Shortest path.
#[derive(Clone, Copy, Debug)]
pub struct ShortestPath {
    /// Choice among several shortest routes.
    pub paths: Paths,
    /// The length of a link.
    pub by: Distance,
}

impl ShortestPath {
    fn search(self) -> Search {
        let Self { paths, by } = self;
        Search { up: None, paths, by }
    }
}

impl Algorithm for ShortestPath {
    const NAME: &'static str = "shortest path";
    const HELP: &'static str = "Takes one of the shortest routes, without turn restrictions.";

    fn name(&self) -> &'static str {
        match self.by {
            Distance::Hops => Self::NAME,
            Distance::Delay => "shortest path by delay",
        }
    }

    fn is_minimal(&self) -> bool {
        self.by == Distance::Hops
    }

    fn settles_routes(&self, _: bool) -> bool {
        false
    }

    fn serves(&self, network: &Network) -> Result<Needs, Misfit> {
        self.search().serves(network, Self::NAME)
    }

    fn routes(&self, network: &Network) -> Option<Result<Routes, Misfit>> {
        Some(self.search().routes(network, Self::NAME))
    }

    fn around(&self) -> Option<Around> {
        Some(Around::Search(self.search()))
    }

    #[inline]
    fn candidates(&self, step: Step<'_>) {
        step.on.follow(step.at, step.header, step.found);
    }
}
