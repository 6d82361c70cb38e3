//! Actions that move through time: back, forward, to a cycle, an event, a bookmark; and saving.

use super::{App, Confirm, Dialog, Effect, Question};
use crate::live::{Command, Event};
use crate::session::events::Events;
use crate::tui::action::Time;
use crate::tui::header::{plural, short_name};
use crate::tui::pen::grouped;
use crate::tui::timeline;
use crate::units::{Cycle, Rate};

/// The most cycles that can be asked for.
const CYCLES_MAX: u64 = 1_000_000_000_000;

/// A session on its way into a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Writing {
    /// The file.
    pub path: String,
    /// What to write.
    pub text: String,
    /// Whether a file of this name may be replaced: it is this session's own.
    pub replace: bool,
}

impl App {
    /// Whether the picture is of a cycle before the newest.
    pub fn is_behind(&self) -> bool {
        self.update.snapshot.cycle < self.update.live
    }

    /// Whether there is a bookmark at the present cycle.
    pub fn is_marked(&self) -> bool {
        self.update.bookmarks.binary_search(&self.update.snapshot.cycle.0).is_ok()
    }

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
        Some(self.seek("to", cycle))
    }

    fn seek(&mut self, what: &str, cycle: u64) -> Vec<Effect> {
        self.say(&format!("{what} {}", self.times().now(cycle)));
        vec![Effect::Send(Command::Seek(Cycle(cycle)))]
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
        let load = self.update.scenario.system.load_at(rate).0;
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

    /// What a prompt offers at first.
    pub(super) fn offer(&self, question: Question) -> String {
        match question {
            Question::Cycles | Question::CyclesBack => self.many.clone(),
            Question::Mark if self.update.bookmarks.len() == 1 => "1".to_owned(),
            Question::Events => self.events.names().join(" "),
            Question::File => {
                let name = || self.cycle_name("", ".session.ron");
                self.path.clone().unwrap_or_else(name)
            }
            Question::Recording => self.cycle_name("flitscope-", ".cast"),
            Question::Picture => self.cycle_name("flitscope-", ".svg"),
            Question::Copy => self.file_name(".ron"),
            _ => String::new(),
        }
    }

    /// A name for a file of this scenario: the last part of its own, and an ending.
    pub(super) fn file_name(&self, ending: &str) -> String {
        let name = short_name(&self.update.scenario.name);
        let name = name.strip_suffix(".ron").unwrap_or(name);
        format!("{}{ending}", name.replace(' ', "-"))
    }

    /// Answers to questions about time; `None` for other questions.
    pub(super) fn answer_in_time(
        &mut self,
        question: Question,
        text: &str,
    ) -> Option<Result<Vec<Effect>, String>> {
        Some(match question {
            Question::CyclesBack => self.span(text).map(|cycles| {
                text.trim().clone_into(&mut self.many);
                let far = match self.times() {
                    times if times.in_cycles() => plural(cycles, "cycle"),
                    times => times.with_unit(cycles),
                };
                self.say(&format!("{far} back"));
                vec![Effect::Send(Command::Back(cycles))]
            }),
            Question::Cycle => self.cycle_named(text).map(|cycle| self.seek("to", cycle)),
            Question::Mark => {
                self.bookmark_named(text).map(|cycle| self.seek("to the bookmark at", cycle))
            }
            Question::Events => events_named(text).map(|events| {
                self.events = events;
                self.say(&format!("< and > stop at {}", events.names().join(", ")));
                Vec::new()
            }),
            Question::File => match text.trim() {
                "" => Err("a file needs a name".to_owned()),
                path => {
                    self.saving = Some(path.to_owned());
                    Ok(vec![Effect::Send(Command::Save)])
                }
            },
            _ => return None,
        })
    }

    /// Cycles by number, or of circuits as units of time.
    pub(super) fn span(&self, text: &str) -> Result<u64, String> {
        let times = self.times();
        if times.in_cycles() {
            return whole(text);
        }
        let digits: String = text.chars().filter(|c| !", _".contains(*c)).collect();
        let wanted = "a number of units of time above 0, up to 1,000,000,000";
        times.unit.parse(&digits).ok_or_else(|| wanted.to_owned())
    }

    /// A cycle by number, relative to the present (`-500`), or `live`.
    fn cycle_named(&self, text: &str) -> Result<u64, String> {
        let (now, text) = (self.update.snapshot.cycle.0, text.trim());
        if text == "live" {
            return Ok(self.update.live.0);
        }
        if let Some(mark) = text.strip_prefix('m') {
            return self.bookmark_named(mark);
        }
        match text.strip_prefix(['+', '-']) {
            Some(cycles) if text.starts_with('-') => Ok(now.saturating_sub(self.span(cycles)?)),
            Some(cycles) => Ok((now + self.span(cycles)?).min(CYCLES_MAX)),
            None if text == "0" => Ok(0),
            None => self.span(text),
        }
    }

    /// The cycle of the bookmark of this number, from 1.
    fn bookmark_named(&self, text: &str) -> Result<u64, String> {
        let marks = &self.update.bookmarks;
        let number: usize = text.trim().parse().unwrap_or(0);
        let found = number.checked_sub(1).and_then(|at| marks.get(at));
        found.copied().ok_or_else(|| format!("a bookmark from 1 to {}", marks.len()))
    }

    /// Takes note of a saved session that has come; what is to be written is handed over by
    /// [`Self::take_writing`].
    pub(super) fn receive_saved(&mut self, before: u64) {
        if self.update.saves == before {
            return;
        }
        if let Some((path, saved)) = self.saving.take().zip(self.update.saved.as_ref()) {
            let replace = self.path.as_ref() == Some(&path);
            self.writing = Some(Writing { text: saved.text(), path, replace });
        }
    }

    /// What is to be written now.
    pub fn take_writing(&mut self) -> Option<Writing> {
        self.writing.take()
    }

    /// What became of a file.
    pub fn wrote(&mut self, path: &str, result: &std::io::Result<()>) {
        match result {
            Ok(()) => {
                self.path = Some(path.to_owned());
                self.say(&format!("the session is in {path} (flitscope {path} opens it again)"));
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                let save = self.keys.way_to(Time::Save);
                self.say(&format!("not written: {path} exists; {save} asks for another name"));
            }
            Err(error) => {
                let save = self.keys.way_to(Time::Save);
                self.say(&format!("not written: {error}; the session goes on ({save} again)"));
            }
        }
    }
}

/// A number of cycles.
pub(super) fn whole(text: &str) -> Result<u64, String> {
    let digits: String = text.chars().filter(|c| !", _".contains(*c)).collect();
    let cycles: u64 = digits.parse().map_err(|_| "a whole number of cycles, please".to_owned())?;
    if cycles == 0 || cycles > CYCLES_MAX {
        return Err(format!("from 1 to {} cycles", grouped(CYCLES_MAX)));
    }
    Ok(cycles)
}

/// Kinds of events by name or by their first letters; `all`.
fn events_named(text: &str) -> Result<Events, String> {
    let mut events = Events::default();
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let all = word == "all";
        let mut known = all;
        for (name, kind) in [
            ("injection", &mut events.injection),
            ("delivery", &mut events.delivery),
            ("blocking", &mut events.blocking),
            ("deadlock", &mut events.deadlock),
        ] {
            let meant = all || (word.len() > 1 && name.starts_with(word));
            *kind |= meant;
            known |= meant;
        }
        if !known {
            return Err(format!("{word}? injection, delivery, blocking, deadlock, or all"));
        }
    }
    if events.is_empty() {
        return Err("injection, delivery, blocking, deadlock, or all".to_owned());
    }
    Ok(events)
}

#[cfg(test)]
mod tests;
