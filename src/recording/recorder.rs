//! Writes a recording on a thread of its own: drawing never waits for a disk.
//!
//! Lines go through a bounded channel. A disk that fails or falls too far behind ends the recording
//! and says so; no line in the middle is ever left out, since frames build on each other.

use std::io::{self, BufWriter, Write};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Lines that may wait to be written: a header and some eight seconds of frames.
const WAITING_MAX: usize = 257;
/// What is said of a disk that does not keep up.
const SLOW: &str = "what it is written to is too slow";
/// How often the end of the thread is looked for.
const LOOK: Duration = Duration::from_millis(2);

/// What writes on the thread, a line at a time.
#[derive(Debug)]
pub struct Recorder {
    /// `None` once nothing more is to come.
    lines: Option<SyncSender<Vec<u8>>>,
    /// What became of it, once its thread has ended.
    ended: Arc<OnceLock<Result<(), String>>>,
}

impl Recorder {
    /// Starts the thread that writes to `out`.
    pub fn start(out: impl Write + Send + 'static) -> io::Result<Self> {
        let (sender, inbox) = sync_channel(WAITING_MAX);
        let ended = Arc::new(OnceLock::new());
        let told = Arc::clone(&ended);
        Builder::new().name("recording".to_owned()).spawn(move || {
            let written = write(BufWriter::new(out), &inbox);
            told.get_or_init(|| written.map_err(|error| error.to_string()));
        })?;
        Ok(Self { lines: Some(sender), ended })
    }

    /// Why it cannot go on, if it cannot.
    pub fn failure(&self) -> Option<String> {
        self.ended().and_then(Result::err)
    }

    /// What became of it, once its thread has ended.
    pub fn ended(&self) -> Option<Result<(), String>> {
        self.ended.get().cloned()
    }

    /// Nothing more is to come: what has come is still written.
    pub fn close(&mut self) {
        self.lines = None;
    }

    /// Ends the recording and waits until what has come is written, for as long as `patience` lasts.
    pub fn finish(mut self, patience: Duration) -> Result<(), String> {
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

impl Write for Recorder {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let Some(lines) = &self.lines else { return Err(slow()) };
        match lines.try_send(line.to_owned()) {
            Ok(()) => Ok(line.len()),
            Err(TrySendError::Full(_)) => {
                // What waits is still written; a frame left out would spoil all that follow.
                self.lines = None;
                Err(slow())
            }
            Err(TrySendError::Disconnected(_)) => {
                let why = self.failure();
                Err(io::Error::other(why.unwrap_or_else(|| "its thread has ended".to_owned())))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn slow() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, SLOW)
}

/// Writes what comes until nothing more does; hands it on whenever nothing waits.
fn write(mut out: impl Write, inbox: &Receiver<Vec<u8>>) -> io::Result<()> {
    while let Ok(first) = inbox.recv() {
        for line in [first].into_iter().chain(inbox.try_iter()) {
            out.write_all(&line)?;
        }
        out.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
