//! The screen's state and the recording made of it: keys and pictures of the run go in, frames and
//! what is to be done come out. What the terminal and films have in common.

use std::io::{self, Write};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::action::Action;
use super::app::{App, Effect, Writing, Written};
use super::draw::draw;
use super::painter::Painter;
use super::picture;
use crate::files::{self, Fence, Refused};
use crate::live::{Command, RunState, Update};
use crate::recording::{Cast, Header, Summary};

/// A screen at work. Times are in microseconds on one clock.
pub(super) struct Desk<W> {
    pub(super) app: App,
    painter: Painter,
    cast: Option<Cast<W>>,
    /// Why there is none any more, if it broke off.
    broken: Option<io::Error>,
    /// Whether the last thing done was a step: a row of steps is one marker.
    stepped: bool,
    /// Where alone it may write, replacing nothing; `None`: wherever the person at it says.
    fence: Option<Fence>,
    /// The file that the fence refused last, and why.
    pub(super) refused: Option<(String, Refused)>,
}

impl<W: Write> Desk<W> {
    pub(super) fn new(app: App, painter: Painter, fence: Option<Fence>) -> Self {
        Self { app, painter, cast: None, broken: None, stepped: false, fence, refused: None }
    }

    /// Records from the next frame on, which is painted as a whole. What the screen knows of itself
    /// is put into the header.
    pub(super) fn record(&mut self, out: W, header: Header) -> io::Result<()> {
        let header = Header {
            size: self.app.size,
            title: self.app.update.scenario.title.clone(),
            palette: Some(picture::palette(self.app.theme)),
            ..header
        };
        self.cast = Some(Cast::begin(out, &header)?);
        self.painter.begin_anew()
    }

    /// Ends the recording at `at`, as a program that ends with this status; `None` if there is none
    /// or its end could not be recorded.
    pub(super) fn cut(&mut self, at: u64, status: u8) -> Option<(W, Summary)> {
        self.cast.take()?.end(at, status).map_err(|why| self.broken = Some(why)).ok()
    }

    /// What the recording is written to.
    pub(super) fn out(&self) -> Option<&W> {
        self.cast.as_ref().map(Cast::out)
    }

    pub(super) fn break_off(&mut self, why: io::Error) {
        self.cast = None;
        self.broken = Some(why);
    }

    /// Why the recording broke off, said once.
    pub(super) fn take_failure(&mut self) -> Option<io::Error> {
        self.broken.take()
    }

    /// Takes a new picture of the run, and writes what was to be written with it; returns the old
    /// one, for its storage, and what is left for the caller to do.
    pub(super) fn receive(&mut self, at: u64, update: Box<Update>) -> (Box<Update>, Vec<Effect>) {
        let before = self.app.update.state;
        let spent = self.app.receive(update);
        let effects = self.app.effects();
        // What the screen asks for by itself divides no row of steps.
        let stepped = self.stepped;
        let left = self.obey(at, effects);
        self.stepped = stepped;
        if self.app.update.state == RunState::Deadlocked && before != RunState::Deadlocked {
            let now = self.app.times().now(self.app.update.snapshot.cycle.0);
            self.mark(at, &format!("deadlock at {now}"));
        }
        (spent, left)
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
                Effect::Picture(path) => self.save_picture(&path),
                Effect::Write(writing) => self.write(writing),
                Effect::Send(_)
                | Effect::Quit
                | Effect::Suspend
                | Effect::Repaint
                | Effect::Mouse(_)
                | Effect::Record(_)
                | Effect::EndRecording
                | Effect::Edit(..) => {
                    if let Effect::Send(command) = &effect
                        && let Some(name) = self.mark_of(command)
                    {
                        self.mark(at, &name);
                    }
                    left.push(effect);
                }
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
        let cast = &mut self.cast;
        self.painter.paint(&self.app, |size, bytes| {
            take(bytes)?;
            recorded = cast.as_mut().map_or(Ok(()), |cast| cast.frame(at, size, bytes));
            Ok(())
        })?;
        self.note(recorded);
        Ok(())
    }

    pub(super) fn repaint(&mut self) -> io::Result<()> {
        self.painter.begin_anew()
    }

    pub(super) fn mark(&mut self, at: u64, name: &str) {
        let marked = self.cast.as_mut().map_or(Ok(()), |cast| cast.mark(at, name));
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
