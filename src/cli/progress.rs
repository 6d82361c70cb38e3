//! Draws a progress bar or spinner on standard error, if this is a terminal.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

use super::output;
use crate::experiment::Progress;
use crate::text;
use crate::units::WHOLE;

/// Delay before a progress display appears.
const MOMENT: Duration = Duration::from_millis(400);
/// Interval between progress remarks without a terminal.
const REMARK: Duration = Duration::from_secs(5);
/// Interval between updates of the elapsed time.
const TICK: Duration = Duration::from_millis(100);

/// Shows a spinner with the elapsed time until dropped; `quiet` hides the spinner.
pub(super) fn spinner(what: String, quiet: bool) -> ProgressBar {
    let bar = drawn(None, "{spinner} {elapsed}  {msg}", quiet);
    bar.set_message(what);
    // A hidden spinner starts no thread, because memory may be short.
    if !bar.is_hidden() {
        bar.enable_steady_tick(TICK);
    }
    bar
}

/// Does `work`, with a spinner once the work takes longer than a moment.
pub(super) fn patiently<T>(what: &str, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (working, done) = mpsc::channel::<()>();
        let tell = move || {
            if done.recv_timeout(MOMENT) == Err(RecvTimeoutError::Timeout) {
                let _spinner = spinner(text::line(what), false);
                // Blocks until the sender is dropped.
                let _ = done.recv();
            }
        };
        // Without memory for a thread, no spinner is shown.
        let _ = Builder::new().spawn_scoped(scope, tell);
        let _working = working;
        work()
    })
}

/// Does `work`, which stores the completed share of [`WHOLE`] in its argument: displayed as a bar
/// on a terminal, otherwise as occasional remarks (`checking X: 40 % of the proof`). Silent if
/// `quiet`.
pub(super) fn by_share<T>(
    (what, of): (&str, &str),
    quiet: bool,
    work: impl FnOnce(&Arc<AtomicU32>) -> T,
) -> T {
    let what = text::line(what);
    let template = "{bar:30} {percent:>3} %  {elapsed}  {msg}";
    let bar = drawn(Some(u64::from(WHOLE)), template, quiet);
    bar.set_message(what.clone());
    let period = if bar.is_hidden() { REMARK } else { TICK };
    let tell = |share: u32| {
        if bar.is_hidden() {
            let percent = 100 * share / WHOLE;
            output::remark(&format!("{what}: {percent} % of the {of}"));
        } else {
            bar.set_position(u64::from(share));
        }
    };
    let share = Arc::default();
    let told = thread::scope(|scope| {
        let (working, done) = mpsc::channel::<()>();
        let (share, tell) = (&share, &tell);
        let watch = move || {
            while done.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
                tell(AtomicU32::load(share, Ordering::Relaxed));
            }
        };
        // Without memory for a thread, no progress is shown.
        let _ = (!quiet).then(|| Builder::new().spawn_scoped(scope, watch));
        let _working = working;
        work(share)
    });
    bar.finish_and_clear();
    told
}

/// Does `work`, which passes words about its progress to its argument: shown beside a spinner on a terminal,
/// otherwise as occasional remarks. Silent if `quiet`.
pub(super) fn by_words<T>(what: &str, quiet: bool, work: impl FnOnce(&dyn Fn(String)) -> T) -> T {
    let what = text::line(what);
    let line = spinner(what.clone(), quiet);
    let latest: Mutex<Option<String>> = Mutex::new(None);
    thread::scope(|scope| {
        let (working, done) = mpsc::channel::<()>();
        let (latest, what) = (&latest, &what);
        let watch = move || {
            while done.recv_timeout(REMARK) == Err(RecvTimeoutError::Timeout) {
                let words = latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let words = words.map_or_else(String::new, |words| format!(": {words}"));
                output::remark(&format!("{what}{words}"));
            }
        };
        let tell = |words: String| {
            line.set_message(format!("{what}: {words}"));
            *latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(words);
        };
        // Without memory for a thread, no progress is shown.
        let _ = (!quiet && line.is_hidden()).then(|| Builder::new().spawn_scoped(scope, watch));
        let _working = working;
        work(&tell)
    })
}

fn drawn(length: Option<u64>, template: &str, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::with_draw_target(length, target).with_style(style);
    bar.with_finish(ProgressFinish::AndClear)
}

/// The position of a round within the whole study.
#[derive(Clone, Copy, Debug)]
pub(super) struct StudyProgress {
    /// Start of the first round.
    pub(super) begun: Instant,
    /// Runs made in earlier rounds.
    pub(super) behind: usize,
    /// Estimated runs of later rounds.
    pub(super) ahead: usize,
}

const STEPS: u64 = 1000;

pub(super) struct Bar {
    line: ProgressBar,
    /// The completed share of each run.
    shares: Mutex<Vec<f64>>,
    /// Runs of earlier and of later rounds.
    others: [usize; 2],
}

impl Bar {
    /// A bar over this many runs; `quiet` bars are hidden.
    pub(super) fn new(runs: usize, quiet: bool) -> Self {
        let line = drawn(Some(STEPS), "{bar:30} {percent:>3} %  {elapsed}  {msg}", quiet);
        if !line.is_hidden() {
            // A large network needs a while before the first progress.
            let later = line.downgrade();
            let _ = Builder::new().spawn(move || {
                thread::sleep(MOMENT);
                later.upgrade().iter().for_each(|line| line.enable_steady_tick(TICK));
            });
        }
        Self { line, shares: Mutex::new(vec![0.0; runs]), others: [0; 2] }
    }

    /// Continues the bar of the previous round.
    pub(super) fn part_of(self, StudyProgress { begun, behind, ahead }: StudyProgress) -> Self {
        let line = self.line.with_elapsed(begun.elapsed());
        Self { line, others: [behind, ahead], ..self }
    }

    /// Records and displays the progress of a run.
    pub(super) fn tell(&self, progress: Progress) {
        self.done(progress.run, progress.share);
        self.line.set_message(format!(
            "run {}: {} cycles, {} messages",
            progress.run, progress.cycles, progress.messages
        ));
    }

    /// Records the completed share of a run.
    pub(super) fn done(&self, run: usize, share: f64) {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = shares.get_mut(run) {
            *known = share.max(*known);
        }
        let [behind, ahead] = self.others;
        let all = behind + shares.len() + ahead;
        let mean = (behind as f64 + shares.iter().sum::<f64>()) / all.max(1) as f64;
        self.line.set_position((mean * STEPS as f64) as u64);
    }

    /// Writes to the terminal with the bar suspended.
    pub(super) fn aside<T>(&self, act: impl FnOnce() -> T) -> T {
        self.line.suspend(act)
    }
}
