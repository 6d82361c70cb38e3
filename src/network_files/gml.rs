//! GML, as the Internet Topology Zoo and NetworkX write it: names, each with a number, a text or a
//! list in square brackets.
//!
//! An edge is a link one way if the graph has `directed 1`, otherwise a link each way. Two edges
//! between the same nodes are links side by side, as several files of the Zoo have them.

use std::borrow::Cow;

use super::attributed::{Edge, Graph, Node, draft};
use super::draft::Draft;
use super::mistake::{Report, Span, meant, quoted};
use super::values::{Attribute, Split};

/// Maximum depth of lists in lists.
const DEPTH_MAX: usize = 32;

/// A name with its value.
struct Pair<'t> {
    name: &'t str,
    value: Value<'t>,
    at: Span,
}

enum Value<'t> {
    Plain(Cow<'t, str>),
    List(Vec<Pair<'t>>),
}

/// A word, a text in quotes or a bracket.
#[derive(Clone, Copy, PartialEq)]
enum Token<'t> {
    Open,
    Close,
    Text(&'t str),
    Word(&'t str),
}

struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

/// True if a text has a list `graph` at its beginning.
pub(super) fn sniff(text: &str) -> bool {
    let mut tokens = Tokens { text, at: 0 };
    let mut before = None;
    for _ in 0..40 {
        let Ok(Some((token, _))) = tokens.next() else { return false };
        if token == Token::Open {
            return before == Some(Token::Word("graph"));
        }
        before = Some(token);
    }
    false
}

impl<'t> Tokens<'t> {
    /// The next token with its place; a text without an end is an error.
    fn next(&mut self) -> Result<Option<(Token<'t>, Span)>, Span> {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.len() - rest.trim_start().len();
            if !self.text[self.at..].starts_with('#') {
                break;
            }
            let rest = &self.text[self.at..];
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
        let (start, rest) = (self.at, &self.text[self.at..]);
        let Some(first) = rest.chars().next() else { return Ok(None) };
        let (token, length) = match first {
            '[' => (Token::Open, 1),
            ']' => (Token::Close, 1),
            '"' => {
                let end = rest[1..].find('"').ok_or(start..start + 1)?;
                (Token::Text(&rest[1..=end]), end + 2)
            }
            _ => {
                let ends = |letter: char| letter.is_whitespace() || "[]\"".contains(letter);
                let end = rest.find(ends).unwrap_or(rest.len());
                (Token::Word(&rest[..end]), end)
            }
        };
        self.at += length;
        Ok(Some((token, start..self.at)))
    }
}

/// Reads pairs up to the end of a list, or of the text at depth 0; `None` after a mistake.
fn pairs<'t>(
    tokens: &mut Tokens<'t>,
    depth: usize,
    report: &mut Report<'_>,
) -> Option<Vec<Pair<'t>>> {
    let mut found = Vec::new();
    let end = tokens.text.len();
    let next = |tokens: &mut Tokens<'t>, report: &mut Report<'_>| match tokens.next() {
        Ok(token) => Some(token),
        Err(at) => {
            report.add(&at, "this text in quotes has no end", "write a second `\"`");
            None
        }
    };
    loop {
        let (name, at) = match (next(tokens, report)?, depth) {
            (None, 0) | (Some((Token::Close, _)), 1..) => return Some(found),
            (None, _) => {
                report.add(&(end..end), "the file ends inside a list", "write or copy all of it");
                return None;
            }
            (Some((Token::Word(name), at)), _) => (name, at),
            (Some((_, at)), _) => {
                report.add(&at, "a name must stand here", "write a name, then its value");
                return None;
            }
        };
        let (value, at) = match next(tokens, report)? {
            Some((Token::Open, _)) if depth >= DEPTH_MAX => {
                report.add(&at, format!("lists are more than {DEPTH_MAX} deep"), "remove some");
                return None;
            }
            Some((Token::Open, _)) => (Value::List(pairs(tokens, depth + 1, report)?), at),
            Some((Token::Text(text), at)) => (Value::Plain(decoded(text)), at),
            Some((Token::Word(word), at)) => (Value::Plain(Cow::Borrowed(word)), at),
            Some((Token::Close, _)) | None => {
                report.add(
                    &at,
                    format!("{} has no value", quoted(name)),
                    "write one, or remove it",
                );
                return None;
            }
        };
        found.push(Pair { name, value, at });
    }
}

/// Replaces `&quot;`, `&amp;` and numbers of characters, as in `&#233;`.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        let letter = end.and_then(|end| match &rest[1..end] {
            "quot" => Some('"'),
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "apos" => Some('\''),
            code => code.strip_prefix('#')?.parse().ok().and_then(char::from_u32),
        });
        let length = if letter.is_some() { end.unwrap_or(0) + 1 } else { 1 };
        out.push(letter.unwrap_or('&'));
        rest = &rest[length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Reads GML.
pub(super) fn read(report: &mut Report<'_>) -> Draft {
    let mut tokens = Tokens { text: report.text, at: 0 };
    let Some(document) = pairs(&mut tokens, 0, report) else { return Draft::default() };
    let mut found = Graph::default();
    let mut graph = None;
    for Pair { name, value, at } in document {
        match value {
            Value::List(contents) if name == "graph" && graph.is_none() => graph = Some(contents),
            Value::List(_) if name == "graph" => {
                report.add(&at, "the file has two graphs", "write one `graph [ ... ]`");
            }
            Value::List(_) | Value::Plain(_) => found.ignored.add("", name),
        }
    }
    let Some(contents) = graph else {
        report.add(&(0..0), "the file has no `graph`", "write `graph [ ... ]`");
        return Draft::default();
    };
    let mut directed = false;
    for Pair { name, value, at } in contents {
        match (name, value) {
            ("directed", Value::Plain(value)) => {
                directed = report.truth(name, &value, &at).unwrap_or(false);
            }
            ("multigraph", Value::Plain(_)) => {}
            ("node", Value::List(pairs)) => node(pairs, at, &mut found, report),
            ("edge", Value::List(pairs)) => edge(pairs, at, &mut found, report),
            (name, _) => found.ignored.add("", name),
        }
    }
    for edge in &mut found.edges {
        edge.directed = directed;
    }
    draft(found, report)
}

/// The pairs of these names, and all others as attributes.
fn split<'t, const N: usize>(
    pairs: Vec<Pair<'t>>,
    of: &'static str,
    at: &Span,
    names: [&'static str; N],
    found: &mut Graph<'t>,
    report: &mut Report<'_>,
) -> Split<'t, N> {
    let mut values = [const { None }; N];
    let mut attributes = Vec::new();
    for Pair { name, value, at } in pairs {
        let slot = names.iter().position(|known| *known == name);
        match (slot, value) {
            (Some(slot), Value::Plain(value)) => {
                if values[slot].replace((value, at.clone())).is_some() {
                    report.add(&at, format!("`{name}` is given twice"), "remove one of the two");
                }
            }
            (None, Value::Plain(value)) => {
                attributes.push(Attribute { name: name.into(), value, at });
            }
            // Yed and NetworkX nest the place: `graphics [ x 1.0 y 2.0 ]`.
            (None, Value::List(inner)) if name == "graphics" => {
                for Pair { name, value, at } in inner {
                    match value {
                        Value::Plain(value) if ["x", "y"].contains(&name) => {
                            attributes.push(Attribute { name: name.into(), value, at });
                        }
                        Value::Plain(_) | Value::List(_) => found.ignored.add(of, name),
                    }
                }
            }
            (_, Value::List(_)) => found.ignored.add(of, name),
        }
    }
    for (name, value) in names.iter().zip(&values) {
        if value.is_none() {
            let names = attributes.iter().map(|attribute| &*attribute.name);
            let near = meant(name, names, &format!("write `{name}` with a value"));
            report.add(at, format!("`{name}` is missing"), near);
        }
    }
    (values, attributes)
}

fn node<'t>(pairs: Vec<Pair<'t>>, at: Span, found: &mut Graph<'t>, report: &mut Report<'_>) {
    let (values, attributes) = split(pairs, "nodes", &at, ["id"], found, report);
    if let [Some((id, at))] = values {
        found.nodes.push(Node { id, at, attributes });
    }
}

fn edge<'t>(pairs: Vec<Pair<'t>>, at: Span, found: &mut Graph<'t>, report: &mut Report<'_>) {
    let (values, attributes) = split(pairs, "links", &at, ["source", "target"], found, report);
    if let [Some(from), Some(to)] = values {
        found.edges.push(Edge { ends: [from, to], at, directed: false, attributes });
    }
}
