//! The line that takes commands: what was typed, what matches it, and what was typed before.

pub mod commands;

use commands::Command;

use super::action::{Action, Answer};
use super::line::EditLine;

const REMEMBERED: usize = 200;

/// Something that the line may become, or that it means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Match {
    /// The whole line, completed with it.
    pub line: String,
    /// What is shown of it.
    pub label: String,
    pub keys: String,
    pub help: String,
    /// What `Enter` does if it is chosen.
    pub does: Does,
}

/// What a chosen line of the palette does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Does {
    Action(Action),
    /// A command that needs no arguments.
    Command(&'static Command),
    /// Nothing yet: more has to be typed.
    Complete,
}

#[derive(Clone, Debug, Default)]
pub struct Palette {
    pub text: EditLine,
    /// What matches it, the best first.
    pub matches: Vec<Match>,
    pub chosen: usize,
    /// True if it was chosen by hand.
    pub by_hand: bool,
    /// The field that `set` was last typed with, and the values that it may have, each with a word about it:
    /// found once, as each is tried.
    pub values: (String, Vec<(String, String)>),
    /// Why the line was not obeyed.
    pub error: Option<String>,
    /// How many lines back it was taken from, and what had been typed before that.
    past: usize,
    draft: String,
}

impl Palette {
    pub fn choice(&self) -> Option<&Match> {
        self.matches.get(self.chosen)
    }

    pub fn edit(&mut self, answer: Answer) {
        let before = self.text.to_owned();
        self.text.edit(answer);
        if *before != *self.text {
            self.touched();
        }
    }

    pub fn replace(&mut self, text: String) {
        self.text = text.into();
        self.touched();
    }

    fn touched(&mut self) {
        self.past = 0;
        self.error = None;
        (self.chosen, self.by_hand) = (0, false);
    }

    /// Chooses the next match, or the one before; after the last comes the first.
    pub fn choose(&mut self, forward: bool) {
        let count = self.matches.len();
        if count > 0 {
            self.chosen = (self.chosen + if forward { 1 } else { count - 1 }) % count;
            self.by_hand = true;
        }
    }

    /// What the line becomes when it is completed: what all matches that go on from it have in
    /// common, or the chosen one.
    pub fn completed(&self) -> Option<String> {
        let choice = self.choice()?;
        if self.by_hand {
            return Some(choice.line.clone());
        }
        let mut on = self.matches.iter().filter(|other| other.line.starts_with(&*self.text));
        let first = on.next().map(|first| first.line.as_str()).unwrap_or_default();
        let common = on.fold(first, |common, other| {
            let same = common.char_indices().zip(other.line.chars());
            let end = same.take_while(|((_, a), b)| a == b).last();
            end.map_or("", |((at, letter), _)| &common[..at + letter.len_utf8()])
        });
        if common.len() > self.text.len() {
            return Some(common.to_owned());
        }
        Some(choice.line.clone())
    }

    /// Goes back through the lines of before, or forward again.
    pub fn recall(&mut self, lines: &[String], back: bool) {
        let past =
            if back { (self.past + 1).min(lines.len()) } else { self.past.saturating_sub(1) };
        if past == self.past {
            return;
        }
        if self.past == 0 {
            self.draft = self.text.to_owned();
        }
        let text = match past {
            0 => std::mem::take(&mut self.draft),
            past => lines[lines.len() - past].clone(),
        };
        self.replace(text);
        self.past = past;
    }
}

/// Adds a line to those of before; the same one is there once only.
pub fn remember(lines: &mut Vec<String>, line: &str) {
    lines.retain(|known| known != line);
    lines.push(line.to_owned());
    if lines.len() > REMEMBERED {
        lines.remove(0);
    }
}

/// How well something matches, the smallest best; `None` if it does not.
///
/// Best is the name itself, then a name that begins so, a word of it that does, one that holds the
/// text; then words of the help, then the letters in their order somewhere in the name.
pub fn rank(typed: &str, name: &str, help: &str) -> Option<u8> {
    let (typed, name) = (typed.trim().to_lowercase(), name.to_lowercase());
    let joined = typed.split_whitespace().collect::<Vec<_>>().join("-");
    let words = || typed.split_whitespace();
    let place = name.find(&joined);
    if typed.is_empty() || name == joined {
        return Some(0);
    }
    match place {
        Some(0) => return Some(1),
        Some(at) if name[..at].ends_with('-') => return Some(2),
        Some(_) => return Some(3),
        None => {}
    }
    let all = format!("{name} {}", help.to_lowercase());
    let begins =
        |word: &str| all.split(|c: char| !c.is_alphanumeric()).any(|w| w.starts_with(word));
    if words().all(begins) {
        return Some(4);
    }
    if words().all(|word| all.contains(word)) {
        return Some(5);
    }
    has_in_order(&name, &joined).then_some(6)
}

/// True if the letters of `typed` occur in `name` in their order, whatever their case.
pub fn has_in_order(name: &str, typed: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    typed.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}

#[cfg(test)]
mod tests;
