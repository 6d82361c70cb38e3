//! The simulation without a thread, on a clock that the caller turns: same commands at the same
//! times, same pictures, on any machine.

mod audit;

pub use audit::Stand;

use std::sync::Arc;
use std::time::Duration;

use super::stage::Stage;
use super::theory::Evaluator;
use super::{Command, Options, Speed, Told, Update};
use crate::scenario::Scenario;

/// Cycles per second of [`Speed::Max`], where no machine says what it can do.
pub const MOST_PER_SECOND: f64 = 262_144.0;

/// The most cycles that a command may go over at once: with more, or without an end, it is given
/// up.
pub const AT_ONCE_MAX: u64 = 1 << 24;
/// Looking for an event costs as much in each cycle as going over this many: a command looks through
/// 1,048,576 at once.
const LOOK: u64 = 16;
/// Cycles between two looks at how many there were.
const PIECE: u64 = 1 << 12;

/// A run on a clock of the caller's. Theory is worked out at once, and going through time takes
/// none.
#[derive(Debug)]
pub struct Staged {
    stage: Stage,
    /// The most cycles that a command may go over at once, and those of a second at full pace.
    most: (u64, f64),
    /// True if a command was given up.
    overrun: bool,
    /// Cycles that may be simulated now.
    budget: f64,
    /// The run of the last picture.
    seen: u64,
}

impl Staged {
    /// A run of `scenario` at its beginning.
    pub fn new(scenario: Arc<Scenario>, options: Options) -> Self {
        Self {
            stage: Stage::new(scenario, options, Evaluator::new(None, options.model_steps)),
            most: (AT_ONCE_MAX, MOST_PER_SECOND),
            overrun: false,
            budget: 0.0,
            seen: 0,
        }
    }

    /// The same, whose commands go over at most `at_once` cycles, and which goes over `per_second` at
    /// most.
    #[must_use]
    pub fn within(self, at_once: u64, per_second: f64) -> Self {
        Self { most: (at_once, per_second), ..self }
    }

    /// Obeys a command about the run of the last picture. One that goes over more than
    /// [`AT_ONCE_MAX`] cycles is given up; nothing is obeyed then until [`Self::take_overrun`] was
    /// called.
    pub fn obey(&mut self, command: Command) {
        if matches!(command, Command::Speed(_)) {
            self.budget = 0.0;
        }
        if self.overrun {
            return;
        }
        self.stage.obey(Told { run: self.seen, command });
        self.settle();
    }

    /// True if a command was given up since this was last asked.
    pub fn take_overrun(&mut self) -> bool {
        std::mem::take(&mut self.overrun)
    }

    /// Lets time pass: simulates what the pace allows in it.
    pub fn elapse(&mut self, time: Duration) {
        if !self.stage.is_advancing() {
            return;
        }
        self.budget += time.as_secs_f64() * self.per_second();
        self.stage.advance(self.budget as u64);
        self.budget = self.budget.fract();
    }

    /// The cycle at which the run stops by itself, if there is one.
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

    /// Makes a long step, or a way through time, to its end.
    fn settle(&mut self) {
        let mut left = self.most.0;
        while left > 0 && (self.stage.tape.is_winding() || self.stage.hurry.is_some()) {
            let goal = self.stage.seeking().map(|way| way.to);
            if goal.flatten().is_some_and(|to| to.0 > self.stage.now() + left) {
                // No need to try.
                left = 0;
                break;
            }
            let piece = PIECE.min(left);
            if self.stage.tape.is_winding() {
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
        if self.stage.tape.is_winding() || self.stage.hurry.is_some() && left == 0 {
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
