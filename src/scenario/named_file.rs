//! Reads the files that fields of a scenario name.

use super::insertions::Part;
use super::node::Node;
use super::reader::Reader;

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
