//! Writes a recording on a separate thread, so that drawing never waits for a disk.
//!
//! Lines are sent over a bounded channel. A disk that fails or is too slow ends the recording with
//! an error; lines in the middle are never dropped, since each frame builds on the last.

use std::io::{self, BufWriter, Write};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Maximum number of unwritten lines: a header and some eight seconds of frames.
const WAITING_MAX: usize = 257;
/// Error for a disk that is too slow.
const SLOW: &str = "the output is too slow";
/// Polling interval for the end of the thread.
const LOOK: Duration = Duration::from_millis(2);

/// A writer that sends each line to a separate thread.
#[derive(Debug)]
pub struct Recorder {
    /// `None` once closed.
    lines: Option<SyncSender<Vec<u8>>>,
    /// Result of the recording, once its thread has ended.
    ended: Arc<OnceLock<Result<(), String>>>,
}

impl Recorder {
    /// Starts a thread that writes to `out`.
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

    /// Error of the recording, if any.
    pub fn failure(&self) -> Option<String> {
        self.ended().and_then(Result::err)
    }

    /// Result of the recording, once its thread has ended.
    pub fn ended(&self) -> Option<Result<(), String>> {
        self.ended.get().cloned()
    }

    /// Closes the recording; lines already sent are still written.
    pub fn close(&mut self) {
        self.lines = None;
    }

    /// Closes the recording and waits at most `patience` for the remaining lines.
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
                // Waiting lines are still written; a dropped frame would corrupt all later frames.
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

/// Writes lines until the channel is closed; flushes whenever the channel is empty.
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
