//! Two slots for updates, each under a lock held for no longer than a pointer swap.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Update;

/// The newest update on its way out, and a spent one on its way back.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    fresh: Mutex<Option<(Instant, Box<Update>)>>,
    spent: Mutex<Option<Box<Update>>>,
}

impl Mailbox {
    /// True if posting makes sense: nothing waits, or what waits is older than `frame`.
    pub(super) fn wants(&self, frame: Duration) -> bool {
        lock(&self.fresh).as_ref().is_none_or(|(posted, _)| posted.elapsed() >= frame)
    }

    /// Storage to fill, if some came back.
    pub(super) fn storage(&self) -> Option<Box<Update>> {
        lock(&self.spent).take()
    }

    /// Posts the newest update; one that was not taken becomes storage.
    pub(super) fn post(&self, update: Box<Update>) {
        let old = lock(&self.fresh).replace((Instant::now(), update));
        if let Some((_, old)) = old {
            self.give_back(old);
        }
    }

    pub(super) fn take(&self) -> Option<Box<Update>> {
        let fresh = lock(&self.fresh).take();
        fresh.map(|(_, update)| update)
    }

    pub(super) fn give_back(&self, update: Box<Update>) {
        let old = lock(&self.spent).replace(update);
        drop(old);
    }
}

/// Locks, even if a thread panicked while holding the lock.
pub(super) fn lock<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}
