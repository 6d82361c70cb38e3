//! Parts of the screen's state: network map, panes, motion in time.

use super::moves::Target;
use crate::live::Speed;
use crate::session::events::Events;
use crate::tui::grid::frame::Origin;
use crate::tui::layout::Preset;
use crate::tui::view::{Aggregate, Pane, View};
use crate::units::Rate;

/// The visible part of the network and the view of the map.
#[derive(Clone, Copy, Debug)]
pub struct MapState {
    pub view: View,
    /// The view to restore after the differences of two runs; `None` otherwise.
    pub before: Option<View>,
    /// The zoom level; `None` fits the network into the pane.
    pub zoom: Option<u8>,
    /// The selected virtual channel, or `None` for all.
    pub vc: Option<u32>,
    /// The cursor's column and row.
    pub cursor: (u32, u32),
    /// The position of the layout at the grid's lower left corner.
    pub origin: Origin,
    pub aggregate: Aggregate,
    /// The share at the upper end of the heat scale.
    pub heat_top: f32,
}

impl Default for MapState {
    fn default() -> Self {
        Self {
            view: View::default(),
            before: None,
            zoom: None,
            vc: None,
            cursor: (0, 0),
            origin: Origin::default(),
            aggregate: Aggregate::default(),
            heat_top: 1.0,
        }
    }
}

/// Selection and arrangement of panes.
#[derive(Clone, Copy, Debug)]
pub struct PaneState {
    pub preset: Preset,
    pub focus: Pane,
    /// The pane shown if the screen is too small for all.
    pub spare_pane: Pane,
    /// True if the focused pane fills the screen.
    pub expanded: bool,
    /// True if the grid fills the screen.
    pub zen: bool,
    /// Number of lines scrolled out of lists.
    pub scroll: u16,
    /// Number of lines about the router under the cursor.
    pub told: u16,
    /// The open table.
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

/// Pace, load and steps of a run.
#[derive(Clone, Debug)]
pub struct Motion {
    pub pace: Speed,
    pub rate: Rate,
    /// The last argument of `;`, as typed.
    pub step_many_text: String,
    /// The last target of `n`.
    pub last_jump: Option<Target>,
    /// The events to stop at for `<` and `>`.
    pub events: Events,
}
