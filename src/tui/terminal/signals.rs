//! Signals, and a terminal that is gone: noted here, obeyed by the loop.
//!
//! A thread of its own sees to the end: where a terminal is gone without a signal, and where the loop is
//! held up too long by something else.

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

/// Signals that end the program: all that would by themselves, and may come from outside.
const ENDING: &[i32] =
    &[SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGXCPU];
/// Those of them that a terminal sends when a key is typed.
const TYPED: &[i32] = &[SIGINT, SIGQUIT];
/// How often the thread looks.
const LOOK: Duration = Duration::from_millis(200);
/// How long the loop has to leave by itself.
const GRACE: Duration = Duration::from_millis(600);

/// Signals that came, each until it was obeyed.
#[derive(Clone, Debug, Default)]
struct Noted {
    /// One of [`ENDING`], or 0.
    end: Arc<AtomicUsize>,
    /// One of [`TYPED`], or 0.
    typed: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
    go_on: Arc<AtomicBool>,
    /// Whether another program has the terminal: what is typed there is its business, and it stops
    /// with us.
    away: Arc<AtomicBool>,
    /// Whether the loop has left.
    over: Arc<AtomicBool>,
}

impl Noted {
    fn ending(&self) -> Option<i32> {
        let noted = |number: &AtomicUsize| {
            Some(number.load(Ordering::Relaxed) as i32).filter(|&number| number != 0)
        };
        let ours = !self.away.load(Ordering::Relaxed);
        noted(&self.end).or_else(|| noted(&self.typed).filter(|_| ours))
    }

    /// Looks after the end until the loop has left.
    fn watch(&self, give_back: fn()) {
        let over = || self.over.load(Ordering::Relaxed);
        while !over() {
            park_timeout(LOOK);
            if !io::stdin().is_terminal() {
                let (order, other) = (Ordering::Relaxed, Ordering::Relaxed);
                let _ = self.end.compare_exchange(0, SIGHUP as usize, order, other);
            }
            let Some(number) = self.ending() else { continue };
            // Woken where the loop has left.
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

/// Listens for signals; dropping it ends the watch for a terminal that is gone.
#[derive(Debug)]
pub(super) struct Signals {
    noted: Noted,
    thread: Option<JoinHandle<()>>,
}

impl Signals {
    /// Begins to listen. Where the loop does not leave in time, `give_back` is called and the program
    /// ends with 128 plus the signal's number.
    pub(super) fn watch(give_back: fn()) -> io::Result<Self> {
        let noted = Noted::default();
        for (signals, number) in [(ENDING, &noted.end), (TYPED, &noted.typed)] {
            for &signal in signals {
                flag::register_usize(signal, Arc::clone(number), signal as usize)?;
            }
        }
        // A file that may not grow is an error of the write, not the end.
        flag::register(SIGXFSZ, Arc::default())?;
        flag::register_conditional_default(SIGTSTP, Arc::clone(&noted.away))?;
        flag::register(SIGTSTP, Arc::clone(&noted.stop))?;
        flag::register(SIGCONT, Arc::clone(&noted.go_on))?;
        let seen = noted.clone();
        let thread = Builder::new().name("signals".to_owned());
        let thread = Some(thread.spawn(move || seen.watch(give_back))?);
        Ok(Self { noted, thread })
    }

    /// The signal that asked for the end, if one did.
    pub(super) fn ending(&self) -> Option<i32> {
        self.noted.ending()
    }

    /// True if a stop was asked for, said once.
    pub(super) fn take_stop(&self) -> bool {
        self.noted.stop.swap(false, Ordering::Relaxed)
    }

    /// True if the program was stopped and goes on, said once.
    pub(super) fn take_go_on(&self) -> bool {
        self.noted.go_on.swap(false, Ordering::Relaxed)
    }

    /// Runs another program that has the terminal meanwhile.
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
