//! The terminal: set up, fed, and given back as it was found, however the program ends.

mod editor;
mod hangup;
mod input;
mod options;
mod writer;

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use signal_hook::consts::{SIGINT, SIGQUIT, SIGTSTP};

use super::app::{App, Edited, Effect, Writing};
use super::draw::draw;
use super::theme::Environment;
use crate::files;
use crate::live::{self, Command, Death, Live, RunState, THREAD_NAME, Update};
use crate::scenario::Scenario;
use hangup::Hangup;
pub use options::{ColorChoice, Options, Origin, ThemeChoice};
use writer::FrameWriter;

/// Alternate screen, hidden cursor, no wrapping of lines.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J";
/// The reverse of it, the mouse and synchronised output given back as well.
const LEAVE: &str = "\x1b[?2026l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?7h\x1b[?25h\x1b[?1049l";
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";

/// How long to sleep while nothing goes on but signals may come.
const IDLE: Duration = Duration::from_millis(200);
/// How long to sleep while an answer of the simulation is due.
const SOON: Duration = Duration::from_millis(4);

/// Why the screen was left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExitReason {
    /// A person quit.
    Quit,
    /// A signal asked for it: its number.
    Signal(i32),
    /// The simulation thread panicked.
    Died(Death),
}

/// What is left to say after the screen was left.
#[derive(Clone, Debug)]
pub struct ExitReport {
    /// Why.
    pub reason: ExitReason,
    /// What ran last.
    pub scenario: Arc<Scenario>,
    /// Cycles simulated, as far as was seen.
    pub cycle: u64,
    /// Whether the run stands in a deadlock.
    pub deadlocked: bool,
}

/// Shows a live run of `scenario` until a person quits, a signal comes, or the simulation dies.
pub fn run(options: Options, scenario: Arc<Scenario>) -> io::Result<ExitReport> {
    let environment = Environment::read();
    let theme = options.theme_in(&environment);
    if options.color != ColorChoice::Auto && options.color != ColorChoice::Never {
        crossterm::style::force_color_output(true);
    }
    let running = options.live.running && options.session.is_none();
    let speed = options.pace.speed(scenario.system.time_unit());
    let run = live::Options { running, speed, ..options.live };
    let mut live = Live::start(Arc::clone(&scenario), run)?;
    let size = crossterm::terminal::size()?;
    let ascii = options.ascii || environment.ascii();
    let mut first = Box::new(Update::empty(scenario));
    first.speed = run.speed;
    let mut app = App::new(first, options.library, theme, ascii, size);
    app.glyphs.braille &= options.braille;
    app.keys = options.keys;
    if options.window != live::WINDOW {
        live.send(Command::Window(options.window));
    }
    if let Some(Origin { saved, path }) = options.session {
        live.send(Command::Resume(Box::new(saved)));
        app.opened_from(path);
    }
    if let Some(against) = options.against {
        live.send(Command::Against(against));
    }
    let frame = Duration::from_secs(1) / options.fps.clamp(1, 240);
    let guard = Guard::enter()?;
    let writer = FrameWriter::default();
    let terminal = Terminal::new(CrosstermBackend::new(writer.clone()))?;
    let mut screen = Screen {
        app,
        live,
        terminal,
        writer,
        frame,
        hangup: Hangup::watch(Guard::leave)?,
        alone: Arc::new(AtomicBool::new(true)),
    };
    for signal in [SIGINT, SIGQUIT] {
        signal_hook::flag::register_conditional_default(signal, Arc::clone(&screen.alone))?;
    }
    if options.mouse {
        screen.app.mouse = true;
        control(MOUSE_ON)?;
    }
    let reason = screen.attend();
    drop(guard);
    let update = &screen.app.update;
    Ok(ExitReport {
        reason: reason?,
        scenario: Arc::clone(&update.scenario),
        cycle: update.snapshot.cycle.0,
        deadlocked: update.state == RunState::Deadlocked,
    })
}

/// Writes control sequences past the frame buffer.
fn control(sequence: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(sequence.as_bytes())?;
    out.flush()
}

/// Holds the terminal; dropping it, or a panic on any thread but the simulation's, gives it back.
struct Guard;

impl Guard {
    fn enter() -> io::Result<Self> {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // The simulation's death is shown on the screen, which stays.
            if std::thread::current().name() != Some(THREAD_NAME) {
                Self::leave();
                before(panic);
            }
        }));
        enable_raw_mode()?;
        control(ENTER)?;
        Ok(Self)
    }

    /// Gives the terminal back; what fails here cannot be mended.
    fn leave() {
        let _ = control(LEAVE);
        let _ = disable_raw_mode();
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        Self::leave();
        if !std::thread::panicking() {
            let _ = std::panic::take_hook();
        }
    }
}

/// The loop's state.
struct Screen {
    app: App,
    live: Live,
    terminal: Terminal<CrosstermBackend<FrameWriter>>,
    writer: FrameWriter,
    frame: Duration,
    hangup: Hangup,
    /// Whether the terminal's signals are for us, and not for an editor.
    alone: Arc<AtomicBool>,
}

impl Screen {
    /// Draws and listens until the end.
    fn attend(&mut self) -> io::Result<ExitReason> {
        let mut changed = true;
        let mut drawn: Option<Instant> = None;
        // Since when there is something to show.
        let mut since = Instant::now();
        loop {
            if let Some(update) = self.live.take() {
                let spent = self.app.receive(update);
                self.live.give_back(spent);
                since = if changed { since } else { Instant::now() };
                changed = true;
                for errand in self.app.errands() {
                    self.send(errand);
                }
                if let Some(writing) = self.app.take_writing() {
                    let result = files::write(&writing.path, &writing.text, writing.replace);
                    self.app.wrote(&writing.path, &result);
                }
            }
            if self.app.death.is_none()
                && let Some(death) = self.live.death()
            {
                self.app.death = Some(death);
                changed = true;
            }
            if let Some(signal) = self.hangup.asked() {
                return Ok(ExitReason::Signal(signal));
            }
            let due = drawn.map_or(Duration::ZERO, |at| self.frame.saturating_sub(at.elapsed()));
            if changed && due.is_zero() {
                let due = drawn.map_or(since, |at| since.max(at + self.frame));
                self.paint(drawn, due.elapsed())?;
                drawn = Some(Instant::now());
                changed = false;
                continue;
            }
            if event::poll(self.patience(changed.then_some(due)))? {
                since = if changed { since } else { Instant::now() };
                loop {
                    if let Some(reason) = self.hear(&event::read()?)? {
                        return Ok(reason);
                    }
                    changed = true;
                    if !event::poll(Duration::ZERO)? {
                        break;
                    }
                }
            }
        }
    }

    /// How long there is nothing to do: until the next frame is due, the simulation has
    /// something new, or a signal should be looked for.
    fn patience(&self, frame_due: Option<Duration>) -> Duration {
        if let Some(due) = frame_due {
            return due;
        }
        if self.app.death.is_some() {
            return IDLE;
        }
        if self.app.update.commands < self.live.sent() {
            return SOON.max(self.frame / 4);
        }
        match self.app.update.state {
            RunState::Running | RunState::Seeking => self.frame / 2,
            _ => IDLE,
        }
    }

    /// Paints a frame; `last` is when the one before was painted, `late` how long this one was due.
    fn paint(&mut self, last: Option<Instant>, late: Duration) -> io::Result<()> {
        let began = Instant::now();
        let app = &self.app;
        self.terminal.draw(|frame| draw(app, frame.buffer_mut()))?;
        self.writer.commit(&mut io::stdout().lock())?;
        if let (Some(perf), Some(last)) = (&mut self.app.perf, last) {
            perf.painted(began.duration_since(last), began.elapsed(), late, self.frame);
        }
        Ok(())
    }

    fn repaint(&mut self) -> io::Result<()> {
        let (width, height) = crossterm::terminal::size()?;
        self.app.update(super::action::Action::Resize(width, height));
        // A new one knows nothing of what is on the screen, and unlike clearing the old one it
        // does not ask the terminal for its cursor, which some never answer.
        control("\x1b[0m\x1b[2J")?;
        self.terminal = Terminal::new(CrosstermBackend::new(self.writer.clone()))?;
        Ok(())
    }

    /// Takes one event; says why to leave, if it is one to leave for.
    fn hear(&mut self, event: &Event) -> io::Result<Option<ExitReason>> {
        let action = match event {
            Event::Key(key) => input::key_of(key).and_then(|key| self.app.action_of(key)),
            event => input::action_of(event),
        };
        let Some(action) = action else { return Ok(None) };
        for effect in self.app.update(action) {
            match effect {
                Effect::Send(command) => self.send(command),
                Effect::Quit => {
                    let death = self.app.death.clone();
                    return Ok(Some(death.map_or(ExitReason::Quit, ExitReason::Died)));
                }
                Effect::Suspend => {
                    Guard::leave();
                    signal_hook::low_level::emulate_default_handler(SIGTSTP)?;
                    self.take_back()?;
                }
                Effect::Edit(path, copy) => self.edit(&path, copy)?,
                Effect::Export(Writing { path, text, replace }) => {
                    let result = files::write(&path, &text, replace);
                    self.app.exported(&path, &result);
                }
                Effect::Repaint => self.repaint()?,
                Effect::Mouse(on) => control(if on { MOUSE_ON } else { MOUSE_OFF })?,
            }
        }
        Ok(None)
    }

    /// Takes the terminal again after it was given away.
    fn take_back(&mut self) -> io::Result<()> {
        enable_raw_mode()?;
        control(ENTER)?;
        if self.app.mouse {
            control(MOUSE_ON)?;
        }
        self.repaint()
    }

    /// Lets a person edit a file; what it then says is run.
    fn edit(&mut self, path: &str, copy: Option<Writing>) -> io::Result<()> {
        if let Some(Writing { path, text, replace }) = copy
            && let Err(error) = files::write(&path, &text, replace)
        {
            let exists = error.kind() == io::ErrorKind::AlreadyExists;
            let help = if exists { ": `o` or `:open` opens it" } else { "" };
            self.app.say(&format!("no copy was written: {path}: {error}{help}"));
            return Ok(());
        }
        let command = editor::command();
        Guard::leave();
        self.alone.store(false, Ordering::Relaxed);
        let ended = editor::run(&command, path);
        self.alone.store(true, Ordering::Relaxed);
        self.take_back()?;
        let edited = match ended {
            Ok(status) if status.success() => match files::read(path) {
                Ok((_, text)) => Edited::Text(text),
                Err(problem) => Edited::Unreadable(problem),
            },
            Ok(status) if status.code() == Some(127) => {
                Edited::Not(format!("`{command}` was not found: set VISUAL or EDITOR"))
            }
            Ok(status) => Edited::Not(format!("`{command}` ended with {status}: nothing was read")),
            Err(error) => Edited::Not(format!("`{command}` cannot be run: {error}")),
        };
        for effect in self.app.edited(path, edited) {
            if let Effect::Send(command) = effect {
                self.send(command);
            }
        }
        Ok(())
    }

    fn send(&mut self, command: Command) {
        self.live.send(command);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_taken_is_given_back() {
        for mode in ["?1049", "?25", "?7"] {
            assert!(ENTER.contains(mode) && LEAVE.contains(mode), "{mode}");
        }
        for mode in ["?1000", "?1002", "?1006"] {
            assert!(MOUSE_ON.contains(mode) && MOUSE_OFF.contains(mode) && LEAVE.contains(mode));
        }
    }
}
