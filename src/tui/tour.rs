//! The tour: stops that teach one concept each, and the user's progress.
//!
//! A stop is a scenario with steps. A question is answered by choosing; a task is done when the run
//! reaches a given state, regardless of the keys used.

mod goal;
mod reader;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use include_dir::{Dir, File, include_dir};

use super::action::Key;
use crate::live::Speed;
use crate::recording::script::Line;
use crate::scenario::Scenario;
use crate::session::saved::Saved;
pub use goal::{Goal, Seen, table};
pub use reader::parse;

/// A stop of the tour.
#[derive(Clone, Debug)]
pub struct Stop {
    /// The name on the command line.
    pub name: String,
    pub title: String,
    pub scenario: Arc<Scenario>,
    /// The initial pace in cycles per second, if not the default.
    pub pace: Option<f64>,
    /// Questions and tasks in order, at least one.
    pub steps: Vec<Step>,
}

/// A step of a stop.
#[derive(Clone, Debug)]
pub struct Step {
    /// The kind of step: predict, watch, rewind or check.
    pub heading: &'static str,
    pub text: String,
    /// The scenario from this step on; `None` keeps the former.
    pub scenario: Option<Arc<Scenario>>,
    /// The scenario to compare with from this step on.
    pub against: Option<Arc<Scenario>>,
    pub task: Task,
}

/// The user's task in a step.
#[derive(Clone, Debug)]
pub enum Task {
    Choose {
        choices: Vec<String>,
        right: usize,
        /// The explanation of the right answer. `None` accepts any answer, to be decided by the
        /// run.
        why: Option<String>,
        /// Explanations of the wrong answers in order, possibly empty.
        wrong: Vec<String>,
    },
    Reach {
        /// Conditions to hold at the same time.
        goals: Vec<Goal>,
        keys: Vec<Line<Key>>,
    },
}

impl Task {
    /// The explanation of a wrong answer.
    pub fn reason(&self, choice: usize) -> Option<&str> {
        let Self::Choose { right, wrong, .. } = self else { return None };
        let place = choice - usize::from(choice > *right);
        wrong.get(place).filter(|_| choice != *right).map(String::as_str)
    }
}

static FOLDER: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/scenarios/tour");

/// Names and texts of the included stops, in order.
pub fn texts() -> Vec<(&'static str, &'static str)> {
    // A number before the name determines the order.
    let parts = |file: &'static File<'static>| {
        let (number, name) = file.path().to_str()?.strip_suffix(".ron")?.split_once('-')?;
        Some((number.parse::<u32>().ok()?, name, file.contents_utf8()?))
    };
    let mut files: Vec<_> = FOLDER.files().filter_map(parts).collect();
    files.sort_by_key(|&(number, ..)| number);
    files.into_iter().map(|(_, name, text)| (name, text)).collect()
}

/// The included stops; tests check that all can be read.
pub fn included() -> Vec<Stop> {
    texts().into_iter().filter_map(|(name, text)| parse(name, text).ok()).collect()
}

/// The user's position in a tour.
#[derive(Clone, Debug)]
pub struct Tour {
    stops: Arc<[Stop]>,
    at: usize,
    step: usize,
    /// The last choice at each step of the present stop.
    chosen: Vec<Option<usize>>,
    done: usize,
    pub on: bool,
    /// The number of a run being replaced, ignored from now on.
    pub leaving: Option<u64>,
    /// The run from which the tour was started.
    pub earlier: Earlier,
}

/// The run from which a tour was started, to return to.
#[derive(Clone, Debug, Default)]
pub enum Earlier {
    #[default]
    None,
    /// The session was requested and has not arrived.
    Asked,
    Kept(Arc<Saved>),
}

impl Tour {
    /// Starts a tour of `stops`, at least one, at index `at`.
    pub fn new(stops: Vec<Stop>, at: usize) -> Self {
        let mut tour = Self {
            stops: stops.into(),
            at: 0,
            step: 0,
            chosen: Vec::new(),
            done: 0,
            on: true,
            leaving: None,
            earlier: Earlier::None,
        };
        tour.begin(at);
        tour
    }

    fn begin(&mut self, at: usize) {
        self.at = at.min(self.stops.len() - 1);
        (self.step, self.done) = (0, 0);
        self.chosen = vec![None; self.stop().steps.len()];
    }

    /// The present stop.
    pub fn stop(&self) -> &Stop {
        &self.stops[self.at]
    }

    /// Index of the present stop, and number of stops.
    pub fn place(&self) -> (usize, usize) {
        (self.at, self.stops.len())
    }

    /// The present step.
    pub fn step(&self) -> &Step {
        &self.stop().steps[self.step]
    }

    /// Index of the present step, and number of steps.
    pub fn step_place(&self) -> (usize, usize) {
        (self.step, self.stop().steps.len())
    }

    /// The scenario of the present step.
    pub fn scenario(&self) -> &Arc<Scenario> {
        let mut until_now = self.stop().steps[..=self.step].iter().rev();
        until_now.find_map(|step| step.scenario.as_ref()).unwrap_or(&self.stop().scenario)
    }

    /// The scenario to compare with at the present step.
    pub fn against(&self) -> Option<&Arc<Scenario>> {
        for step in self.stop().steps[..=self.step].iter().rev() {
            if step.against.is_some() || step.scenario.is_some() {
                return step.against.as_ref();
            }
        }
        None
    }

    /// All stops, in order.
    pub fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// True at the last step of the last stop.
    pub fn is_last(&self) -> bool {
        self.at + 1 == self.stops.len() && self.step + 1 == self.stop().steps.len()
    }

    /// The last choice at the present step.
    pub fn answer(&self) -> Option<usize> {
        self.chosen[self.step]
    }

    /// True if the present step is done.
    pub fn is_done(&self) -> bool {
        self.step < self.done
    }

    /// True while a proof on the screen would answer a question: until the first task after a
    /// prediction is done.
    pub fn conceals(&self) -> bool {
        let steps = &self.stop().steps;
        let asks = |step: &Step| matches!(step.task, Task::Choose { why: None, .. });
        let asked = steps.iter().position(asks);
        let shown = asked.and_then(|at| {
            let tells = |step: &Step| matches!(step.task, Task::Reach { .. });
            steps[at..].iter().position(tells).map(|after| at + after)
        });
        self.on && asked.is_some() && shown.is_none_or(|at| self.done <= at)
    }

    /// The initial pace of the present stop, if not the default.
    pub fn pace(&self) -> Option<Speed> {
        self.stop().pace.map(Speed::PerSecond)
    }

    /// True if digits answer an open question.
    pub fn asks(&self) -> bool {
        self.on && !self.is_done() && matches!(self.step().task, Task::Choose { .. })
    }

    /// The predictions of the present stop: chosen and right answer.
    pub fn predictions(&self) -> impl Iterator<Item = [&str; 2]> {
        self.stop().steps.iter().zip(&self.chosen).filter_map(|(step, chosen)| match &step.task {
            Task::Choose { choices, right, why: None, .. } => {
                Some([(*chosen)?, *right].map(|nth| choices[nth].as_str()))
            }
            Task::Choose { why: Some(_), .. } | Task::Reach { .. } => None,
        })
    }

    /// Answers the question of the present step; returns true if accepted.
    pub fn choose(&mut self, choice: usize) -> Option<bool> {
        let Task::Choose { choices, right, why, .. } = &self.stop().steps[self.step].task else {
            return None;
        };
        if choice >= choices.len() || self.is_done() {
            return None;
        }
        let accepted = why.is_none() || choice == *right;
        self.chosen[self.step] = Some(choice);
        if accepted {
            self.done = self.step + 1;
        }
        Some(accepted)
    }

    /// Marks the task of the present step as done if all goals are reached; a completed step stays
    /// done.
    pub fn look(&mut self, seen: &Seen<'_>) {
        self.leaving.take_if(|run| *run != seen.update.run);
        if !self.on || self.leaving.is_some() || self.is_done() {
            return;
        }
        if let Task::Reach { goals, .. } = &self.step().task
            && goals.iter().all(|goal| goal.is_met(seen))
        {
            self.done = self.step + 1;
        }
    }

    /// The remaining goals in words.
    pub fn missing(&self, seen: &Seen<'_>) -> Vec<String> {
        let Task::Reach { goals, .. } = &self.step().task else {
            return vec!["an answer".to_owned()];
        };
        goals.iter().filter(|goal| !goal.is_met(seen)).map(Goal::words).collect()
    }

    /// Advances to the next step or stop if the present step is done; returns false without a
    /// successor.
    pub fn advance(&mut self) -> bool {
        if !self.is_done() {
            return false;
        }
        if self.step + 1 < self.stop().steps.len() {
            self.step += 1;
            return true;
        }
        self.skip(1)
    }

    /// Returns to the previous step; returns false at the first.
    pub fn retreat(&mut self) -> bool {
        let before = self.step.checked_sub(1);
        self.step = before.unwrap_or(0);
        before.is_some()
    }

    /// Jumps to the beginning of another stop; returns false if out of range.
    pub fn skip(&mut self, by: isize) -> bool {
        let to = self.at.checked_add_signed(by).filter(|&to| to < self.stops.len());
        to.map(|to| self.begin(to)).is_some()
    }
}
