//! Tables of known figures, plots, and claims with verdicts, computed from the points of a study.
//! The papers' studies are ordinary study files.
//!
//! [`Parts`] are the tables and figures named in a study file. Cases are points with their
//! distinguishing values. Tables, figures and claims are functions of the [`Results`], possibly
//! partial. [`Report`] is the outcome of a study.

mod cases;
mod check;
mod claim;
mod content;
mod lookup;
mod names;
mod papers;
mod parts;
mod point;
pub mod prepare;
pub mod read;
mod report;
pub mod seeds;
mod selection;
pub mod sources;
mod text;
mod verdict;

pub use cases::{Case, Cases, ModelName, Theories, Theory, Value, Values};
pub use claim::{Claim, Paper};
pub use content::{Content, Line, Stated, Table};
pub use parts::{Cast, FigureOf, Parts};
pub use point::{LONGER, Point, ROUNDS, Replication, Results};
pub use report::{Compared, Report, ReproduceRow};
pub use verdict::{CONFIDENCE, Finding, Judgement, PointId, Uncertain, Verdict};

/// The reproducible papers: names of the files in `scenarios/studies`.
pub const STUDIES: [&str; 5] =
    ["adaptive-torus", "circuits", "finite-buffers", "mesh-torus", "hops"];

#[cfg(test)]
mod tests;
