//! What models say beside results: waited for a moment, and printed later where it takes longer.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::aside::Aside;
use super::progress::Spinner;
use super::{Failure, output};
use crate::experiment::Outcome;
use crate::experiment::forecast::Forecast;
use crate::experiment::report::{NO_MODEL, forecasts_table};
use crate::scenario::Scenario;

/// How long results wait for the model to stand beside them.
const PATIENCE: Duration = Duration::from_secs(2);
/// What stands in the place of an answer that is still awaited.
const LATER: &str = "still at work; what it says follows";

/// A model at work on a scenario.
pub(super) struct Pending {
    scenario: Arc<Scenario>,
    work: Aside<Vec<Forecast>>,
    /// The answer, if it has come: nothing where there is no model.
    answer: Option<Vec<Forecast>>,
    /// The run that the answer will stand beside, if it comes after the results.
    run: Option<Outcome>,
}

impl Pending {
    /// Asks the first model of a scenario, and waits a moment for its answer.
    pub(super) fn about(scenario: &Arc<Scenario>, stop: &AtomicBool) -> Self {
        let scenario = Arc::clone(scenario);
        let about = Arc::clone(&scenario);
        let mut work = Aside::begin(move || Forecast::first(&about).into_iter().collect());
        let answer = work.wait(PATIENCE, stop);
        Self { scenario, work, answer, run: None }
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

/// Prints what these models say, once they do, unless `stop` is set before.
pub(super) fn print_late(
    slow: impl IntoIterator<Item = Pending>,
    stop: &AtomicBool,
    quiet: bool,
) -> Result<(), Failure> {
    for mut pending in slow {
        let scenario = &pending.scenario;
        let spinner = Spinner::begin(format!("the model of {}", scenario.name), quiet);
        let answer = pending.work.wait(Duration::MAX, stop);
        drop(spinner);
        match answer {
            Some(forecasts) => {
                let table = forecasts_table(scenario, &forecasts, pending.run.as_ref(), false);
                output::print(&format!("\n{table}"))?;
            }
            None if quiet => {}
            None => output::remark(&format!("{}: the model had no answer yet", scenario.name)),
        }
    }
    Ok(())
}
