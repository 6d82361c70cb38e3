//! Inputs of the arrangement: size classes, presets, and the user's choices.

use strum::IntoStaticStr;

use crate::tui::view::Pane;

/// A class of screen sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Class {
    /// Too small for panes.
    #[default]
    Tiny,
    /// A screen of 60 by 16 or more.
    Small,
    /// A screen of 120 by 32 or more.
    Medium,
    /// A screen of 160 by 48 or more.
    Large,
}

/// The minimum size of a screen with panes.
pub const LEAST: (u16, u16) = (60, 16);

/// Returns the size class of a screen.
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

/// A named arrangement of panes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Preset {
    /// Network, figures and charts in balance.
    #[default]
    Balanced,
    /// The network as large as possible.
    Network,
    /// Two columns of figures and charts.
    Statistics,
    /// Large histogram and curve, for an audience.
    Teaching,
}

impl Preset {
    /// All presets in the order of the key.
    pub const ALL: [Self; 4] = [Self::Balanced, Self::Network, Self::Statistics, Self::Teaching];

    /// Returns the next preset, cyclically.
    #[must_use]
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// The display name, also used in files.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// A description of the preset.
    pub fn about(self) -> &'static str {
        match self {
            Self::Balanced => "something of everything",
            Self::Network => "the network large",
            Self::Statistics => "figures and charts large",
            Self::Teaching => "histogram and curve large",
        }
    }
}

/// Selection and arrangement of panes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PaneState {
    pub preset: Preset,
    pub focus: Pane,
    /// The pane shown if the screen is too small for all.
    pub spare_pane: Pane,
    /// True if the focused pane fills the screen.
    pub expanded: bool,
    pub zen: bool,
    /// Number of lines scrolled out of lists.
    pub scroll: u16,
    /// Lines of the inspector; on screens below class large, of its sentences.
    pub told: u16,
    pub table: Option<Pane>,
}

impl Default for PaneState {
    fn default() -> Self {
        Self {
            preset: Preset::default(),
            focus: Pane::Grid,
            spare_pane: Pane::Chains,
            expanded: false,
            zen: false,
            scroll: 0,
            told: 0,
            table: None,
        }
    }
}

/// Inputs of the arrangement besides the screen's size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayoutInput {
    pub panes: PaneState,
    /// Lines of the pane of virtual channels or circuits.
    pub class_rows: u16,
    /// Number of networks to show: one per run, or one for all.
    pub networks: u16,
    /// Index of the active run from the left.
    pub active: u16,
    /// Number of runs, above one in a comparison.
    pub runs: u16,
    /// True if nodes are too small to be seen without a lens.
    pub lens: bool,
    /// True while the card explains the first screen, with few panes.
    pub card: bool,
    /// True during the tour, always placed at the right.
    pub tour: bool,
}
