//! What a paper claims, and how results are asked whether it holds.

use std::fmt;

use super::{Judgement, Results, Verdict};

/// How results are judged; `None` while results that are needed are missing.
pub type Judge = Box<dyn Fn(&Results) -> Option<Judgement> + Send + Sync>;

/// A claim of a paper.
pub struct Claim {
    /// Where in the paper it stands, and what it says.
    pub says: String,
    /// The verdict that is known to be right. One that differs is news.
    pub expected: Verdict,
    /// How it is judged.
    pub judge: Judge,
}

impl Claim {
    /// A claim that is expected to hold.
    pub fn holds(
        says: impl Into<String>,
        judge: impl Fn(&Results) -> Option<Judgement> + Send + Sync + 'static,
    ) -> Self {
        Self { says: says.into(), expected: Verdict::Holds, judge: Box::new(judge) }
    }

    /// A claim that is known not to hold.
    pub fn fails(
        says: impl Into<String>,
        judge: impl Fn(&Results) -> Option<Judgement> + Send + Sync + 'static,
    ) -> Self {
        Self { expected: Verdict::DoesNotHold, ..Self::holds(says, judge) }
    }

    /// The verdict that `results` lead to.
    pub fn judge(&self, results: &Results) -> Judgement {
        (self.judge)(results).unwrap_or_else(Judgement::missing)
    }
}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claim").field("says", &self.says).finish_non_exhaustive()
    }
}
