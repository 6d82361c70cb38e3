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
mod tests {
    use super::*;
    use crate::recording::Format;

    fn header() -> Header {
        Header {
            format: Format::V3,
            size: (80, 24),
            title: "test".to_owned(),
            made: None,
            idle_limit: None,
            terminal: None,
            palette: None,
        }
    }

    /// Takes so many bytes, then fails as a full disk does; keeps what it took.
    struct Disk {
        room: usize,
        kept: Arc<Mutex<Vec<u8>>>,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(self.room);
            if taken == 0 && !bytes.is_empty() {
                return Err(io::Error::new(io::ErrorKind::StorageFull, "no space left on device"));
            }
            self.room -= taken;
            self.kept.lock().unwrap().extend_from_slice(&bytes[..taken]);
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn disk(room: usize) -> (Disk, Arc<Mutex<Vec<u8>>>) {
        let kept = Arc::new(Mutex::new(Vec::new()));
        (Disk { room, kept: Arc::clone(&kept) }, kept)
    }

    const PATIENCE: Duration = Duration::from_secs(60);

    #[test]
    fn all_that_comes_is_written_in_order() {
        let (disk, kept) = disk(usize::MAX);
        let mut recorder = Recorder::start(disk, header()).unwrap();
        for number in 0..200u64 {
            recorder.put(number * 1000, Event::Output(number.to_string())).unwrap();
        }
        let summary = recorder.finish(PATIENCE).unwrap();
        assert_eq!(summary, Summary { events: 200, length: 199_000 });
        let text = String::from_utf8(kept.lock().unwrap().clone()).unwrap();
        let found: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
        let wanted: Vec<String> = (0..200)
            .map(|number| format!("[0.00{}, \"o\", \"{number}\"]", u8::from(number > 0)))
            .collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_full_disk_ends_the_recording_and_says_why() {
        // Full in the header, at its end, and in the middle of a later event.
        for room in [0, 30, 4_000] {
            let (disk, kept) = disk(room);
            let mut recorder = Recorder::start(disk, header()).unwrap();
            let started = Instant::now();
            let error = loop {
                match recorder.put(0, Event::Output("x".repeat(100))) {
                    Ok(()) => std::thread::yield_now(),
                    Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                        // The disk had no time to say that it is full.
                        break recorder.finish(PATIENCE).unwrap_err();
                    }
                    Err(error) => {
                        assert_eq!(recorder.failure().as_deref(), Some("no space left on device"));
                        break error.to_string();
                    }
                }
                assert!(started.elapsed() < PATIENCE);
            };
            assert_eq!(error, "no space left on device");
            assert_eq!(kept.lock().unwrap().len(), room, "all that there was room for is there");
        }
    }

    /// Lets nothing through until it is told to.
    struct Stuck(Receiver<()>, Disk);

    impl Write for Stuck {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            self.1.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_stuck_disk_ends_the_recording_without_a_wait_and_without_a_gap() {
        let (go, wait) = std::sync::mpsc::channel();
        let (disk, kept) = disk(usize::MAX);
        let mut recorder = Recorder::start(Stuck(wait, disk), header()).unwrap();
        let mut taken = 0;
        let error = loop {
            match recorder.put(taken, Event::Output(taken.to_string())) {
                Ok(()) => taken += 1,
                Err(error) => break error,
            }
        };
        assert_eq!(error.to_string(), "what it is written to is too slow");
        assert!(taken >= 256, "{taken}");
        // Nothing is taken after a gap.
        recorder.put(taken, Event::Output("after".to_owned())).unwrap_err();
        let state = Arc::clone(&recorder.state);
        recorder.finish(Duration::ZERO).unwrap_err();
        drop(go);
        let until = Instant::now() + PATIENCE;
        while state.lock().unwrap().ended.is_none() {
            assert!(Instant::now() < until);
            std::thread::sleep(LOOK);
        }
        let text = String::from_utf8(kept.lock().unwrap().clone()).unwrap();
        assert_eq!(text.lines().count() as u64, 1 + taken);
        assert!(text.ends_with(&format!("\"{}\"]\n", taken - 1)), "{text}");
    }
}
