//! Reads a study's file; whatever its formulas name must be there. Every problem is told at once, with
//! its place.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use ron::error::Position;

use super::formula::{Formula, Part, Text, Written};
use super::prepare::columns;
use super::scope::{FIGURES, FUNCTIONS, OF_MODELS};
use super::study::{Judged, Study};
use crate::scenario::node::Node;
use crate::scenario::reader::Reader;
use crate::scenario::{Problem, nearest};

impl Study {
    /// Reads the text of the file called `file`.
    pub fn read(file: &str, text: &str) -> Result<Self, Vec<Problem>> {
        let mut reader = Reader::new(file, text, &[]);
        if reader.document().is_none() {
            return Err(reader.finish());
        }
        match ron::from_str::<Self>(text) {
            Err(error) => {
                let place = Node { source: 0, text: from(text, error.span.end) };
                reader.problem(place, error.code.to_string(), None);
            }
            Ok(study) => {
                let mut check = Check { study: &study, text, reader, values: &study.values() };
                check.all();
                reader = check.reader;
                let problems = reader.finish();
                return if problems.is_empty() { Ok(study) } else { Err(problems) };
            }
        }
        Err(reader.finish())
    }

    /// The names of what sets cases apart.
    fn values(&self) -> BTreeSet<String> {
        let lines = self.tables.iter().flat_map(|table| &table.lines).flat_map(|line| &line.axes);
        let axes = self.cases.iter().flat_map(|group| &group.axes).chain(lines);
        let own = self.cases.iter().flat_map(|group| group.values.keys().cloned());
        let tables = self.cases.iter().filter_map(|group| group.table.as_deref());
        let along = axes.flat_map(|axis| axis.of.split(' ').map(str::to_owned));
        own.chain(tables.flat_map(columns)).chain(along).collect()
    }
}

/// The character at a place.
fn from(text: &str, place: Position) -> &str {
    let end = &text[text.len()..];
    let line = text.lines().nth(place.line.saturating_sub(1)).unwrap_or(end);
    let mut rest = line.chars();
    rest.by_ref().take(place.col.saturating_sub(1)).for_each(drop);
    let rest = rest.as_str();
    &rest[..rest.chars().next().map_or(0, char::len_utf8)]
}

/// A formula as it is written, and the partners that it may speak of.
#[derive(Clone, Copy)]
struct At<'a> {
    written: &'a str,
    partners: &'a [&'a str],
}

/// Looks through the formulas of a study.
struct Check<'a> {
    study: &'a Study,
    text: &'a str,
    reader: Reader<'a>,
    values: &'a BTreeSet<String>,
}

impl Check<'_> {
    fn all(&mut self) {
        let Study { lets, run, scenario, sets, curve, x, cases, tables, figures, claims, .. } =
            self.study;
        let mut formulas: Vec<&Written<Formula>> = lets.values().chain([x]).collect();
        formulas.extend([&run.messages, &run.cycles, &run.warm_up].into_iter().flatten());
        let mut texts = vec![scenario, curve];
        texts.extend(sets.iter().chain(cases.iter().flat_map(|it| &it.sets)).map(|(_, it)| it));
        formulas.extend(cases.iter().filter_map(|group| group.only.as_ref()));
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

    fn shown(&mut self, at: At<'_>, text: &Text) {
        for part in &text.0 {
            if let Part::Shown(formula, _) = part {
                self.formula(at, formula);
            }
        }
    }

    fn formula(&mut self, at: At<'_>, formula: &Formula) {
        let (study, values) = (self.study, self.values);
        let models = study.models.keys().map(String::as_str);
        match formula {
            Formula::Number(_) => {}
            Formula::Text(text) => self.shown(at, text),
            Formula::Name(name) => {
                let own = study.lets.keys().chain(values).map(String::as_str);
                let known = own.chain(models).chain(FIGURES.iter().map(|(name, _)| *name));
                let known: Vec<&str> = known.collect();
                self.known(at, name, "figure of a case", &known);
            }
            Formula::Of(name, inner) => {
                let known: Vec<&str> = models.chain(at.partners.iter().copied()).collect();
                self.known(at, name, "model or case beside", &known);
                match inner.as_call().filter(|_| study.models.contains_key(name)) {
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
