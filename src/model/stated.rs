//! How far a prediction may be off, as far as that was measured.

use std::fmt;

/// Errors that two of three and nine of ten measured systems stay within, as parts of the simulated
/// figure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Margins {
    /// The error within which two of three systems are: 0.04 for 4 %.
    pub two_of_three: f64,
    /// The error within which nine of ten systems are.
    pub nine_of_ten: f64,
}

impl Margins {
    /// Both in whole per cent, rounded up.
    pub fn percent(self) -> [f64; 2] {
        [self.two_of_three, self.nine_of_ten].map(|part| (100.0 * part).ceil().max(1.0))
    }

    /// The margins on the line from these to `other`, at this part of the way.
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
        write!(f, "two of three systems like this within {two} %, nine of ten within {nine} %")
    }
}

/// The error of a model's figure on systems that no constant was fitted to.
#[derive(Clone, PartialEq, Debug)]
pub enum StatedError {
    /// The margins that held on measured systems like this one.
    Within {
        margins: Margins,
        /// Number of systems that were measured.
        systems: u32,
    },
    /// No system like this one was measured: the reason in words.
    NotMeasured(String),
}

/// Shares of the load at which a model saturates at which errors were measured.
pub const SHARES: [f64; 4] = [0.25, 0.5, 0.75, 0.9];

/// Errors of a model on a set of systems.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// Number of systems.
    pub systems: u32,
    /// Margins by [share](SHARES), where so many systems carry the load.
    pub margins: [Option<Margins>; SHARES.len()],
}

impl Measured {
    /// The error at this share of the load at which the model saturates: between measured shares, on the
    /// line between theirs.
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
    /// The margins, and the number of systems that were measured.
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
