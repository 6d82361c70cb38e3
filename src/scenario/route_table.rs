//! The field `routes` of table routing: a file, or the text of a table.

use super::network_file::problem;
use super::node::{Node, split};
use super::plan::Plan;
use super::reader::Reader;
use crate::network_files::{self, Mistake};
use crate::routing::rows::Rows;
use crate::words::{Contents, Kind, Value, written};

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
    let file = split(node).filter(|(name, _)| name.text == "File");
    if file.is_some() {
        let (choice, contents) = reader.pick("routing.routes", node, &[FILE])?;
        let Contents::One(example, _) = contents else { return None };
        let file = reader.single(choice, example)?;
        let (name, bytes) = reader.file(file)?;
        let text = match network_files::decoded(&bytes) {
            Ok(text) => text,
            Err(mistake) => {
                reader.given.problems.push(problem(&name, mistake));
                return None;
            }
        };
        return match network_files::read_routes(&text, network?) {
            Ok(draft) => {
                reader.given.notes.extend(draft.notes.iter().map(|note| format!("{name}: {note}")));
                reader.inserted(node, written(&text));
                Some(draft.rows)
            }
            Err(mistakes) => {
                let problems = mistakes.into_iter().map(|mistake| problem(&name, mistake));
                reader.given.problems.extend(problems);
                None
            }
        };
    }
    let Ok(text) = ron::from_str::<String>(node.text) else {
        let help = "write `File(\"routes.csv\")`, or the text of such a file between two `\"`";
        return reader.refuse(node, "a routing table is a file or a text", help);
    };
    match network_files::read_routes(&text, network?) {
        Ok(draft) => Some(draft.rows),
        Err(mistakes) => {
            for Mistake { line, what, help, .. } in mistakes {
                let what =
                    if line == 0 { what } else { format!("line {line} of the table: {what}") };
                reader.problem(node, what, Some(help));
            }
            None
        }
    }
}
