//! Cancellation of long model evaluations.
//!
//! Equations of large networks take seconds, and are checked for cancellation or an exhausted
//! [`budget`] between steps of milliseconds.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Unsolved, budget};

thread_local! {
    static GIVEN_UP: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Executes `work`; its models return [`super::Unsolved::GivenUp`] once `given_up` is set.
pub fn with_flag<T>(given_up: &Arc<AtomicBool>, work: impl FnOnce() -> T) -> T {
    /// Restores the previous flag on drop, even after a panic.
    struct Before(Option<Arc<AtomicBool>>);
    impl Drop for Before {
        fn drop(&mut self) {
            GIVEN_UP.with_borrow_mut(|it| *it = self.0.take());
        }
    }
    let _before = Before(GIVEN_UP.replace(Some(Arc::clone(given_up))));
    work()
}

/// The reason for cancelling the work on this thread, if any.
pub(super) fn reason() -> Option<Unsolved> {
    let given_up = |it: &Option<Arc<AtomicBool>>| {
        it.as_ref().is_some_and(|it| it.load(Ordering::Relaxed)).then_some(Unsolved::GivenUp)
    };
    let over_budget = || budget::spent().map(|steps| Unsolved::OverBudget { steps });
    GIVEN_UP.with_borrow(given_up).or_else(over_budget)
}

/// True if the work on this thread is to be cancelled.
pub(super) fn is_cancelled() -> bool {
    reason().is_some()
}

/// Charges steps to the work on this thread; an error if the work is to be cancelled.
pub(super) fn charge(steps: usize) -> Result<(), Unsolved> {
    budget::charge(steps);
    check_cancelled()
}

/// An error if the work on this thread is to be cancelled.
pub(super) fn check_cancelled() -> Result<(), Unsolved> {
    reason().map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests;
