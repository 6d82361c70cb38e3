//! Actions on the run: pace, steps, load, seeds, time travel, saving.

use super::{App, Confirm, Dialog, failing, shrinking};
use crate::engine::Change;
use crate::live::{Command, Event, RunState, Speed};
use crate::random::mix;
use crate::tui::action::{Run, Time};
use crate::tui::palette::commands::What;
use crate::tui::timeline;
use crate::units::{Cycle, Rate};

/// Paces of `[` and `]` in cycles per second, followed by "max".
const PACES: [f64; 12] = [0.25, 1.0, 4.0, 16.0, 64.0, 256.0, 1e3, 4e3, 16e3, 64e3, 256e3, 1e6];

impl App {
    pub(super) fn run_action(&mut self, action: Run) {
        match action {
            Run::ToggleRun => match self.update.state {
                RunState::Running => self.send(Command::Pause),
                RunState::Paused | RunState::Limit => self.send(Command::Run),
                RunState::Seeking => self.send(Command::Cancel),
                RunState::Delivered => {
                    let back = self.keys.way_to(Time::StepBack);
                    let again = self.keys.way_to(Run::Restart);
                    self.notify(&format!(
                        "all messages are delivered ({back} goes back, {again} restarts)"
                    ));
                }
                RunState::Deadlocked => {
                    let back = self.keys.way_to(Time::StepBack);
                    let first = self.keys.way_to(Time::ToDeadlock);
                    let again = self.keys.way_to(Run::Restart);
                    self.notify(&format!(
                        "deadlocked: {back} goes back a cycle, {first} to its first cycle, {again} restarts"
                    ));
                }
            },
            Run::Step => self.send((self.words().step)()),
            Run::StepMany => self.ask(What::Cycles),
            Run::Break => self.ask(What::Break),
            Run::Slower | Run::Faster => self.set_pace(self.next_pace(action == Run::Faster)),
            Run::LoadDown | Run::LoadUp => {
                let factor = if action == Run::LoadUp { 1.1 } else { 1.0 / 1.1 };
                let most = self.system().rate_max().0;
                self.set_rate(Rate((self.motion.rate.0 * factor).clamp(most * 1e-6, most)));
            }
            Run::Fail => failing::fail_router(self),
            Run::Sweep => self.sweep_or_stop(),
            Run::Restart => self.restart(self.update.seed, Command::Restart),
            Run::NewSeed => {
                let seed = mix(self.update.seed, 1) % 1_000_000;
                self.restart(seed, Command::Reseed(seed));
            }
        }
    }

    pub(super) fn restart(&mut self, seed: u64, command: Command) {
        self.notify(&format!("restarted with seed {seed}"));
        self.send(command);
    }

    /// The next pace; for circuits, paces are powers of 4 times the unit of time.
    fn next_pace(&self, faster: bool) -> Speed {
        let paces = match self.times().cycles {
            1 => PACES,
            unit => std::array::from_fn(|at| unit as f64 * 4f64.powi(at as i32 - 6)),
        };
        let now = match self.motion.pace {
            Speed::Max => f64::INFINITY,
            Speed::PerSecond(now) => now,
        };
        if faster {
            let next = paces.into_iter().find(|&pace| pace > now * 1.01);
            return next.map_or(Speed::Max, Speed::PerSecond);
        }
        let slower = paces.into_iter().rev().find(|&pace| pace < now * 0.99);
        Speed::PerSecond(slower.unwrap_or(paces[0]))
    }

    pub(super) fn set_pace(&mut self, pace: Speed) {
        self.motion.pace = pace;
        self.notify(&format!("pace {}", self.times().pace(pace)));
        self.send(Command::Speed(pace));
    }

    /// Sets the averaging window of utilisation, in cycles.
    pub(super) fn set_window(&mut self, cycles: u64) {
        self.notify(&format!("utilisation averaged over {}", self.times().with_unit(cycles)));
        self.send(Command::Window(cycles));
    }

    pub(super) fn time_action(&mut self, action: Time) {
        let now = self.now();
        match action {
            Time::StepBack if now.0 == 0 => self.notify("already at cycle 0"),
            Time::StepBack => self.send(Command::Back(1)),
            Time::LastEvent => self.send(Command::BackToEvent(self.motion.events)),
            Time::NextEvent => self.send(Command::NextEvent(self.motion.events)),
            Time::ToLive => self.send(Command::ToLive),
            Time::ToDeadlock => self.go_to_deadlock(),
            Time::Shrink => shrinking::start_or_stop(self),
            Time::Bookmark => {
                let what = if self.is_marked() { "bookmark removed from" } else { "bookmark at" };
                self.notify(&format!("{what} {}", self.times().now(now.0)));
                self.send(Command::Bookmark(now));
            }
            Time::Bookmarks if self.update.bookmarks.is_empty() => {
                let key = self.keys.way_to(Time::Bookmark);
                self.notify(&format!("no bookmarks ({key} sets one)"));
            }
            Time::Bookmarks => self.ask(What::Mark),
            Time::StepBackMany => self.ask(What::CyclesBack),
            Time::GoTo => self.ask(What::Cycle),
            Time::Events => self.ask(What::Events),
            Time::Save => self.ask(What::Session),
        }
    }

    /// Seeks to the cycle at a position on the timeline; returns false outside the timeline.
    pub(super) fn seek_on_timeline(&mut self, x: u16, y: u16) -> bool {
        let cycle = timeline::cycle_at(self, self.arrangement().timeline, x, y);
        if let Some(cycle) = cycle {
            self.seek("to ", cycle, "");
        }
        cycle.is_some()
    }

    /// Seeks to a cycle and shows a message with the cycle between `before` and `after`.
    pub(super) fn seek(&mut self, before: &str, cycle: u64, after: &str) {
        self.notify(&format!("{before}{}{after}", self.times().now(cycle)));
        self.send(Command::Seek(Cycle(cycle)));
    }

    /// Seeks to a named cycle; of a grant of a deadlock, with the cursor at its router.
    pub(super) fn go_to_cycle(&mut self, text: &str) -> Result<(), String> {
        self.seek("to ", self.cycle_named(text)?, "");
        if let Some((holder, router)) = self.place_of_grant(text) {
            self.point_at(holder, router);
        }
        Ok(())
    }

    /// Seeks to the first deadlock, if known.
    fn go_to_deadlock(&mut self) {
        let events = self.update.history.events.iter();
        let closings = events.filter(|(_, event)| *event == Event::Deadlock);
        match closings.map(|&(cycle, _)| cycle).min() {
            Some(cycle) => self.seek("to ", cycle, ", at which the first deadlock closed"),
            None => self.notify("no deadlock has been found"),
        }
    }

    /// Sets the rate, after a confirmation if the change discards recorded cycles.
    pub(super) fn set_rate(&mut self, rate: Rate) {
        let traffic = &self.system().traffic;
        if traffic.script.is_some() {
            return self.notify("the messages of this run are given, and have no rate to change");
        }
        if traffic.has_no_rate() {
            return self.notify("in a closed loop the rate follows from the deliveries");
        }
        if self.is_behind() {
            self.dialog = Some(Dialog::Confirm(Confirm::Fork(rate)));
            return;
        }
        self.motion.rate = rate;
        let load = self.system().load_at(rate).0;
        let unit = self.times().load_unit();
        self.notify(&format!("offered load {load:.4} {unit}"));
        self.send(Command::Change(Change::Rate(rate)));
    }

    /// Discards the future and sets the rate, after confirmation.
    pub(super) fn fork(&mut self, rate: Rate) {
        self.forget_future();
        self.set_rate(rate);
    }

    /// Discards the future before a change.
    pub(super) fn forget_future(&mut self) {
        // The simulation's update is still under way; truncating here avoids a second confirmation.
        let now = self.snapshot().cycle;
        self.update.live = now;
        self.update.bookmarks.retain(|&cycle| cycle <= now.0);
    }
}

#[cfg(test)]
mod tests;
