//! A paper's tables, figures and claims, run again: each paper is a [`Study`] with points to be
//! simulated, tables and figures made of them, and claims judged by them.
//!
//! A study is one file below and one line in [`STUDIES`]. Its [`Content`] says which points there
//! are (a built-in scenario, fields set in it, how it is run); tables, figures and claims are
//! functions of the [`Results`], so that they can be asked again at any time, also while points are
//! missing. [`run`] makes the points that a [`Store`] does not have yet; [`Report`] is what became
//! of a study; [`write`](files::write) puts it into files.

mod cases;
pub mod claim;
mod claims;
mod compile;
pub mod curve;
pub mod files;
mod formula;
pub mod point;
mod prepare;
pub mod report;
mod run;
mod scope;
pub mod seeds;
pub mod store;
mod study;
pub mod table;
pub mod verdict;

pub use claim::Claim;
pub use claims::Held;
pub use curve::Figure;
pub use point::{Point, PointId, Replication, Results};
pub use report::Report;
pub use run::{RunError, Running, run};
pub use store::Store;
pub use study::Study;
pub use table::{Line, Table, Tolerance};
pub use verdict::{Finding, Judgement, Uncertain, Verdict};

use std::collections::BTreeSet;
use std::sync::LazyLock;

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

/// Lists files of `scenarios/studies/` by name.
macro_rules! studies {
    ($($name:literal),* $(,)?) => {
        [$(include_str!(concat!("../../scenarios/studies/", $name, ".ron"))),*]
    };
}

/// All studies.
///
/// # Panics
///
/// If the file of one is not well formed, which every test of a study finds.
pub static STUDIES: LazyLock<Vec<Study>> = LazyLock::new(|| {
    let files = studies!["adaptive-torus", "circuits", "finite-buffers", "mesh-torus", "hops"];
    files.map(|text| ron::from_str(text).expect("a study's file is well formed")).into()
});

/// The study of this name, or else the name that was probably meant.
pub fn find(name: &str) -> Result<&'static Study, Option<&'static str>> {
    let names = STUDIES.iter().map(|study| study.name.as_str());
    let found = STUDIES.iter().find(|study| study.name == name);
    found.ok_or_else(|| crate::scenario::nearest(name, names))
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
    fn open(&self, results: &Results, times: f64) -> BTreeSet<PointId> {
        let lines = self.tables.iter().flat_map(|table| &table.lines);
        let lines = lines.filter_map(|line| line.compare(results).judged);
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

#[cfg(test)]
mod tests;
