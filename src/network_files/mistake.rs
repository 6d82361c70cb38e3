//! Mistakes in the text of a file, with their lines and columns.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::DelayUnit;
use crate::text::{count, shown};

/// The most mistakes of a file that are listed; the rest are counted.
pub const MISTAKES_MAX: usize = 50;

/// A mistake in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// Line, from 1; 0 if the mistake concerns the whole file.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The number of characters to underline, at least 1.
    pub length: usize,
    /// The text of the line.
    pub text: String,
    /// The mistake.
    pub what: String,
    /// The correction.
    pub help: String,
}

impl Mistake {
    /// A mistake that concerns the whole file.
    pub fn whole(what: impl Into<String>, help: impl Into<String>) -> Self {
        let (what, help) = (what.into(), help.into());
        Self { line: 0, column: 0, length: 1, text: String::new(), what, help }
    }
}

impl Mistake {
    /// The mistake in a text that begins below a number of lines.
    pub(super) fn below(self, lines: usize) -> Self {
        Self { line: if self.line > 0 { self.line + lines } else { 0 }, ..self }
    }
}

/// A part of a file: its bytes.
pub(super) type Span = Range<usize>;

/// The text of a file, and its mistakes so far.
pub(super) struct Report<'t> {
    pub text: &'t str,
    found: Vec<(Span, String, String)>,
    /// Mistakes beyond [`MISTAKES_MAX`].
    more: usize,
    /// Mistakes that are listed once: the index of the first, and the number of others.
    alike: BTreeMap<&'static str, (usize, usize)>,
    /// An attribute of links as their delay.
    pub(super) unit: Option<DelayUnit>,
    /// Attributes of links, if one of them is to be the delay.
    pub(super) mentioned: BTreeSet<String>,
}

impl<'t> Report<'t> {
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            found: Vec::new(),
            more: 0,
            alike: BTreeMap::new(),
            unit: None,
            mentioned: BTreeSet::new(),
        }
    }

    /// The bytes of a slice of the text.
    pub fn span(&self, part: &str) -> Span {
        let start = part.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        if start > self.text.len() {
            return 0..0;
        }
        start..(start + part.len()).min(self.text.len())
    }

    /// Records a mistake.
    pub fn add(&mut self, at: &Span, what: impl Into<String>, help: impl Into<String>) {
        if self.found.len() < MISTAKES_MAX {
            self.found.push((at.clone(), what.into(), help.into()));
        } else {
            self.more += 1;
        }
    }

    /// Records a mistake that concerns many links: of all mistakes of a group, the first is listed, with
    /// the number of the others.
    pub fn add_of(
        &mut self,
        group: &'static str,
        at: &Span,
        what: impl Into<String>,
        help: impl Into<String>,
    ) {
        match self.alike.get_mut(group) {
            Some((_, others)) => *others += 1,
            None if self.found.len() < MISTAKES_MAX => {
                self.alike.insert(group, (self.found.len(), 0));
                self.add(at, what, help);
            }
            None => self.more += 1,
        }
    }

    /// True if no mistake was recorded.
    pub fn is_clean(&self) -> bool {
        self.found.is_empty()
    }

    /// The line of a byte, from 1; 0 if no more mistakes are listed.
    pub fn line(&self, at: &Span) -> usize {
        if self.found.len() >= MISTAKES_MAX {
            return 0;
        }
        1 + self.text[..floor(self.text, at.start)].matches('\n').count()
    }

    /// All mistakes in the order of the text.
    pub fn finish(mut self) -> Vec<Mistake> {
        for &(first, others) in self.alike.values().filter(|(_, others)| *others > 0) {
            let of = count(others, "more link has", "more links have");
            let what = &mut self.found[first].1;
            *what = format!("{what}; {of} such a value");
        }
        self.found.sort_by_key(|(span, ..)| span.start);
        let mut mistakes: Vec<Mistake> = Vec::with_capacity(self.found.len() + 1);
        for (span, what, help) in std::mem::take(&mut self.found) {
            let start = floor(self.text, span.start);
            let end = floor(self.text, span.end).max(start);
            let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
            let rest = &self.text[line_start..];
            let whole = rest.split('\n').next().unwrap_or(rest);
            let whole = whole.strip_suffix('\r').unwrap_or(whole);
            let column = self.text[line_start..start].chars().count().min(whole.chars().count());
            let marked = self.text[start..end].split(['\n', '\r']).next().unwrap_or_default();
            mistakes.push(Mistake {
                line: self.line(&(start..start)),
                column: column + 1,
                length: marked.chars().count().max(1),
                text: clipped(whole, column),
                what,
                help,
            });
        }
        if self.more > 0 {
            let what = format!("there are {} more mistakes", self.more);
            mistakes.push(Mistake::whole(what, "correct these first"));
        }
        mistakes
    }
}

/// The most characters of a line that are shown.
const SHOWN: usize = 400;

/// A line up to a limit; empty if the mistake is beyond.
fn clipped(line: &str, column: usize) -> String {
    if column >= SHOWN { String::new() } else { line.chars().take(SHOWN).collect() }
}

/// The start of the character at a byte.
fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// A text in quotes for a message, cut if long.
pub(super) fn quoted(text: &str) -> String {
    format!("`{}`", shown(text))
}

/// The name most similar to `name`, if any is similar.
pub(super) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > 64 {
        return None;
    }
    let wanted = name.to_lowercase();
    let distance = |known: &str| strsim::damerau_levenshtein(&wanted, &known.to_lowercase());
    let near = known.take(NAMES_MAX).filter(|known| known.len() <= 64);
    let (distance, best) = near.map(|known| (distance(known), known)).min()?;
    (distance <= (wanted.chars().count() / 3).max(1)).then_some(best)
}

/// The most names among which the nearest is searched.
const NAMES_MAX: usize = 2000;

/// The nearest name as a correction, or `instead`.
pub(super) fn meant<'n>(name: &str, known: impl Iterator<Item = &'n str>, instead: &str) -> String {
    nearest(name, known)
        .map_or_else(|| instead.to_owned(), |near| format!("did you mean {}?", quoted(near)))
}
