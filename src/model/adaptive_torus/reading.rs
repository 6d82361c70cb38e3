//! The readings of the paper's equations.

/// How the equations of the paper are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Reading {
    /// Misprints corrected (C1–C7), and two constants fitted to the model columns of the paper's
    /// Tables 1 and 2: channels are held one cycle longer (C8) and waits are twice those of
    /// Pollaczek and Khinchine (C9). Within 1 % of those columns but for 12 × 12 at high load.
    #[default]
    Calibrated,
    /// Misprints corrected (C1–C7) and nothing else.
    Corrected,
    /// The sums as typeset, where that is dimensionally possible (C1 is made). Its latency drops by
    /// a jump at single rates, where a choice of (39) or (46) changes sides.
    Printed,
    /// A rival without fitted constants: the whole hold is exponential, turns from the mirror
    /// quadrant are in the way too; C1, C3 and C4 are made.
    ExponentialHold,
}

impl Reading {
    /// Whether sums are read as typeset where the explanation says otherwise (C2, C5, C6, C7).
    pub(super) fn typeset(self) -> bool {
        matches!(self, Self::Printed | Self::ExponentialHold)
    }
}
