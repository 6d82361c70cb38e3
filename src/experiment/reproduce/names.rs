//! Whatever the formulas of a study name must be there. Every problem is told at once, with its place.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::cases::ModelName;
use super::formula::{Formula, Part, Written};
use super::parts::{Judged, Parts, Text};
use super::prepare::{MODEL, columns};
use super::scope::{FIGURES, FUNCTIONS, OF_MODELS};
use super::sources::Sources;
use crate::model::{Model, models_for};
use crate::scenario::nearest;
use crate::scenario::node::Node;
use crate::scenario::reader::Reader;
use crate::system::System;

/// How deep formulas with names may be nested in each other.
const DEPTH_MAX: usize = 16;

impl Parts {
    /// Looks through the formulas of a study, the text of which `reader` reads; `values` are the names of
    /// what sets its points apart.
    pub(crate) fn check<'a>(
        &self,
        reader: &mut Reader<'a>,
        text: &'a str,
        values: impl IntoIterator<Item = String>,
        sources: &Sources,
    ) {
        let values: BTreeSet<String> = values.into_iter().chain(self.values(sources)).collect();
        let one = BTreeSet::from([MODEL]);
        let models = self.models.as_ref();
        let models = models.map_or(one, |all| all.keys().map(String::as_str).collect());
        let mut check = Check { study: self, text, reader, values: &values, models };
        check.nesting();
        check.all();
    }

    /// Sees to it that each of the study's models is one of some of its systems, which come with their
    /// curves; `at` is where they are named.
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

    /// The names of what sets cases apart.
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

impl Formula {
    /// Tells of every name alone in it.
    fn names<'a>(&'a self, told: &mut dyn FnMut(&'a str)) {
        let of_text = |text: &'a super::formula::Text, told: &mut dyn FnMut(&'a str)| {
            for part in &text.0 {
                if let Part::Shown(formula, _) = part {
                    formula.names(told);
                }
            }
        };
        match self {
            Self::Number(_) => {}
            Self::Text(text) => of_text(text, told),
            Self::Name(name) => told(name),
            // What a model or a partner says of a name is its own.
            Self::Of(_, inner) => {
                let with = inner.as_call().map_or(&[][..], |(_, with)| with);
                for formula in with {
                    formula.names(told);
                }
            }
            Self::Prefix(_, inner) => inner.names(told),
            Self::Call(_, with) => with.iter().for_each(|formula| formula.names(told)),
            Self::Infix(_, left, right) => {
                left.names(told);
                right.names(told);
            }
        }
    }
}

/// A formula as it is written, and the partners that it may speak of.
#[derive(Clone, Copy)]
struct At<'a> {
    written: &'a str,
    partners: &'a [&'a str],
}

/// How many letters two names begin with that are the same.
fn alike(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count()
}

/// Looks through the formulas of a study.
struct Check<'c, 'a> {
    study: &'c Parts,
    text: &'a str,
    reader: &'c mut Reader<'a>,
    values: &'c BTreeSet<String>,
    models: BTreeSet<&'c str>,
}

impl Check<'_, '_> {
    /// Formulas with names must not be nested for ever.
    fn nesting(&mut self) {
        let lets = &self.study.lets;
        // How deep each is nested, as far as it is known.
        let mut depths: BTreeMap<&str, usize> = BTreeMap::new();
        for _ in 0..DEPTH_MAX {
            for (name, formula) in lets {
                let mut depth = Some(1);
                formula.names(&mut |inner| {
                    if lets.contains_key(inner) && !self.values.contains(inner) {
                        let known = depths.get(inner);
                        depth = depth.zip(known).map(|(depth, known)| depth.max(known + 1));
                    }
                });
                depths.extend(depth.map(|depth| (name.as_str(), depth)));
            }
        }
        for (name, formula) in lets.iter().filter(|(name, _)| !depths.contains_key(name.as_str())) {
            let what = format!(
                "`{name}` is worked out from itself, or from more than {DEPTH_MAX} formulas in a row"
            );
            let at = At { written: &formula.text, partners: &[] };
            self.problem(at, "", what, None);
        }
    }

    fn all(&mut self) {
        let Parts { lets, curve, x, cases, tables, figures, claims, .. } = self.study;
        let mut formulas: Vec<&Written<Formula>> = lets.values().chain([x]).collect();
        let mut texts: Vec<&Text> = curve.iter().collect();
        if let Some(cast) = cases {
            formulas.extend([&cast.messages, &cast.cycles, &cast.warm_up].into_iter().flatten());
            let groups = &cast.groups;
            let set = cast.set.iter().chain(groups.iter().flat_map(|it| &it.set.0));
            texts.extend([&cast.scenario].into_iter().chain(set.map(|(_, it)| it)));
            formulas.extend(groups.iter().filter_map(|group| group.only.as_ref()));
        }
        for line in tables.iter().flat_map(|table| &table.lines) {
            let figures = [&line.paper, &line.paper_model, &line.model];
            let within = [&line.paper_within, &line.model_within];
            formulas.extend([&line.of, &line.simulation]);
            formulas.extend(figures.into_iter().chain(within).flatten());
            texts.push(&line.name);
        }
        for figure in figures {
            formulas.push(&figure.of);
            texts.push(&figure.by);
            for curve in &figure.curves {
                formulas.extend([&curve.x].into_iter().chain(&curve.y));
                texts.push(&curve.label);
            }
        }
        let partners: Vec<&str> =
            claims.iter().flat_map(|it| &it.beside).map(|it| it.name.as_str()).collect();
        for formula in formulas {
            self.formula(At { written: &formula.text, partners: &partners }, formula);
        }
        for text in texts {
            self.shown(At { written: &text.text, partners: &[] }, text);
        }
        for claim in claims {
            let partners: Vec<&str> = claim.beside.iter().map(|it| it.name.as_str()).collect();
            let mut formula = |formula: &Written<Formula>, partners: &[&str]| {
                self.formula(At { written: &formula.text, partners }, formula);
            };
            formula(&claim.of, &[]);
            for partner in &claim.beside {
                formula(&partner.is, &["this"]);
            }
            for Judged(figure, least, most) in claim.each.iter().chain(&claim.together) {
                for it in [figure, least, most] {
                    formula(it, &partners);
                }
            }
            let at = At { written: &claim.evidence.text, partners: &partners };
            self.shown(at, &claim.evidence);
        }
    }

    fn shown(&mut self, at: At<'_>, text: &super::formula::Text) {
        for part in &text.0 {
            if let Part::Shown(formula, _) = part {
                self.formula(at, formula);
            }
        }
    }

    fn formula(&mut self, at: At<'_>, formula: &Formula) {
        let (study, values) = (self.study, self.values);
        let models = self.models.clone();
        match formula {
            Formula::Number(_) => {}
            Formula::Text(text) => self.shown(at, text),
            Formula::Name(name) => {
                let own = study.lets.keys().chain(values).map(String::as_str);
                let known =
                    own.chain(models.iter().copied()).chain(FIGURES.iter().map(|(name, _)| *name));
                let known: Vec<&str> = known.collect();
                self.known(at, name, "figure of a case", &known);
            }
            Formula::Of(name, inner) => {
                let known = models.iter().chain(at.partners).copied();
                let known: Vec<&str> = known.collect();
                self.known(at, name, "model or case beside", &known);
                match inner.as_call().filter(|_| models.contains(name.as_str())) {
                    Some((figure, with)) => {
                        let known = OF_MODELS.iter().map(|(name, counts, _)| (*name, counts));
                        self.call(at, (figure, with), "figure of a model", &known.collect());
                    }
                    None => self.formula(at, inner),
                }
            }
            Formula::Call(name, with) => {
                let known = FUNCTIONS.iter().map(|(name, counts, _)| (*name, counts));
                self.call(at, (name, with), "function", &known.collect());
            }
            Formula::Prefix(_, inner) => self.formula(at, inner),
            Formula::Infix(_, left, right) => {
                self.formula(at, left);
                self.formula(at, right);
            }
        }
    }

    /// A function, which must be known and have as many arguments as it takes.
    fn call(
        &mut self,
        at: At<'_>,
        (name, with): (&str, &[Formula]),
        what: &str,
        known: &BTreeMap<&str, &RangeInclusive<usize>>,
    ) {
        self.known(at, name, what, &known.keys().copied().collect::<Vec<_>>());
        if let Some(counts) = known.get(name).filter(|counts| !counts.contains(&with.len())) {
            let (least, most) = (counts.start(), counts.end());
            let takes = if least == most { most.to_string() } else { format!("{least} to {most}") };
            let what = format!("`{name}` takes {takes} arguments, not {}", with.len());
            self.problem(at, name, what, None);
        }
        for formula in with {
            self.formula(at, formula);
        }
    }

    fn known(&mut self, at: At<'_>, name: &str, what: &str, known: &[&str]) {
        if !known.contains(&name) {
            let near = nearest(name, known.iter().copied());
            let help = near.map(|near| format!("did you mean `{near}`?"));
            self.problem(at, name, format!("there is no {what} called `{name}`"), help);
        }
    }

    /// A problem with a name in a formula, where the file has it first.
    fn problem(
        &mut self,
        At { written, .. }: At<'_>,
        name: &str,
        what: String,
        help: Option<String>,
    ) {
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let alone = |at: &usize| {
            !written[..*at].ends_with(is_letter)
                && !written[at + name.len()..].starts_with(is_letter)
        };
        let within = written.match_indices(name).map(|(at, _)| at).find(alone);
        let formula = self.text.find(&format!("\"{written}\""));
        let at = formula.zip(within).map(|(formula, within)| formula + 1 + within);
        let marked = at.map_or(&self.text[..0], |at| &self.text[at..at + name.len()]);
        self.reader.problem(Node { source: 0, text: marked }, what, help);
    }
}

#[cfg(test)]
mod tests;
