//! Options for showing a live run.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use crate::experiment::sweep::Folder;
use crate::files::{Fence, Lines};
use crate::live::{self, Command, Pace, Update};
use crate::recording::Header;
use crate::scenario::Scenario;
use crate::session::saved::Saved;
use crate::tui::app::{App, Dialog};
use crate::tui::bindings::Keymap;
use crate::tui::layout::Preset;
use crate::tui::library::{Library, Shelf};
use crate::tui::planned::Planned;
use crate::tui::theme::custom::CustomColours;
use crate::tui::theme::looks::{Look, Looks};
use crate::tui::theme::{Depth, Environment, Kind, Ramp, Theme};
use crate::tui::tour::Tour;

/// A saved session to resume.
#[derive(Clone, Debug)]
pub struct Origin {
    pub saved: Saved,
    pub path: String,
}

/// Options for showing a live run.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wish of its own")]
pub struct Options {
    /// The look; `None` selects a look suitable for the terminal.
    pub theme: Option<Kind>,
    /// The number of colours; `None` follows the terminal.
    pub color: Option<Depth>,
    /// A colour scheme or a user theme.
    pub look: Option<&'static Look>,
    pub looks: Vec<&'static Look>,
    /// The heat colours; `None` follows the look.
    pub ramp: Option<Ramp>,
    pub own: Option<&'static CustomColours>,
    /// True for plain ASCII; false follows the locale.
    pub ascii: bool,
    /// True to draw lines in braille dots, except in ASCII.
    pub braille: bool,
    pub fps: u32,
    /// True to enable mouse events from the start.
    pub mouse: bool,
    pub layout: Preset,
    /// The initial pace; [`live::Options::speed`] is ignored.
    pub pace: Pace,
    /// The initial averaging window of utilisation, in cycles.
    pub window: u64,
    pub keys: Keymap,
    pub live: live::Options,
    pub library: Box<dyn Library>,
    /// The session to resume, or `None` for a new run.
    pub session: Option<Origin>,
    /// The header of recordings, completed by the screen.
    pub header: Header,
    /// Progress of a film as a share of its lines, in parts of [`crate::units::WHOLE`].
    pub progress: Option<Arc<AtomicU32>>,
    /// File and display name of a recording from the start.
    pub record: Option<(String, Lines)>,
    /// The scenario to compare with from the start.
    pub against: Option<Arc<Scenario>>,
    /// The write guard of a film, by default for the current folder; a session at a terminal may
    /// write anywhere.
    pub fence: Option<Fence>,
    /// The folder of the study to show; the scenario then belongs to a point of the study.
    pub study: Option<Folder>,
    /// The differences of the network from its plan.
    pub planned: Option<Planned>,
    /// True to begin with a card of the main keys.
    pub card: bool,
    /// The tour to take; the scenario then belongs to its first step.
    pub tour: Option<Tour>,
}

impl Options {
    /// The defaults with scenarios from `library`.
    pub fn new(library: Shelf) -> Self {
        let window = live::WINDOW;
        Self { library: Box::new(library), braille: true, fps: 30, window, ..Self::default() }
    }

    pub(in crate::tui) fn run(&self, scenario: &Scenario) -> live::Options {
        let alone = self.session.is_none() && self.tour.is_none() && self.study.is_none();
        let running = self.live.running && alone;
        let own = self.tour.as_ref().and_then(Tour::pace);
        let speed = own.unwrap_or_else(|| self.pace.speed(scenario.system.time_unit()));
        live::Options { running, speed, ..self.live }
    }

    pub(in crate::tui) fn orders(&self) -> Vec<Command> {
        let window = (self.window != live::WINDOW).then_some(Command::Window(self.window));
        let session = self.session.as_ref();
        let session = session.map(|origin| Command::Resume(Box::new(origin.saved.clone())));
        let against = self.against.as_ref().map(|against| Command::Against(Arc::clone(against)));
        window.into_iter().chain(session).chain(against).collect()
    }

    /// Creates the screen's state with the run's first snapshot.
    pub(in crate::tui) fn app(
        self,
        first: Box<Update>,
        environment: &Environment,
        size: (u16, u16),
    ) -> App {
        let theme = self.theme_in(environment);
        let ascii = self.ascii || environment.ascii();
        let mut app = App::new(first, self.library, theme, ascii, size);
        app.looks = Looks { own: self.looks, ramp: self.ramp, ..app.looks };
        app.glyphs.braille &= self.braille;
        app.keys = self.keys;
        app.panes.preset = self.layout;
        app.tour = self.tour;
        app.dialog = self.card.then_some(Dialog::Card);
        if let Some(planned) = self.planned {
            app.notify(&planned.summary);
            app.planned = Some(planned);
        }
        let file = app.update.scenario.file.clone();
        app.path = self.session.map(|origin| origin.path);
        let folder = self.study.map(|folder| folder.path().display().to_string());
        if let Some(name) = folder.or(app.path.clone()).or(file) {
            app.remember(&name);
        }
        app.meet_tour();
        app
    }

    /// True if the terminal's background determines the look: no look was requested, and the
    /// terminal supports the query.
    pub(in crate::tui) fn asks_the_terminal(&self, environment: &Environment) -> bool {
        self.ground().is_none()
            && self.theme_in(environment).kind != Kind::Mono
            && !environment.is_plain()
    }

    /// True if the terminal should be queried for 24-bit colours: only 256 colours are certain, and
    /// the query would neither be passed on (GNU screen) nor displayed (macOS Terminal).
    pub(in crate::tui) fn asks_about_colours(&self, environment: &Environment) -> bool {
        self.color.is_none()
            && self.theme_in(environment).kind != Kind::Mono
            && environment.depth() == Depth::Xterm
            && !environment.term.starts_with("screen")
            && environment.program != "Apple_Terminal"
    }

    /// The theme resulting from the options in an environment.
    pub fn theme_in(&self, environment: &Environment) -> Theme {
        let colours = self.color.is_some() || self.look.is_some();
        let kind = self.ground().unwrap_or_else(|| {
            let no_color = environment.no_color && !colours;
            Environment { no_color, ..environment.clone() }.kind()
        });
        let depth = self.color.unwrap_or_else(|| environment.depth());
        let theme = Theme { kind, depth, own: self.own, ..Theme::default() };
        Looks { own: Vec::new(), ground: kind, ramp: self.ramp }.with(self.look, theme)
    }

    fn ground(&self) -> Option<Kind> {
        self.theme.or_else(|| self.look?.ground)
    }
}

#[cfg(test)]
mod tests;
