//! A progress bar or spinner on standard error; nothing where that is not a terminal.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

use crate::experiment::Progress;

/// Shows what is being waited for, with the time that it takes, until it is dropped; a `quiet` one is
/// never seen.
pub(super) fn spinner(what: String, quiet: bool) -> ProgressBar {
    let bar = drawn(None, "{spinner} {elapsed}  {msg}", quiet);
    bar.set_message(what);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

fn drawn(length: Option<u64>, template: &str, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::with_draw_target(length, target).with_style(style);
    bar.with_finish(ProgressFinish::AndClear)
}

const STEPS: u64 = 1000;

pub(super) struct Bar {
    bar: ProgressBar,
    /// The share of each run that is done.
    shares: Mutex<Vec<f64>>,
}

impl Bar {
    /// A bar over this many runs; `quiet` ones are never seen.
    pub(super) fn new(runs: usize, quiet: bool) -> Self {
        let bar = drawn(Some(STEPS), "{bar:30} {percent:>3} %  {elapsed}  {msg}", quiet);
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
}
