//! Handles Ctrl-C and SIGTERM.
//!
//! The first signal asks the work to finish early, the second ends the program at once. If the work
//! does not finish in time and no results can be lost, this module ends the program: building the
//! tables of a million nodes cannot be stopped, and freeing their memory takes long.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{Builder, sleep};
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::{Failure, output};
use crate::experiment::{Progress, leases};
use crate::files;

/// Polling interval for signals.
const LOOK: Duration = Duration::from_millis(20);
/// Time for the work to finish by itself.
const GRACE: Duration = Duration::from_millis(120);

/// The state shared with the signal handlers.
#[derive(Clone)]
pub(super) struct Interruption {
    /// Set once the work must finish.
    pub(super) stop: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
    /// True while unprinted results exist.
    results: Arc<AtomicBool>,
}

impl Interruption {
    pub(super) fn listen() -> io::Result<Self> {
        let new = || Arc::new(AtomicBool::new(false));
        let this = Self { stop: new(), signal: Arc::new(AtomicUsize::new(0)), results: new() };
        for signal in [SIGINT, SIGTERM] {
            // Handlers run in the order of registration, so only the second signal finds `stop`
            // set.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&this.stop))?;
            flag::register_usize(signal, Arc::clone(&this.signal), signal as usize)?;
            flag::register(signal, Arc::clone(&this.stop))?;
        }
        let seen = this.clone();
        Builder::new().name("interruption".to_owned()).spawn(move || seen.watch())?;
        Ok(this)
    }

    /// Records the presence of results that an exit would lose.
    pub(super) fn keep(&self, results: bool) {
        self.results.store(results, Ordering::Relaxed);
    }

    /// Records the progress of a run: measured results are worth waiting for.
    pub(super) fn seen(&self, run: &Progress) {
        if run.messages > 0 {
            self.keep(true);
        }
    }

    /// Ends the program some time after a signal, if still running.
    fn watch(&self) {
        let failure = loop {
            match self.failure() {
                Some(failure) => break failure,
                None => sleep(LOOK),
            }
        };
        sleep(GRACE);
        let is_busy = || self.results.load(Ordering::Relaxed) || files::are_drafted();
        if is_busy() {
            output::remark("ending with what it has; another Ctrl-C ends it at once");
        }
        while is_busy() {
            sleep(LOOK);
        }
        // The lock prevents output from being cut in two.
        let _out = io::stdout().lock();
        if io::stderr().is_terminal() {
            // Clears the line of an abandoned progress bar.
            let _ = io::stderr().write_all(b"\r\x1b[2K");
        }
        failure.print();
        leases::give_all_back();
        std::process::exit(i32::from(failure.status()));
    }

    /// The failure for a received signal, if any.
    pub(super) fn failure(&self) -> Option<Failure> {
        match self.signal.load(Ordering::Relaxed) {
            0 => None,
            number => Some(Failure::Interrupted(u8::try_from(number).unwrap_or(u8::MAX))),
        }
    }

    /// The result of completed work, given the presence of a deadlock.
    pub(super) fn end(&self, deadlock: bool) -> Result<(), Failure> {
        match self.failure() {
            Some(interrupted) => Err(interrupted),
            None if deadlock => Err(Failure::Deadlock),
            None => Ok(()),
        }
    }
}
