//! What is written comes in order; full and stuck disks end a recording.

use std::sync::Mutex;

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

/// Takes a number of bytes, then fails as a full disk does; keeps what it took.
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
    let ended = Arc::clone(&recorder.ended);
    recorder.finish(Duration::ZERO).unwrap_err();
    drop(go);
    let until = Instant::now() + PATIENCE;
    while ended.get().is_none() {
        assert!(Instant::now() < until);
        std::thread::sleep(LOOK);
    }
    let text = String::from_utf8(kept.lock().unwrap().clone()).unwrap();
    assert_eq!(text.lines().count() as u64, 1 + taken);
    assert!(text.ends_with(&format!("\"{}\"]\n", taken - 1)), "{text}");
}
