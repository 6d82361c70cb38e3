//! The name, paper and subject of a study, read without its points.

use super::fields::{APART, FIELDS, NAME};
use crate::scenario::Document;
use crate::scenario::reader::Reader;
use crate::words::Kind;

/// Name, source and subject of a study.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct About {
    /// Name of the study.
    pub name: String,
    /// The source of the study's figures and claims.
    pub paper: String,
    /// The subject, in one line.
    pub about: String,
}

impl About {
    /// Reads the text of a study; all fields are empty if the text is not a study.
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
