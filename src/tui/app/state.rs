//! Parts of the screen's state: the map of the network, the panes, and moving through a run.

use super::moves::Target;
use crate::live::Speed;
use crate::session::events::Events;
use crate::tui::grid::frame::Origin;
use crate::tui::layout::Preset;
use crate::tui::view::{Aggregate, Pane, View};
use crate::units::Rate;

/// The part and the aspect of the network that the map shows.
#[derive(Clone, Copy, Debug)]
pub struct MapState {
    pub view: View,
    /// The view to go back to from that of the differences of two runs; `None` outside it.
    pub before: Option<View>,
    /// The zoom level; `None` fits the network into the pane.
    pub zoom: Option<u8>,
    /// The one VC looked at, or all.
    pub vc: Option<u32>,
    /// The cursor's column and row.
    pub cursor: (u32, u32),
    /// The plane's place at the grid's lower left corner.
    pub origin: Origin,
    pub aggregate: Aggregate,
    /// The share at which the scale of heat ends.
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

/// The panes that are wanted.
#[derive(Clone, Copy, Debug)]
pub struct PaneState {
    pub preset: Preset,
    pub focus: Pane,
    /// The pane shown where there is no room for all.
    pub spare_pane: Pane,
    /// True if the pane in focus fills the screen.
    pub expanded: bool,
    /// True if the grid fills the screen.
    pub zen: bool,
    /// Lines by which lists are scrolled.
    pub scroll: u16,
    /// Lines that there are about the router under the cursor.
    pub told: u16,
    /// The table that is open.
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

/// Moving through a run: its pace and load, and the repeated steps.
#[derive(Clone, Debug)]
pub struct Motion {
    pub pace: Speed,
    pub rate: Rate,
    /// The last distance of `;`, as it was typed.
    pub step_many_text: String,
    /// The place to which `n` led last.
    pub last_jump: Option<Target>,
    /// The events at which `<` and `>` stop.
    pub events: Events,
}
