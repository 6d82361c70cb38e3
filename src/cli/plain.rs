//! `--plain`: prints the run as lines of text, for screen readers and logs.

mod failures;

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Args;

use super::interruption::Interruption;
use super::{Failure, output};
use crate::engine::{CircuitState, HeadState};
use crate::experiment::forecast::unsolved_in_words;
use crate::live::{self, ClockedRun, Command, Pace, RunState, Speed, Update};
use crate::model::{Unsolved, budget};
use crate::scenario::Scenario;
use crate::session::tape::Keep;
use crate::session::verdict;
use crate::tui::pen::{grouped, plural};
use crate::units::TimeUnit;

/// Interval between two lines: in cycles, and in units of time for circuits.
const EVERY: (u64, u64) = (1_000, 10);
/// Cycles simulated between two checks for Ctrl-C.
const PIECE: u64 = 1_024;
/// The longest sleep between two checks for Ctrl-C.
const NAP: Duration = Duration::from_millis(50);

/// Options of the lines printed instead of a screen.
#[derive(Args, Debug)]
#[command(next_help_heading = "Plain lines")]
pub(super) struct Lines {
    /// No screen: a line of text now and then, for screen readers and logs (so too where TERM=dumb).
    /// Without --pace one line per second on a terminal, else as fast as the machine can
    #[arg(long)]
    plain: bool,
    /// A line every N cycles [default: 1000; of circuits 10 units of time]
    #[arg(long, value_name = "N", requires = "plain", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    every: Option<u64>,
    /// End after N cycles (of circuits: units of time) [default: at a deadlock, or never]
    #[arg(long, value_name = "N", requires = "plain", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    cycles: Option<u64>,
}

impl Lines {
    /// True if lines are requested, or required by a dumb terminal.
    pub(super) fn wanted(&self, terminal: bool) -> bool {
        self.plain || (terminal && std::env::var("TERM").is_ok_and(|term| term == "dumb"))
    }

    pub(super) fn watch(&self, scenario: Arc<Scenario>, pace: Option<Pace>) -> Result<(), Failure> {
        let unit = scenario.system.time_unit();
        let circuits = scenario.system.circuit().is_some();
        let every = self.every.unwrap_or(if circuits { EVERY.1 } else { EVERY.0 }) * unit.cycles;
        let last = self.cycles.map_or(u64::MAX, |cycles| cycles * unit.cycles);
        let between = match pace.map(|pace| pace.speed(unit)) {
            Some(Speed::PerSecond(cycles)) => Duration::from_secs_f64(every as f64 / cycles),
            None if io::stdout().is_terminal() => Duration::from_secs(1),
            _ => Duration::ZERO,
        };
        output::print(&heading(&scenario))?;
        // No history is needed without rewinding.
        let keep = Keep { bytes: 0, ..Keep::default() };
        let options = live::Options {
            running: false,
            keep,
            model_steps: budget::AT_ONCE,
            ..live::Options::default()
        };
        let interruption = Interruption::listen()?;
        let mut run = ClockedRun::new(Arc::clone(&scenario), options);
        let mut update = Update::empty(scenario);
        let mut printed = failures::Printed::default();
        let stopped = || interruption.stop.load(Ordering::Relaxed);
        loop {
            let begun = Instant::now();
            run.draw(&mut update);
            let from = update.snapshot.cycle.0;
            let to = (from / every + 1).saturating_mul(every).min(last);
            let mut now = from;
            while now < to && !stopped() && !update.state.is_over() {
                let until = failures::next(&update, now).min(now + PIECE).min(to);
                run.execute(Command::Step(until - now));
                run.draw(&mut update);
                now = update.snapshot.cycle.0;
                output::print(&printed.news(&update))?;
            }
            if now > from || update.state.is_over() {
                output::print(&line(&update, now < last))?;
            }
            if update.state == RunState::Deadlocked {
                return Err(Failure::Deadlock);
            }
            while !stopped() && now < last && begun.elapsed() < between {
                std::thread::sleep(NAP.min(between.saturating_sub(begun.elapsed())));
            }
            if let Some(interrupted) = interruption.failure() {
                return Err(interrupted);
            }
            if now >= last || update.state.is_over() {
                return Ok(());
            }
        }
    }
}

/// The first line: the scenario, and the units of all other lines.
fn heading(scenario: &Arc<Scenario>) -> String {
    let system = &scenario.system;
    let times = system.time_unit();
    format!(
        "{}: {}, {}, seed {}; loads in {}, times in {}\n",
        scenario.name,
        system.network.name(),
        system.relation.routing().name(),
        scenario.seed,
        times.load_unit(),
        times.name,
    )
}

/// A line of state, cycle, loads, latency, prediction, blocked messages and failures.
fn line(update: &Update, goes_on: bool) -> String {
    let times = update.scenario.system.time_unit();
    let (summary, snapshot) = (&update.summary, &update.snapshot);
    let load = |load: Option<f64>| load.map_or("unknown".to_owned(), |load| format!("{load:.4}"));
    let state = if update.state == RunState::Deadlocked {
        "deadlocked"
    } else if update.state == RunState::Delivered {
        "delivered"
    } else if goes_on {
        "running"
    } else {
        "ended"
    };
    let offered = update.scenario.system.load_at(update.rate).0;
    let latency = match summary.latency {
        None => "unknown, no message counted".to_owned(),
        Some(latency) => {
            let half = latency
                .shown_half_width()
                .map_or(String::new(), |half| format!(" plus or minus {}", times.mean(half)));
            let count = plural(summary.messages, "message");
            let warm = if summary.measured_from.is_none() { ", warming up" } else { "" };
            format!("{}{half} of {count}{warm}", times.mean(latency.mean))
        }
    };
    let saturated = verdict::announced_at(&update.scenario, update.rate, summary)
        .map_or(String::new(), |words| format!(", {words}"));
    let (standing, all, carrier) = if update.scenario.system.circuit().is_some() {
        let waits = |state| matches!(state, CircuitState::Waiting | CircuitState::Stopped);
        let waiting = snapshot.circuits.iter().filter(|one| waits(one.state)).count();
        (waiting, snapshot.circuits.len(), "circuit")
    } else {
        let blocked = |head: &HeadState| matches!(head, HeadState::Blocked(_));
        let blocked = snapshot.worms.iter().filter(|worm| blocked(&worm.head)).count();
        (blocked, snapshot.worms.len(), "worm")
    };
    let deadlock = match &snapshot.deadlock {
        Some(deadlock) => {
            let sets = deadlock.sets.iter().map(|set| {
                let members = plural(set.worms.len() as u64, carrier);
                format!("of {members} since {}", times.now(set.closed.0))
            });
            let sets = sets.collect::<Vec<_>>().join(" and ");
            format!("deadlock {sets}, {} caught behind", grouped(deadlock.caught.len() as u64))
        }
        None => "no deadlock".to_owned(),
    };
    format!(
        "{state}, {}, offered {}, accepted {}{saturated}, latency {latency}, predicted {}, blocked {} of \
         {}, {deadlock}{}\n",
        times.now(snapshot.cycle.0),
        load(Some(offered)),
        load(summary.accepted),
        predicted(update, times),
        grouped(standing as u64),
        plural(all as u64, carrier),
        failures::state(update),
    )
}

/// The model's prediction, with known reservations.
fn predicted(update: &Update, times: TimeUnit) -> String {
    let Some(theory) = update.theory.as_deref() else { return "nothing, no model".to_owned() };
    let wrong = update.wrong_here.as_ref();
    let wrong = wrong.map_or(String::new(), |why| format!(", wrong here: {why}"));
    match &theory.prediction {
        Ok(prediction) => {
            let outside = if theory.applies() { "" } else { " outside the model's assumptions" };
            let stated = theory.stated_error.as_ref();
            let stated = stated.map_or(String::new(), |it| format!(" ({it})"));
            format!("{}{stated}{outside}{wrong}", times.mean(prediction.latency_mean))
        }
        Err(Unsolved::Saturated { .. }) => format!("nothing, saturated by the model{wrong}"),
        Err(why) => format!("nothing, {}", unsolved_in_words(why)),
    }
}

#[cfg(test)]
mod tests;
