//! What models say beside results: where that takes more than a little work, results are printed first.

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

/// How often the one who waits looks whether to go on.
const LOOK: Duration = Duration::from_millis(2);
/// How long an answer may take once a signal came.
const GRACE: Duration = Duration::from_millis(40);
/// What stands in the place of an answer that is still awaited.
const LATER: &str = "at work; what it says follows";

/// Work that cannot be told to stop, on a thread of its own, so that signals are still heard. What
/// nobody waits for ends with the program.
struct Aside<T>(Option<JoinHandle<T>>);

impl<T> Aside<T> {
    /// What came out of it, once; `None` where that takes longer than `patience`, or longer than a
    /// moment after `stop` was set. A panic goes on here.
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
    /// The answer, if it has come: nothing where there is no model.
    answer: Option<Vec<Forecast>>,
    /// The run that the answer will stand beside, if it comes after the results.
    run: Option<Outcome>,
}

impl Pending {
    /// Asks the reference of a scenario, and waits for what it says after a little work. Where it takes
    /// more, the work begins once the results are printed.
    pub(super) fn about(scenario: &Arc<Scenario>, stop: &AtomicBool) -> Self {
        let mut work = reference(scenario, budget::AT_ONCE);
        let complete = |all: &Vec<Forecast>| !all.iter().any(Forecast::is_stopped);
        let answer = work.wait(Duration::MAX, stop).filter(complete);
        Self { scenario: Arc::clone(scenario), answer, run: None }
    }

    /// The answer, or what to say in its place.
    pub(super) fn told(&self) -> Result<&Forecast, &'static str> {
        match &self.answer {
            Some(answer) => answer.first().ok_or(NO_MODEL),
            None => Err(LATER),
        }
    }

    /// This one, if its answer is still awaited; it will stand beside `run`.
    pub(super) fn slow(self, run: Option<Outcome>) -> Option<Self> {
        self.answer.is_none().then_some(Self { run, ..self })
    }
}

/// The reference of a scenario, at work on a thread of its own; none without memory for that.
fn reference(scenario: &Arc<Scenario>, steps: u64) -> Aside<Vec<Forecast>> {
    let scenario = Arc::clone(scenario);
    let solve = move || Forecast::reference(&scenario, steps).into_iter().collect();
    Aside(Builder::new().spawn(solve).ok())
}

/// Prints what these models say, once they do, unless `stop` is set before.
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
