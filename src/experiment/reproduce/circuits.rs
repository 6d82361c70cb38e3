//! Colajanni, Ciciani and Tucci (001): circuits under hold, drop and adaptive conflict resolution in
//! hypercubes, by models and by simulation.
//!
//! The paper's figures print no values. Beside the models stands an independent simulation of the
//! same system, embedded as `data/circuits.csv`, whose rows are the points of the study.

mod case;
mod claims;
mod controllers;
mod figures;
mod tables;

use std::sync::Arc;

use super::{Content, Effort, Study};
use case::All;

/// The study.
pub(super) const STUDY: Study = Study {
    name: "circuits",
    paper: "M. Colajanni, B. Ciciani, S. Tucci, Performance Evaluation 34 (1998) 1-26",
    about: "figures 6 to 11: circuits under hold, drop and adaptive, models and simulation",
    content,
};

fn content(effort: Effort) -> Content {
    let mut content = Content::default();
    let all = Arc::new(All::new(&mut content, effort));
    content.tables = tables::tables(&all, effort);
    content.figures = figures::figures(&all);
    content.claims = claims::claims(&all);
    content
}
