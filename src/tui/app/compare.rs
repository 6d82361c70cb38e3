//! Compares several runs: the active run and the actions on all runs.

use std::sync::Arc;

use super::{App, RunView, Scene};
use crate::live::{Command, RunState, Update};
use crate::scenario::{Scenario, contrast};
use crate::text::short_name;
use crate::tui::action::Runs;
use crate::tui::view::View;
use crate::units::Cycle;

impl App {
    /// All runs in order.
    pub(in crate::tui) fn all(&self) -> impl Iterator<Item = Scene<'_>> {
        self.shown().all()
    }

    /// The inactive run of a comparison of two.
    pub(in crate::tui) fn other(&self) -> Option<Scene<'_>> {
        self.shown().others().next()
    }

    /// True while the view shows the differences between two runs.
    pub(in crate::tui) fn contrasts(&self) -> bool {
        self.map.before.is_some()
    }

    pub(super) fn leave_contrast(&mut self, view: View) {
        self.map.before = None;
        self.map.view = view;
    }

    /// Computes the difference of each link from the model, or from the other run.
    pub(super) fn compare_links(&mut self) {
        if !self.contrasts() {
            for run in &mut self.runs {
                run.differences.update(&run.update);
            }
            return;
        }
        let mut differences = std::mem::take(&mut self.differences);
        if let [first, second] = self.runs.as_slice() {
            differences.contrast(&first.update, &second.update);
        }
        self.differences = differences;
    }

    /// Receives new snapshots of all runs and returns the old ones, to reuse their memory.
    pub(in crate::tui) fn receive(&mut self, mut update: Box<Update>) -> Box<Update> {
        let mut others = std::mem::take(&mut update.others);
        if others.is_empty() {
            self.leave_contrast(self.map.before.unwrap_or(self.map.view));
            // Only the active run continues.
            self.runs.swap(0, self.active);
            self.active = 0;
        }
        self.runs.truncate(1 + others.len());
        self.receive_at(0, &mut update);
        self.receive_others(&mut others);
        self.leave_sweep();
        update.others = others;
        self.look_on_tour();
        update
    }

    /// Receives new snapshots of all runs except the first in exchange for the old ones.
    pub(super) fn receive_others(&mut self, others: &mut [Update]) {
        self.runs[0].label = None;
        for (at, other) in (1..).zip(others) {
            let first = &self.runs[0].update;
            share(first, other);
            if at < self.runs.len() {
                self.receive_at(at, other);
            } else {
                self.runs.push(RunView::new(Box::new(other.clone())));
            }
            let scenarios = [0, at].map(|run| Arc::clone(&self.runs[run].update.scenario));
            let [name, other_name] = names(&mut self.runs[at], scenarios);
            self.runs[0].label.get_or_insert((0, name));
            self.runs[at].label = Some((at, other_name));
        }
        let (slice, pins) = (self.plane.slice, self.pins.clone());
        for run in &mut self.runs {
            run.show_slice(slice);
            run.pins.clone_from(&pins);
        }
        self.refresh();
        if self.runs.len() > 1 {
            self.keep_in_sight();
        }
    }

    fn receive_at(&mut self, at: usize, update: &mut Update) {
        if at == self.active {
            self.receive_active(update);
        } else {
            self.runs[at].receive(update);
        }
    }

    pub(super) fn next_run(&mut self) {
        self.active = (self.active + 1) % self.runs.len();
        self.map.filter = self.own_filter(self.map.filter);
        // The other network may lack a terminal's channel.
        let channels = self.network().channels().len();
        self.links.chosen = self.links.chosen.filter(|channel| channel.index() < channels);
        self.refresh();
        self.keep_in_sight();
    }

    pub(super) fn runs_action(&mut self, action: Runs) {
        let two = self.runs.len() > 1;
        match action {
            Runs::Compare if two => {
                self.say_of_active("goes on alone");
                self.send(Command::Part { second: self.is_second() });
            }
            Runs::Compare => self.open_chooser(true),
            Runs::Swap | Runs::Contrast if !two => {
                self.notify("there is one run only (c compares it with another)");
            }
            Runs::Swap => {
                self.next_run();
                self.say_of_active("is active");
            }
            Runs::Contrast => {
                if let Some(before) = self.map.before {
                    self.leave_contrast(before);
                } else {
                    self.map.before = Some(self.map.view);
                    self.map.view = View::Difference;
                }
                self.refresh();
                self.keep_in_sight();
            }
        }
    }

    fn say_of_active(&mut self, what: &str) {
        if let Some(called) = self.called() {
            self.notify(&format!("{called} {what}"));
        }
    }

    /// Compares the present run with a run of `scenario`; the error explains a refusal.
    pub(super) fn compare_with(&mut self, scenario: &Arc<Scenario>) -> Result<(), String> {
        let own = &self.update.scenario;
        let beside = contrast::beside(own, scenario).map_err(|refused| refused.to_string())?;
        let differences = contrast::differences(own, &beside);
        let fields: Vec<&str> = differences.iter().map(|it| it.field.as_str()).collect();
        self.notify(&match fields.as_slice() {
            [] => "compared with the same".to_owned(),
            _ if scenario.name == own.name => format!("compared: {}", fields.join(", ")),
            _ => format!("compared with {}: {}", short_name(&scenario.name), fields.join(", ")),
        });
        self.send(Command::Against(Arc::new(beside)));
        Ok(())
    }

    /// The latest cycle of all runs: a deadlocked run stops before the others.
    pub fn now(&self) -> Cycle {
        let cycles = self.all().map(|run| run.update.snapshot.cycle);
        cycles.max().unwrap_or(self.update.snapshot.cycle)
    }

    /// True if the screen shows a cycle before the newest.
    pub fn is_behind(&self) -> bool {
        self.now() < self.update.live
    }

    /// True if the present cycle has a bookmark.
    pub fn is_marked(&self) -> bool {
        self.update.bookmarks.binary_search(&self.now().0).is_ok()
    }

    /// Describes a deadlocked run and the time of its deadlock, while the other run continues.
    pub(in crate::tui) fn other_deadlock(&self) -> Option<String> {
        let both = self.shown().both()?;
        let closed = |run: &Scene<'_>| {
            let sets = run.update.snapshot.deadlock.as_ref()?.sets.iter();
            sets.map(|set| set.closed).min()
        };
        let (stands, closed) = both.into_iter().find_map(|run| closed(&run).map(|at| (run, at)))?;
        if self.update.state == RunState::Deadlocked {
            return None;
        }
        let since = stands.times().now(closed.0);
        Some(format!("{} stands in a deadlock since {since}", stands.letter()?))
    }
}

/// Copies state common to both runs, maintained only in the first run's update.
fn share(from: &Update, to: &mut Update) {
    to.commands = from.commands;
    to.speed = from.speed;
    to.cycles_per_second = from.cycles_per_second;
    to.bookmarks.clone_from(&from.bookmarks);
    to.seeking = from.seeking;
    to.no_such_event = from.no_such_event;
    to.saved.clone_from(&from.saved);
    to.saves = from.saves;
    to.pairs = from.pairs;
}

/// The names of the scenarios of a comparison, which `run` keeps.
fn names(run: &mut RunView, scenarios: [Arc<Scenario>; 2]) -> [String; 2] {
    let are_same = |known: &[Arc<Scenario>; 2]| {
        known.iter().zip(&scenarios).all(|(one, other)| Arc::ptr_eq(one, other))
    };
    if !run.compared.as_ref().is_some_and(|(known, _)| are_same(known)) {
        let differences = contrast::differences(&scenarios[0], &scenarios[1]);
        run.compared = Some((scenarios, contrast::names(&differences)));
    }
    run.compared.as_ref().map(|(_, names)| names.clone()).unwrap_or_default()
}
