//! Records signals and the loss of the terminal for the main loop.
//!
//! A separate thread ends the program if the terminal disappears without a signal, or if the main
//! loop is blocked for too long.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{Builder, JoinHandle, park_timeout};
use std::time::{Duration, Instant};

use signal_hook::consts::{
    SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2,
    SIGVTALRM, SIGXCPU, SIGXFSZ,
};
use signal_hook::flag;

/// Signals that end a program by default and may be sent from outside.
const ENDING: &[i32] =
    &[SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGXCPU];
/// Signals sent by the terminal for a key.
const TYPED: &[i32] = &[SIGINT, SIGQUIT];
/// Polling interval of the thread.
const LOOK: Duration = Duration::from_millis(200);
/// Time for the main loop to leave before the thread ends the program.
const GRACE: Duration = Duration::from_millis(600);

/// Received signals, until processed.
#[derive(Clone, Debug, Default)]
struct PendingSignals {
    /// A signal of [`ENDING`], or 0.
    end: Arc<AtomicUsize>,
    /// A signal of [`TYPED`], or 0.
    typed: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
    go_on: Arc<AtomicBool>,
    /// True while another program uses the terminal, receives its keys, and stops together with
    /// this program.
    away: Arc<AtomicBool>,
    /// True after the main loop has left.
    over: Arc<AtomicBool>,
}

impl PendingSignals {
    fn ending(&self) -> Option<i32> {
        let noted = |number: &AtomicUsize| {
            Some(number.load(Ordering::Relaxed) as i32).filter(|&number| number != 0)
        };
        let ours = !self.away.load(Ordering::Relaxed);
        noted(&self.end).or_else(|| noted(&self.typed).filter(|_| ours))
    }

    /// Watches for the end until the main loop has left.
    fn watch(&self, give_back: fn()) {
        let over = || self.over.load(Ordering::Relaxed);
        while !over() {
            park_timeout(LOOK);
            if !io::stdin().is_terminal() {
                let (order, other) = (Ordering::Relaxed, Ordering::Relaxed);
                let _ = self.end.compare_exchange(0, SIGHUP as usize, order, other);
            }
            let Some(number) = self.ending() else { continue };
            // Unparked when the main loop has left.
            let since = Instant::now();
            while !over() && since.elapsed() < GRACE {
                park_timeout(GRACE.saturating_sub(since.elapsed()));
            }
            if !over() {
                give_back();
                std::process::exit(128 + number);
            }
        }
    }
}

/// Signal handlers and their thread, stopped on drop.
#[derive(Debug)]
pub(super) struct Signals {
    noted: PendingSignals,
    thread: Option<JoinHandle<()>>,
}

impl Signals {
    /// Installs the handlers. If the main loop fails to leave in time, the thread calls `give_back`
    /// and exits with 128 plus the signal's number.
    pub(super) fn watch(give_back: fn()) -> io::Result<Self> {
        let noted = PendingSignals::default();
        for (signals, number) in [(ENDING, &noted.end), (TYPED, &noted.typed)] {
            for &signal in signals {
                flag::register_usize(signal, Arc::clone(number), signal as usize)?;
            }
        }
        // Exceeding the file size limit becomes a write error.
        flag::register(SIGXFSZ, Arc::default())?;
        flag::register_conditional_default(SIGTSTP, Arc::clone(&noted.away))?;
        flag::register(SIGTSTP, Arc::clone(&noted.stop))?;
        flag::register(SIGCONT, Arc::clone(&noted.go_on))?;
        let seen = noted.clone();
        let thread = Builder::new().name("signals".to_owned());
        let thread = Some(thread.spawn(move || seen.watch(give_back))?);
        Ok(Self { noted, thread })
    }

    /// The signal that requested the end, if any.
    pub(super) fn ending(&self) -> Option<i32> {
        self.noted.ending()
    }

    /// True after a stop request, once.
    pub(super) fn take_stop(&self) -> bool {
        self.noted.stop.swap(false, Ordering::Relaxed)
    }

    /// True after the process was continued, once.
    pub(super) fn take_continued(&self) -> bool {
        self.noted.go_on.swap(false, Ordering::Relaxed)
    }

    /// Runs another program that uses the terminal.
    pub(super) fn aside<T>(&self, run: impl FnOnce() -> T) -> T {
        self.noted.away.store(true, Ordering::Relaxed);
        let result = run();
        self.noted.typed.store(0, Ordering::Relaxed);
        self.noted.away.store(false, Ordering::Relaxed);
        self.take_stop();
        result
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.noted.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}
