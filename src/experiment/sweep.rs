//! A study: curves of latency by load, or by any field of a scenario.
//!
//! The results are in a folder that grows point by point.
//!
//! A [`Study`] is a file with a scenario, fields to vary, loads, and the plan of each point. Its
//! points are numbered; every point has a separate file in a [`Folder`], named by a hash of all its
//! inputs, so continuing means running the missing points. [`Results`] are the current results,
//! with tables and figures.

mod checksums;
mod designs;
mod difference;
mod draft;
mod fields;
mod figures;
mod finish;
mod folder;
mod html;
mod live_curve;
mod load_points;
mod merge;
mod named_files;
mod next_step;
mod order;
mod output;
mod part;
mod results;
mod rounds;
mod row;
mod seal;
mod search;
mod standard_figure;
mod strangers;
mod study;
mod study_heading;
mod study_status;
mod table;
mod watched_folder;

pub use designs::DesignRow;
pub use fields::FIELDS;
pub use finish::{Unfinished, finish, write_all};
pub use folder::{Folder, Found, OpenError, STUDY};
pub use live_curve::begin_live_curve;
pub use merge::{MergeCounts, MergeError};
pub use next_step::Next;
pub use order::{expected_seconds, longest_first};
pub use part::Part;
pub use results::{Models, Results};
pub use row::SweepRow;
pub use standard_figure::StandardFigure;
pub use strangers::Stranger;
pub use study::{Point, Study, is_study};
pub use study_heading::About;
pub use study_status::{NumberedPoint, State, StudyStatus};
pub use watched_folder::WatchedFolder;

#[cfg(test)]
mod tests;
