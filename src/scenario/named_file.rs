//! Reads the files that fields of a scenario name.

use std::sync::Arc;

use super::insertions::Part;
use super::network_file::problem;
use super::node::{Node, split};
use super::reader::Reader;
use super::{Override, Problem, Scenario, parse_keeping};
use crate::network_files::{self, Mistake, Store};
use crate::words::{Contents, Value, written};

/// Supplies the files that a scenario names. A function that returns the bytes of a file does so.
pub trait Files {
    /// The bytes of a file.
    ///
    /// # Errors
    /// The reason why the file is not read.
    fn read(&self, name: &str) -> Result<Vec<u8>, String>;

    /// A file to be read in parts, if it has more than `size` bytes and this is possible.
    ///
    /// # Errors
    /// As [`Self::read`].
    fn open(&self, _name: &str, _size: u64) -> Result<Option<Arc<dyn Store>>, String> {
        Ok(None)
    }
}

impl<F: Fn(&str) -> Result<Vec<u8>, String>> Files for F {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        self(name)
    }
}

/// Reads no file.
pub(crate) fn no_files(_: &str) -> Result<Vec<u8>, String> {
    Err("no files are read here: only a scenario file names others".into())
}

impl Scenario {
    /// The scenario with other fields, as [`Self::with`], which may name files.
    pub fn with_files(
        &self,
        set: impl IntoIterator<Item = Override>,
        load: &dyn Files,
    ) -> Result<Self, Vec<Problem>> {
        let set = Override::joined(&self.overrides, set);
        let (file, mut notes) = (self.file.clone(), self.notes.clone());
        let kept = self.stream.clone();
        let other = parse_keeping(&self.name, &self.text, &set, load, kept)?;
        notes.extend(other.notes.iter().filter(|note| !self.notes.contains(note)).cloned());
        Ok(Self { file, notes, ..other })
    }
}

/// A table with remarks, or the mistakes of its text; `None` if the network is unknown.
type Table<T> = Option<Result<(T, Vec<String>), Vec<Mistake>>>;

impl<'a> Reader<'a> {
    /// Reads the file of a name beside the scenario; returns the name and the contents.
    pub(super) fn file(&mut self, node: Node<'a>) -> Option<(String, Vec<u8>)> {
        let name = self.line_of_text(node, "the name of a file")?;
        let load = self.load?;
        match load.read(&name) {
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

    /// Reads a table at `path`, `called` so in messages: from a file, whose text is then inserted, or
    /// from a text.
    pub(super) fn table<T>(
        &mut self,
        node: Node<'a>,
        (path, called): (&str, &str),
        file: &'static [Value],
        read: impl Fn(&str) -> Table<T>,
    ) -> Option<T> {
        if split(node).is_none_or(|(name, _)| name.text != "File") {
            return self.table_in_text(node, called, file, read);
        }
        let (choice, contents) = self.pick(path, node, &[file])?;
        let Contents::One(example, _) = contents else { return None };
        let at = self.single(choice, example)?;
        let (name, bytes) = self.file(at)?;
        let text = match network_files::decoded(&bytes, network_files::FILE_MAX) {
            Ok(text) => text,
            Err(mistake) => {
                self.given.problems.push(problem(&name, mistake));
                return None;
            }
        };
        match read(&text)? {
            Ok((table, notes)) => {
                self.given.notes.extend(notes.iter().map(|note| format!("{name}: {note}")));
                self.inserted(node, written(&text));
                Some(table)
            }
            Err(mistakes) => {
                let problems = mistakes.into_iter().map(|mistake| problem(&name, mistake));
                self.given.problems.extend(problems);
                None
            }
        }
    }

    fn table_in_text<T>(
        &mut self,
        node: Node<'a>,
        called: &str,
        file: &'static [Value],
        read: impl Fn(&str) -> Table<T>,
    ) -> Option<T> {
        let Ok(text) = ron::from_str::<String>(node.text) else {
            let mut examples = file.iter().filter_map(|value| match value.contents {
                Contents::One(example, _) => Some(example),
                Contents::Nothing | Contents::Fields(_) => None,
            });
            let example = examples.next_back().unwrap_or_default();
            let help = format!("write `{example}`, or the text of such a file between two `\"`");
            return self.refuse(node, format!("{called} is a file or a text"), help);
        };
        match read(&text)? {
            Ok((table, _)) => Some(table),
            Err(mistakes) => {
                for Mistake { line, what, help, .. } in mistakes {
                    let what =
                        if line == 0 { what } else { format!("line {line} of the table: {what}") };
                    self.problem(node, what, Some(help));
                }
                None
            }
        }
    }
}
