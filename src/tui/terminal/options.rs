//! How to show a live run.

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
use crate::tui::theme::looks::{Look, Looks};
use crate::tui::theme::own::Own;
use crate::tui::theme::{Depth, Environment, Kind, Ramp, Theme};
use crate::tui::tour::Tour;

/// A saved session to go on with.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The session.
    pub saved: Saved,
    /// The file in which it stood.
    pub path: String,
}

/// How to show a live run.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wish of its own")]
pub struct Options {
    /// The look, or what suits the terminal.
    pub theme: Option<Kind>,
    /// How many colours, or as many as the terminal says it has.
    pub color: Option<Depth>,
    /// The scheme, or the theme of a person's own.
    pub look: Option<&'static Look>,
    /// The themes of a person's own that there are.
    pub looks: Vec<&'static Look>,
    /// The colours of heat, or those of the look.
    pub ramp: Option<Ramp>,
    /// A person's own colours.
    pub own: Option<&'static Own>,
    /// Plain ASCII, or what the locale allows.
    pub ascii: bool,
    /// True if lines may be drawn in the dots of braille, where it is not ASCII.
    pub braille: bool,
    /// The most frames per second.
    pub fps: u32,
    /// The mouse is taken from the start.
    pub mouse: bool,
    /// How the panes are arranged at first.
    pub layout: Preset,
    /// How fast the run goes at first; [`live::Options::speed`] is not looked at.
    pub pace: Pace,
    /// Cycles over which the utilisation is averaged at first.
    pub window: u64,
    pub keys: Keymap,
    pub live: live::Options,
    /// Where the chooser finds scenarios.
    pub library: Box<dyn Library>,
    /// The session to open, if not a run from its beginning.
    pub session: Option<Origin>,
    /// What recordings say of themselves, as far as the screen does not know it.
    pub header: Header,
    /// The share of a film's lines that were played, in parts of [`crate::units::WHOLE`], if somebody waits.
    pub progress: Option<Arc<AtomicU32>>,
    /// The file to record into from the start, and its name for people.
    pub record: Option<(String, Lines)>,
    /// What to compare with from the beginning.
    pub against: Option<Arc<Scenario>>,
    /// Where the keys of a film may write; at a terminal they write where a person says.
    pub fence: Option<Fence>,
    /// The folder of the study to show; the scenario is then that of one of its points.
    pub study: Option<Folder>,
    /// A card with the first keys is shown first.
    pub card: bool,
    /// The tour to take; the scenario is then that of its first step.
    pub tour: Option<Tour>,
}

impl Options {
    /// The defaults, with scenarios from `library`.
    pub fn new(library: Shelf) -> Self {
        Self {
            theme: None,
            color: None,
            look: None,
            looks: Vec::new(),
            ramp: None,
            own: None,
            ascii: false,
            braille: true,
            layout: Preset::default(),
            pace: Pace::Natural,
            window: live::WINDOW,
            keys: Keymap::default(),
            fps: 30,
            mouse: false,
            live: live::Options::default(),
            library: Box::new(library),
            session: None,
            header: Header::default(),
            progress: None,
            record: None,
            against: None,
            fence: None,
            study: None,
            card: false,
            tour: None,
        }
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

    /// The screen's state at the beginning of a run whose first picture is `first`.
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
        let file = app.update.scenario.file.clone();
        app.path = self.session.map(|origin| origin.path);
        let folder = self.study.map(|folder| folder.path().display().to_string());
        if let Some(name) = folder.or(app.path.clone()).or(file) {
            app.remember(&name);
        }
        app.meet_tour();
        app
    }

    /// True if the terminal decides about the look: where nothing else was asked for, and it is one
    /// that can be asked.
    pub(in crate::tui) fn asks_the_terminal(&self, environment: &Environment) -> bool {
        self.ground().is_none()
            && self.theme_in(environment).kind != Kind::Mono
            && !environment.is_plain()
    }

    /// True if it is asked about its colours: where only 256 are promised, and nothing stands between
    /// that would hand the question on (GNU screen) or show it (Terminal of macOS).
    pub(in crate::tui) fn asks_about_colours(&self, environment: &Environment) -> bool {
        self.color.is_none()
            && self.theme_in(environment).kind != Kind::Mono
            && environment.depth() == Depth::Xterm
            && !environment.term.starts_with("screen")
            && environment.program != "Apple_Terminal"
    }

    /// The theme that these options give in an environment.
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

    /// The background that was asked for.
    fn ground(&self) -> Option<Kind> {
        self.theme.or_else(|| self.look?.ground)
    }
}

#[cfg(test)]
mod tests;
