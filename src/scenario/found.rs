//! A problem found in a source, and its line and column.

use super::{Place, Problem};

/// The scenario's text or an override.
pub(super) struct Source<'a> {
    pub label: &'a str,
    pub text: &'a str,
}

/// A problem and the bytes of its source that it underlines.
pub(super) struct Found {
    pub source: usize,
    pub start: usize,
    pub length: usize,
    pub what: String,
    pub help: Option<String>,
}

impl Found {
    /// With its line and column.
    pub fn place(&self, source: &Source<'_>) -> Problem {
        let line_start = source.text[..self.start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &source.text[line_start..];
        let text = rest.split('\n').next().unwrap_or(rest);
        let text = text.strip_suffix('\r').unwrap_or(text);
        // Not behind the end of the line, where a carriage return is left out.
        let column = source.text[line_start..self.start].chars().count();
        let column = column.min(text.chars().count());
        let marked = &source.text[self.start..self.start + self.length];
        let length = marked.split(['\n', '\r']).next().unwrap_or(marked).chars().count().max(1);
        Problem {
            source: source.label.to_string(),
            place: Some(Place {
                line: 1 + source.text[..line_start].matches('\n').count(),
                column: column + 1,
                length,
                text: text.to_string(),
            }),
            what: self.what.clone(),
            help: self.help.clone(),
        }
    }
}
