//! What a study is run as: points, tables, figures and claims.

use std::collections::BTreeSet;

use super::{Claim, Figure, Point, PointId, Results, Table};

/// How much is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Fewer points and shorter runs: seconds.
    Quick,
    /// All points, long enough for the paper's digits: minutes.
    Full,
}

impl Effort {
    /// One of two values.
    pub fn choose<T>(self, quick: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

/// What a study consists of.
#[derive(Default, Debug)]
pub struct Content {
    /// What is simulated.
    pub points: Vec<Point>,
    /// What is compared figure by figure.
    pub tables: Vec<Table>,
    /// What is drawn.
    pub figures: Vec<Figure>,
    /// What is judged.
    pub claims: Vec<Claim>,
}

impl Content {
    /// The points to be run longer for verdicts that are in reach with up to `times` as many
    /// replications.
    pub(super) fn open(&self, results: &Results, times: f64) -> BTreeSet<PointId> {
        let lines = self.tables.iter().flat_map(|table| &table.lines);
        let lines = lines.filter_map(|line| line.judged(results));
        let judged = lines.chain(self.claims.iter().map(|claim| claim.judge(results)));
        judged.flat_map(|one| one.open(times).collect::<Vec<_>>()).collect()
    }

    /// Adds a point, unless it is there already, and says how it is asked for in the [`Results`].
    pub fn point(&mut self, point: Point) -> PointId {
        let same = |known: &Point| known.name == point.name && known.job.plan == point.job.plan;
        PointId(self.points.iter().position(same).unwrap_or_else(|| {
            self.points.push(point);
            self.points.len() - 1
        }))
    }
}
