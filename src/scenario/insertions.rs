//! Contents of files that a scenario names, inserted into its text.

use std::fmt::Write;

use super::{Document, Override, Problem};

/// Contents of files that a scenario names.
#[derive(Default)]
pub(super) struct Given {
    /// Problems of the files.
    pub problems: Vec<Problem>,
    /// Remarks on the files.
    pub notes: Vec<String>,
    /// Parts of sources, each with the text to be inserted in its place.
    pub parts: Vec<Part>,
}

/// A part of a source that names a file.
pub(super) struct Part {
    pub source: usize,
    pub start: usize,
    pub length: usize,
    pub text: String,
}

impl Given {
    /// The text and the overrides with networks in place of files.
    pub fn inserted(
        &self,
        text: &str,
        document: &Document<'_>,
        overrides: &[Override],
    ) -> (String, Vec<Override>) {
        let (mut text, mut overrides) = (text.to_owned(), overrides.to_vec());
        for part in &self.parts {
            match part.source.checked_sub(1) {
                None => {
                    let (ron, comment) = (document.ron(), document.comment.as_deref());
                    text.clear();
                    for line in comment.unwrap_or_default().lines() {
                        let _ = writeln!(text, "// {line}");
                    }
                    text += &ron[..part.start];
                    text += &part.text;
                    text += &ron[part.start + part.length..];
                }
                Some(index) => overrides[index].value.clone_from(&part.text),
            }
        }
        (text, overrides)
    }
}
