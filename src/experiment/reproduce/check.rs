//! Checks the names in a study.
//!
//! Formulas are refused, and unknown names are reported with position and nearest name.

use std::collections::{BTreeMap, BTreeSet};

use super::cases::ModelName;
use super::lookup::{FIGURES, OF_MODELS};
use super::names::{Figure, Part, Text, is_name, parts};
use super::parts::Parts;
use super::prepare::{MODEL, columns};
use super::selection::Selection;
use super::sources::Sources;
use crate::model::{Model, models_for};
use crate::scenario::nearest;
use crate::scenario::node::Node;
use crate::scenario::reader::Reader;
use crate::system::System;

impl Parts {
    /// Checks the names in a study with the given text; `values` are the names of the points'
    /// distinguishing values.
    pub(crate) fn check<'a>(
        &self,
        reader: &mut Reader<'a>,
        text: &'a str,
        values: impl IntoIterator<Item = String>,
        sources: &Sources,
    ) {
        let mut known: BTreeSet<String> = values.into_iter().chain(self.values(sources)).collect();
        let derived = self.derived();
        known.extend(derived.numbers.iter().map(|(name, _)| (*name).to_owned()));
        known.extend(derived.texts.iter().map(|(name, _)| (*name).to_owned()));
        known.extend(FIGURES.iter().map(|(name, _)| (*name).to_owned()));
        let one = BTreeSet::from([MODEL]);
        let models = self.models.as_ref();
        let models = models.map_or(one, |all| all.keys().map(String::as_str).collect());
        for model in models {
            known.extend(OF_MODELS.map(|figure| format!("{model}.{figure}")));
            known.insert(model.to_owned());
        }
        Check { text, reader, known }.all(self);
    }

    /// Checks that each of the study's models exists for some of its systems, given with their
    /// curves; `at` is the node with the names.
    pub(crate) fn know<'a, 's>(
        &self,
        reader: &mut Reader<'a>,
        at: Node<'a>,
        systems: impl Iterator<Item = (usize, &'s System)>,
    ) {
        let Some(models) = &self.models else { return };
        let systems: BTreeMap<usize, &System> = systems.collect();
        let mut known: Vec<Box<dyn Model>> = Vec::new();
        let is = |ModelName { name, reading }: &ModelName, model: &dyn Model| {
            let read = reading.as_deref().is_none_or(|reading| reading == model.reading());
            model.name().starts_with(name.as_str()) && read
        };
        let found = |all: &[ModelName], known: &[Box<dyn Model>]| {
            all.iter().any(|it| known.iter().any(|model| is(it, &**model)))
        };
        for system in systems.into_values() {
            if models.values().all(|all| found(all, &known)) {
                return;
            }
            known.extend(models_for(system));
        }
        for alternatives in models.values() {
            let found = found(alternatives, &known);
            if let (Some(first), false) = (alternatives.first(), found) {
                let names = known.iter().map(|model| model.name());
                let same = known.iter().filter(|model| model.name().starts_with(&first.name));
                let readings: Vec<&str> = same.map(|model| model.reading()).collect();
                let (what, help) = if let (Some(reading), [_, ..]) = (&first.reading, &readings[..])
                {
                    let what = format!("`{}` has no reading `{reading}`", first.name);
                    (what, format!("it has {}", readings.join(", ")))
                } else {
                    let near = names.clone().max_by_key(|name| alike(name, &first.name));
                    let help = near.map(|near| format!("there is `{near}`"));
                    let what = format!("no model of this system begins with `{}`", first.name);
                    (what, help.unwrap_or_else(|| "there is none for it".to_owned()))
                };
                let marked = at.text.find(&first.name).map_or(at, |start| Node {
                    text: at.text[..start].rfind('"').map_or(at.text, |quote| {
                        let end = at.text[quote + 1..]
                            .find('"')
                            .map_or(at.text.len(), |it| quote + 2 + it);
                        &at.text[quote..end]
                    }),
                    ..at
                });
                reader.problem(marked, what, Some(help));
            }
        }
    }

    /// The names of the values of cases.
    fn values(&self, sources: &Sources) -> BTreeSet<String> {
        let groups = || self.cases.iter().flat_map(|cast| &cast.groups);
        let lines = self.tables.iter().flat_map(|table| &table.lines).flat_map(|line| &line.axes);
        let axes = groups().flat_map(|group| &group.axes).chain(lines);
        let own = groups().flat_map(|group| group.values.keys().cloned());
        let tables = groups().filter_map(|group| group.table.as_deref());
        let along = axes.flat_map(|axis| axis.of.split(' ').map(str::to_owned));
        own.chain(tables.flat_map(|name| columns(name, sources))).chain(along).collect()
    }
}

/// Counts the common leading letters of two names.
fn alike(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count()
}

/// State of checking the names in a study.
struct Check<'c, 'a> {
    text: &'a str,
    reader: &'c mut Reader<'a>,
    known: BTreeSet<String>,
}

impl Check<'_, '_> {
    fn all(&mut self, study: &Parts) {
        let Parts { curve, x, cases, tables, figures, .. } = study;
        self.figures([x]);
        self.texts(curve);
        if let Some(cast) = cases {
            self.figures([&cast.messages, &cast.cycles, &cast.warm_up].into_iter().flatten());
            let set = cast.set.iter().chain(cast.groups.iter().flat_map(|it| &it.set.0));
            self.texts([&cast.scenario].into_iter().chain(set.map(|(_, it)| it)));
            cast.groups.iter().for_each(|group| self.selection(&group.only));
        }
        for line in tables.iter().flat_map(|table| &table.lines) {
            let figures = [&line.paper, &line.paper_model, &line.model];
            let within = [&line.paper_within, &line.model_within];
            let optional = figures.into_iter().chain(within).flatten();
            self.selection(&line.of);
            self.texts([&line.name]);
            self.figures([&line.simulation].into_iter().chain(optional));
        }
        for figure in figures {
            self.selection(&figure.of);
            self.texts([&figure.by].into_iter().chain(figure.curves.iter().map(|it| &it.label)));
            self.figures(figure.curves.iter().flat_map(|it| [&it.x].into_iter().chain(&it.y)));
        }
    }

    fn figures<'f>(&mut self, figures: impl IntoIterator<Item = &'f Figure>) {
        for figure in figures {
            if let Figure::Name(name) = figure {
                self.name(name, name, "write a number or the name of a figure, such as `latency`");
            }
        }
    }

    fn texts<'t>(&mut self, texts: impl IntoIterator<Item = &'t Text>) {
        for Text(text) in texts {
            for part in parts(text) {
                if let Part::Name(name) = part {
                    self.name(text, name, "in braces stands the name of a value: `{load}`");
                }
            }
        }
    }

    fn selection(&mut self, of: &Selection) {
        if let Selection::Formula(text) = of {
            let help = "name the values that are meant: `{\"load\": 0.1}`; all points need none";
            self.refuse(text, text, help);
        }
        of.names().for_each(|name| self.name(name, name, "write the name of a value"));
    }

    fn refuse(&mut self, written: &str, part: &str, help: &str) {
        let what = format!("`{part}` is a formula, and studies have no formulas any more");
        self.problem(written, part, what, Some(help.to_owned()));
    }

    /// Checks a name in a string of the file.
    fn name(&mut self, written: &str, name: &str, instead: &str) {
        if !is_name(name) {
            self.refuse(written, name, instead);
        } else if !self.known.contains(name) {
            let alike = self.known.iter().filter(|it| it.contains('.') == name.contains('.'));
            let near = nearest(name, alike.map(String::as_str));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            self.problem(written, name, format!("no figure of a case is called `{name}`"), help);
        }
    }

    /// Reports a problem with a part of a string, marked at the string's first occurrence in the
    /// file.
    fn problem(&mut self, written: &str, part: &str, what: String, help: Option<String>) {
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let is_alone = |at: &usize| {
            !written[..*at].ends_with(is_letter)
                && !written[at + part.len()..].starts_with(is_letter)
        };
        let within = written.match_indices(part).map(|(at, _)| at).find(is_alone);
        let string = self.text.find(&format!("\"{written}\""));
        let at = string.zip(within).map(|(string, within)| string + 1 + within);
        let marked = at.map_or(&self.text[..0], |at| &self.text[at..at + part.len()]);
        self.reader.problem(Node { source: 0, text: marked }, what, help);
    }
}
