//! Actions that move through time: back, forward, to a cycle, an event, a bookmark; and saving.

use super::{App, Confirm, Dialog, Effect, Question};
use crate::live::{Command, Event};
use crate::tui::action::Time;
use crate::tui::timeline;
use crate::units::{Cycle, Rate};

impl App {
    /// Actions that move through time.
    pub(super) fn time_action(&mut self, action: Time) -> Vec<Effect> {
        let now = self.update.snapshot.cycle.0;
        let command = match action {
            Time::StepBack if now == 0 => {
                self.say("this is the beginning");
                return Vec::new();
            }
            Time::StepBack => Command::Back(1),
            Time::LastEvent => Command::BackToEvent(self.events),
            Time::NextEvent => Command::NextEvent(self.events),
            Time::ToLive => Command::ToLive,
            Time::ToDeadlock => return self.go_to_deadlock(),
            Time::Bookmark => {
                let what = if self.is_marked() { "bookmark removed from" } else { "bookmark at" };
                self.say(&format!("{what} {}", self.times().now(now)));
                Command::Bookmark
            }
            Time::Bookmarks if self.update.bookmarks.is_empty() => {
                let key = self.keys.way_to(Time::Bookmark);
                self.say(&format!("no bookmarks ({key} sets one)"));
                return Vec::new();
            }
            Time::Bookmarks => return self.ask(Question::Mark),
            Time::StepBackMany => return self.ask(Question::CyclesBack),
            Time::GoTo => return self.ask(Question::Cycle),
            Time::Events => return self.ask(Question::Events),
            Time::Save => return self.ask(Question::File),
        };
        vec![Effect::Send(command)]
    }

    /// To the cycle at a place of the timeline, if it is one.
    pub(super) fn seek_on_timeline(&mut self, x: u16, y: u16) -> Option<Vec<Effect>> {
        let cycle = timeline::cycle_at(self, self.arrangement().timeline, x, y)?;
        Some(vec![self.seek("to", cycle)])
    }

    /// To a cycle, after some words.
    pub(super) fn seek(&mut self, what: &str, cycle: u64) -> Effect {
        self.say(&format!("{what} {}", self.times().now(cycle)));
        Effect::Send(Command::Seek(Cycle(cycle)))
    }

    /// To the cycle at which the first deadlock closed, if one is known.
    fn go_to_deadlock(&mut self) -> Vec<Effect> {
        let events = self.update.history.events.iter();
        let closings = events.filter(|(_, event)| *event == Event::Deadlock);
        let Some(cycle) = closings.map(|&(cycle, _)| cycle).min() else {
            self.say("no deadlock has been found");
            return Vec::new();
        };
        self.say(&format!("to {}, at which the first deadlock closed", self.times().now(cycle)));
        vec![Effect::Send(Command::Seek(Cycle(cycle)))]
    }

    /// Sets the rate, after asking where that forgets a future.
    pub(super) fn set_rate(&mut self, rate: Rate) -> Vec<Effect> {
        if self.is_behind() {
            self.dialog = Some(Dialog::Confirm(Confirm::Fork(rate)));
            return Vec::new();
        }
        self.rate = rate;
        let load = self.system().load_at(rate).0;
        let unit = self.times().load_unit();
        self.say(&format!("offered load {load:.4} {unit}"));
        vec![Effect::Send(Command::SetRate(rate))]
    }

    /// Another future was agreed to.
    pub(super) fn fork(&mut self, rate: Rate) -> Vec<Effect> {
        // The picture that says so is on its way; nothing is asked twice.
        let now = self.update.snapshot.cycle;
        self.update.live = now;
        self.update.bookmarks.retain(|&cycle| cycle <= now.0);
        self.set_rate(rate)
    }
}

#[cfg(test)]
mod tests;
