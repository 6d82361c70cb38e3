//! Suggested values for a field of a scenario, by kind.

use super::node::{Node, list};
use super::{Override, Problem, Scenario, paths, schema};
use crate::words::{Contents, Field, Kind, Need, Structure, Value};

/// The largest power of two suggested for a whole number.
const WHOLE_MAX: u64 = 64;

/// A possible value of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The value in RON: `DimensionOrder()`.
    pub value: String,
    pub help: &'static str,
}

impl Scenario {
    /// Returns the scenario with another value of a field; problems use the label `path=value`.
    pub fn with_field(&self, path: &str, value: &str) -> Result<Self, Vec<Problem>> {
        let (path, value) = (path.trim().to_owned(), value.trim().to_owned());
        let label = format!("{path}={value}");
        self.with([Override { path, value, label }])
    }
}

/// Suggested values for the field at `path` (see [`Override::path`]); the rest of the scenario may
/// exclude some of them. Variants are listed with each plain variant of their first field with a
/// choice; whole numbers as powers of two; other numbers as an example. Empty for an unknown field,
/// a text or a group of fields.
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

/// The values of a list, with or without brackets; `None` for anything else.
pub fn values_of(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    let text = if text.starts_with('[') { text.to_owned() } else { format!("[{text}]") };
    let values = list(Node::alone(&text))?;
    Some(values.iter().map(|value| value.text.to_owned()).collect())
}

/// True if a variant needs the name of a file.
fn needs_file(groups: &[&[Field]]) -> bool {
    let mut all = groups.iter().copied().flatten();
    all.any(|field| matches!(field.need, Need::Example(example) if example.starts_with("File(")))
}

/// The required field of a variant with values of another variant as its values.
fn inner(groups: &[&[Field]]) -> Option<(&'static str, &'static [Value])> {
    groups.iter().copied().flatten().find_map(|field| {
        let Need::Example(_) = field.need else { return None };
        let Kind::Own(_, Structure::Either([Kind::Choice([values])])) = field.kind else {
            return None;
        };
        Some((field.name, *values))
    })
}

/// A variant with each plain variant of its first field with a choice.
fn each(value: &Value) -> Vec<Choice> {
    let texts = match value.contents {
        Contents::Nothing => vec![value.name.to_owned()],
        // A name that nobody can guess, nodes of one network, or a file.
        Contents::One(
            _,
            Kind::Text(_) | Kind::Own(_, Structure::Either(_) | Structure::List(Kind::Own(..), _)),
        ) => Vec::new(),
        Contents::One(example, _) => vec![example.to_owned()],
        Contents::Fields(groups) if needs_file(groups) => Vec::new(),
        Contents::Fields(groups) => match inner(groups) {
            Some((field, values)) => {
                let inner = values.iter().filter_map(|value| each(value).into_iter().next());
                inner.map(|inner| format!("{}({field}: {})", value.name, inner.value)).collect()
            }
            None => with_words(value.name, groups),
        },
    };
    texts.into_iter().map(|text| Choice { value: text, help: value.help }).collect()
}

/// Adds required fields, with their examples as values.
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
    // `half_way` is common to all routings: no choice between variants.
    let Some((field, values)) = choice.filter(|(field, _)| *field != "half_way") else {
        return vec![with(None)];
    };
    let plain =
        values.iter().copied().flatten().filter(|it| matches!(it.contents, Contents::Nothing));
    plain.map(|value| with(Some((field, format!("{field}: {}", value.name))))).collect()
}

#[cfg(test)]
mod tests;
