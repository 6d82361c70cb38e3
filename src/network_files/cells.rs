//! Lines of comma-separated values, and the places of the values.

use std::borrow::Cow;

use super::mistake::{Report, Span};

/// A value of a line, with its place.
pub(super) struct Cell<'t> {
    pub value: Cow<'t, str>,
    pub at: Span,
}

/// The lines of a text without comments and empty lines.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    numbered_lines(text).map(|(_, line)| line)
}

/// The same lines with their numbers in the text, from 1.
pub(super) fn numbered_lines(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    let is_empty = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    (1..).zip(lines).filter(move |(_, line)| !is_empty(line))
}

/// Splits a line at its commas; values may stand in quotes, with two for one inside.
pub(super) fn cells<'t>(line: &'t str, report: &mut Report<'_>) -> Option<Vec<Cell<'t>>> {
    let base = report.span(line).start;
    if let Some((mark, called)) = other_separator(line) {
        let at = base + line.find(mark).unwrap_or_default();
        let what = format!("values are separated by commas, and this line has {called}");
        report.add(&(at..at + 1), what, "replace them by commas, in all lines");
        return None;
    }
    let mut cells = Vec::new();
    let mut start = 0;
    loop {
        let rest = &line[start..];
        let blank = rest.len() - rest.trim_start().len();
        let (value, length) = if rest[blank..].starts_with('"') {
            let Some(end) = closing(&rest[blank + 1..]) else {
                let at = base + start + blank..base + line.len();
                report.add(&at, "this quote has no end on its line", "write a second `\"`");
                return None;
            };
            let inside = &rest[blank + 1..blank + 1 + end];
            let behind = &rest[blank + end + 2..];
            let gap = behind.find(',').unwrap_or(behind.len());
            if !behind[..gap].trim().is_empty() {
                let from = base + start + blank + end + 2;
                let what = "there is text behind the quotes";
                report.add(&(from..from + gap), what, "put the whole value in quotes");
                return None;
            }
            let value = if inside.contains('"') {
                Cow::Owned(inside.replace("\"\"", "\""))
            } else {
                Cow::Borrowed(inside)
            };
            (value, blank + end + 2 + gap)
        } else {
            let length = rest.find(',').unwrap_or(rest.len());
            (Cow::Borrowed(rest[..length].trim()), length)
        };
        let from = base + start + blank.min(length);
        let end = (base + start + length).max(from);
        cells.push(Cell { value, at: from..end });
        start += length + 1;
        if start > line.len() {
            return Some(cells);
        }
    }
}

/// Another separator in a line without commas, with its name; none in a line with quotes.
fn other_separator(line: &str) -> Option<(char, &'static str)> {
    let known = [(';', "semicolons"), ('\t', "tabs")];
    let found = known.into_iter().find(|&(mark, _)| line.trim().contains(mark));
    found.filter(|_| !line.contains([',', '"']))
}

/// The first quote that is not doubled.
fn closing(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let quote = at + text[at..].find('"')?;
        if !text[quote + 1..].starts_with('"') {
            return Some(quote);
        }
        at = quote + 2;
    }
}
