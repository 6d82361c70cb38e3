//! The tour on the screen: start, steps, exit and resumption.

use std::sync::Arc;

use super::App;
use crate::live::{Breakpoint, Command, RunState, Speed};
use crate::session::saved::Saved;
use crate::tui::action;
use crate::tui::layout::PaneState;
use crate::tui::tour::{Earlier, Tour, included, texts};
use crate::tui::view::{Pane, View};

impl App {
    pub(super) fn tour_action(&mut self, action: action::Tour) {
        use action::Tour::{Advance, Choose, Leave, NextStop, PreviousStop, Retreat, Start};
        if action == Start {
            return self.start_tour();
        }
        if action == Leave && self.leave_mode() {
            return;
        }
        let Some(tour) = self.tour.as_mut().filter(|tour| tour.on) else { return };
        let before = (tour.place(), Arc::clone(tour.scenario()));
        let went = match action {
            Advance => tour.advance(),
            Retreat => tour.retreat(),
            NextStop => tour.skip(1),
            PreviousStop => tour.skip(-1),
            Choose(nth) => return self.choose(usize::from(nth) - 1),
            Start | Leave => return self.leave_tour(),
        };
        if !went {
            return self.stay(action);
        }
        let now = (tour.place(), Arc::clone(tour.scenario()));
        self.panes.scroll = 0;
        self.keep_stop();
        if before.0 != now.0 || !Arc::ptr_eq(&before.1, &now.1) {
            self.enter_scenario();
        } else {
            self.compare_on_tour();
        }
        self.look_on_tour();
    }

    /// Explains why the tour stays at its step.
    fn stay(&mut self, action: action::Tour) {
        let Some(tour) = &self.tour else { return };
        if action == action::Tour::Advance && !tour.is_done() {
            let missing = tour.missing(&self.shown().seen()).join(", ");
            self.notify(&format!("not yet: this step needs {missing}"));
        } else if matches!(action, action::Tour::Advance | action::Tour::NextStop) {
            if tour.is_done() {
                self.library.keep_stop(None);
            }
            self.notify("this was the last stop (Esc leaves the tour)");
        } else {
            self.notify("this is where it begins");
        }
    }

    fn choose(&mut self, choice: usize) {
        match self.tour.as_mut().and_then(|tour| tour.choose(choice)) {
            Some(false) => self.notify("not so"),
            None => self.notify("there is no such answer"),
            Some(true) => {}
        }
    }

    fn start_tour(&mut self) {
        let left = |name: &String| texts().iter().position(|(stop, _)| stop == name);
        let at = || self.library.stop_left().as_ref().and_then(left).unwrap_or(0);
        let mut tour = self.tour.take().unwrap_or_else(|| Tour::new(included(), at()));
        tour.on = true;
        let updates = self.runs.iter().map(|run| &run.update).chain([&self.update]);
        let here = updates.map(|it| &it.scenario).any(|it| it.is_same(tour.scenario()));
        self.tour = Some(tour);
        self.dialog = None;
        self.panes.focus = Pane::Grid;
        if here {
            self.compare_on_tour();
        } else {
            self.send(Command::Save);
            self.tour.iter_mut().for_each(|tour| tour.earlier = Earlier::Asked);
            self.enter_scenario();
        }
        self.meet_tour();
        if !here && self.guide().is_some_and(|tour| tour.step_place().0 > 0) {
            self.notify("the tour goes on; what ran there begins again");
        }
    }

    /// Announces a resumed stop (unless at the beginning) and stores the stop in the library.
    pub(in crate::tui) fn meet_tour(&mut self) {
        let Some(tour) = self.guide() else { return };
        let ((at, count), step) = (tour.place(), tour.step_place().0);
        self.keep_stop();
        if count > 1 && at > 0 && step == 0 {
            self.notify(&format!(
                "the tour goes on at stop {} of {count} (Ctrl-B: the stop before)",
                at + 1
            ));
        }
    }

    /// Stores the stop, if included in the program.
    fn keep_stop(&self) {
        if let Some(tour) = self.guide().filter(|tour| tour.place().1 > 1) {
            self.library.keep_stop(Some(&tour.stop().name));
        }
    }

    /// Keeps the session requested at the start of the tour.
    pub(super) fn receive_earlier(&mut self, before: u64) {
        let Some(tour) = &mut self.tour else { return };
        if matches!(tour.earlier, Earlier::Asked)
            && self.runs[self.active].update.saves != before
            && let Some(saved) = self.runs[self.active].update.saved.clone()
        {
            tour.earlier = Earlier::Kept(saved);
        }
    }

    /// Leaves the tour, and returns to the run from which it was started.
    fn leave_tour(&mut self) {
        let mut earlier = None;
        if let Some(tour) = &mut self.tour {
            tour.on = false;
            if let Earlier::Kept(saved) = std::mem::take(&mut tour.earlier) {
                earlier = Some(saved);
            }
        }
        if self.panes.focus == Pane::Tour {
            self.panes.focus = Pane::Grid;
        }
        self.keep_in_sight();
        self.send(Command::Pause);
        let ran = self.update.state == RunState::Running;
        let run = if earlier.is_some() {
            ", and the run before is back"
        } else if ran {
            ", and the run is paused"
        } else {
            ""
        };
        if let Some(saved) = earlier {
            self.path = None;
            self.pace_for(saved.scenario.system.time_unit());
            self.send(Command::Resume(Box::new(Saved::clone(&saved))));
        }
        self.notify(&format!("the tour is left{run}; ? and then t goes on with it"));
    }

    /// Loads the scenario of the present step, paused at its first cycle.
    fn enter_scenario(&mut self) {
        let run = self.update.run;
        let Some(tour) = &mut self.tour else { return };
        tour.leaving = Some(run);
        let scenario = Arc::clone(tour.scenario());
        let speed = tour.pace().unwrap_or(Speed::natural(scenario.system.time_unit()));
        self.map.view = View::default();
        self.motion.pace = speed;
        self.panes = PaneState { preset: self.panes.preset, ..PaneState::default() };
        let commands =
            [Command::Pause, Command::Break(Breakpoint::default()), Command::Speed(speed)];
        for command in commands {
            self.send(command);
        }
        self.load(scenario);
        self.note = None;
        self.compare_on_tour();
    }

    /// Starts the comparison of the present step, if any.
    fn compare_on_tour(&mut self) {
        let against = self.tour.as_ref().and_then(|tour| tour.against().cloned());
        if let Some(against) = against
            && self.other().is_none()
        {
            self.send(Command::Against(against));
        }
    }

    /// True while a proof on the screen would answer a question of the tour.
    pub(in crate::tui) fn conceals(&self) -> bool {
        self.guide().is_some_and(Tour::conceals)
    }

    /// Checks whether the tour's task is done.
    pub(super) fn look_on_tour(&mut self) {
        let Some(mut tour) = self.tour.take() else { return };
        tour.look(&self.shown().seen());
        self.tour = Some(tour);
    }

    /// The active tour.
    pub(in crate::tui) fn guide(&self) -> Option<&Tour> {
        self.tour.as_ref().filter(|tour| tour.on)
    }
}
