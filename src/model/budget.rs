//! Limits the work of models.
//!
//! Work is counted in steps instead of seconds, so that a computation stops at the same point on
//! every machine.
//!
//! A step is one visit of a stream of messages to a channel. A round of another kind is charged the
//! number of steps with about the same duration.

use std::cell::Cell;

/// Steps for immediate results: some hundredths of a second.
pub const AT_ONCE: u64 = 1_000_000;
/// Steps during a run: about a tenth of a second.
pub const BESIDE_RUN: u64 = 1_500_000;
/// Steps for a requested prediction: about ten seconds.
pub const ALONE: u64 = 300_000_000;

thread_local! {
    static BUDGET: Cell<Budget> = const { Cell::new(Budget::UNLIMITED) };
}

/// Steps granted to the work on a thread, and the remaining steps.
#[derive(Clone, Copy, Debug)]
struct Budget {
    steps: u64,
    left: u64,
}

impl Budget {
    const UNLIMITED: Self = Self { steps: u64::MAX, left: u64::MAX };
}

/// Executes `work`; its models return [`super::Unsolved::OverBudget`] after `steps` steps. Also
/// returns the steps taken.
pub fn within<T>(steps: u64, work: impl FnOnce() -> T) -> (T, u64) {
    /// Restores the previous budget on drop, even after a panic.
    struct Before(Budget);
    impl Drop for Before {
        fn drop(&mut self) {
            BUDGET.set(self.0);
        }
    }
    let _before = Before(BUDGET.replace(Budget { steps, left: steps }));
    let done = work();
    (done, steps - BUDGET.get().left)
}

/// Charges steps to the work on this thread.
pub(super) fn charge(steps: usize) {
    let budget = BUDGET.get();
    BUDGET.set(Budget { left: budget.left.saturating_sub(steps as u64), ..budget });
}

/// The steps granted to the work on this thread, if none remain.
pub(super) fn spent() -> Option<u64> {
    let Budget { steps, left } = BUDGET.get();
    (left == 0).then_some(steps)
}

#[cfg(test)]
mod tests;
