//! How a value of an option stands in a configuration file.

use clap::ValueEnum;

use crate::live::Pace;
use crate::scenario::names::{nearest, one_of};
use crate::scenario::node::Node;
use crate::scenario::reader::{Fields, Reader};

/// Reads and writes values.
pub(super) struct Setting<T> {
    /// The value in RON.
    pub(super) written: fn(T) -> String,
    /// The value of a node that is called so.
    value: for<'a> fn(&mut Reader<'a>, Node<'a>, &str) -> Option<T>,
}

impl<T> Setting<T> {
    /// The value of the field of this name, if it is there and right.
    pub(super) fn read<'a>(
        &self,
        reader: &mut Reader<'a>,
        fields: &Fields<'a>,
        name: &str,
    ) -> Option<T> {
        (self.value)(reader, fields.get(name)?.value, name)
    }
}

/// One of the words of an option, in quotes.
pub(super) fn word<T: ValueEnum>() -> Setting<T> {
    fn named<T: ValueEnum>(value: &T) -> String {
        value.to_possible_value().map_or_else(String::new, |it| it.get_name().to_owned())
    }
    Setting {
        written: |value| format!("\"{}\"", named(&value)),
        value: |reader, node, name| {
            let text = reader.line_of_text(node, &format!("`{name}`"))?;
            if let Ok(value) = T::from_str(&text, false) {
                return Some(value);
            }
            let words: Vec<String> = T::value_variants().iter().map(named).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let help = match nearest(&text, words.iter().copied()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("it may be {}", one_of(&words)),
            };
            reader.problem(node, format!("`{name}` cannot be {text:?}"), Some(help));
            None
        },
    }
}

/// True or false.
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
