//! GraphML, as NetworkX, igraph and SST write it: keys, nodes and edges.
//!
//! A document type is refused, and with it all entities but the five of XML. An undirected edge is a
//! link each way, a directed edge a link one way: `edgedefault`, or `directed` of an edge.

use std::borrow::Cow;
use std::collections::BTreeMap;

use roxmltree::{Document, Error, Node as Element};

use super::attributed::{Edge, Graph, Node, draft};
use super::draft::Draft;
use super::mistake::{Report, Span, meant, quoted};
use super::values::Attribute;

/// A declared attribute.
struct Key<'x> {
    name: &'x str,
    /// `node`, `edge`, `graph` or `all`.
    of: &'x str,
    default: Option<&'x str>,
}

type Keys<'x> = BTreeMap<&'x str, Key<'x>>;

/// True if a text begins as XML with GraphML.
pub(super) fn sniff(text: &str) -> bool {
    let start = text.trim_start();
    start.starts_with('<') && text.chars().take(4000).collect::<String>().contains("<graphml")
}

/// Reads GraphML.
pub(super) fn read(report: &mut Report<'_>) -> Draft {
    let text = report.text;
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            malformed(&error, report);
            return Draft::default();
        }
    };
    let root = document.root_element();
    if root.tag_name().name() != "graphml" {
        let what = format!("the file begins with <{}>, not <graphml>", root.tag_name().name());
        report.add(&start(root), what, "save the network as GraphML");
        return Draft::default();
    }
    let keys = keys(root, report);
    let graphs: Vec<Element<'_, '_>> = elements(root, "graph").collect();
    let [graph] = graphs[..] else {
        let at = graphs.get(1).map_or(start(root), |second| start(*second));
        let what = format!("the file has {} graphs", graphs.len());
        report.add(&at, what, "write one <graph>");
        return Draft::default();
    };
    let directed = match graph.attribute("edgedefault") {
        Some("directed") => true,
        Some("undirected") => false,
        other => {
            let what = format!(
                "`edgedefault` must be `directed` or `undirected`, not {}",
                quoted(other.unwrap_or_default())
            );
            report.add(&start(graph), what, "write one of the two");
            return Draft::default();
        }
    };
    let mut found = Graph::default();
    for child in graph.children().filter(Element::is_element) {
        match child.tag_name().name() {
            "node" => node(child, &keys, &mut found, report),
            "edge" => edge(child, directed, &keys, &mut found, report),
            "data" | "desc" => found.ignored.add("", &format!("<{}>", child.tag_name().name())),
            name => {
                let what = format!("<{name}> has no meaning for a network");
                report.add(&start(child), what, "write <node> and <edge> only");
            }
        }
    }
    draft(found, report)
}

fn malformed(error: &Error, report: &mut Report<'_>) {
    let at = error.pos();
    let mut lines = report.text.split('\n');
    let line = lines.nth((at.row as usize).saturating_sub(1)).unwrap_or_default();
    let column = (at.col as usize).saturating_sub(1);
    let offset = line.char_indices().nth(column).map_or(line.len(), |(offset, _)| offset);
    let start = report.span(line).start + offset;
    let (what, help) = if matches!(error, Error::DtdDetected) {
        (
            "a document type is not read".to_owned(),
            "remove `<!DOCTYPE ...>`, and write characters in place of its entities",
        )
    } else if matches!(error, Error::UnexpectedEndOfStream | Error::UnclosedRootNode) {
        ("the file ends before </graphml>".to_owned(), "write or copy the whole file")
    } else {
        let text = error.to_string();
        let end = text.rfind(" at ").unwrap_or(text.len());
        (format!("the XML is not well-formed: {}", &text[..end]), "correct it here")
    };
    let at = if matches!(error, Error::UnexpectedEndOfStream | Error::UnclosedRootNode) {
        report.text.len()..report.text.len()
    } else {
        start..start
    };
    report.add(&at, what, help);
}

fn elements<'a, 'i>(
    of: Element<'a, 'i>,
    name: &'static str,
) -> impl Iterator<Item = Element<'a, 'i>> {
    of.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// The start tag of an element.
fn start(element: Element<'_, '_>) -> Span {
    let range = element.range();
    let text = element.document().input_text();
    let tag = &text[range.clone()];
    range.start..range.start + tag.find('>').map_or(tag.len(), |end| end + 1)
}

fn keys<'x>(root: Element<'x, 'x>, report: &mut Report<'_>) -> Keys<'x> {
    let mut keys = Keys::new();
    for key in elements(root, "key") {
        let Some(id) = key.attribute("id") else {
            report.add(&start(key), "this <key> has no `id`", "write `id`");
            continue;
        };
        let name = key.attribute("attr.name").unwrap_or(id);
        let default = elements(key, "default").next().and_then(|default| default.text());
        let of = key.attribute("for").unwrap_or("all");
        if keys.insert(id, Key { name, of, default }).is_some() {
            let what = format!("two keys have the `id` {}", quoted(id));
            report.add(&start(key), what, "give this one another");
        }
    }
    keys
}

/// An attribute of XML that must be there.
fn required<'x>(
    element: Element<'x, 'x>,
    name: &'static str,
    report: &mut Report<'_>,
) -> Option<(Cow<'x, str>, Span)> {
    let Some(attribute) = element.attribute_node(name) else {
        let what = format!("this <{}> has no `{name}`", element.tag_name().name());
        report.add(&start(element), what, format!("write `{name}`"));
        return None;
    };
    Some((Cow::Borrowed(attribute.value()), attribute.range_value()))
}

/// Reads the data of a node or an edge, and adds the defaults of others.
fn data<'x>(
    element: Element<'x, 'x>,
    of: &str,
    keys: &Keys<'x>,
    found: &mut Graph<'x>,
    report: &mut Report<'_>,
) -> Vec<Attribute<'x>> {
    let mut given = Vec::new();
    let mut attributes = Vec::new();
    for child in element.children().filter(Element::is_element) {
        if child.tag_name().name() != "data" {
            found.ignored.add("elements", &format!("<{}>", child.tag_name().name()));
            continue;
        }
        let Some((id, at)) = required(child, "key", report) else { continue };
        let Some(key) = keys.get(&*id) else {
            let help = meant(&id, keys.keys().copied(), "declare it in a <key>");
            report.add(&at, format!("there is no <key> with `id` {}", quoted(&id)), help);
            continue;
        };
        if given.contains(&id) {
            let what = format!("{} is given twice", quoted(key.name));
            report.add(&start(child), what, "remove one of the two");
        }
        given.push(id);
        let text = child.first_child().filter(Element::is_text);
        if child.children().any(|part| part.is_element()) {
            found.ignored.add("elements", key.name);
            continue;
        }
        let at = text.map_or_else(|| start(child), |text| text.range());
        let value = text.and_then(|text| text.text()).unwrap_or_default();
        attributes.push(Attribute { name: key.name.into(), value: value.into(), at });
    }
    for (id, key) in keys {
        let applies = key.of == of || key.of == "all";
        if let Some(value) = key.default.filter(|_| applies && given.iter().all(|it| it != id)) {
            let at = start(element);
            attributes.push(Attribute { name: key.name.into(), value: value.into(), at });
        }
    }
    attributes
}

fn node<'x>(
    element: Element<'x, 'x>,
    keys: &Keys<'x>,
    found: &mut Graph<'x>,
    report: &mut Report<'_>,
) {
    if let Some(nested) = elements(element, "graph").next() {
        report.add(&start(nested), "a graph in a node is not read", "write one <graph>");
    }
    let attributes = data(element, "node", keys, found, report);
    if let Some((id, at)) = required(element, "id", report) {
        found.nodes.push(Node { id, at, attributes });
    }
}

fn edge<'x>(
    element: Element<'x, 'x>,
    directed: bool,
    keys: &Keys<'x>,
    found: &mut Graph<'x>,
    report: &mut Report<'_>,
) {
    let attributes = data(element, "edge", keys, found, report);
    let ends = (required(element, "source", report), required(element, "target", report));
    let directed = element.attribute_node("directed").map_or(Some(directed), |attribute| {
        report.truth("directed", attribute.value(), &attribute.range_value())
    });
    for name in element.attributes().map(|attribute| attribute.name()) {
        if !["id", "source", "target", "directed"].contains(&name) {
            found.ignored.add("links", name);
        }
    }
    if let ((Some(from), Some(to)), Some(directed)) = (ends, directed) {
        found.edges.push(Edge { ends: [from, to], at: start(element), directed, attributes });
    }
}
