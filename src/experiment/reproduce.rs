//! A paper's tables, figures and claims, run again: each paper is a [`Study`] with points to be
//! simulated, tables and figures made of them, and claims judged by them.
//!
//! A [`Study`] is a file of `scenarios/studies` and a name in [`STUDIES`]. Its [`Content`] says which
//! points there are (a built-in scenario, fields set in it, how it is run); tables, figures and
//! claims are functions of the [`Results`], so that they can be worked out at any time, also
//! while points are missing. [`run`] makes the points that a [`Store`] does not have yet; [`Report`] is
//! what became of a study; [`write`](files::write) puts it into files.

mod cases;
mod content;
pub mod files;
mod formula;
mod names;
mod point;
mod prepare;
mod report;
mod run;
mod scope;
pub mod seeds;
mod store;
mod study;
mod text;
mod verdict;

pub use content::{Claim, Content, Line, Table};
pub use point::{LONGER, Point, Replication, Results};
pub use report::{Compared, Report, ReproduceRow};
pub use run::run;
pub use store::Store;
pub use study::{Effort, Study};
pub use verdict::{CONFIDENCE, Finding, Judgement, PointId, Uncertain, Verdict};

use std::sync::LazyLock;

use crate::scenario::{nearest, render};

/// Lists files of `scenarios/studies/` by name.
macro_rules! studies {
    ($($name:literal),* $(,)?) => {
        [$((
            concat!("studies/", $name, ".ron"),
            include_str!(concat!("../../scenarios/studies/", $name, ".ron")),
        )),*]
    };
}

/// All studies.
///
/// # Panics
///
/// If the file of one is not well formed, which every test of a study finds.
pub static STUDIES: LazyLock<Vec<Study>> = LazyLock::new(|| {
    let files = studies!["adaptive-torus", "circuits", "finite-buffers", "mesh-torus", "hops"];
    let read =
        |(file, text)| Study::read(file, text).unwrap_or_else(|it| panic!("{}", render(&it)));
    files.map(read).into()
});

/// The study of this name, or else the name that was probably meant.
pub fn find(name: &str) -> Result<&'static Study, Option<&'static str>> {
    let names = STUDIES.iter().map(|study| study.name.as_str());
    let found = STUDIES.iter().find(|study| study.name == name);
    found.ok_or_else(|| nearest(name, names))
}

#[cfg(test)]
mod tests;
