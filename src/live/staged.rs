//! The simulation without a thread, on a clock that the caller turns: same commands at the same
//! times, same pictures, on any machine.

use std::sync::Arc;
use std::time::Duration;

use super::stage::Stage;
use super::theory::Thinking;
use super::{Command, Options, Speed, Told, Update};
use crate::scenario::Scenario;

/// Cycles per second of [`Speed::Max`], where no machine says what it can do.
pub const MOST_PER_SECOND: f64 = 262_144.0;

/// A run on a clock of the caller's. Theory is worked out at once, and going through time takes
/// none.
#[derive(Debug)]
pub struct Staged {
    stage: Stage,
    /// Cycles that may be simulated now.
    budget: f64,
    /// The run of the last picture.
    seen: u64,
}

impl Staged {
    /// A run of `scenario` at its beginning.
    pub fn new(scenario: Arc<Scenario>, options: Options) -> Self {
        Self { stage: Stage::new(scenario, options, Thinking::AtOnce), budget: 0.0, seen: 0 }
    }

    /// Obeys a command about the run of the last picture.
    pub fn obey(&mut self, command: Command) {
        if matches!(command, Command::Speed(_)) {
            self.budget = 0.0;
        }
        self.stage.obey(Told { run: self.seen, command });
        self.wind();
    }

    /// Lets time pass: simulates what the pace allows in it.
    pub fn elapse(&mut self, time: Duration) {
        if !self.stage.is_advancing() {
            return;
        }
        if self.stage.hurry {
            // A step is made at once, however long it is.
            self.stage.advance(u64::MAX);
            return;
        }
        self.budget += time.as_secs_f64() * self.per_second();
        self.stage.advance(self.budget as u64);
        self.budget = self.budget.fract();
    }

    /// Cycles in a second of the caller's clock.
    fn per_second(&self) -> f64 {
        match self.stage.pace() {
            Speed::PerSecond(pace) => pace,
            Speed::Max => MOST_PER_SECOND,
        }
    }

    fn wind(&mut self) {
        while self.stage.is_winding() {
            self.stage.wind(u64::MAX, || false);
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
mod tests {
    use super::*;
    use crate::live::RunState;
    use crate::live::tests::scenario;
    use crate::units::{Cycle, Rate};

    fn staged(speed: Speed) -> Staged {
        Staged::new(scenario(), Options { speed, ..Options::default() })
    }

    #[test]
    fn a_clock_cut_finer_leads_to_the_same_cycle() {
        let mut pictures = Vec::new();
        for pieces in [1, 7, 30] {
            let mut run = staged(Speed::PerSecond(1_000.0));
            for _ in 0..pieces {
                run.elapse(Duration::from_nanos(2_100_000_000 / pieces));
            }
            run.obey(Command::SetRate(Rate(0.02)));
            run.obey(Command::Step(500));
            let mut update = Update::empty(scenario());
            run.draw(&mut update);
            assert!(update.snapshot.cycle.0.abs_diff(2_600) <= 1, "{}", update.snapshot.cycle.0);
            assert!(update.theory.is_some() && update.proof.is_some());
            if update.snapshot.cycle == Cycle(2_600) {
                pictures.push((update.snapshot, update.summary));
            }
        }
        assert!(pictures.len() > 1);
        assert!(pictures.iter().all(|picture| *picture == pictures[0]));
    }

    #[test]
    fn going_through_time_takes_none() {
        let mut run = staged(Speed::Max);
        run.elapse(Duration::from_millis(100));
        run.obey(Command::Back(10_000));
        let mut update = Update::empty(scenario());
        run.draw(&mut update);
        assert_eq!(update.state, RunState::Paused);
        assert_eq!((update.snapshot.cycle, update.live), (Cycle(16_214), Cycle(26_214)));
        run.obey(Command::Step(100_000));
        run.elapse(Duration::from_millis(1));
        run.draw(&mut update);
        assert_eq!(update.snapshot.cycle, Cycle(116_214));
    }
}
