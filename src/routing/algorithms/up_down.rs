//! Up*/down* (Schroeder et al. 1991, *Autonet*; 002, section 7): source routing along the shortest
//! of all routes first up and then down relative to roots ([`Levels`]). Suitable for any connected
//! network with bidirectional links; one VC is sufficient.
//!
//! [`Levels`]: crate::routing::route_search::Levels

use crate::routing::algorithm::prelude::*;
use crate::routing::fields::ONE_ROOT;
use crate::words::Field;

/// Up*/down*.
#[derive(Clone, Debug)]
pub struct UpDown {
    /// The routers to which up links lead.
    pub roots: Roots,
    /// Choice among several such routes.
    pub paths: Paths,
}

impl UpDown {
    fn search(&self) -> Search {
        Search { up: Some(self.roots.clone()), paths: self.paths, by: Distance::Hops }
    }
}

impl Algorithm for UpDown {
    const NAME: &'static str = "up*/down*";
    const HELP: &'static str = "Goes up towards a root and then down, along one of the shortest \
                                such routes.";
    const MINIMAL: bool = false;
    const ALSO: &'static [Field] = &[ONE_ROOT];

    fn name(&self) -> &'static str {
        match self.paths {
            Paths::Split => "up*/down*",
            Paths::Host => "up*/down*, a way for each pair of hosts",
            Paths::First => "up*/down*, first way",
        }
    }

    fn serves(&self, network: &Network) -> Result<Needs, Misfit> {
        self.search().serves(network, Algorithm::name(self))
    }

    fn routes(&self, network: &Network) -> Option<Result<Routes, Misfit>> {
        Some(self.search().routes(network, Algorithm::name(self)))
    }

    fn around(&self) -> Option<Around> {
        Some(Around::Search(self.search()))
    }

    #[inline]
    fn candidates(&self, step: Step<'_>) {
        step.on.follow(step.at, step.header, step.found);
    }
}
