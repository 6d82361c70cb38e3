//! Reads RON into named fields and variants that keep their places, and collects the problems.
//!
//! Fields are read under any name, and overrides replace them here, so that checks need not tell the two apart.

use super::found::{Found, Source};
use super::names::{join, kind, list_of, nearest, one_of, shown};
use super::node::{Field, Node, first_letter, list, named, split, tuple};
use super::{Override, Problem, syntax};
use crate::words::Misfit;

/// Problems that are kept; the rest is only counted, so that no text can make a flood of them.
const FOUND_MAX: usize = 200;

#[derive(Clone, Debug)]
pub(crate) struct Fields<'a> {
    path: String,
    of: String,
    owner: Node<'a>,
    found: Vec<Field<'a>>,
    /// Something was so wrong that nothing can be called missing.
    broken: bool,
}

/// A variant: its name, and what follows the name (empty, or something in parentheses).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice<'a> {
    pub is: &'static str,
    pub name: Node<'a>,
    pub contents: Node<'a>,
}

/// An override on its way to its field.
pub(super) struct Setting<'a> {
    pub path: &'a str,
    pub path_node: Node<'a>,
    pub value: Node<'a>,
    pub used: bool,
}

/// The sources, the overrides not yet used, and the problems so far.
pub(crate) struct Reader<'a> {
    pub(super) sources: Vec<Source<'a>>,
    pub(super) settings: Vec<Setting<'a>>,
    /// The paths of all fields that could be set.
    pub(super) known: Vec<String>,
    /// Paths below which nothing could be read.
    pub(super) abandoned: Vec<String>,
    pub(super) problems: Vec<Found>,
    /// Problems beyond [`FOUND_MAX`].
    pub(super) uncounted: usize,
}

impl<'a> Reader<'a> {
    pub fn new(name: &'a str, text: &'a str, overrides: &'a [Override]) -> Self {
        let mut sources = vec![Source { label: name, text }];
        let mut settings = Vec::new();
        for (index, given) in overrides.iter().enumerate() {
            let (label, path, source) = (given.label.as_str(), given.path.as_str(), index + 1);
            // Problems are shown in the option as it was written, where it holds the value.
            let inside = label.ends_with(&given.value);
            let text = if inside { label } else { given.value.as_str() };
            let value = if inside { &label[label.len() - given.value.len()..] } else { text };
            let before = &text[..text.len() - value.len()];
            let named = before.rfind(path).map_or(text, |at| &text[at..at + path.len()]);
            sources.push(Source { label, text });
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
            uncounted: 0,
        }
    }

    /// Checks the syntax of all sources and returns the text's value.
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

    /// A value that is understood where the text leaves a field out.
    pub fn default_value(&mut self, text: &'static str) -> Node<'a> {
        self.sources.push(Source { label: "default", text });
        Node { source: self.sources.len() - 1, text }
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

    /// Notes a problem at a place.
    pub fn problem(&mut self, at: Node<'a>, what: impl Into<String>, help: Option<String>) {
        if self.problems.len() >= FOUND_MAX {
            self.uncounted += 1;
            return;
        }
        let base = self.sources[at.source].text.as_ptr().addr();
        self.problems.push(Found {
            source: at.source,
            start: at.text.as_ptr().addr() - base,
            length: at.text.len(),
            what: what.into(),
            help,
        });
    }

    /// Notes a problem, and what mends it, with a value that is not to be had therefore.
    pub fn refuse<T>(
        &mut self,
        at: Node<'a>,
        what: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        self.problem(at, what, Some(help.into()));
        None
    }

    /// Notes that something does not fit, at the field of these that is to blame, or else `at`.
    pub fn misfit<T>(
        &mut self,
        at: Node<'a>,
        fields: Option<&Fields<'a>>,
        why: Misfit,
    ) -> Option<T> {
        let blamed = fields.zip(why.field).and_then(|(fields, name)| fields.get(name));
        self.refuse(blamed.map_or(at, |field| field.value), why.what, why.help)
    }

    /// Reads a struct whose name may be left out.
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
            let what = format!("expected `{name}(...)`, found `{}`", shown(found.text));
            self.problem(found, what, Some(format!("write `{name}` here")));
        }
        self.fields(path, of, name, found, contents, allowed)
    }

    /// Reads a variant. A misspelt one is noted and taken for the nearest.
    pub fn choice(
        &mut self,
        path: &str,
        node: Node<'a>,
        names: &[&'static str],
    ) -> Option<Choice<'a>> {
        let Some((name, contents)) = split(node) else {
            let what = format!("expected {}, found {}", one_of(names), kind(node));
            let unquoted = node.text.trim_matches('"');
            let help =
                names.contains(&unquoted).then(|| format!("write {unquoted} without the quotes"));
            self.problem(node, what, help);
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

    /// Notes contents of a variant that has none.
    pub fn no_contents(&mut self, choice: Choice<'a>) {
        let Choice { is, contents, .. } = choice;
        if !contents.text.is_empty() && tuple(contents).is_none_or(|parts| !parts.is_empty()) {
            let what = format!("`{is}` has no fields");
            self.problem(contents, what, Some(format!("write `{is}` alone")));
        }
    }

    /// Reads the one unnamed value of a variant.
    pub fn single(&mut self, choice: Choice<'a>, example: &str) -> Option<Node<'a>> {
        let parts = if choice.contents.text.is_empty() { None } else { tuple(choice.contents) };
        if let Some(&[part]) = parts.as_deref() {
            return Some(part);
        }
        let what = format!("`{}` takes one number in parentheses, without a name", choice.is);
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
            let help = format!("write `{name}(field: value)`; it may have {}", list_of(allowed));
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
                // Taken for the nearest, so that its value is checked and nothing is called missing.
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

    fn setting(&mut self, path: &str) -> Option<Node<'a>> {
        let mut last = None;
        for setting in self.settings.iter_mut().filter(|setting| setting.path == path) {
            setting.used = true;
            last = Some(setting.value);
        }
        last
    }

    /// A field that must be there; `example` says how it may be written.
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

    /// Notes that a field is missing.
    pub fn missing(&mut self, fields: &Fields<'a>, name: &str, example: &str) {
        if !fields.broken {
            let what = format!("{} needs the field {name}", fields.of);
            self.problem(fields.owner, what, Some(format!("add {example}")));
        }
    }

    fn abandon(&mut self, path: &str) {
        self.abandoned.push(path.to_string());
    }

    /// Takes a list apart.
    pub fn list(&mut self, node: Node<'a>, called: &str, help: &str) -> Option<Vec<Node<'a>>> {
        let parts = list(node);
        if parts.is_none() {
            let found = kind(node);
            let what = format!("{called} must be a list in square brackets, not {found}");
            self.problem(node, what, Some(help.into()));
        }
        parts
    }

    /// Reads every part, whatever is wrong with those before it.
    pub fn each<T>(
        &mut self,
        parts: &[Node<'a>],
        mut read: impl FnMut(&mut Self, Node<'a>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let found: Vec<Option<T>> = parts.iter().map(|part| read(self, *part)).collect();
        found.into_iter().collect()
    }

    /// Takes two values in parentheses apart; `said` says what they are.
    pub fn pair(&mut self, node: Node<'a>, said: &str) -> Option<[Node<'a>; 2]> {
        if let Ok(pair) = <[Node<'a>; 2]>::try_from(tuple(node).unwrap_or_default()) {
            return Some(pair);
        }
        let what = format!("{said}; this is {}", kind(node));
        self.refuse(node, what, "write two numbers in parentheses")
    }

    /// The text between two parts of a source.
    pub fn between(&self, one: Node<'a>, other: Node<'a>) -> &'a str {
        let text = self.sources[one.source].text;
        let at = |node: Node<'a>| node.text.as_ptr().addr() - text.as_ptr().addr();
        &text[at(one) + one.text.len()..at(other)]
    }

    /// Moves a problem that was found in the text of `node` alone, with some lines before it, to where
    /// it stands in the whole.
    pub fn moved(&self, problem: &mut Problem, node: Node<'a>, before: usize) {
        let source = &self.sources[node.source];
        source.label.clone_into(&mut problem.source);
        let Some(place) = &mut problem.place else { return };
        let first = place.line == before + 1;
        place.line = place.line - before + self.line(node) - 1;
        if first {
            let start = node.text.as_ptr().addr() - source.text.as_ptr().addr();
            let before = source.text[..start].rsplit('\n').next().unwrap_or_default();
            place.column += before.chars().count();
        }
        let whole = source.text.lines().nth(place.line - 1).unwrap_or_default();
        whole.clone_into(&mut place.text);
    }

    /// The line on which something stands, from 1.
    pub fn line(&self, node: Node<'a>) -> usize {
        let text = self.sources[node.source].text;
        let start = node.text.as_ptr().addr() - text.as_ptr().addr();
        1 + text[..start].matches('\n').count()
    }
}

impl<'a> Fields<'a> {
    /// The field of this name.
    pub fn get(&self, name: &str) -> Option<Field<'a>> {
        self.found.iter().find(|field| field.name == name).copied()
    }
}
