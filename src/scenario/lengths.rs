//! The lengths of messages.

use super::node::Node;
use super::reader::{Fields, Reader};
use crate::traffic::Lengths;
use crate::traffic::lengths::Times;
use crate::words::Words;

/// Reads lengths in flits, or transmission times.
pub(super) fn lengths<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    circuits: bool,
) -> Option<Lengths> {
    let path = "traffic.lengths";
    if circuits {
        let (times, fields) = reader.term(path, node, &[Times::VALUES])?;
        if let (Times::Uniform { min, max }, Some(fields)) = (times, fields) {
            in_order(reader, &fields, "transmission time", &min, &max)?;
        }
        return Some(times.lengths());
    }
    let (lengths, fields) = reader.term(path, node, &[Lengths::VALUES])?;
    if let (Lengths::Uniform { min, max }, Some(fields)) = (lengths, fields) {
        in_order(reader, &fields, "length", &min, &max)?;
    }
    Some(lengths)
}

/// Checks that `max` is not below `min`.
fn in_order<'a, T: PartialOrd + std::fmt::Display>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    called: &str,
    min: &T,
    max: &T,
) -> Option<()> {
    if min <= max {
        return Some(());
    }
    let what = format!("the longest {called}, {max}, is below the shortest, {min}");
    reader.refuse(fields.get("max")?.value, what, format!("write {min} or more"))
}
