//! The values that are worth offering for a field of a scenario, from what its kind may be.

use super::node::{Node, list};
use super::{Override, Problem, Scenario, paths, schema};
use crate::words::{Contents, Field, Kind, Need, Value};

/// Of a whole number, powers of two up to this are offered.
const WHOLE_MAX: u64 = 64;

/// A value that a field may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// As a scenario says it: `DimensionOrder()`.
    pub value: String,
    pub help: &'static str,
}

impl Scenario {
    /// The same with one field set, which problems call `path=value`.
    pub fn with_field(&self, path: &str, value: &str) -> Result<Self, Vec<Problem>> {
        let (path, value) = (path.trim().to_owned(), value.trim().to_owned());
        let label = format!("{path}={value}");
        self.with([Override { path, value, label }])
    }
}

/// Values for the field of this path (as [`Override::path`] names it), whether or not the rest of a
/// scenario admits them: each of its words, with each word of the first field that these have; powers of
/// two, or an example. None where the field is unknown, a text, or has fields of its own.
pub fn choices(path: &str) -> Vec<Choice> {
    let plain = |value: String| Choice { value, help: "" };
    match paths::kind(schema::FIELDS, path) {
        Some(Kind::Choice(groups)) => groups.iter().copied().flatten().flat_map(each).collect(),
        Some(Kind::Whole { limits: (least, most), .. }) => {
            let doubled = (0..).map(|power| 1 << power).take_while(|&it| it <= most.min(WHOLE_MAX));
            doubled.filter(|&it| it >= least).map(|it: u64| plain(it.to_string())).collect()
        }
        Some(Kind::Number { example, .. }) => vec![plain(example.to_owned())],
        Some(Kind::Text(_) | Kind::Fields(_) | Kind::Own(..)) | None => Vec::new(),
    }
}

/// The values of a list, whether or not it stands in brackets; `None` where it is none.
pub fn values_of(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    let text = if text.starts_with('[') { text.to_owned() } else { format!("[{text}]") };
    let values = list(Node::alone(&text))?;
    Some(values.iter().map(|value| value.text.to_owned()).collect())
}

/// A value, with each word of its first own field that has a few.
fn each(value: &Value) -> Vec<Choice> {
    let texts = match value.contents {
        Contents::Nothing => vec![value.name.to_owned()],
        Contents::One(example, _) => vec![example.to_owned()],
        Contents::Fields(groups) => with_words(value.name, groups),
    };
    texts.into_iter().map(|text| Choice { value: text, help: value.help }).collect()
}

/// With the fields that it must have as examples.
fn with_words(name: &str, groups: &[&[Field]]) -> Vec<String> {
    let all = || groups.iter().copied().flatten();
    let examples = all().filter_map(|field| match field.need {
        Need::Example(example) => Some((field.name, format!("{}: {example}", field.name))),
        Need::Default(_) | Need::Open => None,
    });
    let examples: Vec<(&str, String)> = examples.collect();
    let choice = all().find_map(|field| match field.kind {
        Kind::Choice(values) => Some((field.name, values)),
        Kind::Whole { .. }
        | Kind::Number { .. }
        | Kind::Text(_)
        | Kind::Fields(_)
        | Kind::Own(..) => None,
    });
    let with = |own: Option<(&str, String)>| {
        let needed = examples.iter().filter(|one| own.as_ref().is_none_or(|own| own.0 != one.0));
        let fields: Vec<&str> = needed.chain(&own).map(|(_, text)| text.as_str()).collect();
        format!("{name}({})", fields.join(", "))
    };
    // Every routing has it besides its own.
    let Some((field, values)) = choice.filter(|(field, _)| *field != "half_way") else {
        return vec![with(None)];
    };
    let plain =
        values.iter().copied().flatten().filter(|it| matches!(it.contents, Contents::Nothing));
    plain.map(|value| with(Some((field, format!("{field}: {}", value.name))))).collect()
}

#[cfg(test)]
mod tests;
