//! The screen's state, the run behind it, and the recording made of it: keys go in, frames come out.
//! What the terminal and films have in common.

use std::io;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::action::Action;
use super::app::{App, Effect, Writing, Written};
use super::draw::draw;
use super::painter::Painter;
use super::picture;
use crate::files::{self, Fence, Refused};
use crate::live::{Command, Live, RunState, Update};
use crate::recording::{Roll, Sink};

/// A run that can be told something and shows pictures.
pub(super) trait Run {
    fn send(&mut self, command: Command);
    /// Its newest picture, if that was not taken yet.
    fn take(&mut self) -> Option<Box<Update>>;
    /// Gives back a picture that is no longer needed, for its storage.
    fn give_back(&mut self, spent: Box<Update>);
}

impl Run for Live {
    fn send(&mut self, command: Command) {
        Self::send(self, command);
    }

    fn take(&mut self) -> Option<Box<Update>> {
        Self::take(self)
    }

    fn give_back(&mut self, spent: Box<Update>) {
        Self::give_back(self, spent);
    }
}

/// A screen at work. Times are in microseconds on one clock.
pub(super) struct Desk<R, S> {
    pub(super) app: App,
    pub(super) run: R,
    painter: Painter,
    roll: Option<Roll<S>>,
    /// Why there is none any more, if it broke off.
    broken: Option<io::Error>,
    /// Whether the last thing done was a step: a row of steps is one marker.
    stepped: bool,
    /// Where alone it may write, replacing nothing; `None`: wherever the person at it says.
    pub(super) fence: Option<Fence>,
    /// The file that the fence refused last, and why.
    pub(super) refused: Option<(String, Refused)>,
}

impl<R: Run, S: Sink> Desk<R, S> {
    pub(super) fn new(app: App, run: R, painter: Painter) -> Self {
        Self {
            app,
            run,
            painter,
            roll: None,
            broken: None,
            stepped: false,
            fence: None,
            refused: None,
        }
    }

    /// Records from the next frame on, which is painted as a whole.
    pub(super) fn record(&mut self, sink: S) -> io::Result<()> {
        self.roll = Some(Roll::new(sink, self.app.size));
        self.painter.begin_anew()
    }

    /// Ends the recording at `at`, as a program that ends with this status; `None` if there is none
    /// or its end could not be recorded.
    pub(super) fn cut(&mut self, at: u64, status: u8) -> Option<S> {
        match self.roll.take()?.end(at, status) {
            Ok(sink) => Some(sink),
            Err(error) => {
                self.broken = Some(error);
                None
            }
        }
    }

    pub(super) fn sink(&self) -> Option<&S> {
        self.roll.as_ref().map(Roll::sink)
    }

    pub(super) fn break_off(&mut self, why: io::Error) {
        self.roll = None;
        self.broken = Some(why);
    }

    /// Why the recording broke off, said once.
    pub(super) fn take_failure(&mut self) -> Option<io::Error> {
        self.broken.take()
    }

    /// Takes the newest picture of the run, and writes what was to be written with it; says whether
    /// there was one.
    pub(super) fn receive(&mut self, at: u64) -> bool {
        let Some(update) = self.run.take() else { return false };
        let before = self.app.update.state;
        let spent = self.app.receive(update);
        self.run.give_back(spent);
        let effects = self.app.effects();
        // What the screen asks for by itself divides no row of steps.
        let stepped = self.stepped;
        self.obey(at, effects);
        self.stepped = stepped;
        if self.app.update.state == RunState::Deadlocked && before != RunState::Deadlocked {
            let now = self.app.times().now(self.app.update.snapshot.cycle.0);
            self.mark(at, &format!("deadlock at {now}"));
        }
        true
    }

    /// Does something at the screen; returns what is left for the caller to do.
    pub(super) fn hear(&mut self, at: u64, action: Action) -> Vec<Effect> {
        let effects = self.app.update(action);
        self.obey(at, effects)
    }

    /// Does what follows from an action; returns what is left for the caller to do.
    pub(super) fn obey(&mut self, at: u64, effects: Vec<Effect>) -> Vec<Effect> {
        let mut left = Vec::new();
        for effect in effects {
            match effect {
                Effect::Send(command) => {
                    if let Some(name) = self.mark_of(&command) {
                        self.mark(at, &name);
                    }
                    self.run.send(command);
                }
                Effect::Picture(path) => self.save_picture(&path),
                Effect::Write(writing) => self.write(writing),
                other @ (Effect::Quit
                | Effect::Suspend
                | Effect::Repaint
                | Effect::Mouse(_)
                | Effect::Record(_)
                | Effect::EndRecording
                | Effect::Edit(..)) => left.push(other),
            }
        }
        left
    }

    /// Paints a frame; `take` gets its bytes first, then the recording.
    pub(super) fn paint(
        &mut self,
        at: u64,
        take: impl FnOnce(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut recorded = Ok(());
        let roll = &mut self.roll;
        self.painter.paint(&self.app, |size, bytes| {
            take(bytes)?;
            recorded = roll.as_mut().map_or(Ok(()), |roll| roll.frame(at, size, bytes));
            Ok(())
        })?;
        self.note(recorded);
        Ok(())
    }

    /// The next frame paints everything.
    pub(super) fn repaint(&mut self) -> io::Result<()> {
        self.painter.begin_anew()
    }

    /// Gives this moment of the recording a name.
    pub(super) fn mark(&mut self, at: u64, name: &str) {
        let marked = self.roll.as_mut().map_or(Ok(()), |roll| roll.mark(at, name));
        self.note(marked);
    }

    fn note(&mut self, recorded: io::Result<()>) {
        if let Err(why) = recorded {
            self.break_off(why);
        }
    }

    /// The screen as it would be drawn now.
    pub(super) fn buffer(&self) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, self.app.size.0, self.app.size.1));
        draw(&self.app, &mut buffer);
        buffer
    }

    fn write(&mut self, Writing { what, path, text, replace }: Writing) {
        let result = match &self.fence {
            None => files::write(&path, &text, replace),
            Some(fence) => fence.write(&path, &text, false).map_err(|refused| {
                self.refused = Some((path.clone(), refused));
                io::ErrorKind::PermissionDenied.into()
            }),
        };
        self.app.wrote(what, &path, &result);
    }

    fn save_picture(&mut self, path: &str) {
        let palette = picture::palette(self.app.theme);
        if let Some(text) = picture::of(path, &self.buffer(), palette) {
            let (what, path) = (Written::Picture, path.to_owned());
            self.write(Writing { what, path, text, replace: false });
        }
    }

    /// The name of the marker that a command leaves.
    fn mark_of(&mut self, command: &Command) -> Option<String> {
        let before = std::mem::take(&mut self.stepped);
        match command {
            Command::Run => Some("run".to_owned()),
            Command::Pause => Some("pause".to_owned()),
            Command::Step(_) | Command::StepEvent => {
                self.stepped = true;
                (!before).then(|| "step".to_owned())
            }
            Command::SetRate(rate) => {
                let load = self.app.system().load_at(*rate).0;
                Some(format!("load {load:.4}"))
            }
            // One that was there is removed.
            Command::Bookmark if self.app.is_marked() => None,
            Command::Bookmark => {
                let now = self.app.times().now(self.app.update.snapshot.cycle.0);
                Some(format!("bookmark at {now}"))
            }
            Command::Load(scenario) => Some(format!("scenario {}", scenario.name)),
            Command::Speed(_)
            | Command::Window(_)
            | Command::Break(_)
            | Command::Follow(_)
            | Command::List(_)
            | Command::Trace(_)
            | Command::Restart
            | Command::Reseed(_)
            | Command::Against(_)
            | Command::Part { .. }
            | Command::Back(_)
            | Command::BackToEvent(_)
            | Command::NextEvent(_)
            | Command::Seek(_)
            | Command::ToLive
            | Command::Cancel
            | Command::Save
            | Command::Resume(_)
            | Command::Refresh
            | Command::Quit => None,
        }
    }
}

#[cfg(test)]
mod tests;
