//! Converts words of options to and from values of a configuration file.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::live::Pace;
use crate::scenario::names::meant;
use crate::scenario::node::Node;
use crate::scenario::reader::{Fields, Reader};

/// Reads and writes values.
pub(super) struct Setting<T> {
    /// The value in RON.
    pub(super) written: fn(T) -> String,
    /// Parses the value of a node; the text is the field's name.
    pub(super) value: for<'a> fn(&mut Reader<'a>, Node<'a>, &str) -> Option<T>,
}

impl<T> Setting<T> {
    /// The value of the named field, if present and valid.
    pub(super) fn read<'a>(
        &self,
        reader: &mut Reader<'a>,
        fields: &Fields<'a>,
        name: &str,
    ) -> Option<T> {
        (self.value)(reader, fields.get(name)?.value, name)
    }
}

/// A setting with one of an option's words as value, in quotes.
macro_rules! word {
    ($words:expr) => {
        Setting {
            written: |value| format!("\"{}\"", written($words, value)),
            value: |reader, node, name| named(reader, node, name, $words),
        }
    };
}
pub(super) use word;

pub(super) fn written<T: Copy + PartialEq>(words: Words<T>, value: T) -> &'static str {
    words.iter().find(|(.., same)| *same == value).map_or("", |&(word, ..)| word)
}

pub(super) fn named<'a, T: Copy>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    name: &str,
    words: Words<T>,
) -> Option<T> {
    one_word(reader, node, name, words.iter().map(|&(word, _, value)| (word, value)))
}

/// Parses one of a field's words, in quotes.
pub(in crate::cli) fn one_word<'a, 'w, T>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    name: &str,
    words: impl IntoIterator<Item = (&'w str, T)>,
) -> Option<T> {
    let text = reader.line_of_text(node, &format!("`{name}`"))?;
    let mut known = Vec::new();
    for (word, value) in words {
        if word == text {
            return Some(value);
        }
        known.push(word);
    }
    let what = format!("`{name}` cannot be {text:?}");
    reader.problem(node, what, Some(meant(&text, &known)));
    None
}

pub(super) fn truth() -> Setting<bool> {
    Setting {
        written: |value| value.to_string(),
        value: |reader, node, name| {
            let truth = ron::from_str(node.text).ok();
            if truth.is_none() {
                let what = format!("`{name}` must be true or false, not {}", node.text);
                reader.problem(node, what, Some("write `true` or `false`, without quotes".into()));
            }
            truth
        },
    }
}

/// A whole number within limits.
pub(super) fn whole<T: TryFrom<u32> + ToString, const LEAST: u32, const MOST: u32>() -> Setting<T> {
    Setting {
        written: |value| value.to_string(),
        value: |reader, node, name| {
            T::try_from(reader.small(node, &format!("`{name}`"), LEAST..=MOST)?).ok()
        },
    }
}

/// The pace: a number, or a word in quotes.
pub(super) fn pace() -> Setting<Pace> {
    Setting {
        written: |pace| match pace {
            Pace::PerSecond(_) => pace.to_string(),
            Pace::Natural | Pace::Max => format!("\"{pace}\""),
        },
        value: |reader, node, name| {
            let text = ron::from_str::<String>(node.text).unwrap_or_else(|_| node.text.to_owned());
            let pace = text.parse();
            pace.map_err(|why| {
                reader.problem(node, format!("`{name}` cannot be {}", node.text), Some(why));
            })
            .ok()
        },
    }
}

/// The values of an option, each with a word and a help text.
pub(in crate::cli) type Words<T> = &'static [(&'static str, &'static str, T)];

/// Parses one of the words.
pub(in crate::cli) fn given<T>(words: Words<T>) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let possible = words.iter().map(|&(word, help, _)| PossibleValue::new(word).help(help));
    PossibleValuesParser::new(possible.collect::<Vec<_>>()).map(move |given| {
        let same = |&&(word, ..): &&(&str, &str, T)| word == given;
        words.iter().find(same).unwrap_or(&words[0]).2
    })
}
