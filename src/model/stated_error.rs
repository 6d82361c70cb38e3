//! The error of each model, from measurements, stated with its predictions.

use std::fmt;

/// Limits of the errors of two of three and of nine of ten measured systems, relative to the
/// simulated value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Margins {
    /// The error not exceeded by two of three systems: 0.04 for 4 %.
    pub two_of_three: f64,
    /// The error not exceeded by nine of ten systems.
    pub nine_of_ten: f64,
}

impl Margins {
    /// Both margins in whole per cent, rounded up.
    pub fn percent(self) -> [f64; 2] {
        [self.two_of_three, self.nine_of_ten].map(|part| (100.0 * part).ceil().max(1.0))
    }

    /// Linear interpolation between these margins and `other`.
    fn towards(self, other: Self, way: f64) -> Self {
        let between = |from: f64, to: f64| from + way * (to - from);
        Self {
            two_of_three: between(self.two_of_three, other.two_of_three),
            nine_of_ten: between(self.nine_of_ten, other.nine_of_ten),
        }
    }
}

impl fmt::Display for Margins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [two, nine] = self.percent();
        write!(
            f,
            "error under {two} % in two of three similar systems, under {nine} % in nine of ten"
        )
    }
}

/// The error of a model on systems not used for fitting.
#[derive(Clone, PartialEq, Debug)]
pub enum StatedError {
    /// Margins measured on similar systems.
    Within {
        margins: Margins,
        /// The number of systems measured.
        systems: u32,
    },
    /// No similar system was measured, for this reason.
    NotMeasured(String),
}

/// Fractions of the predicted saturation load at which errors were measured.
pub const SHARES: [f64; 4] = [0.25, 0.5, 0.75, 0.9];

/// Errors of a model on a set of systems.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// The number of systems.
    pub systems: u32,
    /// Margins by [share](SHARES), if enough systems carry the load.
    pub margins: [Option<Margins>; SHARES.len()],
}

impl Measured {
    /// The error at this fraction of the predicted saturation load, interpolated linearly between
    /// measured fractions.
    pub fn at(&self, share: f64) -> StatedError {
        let none = |why: &str| StatedError::NotMeasured(why.to_owned());
        if share > SHARES[SHARES.len() - 1] {
            return none("loads above 90 % of that at which it saturates");
        }
        let above = SHARES.iter().position(|&it| share <= it).unwrap_or(0);
        let below = above.saturating_sub(1);
        let (Some(from), Some(to)) = (self.margins[below], self.margins[above]) else {
            return none("this load, which more than one in ten systems like this do not carry");
        };
        let way = match above {
            0 => 0.0,
            _ => (share - SHARES[below]) / (SHARES[above] - SHARES[below]),
        };
        StatedError::Within { margins: from.towards(to, way), systems: self.systems }
    }
}

impl StatedError {
    /// The margins and the number of systems measured.
    pub fn within(&self) -> Option<(Margins, u32)> {
        match *self {
            Self::Within { margins, systems } => Some((margins, systems)),
            Self::NotMeasured(_) => None,
        }
    }

    /// Both margins in whole per cent, rounded up.
    pub fn percent(&self) -> Option<[f64; 2]> {
        self.within().map(|(margins, _)| margins.percent())
    }
}

impl fmt::Display for StatedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Within { margins, systems } => write!(f, "{margins} ({systems} measured)"),
            Self::NotMeasured(why) => write!(f, "not measured: {why}"),
        }
    }
}
