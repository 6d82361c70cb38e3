//! The views of the grid, and the panes.

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
