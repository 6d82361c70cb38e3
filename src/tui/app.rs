//! The screen's state and the effects of actions on the state; no drawing.

mod audit;
mod commands;
mod compare;
mod copying;
mod dialogs;
mod failing;
mod files;
mod help;
mod mouse;
mod moves;
mod program;
mod questions;
mod run;
pub(in crate::tui) mod shrinking;
mod study;
mod tables;
mod tour;
mod tracking;

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use mouse::Drag;
use moves::Target;
use tracking::Tracking;

use super::action::{Action, Key, Program, Run};
use super::bindings::{Context, Keymap};
use super::glyphs::Glyphs;
use super::grid::frame::Origin;
use super::help::Help;
use super::layout::PaneState;
use super::library::Library;
use super::perf::Perf;
use super::planned::Planned;
use super::rows::{LinkTable, MessageTable};
use super::run_view::RunView;
use super::scene::{MapState, Scene};
use super::selection::Selection;
use super::shrinking::Shrinking;
use super::study::{StudyView, Sweep};
use super::theme::Theme;
use super::theme::looks::Looks;
use super::tour::Tour;
use super::view::{Filter, Pane, View};
use crate::live::{Command, RunState, Speed, ThreadPanic, Update};
use crate::scenario::Scenario;
use crate::session::events::Events;
use crate::session::saved::Saved;
use crate::text;
use crate::units::Rate;
pub(super) use dialogs::{Confirm, Dialog, Problems, Prompt};
pub(super) use files::{Writing, Written, recorded, recording_into};

/// A request to the caller after an action.
#[derive(Clone, Debug)]
pub enum Effect {
    Send(Command),
    Quit,
    Suspend,
    Repaint,
    Mouse(bool),
    Copy(String),
    /// Copy the selected text of the screen.
    CopySelection(Selection),
    Record(String),
    EndRecording,
    /// Save a picture of the screen in a file.
    Picture(String),
    /// Write statistics or the session into a file.
    Write(Writing),
    Study(PathBuf),
    /// Start or stop running the missing points of the study in the background.
    Work(bool),
    /// Reduce the deadlock of a session in the background.
    Shrink(Arc<Saved>),
    /// End the reduction with the smallest deadlock so far.
    StopShrinking,
    /// Start or resume a background sweep of the loads of a scenario, with a seed.
    Sweep(Arc<Scenario>, u64),
    /// Stop the sweep and keep all finished points.
    StopSweep,
    /// Open a file in an editor, after writing a copy of the scenario (if given) into the file.
    Edit(String, Option<String>),
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

/// The screen's state, except the state of each run, stored in its `RunView`.
#[derive(Debug)]
pub struct App {
    /// All runs, at least one.
    runs: Vec<RunView>,
    /// Index of the active run, the subject of panes and commands.
    active: usize,
    pub(super) map: MapState,
    pub(super) panes: PaneState,
    pub(super) motion: Motion,
    pub(super) theme: Theme,
    pub(super) looks: Looks,
    pub(super) glyphs: Glyphs,
    pub(super) dialog: Option<Dialog>,
    /// A message in the bottom line, until the next key.
    pub(super) note: Option<String>,
    /// The cause of the simulation thread's death, if any.
    pub(super) death: Option<ThreadPanic>,
    /// Columns and rows of the terminal.
    pub(super) size: (u16, u16),
    pub(super) mouse: bool,
    pub(super) links: LinkTable,
    pub(super) messages: MessageTable,
    pub(super) tracking: Tracking,
    pub(super) tour: Option<Tour>,
    /// The open study, either shown or behind the run.
    pub(super) study: Option<StudyView>,
    pub(super) sweep: Option<Sweep>,
    pub(super) shrinking: Option<Shrinking>,
    /// The differences of the network of the first scenario from its plan.
    pub(super) planned: Option<Planned>,
    /// The file of the screen recording in progress.
    pub(super) recording: Option<String>,
    /// True if the screen is drawn for the recording itself, without the recording mark.
    pub(super) filmed: bool,
    pub(super) keys: Keymap,
    pub(super) perf: Option<Perf>,
    lines: Vec<String>,
    library: Rc<dyn Library>,
    /// The file of this session, once saved or resumed.
    pub(super) path: Option<String>,
    /// True if this run of the program wrote that file.
    pub(super) wrote_path: bool,
    /// The requested file name of a session being saved.
    saving: Option<String>,
    drag: Option<Drag>,
    effects: Vec<Effect>,
}

impl<'a> From<&'a App> for Scene<'a> {
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
    /// Creates the screen of a run from its first update.
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
            shrinking: None,
            planned: None,
            links: LinkTable::default(),
            recording: None,
            filmed: false,
            messages: MessageTable::default(),
            tracking: Tracking::default(),
            keys: Keymap::default(),
            perf: None,
            lines: Vec::new(),
            library: Rc::from(library),
            path: None,
            wrote_path: false,
            saving: None,
            effects: Vec::new(),
            runs: vec![RunView::new(update)],
        };
        app.map.cursor = app.middle();
        app.motion.step_many_text = app.words().many.to_owned();
        app.receive_others(&mut others);
        app
    }

    /// Receives a new snapshot of the active run in exchange for the old snapshot.
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
        // Past cycles show the load of their own time.
        if self.is_behind() || spent.seeking.is_some() {
            self.motion.rate = self.update.rate;
        }
        if self.update.no_such_event && !spent.no_such_event {
            self.notify("there is no such event");
        }
        self.receive_singles();
        self.receive_saved(spent.saves);
        shrinking::receive_session(self, spent.saves);
        self.receive_earlier(spent.saves);
        if let Some(reason) = self.update.stopped_by.clone().filter(|_| spent.stopped_by.is_none())
        {
            let [run, when] = [Run::ToggleRun, Run::Break].map(|it| self.keys.way_to(it));
            self.notify(&format!(
                "stopped: {reason} ({run} goes on, {when} changes the condition)"
            ));
        }
    }

    /// Resets the state of the former run after another run became active; the arrangement of the
    /// screen is kept.
    fn begin_anew(&mut self, spent: &Update) {
        let same = spent.run == self.update.run;
        self.tracking = if same { self.tracking.anew() } else { Tracking::default() };
        if !Arc::ptr_eq(&spent.scenario, &self.update.scenario) {
            (self.map.zoom, self.map.origin) = (None, Origin::default());
            self.map.filter = Filter::default();
            self.map.cursor = self.middle();
        }
        if spent.scenario.system.time_unit() != self.update.scenario.system.time_unit() {
            self.motion.step_many_text = self.words().many.to_owned();
        }
        (self.links.chosen, self.messages.chosen) = (None, None);
        (self.drag, self.motion.last_jump, self.panes.scroll) = (None, None, 0);
        self.motion.rate = self.update.rate;
        self.dialog.take_if(|dialog| dialog.is_about_one_run());
        if [self.panes.focus, self.panes.spare_pane].contains(&Pane::History) {
            self.close_history();
        }
        if self.saving.take().is_some() {
            self.notify("the session was not saved: another run has begun");
        }
        if self.shrinking.take().is_some() {
            self.effects.push(Effect::StopShrinking);
            self.notify("the deadlock is not reduced further: another run has begun");
        }
    }

    /// Recomputes everything derived from the snapshots.
    fn refresh(&mut self) {
        if !self.map.heat_is_chosen {
            let tops = self.runs.iter().map(|run| run.heat.top(&run.update, self.map.view));
            self.map.heat_top = tops.fold(0.0, f32::max);
        }
        for run in &mut self.runs {
            run.refresh(self.map.view, self.map.filter, self.map.heat_top);
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
        // Any key closes the card.
        action.or(matches!(self.dialog, Some(Dialog::Card)).then_some(Program::Back.into()))
    }

    /// Shows a message in the bottom line until the next key.
    pub(super) fn notify(&mut self, what: &str) {
        self.note = Some(text::line(what));
    }

    fn send(&mut self, command: Command) {
        self.effects.push(Effect::Send(command));
    }

    /// Takes all pending requests to the caller.
    pub(super) fn effects(&mut self) -> Vec<Effect> {
        self.ask_for_messages();
        std::mem::take(&mut self.effects)
    }
}
