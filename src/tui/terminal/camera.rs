//! The recording of a live session: begun, watched and ended without holding the session up.

use std::io::Write;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::options::Recording;
use crate::live::Live;
use crate::recording::{Format, Header, Recorder};
use crate::tui::app::{App, recorded};
use crate::tui::desk::Desk;
use crate::tui::picture;

/// How long the end of the program waits for a disk.
const PATIENCE: Duration = Duration::from_secs(5);

/// The clock of a session's recordings, and what they are to be like.
#[derive(Debug)]
pub(super) struct Camera {
    began: Instant,
    format: Format,
    idle_limit: Option<f64>,
    /// The terminal's kind.
    terminal: String,
    /// Recordings that have ended, as long as they are being written: each with its file.
    closing: Vec<(String, Recorder)>,
}

impl Camera {
    pub(super) fn new(wanted: &Recording, terminal: String) -> Self {
        Self {
            began: Instant::now(),
            format: wanted.format,
            idle_limit: wanted.idle_limit,
            terminal,
            closing: Vec::new(),
        }
    }

    /// Microseconds on the clock.
    pub(super) fn now(&self) -> u64 {
        self.began.elapsed().as_micros() as u64
    }

    /// Starts to write a recording of this screen.
    pub(super) fn start(
        &self,
        out: impl Write + Send + 'static,
        app: &App,
    ) -> std::io::Result<Recorder> {
        let made = SystemTime::now().duration_since(UNIX_EPOCH).ok();
        let header = Header {
            format: self.format,
            size: app.size,
            title: app.update.scenario.title.clone(),
            made: made.map(|since| since.as_secs()),
            idle_limit: self.idle_limit,
            terminal: Some(self.terminal.clone()).filter(|kind| !kind.is_empty()),
            palette: Some(picture::palette(app.theme)),
        };
        Recorder::start(out, header)
    }

    /// Whether a recording is still to be written.
    pub(super) fn is_busy(&self) -> bool {
        !self.closing.is_empty()
    }

    /// Ends the recording, if there is one; it is written meanwhile.
    pub(super) fn close(&mut self, desk: &mut Desk<Live, Recorder>, status: u8) {
        if let Some(mut recorder) = desk.cut(self.now(), status) {
            recorder.close();
            let path = desk.app.recording.take().unwrap_or_default();
            self.closing.push((path, recorder));
        }
    }

    /// Says on the screen what has become of recordings; whether there was anything to say.
    pub(super) fn look(&mut self, desk: &mut Desk<Live, Recorder>) -> bool {
        if let Some(why) = desk.sink().and_then(Recorder::failure) {
            desk.break_off(std::io::Error::other(why));
        }
        let broken = desk.take_failure().map(|why| Err(why.to_string()));
        let broken = broken.map(|why| (desk.app.recording.take().unwrap_or_default(), why));
        let news = broken.or_else(|| {
            // One that has been written, or could not be.
            let written = self.closing.iter().position(|(_, recorder)| recorder.ended().is_some());
            let (path, recorder) = self.closing.remove(written?);
            Some((path, recorder.ended()?))
        });
        if let Some((path, result)) = &news {
            desk.app.ended_recording(path, result);
        }
        news.is_some()
    }

    /// Ends all recordings and waits for them, though not for ever; what became of them.
    pub(super) fn end(&mut self, desk: &mut Desk<Live, Recorder>, status: u8) -> Option<String> {
        self.close(desk, status);
        let broken = desk.take_failure().map(|why| {
            recorded(desk.app.recording.as_deref().unwrap_or_default(), &Err(why.to_string()))
        });
        let closed = self.closing.drain(..);
        let closed = closed.map(|(path, recorder)| recorded(&path, &recorder.finish(PATIENCE)));
        closed.chain(broken).reduce(|all, one| all + "\n" + &one)
    }
}
