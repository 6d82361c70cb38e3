//! Contents of files that a scenario names, inserted into its text.

use std::fmt::Write;

use super::node::Node;
use super::reader::Reader;
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

impl<'a> Reader<'a> {
    /// Reads the file of a name beside the scenario; returns the name and the contents.
    pub(super) fn file(&mut self, node: Node<'a>) -> Option<(String, Vec<u8>)> {
        let name = self.line_of_text(node, "the name of a file")?;
        let load = self.load?;
        match load(&name) {
            Ok(bytes) => Some((name, bytes)),
            Err(reason) => {
                let what = format!("`{name}` cannot be read: {reason}");
                let help = "write the path of a file from the scenario's folder";
                self.refuse(node, what, help)
            }
        }
    }

    /// Records the text to be inserted in place of a value.
    pub(super) fn inserted(&mut self, at: Node<'a>, text: String) {
        let base = self.sources[at.source].text.as_ptr().addr();
        let start = at.text.as_ptr().addr() - base;
        self.given.parts.push(Part { source: at.source, start, length: at.text.len(), text });
    }
}
