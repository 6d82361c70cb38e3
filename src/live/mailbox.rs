//! Two slots for updates, each under a lock held for no longer than a pointer swap.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Update;

/// The newest update on its way out, and a spent one on its way back.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    fresh: Mutex<Option<(Instant, Box<Update>)>>,
    spent: Mutex<Option<Box<Update>>>,
}

impl Mailbox {
    /// Whether posting makes sense: nothing waits, or what waits is older than `frame`.
    pub(super) fn wants(&self, frame: Duration) -> bool {
        self.fresh
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
            .is_none_or(|(posted, _)| posted.elapsed() >= frame)
    }

    /// Storage to fill, if some came back.
    pub(super) fn storage(&self) -> Option<Box<Update>> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Posts the newest update; one that was not taken becomes storage.
    pub(super) fn post(&self, update: Box<Update>) {
        let old = self
            .fresh
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .replace((Instant::now(), update));
        if let Some((_, old)) = old {
            self.give_back(old);
        }
    }

    /// Takes the newest update.
    pub(super) fn take(&self) -> Option<Box<Update>> {
        let fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner).take();
        fresh.map(|(_, update)| update)
    }

    /// Returns storage.
    pub(super) fn give_back(&self, update: Box<Update>) {
        let old = self.spent.lock().unwrap_or_else(PoisonError::into_inner).replace(update);
        drop(old);
    }
}
