//! Problems by byte offset, and their conversion to lines and columns.

use super::hints::reworded;
use super::origin::Origin;
use super::{Place, Problem};

/// The scenario's text or an override.
pub(super) struct Source<'a> {
    pub label: &'a str,
    pub text: &'a str,
    /// The original JSON of translated text.
    pub origin: Option<&'a Origin<'a>>,
}

impl Source<'_> {
    /// Rewords a message in the notation of the source.
    pub fn said(&self, message: &str) -> String {
        if self.origin.is_some() { reworded(message) } else { message.to_owned() }
    }
}

/// A problem with the bytes to underline.
pub(super) struct Found {
    pub source: usize,
    pub start: usize,
    pub length: usize,
    pub what: String,
    pub help: Option<String>,
}

impl Found {
    /// Converts bytes to line and column.
    pub fn place(&self, source: &Source<'_>) -> Problem {
        let (whole, start, length) = match source.origin {
            None => (source.text, self.start, self.length),
            Some(origin) => {
                let (start, length) = origin.place(self.start, self.length);
                (origin.text, start, length)
            }
        };
        let line_start = whole[..start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &whole[line_start..];
        let text = rest.split('\n').next().unwrap_or(rest);
        let text = text.strip_suffix('\r').unwrap_or(text);
        // Columns end at the end of the line; a carriage return does not count.
        let column = whole[line_start..start].chars().count();
        let column = column.min(text.chars().count());
        let marked = &whole[start..start + length];
        let length = marked.split(['\n', '\r']).next().unwrap_or(marked).chars().count().max(1);
        Problem {
            source: source.label.to_string(),
            place: Some(Place {
                line: 1 + whole[..line_start].matches('\n').count(),
                column: column + 1,
                length,
                text: text.to_string(),
            }),
            what: source.said(&self.what),
            help: self.help.as_deref().map(|help| source.said(help)),
        }
    }
}
