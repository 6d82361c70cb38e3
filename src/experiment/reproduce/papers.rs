//! The papers with judged claims, each with the figures used in its study file.

mod adaptive_torus;
mod circuits;
mod finite_buffers;
mod hops;
mod mesh_torus;

use super::claim::Paper;

/// All papers, in the order of running.
pub static ALL: [Paper; 5] =
    [adaptive_torus::PAPER, circuits::PAPER, finite_buffers::PAPER, mesh_torus::PAPER, hops::PAPER];

/// Finds a paper by the name of its study.
pub fn find(name: &str) -> Option<&'static Paper> {
    ALL.iter().find(|paper| paper.name == name)
}

/// A truth value as a figure: 1 or 0.
#[expect(clippy::unnecessary_wraps, reason = "figures may be missing")]
fn truth(truth: bool) -> Option<f64> {
    Some(f64::from(u8::from(truth)))
}
