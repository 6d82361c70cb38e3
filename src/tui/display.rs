//! The screen's state together with its recording.
//!
//! Keys and snapshots are the input, frames and requests the output. The terminal and films share
//! this module.

use std::io::{self, Write};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::action::Action;
use super::app::{App, Effect, Writing, Written, recording_into};
use super::draw::draw;
use super::picture;
use super::strokes::Strokes;
use crate::engine::Change;
use crate::files::{self, Fence, Refused};
use crate::live::{Command, RunState, Update};
use crate::recording::{Cast, Header, Summary};
use crate::text;

/// A screen with an optional recording. All times are in microseconds of one clock.
pub(super) struct Display<W> {
    pub(super) app: App,
    pub(super) cast: Option<Cast<W>>,
    /// Encoder of the recorded frames.
    strokes: Strokes,
    /// The cause of a failed recording.
    pub(super) broken: Option<io::Error>,
    /// True if the last action was a step: consecutive steps share one marker.
    stepped: bool,
    /// Write guard: permits writing new files in one folder only. `None` permits any path chosen by
    /// the user.
    fence: Option<Fence>,
    /// The file last refused by the guard, and the reason.
    pub(super) refused: Option<(String, Refused)>,
}

impl<W: Write> Display<W> {
    pub(super) fn new(app: App, fence: Option<Fence>) -> Self {
        let strokes = Strokes::default();
        Self { app, cast: None, strokes, broken: None, stepped: false, fence, refused: None }
    }

    /// Starts a recording at the next frame, painted as a whole. Size, title and palette of the
    /// screen are added to the header.
    pub(super) fn record(&mut self, out: W, header: Header) -> io::Result<()> {
        let header = Header {
            size: self.app.size,
            title: self.app.update.scenario.full_title(),
            palette: Some(picture::palette(self.app.theme)),
            ..header
        };
        self.cast = Some(Cast::begin(out, &header)?);
        self.strokes = Strokes::default();
        Ok(())
    }

    /// Ends the recording at `at` with the exit status of the program; `None` without a recording
    /// or on failure.
    pub(super) fn cut(&mut self, at: u64, status: u8) -> Option<(W, Summary)> {
        self.cast.take()?.end(at, status).map_err(|why| self.broken = Some(why)).ok()
    }

    /// Receives a snapshot of the run and writes pending files; returns the old snapshot, to reuse
    /// its memory, and the remaining requests.
    pub(super) fn receive(&mut self, at: u64, update: Box<Update>) -> (Box<Update>, Vec<Effect>) {
        let before = self.app.update.state;
        let spent = self.app.receive(update);
        let effects = self.app.effects();
        // Requests of the screen itself do not interrupt consecutive steps.
        let stepped = self.stepped;
        let left = self.execute(at, effects);
        self.stepped = stepped;
        if self.app.update.state == RunState::Deadlocked && before != RunState::Deadlocked {
            let now = self.app.times().now(self.app.update.snapshot.cycle.0);
            self.mark(at, &format!("deadlock at {now}"));
        }
        (spent, left)
    }

    /// Executes an action; returns the remaining requests.
    pub(super) fn hear(&mut self, at: u64, action: Action) -> Vec<Effect> {
        let effects = self.app.update(action);
        self.execute(at, effects)
    }

    /// Executes the requests that concern files and markers; returns the others.
    pub(super) fn execute(&mut self, at: u64, effects: Vec<Effect>) -> Vec<Effect> {
        let mut left = Vec::new();
        for effect in effects {
            if let Effect::Send(command) = &effect
                && let Some(name) = self.mark_of(command)
            {
                self.mark(at, &name);
            }
            if let Effect::Picture(path) = effect {
                let palette = picture::palette(self.app.theme);
                if let Some(content) = picture::of(&path, &self.buffer(), palette) {
                    self.write(Writing { what: Written::Picture, path, content, replace: false });
                }
            } else if let Effect::Write(writing) = effect {
                self.write(writing);
            } else if let Effect::CopySelection(selection) = effect {
                let text = selection.text(&self.buffer());
                if !text.is_empty() {
                    self.app.notify(&format!("copied {}", text.replace('\n', " / ")));
                    left.push(Effect::Copy(text));
                }
            } else {
                left.push(effect);
            }
        }
        left
    }

    /// Records the screen; returns true if the frame differs from the last.
    pub(super) fn film(&mut self, at: u64) -> bool {
        if self.cast.is_none() {
            return false;
        }
        let screen = self.filmed();
        let (bytes, size) = (self.strokes.frame(&screen), (screen.area.width, screen.area.height));
        if let Some(cast) = self.cast.as_mut().filter(|_| !bytes.is_empty()) {
            let recorded = cast.frame(at, size, bytes.as_bytes());
            self.note(recorded);
        }
        !bytes.is_empty()
    }

    pub(super) fn mark(&mut self, at: u64, name: &str) {
        let marked = self.cast.as_mut().map_or(Ok(()), |cast| cast.mark(at, name));
        self.note(marked);
    }

    /// Ends a failed recording.
    pub(super) fn note(&mut self, recorded: io::Result<()>) {
        if let Err(why) = recorded {
            self.cast = None;
            self.broken = Some(why);
        }
    }

    /// Renders the screen.
    pub(super) fn buffer(&self) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, self.app.size.0, self.app.size.1));
        draw(&self.app, &mut buffer);
        buffer
    }

    /// Renders the screen without the recording mark and without the message about its beginning.
    fn filmed(&mut self) -> Buffer {
        let begun = self.app.recording.as_deref().map(|path| text::line(&recording_into(path)));
        let note = self.app.note.take_if(|note| begun.as_ref() == Some(note));
        self.app.filmed = true;
        let screen = self.buffer();
        self.app.filmed = false;
        self.app.note = note.or_else(|| self.app.note.take());
        screen
    }

    fn write(&mut self, Writing { what, path, content, replace }: Writing) {
        let result = match &self.fence {
            None => files::write(&path, &content, replace),
            Some(fence) => fence.write(&path, &content, false).map_err(|refused| {
                self.refused = Some((path.clone(), refused));
                io::ErrorKind::PermissionDenied.into()
            }),
        };
        self.app.wrote(what, &path, &result);
    }

    /// The marker of a command in the recording.
    fn mark_of(&mut self, command: &Command) -> Option<String> {
        let steps = matches!(command, Command::Step(_) | Command::StepEvent);
        let stepped = std::mem::replace(&mut self.stepped, steps);
        if let Command::Change(Change::Rate(rate)) = command {
            Some(format!("load {:.4}", self.app.system().load_at(*rate).0))
        } else if let Command::Load(scenario) = command {
            Some(format!("scenario {}", scenario.name))
        } else if let Command::Bookmark(cycle) = command {
            // A second bookmark at a cycle removes the first.
            let now = self.app.times().now(cycle.0);
            (!self.app.is_marked()).then(|| format!("bookmark at {now}"))
        } else if matches!(command, Command::Run) {
            Some("run".to_owned())
        } else if matches!(command, Command::Pause) {
            Some("pause".to_owned())
        } else {
            (steps && !stepped).then(|| "step".to_owned())
        }
    }
}

#[cfg(test)]
mod tests;
