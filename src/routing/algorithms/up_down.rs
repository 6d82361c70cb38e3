//! Up*/down* (Schroeder et al. 1991, *Autonet*; 002, section 7): source routing along the shortest
//! of all routes first up and then down relative to a root ([`Levels`]). Suitable for any connected
//! network with bidirectional links; one VC is sufficient.
//!
//! [`Levels`]: crate::routing::source_routes::Levels

use crate::routing::algorithm::prelude::*;

/// Up*/down*.
#[derive(Clone, Copy, Debug)]
pub struct UpDown {
    /// The root switch.
    pub root: RouterId,
    /// Choice among several such routes.
    pub paths: Paths,
}

impl Algorithm for UpDown {
    const NAME: &'static str = "up*/down*";
    const HELP: &'static str = "Goes up towards a root and then down, along one of the shortest \
                                such routes.";

    fn name(&self) -> &'static str {
        match self.paths {
            Paths::Split => "up*/down*",
            Paths::Host => "up*/down*, a way for each pair of hosts",
            Paths::First => "up*/down*, first way",
        }
    }

    fn search(&self) -> Option<Search> {
        Some(Search { root: Some(self.root), paths: self.paths })
    }

    #[inline]
    fn candidates(&self, step: Step<'_>) {
        step.on.follow(step.at, step.header, step.found);
    }
}
