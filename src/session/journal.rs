//! What is done to a run from outside, and when.

use crate::units::{Cycle, Rate};

/// What can be done to a run from outside.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Change {
    /// The generation rate is set.
    Rate(Rate),
}

/// Something done to a run from outside, and when. The state at a cycle is that after all that was
/// done at it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Intervention {
    /// The cycle from which it works.
    pub cycle: Cycle,
    /// What was done.
    pub change: Change,
}
