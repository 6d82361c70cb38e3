//! Messages replayed from a file, or from the text of a table.

use super::node::Node;
use super::plan::Plan;
use super::reader::Reader;
use crate::network_files;
use crate::traffic::script::Script;
use crate::words::{Contents, Kind, Structure, Value};

/// The arrivals that name every message.
pub(super) const REPLAY: &str = "Replay";

/// Arrivals from a table; the table names the destinations and lengths of the messages too.
pub(super) const VALUES: &[Value] = &[Value {
    name: REPLAY,
    help: "The messages of a file, `File(\"messages.csv\")`, or of the text of such a file, each with \
           its cycle, source, destination and length; a message may wait for the delivery of others. \
           The run ends when all are delivered.",
    contents: Contents::One("Replay(File(\"messages.csv\"))", TABLE),
}];

const TABLE: Kind = Kind::Own(
    "a file or a text",
    Structure::Either(&[Kind::Choice(&[FILE]), Kind::Text("the text of a table of messages")]),
);
const FILE: &[Value] = &[Value {
    name: "File",
    help: "Messages in a file.",
    contents: Contents::One("File(\"messages.csv\")", Kind::Text("the name of a file")),
}];

/// Reads `File("messages.csv")`, or the text of a table, for a network.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
) -> Option<Script> {
    reader.table(node, ("traffic.arrivals", "a replay"), FILE, |text| {
        Some(network_files::read_messages(text, network?).map(|draft| (draft.script, draft.notes)))
    })
}

#[cfg(test)]
mod tests;
