//! Writes a recording on a thread of its own: drawing never waits for a disk.
//!
//! Events go through a bounded channel. A disk that fails or falls too far behind ends the recording
//! and says so; no event in the middle is ever left out, since frames build on each other.

use std::io::{self, BufWriter, Write};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::Builder;
use std::time::{Duration, Instant};

use super::cast::{Cast, Event, Header};
use super::roll::Sink;

/// Events that may wait to be written: some eight seconds of frames.
const WAITING_MAX: usize = 256;
/// What is said of a disk that does not keep up.
const SLOW: &str = "what it is written to is too slow";
/// How often the end of the thread is looked for.
const LOOK: Duration = Duration::from_millis(2);

/// What was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Events.
    pub events: u64,
    /// The time of the last one, in microseconds.
    pub length: u64,
}

/// A recording that is being written.
#[derive(Debug)]
pub struct Recorder {
    /// `None` once nothing more is to come.
    events: Option<SyncSender<(u64, Event)>>,
    /// What became of it, once its thread has ended.
    ended: Arc<OnceLock<Result<Summary, String>>>,
}

impl Recorder {
    /// Starts the thread that writes to `out`, the header first.
    pub fn start(out: impl Write + Send + 'static, header: Header) -> io::Result<Self> {
        let (sender, inbox) = sync_channel(WAITING_MAX);
        let ended = Arc::new(OnceLock::new());
        let told = Arc::clone(&ended);
        Builder::new().name("recording".to_owned()).spawn(move || {
            let written = write(BufWriter::new(out), &header, &inbox);
            told.get_or_init(|| written.map_err(|error| error.to_string()));
        })?;
        Ok(Self { events: Some(sender), ended })
    }

    /// Why it cannot go on, if it cannot.
    pub fn failure(&self) -> Option<String> {
        self.ended().and_then(Result::err)
    }

    /// What became of it, once its thread has ended.
    pub fn ended(&self) -> Option<Result<Summary, String>> {
        self.ended.get().cloned()
    }

    /// Nothing more is to come: what has come is still written.
    pub fn close(&mut self) {
        self.events = None;
    }

    /// Ends the recording and waits until what has come is written, for as long as `patience` lasts.
    pub fn finish(mut self, patience: Duration) -> Result<Summary, String> {
        self.close();
        let until = Instant::now() + patience;
        loop {
            if let Some(ended) = self.ended() {
                return ended;
            }
            if Instant::now() >= until {
                return Err(SLOW.to_owned());
            }
            std::thread::sleep(LOOK);
        }
    }
}

impl Sink for Recorder {
    fn put(&mut self, at: u64, event: Event) -> io::Result<()> {
        let Some(events) = &self.events else { return Err(slow()) };
        match events.try_send((at, event)) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => {
                // What waits is still written; a frame left out would spoil all that follow.
                self.events = None;
                Err(slow())
            }
            Err(TrySendError::Disconnected(_)) => {
                let why = self.failure();
                Err(io::Error::other(why.unwrap_or_else(|| "its thread has ended".to_owned())))
            }
        }
    }
}

fn slow() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, SLOW)
}

/// Writes what comes until nothing more does; hands it on whenever nothing waits.
fn write(out: impl Write, header: &Header, inbox: &Receiver<(u64, Event)>) -> io::Result<Summary> {
    let mut cast = Cast::begin(out, header)?;
    let mut summary = Summary::default();
    cast.flush()?;
    while let Ok(first) = inbox.recv() {
        for (at, event) in [first].into_iter().chain(inbox.try_iter()) {
            cast.write(at, &event)?;
            summary = Summary { events: summary.events + 1, length: at };
        }
        cast.flush()?;
    }
    Ok(summary)
}

#[cfg(test)]
mod tests;
