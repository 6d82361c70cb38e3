//! The recording of a live session: begun, watched and ended without holding the session up.

use std::io;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::files::Lines;
use crate::recording::{Header, Recorder, Summary};
use crate::tui::app::recorded;
use crate::tui::desk::Desk;

/// How long the end of the program waits for a disk.
const PATIENCE: Duration = Duration::from_secs(5);

/// The clock of a session's recordings, and what they are to be like.
#[derive(Debug)]
pub(super) struct Camera {
    began: Instant,
    /// What they say of themselves, as far as the screen does not know it.
    header: Header,
    /// Recordings that have ended, as long as they are being written: each with its file.
    closing: Vec<(String, Recorder, Summary)>,
}

impl Camera {
    pub(super) fn new(header: Header) -> Self {
        Self { began: Instant::now(), header, closing: Vec::new() }
    }

    /// Microseconds on the clock.
    pub(super) fn now(&self) -> u64 {
        self.began.elapsed().as_micros() as u64
    }

    /// Starts to write a recording of this screen.
    pub(super) fn start(&self, out: Lines, desk: &mut Desk<Recorder>) -> io::Result<()> {
        let made = SystemTime::now().duration_since(UNIX_EPOCH).ok();
        let made = made.map(|since| since.as_secs());
        desk.record(Recorder::start(out)?, Header { made, ..self.header.clone() })
    }

    /// True if a recording is still to be written.
    pub(super) fn is_busy(&self) -> bool {
        !self.closing.is_empty()
    }

    /// Ends the recording, if there is one; it is written meanwhile.
    pub(super) fn close(&mut self, desk: &mut Desk<Recorder>, status: u8) {
        if let Some((mut recorder, summary)) = desk.cut(self.now(), status) {
            recorder.close();
            let path = desk.app.recording.take().unwrap_or_default();
            self.closing.push((path, recorder, summary));
        }
    }

    /// Says on the screen what has become of recordings; whether there was anything to say.
    pub(super) fn look(&mut self, desk: &mut Desk<Recorder>) -> bool {
        if let Some(why) = desk.cast.as_ref().and_then(|cast| cast.out.failure()) {
            desk.note(Err(io::Error::other(why)));
        }
        let broken = desk.broken.take().map(|why| Err(why.to_string()));
        let broken = broken.map(|why| (desk.app.recording.take().unwrap_or_default(), why));
        let news = broken.or_else(|| {
            // One that has been written, or could not be.
            let written =
                self.closing.iter().position(|(_, recorder, _)| recorder.ended().is_some());
            let (path, recorder, summary) = self.closing.remove(written?);
            Some((path, recorder.ended()?.map(|()| summary)))
        });
        if let Some((path, result)) = &news {
            desk.app.ended_recording(path, result);
        }
        news.is_some()
    }

    /// Ends all recordings and waits for them, though not for ever; what became of them.
    pub(super) fn end(&mut self, desk: &mut Desk<Recorder>, status: u8) -> Option<String> {
        self.close(desk, status);
        let broken = desk.broken.take().map(|why| {
            recorded(desk.app.recording.as_deref().unwrap_or_default(), &Err(why.to_string()))
        });
        let closed = self.closing.drain(..).map(|(path, recorder, summary)| {
            recorded(&path, &recorder.finish(PATIENCE).map(|()| summary))
        });
        closed.chain(broken).reduce(|all, one| all + "\n" + &one)
    }
}
