//! Node-link JSON, as NetworkX writes it: `nodes`, and `edges` or (before NetworkX 3.4) `links`.
//!
//! An edge is a link one way if `directed` is true, otherwise a link each way. Without `multigraph`,
//! two edges between the same nodes are a mistake.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use super::attributed::{Edge, Graph, Node, draft};
use super::draft::Draft;
use super::mistake::{Report, meant, quoted};
use super::values::{Attribute, Split};

/// The members of an object, with values as parts of the text.
struct Members<'t>(Vec<(String, &'t RawValue)>);

impl<'t> Deserialize<'t> for Members<'t> {
    fn deserialize<D: serde::Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'t> Visitor<'t> for MembersVisitor {
    type Value = Members<'t>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }
    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}

/// True if a text begins as an object of JSON.
pub(super) fn sniff(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Reads node-link JSON.
pub(super) fn read(report: &mut Report<'_>) -> Draft {
    let text = report.text;
    let Members(members) = match serde_json::from_str(text) {
        Ok(members) => members,
        Err(error) => {
            malformed(&error, report);
            return Draft::default();
        }
    };
    let mut found = Graph::default();
    let (mut directed, mut multigraph) = (Some(false), Some(false));
    let (mut nodes, mut edges) = (None, None);
    for (name, value) in &members {
        match name.as_str() {
            "directed" => directed = truth(name, value, report),
            "multigraph" => multigraph = truth(name, value, report),
            "nodes" => once(&mut nodes, name, value, report),
            "edges" | "links" => once(&mut edges, name, value, report),
            name => found.ignored.add("", name),
        }
    }
    found.simple = multigraph == Some(false);
    let names = || members.iter().map(|(name, _)| name.as_str());
    for (list, name) in [(nodes, "nodes"), (edges, "edges")] {
        if list.is_none() {
            let near = meant(name, names(), &format!("add `\"{name}\": [...]`"));
            report.add(&(0..1), format!("the object has no `{name}`"), near);
        }
    }
    let (Some(nodes), Some(edges), Some(directed)) = (nodes, edges, directed) else {
        return Draft::default();
    };
    for value in list("nodes", nodes, report) {
        node(value, &mut found, report);
    }
    for value in list("edges", edges, report) {
        edge(value, directed, &mut found, report);
    }
    draft(found, report)
}

fn malformed(error: &serde_json::Error, report: &mut Report<'_>) {
    let line = report.text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    // The parser counts bytes.
    let start = report.span(line).start + error.column().saturating_sub(1).min(line.len());
    let text = error.to_string();
    let what = text.rfind(" at line ").map_or(text.as_str(), |end| &text[..end]);
    let help = if error.is_eof() { "write or copy the whole file" } else { "correct it here" };
    report.add(&(start..start + 1), format!("this is not JSON: {what}"), help);
}

fn once<'t>(
    slot: &mut Option<&'t RawValue>,
    name: &str,
    value: &'t RawValue,
    report: &mut Report<'_>,
) {
    if slot.replace(value).is_some() {
        let at = report.span(value.get());
        report.add(&at, format!("`{name}` is given twice"), "write `nodes` and `edges` once each");
    }
}

fn truth(name: &str, value: &RawValue, report: &mut Report<'_>) -> Option<bool> {
    let at = report.span(value.get());
    report.truth(name, value.get(), &at)
}

fn list<'t>(name: &str, value: &'t RawValue, report: &mut Report<'_>) -> Vec<&'t RawValue> {
    serde_json::from_str(value.get()).unwrap_or_else(|_| {
        let at = report.span(value.get());
        report.add(&at, format!("`{name}` must be a list"), "write it between `[` and `]`");
        Vec::new()
    })
}

/// A text, or a number or a list as a text; `None` for null.
fn plain(value: &RawValue) -> Option<Cow<'_, str>> {
    let raw = value.get();
    match raw.as_bytes().first()? {
        b'"' => serde_json::from_str::<String>(raw).ok().map(Cow::Owned),
        b'n' => None,
        b'[' | b'{' => Some(raw.split_whitespace().collect::<Vec<_>>().concat().into()),
        _ => Some(Cow::Borrowed(raw)),
    }
}

/// The names in a list, separated by commas; any other value as [`plain`].
fn joined(value: &RawValue) -> Option<Cow<'_, str>> {
    match serde_json::from_str::<Vec<&RawValue>>(value.get()) {
        Ok(list) => {
            let names: Vec<Cow<'_, str>> = list.into_iter().filter_map(plain).collect();
            Some(Cow::Owned(names.join(",")))
        }
        Err(_) => plain(value),
    }
}

/// The members of a node or an edge: those of these names, and all others as attributes.
fn split<'t, const N: usize>(
    value: &'t RawValue,
    of: &str,
    names: [&'static str; N],
    report: &mut Report<'_>,
) -> Option<Split<'t, N>> {
    let whole = report.span(value.get());
    let Ok(Members(members)) = serde_json::from_str::<Members<'t>>(value.get()) else {
        report.add(&whole, format!("{of} must be an object"), "write it between `{` and `}`");
        return None;
    };
    let mut found = [const { None }; N];
    let mut attributes: Vec<Attribute<'t>> = Vec::new();
    for (name, value) in members {
        let at = report.span(value.get());
        let slot = names.iter().position(|known| *known == name);
        let twice = match slot {
            Some(slot) => found[slot].is_some(),
            None => attributes.iter().any(|known| known.name == name),
        };
        if twice {
            report.add(&at, format!("{} is given twice", quoted(&name)), "remove one of the two");
        }
        if let Some(slot) = slot {
            found[slot] = plain(value).map(|text| (text, at));
        } else {
            let value = if name == "host_names" { joined(value) } else { plain(value) };
            attributes.extend(value.map(|value| Attribute { name: name.into(), value, at }));
        }
    }
    for (name, found) in names.iter().zip(&found) {
        if found.is_none() {
            let near = meant(
                name,
                attributes.iter().map(|attribute| &*attribute.name),
                &format!("add `\"{name}\": ...`"),
            );
            report.add(&whole, format!("{of} has no `{name}`"), near);
        }
    }
    Some((found, attributes))
}

fn node<'t>(value: &'t RawValue, found: &mut Graph<'t>, report: &mut Report<'_>) {
    if let Some(([Some((id, at))], attributes)) = split(value, "a node", ["id"], report) {
        found.nodes.push(Node { id, at, attributes });
    }
}

fn edge<'t>(value: &'t RawValue, directed: bool, found: &mut Graph<'t>, report: &mut Report<'_>) {
    let at = report.span(value.get());
    let parts = split(value, "an edge", ["source", "target"], report);
    if let Some(([Some(from), Some(to)], attributes)) = parts {
        found.edges.push(Edge { ends: [from, to], at, directed, attributes });
    }
}
