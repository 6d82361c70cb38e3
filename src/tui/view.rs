//! The views of the grid, how they sum up nodes, and the panes.

use strum::IntoStaticStr;

pub use super::panes::Pane;

/// What the grid shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum View {
    /// Flits in each channel's buffers.
    Occupancy,
    /// Worms by letter over occupancy.
    #[default]
    Worms,
    /// Virtual channels held, by class.
    #[strum(serialize = "VC classes")]
    Classes,
    /// Share of cycles in which channels move flits.
    Utilisation,
    /// Who waits for what, as edges.
    #[strum(serialize = "wait-for")]
    Waits,
    /// Measured use of channels less what the model predicts; of two runs also less that of the other.
    #[strum(serialize = "measured less predicted")]
    Difference,
}

impl View {
    /// The view's name.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The digit that chooses it.
    pub fn digit(self) -> u8 {
        self as u8 + 1
    }
}

/// How a block of several nodes or links is made one pixel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Aggregate {
    /// By the hottest of them.
    #[default]
    Hottest,
    /// By their mean.
    Mean,
}

impl Aggregate {
    /// The other one.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Hottest => Self::Mean,
            Self::Mean => Self::Hottest,
        }
    }

    /// What the legend calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hottest => "the hottest",
            Self::Mean => "their mean",
        }
    }

    /// One level for those of a block; `None` for none. Whatever is not idle shows.
    pub fn level(self, levels: impl Iterator<Item = u8>) -> Option<u8> {
        let (mut count, mut sum, mut top) = (0u32, 0u32, 0u8);
        for level in levels {
            count += 1;
            sum += u32::from(level);
            top = top.max(level);
        }
        let mean = (sum + count / 2).checked_div(count)?;
        Some(match self {
            Self::Hottest => top,
            Self::Mean => (mean as u8).max(u8::from(sum > 0)),
        })
    }

    /// One step, with a sign, for those of a block.
    pub fn step(self, steps: impl Iterator<Item = i8>) -> Option<i8> {
        match self {
            Self::Hottest => steps.max_by_key(|step| step.abs()),
            Self::Mean => {
                let (count, sum) = steps.fold((0, 0), |(n, sum), it| (n + 1, sum + i32::from(it)));
                let mean = f64::from(sum) / f64::from(count);
                (count > 0).then(|| mean.round() as i8)
            }
        }
    }
}
