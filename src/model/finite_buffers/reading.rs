//! The readings of the model: the paper's, its own modification, and what an input port cannot do
//! to itself.

/// How the equations of the paper are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Reading {
    /// Sections 3 to 6 of the paper: pessimistic wherever it has been compared with simulation.
    #[default]
    Basic,
    /// Section 7 of the paper: the buffer is taken half a mean worm larger, and a queue with room
    /// for many worms has shorter ones in it. Closer where buffers hold up to about two mean
    /// worms, no better beyond.
    Modified,
    /// Not in the paper: worms that come through the same input port follow each other on the link
    /// before, so they never contend for the next. Waits between switches are thinned accordingly.
    /// Within 2 to 3 % of the simulated throughput on the 3x3 torus, 4 to 7 % above it on the 4x4
    /// mesh: no bound from below any more.
    SelfExclusion,
    /// The same on ejection links too: closer on the torus, 12 to 19 % above simulation on the
    /// mesh.
    #[strum(serialize = "self-exclusion everywhere")]
    SelfExclusionEverywhere,
}
