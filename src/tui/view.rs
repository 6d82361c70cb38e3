//! The views of the grid and the panes beside it.

use strum::{IntoStaticStr, VariantArray};

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

/// A pane.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, VariantArray)]
pub enum Pane {
    /// The network.
    #[default]
    Grid,
    /// The latency histogram.
    Latency,
    /// Latency against load.
    Curve,
    /// Model and simulation, part by part.
    Terms,
    /// Use of the virtual channels.
    Classes,
    /// Who waits for whom.
    Chains,
    /// The router under the cursor.
    Inspector,
    /// Load, throughput and what runs.
    Loads,
    /// The worms that have letters.
    Worms,
    /// The table of links.
    Links,
    /// The table of messages.
    Messages,
    /// The history of one message.
    History,
    /// The neighbourhood of the cursor.
    Lens,
}

impl Pane {
    /// The panes in the order of the focus.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Whether it is a table, under the grid where there is room.
    pub fn is_table(self) -> bool {
        matches!(self, Self::Links | Self::Messages)
    }

    /// Whether moving up and down scrolls it.
    pub fn scrolls(self) -> bool {
        matches!(self, Self::Chains | Self::Worms | Self::Inspector | Self::History)
    }
}
