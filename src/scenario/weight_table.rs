//! The weights of a matrix: a file, or the text of a table.

use super::node::Node;
use super::plan::Plan;
use super::reader::Reader;
use crate::network_files;
use crate::traffic::destinations::Weight;
use crate::words::{Contents, Kind, Structure, Value};

/// A table in a file, or its text.
pub(super) const TABLE: Kind = Kind::Own(
    "a file or a text",
    Structure::Either(&[Kind::Choice(&[FILE]), Kind::Text("the text of a table of weights")]),
);
const FILE: &[Value] = &[Value {
    name: "File",
    help: "Weights in a file.",
    contents: Contents::One("File(\"matrix.csv\")", Kind::Text("the name of a file")),
}];

/// Reads `File("matrix.csv")`, or the text of a table, for a network whose nodes send to themselves or
/// not.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    to_itself: bool,
    network: Option<&Plan<'a>>,
) -> Option<Vec<Weight>> {
    reader.table(node, ("traffic.destinations", "a matrix"), FILE, |text| {
        let draft = network_files::read_weights(text, network?, to_itself);
        Some(draft.map(|draft| (draft.weights, draft.notes)))
    })
}

#[cfg(test)]
mod tests;
