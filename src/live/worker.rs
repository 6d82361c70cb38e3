//! Main loop of the simulation thread: advances the stage in slices at the requested pace.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use super::mailbox::Mailbox;
use super::stage::Stage;
use super::theory::Evaluator;
use super::{AddressedCommand, Command, Options, Speed, Update};
use crate::scenario::Scenario;

/// Target duration of a slice, short enough for an immediate response to commands.
const SLICE: Duration = Duration::from_millis(4);
/// Interval for measuring the pace reached.
const PACE_WINDOW: Duration = Duration::from_millis(500);
/// Time between updates in multiples of the drawing time: at the highest pace and in seeks, while cycles
/// of a lower pace are due, and while the pace leaves time. Large networks keep their frames at lower paces.
const RESTS_PER_DRAWING: [u32; 3] = [10, 3, 1];
/// Longest time between updates at the highest pace while drawing takes at most a quarter of the time.
const FRAME_MAX: Duration = Duration::from_millis(90);
/// The least such time, in multiples of the drawing time.
const RESTS_MIN: u32 = 3;
/// Maximum backlog of cycles after a delay, in seconds of the pace.
const DEBT_SECONDS: f64 = 0.1;

/// The pace reached, measured periodically.
#[derive(Debug)]
struct Pace {
    since: Instant,
    cycle: u64,
    per_second: f64,
}

/// Time of the last update and duration of its drawing. For a large network, drawing takes longer
/// than many cycles.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    at: Instant,
    took: Duration,
}

impl Drawn {
    /// True if enough time has passed since the last drawing to limit the share of drawing.
    fn is_paid(self, now: Instant, rests: u32) -> bool {
        let rest = (self.took * rests).min(FRAME_MAX.max(self.took * RESTS_MIN));
        now.saturating_duration_since(self.at) >= rest
    }
}

pub(super) struct Worker {
    pub stage: Stage,
    inbox: Receiver<AddressedCommand>,
    mailbox: Arc<Mailbox>,
    /// Cycles that a paced run may simulate now.
    budget: f64,
    paid: Instant,
    slice_cycles: u64,
    seek_cycles: u64,
    pace: Pace,
    dirty: bool,
    drawn: Drawn,
}

impl Worker {
    pub(super) fn new(
        scenario: Arc<Scenario>,
        options: Options,
        inbox: Receiver<AddressedCommand>,
        wake: Sender<AddressedCommand>,
        mailbox: Arc<Mailbox>,
    ) -> Self {
        let stage = Stage::new(scenario, options, Evaluator::new(Some(wake), options.model_steps));
        Self {
            stage,
            inbox,
            mailbox,
            budget: 0.0,
            paid: Instant::now(),
            slice_cycles: 16,
            seek_cycles: 64,
            pace: Pace { since: Instant::now(), cycle: 0, per_second: 0.0 },
            dirty: true,
            drawn: Drawn { at: Instant::now(), took: Duration::ZERO },
        }
    }

    pub(super) fn run(&mut self) {
        self.post();
        while self.listen() {
            if self.stage.tape.is_seeking() {
                self.seek();
            } else {
                self.slice();
            }
            self.trace();
            let rests = !self.stage.is_advancing() && !self.is_busy();
            let [fast, behind, idle] = RESTS_PER_DRAWING;
            let rests_per_drawing = match self.budget {
                budget if self.stage.tape.is_seeking() || budget.is_infinite() => fast,
                1.0.. => behind,
                _ => idle,
            };
            let wanted = || {
                self.mailbox.wants(self.stage.options.frame)
                    && self.drawn.is_paid(Instant::now(), rests_per_drawing)
            };
            if self.dirty && (rests || wanted()) {
                self.post();
            }
        }
    }

    /// Executes pending commands, blocking if there is no other work; false at the end.
    fn listen(&mut self) -> bool {
        self.earn();
        let first = if self.is_busy() {
            None
        } else if !self.stage.is_advancing() {
            let Ok(command) = self.inbox.recv() else { return false };
            Some(command)
        } else if self.budget < 1.0 {
            let Speed::PerSecond(pace) = self.stage.pace() else { return true };
            let wait = ((1.0 - self.budget) / pace).clamp(0.0, 3600.0);
            self.inbox.recv_timeout(Duration::from_secs_f64(wait)).ok()
        } else {
            None
        };
        let commands: Vec<AddressedCommand> =
            first.into_iter().chain(self.inbox.try_iter()).collect();
        for command in commands {
            if matches!(command.command, Command::Quit) {
                return false;
            }
            if matches!(command.command, Command::Speed(_)) {
                self.budget = 0.0;
            }
            if matches!(command.command, Command::Load(_)) {
                self.slice_cycles = 16;
            }
            self.stage.execute(command);
            self.dirty = true;
            self.rest();
        }
        self.earn();
        true
    }

    /// Adds the cycles earned by the pace since the last reading of the clock.
    fn earn(&mut self) {
        let now = Instant::now();
        let elapsed = now.duration_since(self.paid).as_secs_f64();
        self.paid = now;
        self.budget = match self.stage.pace() {
            Speed::Max => f64::INFINITY,
            Speed::PerSecond(pace) if self.budget.is_finite() => {
                (self.budget + elapsed * pace).min((pace * DEBT_SECONDS).max(1.0))
            }
            Speed::PerSecond(_) => 0.0,
        };
    }

    /// Restarts the measurement of the pace after a break in advancing.
    fn rest(&mut self) {
        let per_second = if self.stage.running { self.pace.per_second } else { 0.0 };
        self.pace = Pace { since: Instant::now(), cycle: self.stage.now(), per_second };
        self.paid = Instant::now();
    }

    /// Simulates a few milliseconds of cycles, or fewer if limited by the pace.
    fn slice(&mut self) {
        if !self.stage.is_advancing() || self.budget < 1.0 {
            return;
        }
        let start = Instant::now();
        let allowed = if self.budget.is_finite() { self.budget as u64 } else { u64::MAX };
        let done = self.stage.advance(self.slice_cycles.min(allowed));
        self.budget -= done as f64;
        self.dirty |= done > 0;
        let took = start.elapsed();
        if done >= self.slice_cycles {
            let factor = SLICE.as_secs_f64() / took.as_secs_f64().max(1e-9);
            let next = self.slice_cycles as f64 * factor.clamp(0.25, 2.0);
            self.slice_cycles = (next as u64).clamp(1, 1 << 24);
        } else if took > SLICE * 2 {
            self.slice_cycles = done.max(1);
        }
        self.measure();
    }

    fn seek(&mut self) {
        let start = Instant::now();
        let left = self.stage.seek_on(self.seek_cycles, || start.elapsed() >= SLICE);
        let took = start.elapsed();
        if left == 0 && took < SLICE / 2 {
            self.seek_cycles = (self.seek_cycles * 2).min(1 << 24);
        } else if left > 0 && took > SLICE {
            self.seek_cycles = (self.seek_cycles / 2).max(1);
        }
        if !self.stage.tape.is_seeking() {
            // The next seek may have more expensive cycles.
            self.seek_cycles = self.seek_cycles.clamp(64, 4096);
        }
        self.rest();
        self.dirty = true;
    }

    /// True if there is work independent of the clock.
    fn is_busy(&mut self) -> bool {
        self.stage.tape.is_seeking() || self.stage.is_tracing()
    }

    /// Replays a requested history of a message for a few milliseconds.
    fn trace(&mut self) {
        if self.stage.is_tracing() {
            let start = Instant::now();
            self.stage.retrace(|| start.elapsed() >= SLICE);
            self.dirty = true;
        }
    }

    fn measure(&mut self) {
        let elapsed = self.pace.since.elapsed();
        // The first figure after a rest is early, for the screen.
        let enough = if self.pace.per_second == 0.0 { PACE_WINDOW / 5 } else { PACE_WINDOW };
        if elapsed >= enough {
            let now = self.stage.now();
            let cycles = now.saturating_sub(self.pace.cycle);
            let per_second = cycles as f64 / elapsed.as_secs_f64();
            self.pace = Pace { since: Instant::now(), cycle: now, per_second };
        }
    }

    /// Draws the state into recycled storage and posts the update.
    fn post(&mut self) {
        let start = Instant::now();
        let mut update = self.mailbox.storage().unwrap_or_else(|| {
            Box::new(Update::empty(Arc::clone(self.stage.session().scenario())))
        });
        self.stage.draw(&mut update);
        update.cycles_per_second =
            if self.stage.is_advancing() { self.pace.per_second } else { 0.0 };
        self.mailbox.post(update);
        self.dirty = false;
        let at = Instant::now();
        self.drawn = Drawn { at, took: at.duration_since(start) };
    }
}

#[cfg(test)]
mod tests;
