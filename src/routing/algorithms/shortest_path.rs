//! Source routing along the shortest routes, whatever their turns: rings can then deadlock, which is
//! what this rule is here to show.

use crate::routing::algorithm::prelude::*;

/// Shortest path.
#[derive(Clone, Copy)]
pub struct ShortestPath {
    /// Which of several such routes is taken.
    pub paths: Paths,
}

impl Algorithm for ShortestPath {
    const HELP: &'static str = "Takes one of the shortest routes, whatever its turns.";

    fn name(self) -> &'static str {
        "shortest path"
    }

    fn defined_on(self, family: Family, _: &[u32]) -> Result<(), Undefined> {
        let what = format!("{} needs links both ways, and these lead one way", self.name());
        Undefined::if_one_way(what, family)
    }

    fn search(self) -> Option<Search> {
        Some(Search { root: None, paths: self.paths })
    }

    fn candidates(
        self,
        on: &Prepared,
        _: &Cube,
        at: RouterId,
        header: &Header,
        found: &mut Vec<Candidate>,
    ) {
        on.follow(at, header, found);
    }
}
