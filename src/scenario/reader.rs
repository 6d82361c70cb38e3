//! Reads RON into named fields and variants with positions, and collects problems.
//!
//! Fields are read under any name, and overrides replace them here; later checks treat both alike.

use super::found::{Found, Source};
use super::insertions::Given;
use super::names::{join, kind, list_of, misnamed, nearest, one_of, shown};
use super::node::{Field, Node, first_letter, list, named, split, tuple};
use super::{Document, Load, Override, paths, syntax};
use crate::network_files::StreamedDraft;
use crate::words::{self, Kind, Misfit};

/// The maximal number of stored problems; more are only counted, to limit the output for any text.
const FOUND_MAX: usize = 200;

#[derive(Clone, Debug)]
pub(crate) struct Fields<'a> {
    path: String,
    of: String,
    pub owner: Node<'a>,
    found: Vec<Field<'a>>,
    /// True after a mistake that may hide fields; fields are then not reported as missing.
    broken: bool,
}

/// A variant: its name and its contents (empty, or in parentheses).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice<'a> {
    pub is: &'static str,
    pub name: Node<'a>,
    pub contents: Node<'a>,
}

/// An override not yet assigned to its field.
pub(super) struct Setting<'a> {
    pub path: &'a str,
    pub path_node: Node<'a>,
    pub value: Node<'a>,
    pub used: bool,
}

/// The sources, the unused overrides, and all problems so far.
pub(crate) struct Reader<'a> {
    pub(super) sources: Vec<Source<'a>>,
    pub(super) settings: Vec<Setting<'a>>,
    /// The paths of all possible fields.
    pub(super) known: Vec<String>,
    /// Paths with unreadable contents.
    pub(super) abandoned: Vec<String>,
    pub(super) problems: Vec<Found>,
    /// The fields of the document.
    pub(super) whole: &'static [words::Field],
    /// Problems beyond [`FOUND_MAX`].
    pub(super) uncounted: usize,
    /// The reader of files that the text names.
    pub(super) load: Option<Load<'a>>,
    /// A table that an earlier reading of the scenario kept.
    pub(super) kept: Option<StreamedDraft>,
    /// Contents of files that the text names.
    pub(super) given: Given,
    defaulted: Option<(usize, Node<'a>)>,
}

impl<'a> Reader<'a> {
    /// Creates a reader of RON text.
    pub fn new(name: &'a str, text: &'a str, overrides: &'a [Override]) -> Self {
        Self::of_source(Source { label: name, text, origin: None }, overrides)
    }

    /// Creates a reader of text in RON or JSON.
    pub fn of(name: &'a str, document: &'a Document<'a>, overrides: &'a [Override]) -> Self {
        let source = Source { label: name, text: document.ron(), origin: document.origin() };
        Self::of_source(source, overrides)
    }

    fn of_source(source: Source<'a>, overrides: &'a [Override]) -> Self {
        let mut sources = vec![source];
        let mut settings = Vec::new();
        for (index, given) in overrides.iter().enumerate() {
            let (label, path, source) = (given.label.as_str(), given.path.as_str(), index + 1);
            // Problems are shown in the option as written, if the option contains the value.
            let inside = label.ends_with(&given.value);
            let text = if inside { label } else { given.value.as_str() };
            let value = if inside { &label[label.len() - given.value.len()..] } else { text };
            let before = &text[..text.len() - value.len()];
            let named = before.rfind(path).map_or(text, |at| &text[at..at + path.len()]);
            sources.push(Source { label, text, origin: None });
            settings.push(Setting {
                path,
                path_node: Node { source, text: named },
                value: Node { source, text: value },
                used: false,
            });
        }
        Self {
            sources,
            settings,
            known: Vec::new(),
            abandoned: Vec::new(),
            problems: Vec::new(),
            whole: &[],
            uncounted: 0,
            load: None,
            kept: None,
            given: Given::default(),
            defaulted: None,
        }
    }

    /// Checks the syntax of all sources and returns the value of the text.
    pub fn document(&mut self) -> Option<Node<'a>> {
        let mut document = Node { source: 0, text: self.sources[0].text };
        if let Some(text) = self.value(document) {
            document.text = text;
        }
        for index in 0..self.settings.len() {
            let value = self.settings[index].value;
            if let Some(text) = self.value(value) {
                self.settings[index].value.text = text;
            }
        }
        self.problems.is_empty().then_some(document)
    }

    /// Adds the default of an omitted field as a source; its problems are reported at `owner`.
    pub fn default_value(&mut self, owner: Node<'a>, text: &'static str) -> Node<'a> {
        self.sources.push(Source { label: "default", text, origin: None });
        let source = self.sources.len() - 1;
        self.defaulted = Some((source, owner));
        Node { source, text }
    }

    fn value(&mut self, node: Node<'a>) -> Option<&'a str> {
        if node.source > 0 && node.text.trim().is_empty() {
            self.problem(node, "the value is missing", None);
            return None;
        }
        match syntax::value(node.text) {
            Ok(text) => Some(text),
            Err(mistake) => {
                let place = Node { text: &node.text[mistake.start..mistake.end], ..node };
                self.problem(place, mistake.what, mistake.help);
                None
            }
        }
    }

    /// Records a problem.
    pub fn problem(&mut self, at: Node<'a>, what: impl Into<String>, help: Option<String>) {
        if self.problems.len() >= FOUND_MAX {
            self.uncounted += 1;
            return;
        }
        let at = self.defaulted.filter(|it| it.0 == at.source).map_or(at, |(_, owner)| owner);
        let base = self.sources[at.source].text.as_ptr().addr();
        self.problems.push(Found {
            source: at.source,
            start: at.text.as_ptr().addr() - base,
            length: at.text.len(),
            what: what.into(),
            help,
        });
    }

    /// Records a problem with its correction, and returns `None`.
    pub fn refuse<T>(
        &mut self,
        at: Node<'a>,
        what: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        self.problem(at, what, Some(help.into()));
        None
    }

    /// Records an incompatibility at the responsible field, or else at `at`.
    pub fn misfit<T>(
        &mut self,
        at: Node<'a>,
        fields: Option<&Fields<'a>>,
        why: Misfit,
    ) -> Option<T> {
        let blamed = fields.zip(why.field).and_then(|(fields, name)| fields.get(name));
        self.refuse(blamed.map_or(at, |field| field.value), why.what, why.help)
    }

    /// Reads a struct with an optional name.
    pub fn group(
        &mut self,
        path: &str,
        of: &str,
        node: Node<'a>,
        name: &'static str,
        allowed: &[&'static str],
    ) -> Fields<'a> {
        let Some((found, contents)) = split(node) else {
            return self.fields(path, of, name, first_letter(node), node, allowed);
        };
        if found.text != name {
            let (what, help) = misnamed(of, found.text, name, allowed);
            self.problem(found, what, Some(help));
        }
        self.fields(path, of, name, found, contents, allowed)
    }

    /// Reads a variant. Reports a misspelt name and continues with the nearest; suggests `instead`
    /// for values other than variants.
    pub fn choice(
        &mut self,
        path: &str,
        node: Node<'a>,
        names: &[&'static str],
        instead: Option<&str>,
    ) -> Option<Choice<'a>> {
        let Some((name, contents)) = split(node) else {
            let what = format!("expected {}, found {}", one_of(names), kind(node));
            let near = nearest(node.text.trim_matches('"'), names.iter().copied());
            let help = near.filter(|_| node.text.starts_with('"'));
            let help = help.map(|near| format!("write `{near}` without the quotes"));
            self.problem(
                node,
                what,
                help.or_else(|| instead.map(|value| format!("write `{value}`"))),
            );
            self.abandon(path);
            return None;
        };
        if let Some(is) = names.iter().find(|known| **known == name.text) {
            return Some(Choice { is, name, contents });
        }
        let near = nearest(name.text, names.iter().copied());
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write {}", one_of(names)),
        };
        self.problem(name, format!("`{path}` has no choice `{}`", shown(name.text)), Some(help));
        let is = names.iter().find(|known| Some(**known) == near);
        if is.is_none() {
            self.abandon(path);
        }
        is.map(|is| Choice { is, name, contents })
    }

    /// Reports contents of a variant without fields.
    pub fn no_contents(&mut self, choice: Choice<'a>) {
        let Choice { is, contents, .. } = choice;
        if !contents.text.is_empty() && tuple(contents).is_none_or(|parts| !parts.is_empty()) {
            let what = format!("`{is}` has no fields");
            self.problem(contents, what, Some(format!("write `{is}` alone")));
        }
    }

    /// Reads the unnamed value of a variant.
    pub fn single(&mut self, choice: Choice<'a>, example: &str) -> Option<Node<'a>> {
        let parts = if choice.contents.text.is_empty() { None } else { tuple(choice.contents) };
        if let Some(&[part]) = parts.as_deref() {
            return Some(part);
        }
        let kind = if example.contains('"') { "text" } else { "number" };
        let what = format!("`{}` takes one {kind} in parentheses, without a name", choice.is);
        let at = if choice.contents.text.is_empty() { choice.name } else { choice.contents };
        self.refuse(at, what, format!("write `{example}`"))
    }

    /// Reads the fields of a variant.
    pub fn choice_fields(
        &mut self,
        path: &str,
        choice: Choice<'a>,
        allowed: &[&'static str],
    ) -> Fields<'a> {
        let of = format!("`{}`", choice.is);
        self.fields(path, &of, choice.is, choice.name, choice.contents, allowed)
    }

    fn fields(
        &mut self,
        path: &str,
        of: &str,
        name: &str,
        owner: Node<'a>,
        contents: Node<'a>,
        allowed: &[&'static str],
    ) -> Fields<'a> {
        let mut fields = Fields {
            path: path.to_string(),
            of: of.to_string(),
            owner,
            found: Vec::new(),
            broken: false,
        };
        let read = if contents.text.is_empty() { Some(Vec::new()) } else { named(contents) };
        if read.is_none() {
            let what = format!("expected the fields of {of}, each with its name");
            let values = tuple(contents)
                .map(|values| self.one_for_each(path, allowed, values))
                .filter(|values| (1..=allowed.len()).contains(&values.len()));
            let help = match values {
                Some(values) => {
                    let field =
                        |(name, value): (&&str, &Node<'a>)| format!("{name}: {}", value.text);
                    let fields: Vec<String> = allowed.iter().zip(&values).map(field).collect();
                    format!("write `{name}({})`", fields.join(", "))
                }
                None => format!("write `{name}(field: value)`; it may have {}", list_of(allowed)),
            };
            self.problem(contents, what, Some(help));
            fields.broken = true;
        }
        let read = read.unwrap_or_default();
        let free: Vec<&'static str> =
            allowed.iter().copied().filter(|name| read.iter().all(|f| f.name != *name)).collect();
        for field in &read {
            if !allowed.contains(&field.name) {
                let near = nearest(field.name, free.iter().copied());
                let help = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("it may have {}", list_of(allowed)),
                };
                let what = format!("{of} has no field `{}`", shown(field.name));
                self.problem(field.key, what, Some(help));
                // Treated as the nearest name: the value is checked, and no field is reported as
                // missing.
                if let Some(name) = near.filter(|name| fields.get(name).is_none()) {
                    fields.found.push(Field { name, ..*field });
                }
            } else if let Some(first) = fields.found.iter().find(|f| f.name == field.name) {
                let line = if self.uncounted == 0 { self.line(first.key) } else { 0 };
                let what = format!("`{}` is given twice, first on line {line}", field.name);
                self.problem(field.key, what, Some("remove one of the two".into()));
            } else {
                fields.found.push(*field);
            }
        }
        for name in allowed {
            let path = join(path, name);
            if let Some(value) = self.setting(&path) {
                fields.found.retain(|field| field.name != *name);
                fields.found.push(Field::set(name, value));
            }
            self.known.push(path);
        }
        fields
    }

    /// The values of unnamed fields; a single list counts as its parts if the first field is a
    /// number.
    fn one_for_each(&self, path: &str, allowed: &[&str], values: Vec<Node<'a>>) -> Vec<Node<'a>> {
        let first = allowed.first().map(|first| join(path, first));
        let kind = first.and_then(|path| paths::kind(self.whole, &path));
        let is_number = matches!(kind, Some(Kind::Whole { .. } | Kind::Number { .. }));
        let parts = if let (&[only], true) = (&values[..], is_number) { list(only) } else { None };
        parts.unwrap_or(values)
    }

    fn setting(&mut self, path: &str) -> Option<Node<'a>> {
        let mut last = None;
        for setting in self.settings.iter_mut().filter(|setting| setting.path == path) {
            setting.used = true;
            last = Some(setting.value);
        }
        last
    }

    /// Returns a required field; `example` is suggested if the field is missing.
    pub fn required(
        &mut self,
        fields: &Fields<'a>,
        name: &str,
        example: &str,
    ) -> Option<Field<'a>> {
        let field = fields.get(name);
        if field.is_none() {
            self.missing(fields, &format!("`{name}`"), &format!("`{name}: {example}`"));
            self.abandon(&join(&fields.path, name));
        }
        field
    }

    /// Reports a missing field.
    pub fn missing(&mut self, fields: &Fields<'a>, name: &str, example: &str) {
        if !fields.broken {
            let what = format!("{} needs the field {name}", fields.of);
            self.problem(fields.owner, what, Some(format!("add {example}")));
        }
    }

    fn abandon(&mut self, path: &str) {
        self.abandoned.push(path.to_string());
    }
}

impl<'a> Fields<'a> {
    /// The field with the given name.
    pub fn get(&self, name: &str) -> Option<Field<'a>> {
        self.found.iter().find(|field| field.name == name).copied()
    }
}
