//! The verdict of runs on their load, by which studies search saturation and rankings order values.

use strum::IntoStaticStr;

/// The verdict of runs on their load, best first; combined verdicts take the greatest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, Debug)]
#[strum(serialize_all = "lowercase")]
pub enum Verdict {
    /// Carried, with a steady latency; of given messages, all delivered.
    Steady,
    /// Carried, in a run too short for the latency.
    Carried,
    /// The runs are too short to tell whether the network carries the load.
    #[strum(serialize = "too short to tell")]
    TooShort,
    /// The network does not carry the load.
    Saturated,
    /// A run ended in a deadlock.
    Deadlocked,
}

impl Verdict {
    /// The verdict in words.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// True if the network does not carry the load.
    pub fn is_beyond(self) -> bool {
        matches!(self, Self::Saturated | Self::Deadlocked)
    }

    /// True if the network carries the load.
    pub fn is_within(self) -> bool {
        matches!(self, Self::Steady | Self::Carried)
    }
}
