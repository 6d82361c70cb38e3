//! What a study makes of its points beside their latencies: tables of figures that are known from elsewhere,
//! figures, and claims with verdicts. The papers' studies are files like a person's own.
//!
//! [`Parts`] is what a study's file says of it. Cases are points with what sets them apart; what is worked out
//! for them are functions of the [`Results`], so that it can be had at any time, also while points
//! are missing. [`Report`] is what became of a study.

mod cases;
mod content;
mod formula;
mod names;
mod parts;
mod point;
pub mod prepare;
pub mod read;
mod report;
mod scope;
pub mod seeds;
pub mod sources;
mod text;
mod verdict;

pub use cases::{Case, Cases, ModelName, Theories, Theory, Value, Values};
pub use content::{Claim, Content, Line, Table};
pub use parts::{Cast, FigureOf, Parts};
pub use point::{LONGER, Point, ROUNDS, Replication, Results};
pub use report::{Compared, Report, ReproduceRow};
pub use verdict::{CONFIDENCE, Finding, Judgement, PointId, Uncertain, Verdict};

/// The papers that can be run again: the names of the files in `scenarios/studies`.
pub const STUDIES: [&str; 5] =
    ["adaptive-torus", "circuits", "finite-buffers", "mesh-torus", "hops"];

#[cfg(test)]
mod tests;
