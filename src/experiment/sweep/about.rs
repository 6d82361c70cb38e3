//! What a study says of itself, before any of its points is looked at.

use super::fields::{APART, FIELDS, NAME};
use crate::scenario::Document;
use crate::scenario::reader::Reader;
use crate::words::Kind;

/// What a study says of itself.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct About {
    /// What it is called.
    pub name: String,
    /// Where its figures and claims are from.
    pub paper: String,
    /// What it is about, in a line.
    pub about: String,
}

impl About {
    /// What a study's text says of itself; nothing, if it is no study.
    pub fn of(text: &str) -> Self {
        let read = Document::read("", text, &Kind::Fields(&[FIELDS]));
        let Ok(document) = read else { return Self::default() };
        let mut reader = Reader::of("", &document, &[]);
        let Some(document) = reader.document() else { return Self::default() };
        let all = reader.record("", "a study", document, NAME, FIELDS, &APART);
        let text = |name| all.given(name).unwrap_or_default();
        Self { name: text("name"), paper: text("paper"), about: text("about") }
    }
}
