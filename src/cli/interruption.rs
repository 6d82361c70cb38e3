//! Ctrl-C and SIGTERM: the first asks the work to end with what it has, the second ends it at once. Where
//! the work does not end in time and there is nothing to lose, it is ended from here: building the tables
//! of a million nodes cannot be told to stop, and their memory need not be given back piece by piece.

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

/// How often one looks whether a signal came.
const LOOK: Duration = Duration::from_millis(20);
/// How long the work has to end by itself.
const GRACE: Duration = Duration::from_millis(120);

/// Whether the work is to end.
#[derive(Clone)]
pub(super) struct Interruption {
    /// Set once the work is to end.
    pub(super) stop: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
    /// Whether there are results that are still to be printed.
    results: Arc<AtomicBool>,
}

impl Interruption {
    pub(super) fn listen() -> io::Result<Self> {
        let new = || Arc::new(AtomicBool::new(false));
        let this = Self { stop: new(), signal: Arc::new(AtomicUsize::new(0)), results: new() };
        for signal in [SIGINT, SIGTERM] {
            // In this order: what is registered first is done first, so only the second signal
            // finds the work told to stop.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&this.stop))?;
            flag::register_usize(signal, Arc::clone(&this.signal), signal as usize)?;
            flag::register(signal, Arc::clone(&this.stop))?;
        }
        let seen = this.clone();
        Builder::new().name("interruption".to_owned()).spawn(move || seen.watch())?;
        Ok(this)
    }

    /// Says whether there are results that would be lost if the program ended now.
    pub(super) fn keep(&self, results: bool) {
        self.results.store(results, Ordering::Relaxed);
    }

    /// A run is as far as this: what it has measured is worth waiting for.
    pub(super) fn seen(&self, run: &Progress) {
        if run.messages > 0 {
            self.keep(true);
        }
    }

    /// Ends the program some time after a signal, unless it has ended by then.
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
        // Nothing that is being printed is cut in two.
        let _out = io::stdout().lock();
        if io::stderr().is_terminal() {
            // The line of a bar that nobody takes away any more.
            let _ = io::stderr().write_all(b"\r\x1b[2K");
        }
        failure.tell();
        leases::give_all_back();
        std::process::exit(i32::from(failure.status()));
    }

    /// The failure that says so, if a signal came.
    pub(super) fn failure(&self) -> Option<Failure> {
        match self.signal.load(Ordering::Relaxed) {
            0 => None,
            number => Some(Failure::Interrupted(u8::try_from(number).unwrap_or(u8::MAX))),
        }
    }

    /// How work ends in which a run was stopped by a deadlock, or none was.
    pub(super) fn end(&self, deadlock: bool) -> Result<(), Failure> {
        match self.failure() {
            Some(interrupted) => Err(interrupted),
            None if deadlock => Err(Failure::Deadlock),
            None => Ok(()),
        }
    }
}
