//! Source routing along the shortest routes, whatever their turns: rings can then deadlock, which is
//! what this rule is here to show.

use crate::routing::algorithm::prelude::*;

/// Shortest path.
#[derive(Clone, Copy, Debug)]
pub struct ShortestPath {
    /// Which of several such routes is taken.
    pub paths: Paths,
}

impl Algorithm for ShortestPath {
    const NAME: &'static str = "shortest path";
    const HELP: &'static str = "Takes one of the shortest routes, whatever its turns.";

    fn search(&self) -> Option<Search> {
        Some(Search { root: None, paths: self.paths })
    }

    #[inline]
    fn candidates(&self, step: Step<'_>) {
        step.on.follow(step.at, step.header, step.found);
    }
}
