//! Leaving when asked from outside: signals, and a terminal that is gone.
//!
//! The event library reads a hung-up terminal for ever without coming back, so a thread of its own
//! looks after the end: it notes the reason where the loop can see it, and ends the program where
//! the loop no longer looks.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGTERM};

/// How often the thread looks.
const LOOK: Duration = Duration::from_millis(200);
/// How long the loop has to leave by itself.
const GRACE: Duration = Duration::from_millis(600);

/// Watches for the end from outside; dropping it ends the watch.
#[derive(Debug)]
pub(super) struct Hangup {
    signal: Arc<AtomicUsize>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Hangup {
    /// Starts to watch. Where the loop does not leave in time, `give_back` is called and the
    /// program ends with 128 plus the signal's number.
    pub fn watch(give_back: fn()) -> io::Result<Self> {
        let signal = Arc::new(AtomicUsize::new(0));
        for number in [SIGTERM, SIGHUP] {
            signal_hook::flag::register_usize(number, Arc::clone(&signal), number as usize)?;
        }
        let over = Arc::new(AtomicBool::new(false));
        let (noted, done) = (Arc::clone(&signal), Arc::clone(&over));
        let thread = Builder::new().name("hangup".to_owned()).spawn(move || {
            while !done.load(Ordering::Relaxed) {
                sleep(LOOK);
                if !io::stdin().is_terminal() {
                    let _ = noted.compare_exchange(
                        0,
                        SIGHUP as usize,
                        Ordering::Relaxed,
                        Ordering::Relaxed,
                    );
                }
                let number = noted.load(Ordering::Relaxed);
                if number == 0 {
                    continue;
                }
                sleep(GRACE);
                if !done.load(Ordering::Relaxed) {
                    give_back();
                    std::process::exit(128 + number as i32);
                }
            }
        })?;
        Ok(Self { signal, over, thread: Some(thread) })
    }

    /// The signal that asked for the end, if one did.
    pub fn asked(&self) -> Option<i32> {
        match self.signal.load(Ordering::Relaxed) {
            0 => None,
            number => Some(number as i32),
        }
    }
}

impl Drop for Hangup {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
