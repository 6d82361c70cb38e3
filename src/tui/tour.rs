//! The tour: stops that teach one thing each, and where a person is among them.
//!
//! A stop is a scenario and steps. A question is answered by choosing; a task is done when the state
//! of the run says so, whatever was pressed.

mod goal;
mod reader;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use include_dir::{Dir, include_dir};

use super::action::Key;
use crate::live::Speed;
use crate::recording::script::Line;
use crate::scenario::Scenario;
pub use goal::{Goal, Seen, table};
pub use reader::parse;

/// A stop of the tour.
#[derive(Clone, Debug)]
pub struct Stop {
    /// What it is called on the command line.
    pub name: String,
    pub title: String,
    /// What runs when it begins.
    pub scenario: Arc<Scenario>,
    /// Cycles per second at first, if not the usual pace.
    pub pace: Option<f64>,
    /// What is asked and to be done, in order; at least one.
    pub steps: Vec<Step>,
}

/// A step of a stop.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it is: predict, watch, rewind or check.
    pub heading: &'static str,
    pub text: String,
    /// What runs from here on, if not what ran before.
    pub scenario: Option<Arc<Scenario>>,
    /// What that is compared with from here on.
    pub against: Option<Arc<Scenario>>,
    pub task: Task,
}

/// What a person does in a step.
#[derive(Clone, Debug)]
pub enum Task {
    /// Chooses an answer.
    Choose {
        choices: Vec<String>,
        /// The place of the right one among them.
        right: usize,
        /// What is said to the right one. Where there is none, any answer is taken: the run will
        /// tell.
        why: Option<String>,
        /// The reasons for the other answers, in their order; empty where there are none.
        wrong: Vec<String>,
    },
    /// Brings the run into a state.
    Reach {
        /// What must hold, all at the same time.
        goals: Vec<Goal>,
        /// What may be pressed for that.
        keys: Vec<Line<Key>>,
    },
}

impl Task {
    /// The reason for which an answer is wrong.
    pub fn reason(&self, choice: usize) -> Option<&str> {
        let Self::Choose { right, wrong, .. } = self else { return None };
        let place = choice - usize::from(choice > *right);
        wrong.get(place).filter(|_| choice != *right).map(String::as_str)
    }
}

static FOLDER: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/scenarios/tour");

/// The texts of the stops that come with the program: name and text, in their order.
pub fn texts() -> Vec<(&'static str, &'static str)> {
    let mut files: Vec<_> = FOLDER.files().collect();
    files.sort_by_key(|file| file.path());
    // A number before the name keeps them in order.
    let name = |path: &'static str| path.strip_suffix(".ron")?.split_once('-').map(|it| it.1);
    files
        .iter()
        .filter_map(|file| Some((name(file.path().to_str()?)?, file.contents_utf8()?)))
        .collect()
}

/// The stops that come with the program; tests see to it that all can be read.
pub fn included() -> Vec<Stop> {
    texts().into_iter().filter_map(|(name, text)| parse(name, text).ok()).collect()
}

/// Where a person is in a tour.
#[derive(Clone, Debug)]
pub struct Tour {
    stops: Arc<[Stop]>,
    at: usize,
    step: usize,
    /// For each step of this stop, what was chosen last.
    chosen: Vec<Option<usize>>,
    /// The steps that are done: all before this one.
    done: usize,
    /// True if it is being taken now.
    pub on: bool,
    /// The number of a run that is being replaced: it has nothing to say any more.
    pub leaving: Option<u64>,
}

impl Tour {
    /// A tour of `stops`, of which there must be one, from the one at `at` on.
    pub fn new(stops: Vec<Stop>, at: usize) -> Self {
        let mut tour = Self {
            stops: stops.into(),
            at: 0,
            step: 0,
            chosen: Vec::new(),
            done: 0,
            on: true,
            leaving: None,
        };
        tour.begin(at);
        tour
    }

    fn begin(&mut self, at: usize) {
        self.at = at.min(self.stops.len() - 1);
        (self.step, self.done) = (0, 0);
        self.chosen = vec![None; self.stop().steps.len()];
    }

    /// The stop.
    pub fn stop(&self) -> &Stop {
        &self.stops[self.at]
    }

    /// Its place, from 0, and the number of stops.
    pub fn place(&self) -> (usize, usize) {
        (self.at, self.stops.len())
    }

    /// The step.
    pub fn step(&self) -> &Step {
        &self.stop().steps[self.step]
    }

    /// Its place, from 0, and the number of steps.
    pub fn step_place(&self) -> (usize, usize) {
        (self.step, self.stop().steps.len())
    }

    /// What runs at this step.
    pub fn scenario(&self) -> &Arc<Scenario> {
        let mut until_now = self.stop().steps[..=self.step].iter().rev();
        until_now.find_map(|step| step.scenario.as_ref()).unwrap_or(&self.stop().scenario)
    }

    /// What that is compared with at this step.
    pub fn against(&self) -> Option<&Arc<Scenario>> {
        for step in self.stop().steps[..=self.step].iter().rev() {
            if step.against.is_some() || step.scenario.is_some() {
                return step.against.as_ref();
            }
        }
        None
    }

    /// True if nothing comes after this step.
    pub fn is_last(&self) -> bool {
        self.at + 1 == self.stops.len() && self.step + 1 == self.stop().steps.len()
    }

    /// The answer chosen last at this step.
    pub fn answer(&self) -> Option<usize> {
        self.chosen[self.step]
    }

    /// True if this step is done.
    pub fn is_done(&self) -> bool {
        self.step < self.done
    }

    /// Tells a step at which proofs would answer a question: before the first task after a prediction is
    /// done.
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

    /// The pace at which this stop begins, if it is not the usual one.
    pub fn pace(&self) -> Option<Speed> {
        self.stop().pace.map(Speed::PerSecond)
    }

    /// True if digits answer: there is a question, and it is open.
    pub fn asks(&self) -> bool {
        self.on && !self.is_done() && matches!(self.step().task, Task::Choose { .. })
    }

    /// The predictions of this stop: the answer chosen and the right one.
    pub fn predictions(&self) -> impl Iterator<Item = [&str; 2]> {
        self.stop().steps.iter().zip(&self.chosen).filter_map(|(step, chosen)| match &step.task {
            Task::Choose { choices, right, why: None, .. } => {
                Some([(*chosen)?, *right].map(|nth| choices[nth].as_str()))
            }
            Task::Choose { why: Some(_), .. } | Task::Reach { .. } => None,
        })
    }

    /// Answers the question of this step; says whether that was right, or taken.
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

    /// Looks whether the task of this step is done now. What was done once stays so.
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

    /// What is still to be brought about, in words.
    pub fn missing(&self, seen: &Seen<'_>) -> Vec<String> {
        let Task::Reach { goals, .. } = &self.step().task else {
            return vec!["an answer".to_owned()];
        };
        goals.iter().filter(|goal| !goal.is_met(seen)).map(Goal::words).collect()
    }

    /// Goes on to the next step or stop, if this one is done; says whether there was one.
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

    /// Goes back a step; says whether there was one.
    pub fn retreat(&mut self) -> bool {
        let before = self.step.checked_sub(1);
        self.step = before.unwrap_or(0);
        before.is_some()
    }

    /// Goes to the beginning of another stop; says whether there is one.
    pub fn skip(&mut self, by: isize) -> bool {
        let to = self.at.checked_add_signed(by).filter(|&to| to < self.stops.len());
        to.map(|to| self.begin(to)).is_some()
    }
}
