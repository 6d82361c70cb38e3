//! The readings of 001's equations.

use super::drop::Further;
use crate::switching::circuit::Conflict;

/// How the equations of circuit switching are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reading {
    /// With corrections for what a message cannot meet, and for what it meets again. Within a few
    /// per cent of simulation up to nine tenths of saturation.
    #[default]
    Refined,
    /// The paper's equations, corrected. Under drop, the chance to meet the same circuit again,
    /// (13), counts for the requests that come back only.
    Text,
    /// The same with (13) added to every request, as (10) is typeset (drop only). Wrong by orders of
    /// magnitude where back-offs are short: it is conditional on having been sent away.
    TextPrinted,
    /// The same without (13) (drop only).
    TextFirst,
}

impl Reading {
    /// All of them, the default first.
    pub const ALL: [Self; 4] = [Self::Refined, Self::Text, Self::TextPrinted, Self::TextFirst];

    /// Those that differ under `conflict`, the default first.
    pub const fn all(conflict: Conflict) -> &'static [Self] {
        match conflict {
            Conflict::Drop { .. } => &Self::ALL,
            Conflict::Hold | Conflict::Adaptive { .. } => &[Self::Refined, Self::Text],
        }
    }

    /// The reading's name as commands and screens spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Refined => "refined",
            Self::Text => "text",
            Self::TextPrinted => "text-printed",
            Self::TextFirst => "text-first",
        }
    }

    /// What the text's readings add for further conflicts; `None` in the refined one.
    pub(super) const fn further(self) -> Option<Further> {
        match self {
            Self::Refined => None,
            Self::Text => Some(Further::Weighted),
            Self::TextPrinted => Some(Further::Printed),
            Self::TextFirst => Some(Further::Without),
        }
    }
}
