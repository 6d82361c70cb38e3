//! The reduction of a deadlock beside the run.

use std::sync::Arc;

use crate::experiment::shrink::{Progress, Shrunk, Without};
use crate::session::saved::Saved;

/// News of a reduction.
#[derive(Clone, Debug)]
pub enum ShrinkNews {
    Progress(Progress),
    Done(Box<Result<Shrunk, Without>>),
}

/// The reduction of a deadlock of a run.
#[derive(Clone, Debug)]
pub enum Shrinking {
    /// The session of the run has been requested.
    Asked,
    /// The reduction of this session is under way.
    UnderWay(Arc<Saved>),
}
