//! Converts RON to equivalent JSON.

use super::node::{Node, list, map, named, split, tuple};
use super::{description, syntax};

/// The maximal width of a value on a single line, in characters.
const WIDTH: usize = 88;
/// Optional names of documents.
const NAMES: [&str; 3] = ["Scenario", super::STUDY, super::SESSION];
/// A step of indentation.
const INDENT: &str = "  ";

/// Converts a scenario, study or session in RON to JSON, with the leading comments as `$comment`.
/// `None` if the text is not RON.
pub fn json(text: &str) -> Option<String> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value = Node::alone(syntax::value(body).ok()?);
    // The fields identify the kind of document.
    let whole = match split(value) {
        Some((name, contents)) if NAMES.contains(&name.text) => contents,
        Some(_) | None => value,
    };
    let Tree::Object(mut members) = Tree::of(whole)? else { return None };
    let comment = description(body);
    if !comment.is_empty() {
        members.insert(0, ("$comment".to_owned(), Tree::Plain(quoted(&comment)?)));
    }
    Some(Tree::Object(members).lines(0, true) + "\n")
}

/// Converts a RON value to a line of JSON.
pub(super) fn value(node: Node<'_>) -> Option<String> {
    Tree::of(node).map(|tree| tree.line())
}

fn quoted(text: &str) -> Option<String> {
    serde_json::to_string(text).ok()
}

/// A JSON value with its members in order.
enum Tree {
    Plain(String),
    Array(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Tree {
    fn of(node: Node<'_>) -> Option<Self> {
        let text = node.text;
        if let Ok(text) = ron::from_str::<String>(text) {
            return quoted(&text).map(Self::Plain);
        }
        match text.chars().next()? {
            '[' => list(node)?.into_iter().map(Self::of).collect::<Option<_>>().map(Self::Array),
            '{' => {
                let entry = |(key, value): (Node<'_>, Node<'_>)| {
                    Some((ron::from_str::<String>(key.text).ok()?, Self::of(value)?))
                };
                map(node)?.into_iter().map(entry).collect::<Option<_>>().map(Self::Object)
            }
            '(' => Self::group(node),
            _ if matches!(text, "true" | "false") => Some(Self::Plain(text.to_owned())),
            letter if letter.is_alphabetic() => {
                let (name, contents) = split(node)?;
                let contents = Some(contents).filter(|contents| !contents.text.is_empty());
                let contents = match contents.map(Self::contents) {
                    None => None,
                    Some(contents) => Some(contents?),
                };
                match contents {
                    None => quoted(name.text).map(Self::Plain),
                    Some(Self::Object(members)) if members.is_empty() => {
                        quoted(name.text).map(Self::Plain)
                    }
                    Some(contents) => Some(Self::Object(vec![(name.text.to_owned(), contents)])),
                }
            }
            _ => number(text).map(Self::Plain),
        }
    }

    /// Fields or values in parentheses.
    fn group(node: Node<'_>) -> Option<Self> {
        if let Some(fields) = named(node) {
            let member = |field: super::node::Field<'_>| {
                Some((field.name.to_owned(), Self::of(field.value)?))
            };
            return fields.into_iter().map(member).collect::<Option<_>>().map(Self::Object);
        }
        tuple(node)?.into_iter().map(Self::of).collect::<Option<_>>().map(Self::Array)
    }

    /// Converts named fields, or a single value, after the name of a variant.
    fn contents(node: Node<'_>) -> Option<Self> {
        match Self::group(node)? {
            Self::Array(mut values) if values.len() == 1 => values.pop(),
            other @ (Self::Plain(_) | Self::Array(_) | Self::Object(_)) => Some(other),
        }
    }

    /// The value on one line.
    fn line(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Array(values) => {
                let values: Vec<String> = values.iter().map(Self::line).collect();
                format!("[{}]", values.join(", "))
            }
            Self::Object(members) => {
                let member = |(name, value): &(String, Self)| {
                    format!("{}: {}", quoted(name).unwrap_or_default(), value.line())
                };
                let members: Vec<String> = members.iter().map(member).collect();
                format!("{{{}}}", members.join(", "))
            }
        }
    }

    /// The value on a single line if short enough, unless `broken`.
    fn lines(&self, depth: usize, broken: bool) -> String {
        let line = self.line();
        if !broken && line.chars().count() + depth * INDENT.len() <= WIDTH {
            return line;
        }
        let (open, parts, close) = match self {
            Self::Plain(_) => return line,
            Self::Array(values) => {
                let part = |value: &Self| value.lines(depth + 1, false);
                ('[', values.iter().map(part).collect::<Vec<_>>(), ']')
            }
            Self::Object(members) => {
                let part = |(name, value): &(String, Self)| {
                    let name = quoted(name).unwrap_or_default();
                    format!("{name}: {}", value.lines(depth + 1, false))
                };
                ('{', members.iter().map(part).collect(), '}')
            }
        };
        let (outer, inner) = (INDENT.repeat(depth), INDENT.repeat(depth + 1));
        format!("{open}\n{inner}{}\n{outer}{close}", parts.join(&format!(",\n{inner}")))
    }
}

/// A finite number in JSON, unchanged if valid in JSON.
fn number(text: &str) -> Option<String> {
    if serde_json::from_str::<serde_json::Number>(text).is_ok() {
        return Some(text.to_owned());
    }
    if let Ok(number) = ron::from_str::<u64>(text) {
        return Some(number.to_string());
    }
    if let Ok(number) = ron::from_str::<i64>(text) {
        return Some(number.to_string());
    }
    let number = ron::from_str::<f64>(text).ok().filter(|number| number.is_finite())?;
    Some(format!("{number:?}"))
}
