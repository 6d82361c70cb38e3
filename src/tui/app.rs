//! The screen's state and what actions do to it. Nothing here draws.

mod audit;
mod commands;
mod compare;
mod dialogs;
mod files;
mod help;
mod mouse;
mod moves;
mod program;
mod questions;
mod run;
mod singles;
mod state;
mod study;
mod tables;
mod tour;

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use mouse::Drag;
use singles::Singles;
use state::{MapState, Motion, PaneState};

use super::action::{Action, Key, Program, Run};
use super::bindings::{Context, Keymap};
use super::glyphs::Glyphs;
use super::grid::frame::Origin;
use super::help::Help;

use super::library::Library;
use super::perf::Perf;
use super::rows::{LinkTable, MessageTable};
use super::run_view::RunView;
use super::shown::Shown;
use super::study::{StudyView, Sweep};
use super::theme::Theme;
use super::theme::looks::Looks;
use super::tour::Tour;
use super::view::{Pane, View};
use crate::live::{Command, Death, RunState, Update};
use crate::scenario::Scenario;
use crate::session::events::Events;
use crate::text;
pub(super) use dialogs::{Confirm, Dialog, Problems, Prompt};
pub(super) use files::{Writing, Written, recorded, recording_into};

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
    /// Put this into the clipboard.
    Copy(String),
    /// Record the screen into this file.
    Record(String),
    EndRecording,
    /// Save the screen as a picture in this file.
    Picture(String),
    /// Write statistics or the session into a file.
    Write(Writing),
    /// Show the study of this folder.
    Study(PathBuf),
    /// Run the missing points of the study in the background, or stop that.
    Work(bool),
    /// Sweep the loads of this scenario with this seed in the background, or go on with that.
    Sweep(Arc<Scenario>, u64),
    /// Stop that; what is finished stays.
    StopSweep,
    /// Open the file in an editor, after writing this copy of the scenario into it.
    Edit(String, Option<String>),
}

/// The screen's state. What belongs to the active run is in its `RunView`.
#[derive(Debug)]
pub struct App {
    /// The runs, at least one.
    runs: Vec<RunView>,
    /// The place among them of the one that panes and commands are about.
    active: usize,
    /// The map of the network.
    pub(super) map: MapState,
    pub(super) panes: PaneState,
    pub(super) motion: Motion,
    pub(super) theme: Theme,
    /// What that can be changed to.
    pub(super) looks: Looks,
    pub(super) glyphs: Glyphs,
    /// The layer over the screen.
    pub(super) dialog: Option<Dialog>,
    /// Something said once, until the next key.
    pub(super) note: Option<String>,
    /// The simulation thread's end, if it died.
    pub(super) death: Option<Death>,
    /// Columns and rows of the terminal.
    pub(super) size: (u16, u16),
    /// True if the mouse is ours.
    pub(super) mouse: bool,
    pub(super) links: LinkTable,
    pub(super) messages: MessageTable,
    pub(super) singles: Singles,
    /// The tour, once it was begun.
    pub(super) tour: Option<Tour>,
    /// The study that is open, shown or behind the run.
    pub(super) study: Option<StudyView>,
    /// The sweep of a run's loads in the background.
    pub(super) sweep: Option<Sweep>,
    /// The file into which the screen is being recorded.
    pub(super) recording: Option<String>,
    /// True if the screen is drawn for the recording itself, which does not tell of itself.
    pub(super) filmed: bool,
    pub(super) keys: Keymap,
    /// How the screen keeps up, where that is to be seen.
    pub(super) perf: Option<Perf>,
    /// The commands given before.
    lines: Vec<String>,
    library: Rc<dyn Library>,
    /// The file of this session, once there is one.
    pub(super) path: Option<String>,
    /// The file for the session that has been asked for.
    saving: Option<String>,
    drag: Option<Drag>,
    /// What is left for the caller to do.
    effects: Vec<Effect>,
}

impl<'a> From<&'a App> for Shown<'a> {
    fn from(app: &'a App) -> Self {
        app.shown()
    }
}

impl Deref for App {
    type Target = RunView;

    fn deref(&self) -> &RunView {
        &self.runs[self.active]
    }
}

impl DerefMut for App {
    fn deref_mut(&mut self) -> &mut RunView {
        &mut self.runs[self.active]
    }
}

impl App {
    /// A screen for a run whose first update is `update`.
    pub fn new(
        mut update: Box<Update>,
        library: Box<dyn Library>,
        theme: Theme,
        ascii: bool,
        size: (u16, u16),
    ) -> Self {
        let mut others = std::mem::take(&mut update.others);
        let mut app = Self {
            active: 0,
            map: MapState::default(),
            panes: PaneState::default(),
            motion: Motion {
                pace: update.speed,
                rate: update.rate,
                step_many_text: String::new(),
                last_jump: None,
                events: Events::all(),
            },
            theme,
            looks: Looks::of(theme),
            glyphs: Glyphs::new(ascii),
            drag: None,
            dialog: None,
            note: None,
            death: None,
            size,
            mouse: false,
            tour: None,
            study: None,
            sweep: None,
            links: LinkTable::default(),
            recording: None,
            filmed: false,
            messages: MessageTable::default(),
            singles: Singles::default(),
            keys: Keymap::default(),
            perf: None,
            lines: Vec::new(),
            library: Rc::from(library),
            path: None,
            saving: None,
            effects: Vec::new(),
            runs: vec![RunView::new(update)],
        };
        app.map.cursor = app.middle();
        app.motion.step_many_text = app.first_many();
        app.receive_others(&mut others);
        app
    }

    /// How far `;` goes at first.
    fn first_many(&self) -> String {
        if self.has_circuits() { "1" } else { "100" }.to_owned()
    }

    /// Takes a new picture of the active run in exchange for the old one.
    fn receive_active(&mut self, update: &mut Update) {
        let active = self.active;
        self.runs[active].receive(update);
        let spent = &*update;
        if !self.goes_on_from(spent) {
            self.begin_anew(spent);
        }
        if self.update.state == RunState::Deadlocked && spent.state != RunState::Deadlocked {
            self.panes.spare_pane = Pane::Chains;
            self.panes.scroll = 0;
        }
        // In the past the load is what it was.
        if self.is_behind() || spent.seeking.is_some() {
            self.motion.rate = self.update.rate;
        }
        if self.update.no_such_event && !spent.no_such_event {
            self.say("there is no such event");
        }
        self.receive_singles();
        self.receive_saved(spent.saves);
        if let Some(reason) = self.update.stopped_by.clone().filter(|_| spent.stopped_by.is_none())
        {
            let [run, when] = [Run::ToggleRun, Run::Break].map(|it| self.keys.way_to(it));
            self.say(&format!("stopped: {reason} ({run} goes on, {when} changes the condition)"));
        }
    }

    /// Another run than that of `spent` is active. What refers to that one goes with it; what stays
    /// is how a person has arranged the screen.
    fn begin_anew(&mut self, spent: &Update) {
        let same = spent.run == self.update.run;
        self.singles = if same { self.singles.anew() } else { Singles::default() };
        if !Arc::ptr_eq(&spent.scenario, &self.update.scenario) {
            (self.map.zoom, self.map.vc, self.map.origin) = (None, None, Origin::default());
            self.map.cursor = self.middle();
        }
        if spent.scenario.system.time_unit() != self.update.scenario.system.time_unit() {
            self.motion.step_many_text = self.first_many();
        }
        (self.links.chosen, self.messages.chosen) = (None, None);
        (self.drag, self.motion.last_jump, self.panes.scroll) = (None, None, 0);
        self.motion.rate = self.update.rate;
        self.dialog.take_if(|dialog| dialog.is_about_one_run());
        if [self.panes.focus, self.panes.spare_pane].contains(&Pane::History) {
            self.close_history();
        }
        if self.saving.take().is_some() {
            self.say("the session was not saved: another run has begun");
        }
    }

    /// Works out what is derived from the pictures.
    fn refresh(&mut self) {
        for run in &mut self.runs {
            run.refresh(self.map.view, self.map.vc, self.map.heat_top);
        }
        if self.map.view == View::Difference {
            self.compare_links();
        }
        self.messages.sort(&self.runs[self.active].update);
        self.measure();
    }

    pub(super) fn context(&self) -> Context {
        match self.dialog {
            None | Some(Dialog::Card) if self.shown_study().is_some() => Context::Studying,
            None | Some(Dialog::Card) => match self.guide().map(Tour::asks) {
                None => Context::Main,
                Some(true) => Context::Question,
                Some(false) => Context::Guided,
            },
            Some(Dialog::Help(Help { search: Some(_), .. })) => Context::Search,
            Some(Dialog::Help(_)) => Context::Help,
            Some(Dialog::Chooser(_)) => Context::Chooser,
            Some(Dialog::Prompt(_)) => Context::Prompt,
            Some(Dialog::Confirm(_)) => Context::Confirm,
            Some(Dialog::Palette(_)) => Context::Palette,
            Some(Dialog::Problems(_)) => Context::Problems,
        }
    }

    pub(super) fn action_of(&self, key: Key) -> Option<Action> {
        let action = self.keys.action_of(self.context(), key);
        // The card goes at any key.
        action.or(matches!(self.dialog, Some(Dialog::Card)).then_some(Program::Back.into()))
    }

    /// Says something in the bottom line until the next key.
    pub(super) fn say(&mut self, what: &str) {
        self.note = Some(text::line(what));
    }

    fn send(&mut self, command: Command) {
        self.effects.push(Effect::Send(command));
    }

    /// What is left for the caller to do.
    pub(super) fn effects(&mut self) -> Vec<Effect> {
        self.ask_for_messages();
        std::mem::take(&mut self.effects)
    }
}
