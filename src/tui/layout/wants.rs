//! What decides about the arrangement: the size class of the screen, and what a person wants to see.

use strum::IntoStaticStr;

use crate::tui::view::Pane;

/// A class of screen sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Class {
    /// Too small for panes.
    #[default]
    Tiny,
    /// From 60 by 16.
    Small,
    /// From 120 by 32.
    Medium,
    /// From 160 by 48.
    Large,
}

/// The least screen with panes.
pub const LEAST: (u16, u16) = (60, 16);

/// The size class of a screen.
pub fn class_of(width: u16, height: u16) -> Class {
    if width < LEAST.0 || height < LEAST.1 {
        Class::Tiny
    } else if width >= 160 && height >= 48 {
        Class::Large
    } else if width >= 120 && height >= 32 {
        Class::Medium
    } else {
        Class::Small
    }
}

/// An arrangement of panes to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Preset {
    /// Something of everything.
    #[default]
    Balanced,
    /// As much of the network as possible.
    Network,
    /// Two columns of figures and charts.
    Statistics,
    /// Histogram and curve large, for an audience.
    Teaching,
}

impl Preset {
    /// All of them, in the order of the key.
    pub const ALL: [Self; 4] = [Self::Balanced, Self::Network, Self::Statistics, Self::Teaching];

    /// The next one in turn.
    #[must_use]
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// The name for people and files.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What it is good for.
    pub fn about(self) -> &'static str {
        match self {
            Self::Balanced => "something of everything",
            Self::Network => "the network large",
            Self::Statistics => "figures and charts large",
            Self::Teaching => "histogram and curve large",
        }
    }
}

/// What decides about the arrangement besides the size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wish of its own")]
pub struct Wants {
    pub focus: Pane,
    /// The pane that stands at the lower right where there is no room for all.
    pub guest: Pane,
    /// The pane in focus alone.
    pub expanded: bool,
    /// The grid alone.
    pub zen: bool,
    /// Lines of the pane of virtual channels, or of circuits.
    pub class_rows: u16,
    /// Lines of the pane of the router under the cursor; on a screen that is not large, of its
    /// sentences.
    pub told: u16,
    /// The table that is open.
    pub table: Option<Pane>,
    /// The networks to show: of each run its own, or one for all.
    pub networks: u16,
    /// The place of the active run's among several, from the left.
    pub active: u16,
    /// The runs; several are compared.
    pub runs: u16,
    /// Which panes stand beside the grid.
    pub preset: Preset,
    /// True if nodes are too small to see, so that a lens is of use.
    pub lens: bool,
    /// True if the tour is taken: it stands at the right, whatever else does.
    pub tour: bool,
}
