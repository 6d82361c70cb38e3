//! Values of a configuration: words, texts, arrays, and objects with named fields.

use crate::network_files::mistake::{Report, Span, quoted};

/// The deepest nesting of values.
const DEPTH_MAX: usize = 64;

/// A value with its place.
#[derive(Clone, Debug)]
pub(super) struct Node<'t> {
    pub at: Span,
    pub value: Value<'t>,
}

#[derive(Clone, Debug)]
pub(super) enum Value<'t> {
    /// A number, a truth value, or a name without fields.
    Word(&'t str),
    Text,
    Array(Vec<Node<'t>>),
    Object(&'t str, Vec<Field<'t>>),
}

/// A field of an object.
#[derive(Clone, Debug)]
pub(super) struct Field<'t> {
    pub name: &'t str,
    pub name_at: Span,
    pub value: Node<'t>,
}

/// Reads the value of a whole text; `None` after a mistake.
pub(super) fn read<'t>(report: &mut Report<'t>) -> Option<Node<'t>> {
    let text = report.text;
    let mut parser = Parser { text, at: 0, report };
    let value = parser.value(0)?;
    parser.space();
    if parser.at < text.len() {
        return parser.expected("the end of the file");
    }
    Some(value)
}

struct Parser<'r, 't> {
    text: &'t str,
    /// The next byte.
    at: usize,
    report: &'r mut Report<'t>,
}

impl<'t> Parser<'_, 't> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Skips white space and comments.
    fn space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            let comment = if trimmed.starts_with("//") {
                trimmed.find('\n').unwrap_or(trimmed.len())
            } else if trimmed.starts_with("/*") {
                trimmed.find("*/").map_or(trimmed.len(), |end| end + 2)
            } else {
                return;
            };
            self.at += comment;
        }
    }

    /// Skips a mark, if the text continues with it.
    fn skips(&mut self, mark: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(mark);
        if found {
            self.at += mark.len();
        }
        found
    }

    /// Reports the next character. Returns `None`.
    fn expected<T>(&mut self, what: &str) -> Option<T> {
        let next = self.rest().chars().next();
        let end = self.at + next.map_or(0, char::len_utf8);
        let found = next.map_or("the end of the file".into(), |it| quoted(&it.to_string()));
        let span = self.at..end;
        self.report.add(
            &span,
            format!("{what} is missing before {found}"),
            format!("write {what}"),
        );
        None
    }

    fn word(&mut self) -> &'t str {
        self.space();
        let rest = self.rest();
        let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.' | '-' | '+');
        let word = &rest[..rest.find(|it| !is_part(it)).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn value(&mut self, depth: usize) -> Option<Node<'t>> {
        self.space();
        let start = self.at;
        if depth > DEPTH_MAX {
            return self.expected("a value that is less deep");
        }
        let value = if self.skips("[") {
            Value::Array(self.array(depth)?)
        } else if self.skips("\"") {
            let Some(length) = self.rest().find('"') else { return self.expected("`\"`") };
            self.at += length + 1;
            Value::Text
        } else {
            let word = self.word();
            let end = self.at;
            if self.skips("!") {
                let span = start..self.at;
                self.report.add(&span, "several values make several runs", "write one value");
                return None;
            }
            if word.is_empty() {
                return self.expected("a value");
            }
            if self.skips("{") {
                Value::Object(word, self.fields(depth)?)
            } else {
                return Some(Node { at: start..end, value: Value::Word(word) });
            }
        };
        Some(Node { at: start..self.at, value })
    }

    fn array(&mut self, depth: usize) -> Option<Vec<Node<'t>>> {
        let mut values = Vec::new();
        while !self.skips("]") {
            values.push(self.value(depth + 1)?);
            if !self.skips(",") && !self.rest().starts_with(']') {
                return self.expected("`,` or `]`");
            }
        }
        Some(values)
    }

    fn fields(&mut self, depth: usize) -> Option<Vec<Field<'t>>> {
        let mut fields = Vec::new();
        while !self.skips("}") {
            self.space();
            let start = self.at;
            let name = self.word();
            let name_at = start..self.at;
            if name.is_empty() || !self.skips(":") {
                return self.expected("a name and `:`");
            }
            fields.push(Field { name, name_at, value: self.value(depth + 1)? });
            if !self.skips(",") && !self.rest().starts_with('}') {
                return self.expected("`,` or `}`");
            }
        }
        Some(fields)
    }
}
