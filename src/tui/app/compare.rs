//! Two runs on one screen: which of them is active, and the actions that are about both.
//!
//! The other run has a screen's state of its own, which follows this one: same zoom, same cursor, same
//! view. Making it active exchanges what belongs to the runs.

use std::rc::Rc;
use std::sync::Arc;

use super::{App, Dialog, Effect};
use crate::live::{Command, RunState, Update};
use crate::scenario::{Scenario, contrast};
use crate::tui::action::Runs;
use crate::tui::chooser::Chooser;
use crate::tui::grid::plane::Plane;
use crate::tui::header::short_name;
use crate::tui::layout::Beside;
use crate::tui::view::{Pane, View};

/// The letters of the two runs.
const LETTERS: [char; 2] = ['A', 'B'];

/// The screen's part in a comparison.
#[derive(Debug, Default)]
pub struct Comparison {
    /// The state of the run that is not active; `None` where there is one run only.
    other: Option<Box<App>>,
    /// Whether this state is that of the second run.
    second: bool,
    /// What this run is called by what differs; empty where nothing does, or nothing is compared.
    called: String,
    /// Whether this state belongs to one of two runs.
    compared: bool,
    /// The view to go back to from that of the differences of the two; `None` outside it.
    before: Option<View>,
}

impl App {
    /// The state of the run that is not active, where two are compared.
    pub fn other(&self) -> Option<&Self> {
        self.comparison.other.as_deref()
    }

    /// The states of both runs, the first one's first, where two are compared.
    pub fn both(&self) -> Option<[&Self; 2]> {
        let other = self.other()?;
        Some(if self.comparison.second { [other, self] } else { [self, other] })
    }

    /// Whether this run is the second of two.
    pub fn is_second(&self) -> bool {
        self.comparison.second
    }

    /// The letter of this run, where two are compared.
    pub fn letter(&self) -> Option<char> {
        self.comparison.compared.then_some(LETTERS[usize::from(self.comparison.second)])
    }

    /// What this run is called in a comparison: its letter, and what differs from the other one.
    pub fn called(&self) -> Option<String> {
        let letter = self.letter()?;
        let what = &self.comparison.called;
        Some(if what.is_empty() { letter.to_string() } else { format!("{letter} {what}") })
    }

    /// How the comparison stands on the screen.
    pub(super) fn beside(&self) -> Beside {
        match (self.comparison.compared, self.comparison.second) {
            (false, _) => Beside::Alone,
            _ if self.contrasts() => Beside::Both,
            (true, second) => Beside::Other { second },
        }
    }

    /// Whether the view is that of the differences between two runs.
    pub fn contrasts(&self) -> bool {
        self.comparison.before.is_some()
    }

    /// Goes to a view of one run.
    pub(super) fn leave_contrast(&mut self, view: View) {
        self.comparison.before = None;
        self.view = view;
    }

    /// Works out how far links are off the model, or off the other run.
    pub(super) fn compare_links(&mut self) {
        let mut differences = std::mem::take(&mut self.differences);
        match self.both().filter(|_| self.contrasts()) {
            Some([first, second]) => differences.contrast(&first.update, &second.update),
            None => differences.update(&self.update),
        }
        self.differences = differences;
    }

    /// Hands each of the two runs its update; returns those that are no longer needed.
    pub(super) fn receive_both(&mut self, mut update: Box<Update>) -> Box<Update> {
        let Some(mut against) = update.against.take() else {
            let view = self.comparison.before.unwrap_or(self.view);
            self.leave_contrast(view);
            self.comparison = Comparison::default();
            return self.receive_own(update);
        };
        share(&update, &mut against);
        let names = contrast::names(&contrast::differences(&update.scenario, &against.scenario));
        if self.comparison.second {
            std::mem::swap(&mut update, &mut against);
        }
        self.comparison.compared = true;
        self.name(&names);
        let mut spent = self.receive_own(update);
        spent.against = if let Some(other) = &mut self.comparison.other {
            Some(other.receive_own(against))
        } else {
            let library = Rc::clone(&self.library);
            let other = Self::begin(against, library, self.theme, self.glyphs.ascii, self.size);
            self.comparison.other = Some(Box::new(other));
            None
        };
        let second = !self.comparison.second;
        if let Some(other) = &mut self.comparison.other {
            other.comparison.compared = true;
            other.comparison.second = second;
            other.name(&names);
        }
        self.follow();
        self.refresh();
        self.keep_in_sight();
        spent
    }

    fn name(&mut self, names: &[String; 2]) {
        let own = &names[usize::from(self.comparison.second)];
        self.comparison.called.clone_from(own);
    }

    /// Has the other run's state show what this one does, the same way.
    pub(super) fn follow(&mut self) {
        let Some(mut other) = self.comparison.other.take() else { return };
        let looked = |app: &Self| (app.view, app.vc, app.aggregate, app.heat_top);
        let before = looked(&other);
        other.comparison.before = self.comparison.before;
        (other.theme, other.glyphs, other.size) = (self.theme, self.glyphs, self.size);
        (other.view, other.zoom) = (self.view, self.zoom);
        // The other may have fewer virtual channels.
        let every = other.update.scenario.system.switching.virtual_channels();
        other.vc = self.vc.filter(|&vc| vc < every);
        (other.focus, other.guest, other.links) = (self.focus, self.guest, self.links);
        (other.table, other.preset) = (self.table, self.preset);
        (other.aggregate, other.heat_top) = (self.aggregate, self.heat_top);
        (other.expanded, other.zen, other.mouse) = (self.expanded, self.zen, self.mouse);
        if other.plane.slice != self.plane.slice {
            other.plane = Plane::new(&other.update.scenario.system.network, self.plane.slice);
        }
        (other.cursor, other.origin) = (self.cursor, self.origin);
        other.names.pin_like(&self.names);
        if looked(&other) != before {
            other.refresh();
        }
        self.comparison.other = Some(other);
    }

    /// Makes the other run the active one.
    pub(super) fn swap_runs(&mut self) {
        let Some(mut other) = self.comparison.other.take() else { return };
        std::mem::swap(&mut self.update, &mut other.update);
        std::mem::swap(&mut self.plane, &mut other.plane);
        std::mem::swap(&mut self.heat, &mut other.heat);
        std::mem::swap(&mut self.names, &mut other.names);
        std::mem::swap(&mut self.simulated, &mut other.simulated);
        std::mem::swap(&mut self.comparison.called, &mut other.comparison.called);
        std::mem::swap(&mut self.comparison.second, &mut other.comparison.second);
        other.refresh();
        self.comparison.other = Some(other);
        // A terminal's channel need not exist in the other machine.
        let channels = self.update.scenario.system.network.channels().len();
        self.links.chosen = self.links.chosen.filter(|channel| channel.index() < channels);
        self.refresh();
        self.keep_in_sight();
    }

    /// Actions about two runs.
    pub(super) fn runs_action(&mut self, action: Runs) -> Vec<Effect> {
        let two = self.comparison.compared;
        match action {
            Runs::Compare if two => return self.end_comparison(),
            Runs::Compare => {
                let chooser = Chooser::against(&*self.library, &self.update.scenario);
                self.dialog = Some(Dialog::Chooser(chooser));
            }
            Runs::Swap | Runs::Contrast if !two => {
                self.say("there is one run only (c compares it with another)");
            }
            Runs::Swap => {
                self.swap_runs();
                if let Some(called) = self.called() {
                    self.say(&format!("{called} is active"));
                }
            }
            Runs::Contrast => {
                if let Some(before) = self.comparison.before {
                    self.leave_contrast(before);
                } else {
                    self.comparison.before = Some(self.view);
                    self.view = View::Difference;
                }
                self.refresh();
                self.keep_in_sight();
            }
        }
        Vec::new()
    }

    /// Leaves what is shown of two runs, if nothing else is to be left first.
    pub(super) fn leave_comparison(&mut self) -> Option<Vec<Effect>> {
        if !self.comparison.compared || !self.is_plain() {
            return None;
        }
        let what = if self.contrasts() { Runs::Contrast } else { Runs::Compare };
        Some(self.runs_action(what))
    }

    /// Whether nothing has been entered that `Esc` would leave first.
    fn is_plain(&self) -> bool {
        let alone = self.zen || self.expanded;
        let plain = self.focus == Pane::Grid && self.vc.is_none();
        plain && !alone && self.singles.followed.is_none()
    }

    /// Goes on with the active run alone.
    fn end_comparison(&mut self) -> Vec<Effect> {
        let second = self.comparison.second;
        if let Some(called) = self.called() {
            self.say(&format!("{called} goes on alone"));
        }
        vec![Effect::Send(Command::Part { second })]
    }

    /// Compares the present run with one of `scenario`, or says why not.
    pub(super) fn compare_with(&mut self, scenario: &Arc<Scenario>) -> Result<Vec<Effect>, String> {
        let own = &self.update.scenario;
        let beside = contrast::beside(own, scenario).map_err(|refused| refused.to_string())?;
        let differences = contrast::differences(own, &beside);
        let fields: Vec<&str> = differences.iter().map(|it| it.field.as_str()).collect();
        self.say(&match fields.as_slice() {
            [] => "compared with the same".to_owned(),
            _ if scenario.name == own.name => format!("compared: {}", fields.join(", ")),
            _ => format!("compared with {}: {}", short_name(&scenario.name), fields.join(", ")),
        });
        Ok(vec![Effect::Send(Command::Against(Arc::new(beside)))])
    }

    /// Which of two runs stands for ever while the other goes on, and since when.
    pub fn standing(&self) -> Option<String> {
        let both = self.both()?;
        let stands = both.into_iter().find(|app| app.update.snapshot.deadlock.is_some())?;
        if self.update.state == RunState::Deadlocked {
            return None;
        }
        let since = stands.times().now(stands.update.snapshot.cycle.0);
        Some(format!("{} stands in a deadlock since {since}", stands.letter()?))
    }
}

/// What belongs to both runs stands in the first one's update only.
fn share(from: &Update, to: &mut Update) {
    to.commands = from.commands;
    to.speed = from.speed;
    to.cycles_per_second = from.cycles_per_second;
    to.bookmarks.clone_from(&from.bookmarks);
    to.seeking = from.seeking;
    to.nothing = from.nothing;
    to.saved.clone_from(&from.saved);
    to.saves = from.saves;
    to.pairs = from.pairs;
}
