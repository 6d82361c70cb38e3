//! Networks in files that a scenario names; the text of the scenario then contains them as `Switches`.

use std::fmt::Write;
use std::sync::Arc;

use super::node::Node;
use super::plan::Plan;
use super::reader::Reader;
use super::{Place, Problem};
use crate::network_files::{self, Graph, Mistake};
use crate::topology::attributes::Attributes;
use crate::topology::switches::{Arrangement, Cable, Names};
use crate::words::written;

/// Entries of a list on a line.
const ENTRIES: usize = 12;

/// Reads the file named by `file`; `whole` is the value `File(...)`.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    whole: Node<'a>,
    file: Node<'a>,
) -> Option<Plan<'a>> {
    let (name, bytes) = reader.file(file)?;
    match network_files::read(&name, &bytes) {
        Ok(draft) => {
            let graph = draft.graph();
            reader.given.notes.extend(draft.notes.iter().map(|note| format!("{name}: {note}")));
            reader.inserted(whole, text(&graph));
            Some(Plan { network: Arc::new(graph.network()), size: file })
        }
        Err(mistakes) => {
            let problems = mistakes.into_iter().map(|mistake| problem(&name, mistake));
            reader.given.problems.extend(problems);
            None
        }
    }
}

/// A mistake in a network file as a problem.
pub(crate) fn problem(file: &str, mistake: Mistake) -> Problem {
    let Mistake { line, column, length, text, what, help } = mistake;
    let place = (line > 0).then_some(Place { line, column, length, text });
    Problem { source: file.to_owned(), place, what, help: Some(help) }
}

/// A network as the value `Switches(...)`.
pub(crate) fn text(graph: &Graph) -> String {
    let mut out = String::from("Switches(\n    links: ");
    list(&mut out, graph.cables.iter().map(link));
    out += ",\n    hosts: ";
    list(&mut out, graph.hosts.iter().map(u32::to_string));
    let Arrangement { places, groups, levels } = &graph.arrangement;
    for (field, numbers) in [("groups", groups), ("levels", levels)] {
        if let Some(numbers) = numbers {
            let _ = write!(out, ",\n    {field}: ");
            list(&mut out, numbers.iter().map(u32::to_string));
        }
    }
    if let Some(places) = places {
        let decimal = |thousandths: i32| f64::from(thousandths) / 1000.0;
        out += ",\n    places: ";
        list(&mut out, places.iter().map(|at| format!("({}, {})", decimal(at.x), decimal(at.y))));
    }
    let Names { routers, hosts, groups } = &graph.names;
    for (field, names) in [("names", routers), ("host_names", hosts), ("group_names", groups)] {
        if !names.is_empty() {
            let _ = write!(out, ",\n    {field}: ");
            list(&mut out, names.iter().map(written));
        }
    }
    out + ",\n)"
}

fn list(out: &mut String, entries: impl Iterator<Item = String>) {
    out.push('[');
    for (index, entry) in entries.enumerate() {
        out.push_str(match index {
            0 => "",
            _ if index % ENTRIES == 0 => ",\n        ",
            _ => ", ",
        });
        out.push_str(&entry);
    }
    out.push(']');
}

fn link(cable: &Cable) -> String {
    let Cable { from, to, attributes, count, one_way } = *cable;
    let Attributes { delay, cycles_per_flit, kind } = attributes;
    let mut fields = String::new();
    let mut field = |name: &str, value: u32| {
        let _ = write!(fields, "{}{name}: {value}", if fields.is_empty() { "" } else { ", " });
    };
    if let Some(delay) = delay {
        field("delay", delay.get().into());
    }
    for (name, value, default) in [
        ("cycles_per_flit", u32::from(cycles_per_flit), 1),
        ("kind", u32::from(kind), 0),
        ("count", count, 1),
    ] {
        if value != default {
            field(name, value);
        }
    }
    if one_way {
        fields += if fields.is_empty() { "one_way: true" } else { ", one_way: true" };
    }
    if fields.is_empty() {
        format!("({from}, {to})")
    } else {
        format!("({from}, {to}, ({fields}))")
    }
}

#[cfg(test)]
mod tests;
