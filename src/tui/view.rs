//! Views of the grid and aggregation of nodes; re-exports the panes.

use strum::{IntoStaticStr, VariantArray};

pub use super::panes::Pane;
use crate::engine::WormView;

/// A view of the grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum View {
    /// Flits in each channel's buffers.
    Occupancy,
    /// Worms by label over occupancy.
    #[default]
    Worms,
    /// Virtual channels held, by class.
    #[strum(serialize = "VC classes")]
    Classes,
    /// Share of cycles with flits in transfer per channel.
    Utilisation,
    /// Waiting messages and the requested channels, as edges.
    #[strum(serialize = "wait-for")]
    Waits,
    /// Measured use of channels minus the model's prediction, or minus the other run's use in a
    /// comparison.
    #[strum(serialize = "measured - predicted")]
    Difference,
    /// Load of the channels according to the routes, known before any run.
    #[strum(serialize = "load by routing")]
    Routed,
}

impl View {
    /// True if links are drawn in the colours of heat.
    pub fn is_of_heat(self) -> bool {
        match self {
            Self::Occupancy | Self::Utilisation | Self::Routed => true,
            Self::Worms | Self::Classes | Self::Waits | Self::Difference => false,
        }
    }
}

/// The part of the traffic drawn on the map.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    /// The selected virtual channel, or `None` for all.
    pub vc: Option<u32>,
    /// The selected message class, or `None` for all.
    pub message_class: Option<u8>,
}

impl Filter {
    /// True if the VC of this number is selected.
    pub fn selects(self, vc: u32) -> bool {
        self.vc.is_none_or(|only| only == vc)
    }

    /// True if a worm is of the selected message class.
    pub fn shows(self, worm: &WormView) -> bool {
        self.message_class.is_none_or(|only| only == worm.message_class)
    }

    /// The same of the next virtual channel of `all`, or of all after the last.
    #[must_use]
    pub fn next_vc(self, all: u32) -> Self {
        Self { vc: Some(self.vc.map_or(0, |vc| vc + 1)).filter(|&vc| vc < all), ..self }
    }

    /// The same of the next message class of `all`, or of all after the last.
    #[must_use]
    pub fn next_class(self, all: usize) -> Self {
        let next = self.message_class.map_or(0, |class| class + 1);
        Self { message_class: Some(next).filter(|&it| usize::from(it) < all), ..self }
    }
}

/// The scale of [`View::Routed`] in words.
pub const ROUTED: &str = "share of the busiest link's load";

impl View {
    /// The display name.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The digit key of the view.
    pub fn digit(self) -> u8 {
        self as u8 + 1
    }
}

/// The aggregation of a block of nodes or links into one pixel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr)]
pub enum Aggregate {
    /// The hottest value of the block.
    #[default]
    #[strum(serialize = "the hottest")]
    Hottest,
    #[strum(serialize = "their mean")]
    Mean,
}

impl Aggregate {
    /// The other aggregation.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Hottest => Self::Mean,
            Self::Mean => Self::Hottest,
        }
    }

    /// The name in the legend.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Aggregates the values of a block (levels, or steps with signs); `None` for an empty block.
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
