//! The field `routes` of table routing: a file, or the text of a table.

use super::node::Node;
use super::plan::Plan;
use super::reader::Reader;
use crate::network_files;
use crate::routing::rows::Rows;
use crate::words::{Contents, Kind, Value};

/// A table in a file.
const FILE: &[Value] = &[Value {
    name: "File",
    help: "A routing table in a file.",
    contents: Contents::One("File(\"routes.csv\")", Kind::Text("the name of a file")),
}];

/// Reads `File("routes.csv")`, or the text of a table, for a network.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
) -> Option<Rows> {
    reader.table(node, ("routing.routes", "a routing table"), FILE, |text| {
        Some(network_files::read_routes(text, network?).map(|draft| (draft.rows, draft.notes)))
    })
}
