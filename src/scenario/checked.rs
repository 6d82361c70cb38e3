//! Reads values by their descriptors ([`crate::words`]). Correct values become text for `serde`,
//! with defaults for omitted fields.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::names::shown;
use super::node::{Node, named};
use super::paths;
use super::reader::{Choice, Fields, Reader};
use crate::words::{Contents, Field, Kind, Limits, Need, Structure, Value, value, written};

pub(crate) struct Checked<'a> {
    /// The given fields, with their places.
    pub fields: Fields<'a>,
    /// The texts of correct fields.
    texts: Vec<(&'static str, String)>,
    /// The defaults of omitted fields.
    defaults: Vec<(&'static str, String)>,
    /// Incorrect and missing fields.
    wrong: Vec<&'static str>,
}

impl Checked<'_> {
    /// The value of a correct given field.
    pub fn given<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        value(find(&self.texts, name)?)
    }

    /// The value of a given field, or the default of an omitted field.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let given = self.fields.get(name).is_some();
        if given { self.given(name) } else { value(find(&self.defaults, name)?) }
    }

    /// Removes a field that is not part of the variant and returns its value.
    pub fn take<T: DeserializeOwned>(&mut self, name: &str) -> Option<T> {
        let value = self.get(name);
        self.texts.retain(|(known, _)| *known != name);
        self.defaults.retain(|(known, _)| *known != name);
        self.wrong.retain(|known| *known != name);
        value
    }

    /// Variant `name` with these fields, if all are correct.
    pub fn variant<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        value(&self.text(name)?)
    }

    /// Replaces fields of `base` by the given ones, if all are correct.
    pub fn over<T: Serialize + DeserializeOwned>(&self, base: &T) -> Option<T> {
        let text = written(base);
        let own = named(Node::alone(&text))?;
        let field = |field: &super::node::Field<'_>| {
            format!("{}:{}", field.name, find(&self.texts, field.name).unwrap_or(field.value.text))
        };
        let fields: Vec<String> = own.iter().map(field).collect();
        self.wrong.is_empty().then(|| value(&format!("({})", fields.join(","))))?
    }

    /// Adds the text of a field read by the caller; `None` marks the field as wrong.
    pub fn fill(&mut self, name: &'static str, text: Option<String>) {
        match text {
            Some(text) => self.texts.push((name, text)),
            None => self.wrong.push(name),
        }
    }

    /// Gives an omitted field the text of a value.
    pub fn replace(&mut self, name: &'static str, text: Option<String>) {
        self.defaults.retain(|(known, _)| *known != name);
        self.fill(name, text);
    }

    fn text(&self, name: &str) -> Option<String> {
        let all = self.texts.iter().chain(&self.defaults);
        let all: Vec<String> = all.map(|(name, text)| format!("{name}:{text}")).collect();
        let fields = if all.is_empty() { String::new() } else { format!("({})", all.join(",")) };
        self.wrong.is_empty().then(|| format!("{name}{fields}"))
    }
}

fn find<'t>(texts: &'t [(&'static str, String)], name: &str) -> Option<&'t str> {
    texts.iter().find(|(known, _)| *known == name).map(|(_, text)| text.as_str())
}

/// The names in groups of descriptors.
macro_rules! names {
    ($groups:expr) => {
        $groups.iter().copied().flatten().map(|it| it.name).collect::<Vec<&'static str>>()
    };
}

/// The probable meaning of text that names no value: a number becomes the value with a single
/// unnamed number; other texts become the example of the field.
fn instead(
    whole: &[Field],
    path: &str,
    node: Node<'_>,
    values: &[&'static [Value]],
) -> Option<String> {
    let number = ron::from_str::<f64>(node.text).is_ok();
    let single = values.iter().copied().flatten().find_map(|value| match value.contents {
        Contents::One(_, Kind::Whole { .. } | Kind::Number { .. }) => Some(value.name),
        Contents::One(..) | Contents::Nothing | Contents::Fields(_) => None,
    });
    if let (true, Some(name)) = (number, single) {
        return Some(format!("{name}({})", node.text));
    }
    paths::example(whole, path).map(str::to_owned)
}

impl<'a> Reader<'a> {
    /// Reads the name of a variant.
    pub fn pick(
        &mut self,
        path: &str,
        node: Node<'a>,
        values: &[&'static [Value]],
    ) -> Option<(Choice<'a>, Contents)> {
        let choice = self.choice(
            path,
            node,
            &names!(values),
            instead(self.whole, path, node, values).as_deref(),
        )?;
        let value = values.iter().copied().flatten().find(|value| value.name == choice.is)?;
        Some((choice, value.contents))
    }

    /// Reads the fields of a variant, and reports contents that the variant does not have.
    pub fn contents(
        &mut self,
        path: &str,
        choice: Choice<'a>,
        contents: Contents,
    ) -> Option<Checked<'a>> {
        let Contents::Fields(groups) = contents else {
            self.no_contents(choice);
            return None;
        };
        let fields = self.choice_fields(path, choice, &names!(groups));
        Some(self.checked(path, fields, groups, &[]))
    }

    /// Reads a struct with an optional name; the fields named in `apart` are left to the caller.
    pub fn record(
        &mut self,
        path: &str,
        of: &str,
        node: Node<'a>,
        name: &'static str,
        descriptors: &'static [Field],
        apart: &[&str],
    ) -> Checked<'a> {
        if path.is_empty() {
            self.whole = descriptors;
        }
        let groups = &[descriptors];
        let fields = self.group(path, of, node, name, &names!(groups));
        self.checked(path, fields, groups, apart)
    }

    /// Reads every field, even after mistakes.
    fn checked(
        &mut self,
        path: &str,
        fields: Fields<'a>,
        groups: &[&'static [Field]],
        apart: &[&str],
    ) -> Checked<'a> {
        let (texts, defaults, wrong) = (Vec::new(), Vec::new(), Vec::new());
        let mut checked = Checked { fields, texts, defaults, wrong };
        for field in groups.iter().copied().flatten() {
            let given = match field.need {
                Need::Example(example) => self.required(&checked.fields, field.name, example),
                Need::Default(_) | Need::Open => checked.fields.get(field.name),
            };
            let truth = matches!(field.kind, Kind::Own(_, Structure::Truth));
            let own = matches!(field.kind, Kind::Own(..)) && !truth;
            let own = own || apart.contains(&field.name);
            match (given, field.need) {
                (Some(_), _) if own => {}
                (Some(given), _) => {
                    let path = super::names::join(path, field.name);
                    checked.fill(field.name, self.text(&path, given.value, &field.kind));
                }
                (None, Need::Example(_)) => checked.wrong.push(field.name),
                (None, Need::Default(text)) => checked.defaults.push((field.name, text.into())),
                (None, Need::Open) => {}
            }
        }
        checked
    }

    /// Reads a value and returns its text with all defaults; `None` if wrong.
    fn text(&mut self, path: &str, node: Node<'a>, kind: &Kind) -> Option<String> {
        match *kind {
            Kind::Whole { called, limits: (least, most) } => {
                self.integer(node, called, least..=most).map(|number| number.to_string())
            }
            Kind::Number { called, example, limits } => {
                self.limited(node, called, example, limits).map(|number| format!("{number:?}"))
            }
            Kind::Text(called) => self.line_of_text(node, called).map(|text| written(&text)),
            Kind::Choice(values) => {
                let (choice, contents) = self.pick(path, node, values)?;
                self.filled(path, choice, contents).map(|(text, _)| text)
            }
            Kind::Own(called, Structure::List(of, limits)) => {
                self.list_text(path, node, (called, of, limits))
            }
            Kind::Own(called, Structure::Tuple([of], (2, 2))) => {
                let parts = self.pair(node, &format!("{called} are two numbers in parentheses"))?;
                let texts = self.each(&parts, |reader, part| reader.text(path, part, of))?;
                Some(format!("({})", texts.join(",")))
            }
            Kind::Own(_, Structure::Truth) => self.truth(node).map(|truth| truth.to_string()),
            Kind::Fields(_) | Kind::Own(..) => Some(node.text.into()),
        }
    }

    /// Reads a list of values of one kind and returns its text.
    fn list_text(
        &mut self,
        path: &str,
        node: Node<'a>,
        (called, of, (least, most)): (&str, &Kind, (usize, usize)),
    ) -> Option<String> {
        let parts = self.list(node, called, "write values in square brackets")?;
        if !(least..=most).contains(&parts.len()) {
            let what = format!("{called} must be {least} to {most} values, not {}", parts.len());
            return self.refuse(node, what, "write a list of this length");
        }
        let texts = self.each(&parts, |reader, part| reader.text(path, part, of))?;
        Some(format!("[{}]", texts.join(",")))
    }

    /// Reads a variant with its fields, if any.
    pub fn term<T: DeserializeOwned>(
        &mut self,
        path: &str,
        node: Node<'a>,
        values: &[&'static [Value]],
    ) -> Option<(T, Option<Fields<'a>>)> {
        let (choice, contents) = self.pick(path, node, values)?;
        self.chosen(path, choice, contents)
    }

    /// Reads the contents of a variant already chosen.
    pub fn chosen<T: DeserializeOwned>(
        &mut self,
        path: &str,
        choice: Choice<'a>,
        contents: Contents,
    ) -> Option<(T, Option<Fields<'a>>)> {
        let (text, fields) = self.filled(path, choice, contents)?;
        Some((value(&text)?, fields))
    }

    /// Reads the contents of a variant; returns the text with all defaults, and the fields.
    fn filled(
        &mut self,
        path: &str,
        choice: Choice<'a>,
        contents: Contents,
    ) -> Option<(String, Option<Fields<'a>>)> {
        if let Contents::One(example, kind) = contents {
            let at = self.single(choice, example)?;
            return Some((format!("{}({})", choice.is, self.text(path, at, &kind)?), None));
        }
        match self.contents(path, choice, contents) {
            Some(checked) => Some((checked.text(choice.is)?, Some(checked.fields))),
            None => Some((choice.is.into(), None)),
        }
    }

    fn limited(
        &mut self,
        node: Node<'a>,
        called: &str,
        example: &str,
        limits: Limits,
    ) -> Option<f64> {
        let (what, help) = match limits {
            Limits::Positive(most) => match self.positive(node, called, example)? {
                number if number <= most => return Some(number),
                number => {
                    (format!("at most {most}, not {number}"), format!("write {most} or less"))
                }
            },
            Limits::Below(limit) => match self.positive(node, called, example)? {
                number if number < limit => return Some(number),
                number => (
                    format!("below {limit}, not {number}"),
                    format!("write a number below {limit}, such as {example}"),
                ),
            },
            Limits::Within(least, most, unit) => match self.number(node, called, example)? {
                number if (least..=most).contains(&number) => return Some(number),
                number => {
                    let what = format!("{least} to {most} {unit}, not {}", shown(node.text));
                    let low = number < least;
                    let (limit, side) = if low { (least, "more") } else { (most, "less") };
                    (what, format!("write {limit} or {side}"))
                }
            },
        };
        self.refuse(node, format!("{called} must be {what}"), help)
    }
}
