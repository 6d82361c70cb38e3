//! Tables of messages that are read in blocks: large files, and files that must be unchanged.

use std::sync::Arc;

use super::network_file::problem;
use super::node::{Node, split, tuple};
use super::plan::Plan;
use super::reader::Reader;
use crate::network_files::{self, FILE_MAX, Permitted, Store, StreamedDraft};
use crate::words::Need::Example;
use crate::words::{Contents, Field, Kind, Value, words, written};

/// A table of messages in a file.
pub(super) const FILE: &[Value] = &[
    Value {
        name: "File",
        help: "Messages in a file.",
        contents: Contents::One("File(\"messages.csv\")", Kind::Text("the name of a file")),
    },
    Value {
        name: UNCHANGED,
        help: "Messages in a file with these contents; sessions and copies of scenarios name files of more \
               than 64 MiB so.",
        contents: Contents::Fields(&[UNCHANGED_FIELDS]),
    },
];

const UNCHANGED: &str = "Unchanged";

const UNCHANGED_FIELDS: &[Field] = words!(@fields
    /// The path of the file.
    file = Example("\"/tmp/messages.csv\""), Kind::Text("the path of a file");
    /// A hash of its rows: 16 hexadecimal digits.
    hash = Example("\"0123456789abcdef\""), Kind::Text("the hash of a file");
);

/// A value that may name a table to be read in blocks.
pub(super) enum Table {
    /// It does not.
    Other,
    /// It is incorrect; the problem is recorded.
    Wrong,
    Streamed(StreamedDraft),
}

/// Reads a table in blocks, if a value names one, for a network.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
    permitted: &Permitted,
) -> Table {
    let Some((name, contents)) = split(node) else { return Table::Other };
    if name.text == UNCHANGED {
        let found = network.and_then(|network| unchanged(reader, node, network, permitted));
        return found.map_or(Table::Wrong, Table::Streamed);
    }
    let Some(&[file]) = tuple(contents).as_deref() else { return Table::Other };
    let named = ron::from_str::<String>(file.text).ok().filter(|_| name.text == "File");
    let (Some(file), Some(load)) = (named, reader.load) else { return Table::Other };
    // A file that cannot be opened is reported when it is read.
    let Ok(Some(store)) = load.open(&file, FILE_MAX as u64) else { return Table::Other };
    let found = network.and_then(|network| stream(reader, &file, store, network, permitted));
    let Some(draft) = found else { return Table::Wrong };
    let (file, hash) = (written(&draft.table.store().name()), draft.table.hash());
    reader.inserted(node, format!("{UNCHANGED}(file: {file}, hash: \"{hash:016x}\")"));
    Table::Streamed(keep(reader, draft))
}

/// Keeps a table for later readings of the same scenario.
fn keep(reader: &mut Reader<'_>, draft: StreamedDraft) -> StreamedDraft {
    reader.given.stream = Some(draft.clone());
    draft
}

/// Reads the rows of a file.
fn stream<'a>(
    reader: &mut Reader<'a>,
    file: &str,
    store: Arc<dyn Store>,
    network: &Plan<'a>,
    permitted: &Permitted,
) -> Option<StreamedDraft> {
    match network_files::stream_messages(store, &network.network, permitted) {
        Ok(draft) => {
            reader.given.notes.extend(draft.notes.iter().map(|note| format!("{file}: {note}")));
            Some(draft)
        }
        Err(mistakes) => {
            let problems = mistakes.into_iter().map(|mistake| problem(file, mistake));
            reader.given.problems.extend(problems);
            None
        }
    }
}

/// Reads `Unchanged(file: "messages.csv", hash: "...")`.
fn unchanged<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: &Plan<'a>,
    permitted: &Permitted,
) -> Option<StreamedDraft> {
    let path = "traffic.arrivals";
    let (choice, contents) = reader.pick(path, node, &[FILE])?;
    let given = reader.contents(path, choice, contents)?;
    let (file, hash): (String, String) = (given.given("file")?, given.given("hash")?);
    let hash_of = |draft: &StreamedDraft| format!("{:016x}", draft.table.hash());
    let kept = reader.kept.clone();
    let kept = kept.filter(|kept| kept.table.store().name() == file && hash_of(kept) == hash);
    let draft = match kept {
        Some(kept) if kept.table.is_for(network, permitted) => kept,
        Some(kept) => stream(reader, &file, Arc::clone(kept.table.store()), network, permitted)?,
        None => {
            let at = given.fields.get("file")?.value;
            match reader.load?.open(&file, 0) {
                Ok(Some(store)) => stream(reader, &file, store, network, permitted)?,
                Ok(None) => {
                    let what = format!("no file `{file}` is read here");
                    return reader.refuse(at, what, "open a scenario or session from its file");
                }
                Err(reason) => {
                    let what = format!("`{file}` cannot be read: {reason}");
                    return reader.refuse(at, what, "write the path of the file");
                }
            }
        }
    };
    if hash_of(&draft) != hash {
        let what = format!("`{file}` has changed: the hash of its rows is {}", hash_of(&draft));
        let help = "restore the file, or write `File(...)` to read it as it is now";
        return reader.refuse(given.fields.get("hash")?.value, what, help);
    }
    Some(keep(reader, draft))
}

#[cfg(test)]
mod tests;
