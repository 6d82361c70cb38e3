//! Prints predictions with results, and slow predictions after the results.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::{Duration, Instant};

use super::progress::spinner;
use super::{Failure, output};
use crate::experiment::Outcome;
use crate::experiment::forecast::Forecast;
use crate::experiment::report::{NO_MODEL, forecast_lines, forecasts_heading};
use crate::model::budget;
use crate::scenario::Scenario;

/// Polling interval while waiting for a prediction.
const LOOK: Duration = Duration::from_millis(2);
/// Time limit for a prediction after a signal.
const GRACE: Duration = Duration::from_millis(40);
/// Placeholder for a pending prediction.
const LATER: &str = "at work; what it says follows";

/// Uninterruptible work on a separate thread, so that signals are still handled. Abandoned work
/// ends with the program.
struct BackgroundWork<T>(Option<JoinHandle<T>>);

impl<T> BackgroundWork<T> {
    /// Returns the result once; `None` after `patience` has elapsed, or shortly after `stop` was
    /// set. Panics of the thread are resumed.
    fn wait(&mut self, patience: Duration, stop: &AtomicBool) -> Option<T> {
        let begun = Instant::now();
        while !self.0.as_ref()?.is_finished() {
            let allowed = if stop.load(Ordering::Relaxed) { GRACE } else { patience };
            if begun.elapsed() >= allowed {
                return None;
            }
            sleep(LOOK);
        }
        let answer = self.0.take()?.join();
        Some(answer.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

pub(super) struct Pending {
    scenario: Arc<Scenario>,
    /// The finished forecasts; empty without a model.
    answer: Option<Vec<Forecast>>,
    /// The run to print with late forecasts.
    run: Option<Outcome>,
}

impl Pending {
    /// Evaluates the reference model of a scenario with a small budget. A larger evaluation starts
    /// only after the results are printed.
    pub(super) fn about(scenario: &Arc<Scenario>, stop: &AtomicBool) -> Self {
        let mut work = reference(scenario, budget::AT_ONCE);
        let complete = |all: &Vec<Forecast>| !all.iter().any(Forecast::is_stopped);
        let answer = work.wait(Duration::MAX, stop).filter(complete);
        Self { scenario: Arc::clone(scenario), answer, run: None }
    }

    /// The forecast, or a placeholder text.
    pub(super) fn told(&self) -> Result<&Forecast, &'static str> {
        match &self.answer {
            Some(answer) => answer.first().ok_or(NO_MODEL),
            None => Err(LATER),
        }
    }

    /// Returns `self` if the forecast is still pending, to be printed later with `run`.
    pub(super) fn slow(self, run: Option<Outcome>) -> Option<Self> {
        self.answer.is_none().then_some(Self { run, ..self })
    }
}

/// Evaluates the reference model on a separate thread; empty if the thread cannot be created.
fn reference(scenario: &Arc<Scenario>, steps: u64) -> BackgroundWork<Vec<Forecast>> {
    let scenario = Arc::clone(scenario);
    let solve = move || Forecast::reference(&scenario, steps).into_iter().collect();
    BackgroundWork(Builder::new().spawn(solve).ok())
}

/// Prints late forecasts as soon as each is finished, unless `stop` is set first.
pub(super) fn print_late(
    slow: impl IntoIterator<Item = Pending>,
    stop: &AtomicBool,
    quiet: bool,
) -> Result<(), Failure> {
    for pending in slow {
        let scenario = &pending.scenario;
        let spinner = spinner(format!("the model of {}", scenario.name), quiet);
        let answer = reference(scenario, budget::BESIDE_RUN).wait(Duration::MAX, stop);
        drop(spinner);
        match answer {
            Some(forecasts) => {
                let run = pending.run.as_ref();
                let heading = forecasts_heading(scenario, run);
                let lines = forecast_lines(scenario, forecasts.first(), run, false);
                output::print(&format!("\n{heading}{lines}"))?;
            }
            None if quiet => {}
            None => output::remark(&format!("{}: the model had no answer yet", scenario.name)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
