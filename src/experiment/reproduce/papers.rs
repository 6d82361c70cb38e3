//! The papers whose claims are judged, each with figures that its study's file names.

mod adaptive_torus;
mod circuits;
mod finite_buffers;
mod hops;
mod mesh_torus;

use super::claim::Paper;

/// All papers, in the order in which they are run.
pub static ALL: [Paper; 5] =
    [adaptive_torus::PAPER, circuits::PAPER, finite_buffers::PAPER, mesh_torus::PAPER, hops::PAPER];

/// The paper whose study has this name.
pub fn find(name: &str) -> Option<&'static Paper> {
    ALL.iter().find(|paper| paper.name == name)
}

/// A truth as a figure: 1 or 0.
#[expect(clippy::unnecessary_wraps, reason = "figures may be missing")]
fn truth(truth: bool) -> Option<f64> {
    Some(f64::from(u8::from(truth)))
}
