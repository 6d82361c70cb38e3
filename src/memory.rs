//! The memory that there is on this machine: said once, and asked by all that would take much of it. An
//! allocation that fails ends the program without a message, so nothing is asked for that cannot be had.

use std::sync::atomic::{AtomicU64, Ordering};

/// In bytes; no limit as long as nobody says one.
static AVAILABLE: AtomicU64 = AtomicU64::new(u64::MAX);

/// From now on runs and models are refused that need more than this many bytes, by estimate. Must be
/// called before the first scenario is read.
pub fn limit(bytes: u64) {
    AVAILABLE.store(bytes, Ordering::Relaxed);
}

/// The bytes that there are.
pub fn available() -> u64 {
    AVAILABLE.load(Ordering::Relaxed)
}
