//! Records a live session without delaying the session.

use std::io;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::files::Lines;
use crate::recording::{Header, Recorder, Summary};
use crate::tui::app::recorded;
use crate::tui::display::Display;

/// Maximum wait for the disk at the end of the program.
const PATIENCE: Duration = Duration::from_secs(5);

/// Clock and header of a session's recordings.
#[derive(Debug)]
pub(super) struct Recordings {
    began: Instant,
    /// The header's fields, completed by the screen.
    header: Header,
    /// Ended recordings still being written, each with its file name.
    closing: Vec<(String, Recorder, Summary)>,
}

impl Recordings {
    pub(super) fn new(header: Header) -> Self {
        Self { began: Instant::now(), header, closing: Vec::new() }
    }

    /// The clock in microseconds.
    pub(super) fn now(&self) -> u64 {
        self.began.elapsed().as_micros() as u64
    }

    /// Starts a recording of the screen.
    pub(super) fn start(&self, out: Lines, display: &mut Display<Recorder>) -> io::Result<()> {
        let made = SystemTime::now().duration_since(UNIX_EPOCH).ok();
        let made = made.map(|since| since.as_secs());
        display.record(Recorder::start(out)?, Header { made, ..self.header.clone() })
    }

    /// True while an ended recording is being written.
    pub(super) fn is_busy(&self) -> bool {
        !self.closing.is_empty()
    }

    /// Ends the recording, if any; writing continues in the background.
    pub(super) fn close(&mut self, display: &mut Display<Recorder>, status: u8) {
        if let Some((mut recorder, summary)) = display.cut(self.now(), status) {
            recorder.close();
            let path = display.app.recording.take().unwrap_or_default();
            self.closing.push((path, recorder, summary));
        }
    }

    /// Reports finished or failed recordings on the screen; returns true if there is a report.
    pub(super) fn look(&mut self, display: &mut Display<Recorder>) -> bool {
        if let Some(why) = display.cast.as_ref().and_then(|cast| cast.out.failure()) {
            display.note(Err(io::Error::other(why)));
        }
        let broken = display.broken.take().map(|why| Err(why.to_string()));
        let broken = broken.map(|why| (display.app.recording.take().unwrap_or_default(), why));
        let news = broken.or_else(|| {
            // A finished recording, written or failed.
            let written =
                self.closing.iter().position(|(_, recorder, _)| recorder.ended().is_some());
            let (path, recorder, summary) = self.closing.remove(written?);
            Some((path, recorder.ended()?.map(|()| summary)))
        });
        if let Some((path, result)) = &news {
            display.app.ended_recording(path, result);
        }
        news.is_some()
    }

    /// Ends all recordings, waits for a limited time, and returns a report.
    pub(super) fn end(&mut self, display: &mut Display<Recorder>, status: u8) -> Option<String> {
        self.close(display, status);
        let broken = display.broken.take().map(|why| {
            recorded(display.app.recording.as_deref().unwrap_or_default(), &Err(why.to_string()))
        });
        let closed = self.closing.drain(..).map(|(path, recorder, summary)| {
            recorded(&path, &recorder.finish(PATIENCE).map(|()| summary))
        });
        closed.chain(broken).reduce(|all, one| all + "\n" + &one)
    }
}
