//! A progress bar or spinner on standard error; nothing where that is not a terminal.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::experiment::Progress;

/// What is being waited for, with the time that it takes; dropping it takes it away.
pub(super) struct Spinner(ProgressBar);

impl Spinner {
    /// Waits for `what`; a `quiet` one is never seen.
    pub(super) fn begin(what: String, quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(None, target(quiet));
        let style = ProgressStyle::with_template("{spinner} {elapsed}  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.set_message(what);
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Where progress is drawn.
fn target(quiet: bool) -> ProgressDrawTarget {
    if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() }
}

/// Steps of the bar per run.
const STEPS: u64 = 1000;

/// The bar over all runs.
pub(super) struct Bar {
    bar: ProgressBar,
    /// The share of each run that is done.
    shares: Mutex<Vec<f64>>,
}

impl Bar {
    /// A bar over this many runs; `quiet` ones are never seen.
    pub(super) fn new(runs: usize, quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(STEPS), target(quiet));
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {elapsed}  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, shares: Mutex::new(vec![0.0; runs]) }
    }

    /// One run has come this far.
    pub(super) fn tell(&self, progress: Progress) {
        self.done(progress.run, progress.share);
        self.bar.set_message(format!(
            "run {}: {} cycles, {} messages",
            progress.run, progress.cycles, progress.messages
        ));
    }

    /// A run has come to this share of itself.
    pub(super) fn done(&self, run: usize, share: f64) {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = shares.get_mut(run) {
            *known = share.max(*known);
        }
        let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        self.bar.set_position((mean * STEPS as f64) as u64);
    }

    /// Does something to the terminal without the bar in the way.
    pub(super) fn aside<T>(&self, act: impl FnOnce() -> T) -> T {
        self.bar.suspend(act)
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
