//! Tests that lines are written in order, and that full and stuck disks end a recording.

use std::sync::Mutex;

use super::*;

/// Accepts a number of bytes and keeps them, then fails like a full disk.
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
    let mut recorder = Recorder::start(disk).unwrap();
    for number in 0..200 {
        recorder.write_all(format!("{number}\n").as_bytes()).unwrap();
    }
    recorder.finish(PATIENCE).unwrap();
    let text = String::from_utf8(kept.lock().unwrap().clone()).unwrap();
    assert!(text.lines().eq((0..200).map(|number| number.to_string())), "{text}");
}

#[test]
fn a_full_disk_ends_the_recording_and_says_why() {
    // Full immediately, in the first line, and in the middle of a later line.
    for room in [0, 30, 4_000] {
        let (disk, kept) = disk(room);
        let mut recorder = Recorder::start(disk).unwrap();
        let started = Instant::now();
        let error = loop {
            match recorder.write_all(&[b'x'; 100]) {
                Ok(()) => std::thread::yield_now(),
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                    // The disk had no time to report its error.
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
        assert_eq!(kept.lock().unwrap().len(), room, "the disk is filled completely");
    }
}

/// Blocks until released.
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
    let mut recorder = Recorder::start(Stuck(wait, disk)).unwrap();
    let mut taken = 0u64;
    let error = loop {
        match recorder.write_all(format!("{taken}\n").as_bytes()) {
            Ok(()) => taken += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error.to_string(), "the output is too slow");
    assert!(taken >= 256, "{taken}");
    // Lines after a gap are refused.
    recorder.write_all(b"after").unwrap_err();
    let ended = Arc::clone(&recorder.ended);
    recorder.finish(Duration::ZERO).unwrap_err();
    drop(go);
    let until = Instant::now() + PATIENCE;
    while ended.get().is_none() {
        assert!(Instant::now() < until);
        std::thread::sleep(LOOK);
    }
    let text = String::from_utf8(kept.lock().unwrap().clone()).unwrap();
    assert_eq!(text.lines().count() as u64, taken);
    assert!(text.ends_with(&format!("\n{}\n", taken - 1)), "{text}");
}
