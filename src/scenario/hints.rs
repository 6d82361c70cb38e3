//! Translates messages about JSON texts: quoted RON values become JSON.

use super::node::Node;
use super::{print, syntax};

/// Terms for structures, in RON and in JSON.
const WORDS: &[(&str, &str)] = &[
    ("a group in parentheses", "an object or array"),
    ("a list in square brackets", "an array"),
    ("two numbers in parentheses", "two numbers in an array"),
    ("two routers in parentheses", "two routers in an array"),
    ("has fields in parentheses, not a name", "is an object with fields, not a text"),
    (" in parentheses, without a name", ", without a name"),
    ("in these parentheses", "in this object"),
    (" values in parentheses", " values in an array"),
    ("without the quotes", "without quotes"),
];

/// Translates the quoted values of a message to JSON.
pub(super) fn reworded(message: &str) -> String {
    let mut out = String::new();
    for (index, part) in message.split('`').enumerate() {
        if index > 0 {
            out.push('`');
        }
        if index % 2 == 1 {
            out.push_str(&code(part).unwrap_or_else(|| part.to_owned()));
        } else {
            let words = |text: String, (ron, json): &(&str, &str)| text.replace(ron, json);
            out.push_str(&WORDS.iter().fold(part.to_owned(), words));
        }
    }
    out
}

/// A value, or a field with its value, in JSON; `None` for a plain name and for other texts.
fn code(part: &str) -> Option<String> {
    let is_name = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    if is_name(part) {
        return None;
    }
    if let Some((name, value)) = part.split_once(": ").filter(|(name, _)| is_name(name)) {
        syntax::value(value).ok()?;
        return Some(format!("\"{name}\": {}", print::value(Node::alone(value))?));
    }
    syntax::value(part).ok()?;
    print::value(Node::alone(part))
}
