//! The available memory of the machine, set once and checked before large allocations. A failed
//! allocation ends the program without a message, so requests beyond the limit are refused in
//! advance.

use std::sync::atomic::{AtomicU64, Ordering};

/// In bytes; unlimited until set.
static AVAILABLE: AtomicU64 = AtomicU64::new(u64::MAX);

/// Sets the limit in bytes: runs and models with larger estimates are refused from now on. Must be
/// called before the first scenario is read.
pub fn limit(bytes: u64) {
    AVAILABLE.store(bytes, Ordering::Relaxed);
}

/// The available memory in bytes.
pub fn available() -> u64 {
    AVAILABLE.load(Ordering::Relaxed)
}
