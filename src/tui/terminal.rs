//! The terminal session: setup, main loop, and restoration of the terminal.
//!
//! The terminal is restored however the program ends.

mod clicks;
mod editor;
mod exit;
mod input;
mod mode;
mod options;
mod queries;
mod recordings;
mod shrinking;
mod signals;
mod studies;
mod watch;

use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use signal_hook::consts::SIGTSTP;

use super::action::Program;
use super::app::{Effect, Written};
use super::display::Display;
use super::frame_encoder::FrameEncoder;
use super::study::StudyView;
use super::theme::{Depth, Environment, Kind};
use crate::experiment::leases;
use crate::experiment::sweep::WatchedFolder;
use crate::files::{self, Lines};
use crate::live::{Live, RunState, Update};
use crate::recording::{Header, Recorder};
use crate::scenario::Scenario;
use clicks::Clicks;
pub use exit::{ExitReason, ExitReport};
use input::{Input, Listener};
use mode::Mode;
pub use options::{Options, Origin};
use queries::Reply;
use recordings::Recordings;
use shrinking::Reduction;
use signals::Signals;
use studies::Studies;

/// Polling interval for signals while the session is idle.
const IDLE: Duration = Duration::from_millis(100);
/// Polling interval while the simulation processes a command.
const SOON: Duration = Duration::from_millis(4);

/// Shows a live run of `scenario` until the user quits, a signal arrives, or the simulation dies.
pub fn run(mut options: Options, scenario: Arc<Scenario>) -> io::Result<ExitReport> {
    let mut environment = Environment::read();
    if options.color.is_some() {
        crossterm::style::force_color_output(true);
    }
    let run = options.run(&scenario);
    let mut live = Live::start(Arc::clone(&scenario), run)?;
    options.orders().into_iter().for_each(|order| live.send(order));
    let frame = Duration::from_secs(1) / options.fps.clamp(1, 240);
    let (mouse, record) = (options.mouse, options.record.take());
    let terminal = Some(environment.term.clone()).filter(|kind| !kind.is_empty());
    let recordings = Recordings::new(Header { terminal, ..std::mem::take(&mut options.header) });
    let mut first = Box::new(Update::empty(scenario));
    first.speed = run.speed;
    let signals = Signals::watch(|| {
        Mode::leave();
        leases::give_all_back();
    })?;
    let mode = Mode::enter()?;
    let (mut listener, mut early) = (Listener::new()?, Vec::new());
    let asks = options.asks_the_terminal(&environment);
    let colours = options.asks_about_colours(&environment);
    if asks || colours {
        for answer in queries::query(colours, &mut listener, &mut early)? {
            match answer {
                Reply::Light(light) => environment.light = Some(light).filter(|_| asks),
                Reply::Colours(all) => environment.all_colours = all,
            }
        }
    }
    let study =
        options.study.take().map(WatchedFolder::begin).transpose().map_err(io::Error::other)?;
    let status = study.as_ref().map(WatchedFolder::status);
    let size = mode::size()?;
    let mut app = options.app(first, &environment, size);
    app.study = status.map(StudyView::new);
    let studies = Studies::of(study)?;
    let (display, encoder) = (Display::new(app, None), FrameEncoder::new(size)?);
    let look = asks.then_some((display.app.theme.kind, false));
    let title = (!environment.is_plain()).then(String::new);
    let clicks = Clicks::default();
    let mut screen = Screen {
        display,
        encoder,
        live,
        recordings,
        frame,
        mode,
        signals,
        listener,
        look,
        title,
        clicks,
        studies,
        reduction: None,
    };
    if mouse {
        screen.display.app.mouse = true;
        screen.mode.set_mouse(true)?;
    }
    if let Some((path, file)) = record {
        screen.record(&path, Ok(file));
    }
    let reason = screen.attend(early);
    let status = reason.as_ref().map_or(1, ExitReason::status);
    let recorded = screen.recordings.end(&mut screen.display, status);
    let Screen { display, mode, live, .. } = screen;
    drop(mode);
    live.abandon();
    let scenario = Arc::clone(&display.app.update.scenario);
    Ok(ExitReport { reason: reason?, scenario, recorded })
}

struct Screen {
    display: Display<Recorder>,
    encoder: FrameEncoder,
    live: Live,
    recordings: Recordings,
    frame: Duration,
    mode: Mode,
    signals: Signals,
    listener: Listener,
    /// The look detected from the background, and true while a new reply is expected; `None` if the
    /// background is irrelevant.
    look: Option<(Kind, bool)>,
    /// The window's title; `None` for terminals without titles.
    title: Option<String>,
    clicks: Clicks,
    studies: Studies,
    reduction: Option<Reduction>,
}

impl Screen {
    /// Runs the main loop; `heard` is input received earlier.
    fn attend(&mut self, mut heard: Vec<Input>) -> io::Result<ExitReason> {
        let mut drawn: Option<Instant> = None;
        // Time of the first change not yet drawn.
        let mut since = Some(Instant::now());
        loop {
            let mut news = self.look()?;
            news |= self.recordings.look(&mut self.display);
            news |= self.studies.look(&mut self.display.app);
            if self.reduction.as_ref().is_some_and(|it| it.look(&mut self.display.app)) {
                self.execute_requests()?;
                news = true;
            }
            if self.display.app.death.is_none()
                && let Some(death) = self.live.death()
            {
                self.display.app.death = Some(death);
                news = true;
            }
            if let Some(signal) = self.signals.ending() {
                return Ok(ExitReason::Signal(signal));
            }
            if self.signals.take_stop() {
                self.stop()?;
                news = true;
            }
            if self.signals.take_continued() {
                // The program was stopped by a signal that cannot be caught, without restoring the
                // terminal.
                self.take_back()?;
                news = true;
            }
            if news {
                since.get_or_insert_with(Instant::now);
            }
            let due = drawn.map_or(Duration::ZERO, |at| self.frame.saturating_sub(at.elapsed()));
            if let Some(since) = since.take_if(|_| due.is_zero()) {
                let due = drawn.map_or(since, |at| since.max(at + self.frame));
                self.paint(drawn, due.elapsed())?;
                drawn = Some(Instant::now());
                continue;
            }
            // Earlier input is processed after the first frame.
            let idle = if heard.is_empty() { self.patience(since.map(|_| due)) } else { SOON };
            self.listener.listen(idle, &mut heard)?;
            if !heard.is_empty() {
                since.get_or_insert_with(Instant::now);
            }
            for input in heard.drain(..) {
                if let Some(reason) = self.hear(&input)? {
                    return Ok(reason);
                }
            }
        }
    }

    /// The time to wait for input: until the next frame, the next update of the simulation, or the
    /// next check for signals.
    fn patience(&self, frame_due: Option<Duration>) -> Duration {
        if let Some(due) = frame_due {
            return due;
        }
        let app = &self.display.app;
        if app.death.is_some() {
            return IDLE;
        }
        if app.update.commands < self.live.sent() || self.recordings.is_busy() {
            return SOON.max(self.frame / 4);
        }
        let busy = matches!(app.update.state, RunState::Running | RunState::Seeking);
        if busy || app.is_retracing() { self.frame / 2 } else { IDLE }
    }

    /// Paints a frame. `last` is the time of the previous frame, `late` the delay after the due
    /// time.
    fn paint(&mut self, last: Option<Instant>, late: Duration) -> io::Result<()> {
        let began = Instant::now();
        let mut out = io::stdout().lock();
        self.encoder.encode(&self.display.app, |frame| {
            out.write_all(frame)?;
            out.flush()
        })?;
        self.display.film(self.recordings.now());
        drop(out);
        let name = format!("{} - flitscope", self.display.app.update.scenario.name);
        if let Some(title) = self.title.as_mut().filter(|title| **title != name) {
            Mode::set_title(&name)?;
            *title = name;
        }
        if let (Some(perf), Some(last)) = (&mut self.display.app.perf, last) {
            perf.painted(began.duration_since(last), began.elapsed(), late, self.frame);
        }
        Ok(())
    }

    fn repaint(&mut self) -> io::Result<()> {
        let (width, height) = mode::size()?;
        self.display.app.update(Program::Resize(width, height));
        self.encoder.begin_anew()
    }

    /// Receives the run's newest snapshot; returns false without a new snapshot.
    fn look(&mut self) -> io::Result<bool> {
        let Some(update) = self.live.take() else { return Ok(false) };
        let (spent, effects) = self.display.receive(self.recordings.now(), update);
        self.live.give_back(spent);
        self.execute(effects)?;
        Ok(true)
    }

    /// Starts a recording into a newly created file.
    fn record(&mut self, path: &str, file: io::Result<Lines>) {
        let result = file.and_then(|file| self.recordings.start(file, &mut self.display));
        self.display.app.wrote(Written::Recording, path, &result);
    }

    /// Follows a change of the terminal's background after the window regained the focus. Late
    /// replies to the first query, and themes chosen by the user, are left alone.
    fn follow(&mut self, light: bool) {
        let Some((kind, again)) = &mut self.look else { return };
        let theme = &mut self.display.app.theme;
        if std::mem::take(again) && theme.kind == *kind {
            *kind = if light { Kind::Light } else { Kind::Dark };
            theme.kind = *kind;
            self.display.app.looks.ground = *kind;
        }
    }

    /// Applies a late reply about colours.
    fn show_all(&mut self, all: bool) {
        let theme = &mut self.display.app.theme;
        if all && theme.depth == Depth::Xterm {
            theme.depth = Depth::True;
        }
    }

    /// Processes an input; returns a reason to leave, if any.
    fn hear(&mut self, input: &Input) -> io::Result<Option<ExitReason>> {
        let action = match input {
            Input::Key(key) => self.display.app.action_of(*key),
            Input::Mouse(gesture, x, y) => {
                Some(self.clicks.action_of(*gesture, *x, *y, Instant::now()).into())
            }
            Input::Size(width, height) => Some(Program::Resize(*width, *height).into()),
            Input::Focus => {
                if let Some((_, again)) = &mut self.look {
                    *again = true;
                    queries::query_again()?;
                }
                None
            }
            Input::Paste(text) => {
                self.display.app.paste(text);
                None
            }
            Input::Answer(text) => {
                match Reply::of(text) {
                    Some(Reply::Light(light)) => self.follow(light),
                    Some(Reply::Colours(all)) => self.show_all(all),
                    None => {}
                }
                None
            }
        };
        let Some(action) = action else { return Ok(None) };
        let effects = self.display.hear(self.recordings.now(), action);
        self.execute(effects)
    }

    /// Executes the remaining requests of an action; returns a reason to leave, if any.
    fn execute(&mut self, effects: Vec<Effect>) -> io::Result<Option<ExitReason>> {
        for effect in effects {
            match effect {
                Effect::Send(command) => self.live.send(command),
                Effect::Quit => {
                    let death = self.display.app.death.clone();
                    return Ok(Some(death.map_or(ExitReason::Quit, ExitReason::Died)));
                }
                Effect::Suspend => self.stop()?,
                Effect::Edit(path, copy) => self.edit(&path, copy)?,
                Effect::Repaint => self.repaint()?,
                Effect::Study(folder) => self.studies.open(&folder, &mut self.display.app),
                Effect::Work(goes) => self.studies.work(goes),
                Effect::Sweep(scenario, seed) => self.studies.sweep(scenario, seed)?,
                Effect::StopSweep => self.studies.stop_sweep(),
                Effect::Shrink(saved) => self.reduction = Some(Reduction::begin(saved)?),
                Effect::StopShrinking => self.reduction.iter().for_each(Reduction::stop),
                Effect::Mouse(on) => self.mode.set_mouse(on)?,
                Effect::Copy(text) => Mode::copy(&text)?,
                Effect::Record(path) => self.record(&path, files::grow(&path, false)),
                Effect::EndRecording => self.recordings.close(&mut self.display, 0),
                // Already executed by the display.
                Effect::Picture(_) | Effect::Write(_) | Effect::CopySelection(_) => {}
            }
        }
        Ok(None)
    }

    fn stop(&mut self) -> io::Result<()> {
        Mode::leave();
        signal_hook::low_level::emulate_default_handler(SIGTSTP)?;
        self.take_back()
    }

    /// Sets up the terminal again, with possibly changed mode and size.
    fn take_back(&mut self) -> io::Result<()> {
        self.title.iter_mut().for_each(String::clear);
        self.signals.take_continued();
        self.mode.take()?;
        self.repaint()
    }

    /// Runs an editor on a file, then restarts with the edited scenario.
    fn edit(&mut self, path: &str, copy: Option<String>) -> io::Result<()> {
        if let Some(text) = copy
            && let Err(error) = files::write(path, &text, false)
        {
            let exists = error.kind() == io::ErrorKind::AlreadyExists;
            let help = if exists { ": `o` or `:open` opens it" } else { "" };
            self.display.app.notify(&format!("no copy was written: {error}{help}"));
            return Ok(());
        }
        let command = editor::command();
        Mode::leave();
        let ended = self.signals.aside(|| editor::run(&command, path));
        self.take_back()?;
        let app = &mut self.display.app;
        match ended {
            Ok(status) if status.success() => match files::read(path) {
                Ok((_, text)) => app.reload_text(path, &text),
                Err(problem) => app.refuse(path, vec![problem]),
            },
            Ok(status) if status.code() == Some(127) => {
                app.notify(&format!("`{command}` was not found: set VISUAL or EDITOR"));
            }
            Ok(status) => app.notify(&format!("`{command}` ended with {status}: nothing was read")),
            Err(error) => app.notify(&format!("`{command}` cannot be run: {error}")),
        }
        self.execute_requests()
    }

    /// Executes the requests of the screen itself.
    fn execute_requests(&mut self) -> io::Result<()> {
        let effects = self.display.app.effects();
        let left = self.display.execute(self.recordings.now(), effects);
        self.execute(left).map(drop)
    }
}
