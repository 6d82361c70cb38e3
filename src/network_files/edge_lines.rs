//! Edge lists of NetworkX (`networkx.write_edgelist`): a line for each edge, with blanks between both
//! nodes and, optionally, their attributes.
//!
//! ```text
//! # comment
//! a b
//! b c {'delay': 4, 'capacity': '10G'}
//! (0, 1) (1, 1) {}
//! ```
//!
//! A node is a word, or a tuple in parentheses. An edge is a link each way. A third word is a weight, as
//! `networkx.write_weighted_edgelist` writes it, and ignored.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::attributed::{Edge, Graph, Node, draft};
use super::cells::lines;
use super::draft::Draft;
use super::mistake::{Report, quoted};
use super::values::Attribute;

/// Lines examined to recognise the format.
const EXAMINED: usize = 100;
/// Minimum number of lines by which the format is recognised.
const LINES_MIN: usize = 2;

/// True if all lines at the beginning of a text are two nodes, alone or with attributes in braces.
pub(super) fn sniff(text: &str) -> bool {
    // The last line may be cut off.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut examined = 0;
    lines(whole).take(EXAMINED).all(|line| {
        examined += 1;
        let (words, rest) = words(line);
        let [from, to] = words[..] else { return false };
        let is_node = |node: &str| {
            node.starts_with('(') || !node.contains(|letter| "(){}[]<>:;,=\"'".contains(letter))
        };
        is_node(from) && is_node(to) && (rest.is_empty() || is_braced(rest))
    }) && examined >= LINES_MIN
}

fn is_braced(text: &str) -> bool {
    text.starts_with('{') && text.ends_with('}')
}

/// The words of a line, up to attributes in braces, and these. A tuple is one word.
fn words(line: &str) -> (Vec<&str>, &str) {
    let (mut words, mut rest) = (Vec::new(), line.trim());
    while !rest.is_empty() && !rest.starts_with('{') {
        let end = if rest.starts_with('(') {
            rest.find(')').map_or(rest.len(), |end| end + 1)
        } else {
            rest.find(char::is_whitespace).unwrap_or(rest.len())
        };
        words.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    (words, rest)
}

/// Reads an edge list.
pub(super) fn read(report: &mut Report<'_>) -> Draft {
    let mut found = Graph::default();
    let mut known = BTreeSet::new();
    for line in lines(report.text) {
        let (words, rest) = words(line);
        let at = report.span(line);
        let ([from, to] | [from, to, _]) = words[..] else {
            let what = format!("an edge has two nodes, and this line has {}", words.len());
            let help = "write `NODE NODE {'delay': 4}`, or `NODE NODE`";
            report.add(&at, what, help);
            continue;
        };
        if words.len() > 2 {
            found.ignored.add("links", "weight");
        }
        for node in [from, to] {
            if known.insert(node) {
                let at = report.span(node);
                found.nodes.push(Node { id: Cow::Borrowed(node), at, attributes: Vec::new() });
            }
        }
        let ends = [from, to].map(|node| (Cow::Borrowed(node), report.span(node)));
        let attributes = attributes(rest, report);
        found.edges.push(Edge { ends, at, directed: false, attributes });
    }
    if found.edges.is_empty() && report.is_clean() {
        report.add(&(0..0), "the file has no edges", "write a line for each, as in `a b`");
    }
    found.simple = true;
    draft(found, report)
}

/// The attributes in braces, as Python writes a dictionary.
fn attributes<'t>(text: &'t str, report: &mut Report<'_>) -> Vec<Attribute<'t>> {
    if text.is_empty() {
        return Vec::new();
    }
    let inside = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    let Some(inside) = inside else {
        report.add(
            &report.span(text),
            "these attributes do not end in `}`",
            "write or copy the whole line",
        );
        return Vec::new();
    };
    let mut found = Vec::new();
    for part in parts(inside).filter(|part| !part.trim().is_empty()) {
        let pair = split(part, ':').map(|(name, value)| (name.trim(), value.trim()));
        if let Some((name, value)) = pair.and_then(|(name, value)| Some((bare(name)?, value))) {
            let (value, at) = (bare(value).unwrap_or(value), report.span(value));
            found.push(Attribute { name: Cow::Borrowed(name), value: Cow::Borrowed(value), at });
        } else {
            let what = format!("{} is no attribute with its value", quoted(part.trim()));
            report.add(&report.span(part.trim()), what, "write `'delay': 4`");
        }
    }
    found
}

/// A text without its quotes.
fn bare(text: &str) -> Option<&str> {
    let mark = text.chars().next().filter(|mark| "'\"".contains(*mark))?;
    text.strip_prefix(mark)?.strip_suffix(mark)
}

/// The parts of a text between commas outside of quotes and brackets.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let here = rest?;
        let Some((part, behind)) = split(here, ',') else {
            rest = None;
            return Some(here);
        };
        rest = Some(behind);
        Some(part)
    })
}

/// Splits a text at the first mark outside of quotes and brackets.
fn split(text: &str, mark: char) -> Option<(&str, &str)> {
    let (mut quote, mut depth) = (None, 0usize);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) if letter == mark && depth == 0 => {
                return Some((&text[..at], &text[at + letter.len_utf8()..]));
            }
            (Some(_) | None, _) => {}
        }
    }
    None
}
