//! Names of figures in a study's file, alone or in the braces of a text: `latency`, `{k}x{k} at {rate}`.

use serde::Deserialize;

use super::cases::Value;

/// A number, or the name of a figure of a case.
#[derive(Clone, PartialEq, Deserialize, Debug)]
#[serde(from = "Value")]
pub enum Figure {
    Number(f64),
    Name(String),
}

impl From<Value> for Figure {
    fn from(value: Value) -> Self {
        match value {
            Value::Number(number) => Self::Number(number),
            Value::Text(text) => text.parse().map_or(Self::Name(text), Self::Number),
        }
    }
}

/// A text with names in braces.
#[derive(Clone, PartialEq, Default, Deserialize, Debug)]
#[serde(transparent)]
pub struct Text(pub String);

/// A part of a text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Part<'a> {
    Plain(&'a str),
    /// A name in braces.
    Name(&'a str),
}

/// Splits a text at its braces.
pub fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    text.split('{').enumerate().flat_map(|(at, part)| match part.split_once('}') {
        _ if at == 0 => [Part::Plain(part), Part::Plain("")],
        Some((name, plain)) => [Part::Name(name), Part::Plain(plain)],
        // An unclosed brace.
        None => [Part::Name(part), Part::Plain("")],
    })
}

/// A text with `named` parts in place of the names in braces; `None` if a part is missing.
pub fn fill(text: &str, named: impl Fn(&str) -> Option<String>) -> Option<String> {
    let part = |part| match part {
        Part::Plain(text) => Some(text.to_owned()),
        Part::Name(name) => named(name),
    };
    parts(text).map(part).collect()
}

/// True for a name: letters, digits and `_`, optionally followed by a dot and a figure of a model.
pub fn is_name(text: &str) -> bool {
    let is_word = |word: &str| {
        let letters = |c: char| c.is_alphanumeric() || c == '_';
        !word.is_empty() && word.chars().all(letters)
    };
    text.split('.').count() <= 2 && text.split('.').all(is_word)
}
