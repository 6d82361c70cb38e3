//! What a paper claims, and the verdict that results lead to.

use std::fmt;

use super::Results;

/// Whether something holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It does.
    Holds,
    /// It does not.
    DoesNotHold,
    /// The results do not tell, or are missing.
    Undecided,
}

impl Verdict {
    /// [`Self::Holds`] if `holds`, else [`Self::DoesNotHold`].
    pub fn of(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::DoesNotHold }
    }

    /// The verdict in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::DoesNotHold => "does not hold",
            Self::Undecided => "undecided",
        }
    }
}

/// A verdict with its reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The figures that it rests on, in a sentence.
    pub evidence: String,
}

impl Judgement {
    /// That something holds or does not.
    pub fn of(holds: bool, evidence: impl Into<String>) -> Self {
        Self { verdict: Verdict::of(holds), evidence: evidence.into() }
    }

    /// That the results do not tell.
    pub fn undecided(evidence: impl Into<String>) -> Self {
        Self { verdict: Verdict::Undecided, evidence: evidence.into() }
    }
}

/// How results are judged; `None` while results that are needed are missing.
type Judge = Box<dyn Fn(&Results) -> Option<Judgement> + Send + Sync>;

/// A claim of a paper.
pub struct Claim {
    /// Where in the paper it stands, and what it says.
    pub says: String,
    /// The verdict that is known to be right. One that differs is news.
    pub expected: Verdict,
    judge: Judge,
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
        (self.judge)(results).unwrap_or_else(|| Judgement::undecided("results are missing"))
    }
}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claim").field("says", &self.says).finish_non_exhaustive()
    }
}
