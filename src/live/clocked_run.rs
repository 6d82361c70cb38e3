//! Runs the simulation without a thread, on a clock controlled by the caller.
//!
//! The same commands at the same times give the same updates on any machine.

mod audit;

pub use audit::Positions;

use std::sync::Arc;
use std::time::Duration;

use super::stage::Stage;
use super::theory::Evaluator;
use super::{AddressedCommand, Command, Options, Speed, Update};
use crate::scenario::Scenario;

/// Cycles per second of [`Speed::Max`], independent of the machine.
pub const MOST_PER_SECOND: f64 = 262_144.0;

/// Maximum number of cycles for one command; a command that needs more, or has no end, is
/// abandoned.
pub const AT_ONCE_MAX: u64 = 1 << 24;
/// Cost of searching one cycle for an event, in simulated cycles: a command searches 1,048,576
/// cycles.
const LOOK: u64 = 16;
/// Cycles between checks of the number of cycles used.
const PIECE: u64 = 1 << 12;

/// A run on a clock controlled by the caller. Predictions are computed immediately, and seeking
/// takes no time.
#[derive(Debug)]
pub struct ClockedRun {
    stage: Stage,
    /// Maximum number of cycles for one command, and for a second at the maximum pace.
    most: (u64, f64),
    /// True if a command was abandoned.
    overrun: bool,
    /// Cycles left for simulation.
    budget: f64,
    /// The run of the last update.
    seen: u64,
}

impl ClockedRun {
    /// Creates a run of `scenario` at its start.
    pub fn new(scenario: Arc<Scenario>, options: Options) -> Self {
        Self {
            stage: Stage::new(scenario, options, Evaluator::new(None, options.model_steps)),
            most: (AT_ONCE_MAX, MOST_PER_SECOND),
            overrun: false,
            budget: 0.0,
            seen: 0,
        }
    }

    /// Limits commands to `at_once` cycles, and the pace to `per_second`.
    #[must_use]
    pub fn within(self, at_once: u64, per_second: f64) -> Self {
        Self { most: (at_once, per_second), ..self }
    }

    /// Executes a command about the run of the last update. A command that needs more than
    /// [`AT_ONCE_MAX`] cycles is abandoned; further commands are ignored until a call of
    /// [`Self::take_overrun`].
    pub fn execute(&mut self, command: Command) {
        if matches!(command, Command::Speed(_)) {
            self.budget = 0.0;
        }
        if self.overrun {
            return;
        }
        self.stage.execute(AddressedCommand { run: self.seen, command });
        self.settle();
    }

    /// True if a command was abandoned since the last call.
    pub fn take_overrun(&mut self) -> bool {
        std::mem::take(&mut self.overrun)
    }

    /// Advances the clock: simulates the cycles allowed by the pace.
    pub fn elapse(&mut self, time: Duration) {
        if !self.stage.is_advancing() {
            return;
        }
        self.budget += time.as_secs_f64() * self.per_second();
        self.stage.advance(self.budget as u64);
        self.budget = self.budget.fract();
    }

    /// The cycle at which the run stops by itself, if any.
    pub fn limit(&self) -> Option<u64> {
        self.stage.until
    }

    /// Cycles in a second of the caller's clock.
    fn per_second(&self) -> f64 {
        match self.stage.pace() {
            Speed::PerSecond(pace) => pace.min(self.most.1),
            Speed::Max => self.most.1,
        }
    }

    /// Completes a long step or a seek.
    fn settle(&mut self) {
        let mut left = self.most.0;
        while left > 0 && (self.stage.tape.is_seeking() || self.stage.hurry.is_some()) {
            let goal = self.stage.seeking().map(|way| way.to);
            if goal.flatten().is_some_and(|to| to.0 > self.stage.now() + left) {
                // The goal is out of reach.
                left = 0;
                break;
            }
            let piece = PIECE.min(left);
            if self.stage.tape.is_seeking() {
                let looks = goal == Some(None);
                self.stage.seek_on(if looks { piece / LOOK } else { piece }, || false);
            } else {
                self.stage.advance(piece);
                if !self.stage.is_advancing() {
                    break;
                }
            }
            left -= piece;
        }
        if self.stage.tape.is_seeking() || self.stage.hurry.is_some() && left == 0 {
            self.stage.give_up();
            self.overrun = true;
        }
        self.stage.retrace(|| false);
    }

    /// Draws the present state into recycled storage. The pace reached is the pace asked for.
    pub fn draw(&mut self, update: &mut Update) {
        self.stage.draw(update);
        self.seen = update.run;
        update.cycles_per_second = if self.stage.is_advancing() { self.per_second() } else { 0.0 };
    }
}

#[cfg(test)]
mod tests;
