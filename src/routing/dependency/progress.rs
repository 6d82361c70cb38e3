//! Progress of a proof.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::units::WHOLE;

thread_local! {
    static SHARE: RefCell<Option<Arc<AtomicU32>>> = const { RefCell::new(None) };
}

/// Runs `work`; its proofs store the completed part of [`WHOLE`] in `share`.
pub fn shared<T>(share: &Arc<AtomicU32>, work: impl FnOnce() -> T) -> T {
    /// Restores the previous share afterwards, also after a panic.
    struct Before(Option<Arc<AtomicU32>>);
    impl Drop for Before {
        fn drop(&mut self) {
            SHARE.with_borrow_mut(|it| *it = self.0.take());
        }
    }
    let _before = Before(SHARE.replace(Some(Arc::clone(share))));
    work()
}

/// Records that `done` parts of `of` are complete.
pub(super) fn note(done: usize, of: usize) {
    let part = (u64::from(WHOLE) * done as u64 / of.max(1) as u64) as u32;
    SHARE.with_borrow(|it| it.iter().for_each(|share| share.store(part, Ordering::Relaxed)));
}

#[cfg(test)]
mod tests;
