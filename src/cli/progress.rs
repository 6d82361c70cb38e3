//! A progress bar or spinner on standard error; nothing where that is not a terminal.

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

/// How long work may take before it is said that it is done.
const MOMENT: Duration = Duration::from_millis(400);
/// How often a remark says how far work is, where there is no terminal.
const REMARK: Duration = Duration::from_secs(5);
/// How often the time that it takes is shown.
const TICK: Duration = Duration::from_millis(100);

/// Shows what is being waited for, with the time that it takes, until it is dropped; a `quiet` one is
/// never seen.
pub(super) fn spinner(what: String, quiet: bool) -> ProgressBar {
    let bar = drawn(None, "{spinner} {elapsed}  {msg}", quiet);
    bar.set_message(what);
    // One that is not seen takes no thread, which there may be no memory for.
    if !bar.is_hidden() {
        bar.enable_steady_tick(TICK);
    }
    bar
}

/// Does `work`; where it takes longer than a moment, it is said what is being waited for.
pub(super) fn patiently<T>(what: &str, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (working, done) = mpsc::channel::<()>();
        let tell = move || {
            if done.recv_timeout(MOMENT) == Err(RecvTimeoutError::Timeout) {
                let _spinner = spinner(text::line(what), false);
                // Until the other side is dropped.
                let _ = done.recv();
            }
        };
        // Where there is no memory for a thread, nothing is said.
        let _ = Builder::new().spawn_scoped(scope, tell);
        let _working = working;
        work()
    })
}

/// Does `work`, which writes into what it is given the part of [`WHOLE`] that is done: a bar on a terminal,
/// and elsewhere a remark now and then (`checking X: 40 % of the proof`). A `quiet` one says nothing.
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
        // Where there is no memory for a thread, nothing is said.
        let _ = (!quiet).then(|| Builder::new().spawn_scoped(scope, watch));
        let _working = working;
        work(share)
    });
    bar.finish_and_clear();
    told
}

fn drawn(length: Option<u64>, template: &str, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::with_draw_target(length, target).with_style(style);
    bar.with_finish(ProgressFinish::AndClear)
}

/// What a round is of the whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    /// When the first round began.
    pub(super) begun: Instant,
    /// Runs that were made in the rounds before.
    pub(super) behind: usize,
    /// Runs that will follow in other rounds, by estimate.
    pub(super) ahead: usize,
}

const STEPS: u64 = 1000;

pub(super) struct Bar {
    line: ProgressBar,
    /// The share of each run that is done.
    shares: Mutex<Vec<f64>>,
    /// Runs that were made before, and that will follow.
    others: [usize; 2],
}

impl Bar {
    /// A bar over this many runs; `quiet` ones are never seen.
    pub(super) fn new(runs: usize, quiet: bool) -> Self {
        let line = drawn(Some(STEPS), "{bar:30} {percent:>3} %  {elapsed}  {msg}", quiet);
        if !line.is_hidden() {
            // A large network takes a while before there is anything to tell.
            let later = line.downgrade();
            let _ = Builder::new().spawn(move || {
                thread::sleep(MOMENT);
                later.upgrade().iter().for_each(|line| line.enable_steady_tick(TICK));
            });
        }
        Self { line, shares: Mutex::new(vec![0.0; runs]), others: [0; 2] }
    }

    /// A bar that goes on where that of the round before ended.
    pub(super) fn part_of(self, Whole { begun, behind, ahead }: Whole) -> Self {
        let line = self.line.with_elapsed(begun.elapsed());
        Self { line, others: [behind, ahead], ..self }
    }

    /// One run has come this far.
    pub(super) fn tell(&self, progress: Progress) {
        self.done(progress.run, progress.share);
        self.line.set_message(format!(
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
        let [behind, ahead] = self.others;
        let all = behind + shares.len() + ahead;
        let mean = (behind as f64 + shares.iter().sum::<f64>()) / all.max(1) as f64;
        self.line.set_position((mean * STEPS as f64) as u64);
    }

    /// Does something to the terminal without the bar in the way.
    pub(super) fn aside<T>(&self, act: impl FnOnce() -> T) -> T {
        self.line.suspend(act)
    }
}
