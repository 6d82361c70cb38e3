//! The screen's state and what actions do to it. Nothing here draws.

mod another;
#[cfg(test)]
mod audit;
mod commands;
mod compare;
mod cross;
mod dialogs;
mod edit;
mod film;
pub mod links;
pub mod messages;
pub mod mouse;
mod moves;
mod palette;
mod panes;
mod program;
mod run;
pub mod singles;
pub mod tables;
mod time;
mod zoom;

use std::rc::Rc;
use std::sync::Arc;

use compare::Comparison;
use links::LinkTable;
use messages::MessageTable;
use mouse::Drag;
use singles::Singles;

use super::action::{Action, Key, Run};
use super::bindings::{Context, Keymap};
use super::glyphs::Glyphs;
use super::grid::difference::Differences;
use super::grid::frame::Origin;
use super::grid::heat::Heat;
use super::grid::pixels::Aggregate;
use super::grid::plane::Plane;
use super::layout::Preset;
use super::library::Library;
use super::names::Names;
use super::perf::Perf;
use super::theme::Theme;
use super::times::Times;
use super::view::{Pane, View};
use crate::live::{Command, Death, RunState, Speed, Update};
use crate::session::events::Events;
use crate::text;
use crate::units::Rate;
pub use dialogs::{Confirm, Dialog, Prompt, Question};
pub use edit::{Edited, Problems};
pub use film::recorded;
pub use time::Writing;

/// What the caller must do after an action.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Tell the simulation.
    Send(Command),
    /// Leave.
    Quit,
    /// Stop until `fg`.
    Suspend,
    /// Paint everything again.
    Repaint,
    /// Take the mouse, or let go of it.
    Mouse(bool),
    /// Record the screen into this file.
    Record(String),
    /// End the recording.
    EndRecording,
    /// Save the screen as a picture in this file.
    Picture(String),
    /// Write statistics into a file.
    Export(Writing),
    /// Write the file first, if there is something to write, and open it in an editor.
    Edit(String, Option<Writing>),
}

/// The screen's state.
#[derive(Debug)]
pub struct App {
    /// The newest picture of the run.
    pub update: Box<Update>,
    /// The colours.
    pub theme: Theme,
    /// The characters.
    pub glyphs: Glyphs,
    /// What the grid shows.
    pub view: View,
    /// The zoom level; `None` fits the network into the pane.
    pub zoom: Option<u8>,
    /// The one VC looked at, or all.
    pub vc: Option<u32>,
    /// The network laid out.
    pub plane: Plane,
    /// The cursor's column and row.
    pub cursor: (u32, u32),
    /// The plane's place at the grid's lower left corner.
    pub origin: Origin,
    /// How several nodes are made one pixel.
    pub aggregate: Aggregate,
    /// Where the scale of heat ends: at this share.
    pub heat_top: f32,
    /// Which panes stand beside the grid.
    pub preset: Preset,
    /// Levels of channels and nodes.
    pub heat: Heat,
    /// How far links are off the model, in the view that shows it.
    pub differences: Differences,
    /// Letters of worms.
    pub names: Names,
    /// The pane in focus.
    pub focus: Pane,
    /// The pane shown where there is no room for all.
    pub guest: Pane,
    /// Whether the pane in focus stands alone.
    pub expanded: bool,
    /// Whether the grid stands alone.
    pub zen: bool,
    /// How far lists are scrolled.
    pub scroll: u16,
    /// The layer over the screen.
    pub dialog: Option<Dialog>,
    /// Something said once, until the next key.
    pub note: Option<String>,
    /// The simulation thread's end, if it died.
    pub death: Option<Death>,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// Whether the mouse is ours.
    pub mouse: bool,
    /// The table that is open.
    pub table: Option<Pane>,
    /// The table of links.
    pub links: LinkTable,
    /// The file into which the screen is being recorded.
    pub recording: Option<String>,
    /// The table of messages.
    pub messages: MessageTable,
    /// Single messages.
    pub singles: Singles,
    /// The other run, where two are compared.
    comparison: Comparison,
    /// The keys as they are bound.
    pub keys: Keymap,
    /// How the screen keeps up, where that is to be seen.
    pub perf: Option<Perf>,
    /// The commands given before.
    lines: Vec<String>,
    library: Rc<dyn Library>,
    pace: Speed,
    rate: Rate,
    /// How far `;` went last, as it was typed.
    many: String,
    /// Where `n` led last.
    hop: Option<moves::Target>,
    /// The events at which `<` and `>` stop.
    events: Events,
    /// The file of this session, once there is one.
    path: Option<String>,
    /// The file for the session that has been asked for.
    saving: Option<String>,
    writing: Option<Writing>,
    drag: Option<Drag>,
    /// Loads simulated before on this scenario: rate and mean latency, in the order of the rates.
    pub simulated: Vec<(Rate, f64)>,
}

impl App {
    /// A screen for a run whose first update is `update`.
    pub fn new(
        update: Box<Update>,
        library: Box<dyn Library>,
        theme: Theme,
        ascii: bool,
        size: (u16, u16),
    ) -> Self {
        let mut update = update;
        let against = update.against.take();
        let mut app = Self::begin(update, Rc::from(library), theme, ascii, size);
        if against.is_some() {
            let mut both = app.update.clone();
            both.against = against;
            app.receive(both);
        }
        if app.has_circuits() {
            "1".clone_into(&mut app.many);
        }
        app
    }

    /// The state for one run.
    fn begin(
        update: Box<Update>,
        library: Rc<dyn Library>,
        theme: Theme,
        ascii: bool,
        size: (u16, u16),
    ) -> Self {
        let plane = Plane::new(&update.scenario.system.network, 0);
        let mut app = Self {
            theme,
            glyphs: Glyphs::new(ascii),
            view: View::default(),
            zoom: None,
            vc: None,
            cursor: (plane.cols / 2, plane.rows / 2),
            plane,
            origin: Origin::default(),
            aggregate: Aggregate::default(),
            heat_top: 1.0,
            preset: Preset::default(),
            drag: None,
            heat: Heat::default(),
            differences: Differences::default(),
            names: Names::default(),
            focus: Pane::Grid,
            guest: Pane::Chains,
            expanded: false,
            zen: false,
            scroll: 0,
            dialog: None,
            note: None,
            death: None,
            size,
            mouse: false,
            table: None,
            links: LinkTable::default(),
            recording: None,
            messages: MessageTable::default(),
            singles: Singles::default(),
            comparison: Comparison::default(),
            keys: Keymap::default(),
            perf: None,
            lines: Vec::new(),
            library,
            pace: update.speed,
            rate: update.rate,
            many: "100".to_owned(),
            hop: None,
            events: Events::ALL,
            path: None,
            saving: None,
            writing: None,
            simulated: Vec::new(),
            update,
        };
        app.refresh();
        app
    }

    /// Tells which file this session was opened from.
    pub fn opened_from(&mut self, path: String) {
        self.path = Some(path);
    }

    /// Takes a new picture and returns the old one.
    pub fn receive(&mut self, update: Box<Update>) -> Box<Update> {
        self.receive_both(update)
    }

    /// The same, of this run alone.
    fn receive_own(&mut self, update: Box<Update>) -> Box<Update> {
        let now = &self.update;
        let other = update.run != now.run || !Arc::ptr_eq(&update.scenario, &now.scenario);
        let spent = if other {
            self.begin_anew(update)
        } else {
            let spent = std::mem::replace(&mut self.update, update);
            if spent.rate != self.update.rate {
                self.remember(&spent);
            }
            spent
        };
        if self.update.state == RunState::Deadlocked && spent.state != RunState::Deadlocked {
            self.guest = Pane::Chains;
            self.scroll = 0;
        }
        // In the past the load is what it was.
        if self.is_behind() || spent.seeking.is_some() {
            self.rate = self.update.rate;
        }
        if self.update.nothing && !spent.nothing {
            self.say("there is no such event");
        }
        self.receive_singles();
        self.receive_saved(spent.saves);
        if let Some(reason) = self.update.stopped_by.clone().filter(|_| spent.stopped_by.is_none())
        {
            let [run, when] = [Run::ToggleRun, Run::Break].map(|it| self.keys.way_to(it));
            self.say(&format!("stopped: {reason} ({run} goes on, {when} changes the condition)"));
        }
        self.refresh();
        spent
    }

    /// Keeps the mean latency of a load that is left, if it had been measured. Of a saturated network
    /// there is none.
    fn remember(&mut self, left: &Update) {
        if left.summary.steadiness.is_saturated() {
            return;
        }
        let Some((latency, _)) = left.summary.latency.zip(left.summary.measured_from) else {
            return;
        };
        let at = self.simulated.partition_point(|&(rate, _)| rate.0 < left.rate.0);
        let known = self.simulated.get(at).is_some_and(|&(rate, _)| rate == left.rate);
        if known {
            self.simulated[at].1 = latency.mean;
        } else {
            self.simulated.insert(at, (left.rate, latency.mean));
        }
    }

    /// Works out what is derived from the update.
    fn refresh(&mut self) {
        self.names.update(&self.update.snapshot);
        self.heat.update(&self.update, self.view, self.vc, self.heat_top);
        self.sort_messages();
        if self.view == View::Difference {
            self.compare_links();
        }
    }

    /// Whether the mouse, the run or a dialog makes keys mean something else.
    pub fn context(&self) -> Context {
        match self.dialog {
            None => Context::Main,
            Some(Dialog::Help(_)) => Context::Help,
            Some(Dialog::Chooser(_)) => Context::Chooser,
            Some(Dialog::Prompt(_)) => Context::Prompt,
            Some(Dialog::Confirm(_)) => Context::Confirm,
            Some(Dialog::Palette(_)) => Context::Palette,
            Some(Dialog::Problems(_)) => Context::Problems,
        }
    }

    /// What a key does now.
    pub fn action_of(&self, key: Key) -> Option<Action> {
        self.keys.action_of(self.context(), key)
    }

    /// How times are written.
    pub fn times(&self) -> Times {
        Times::of(&self.update)
    }

    /// Whether messages travel over circuits.
    pub fn has_circuits(&self) -> bool {
        self.update.scenario.system.circuit().is_some()
    }

    /// What messages are in the network: worms, or circuits.
    pub fn carrier(&self) -> &'static str {
        if self.has_circuits() { "circuit" } else { "worm" }
    }

    /// Says something in the bottom line until the next key.
    pub fn say(&mut self, what: &str) {
        self.note = Some(text::line(what));
    }
}
