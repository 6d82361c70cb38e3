//! The field `message_classes` of the traffic, and closed loops.

use super::lengths::lengths as read_lengths;
use super::names::meant;
use super::node::{Field, Node};
use super::reader::{Fields, Reader};
use crate::switching::{
    Allocation, Injection, MESSAGE_CLASSES_MAX, MessageVcs, Terminals, Wormhole,
};
use crate::traffic::classes::{
    MessageClass, MessageClasses, Origin, ROOM_MAX, SERVICE_MAX, WEIGHT_MAX,
};
use crate::traffic::{Lengths, Traffic};
use crate::words::Need::{Default, Example, Open};
use crate::words::{self, Kind, Words, words};

const FIELDS: &[words::Field] = words!(@fields
    /// The name of the class.
    name = Example("\"reply\""), Kind::Text("the name of a message class");
    /// The class that this class answers, by name: a node that receives a message of that class sends
    /// one of this class to its source. Without this field, arrivals generate the messages.
    to = Open, Kind::Text("the name of a message class");
    /// The share of the class in the arrivals, relative to other classes of arrivals.
    weight = Default("1"), Kind::positive("the weight", "1", WEIGHT_MAX);
    /// The lengths of the messages, in flits; by default those of the traffic.
    lengths = Open, Kind::Choice(&[Lengths::VALUES]);
    /// Cycles from the delivery of a message to the birth of its reply.
    after = Default("0"), Kind::whole("the time until the reply in cycles", 0, SERVICE_MAX);
    /// Replies that a node can prepare and send at a time; further messages that demand a reply wait in
    /// the network. By default, any number.
    room = Open, Kind::whole("the room for replies", 1, ROOM_MAX);
);

pub(super) const KIND: Kind = Kind::Own(
    "the classes of messages",
    words::Structure::List(&Kind::Fields(&[FIELDS]), (1, MESSAGE_CLASSES_MAX)),
);

const HELP: &str = "write `[(name: \"request\"), (name: \"reply\", to: \"request\")]`";

/// The source of the messages of classes without `to`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    /// Random arrivals.
    Arrivals,
    /// A table, which states their lengths. Fields for random arrivals may remain if the table is set
    /// from outside (`remain`).
    Table { remain: bool },
}

/// Reads the classes; `usual` are the lengths of classes without their own.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    usual: Option<Lengths>,
    from: From,
) -> Option<MessageClasses> {
    let parts = reader.list(node, "`message_classes`", HELP)?;
    if parts.is_empty() || parts.len() > MESSAGE_CLASSES_MAX {
        let what = format!("there may be 1 to {MESSAGE_CLASSES_MAX} classes, not {}", parts.len());
        return reader.refuse(node, what, HELP);
    }
    let mut classes: Vec<MessageClass> = Vec::new();
    let mut is_fine = true;
    for part in parts {
        match class(reader, part, &classes, (usual, from)) {
            Some(class) => classes.push(class),
            None => is_fine = false,
        }
    }
    is_fine.then_some(MessageClasses(classes))
}

/// Reads a class that follows others.
fn class<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    others: &[MessageClass],
    (usual, from): (Option<Lengths>, From),
) -> Option<MessageClass> {
    let path = "traffic.message_classes";
    let given = reader.record(path, "a message class", node, "", FIELDS, &["lengths"]);
    let fields = &given.fields;
    let replies = fields.get("to");
    let in_table = from != From::Arrivals && replies.is_none();
    let lengths = match fields.get("lengths") {
        // Replaced by those of the table.
        None if in_table => Some(Lengths::Fixed(1)),
        Some(field) => read_lengths(reader, field.value, false),
        None if usual.is_none() => {
            reader.missing(fields, "`lengths`", "`lengths: Fixed(5)`");
            None
        }
        None => usual,
    };
    let name: String = given.given("name")?;
    if others.iter().any(|other| other.name == name) {
        let what = format!("two message classes have the name \"{name}\"");
        return reader.refuse(fields.get("name")?.value, what, "write another name");
    }
    let mut wrong = false;
    let mut unless = |reader: &mut Reader<'a>, condition: bool, name: &str, what: &str| {
        if let Some(field) = fields.get(name).filter(|_| !condition) {
            reader.problem(field.key, what, Some("remove the field".into()));
            wrong = true;
        }
    };
    let of_replies = "this field belongs to replies, which name the class answered in `to`";
    unless(reader, replies.is_some(), "after", of_replies);
    unless(reader, replies.is_some(), "room", of_replies);
    let of_arrivals = "this field belongs to classes of arrivals, and this class answers another";
    unless(reader, replies.is_none(), "weight", of_arrivals);
    if in_table && from != (From::Table { remain: true }) {
        let of_table = "this field is given, but the table states the messages of this class";
        unless(reader, false, "weight", of_table);
        unless(reader, false, "lengths", of_table);
    }
    let origin = match replies {
        None => Origin::Arrivals { weight: given.get("weight")? },
        Some(field) => Origin::Reply {
            to: answered(reader, field, &given.given::<String>("to")?, others)?,
            after: given.get("after")?,
            room: given.given("room"),
        },
    };
    (!wrong).then_some(MessageClass { name, lengths: lengths?, origin })
}

/// The number of the class named by `to`.
fn answered<'a>(
    reader: &mut Reader<'a>,
    field: Field<'a>,
    to: &str,
    others: &[MessageClass],
) -> Option<u8> {
    let Some(number) = others.iter().position(|other| other.name == to) else {
        let what = format!("no class before this one has the name \"{to}\"");
        let names: Vec<&str> = others.iter().map(|other| other.name.as_str()).collect();
        let help = if names.is_empty() {
            "name a class that stands before this one".to_owned()
        } else {
            meant(to, &names)
        };
        return reader.refuse(field.value, what, help);
    };
    let number = number as u8;
    let rival = others.iter().find(|other| match other.origin {
        Origin::Arrivals { .. } => false,
        Origin::Reply { to, .. } => to == number,
    });
    if let Some(rival) = rival {
        let what = format!("\"{}\" answers the same class: a message has one reply", rival.name);
        return reader.refuse(field.value, what, format!("write `to: \"{}\"`", rival.name));
    }
    Some(number)
}

const WRITE_CHANNELS: &str = "write `terminals: Channels, ejection: PerWorm` in `Wormhole(...)`";

/// Checks that the machine fits the message classes, and messages of nodes to themselves.
pub(super) fn fit<'a>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    machine: &Wormhole,
    traffic: &Traffic,
) {
    let classes = &traffic.classes;
    let count = classes.count();
    let given = match machine.message_classes {
        MessageVcs::Shared => None,
        MessageVcs::Split(counts) => {
            Some(("`Split` has numbers of VCs", counts.all().len(), "numbers"))
        }
        MessageVcs::Ranges(ranges) => Some(("`Ranges` has VCs", ranges.all().len(), "ranges")),
    };
    let given = given.map(|given| ("message_classes", "Shared", given));
    let ranks = match machine.allocation {
        Allocation::Classes(ranks) => {
            let given = ("`Classes` has ranks", ranks.all().len(), "ranks");
            Some(("allocation", "RoundRobin", given))
        }
        Allocation::OldestFirst
        | Allocation::FirstComeFirstServed
        | Allocation::FirstAskedFirstServed
        | Allocation::RoundRobin => None,
    };
    for (name, without, (has, length, values)) in given.into_iter().chain(ranks) {
        let Some(field) = fields.get(name).filter(|_| length != count) else { continue };
        let what = format!("{has} for {length} message classes, and the traffic has {count}");
        let help = if classes.is_empty() {
            format!("add `message_classes` to the traffic, or write `{without}`")
        } else {
            format!("write {count} {values}")
        };
        reader.problem(field.value, what, Some(help));
    }
    let at = |names: &[&str]| names.iter().find_map(|name| fields.get(name)).map(|it| it.value);
    let at_terminals = || at(&["terminals", "preset"]).unwrap_or(fields.owner);
    if traffic.to_itself && machine.terminals == Terminals::Direct {
        let what = "direct terminals have no channels for messages of a node to itself";
        let help = format!("{WRITE_CHANNELS}, or remove `to_itself`");
        reader.problem(at_terminals(), what, Some(help));
    }
    if classes.is_empty() {
        return;
    }
    if matches!(machine.injection, Injection::Independent { .. }) {
        let what = "independent sources discard messages that find no place in the queue, and their \
                    replies would be missing";
        let help = "write `injection: OneFlitPerCycle` or `OneMessage`";
        let at = at(&["injection", "preset"]).unwrap_or(fields.owner);
        reader.problem(at, what, Some(help.into()));
    }
    if classes.have_limited_room() && machine.terminals == Terminals::Direct {
        let what = "direct terminals consume all flits on arrival, and `room` needs nodes that let \
                    messages wait in the network";
        let help = format!("{WRITE_CHANNELS}, or remove `room`");
        reader.problem(at_terminals(), what, Some(help));
    }
}

#[cfg(test)]
mod tests;
