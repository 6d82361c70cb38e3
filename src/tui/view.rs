//! The views of the grid, how they sum up nodes, and the panes.

use strum::{IntoStaticStr, VariantArray};

pub use super::panes::Pane;

/// What the grid shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr, VariantArray)]
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
    /// Load that the routes put on channels, known before any run.
    #[strum(serialize = "load by routing")]
    Routed,
}

/// The scale of [`View::Routed`] for people.
pub const ROUTED: &str = "share of the busiest link's load";

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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr)]
pub enum Aggregate {
    /// By the hottest of them.
    #[default]
    #[strum(serialize = "the hottest")]
    Hottest,
    #[strum(serialize = "their mean")]
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
        self.into()
    }

    /// One value, a level or a step with its sign, for those of a block; `None` for none.
    pub fn of(self, values: impl Iterator<Item = i32>) -> Option<i32> {
        match self {
            Self::Hottest => values.max_by_key(|value| value.abs()),
            Self::Mean => {
                let (count, sum) = values.fold((0, 0), |(count, sum), it| (count + 1, sum + it));
                let mean = f64::from(sum) / f64::from(count);
                (count > 0).then(|| mean.round() as i32)
            }
        }
    }
}
