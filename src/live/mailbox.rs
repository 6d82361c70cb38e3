//! Two slots for updates, each locked only for a pointer swap.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Update;

/// The newest update for the screen, and a used one for reuse.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    fresh: Mutex<Option<(Instant, Box<Update>)>>,
    spent: Mutex<Option<Box<Update>>>,
}

impl Mailbox {
    /// True if an update should be posted: the slot is empty, or its update is older than `frame`.
    pub(super) fn wants(&self, frame: Duration) -> bool {
        lock(&self.fresh).as_ref().is_none_or(|(posted, _)| posted.elapsed() >= frame)
    }

    /// Storage to fill, if any was returned.
    pub(super) fn storage(&self) -> Option<Box<Update>> {
        lock(&self.spent).take()
    }

    /// Posts the newest update; an unread older one becomes storage.
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
