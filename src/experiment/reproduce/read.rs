//! Reads the reproduction fields of a study file; problems have positions.

use std::collections::BTreeMap;

use ron::error::{Error, Position};
use ron::extensions::Extensions;
use serde::de::DeserializeOwned;

use super::cases::ModelName;
use super::claim::Paper;
use super::names::{Figure, Text};
use super::papers;
use super::parts::{Cast, Entries, FigureOf, Parts};
use crate::scenario::checked::Checked;
use crate::scenario::nearest;
use crate::scenario::node::{Node, first_letter, list, map};
use crate::scenario::reader::Reader;

/// The offered load, the default position of a case.
const OFFERED: &str = "offered";
/// The default rate field.
const AXIS: &str = "traffic.arrivals.rate";

impl Parts {
    /// Reads the fields of a study.
    pub(crate) fn read<'a>(reader: &mut Reader<'a>, all: &Checked<'a>) -> Option<Self> {
        let node = |name| all.fields.get(name).map(|field| field.value);
        let text = |name| all.given::<String>(name).unwrap_or_default();
        let models = node("models").map(|at| models(reader, at));
        let quick = node("quick").map(|at| at.text.parse().ok());
        let cases = node("cases").map(|at| cast(reader, all, at));
        let figures = node("figures").map(|at| own(reader, at));
        let judged = node("claims").map(|at| paper(reader, at));
        let (curve, x) = (read(reader, node("curve")), read(reader, node("x")));
        let tables = read(reader, node("tables"));
        Some(Self {
            name: text("name"),
            paper: text("paper"),
            about: text("about"),
            quick: quick.unwrap_or(Some(false))?,
            judged: transposed(judged)?,
            models: transposed(models)?,
            curve: curve?,
            x: x?.unwrap_or_else(|| Figure::Name(OFFERED.to_owned())),
            cases: transposed(cases)?,
            tables: tables?.unwrap_or_default(),
            figures: figures.unwrap_or_else(|| Some(Vec::new()))?,
        })
    }
}

/// Keeps errors, and flattens absent values.
#[expect(clippy::option_option, reason = "outside: given; inside: right")]
fn transposed<T>(read: Option<Option<T>>) -> Option<Option<T>> {
    match read {
        Some(None) => None,
        other => Some(other.flatten()),
    }
}

/// Reads the value of an optional field.
#[expect(clippy::option_option, reason = "outside: right; inside: given")]
fn read<'a, T: DeserializeOwned>(
    reader: &mut Reader<'a>,
    node: Option<Node<'a>>,
) -> Option<Option<T>> {
    transposed(node.map(|at| decode(reader, at)))
}

/// Reads a value by `serde`.
pub(super) fn decode<'a, T: DeserializeOwned>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
) -> Option<T> {
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    match options.from_str(node.text) {
        Ok(value) => Some(value),
        Err(error) => {
            let mut what = error.code.to_string();
            let mut help = None;
            if let Error::NoSuchStructField { expected, found, .. } = &error.code {
                let near = nearest(found, expected.iter().copied());
                help = near.map(|near| format!("did you mean `{near}`?"));
            } else if let Error::MissingStructField { field, .. } = &error.code {
                what = format!("the field `{field}` is missing");
                help = Some(format!("add `{field}: …` in these parentheses"));
            }
            let place = Node { text: from(node.text, error.span.end), ..node };
            reader.problem(place, what, help);
            None
        }
    }
}

/// The character at a position.
fn from(text: &str, place: Position) -> &str {
    let end = &text[text.len()..];
    let line = text.split_inclusive('\n').nth(place.line.saturating_sub(1)).unwrap_or(end);
    let mut rest = line.chars();
    rest.by_ref().take(place.col.saturating_sub(1)).for_each(drop);
    let rest = rest.as_str();
    &rest[..rest.chars().next().map_or(0, char::len_utf8)]
}

/// Reads the study-specific figures of a list.
fn own<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Vec<FigureOf>> {
    let parts = reader.list(node, "the figures", "write `[Latency, Accepted]`")?;
    let own: Vec<Node<'a>> = parts.into_iter().filter(|part| is_own(*part)).collect();
    reader.each(&own, decode)
}

/// True for a study-specific figure: fields without a leading name.
fn is_own(node: Node<'_>) -> bool {
    first_letter(node).text == "("
}

/// Models by name, each with alternatives in order of preference; or a list, each model under its
/// own name.
fn models<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<BTreeMap<String, Vec<ModelName>>> {
    const EXAMPLE: &str = r#"write `["adaptive torus: calibrated"]`"#;
    if let Some(entries) = map(node) {
        let mut all = BTreeMap::new();
        for (key, value) in entries {
            let name = reader.line_of_text(key, "a model's name in the study")?;
            let parts = reader.list(value, "the models", EXAMPLE)?;
            all.insert(name, reader.each(&parts, model)?);
        }
        return Some(all);
    }
    let parts = reader.list(node, "the models", EXAMPLE)?;
    let all = reader.each(&parts, |reader, part| {
        let name = model(reader, part)?;
        Some((reader.line_of_text(part, "a model")?, vec![name]))
    });
    Some(all?.into_iter().collect())
}

fn model<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<ModelName> {
    let text = reader.line_of_text(node, "a model")?;
    let (name, reading) = text
        .split_once(": ")
        .map_or((text.as_str(), None), |(name, reading)| (name, Some(reading.to_owned())));
    Some(ModelName { name: name.to_owned(), reading })
}

/// Reads the cases, with the runs for each.
fn cast<'a>(reader: &mut Reader<'a>, all: &Checked<'a>, cases: Node<'a>) -> Option<Cast> {
    let node = |name| all.fields.get(name).map(|field| field.value);
    for name in ["vary", "loads", "bracket", "seeds"] {
        if let Some(at) = node(name) {
            let what =
                format!("`{name}` is given besides `cases`, which say themselves what is run");
            reader.problem(at, what, Some("remove one of the two".to_owned()));
        }
    }
    let groups = decode(reader, cases);
    let set: Option<Option<Entries>> = read(reader, node("set"));
    let scenario: Option<Option<Text>> = read(reader, node("scenario"));
    let mut figure = |name| transposed(node(name).map(|at| number(reader, at)));
    let (messages, cycles, warm_up) = (figure("messages"), figure("cycles"), figure("warm_up"));
    Some(Cast {
        scenario: scenario??,
        set: set?.unwrap_or_default().0,
        axis: all.given("axis").unwrap_or_else(|| AXIS.to_owned()),
        messages: messages?,
        cycles: cycles?,
        warm_up: warm_up?,
        precision: all.given("precision"),
        replications: all.get("replications")?,
        groups: groups?,
    })
}

/// Reads a whole number, or a figure name in quotes.
fn number<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Figure> {
    if first_letter(node).text == "\"" {
        return decode(reader, node);
    }
    Some(Figure::Number(reader.integer(node, "this", 0..=u64::MAX / 2)? as f64))
}

/// Reads the paper with the judged claims.
fn paper<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<&'static Paper> {
    if first_letter(node).text != "\"" {
        let what = "a study has no claims of its own, since it has no formulas";
        let help =
            "put the values that are expected into `tables`, as `flitscope guide studies` shows";
        return reader.refuse(node, what, help);
    }
    let name = reader.line_of_text(node, "the paper")?;
    if let Some(paper) = papers::find(&name) {
        return Some(paper);
    }
    let near = nearest(&name, papers::ALL.iter().map(|paper| paper.name));
    let help = near.map(|near| format!("did you mean `{near}`?"));
    reader.problem(node, format!("the claims of no paper are called `{name}`"), help);
    None
}

/// Finds the standard figures in a list of figures.
pub(crate) fn named(node: Node<'_>) -> Vec<Node<'_>> {
    list(node).unwrap_or_default().into_iter().filter(|part| !is_own(*part)).collect()
}
