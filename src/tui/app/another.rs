//! Another run on the same screen: what goes with the one before, and what stays.

use std::rc::Rc;
use std::sync::Arc;

use super::App;
use crate::live::Update;
use crate::tui::view::Pane;

impl App {
    /// Another run. What refers to the one before goes with it: what stays is named here, and is how
    /// a person has arranged the screen.
    pub(super) fn begin_anew(&mut self, update: Box<Update>) -> Box<Update> {
        let library = Rc::clone(&self.library);
        let fresh = Self::begin(update, library, self.theme, self.glyphs.ascii, self.size);
        let old = std::mem::replace(self, fresh);
        let spent = &old.update;
        if spent.run == self.update.run {
            self.singles.asked_as(&old.singles);
        }
        if Arc::ptr_eq(&spent.scenario, &self.update.scenario) {
            (self.plane, self.cursor, self.origin) = (old.plane, old.cursor, old.origin);
            (self.zoom, self.vc, self.simulated) = (old.zoom, old.vc, old.simulated);
        }
        self.many = match spent.scenario.system.time_unit() {
            unit if unit == self.update.scenario.system.time_unit() => old.many,
            _ => if self.has_circuits() { "1" } else { "100" }.to_owned(),
        };
        (self.glyphs, self.view, self.preset) = (old.glyphs, old.view, old.preset);
        (self.aggregate, self.heat_top) = (old.aggregate, old.heat_top);
        (self.focus, self.guest, self.table) = (old.focus, old.guest, old.table);
        (self.expanded, self.zen, self.mouse) = (old.expanded, old.zen, old.mouse);
        (self.links.order, self.messages.order) = (old.links.order, old.messages.order);
        (self.keys, self.pace, self.perf) = (old.keys, old.pace, old.perf);
        (self.lines, self.events, self.note) = (old.lines, old.events, old.note);
        (self.death, self.recording, self.comparison) = (old.death, old.recording, old.comparison);
        (self.path, self.writing) = (old.path, old.writing);
        self.dialog = old.dialog.filter(|dialog| !dialog.is_about_one_run());
        if [self.focus, self.guest].contains(&Pane::History) {
            self.close_history();
        }
        if old.saving.is_some() {
            self.say("the session was not saved: another run has begun");
        }
        old.update
    }
}
