//! Writes a recording on a thread of its own: whoever draws never waits for a disk.
//!
//! Events go through a bounded channel. A disk that fails or falls too far behind ends the recording
//! and says so; no event in the middle is ever left out, since frames build on each other.

use std::io::{self, BufWriter, Write};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
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

/// What the thread tells.
#[derive(Debug, Default)]
struct State {
    summary: Summary,
    /// Why it ended, once it has.
    ended: Option<Result<(), String>>,
}

/// A recording that is being written.
#[derive(Debug)]
pub struct Recorder {
    /// `None` once nothing more is to come.
    events: Option<SyncSender<(u64, Event)>>,
    state: Arc<Mutex<State>>,
}

impl Recorder {
    /// Starts the thread that writes to `out`, the header first.
    pub fn start(out: impl Write + Send + 'static, header: Header) -> io::Result<Self> {
        let (sender, inbox) = sync_channel(WAITING_MAX);
        let state = Arc::new(Mutex::new(State::default()));
        let told = Arc::clone(&state);
        Builder::new().name("recording".to_owned()).spawn(move || {
            let ended = write(BufWriter::new(out), &header, &inbox, &told);
            let mut state = told.lock().unwrap_or_else(PoisonError::into_inner);
            state.ended = Some(ended.map_err(|error| error.to_string()));
        })?;
        Ok(Self { events: Some(sender), state })
    }

    /// Why it cannot go on, if it cannot.
    pub fn failure(&self) -> Option<String> {
        self.ended().and_then(Result::err)
    }

    /// What became of it, once its thread has ended.
    pub fn ended(&self) -> Option<Result<Summary, String>> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.ended.clone().map(|ended| ended.map(|()| state.summary))
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
fn write(
    out: impl Write,
    header: &Header,
    inbox: &Receiver<(u64, Event)>,
    told: &Mutex<State>,
) -> io::Result<()> {
    let mut cast = Cast::begin(out, header)?;
    cast.flush()?;
    while let Ok(first) = inbox.recv() {
        let mut next = Some(first);
        while let Some((at, event)) = next {
            cast.write(at, &event)?;
            let mut state = told.lock().unwrap_or_else(PoisonError::into_inner);
            state.summary = Summary { events: state.summary.events + 1, length: at };
            drop(state);
            next = inbox.try_recv().ok();
        }
        cast.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
