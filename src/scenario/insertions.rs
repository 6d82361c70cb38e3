//! Contents of files that a scenario names, inserted into its text.

use std::fmt::Write;

use super::{Document, Override, Problem};
use crate::network_files::StreamedDraft;

/// Contents of files that a scenario names.
#[derive(Default)]
pub(super) struct Given {
    /// Problems of the files.
    pub problems: Vec<Problem>,
    /// Remarks on the files.
    pub notes: Vec<String>,
    /// A table that is read in blocks.
    pub stream: Option<StreamedDraft>,
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
    /// The text and the overrides with contents in place of files.
    pub fn inserted(
        &self,
        text: &str,
        document: &Document<'_>,
        overrides: &[Override],
    ) -> (String, Vec<Override>) {
        let (ron, mut overrides) = (document.ron(), overrides.to_vec());
        let mut parts: Vec<&Part> = self.parts.iter().collect();
        // From the end, so that the other places remain valid.
        parts.sort_by_key(|part| std::cmp::Reverse((part.source, part.start)));
        let mut body = ron.to_owned();
        for part in &parts {
            match part.source.checked_sub(1) {
                None => body.replace_range(part.start..part.start + part.length, &part.text),
                Some(index) => {
                    let Override { label, value, .. } = &mut overrides[index];
                    let before =
                        if label.ends_with(&*value) { label.len() - value.len() } else { 0 };
                    let start = part.start - before;
                    value.replace_range(start..start + part.length, &part.text);
                }
            }
        }
        let mut text = text.to_owned();
        if parts.iter().any(|part| part.source == 0) {
            text.clear();
            for line in document.comment.as_deref().unwrap_or_default().lines() {
                let _ = writeln!(text, "// {line}");
            }
            text += &body;
        }
        (text, overrides)
    }
}
