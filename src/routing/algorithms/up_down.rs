//! Up*/down* (Schroeder et al. 1991, *Autonet*; 002, section 7): source routing along the shortest
//! of the routes that go up and then down as seen from a root ([`Levels`]). On any connected network
//! whose links lead both ways; one VC is enough.
//!
//! [`Levels`]: crate::routing::source_routes::Levels

use crate::routing::algorithm::prelude::*;

/// Up*/down*.
#[derive(Clone, Copy, Debug)]
pub struct UpDown {
    /// The switch at the top.
    pub root: RouterId,
    /// Which of several such routes is taken.
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
