//! Ctrl-C and SIGTERM: the first asks the work to end with what it has, the second ends it at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::Failure;

/// Whether the work is to end.
pub(super) struct Interruption {
    /// Set once the work is to end.
    pub(super) stop: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Interruption {
    pub(super) fn listen() -> io::Result<Self> {
        let (stop, number) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        for signal in [SIGINT, SIGTERM] {
            // In this order: what is registered first is done first, so only the second signal
            // finds the work told to stop.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop))?;
            flag::register_usize(signal, Arc::clone(&number), signal as usize)?;
            flag::register(signal, Arc::clone(&stop))?;
        }
        Ok(Self { stop, signal: number })
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
