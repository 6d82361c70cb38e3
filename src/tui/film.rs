//! Plays films: scripts of keys on a virtual clock, recorded without a terminal.
//!
//! Frames have fixed times. Between frames the run advances by the cycles due at its pace in one
//! frame period, so that a script produces the same bytes on any machine.

mod animation;
mod conditions;
mod form;
mod line_player;
mod rehearsal;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use ratatui::buffer::Buffer;

use super::action::{Action, Key, Pointer, Program};
use super::app::{Effect, shrinking};
use super::bindings;
use super::display::Display;
use super::pen::grouped;
use super::picture;
use super::study::StudyView;
use super::terminal::Options;
use super::theme::Environment;
use crate::experiment::sweep::WatchedFolder;
use crate::files::Refused;
use crate::live::{AT_ONCE_MAX, ClockedRun, RunState, Update};
use crate::recording::Script;
use crate::recording::script::{CONTROL, Command as Order, EVERY, Line, NAMED, OUTSIDE};
use crate::scenario::{Place, Problem, Scenario};
use crate::units::WHOLE;

use animation::Animation;
pub use form::Form;
pub use line_player::LinePlayer;
pub use rehearsal::rehearse;

/// Default columns and rows.
pub const SIZE: (u16, u16) = (120, 40);
/// Default frames per second, sufficient for changes on a screen.
pub const FPS: u16 = 15;
/// Time to type a letter, in microseconds.
const LETTER: u64 = 60_000;

/// The cause of a failed film.
#[derive(Debug)]
pub enum FilmError {
    Io(io::Error),
    /// An impossible request of the script.
    Script(Box<Problem>),
}

impl From<io::Error> for FilmError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Statistics of a finished film.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FilmStatistics {
    /// Number of frames that differ from their predecessor.
    pub frames: u64,
    pub length: u64,
}

/// Parses a script with the key names of this screen; the error lists all problems.
pub fn script(name: &str, text: &str) -> Result<Script<Key>, Vec<Problem>> {
    Script::parse(name, text, bindings::key_named)
}

/// Plays `script` on a run of `scenario` and writes the recording into `out`. `still` receives the
/// name and content of each picture taken by the script. Other files of the script are written
/// below the folder of the options' write guard (by default the current folder) and replace no
/// existing file. Colours follow the options rather than the environment, by default dark with 24
/// bits.
pub fn record(
    options: Options,
    scenario: Arc<Scenario>,
    size: (u16, u16),
    script: &Script<Key>,
    form: Form,
    mut out: impl Write,
    mut still: impl FnMut(&str, &[u8]) -> Result<(), Refused>,
) -> Result<FilmStatistics, FilmError> {
    let (title, progress) = (scenario.full_title(), options.progress.clone());
    let cast = (form == Form::Cast).then_some(&mut out);
    let mut player = Player::begin(options, scenario, size, script.name.clone(), (cast, None))?;
    if form == Form::Svg {
        let palette = picture::palette(player.display.app.theme);
        player.animation =
            Some(Animation::new(palette, title, animation::captions::rows(script, size.0)?));
    }
    for (number, line) in (0u32..).zip(&script.lines) {
        if player.over {
            break;
        }
        if let Some(share) = &progress {
            let lines = script.lines.len().max(1) as u32;
            share.store(WHOLE * number.min(lines) / lines, Ordering::Relaxed);
        }
        player.play(line, &mut still)?;
        if player.run.take_overrun() {
            let what =
                format!("this is more than {} cycles away, or never comes", grouped(AT_ONCE_MAX));
            let help = "go to a nearer cycle; an event is looked for in 1,048,576 cycles";
            return Err(player.film_error(&line.place, what, help));
        }
        if let Some((path, refused)) = player.display.refused.take() {
            let help = "what the keys of a script write replaces no file: name another";
            return Err(player.unwritten(line, &path, refused, help));
        }
    }
    player.look()?;
    player.show()?;
    let animation = player.animation.take();
    let takes = player.end()?;
    if let Some(animation) = animation {
        out.write_all(animation.end(takes.length).as_bytes())?;
    }
    out.flush()?;
    Ok(takes)
}

/// Builds an error of a film with its position in the script.
fn film_error(source: &str, place: Option<&Place>, what: String, help: &str) -> FilmError {
    let (source, place, help) = (source.to_owned(), place.cloned(), Some(help.to_owned()));
    FilmError::Script(Box::new(Problem { source, place, what, help }))
}

struct Player<W: Write> {
    name: String,
    display: Display<W>,
    run: ClockedRun,
    /// True if the run has changed since the last snapshot.
    news: bool,
    /// The previous snapshot, to reuse its memory.
    spare: Option<Box<Update>>,
    fps: u64,
    /// Number of the next frame.
    frame: u64,
    /// The script's time, in microseconds.
    due: u64,
    shown: Option<Buffer>,
    takes: u64,
    /// True after a key has quit the program.
    over: bool,
    /// The SVG film; `None` for an asciicast.
    animation: Option<Animation>,
}

impl<W: Write> Player<W> {
    fn begin(
        mut options: Options,
        scenario: Arc<Scenario>,
        size: (u16, u16),
        name: String,
        (cast, within): (Option<W>, Option<(u64, f64)>),
    ) -> Result<Self, FilmError> {
        // Colours of the recording are independent of the environment.
        crossterm::style::force_color_output(true);
        let environment = Environment {
            colorterm: "truecolor".to_owned(),
            locale: "C.UTF-8".to_owned(),
            ..Environment::default()
        };
        let header = options.header.clone();
        let mut run = ClockedRun::new(Arc::clone(&scenario), options.run(&scenario));
        if let Some((at_once, per_second)) = within {
            run = run.within(at_once, per_second);
        }
        options.orders().into_iter().for_each(|order| run.execute(order));
        if let Some(origin) = options.session.as_ref().filter(|_| run.take_overrun()) {
            let (live, most) = (grouped(origin.saved.live.0), grouped(AT_ONCE_MAX));
            let what = format!("its newest cycle is {live}; a film begins at {most} at most");
            return Err(film_error(&origin.path, None, what, "save an earlier one with `W`"));
        }
        let fence = options.fence.clone().unwrap_or_default();
        let fps = u64::from(options.fps.clamp(1, 240));
        let mut first = Box::new(Update::empty(scenario));
        let spare = Some(first.clone());
        run.draw(&mut first);
        // A film shows the study's folder as of its beginning.
        let study =
            options.study.take().map(WatchedFolder::still).transpose().map_err(io::Error::other)?;
        let mut app = options.app(first, &environment, size);
        app.study = study.map(StudyView::new);
        let mut display = Display::new(app, Some(fence));
        if let Some(out) = cast {
            display.record(out, header)?;
        }
        Ok(Self {
            name,
            display,
            run,
            news: false,
            spare,
            fps,
            frame: 0,
            due: 0,
            shown: None,
            takes: 0,
            over: false,
            animation: None,
        })
    }

    /// Builds an error about a line of the script.
    fn film_error(&self, place: &Place, what: String, help: &str) -> FilmError {
        film_error(&self.name, Some(place), what, help)
    }

    fn unwritten(&self, line: &Line<Key>, path: &str, refused: Refused, exists: &str) -> FilmError {
        let (what, help) = match refused {
            Refused::Outside => (format!("`{path}` lies outside the folder of the film"), OUTSIDE),
            Refused::Control => (format!("`{path}`{CONTROL}"), NAMED),
            Refused::Exists(error) => (error.to_string(), exists),
            Refused::Io(error) => return error.into(),
        };
        self.film_error(&line.place, what, help)
    }

    /// Time of the next frame, in microseconds.
    fn now(&self) -> u64 {
        self.frame * 1_000_000 / self.fps
    }

    fn play(
        &mut self,
        line: &Line<Key>,
        still: &mut impl FnMut(&str, &[u8]) -> Result<(), Refused>,
    ) -> Result<(), FilmError> {
        match &line.command {
            Order::Wait(time) => self.pass(*time)?,
            Order::Key { key, times, every } => {
                for _ in 0..*times {
                    self.press(*key)?;
                    self.pass(*every)?;
                }
            }
            Order::Type(text) => {
                for letter in text.chars() {
                    self.press(if letter == '\n' { Key::Enter } else { Key::Char(letter) })?;
                    self.pass(LETTER)?;
                }
            }
            Order::Click { at: (x, y), double } => {
                self.point([Pointer::Click(*x, *y), Pointer::Release])?;
                if *double {
                    self.point([Pointer::DoubleClick(*x, *y), Pointer::Release])?;
                }
            }
            Order::Drag { from, to } => {
                let ways = [Pointer::Click(from.0, from.1), Pointer::Drag(from.0, from.1)];
                self.point(ways)?;
                self.point([Pointer::Drag(to.0, to.1), Pointer::Release])?;
            }
            Order::Wheel { up, at: (x, y) } => self.point([Pointer::Wheel(*up, *x, *y)])?,
            Order::Resize((columns, rows)) => {
                self.shown = None;
                self.act(Program::Resize(*columns, *rows))?;
            }
            Order::Marker(name) => {
                // A marker refers to the present screen.
                self.show()?;
                self.display.mark(self.now(), name);
                if let Some(animation) = &mut self.animation {
                    animation.set_caption(name);
                    self.shown = None;
                }
            }
            Order::Until(until) => self.wait_for(*until, &line.place)?,
            Order::Shot(name) => {
                let palette = picture::palette(self.display.app.theme);
                if let Some(content) = picture::of(name, &self.display.buffer(), palette) {
                    still(name, &content).map_err(|refused| {
                        let help = "`--force` with `--stills FOLDER` replaces stills there";
                        self.unwritten(line, name, refused, help)
                    })?;
                }
            }
        }
        Ok(())
    }

    fn press(&mut self, key: Key) -> io::Result<()> {
        self.display.app.action_of(key).map_or(Ok(()), |action| self.act(action))
    }

    fn point<const N: usize>(&mut self, actions: [Pointer; N]) -> io::Result<()> {
        actions.into_iter().try_for_each(|action| self.act(action))?;
        self.pass(EVERY)
    }

    /// Executes an action; the run responds as time passes.
    fn act(&mut self, action: impl Into<Action>) -> io::Result<()> {
        let effects = self.display.hear(self.now(), action.into());
        self.execute(effects)
    }

    /// Takes a snapshot of the run, if changed.
    fn look(&mut self) -> io::Result<()> {
        let Some(mut update) = self.spare.take_if(|_| self.news) else { return Ok(()) };
        self.news = false;
        self.run.draw(&mut update);
        let (spent, effects) = self.display.receive(self.now(), update);
        self.spare = Some(spent);
        self.execute(effects)
    }

    fn execute(&mut self, effects: Vec<Effect>) -> io::Result<()> {
        for effect in effects {
            match effect {
                Effect::Send(command) => {
                    self.run.execute(command);
                    self.news = true;
                }
                Effect::Quit => self.over = true,
                Effect::Record(_) | Effect::EndRecording => {
                    self.display.app.notify("a film records itself");
                }
                Effect::Work(_) | Effect::Sweep(..) => {
                    self.display
                        .app
                        .refuse_runs("films cannot sweep loads; record a sweep with `sweep`");
                }
                Effect::Shrink(saved) => {
                    shrinking::at_once(&mut self.display.app, &saved);
                    let effects = self.display.app.effects();
                    let left = self.display.execute(self.now(), effects);
                    self.execute(left)?;
                }
                Effect::Study(_) => {
                    self.display.app.notify("a film shows the study that it began with");
                }
                Effect::Edit(..) => self.display.app.notify("nobody edits in a film"),
                // Films lack a terminal and a mouse; the other requests are handled by the display.
                Effect::Suspend
                | Effect::StopSweep
                | Effect::StopShrinking
                | Effect::Repaint
                | Effect::Mouse(_)
                | Effect::Copy(_)
                | Effect::CopySelection(_)
                | Effect::Picture(_)
                | Effect::Write(_) => {}
            }
        }
        Ok(())
    }

    fn pass(&mut self, time: u64) -> io::Result<()> {
        if time > 0 {
            self.look()?;
        }
        self.due += time;
        while self.now() < self.due {
            self.next_frame()?;
        }
        Ok(())
    }

    /// Shows a frame and advances to the next.
    fn next_frame(&mut self) -> io::Result<()> {
        self.show()?;
        let before = self.now();
        self.frame += 1;
        self.run.elapse(Duration::from_micros(self.now() - before));
        self.news = true;
        self.look()
    }

    fn show(&mut self) -> io::Result<()> {
        let buffer = self.display.buffer();
        if self.shown.as_ref() != Some(&buffer) {
            let at = self.now();
            self.takes += u64::from(self.display.film(at) || self.animation.is_some());
            if let Some(animation) = &mut self.animation {
                animation.frame(at, buffer.clone());
            }
            self.shown = Some(buffer);
        }
        self.display.broken.take().map_or(Ok(()), Err)
    }

    fn end(mut self) -> Result<FilmStatistics, FilmError> {
        let length = self.now();
        self.display.cut(length, 0);
        if let Some(why) = self.display.broken.take() {
            return Err(why.into());
        }
        Ok(FilmStatistics { frames: self.takes, length })
    }
}
