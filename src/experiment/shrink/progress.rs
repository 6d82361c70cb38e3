//! The progress of a reduction: the phase of the search, and the size of the smallest case.

use std::fmt;

use super::Size;

/// A phase of a reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The given run until its deadlock.
    Run,
    /// The search for messages that repeat the deadlock.
    Repetition,
    Messages,
    Failures,
    /// Networks of the family with smaller numbers.
    Networks,
    /// Routers and links.
    Parts,
    /// The lengths and times of messages.
    Lengths,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Run => "running until the deadlock",
            Self::Repetition => "repeating the deadlock with its messages",
            Self::Messages => "removing messages",
            Self::Failures => "removing failures",
            Self::Networks => "trying smaller networks",
            Self::Parts => "removing routers and links",
            Self::Lengths => "shortening messages",
        })
    }
}

/// The progress of a reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    pub phase: Phase,
    /// The size of the smallest case so far.
    pub smallest: Option<Size>,
}
