//! Arrivals that name every message: replays of a table, and collective operations.

use super::message_classes::{self, From};
use super::node::{Field, Node};
use super::plan::Plan;
use super::reader::{Choice, Fields, Reader};
use super::streamed::{self, FILE, Table};
use super::{destinations, lengths};
use crate::ids::NodeId;
use crate::network_files::{self, Permitted};
use crate::traffic::Traffic;
use crate::traffic::classes::MessageClasses;
use crate::traffic::collectives::{Collective, Size};
use crate::traffic::script::Script;
use crate::words::{Contents, Kind, Structure, Value, Words};

/// A table of messages.
const REPLAY: &str = "Replay";

/// Arrivals that name every message, with their destinations and lengths.
pub(super) const VALUES: &[&[Value]] = &[REPLAYS, Collective::VALUES];

const REPLAYS: &[Value] = &[Value {
    name: REPLAY,
    help: "The messages of a file, `File(\"messages.csv\")`, or of the text of such a file, each with \
           its cycle, source, destination and length; a message may wait for others. \
           The run ends when all are delivered.",
    contents: Contents::One("Replay(File(\"messages.csv\"))", TABLE),
}];

const TABLE: Kind = Kind::Own(
    "a file or a text",
    Structure::Either(&[Kind::Choice(&[FILE]), Kind::Text("the text of a table of messages")]),
);
/// True if arrivals name every message.
pub(super) fn is_meant(arrivals: Node<'_>) -> bool {
    let name = arrivals.text.split(|letter: char| !letter.is_alphanumeric()).next();
    VALUES.iter().copied().flatten().any(|value| Some(value.name) == name)
}

/// Reads the messages of a table or an operation.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    (arrivals, to_itself): (Field<'a>, bool),
    network: Option<&Plan<'a>>,
    circuits: bool,
) -> Option<Traffic> {
    let (choice, contents) = reader.pick("traffic.arrivals", arrivals.value, VALUES)?;
    let replays = choice.is == REPLAY;
    // Arrivals set from outside replace other fields.
    let counts = |field: &Field<'a>| field.overridden || !arrivals.overridden;
    for name in ["destinations", "senders", "lengths", "message_classes"] {
        let belongs = if replays { "message_classes" } else { "senders" };
        if let Some(field) = fields.get(name).filter(counts).filter(|_| name != belongs) {
            let what =
                format!("`{name}` is given, but every message of `{}` has its own", choice.is);
            reader.problem(field.key, what, Some("remove the field".into()));
        }
    }
    if circuits {
        let what = format!("circuits cannot send the messages of `{}`", choice.is);
        return reader.refuse(choice.name, what, "write `switching: Wormhole()`");
    }
    match contents {
        Contents::One(example, _) => {
            let at = reader.single(choice, example)?;
            let classes = match fields.get("message_classes") {
                Some(field) => {
                    let remain = !counts(&field);
                    let lengths = fields.get("lengths").map(|field| field.value);
                    let usual = lengths.and_then(|at| lengths::lengths(reader, at, false));
                    let from = From::Table { remain };
                    let classes = message_classes::read(reader, field.value, usual, from)?;
                    Some((field, classes, remain))
                }
                None => None,
            };
            replay(reader, (at, to_itself), network, classes)
        }
        Contents::Nothing | Contents::Fields(_) => {
            let nodes = match fields.get("senders") {
                Some(given) => destinations::senders(reader, given.value, network),
                None => network.map(|network| (0..network.nodes()).map(NodeId::new).collect()),
            };
            let script = operation(reader, (choice, contents), nodes)?;
            Some(Traffic::scripted(script, MessageClasses::default()))
        }
    }
}

/// Reads `File("messages.csv")`, or the text of a table, for a network whose nodes send to themselves or
/// not; `classes` is the field with the message classes, which may remain from random messages.
fn replay<'a>(
    reader: &mut Reader<'a>,
    (node, to_itself): (Node<'a>, bool),
    network: Option<&Plan<'a>>,
    classes: Option<(Field<'a>, MessageClasses, bool)>,
) -> Option<Traffic> {
    let known = classes.as_ref().map(|(_, classes, _)| classes.clone()).unwrap_or_default();
    let permitted = Permitted { classes: known, to_itself };
    let called = ("traffic.arrivals", "a replay");
    let (script, with_classes) = match streamed::read(reader, node, network, &permitted) {
        Table::Streamed(draft) => (draft.script, draft.with_classes),
        Table::Wrong => return None,
        Table::Other => reader.table(node, called, FILE, |text| {
            let draft = network_files::read_messages(text, network?, &permitted);
            Some(draft.map(|draft| ((draft.script, draft.with_classes), draft.notes)))
        })?,
    };
    let classes = match classes {
        Some((field, classes, _)) if with_classes => {
            if classes.have_replies() && script.at_once() < script.len() {
                let what = "nodes answer messages of these classes, and messages of the table await \
                            others";
                let help = "remove `to`, and add the replies to the table, or remove `after` there";
                return reader.refuse(field.key, what, help);
            }
            classes
        }
        Some((field, _, false)) => {
            let what = "`message_classes` is given, but the table has no column `class`";
            return reader.refuse(field.key, what, "add the column, or remove the field");
        }
        Some(_) | None => MessageClasses::default(),
    };
    Some(Traffic { to_itself, ..Traffic::scripted(script, classes) })
}

/// Reads an operation of these nodes.
fn operation<'a>(
    reader: &mut Reader<'a>,
    (choice, contents): (Choice<'a>, Contents),
    nodes: Option<Vec<NodeId>>,
) -> Option<Script> {
    let mut given = reader.contents("traffic.arrivals", choice, contents)?;
    let packet_flits = given.take("packet_flits");
    let (flits, delay) = (given.take("flits"), given.take("delay"));
    let operation: Collective = given.variant(choice.is)?;
    let size = Size { flits: flits?, packet_flits, delay: delay? };
    match operation.script(size, &nodes?) {
        Ok(script) => Some(script),
        Err(why) => reader.misfit(choice.name, Some(&given.fields), why),
    }
}

#[cfg(test)]
mod tests;
