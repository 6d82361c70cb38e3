//! What is asked in a line, and what the answers do.

use super::{App, Dialog, Effect};
use crate::live::{Breakpoint, Command};
use crate::recording::PICTURES;
use crate::session::events::Events;
use crate::tui::header::plural;
use crate::tui::pen::grouped;
use crate::tui::question::{Prompt, Question};

/// The most cycles that can be asked for.
const CYCLES_MAX: u64 = 1_000_000_000_000;

impl App {
    /// Opens a line that asks for something.
    pub(super) fn ask(&mut self, question: Question) {
        let text = self.offer(question);
        self.dialog = Some(Dialog::Prompt(Prompt { question, text, error: None }));
    }

    /// What a prompt offers at first.
    pub(super) fn offer(&self, question: Question) -> String {
        match question {
            Question::Cycles | Question::CyclesBack => self.step_many_text.clone(),
            Question::Mark if self.update.bookmarks.len() == 1 => "1".to_owned(),
            Question::Events => self.events.names().collect::<Vec<_>>().join(" "),
            Question::File => {
                let name = || self.cycle_name("", ".session.ron");
                self.path.clone().unwrap_or_else(name)
            }
            Question::Recording => self.cycle_name("flitscope-", ".cast"),
            Question::Picture => self.cycle_name("flitscope-", ".svg"),
            Question::Copy => self.file_name(".ron"),
            Question::Place
            | Question::Break
            | Question::Cycle
            | Question::Mark
            | Question::Dimension => String::new(),
        }
    }

    /// Does what was asked for. The error says what would be right.
    pub(super) fn answer(&mut self, question: Question, text: &str) -> Result<(), String> {
        let text = text.trim();
        let path = || match text {
            "" => Err("a file needs a name".to_owned()),
            path => Ok(path.to_owned()),
        };
        match question {
            Question::Cycles => {
                let cycles = self.span(text)?;
                text.clone_into(&mut self.step_many_text);
                self.say(&format!("{} on", self.times().with_unit(cycles)));
                self.send(Command::Step(cycles));
            }
            Question::CyclesBack => {
                let cycles = self.span(text)?;
                text.clone_into(&mut self.step_many_text);
                let far = match self.times() {
                    times if times.in_cycles() => plural(cycles, "cycle"),
                    times => times.with_unit(cycles),
                };
                self.say(&format!("{far} back"));
                self.send(Command::Back(cycles));
            }
            Question::Cycle => self.seek("to ", self.cycle_named(text)?, ""),
            Question::Mark => self.seek("to the bookmark at ", self.bookmark_named(text)?, ""),
            Question::Events => {
                self.events = events_named(text)?;
                let names: Vec<String> = self.events.names().collect();
                self.say(&format!("< and > stop at {}", names.join(", ")));
            }
            Question::Break => {
                let system = self.system();
                let breakpoint = Breakpoint::parse(text, system)?;
                let words = if breakpoint.is_off() {
                    "stops at deadlock only".to_owned()
                } else {
                    format!("stops at {}, and at deadlock", breakpoint.words(system))
                };
                self.say(&words);
                self.send(Command::Break(breakpoint));
            }
            Question::Place => return self.find(text),
            Question::Dimension => return self.cross(text),
            Question::File => {
                self.saving = Some(path()?);
                self.send(Command::Save);
            }
            Question::Recording => {
                let path = path()?;
                if self.recording.is_some() {
                    return Err("the screen is recorded already: R ends that".to_owned());
                }
                self.effects.push(Effect::Record(path));
            }
            Question::Picture => {
                let path = path()?;
                if !PICTURES.iter().any(|ending| path.ends_with(ending)) {
                    return Err(
                        "its name ends in .svg, .txt or .ans (text with colours)".to_owned()
                    );
                }
                self.effects.push(Effect::Picture(path));
            }
            Question::Copy => {
                let copy = self.update.scenario.text.clone();
                self.effects.push(Effect::Edit(path()?, Some(copy)));
            }
        }
        Ok(())
    }

    /// Cycles by number, or of circuits as units of time.
    pub(super) fn span(&self, text: &str) -> Result<u64, String> {
        let times = self.times();
        let digits: String = text.chars().filter(|c| !", _".contains(*c)).collect();
        if !times.in_cycles() {
            let wanted = "a number of units of time above 0, up to 1,000,000,000";
            return times.unit.parse(&digits).ok_or_else(|| wanted.to_owned());
        }
        match digits.parse() {
            Ok(cycles @ 1..=CYCLES_MAX) => Ok(cycles),
            Ok(_) => Err(format!("from 1 to {} cycles", grouped(CYCLES_MAX))),
            Err(_) => Err("a whole number of cycles, please".to_owned()),
        }
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
}

/// Kinds of events by name or by their first letters; `all`.
fn events_named(text: &str) -> Result<Events, String> {
    let mut events = Events::empty();
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let meant = |kind: &Events| {
            let begins = |name: String| word.len() > 1 && name.starts_with(word);
            word == "all" || kind.names().any(begins)
        };
        let known: Events = Events::all().iter().filter(meant).collect();
        if known.is_empty() {
            return Err(format!("{word}? injection, delivery, blocking, deadlock, or all"));
        }
        events |= known;
    }
    if events.is_empty() {
        return Err("injection, delivery, blocking, deadlock, or all".to_owned());
    }
    Ok(events)
}
