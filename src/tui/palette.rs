//! State of the command line: text, completions, history.

pub mod commands;

use commands::Command;

use super::action::Action;
use super::line::{Edit, EditLine};

const REMEMBERED: usize = 200;

/// A completion or meaning of the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Match {
    pub line: String,
    pub label: String,
    pub keys: String,
    pub help: String,
    pub does: LineEffect,
}

/// The effect of a chosen line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEffect {
    Action(Action),
    Command(&'static Command),
    /// Completion only: further input is needed.
    Complete,
}

#[derive(Clone, Debug, Default)]
pub struct Palette {
    pub text: EditLine,
    /// All matches, the best one first.
    pub matches: Vec<Match>,
    pub chosen: usize,
    /// True if the user moved the selection.
    pub by_hand: bool,
    /// The last field of `set` and its valid values with descriptions, cached because each value is
    /// checked.
    pub values: (String, Vec<(String, String)>),
    pub error: Option<String>,
    /// Position in the history counted from its end, and the text typed before recalling the
    /// history.
    past: usize,
    draft: String,
}

impl Palette {
    pub fn choice(&self) -> Option<&Match> {
        self.matches.get(self.chosen)
    }

    pub fn edit(&mut self, edit: Edit) {
        if self.text.edit(edit) {
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

    /// Chooses the next or previous match, cyclically.
    pub fn choose(&mut self, forward: bool) {
        let count = self.matches.len();
        if count > 0 {
            self.chosen = (self.chosen + if forward { 1 } else { count - 1 }) % count;
            self.by_hand = true;
        }
    }

    /// The completed line: the common prefix of all matches that begin with the text, or the chosen
    /// match.
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

    /// Recalls an earlier or later line of the history.
    pub fn recall(&mut self, lines: &[String], back: bool) {
        let past =
            if back { (self.past + 1).min(lines.len()) } else { self.past.saturating_sub(1) };
        if past == self.past {
            return;
        }
        if self.past == 0 {
            self.draft = self.text.to_string();
        }
        let text = match past {
            0 => std::mem::take(&mut self.draft),
            past => lines[lines.len() - past].clone(),
        };
        self.replace(text);
        self.past = past;
    }
}

/// Adds a line to the history, without duplicates.
pub fn remember(lines: &mut Vec<String>, line: &str) {
    lines.retain(|known| known != line);
    lines.push(line.to_owned());
    if lines.len() > REMEMBERED {
        lines.remove(0);
    }
}

/// Rank of a match, smallest best; `None` without a match.
///
/// Ranks in order: exact name, name with the text as prefix, prefix of a word of the name,
/// substring of the name, prefixes of words in name or help, substrings of both, letters of the
/// name in order.
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

/// True if the letters of `typed` occur in `name` in order, ignoring case.
pub fn has_in_order(name: &str, typed: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    typed.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}

#[cfg(test)]
mod tests;
