//! Formats problems for display: the line, an underline, and the correction.

use std::fmt;

use unicode_width::UnicodeWidthChar;

use super::{Place, Problem};
use crate::text::{cell, line as printable};

/// The maximal number of characters shown of a line.
const WIDTH: usize = 96;
/// The number of characters shown before the position in a shortened line.
const BEFORE: usize = 40;

/// Formats all problems, separated by empty lines. Only quoted parts of the text and its name can
/// contain characters other than ASCII.
pub fn render(problems: &[Problem]) -> String {
    let drawn: Vec<String> = problems.iter().map(ToString::to_string).collect();
    drawn.join("\n")
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error: {}", printable(&self.what))?;
        let source = printable(&self.source);
        let indent = match &self.place {
            None => {
                writeln!(f, " --> {source}")?;
                0
            }
            // An option is shown as a single line, without a line number.
            Some(place) if place.text == self.source => {
                let (line, before, marked) = excerpt(place);
                writeln!(f, " --> {line}")?;
                writeln!(f, "     {:before$}{:^<marked$}", "", "")?;
                2
            }
            Some(place) => {
                let number = place.line.to_string();
                let gutter = " ".repeat(number.len());
                let (line, before, marked) = excerpt(place);
                writeln!(f, "{gutter}--> {source}:{}:{}", place.line, place.column)?;
                writeln!(f, "{gutter} |")?;
                writeln!(f, "{number} | {line}")?;
                writeln!(f, "{gutter} | {:before$}{:^<marked$}", "", "")?;
                number.len()
            }
        };
        match &self.help {
            Some(help) => writeln!(f, "{:indent$} = help: {}", "", printable(help)),
            None => Ok(()),
        }
    }
}

/// Returns the visible part of the line, the columns before the mark, and the columns of the mark.
fn excerpt(place: &Place) -> (String, usize, usize) {
    let letters: Vec<char> = place.text.chars().collect();
    let start = (place.column - 1).min(letters.len());
    let end = (start + place.length).min(letters.len());
    let first = if letters.len() > WIDTH { start.saturating_sub(BEFORE) } else { 0 };
    let last = letters.len().min(first + WIDTH);
    let mut line = if first > 0 { String::from("...") } else { String::new() };
    let (mut before, mut marked) = (line.len(), 0);
    for (at, &letter) in letters.iter().enumerate().take(last).skip(first) {
        let shown = cell(letter);
        let width: usize = shown.chars().filter_map(UnicodeWidthChar::width).sum();
        if at < start {
            before += width;
        } else if at < end {
            marked += width;
        }
        line.push_str(&shown);
    }
    if last < letters.len() {
        line.push_str("...");
    }
    (line.trim_end().to_string(), before, marked.max(1))
}
