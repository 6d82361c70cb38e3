//! Translates JSON scenarios into RON by their descriptors, with the place of every part.
//!
//! The format is described by [`json_schema`](super::json_schema): `"Uniform"` for `Uniform`,
//! `{"Fixed": 12}` for `Fixed(12)`, an object for named fields, an array for a list or for values
//! in parentheses. The translation has the same lines as the JSON text.

mod cursor;
mod kinds;
mod mistake;
mod writer;

pub(super) use cursor::members;

use super::found::Source;
use super::origin::Origin;
use super::{PROBLEMS_MAX, Problem, more};
use crate::words::Kind;
use writer::Writer;

/// The RON translation of a JSON text.
pub(super) struct Translation<'t> {
    pub ron: String,
    pub origin: Origin<'t>,
    /// The text of `$comment`.
    pub comment: Option<String>,
}

/// True for JSON, with or without mistakes; RON scenarios never begin with a brace.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Translates text of the given kind, or returns all mistakes of the JSON.
pub(super) fn translated<'t>(
    name: &str,
    text: &'t str,
    kind: &Kind,
) -> Result<Translation<'t>, Vec<Problem>> {
    let source = Source { label: name, text, origin: None };
    if let Err(mistake) = mistake::check(text) {
        return Err(vec![mistake.place(&source)]);
    }
    let mut writer = Writer::new(text);
    writer.whole(kind);
    if writer.wrong.is_empty() {
        let origin = Origin { text, pieces: writer.pieces };
        return Ok(Translation { ron: writer.ron, origin, comment: writer.comment });
    }
    let left_out = writer.wrong.len().saturating_sub(PROBLEMS_MAX);
    let shown = writer.wrong.iter().take(PROBLEMS_MAX).map(|found| found.place(&source));
    Err(shown.chain(more(name, left_out)).collect())
}
