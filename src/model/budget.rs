//! The work that answers of models may take, counted in steps and not in seconds, so that an answer stops
//! at the same place on every machine.
//!
//! A step is a visit of one stream of messages at one channel. A round of another kind is charged as many
//! steps as take about as long.

use std::cell::Cell;

/// Steps that results wait for: some hundredths of a second.
pub const AT_ONCE: u64 = 1_000_000;
/// Steps beside a run: about a tenth of a second.
pub const BESIDE_RUN: u64 = 1_500_000;
/// Steps where a prediction is asked for: about ten seconds.
pub const ALONE: u64 = 300_000_000;

thread_local! {
    static BUDGET: Cell<Budget> = const { Cell::new(Budget::UNLIMITED) };
}

/// Steps granted to the work on a thread, and those left of them.
#[derive(Clone, Copy, Debug)]
struct Budget {
    steps: u64,
    left: u64,
}

impl Budget {
    const UNLIMITED: Self = Self { steps: u64::MAX, left: u64::MAX };
}

/// Does some work whose models answer [`super::Unsolved::OverBudget`] once they have taken this many
/// `steps`; returns the steps taken as well.
pub fn within<T>(steps: u64, work: impl FnOnce() -> T) -> (T, u64) {
    /// The budget of before, which applies again afterwards, also after a panic.
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

/// The steps granted to the work on this thread, if none of them is left.
pub(super) fn spent() -> Option<u64> {
    let Budget { steps, left } = BUDGET.get();
    (left == 0).then_some(steps)
}

#[cfg(test)]
mod tests;
