//! Reads a study, and creates the points of its first round.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::{OFFERED, Study, short};
use crate::experiment::reproduce::prepare::{Prepared, listed};
use crate::experiment::reproduce::sources::Sources;
use crate::experiment::sweep::draft::{Axis, Draft, Setting};
use crate::experiment::sweep::fields::{APART, FIELDS, NAME};
use crate::experiment::sweep::search::Aim;
use crate::scenario::node::{Field, Node, named, split};
use crate::scenario::reader::Reader;
use crate::scenario::{Document, Override, PROBLEMS_MAX, Problem};
use crate::words::Kind;

impl Study {
    /// Reads a study located in `folder`; the overrides `given` replace fields of the text, and
    /// `name` identifies the text in problems. All problems of study and points are returned at
    /// once.
    pub fn read(
        name: &str,
        text: &str,
        folder: &Path,
        given: &[Override],
    ) -> Result<Self, Vec<Problem>> {
        let document = Document::read(name, text, &Kind::Fields(&[FIELDS]))?;
        let mut reader = Reader::of(name, &document, given);
        let Some(whole) = reader.document() else { return Err(reader.finish()) };
        if let Some(at) = formulas(whole) {
            let what = "`lets` are formulas, and studies have no formulas any more";
            let help =
                "remove them, and name a number, a value or a figure such as `latency` instead";
            reader.problem(at, what, Some(help.to_owned()));
            return Err(reader.finish());
        }
        let all = reader.record("", "a study", whole, NAME, FIELDS, &APART);
        let sources = Arc::new(Sources::of(folder));
        let listed = all.fields.get("cases").is_some();
        let scenario = all.fields.get("scenario").and_then(|Field { value: at, .. }| {
            let name = reader.line_of_text(at, "the scenario's name")?;
            // Each case may have a different scenario.
            match if listed { Ok(None) } else { sources.scenario(&name).map(Some) } {
                Ok(found) => Some((name, found)),
                Err(Problem { what, help, .. }) => {
                    reader.problem(at, format!("`{name}`: {what}"), help);
                    None
                }
            }
        });
        let draft = Draft::read(&mut reader, &all);
        let (Some((scenario, found)), Some(draft)) = (scenario, draft) else {
            return Err(reader.finish());
        };
        let rest = FIELDS.iter().skip(1).filter_map(|field| {
            Some(format!("    {}: {},\n", field.name, all.fields.get(field.name)?.value.text))
        });
        let mut study = Self {
            rest: rest.collect(),
            file: found.as_ref().and_then(|found| found.file.clone()),
            scenario_text: found.map_or_else(String::new, |found| found.text.to_string()),
            curves: Vec::new(),
            points: Vec::new(),
            seed: draft.seed.unwrap_or(1),
            drawn: draft.drawn.clone(),
            rounds: 1,
            first_round: 0,
            aim: draft.aim.clone(),
            from_above: draft.from_above,
            bases: Vec::new(),
            seeds: Vec::new(),
            plan: draft.plan,
            places: Vec::new(),
            cases: OnceLock::new(),
            content: OnceLock::new(),
            parts: draft.parts.clone(),
            scenario,
            sources,
        };
        let values = draft.axes.iter().flatten().flatten().map(|it| short(&it.path).to_owned());
        study.parts.check(
            &mut reader,
            document.ron(),
            values.chain([OFFERED.to_owned()]),
            &study.sources,
        );
        let mut problems = Vec::new();
        if !listed {
            problems = study.expand(&draft, &reader);
        } else if reader.is_fine() {
            problems = study.list().err().unwrap_or_default();
        }
        if problems.is_empty()
            && !study.points.is_empty()
            && let Some(at) = all.fields.get("models")
        {
            study.parts.know(
                &mut reader,
                at.value,
                study.points.iter().map(|point| (point.curve, &point.task.job.scenario.system)),
            );
        }
        let found = reader.finish();
        if found.is_empty() && problems.is_empty() {
            study.first_round = study.points.len();
            if study.parts.name.is_empty() {
                let name = study.name().to_owned();
                study.parts.name = name;
            }
            return Ok(study);
        }
        problems.splice(0..0, found);
        problems.truncate(PROBLEMS_MAX);
        Err(problems)
    }

    /// Adds the points of the listed cases.
    fn list(&mut self) -> Result<(), Vec<Problem>> {
        let Some(cast) = &self.parts.cases else { return Ok(()) };
        let Prepared { cases, points, curves } = listed(&self.parts, cast, &self.sources)?;
        self.curves = curves;
        if let Some((_, first)) = points.first() {
            self.scenario_text.clone_from(&first.job.scenario.text);
        }
        for (curve, point) in points {
            self.push(curve, point);
        }
        self.cases = Arc::new(cases).into();
        Ok(())
    }

    /// Adds curves and points; returns their problems.
    fn expand(&mut self, draft: &Draft<'_>, reader: &Reader<'_>) -> Vec<Problem> {
        let mut problems = Vec::new();
        self.seeds
            .extend(draft.seeds.iter().map(|seed| overrides(&seed.iter().collect::<Vec<_>>())));
        for own in crossed(&draft.axes) {
            let label: Vec<String> = own.iter().map(|it| on_one_line(&it.label())).collect();
            self.curves.push(label.join(", "));
            let base: Vec<&Setting<'_>> = draft.set.iter().chain(own).collect();
            self.bases.push(overrides(&base));
            let seeds = |load| draft.seeds.iter().map(move |seed| (load, seed));
            for (load, seed) in draft.loads.iter().flat_map(seeds) {
                let settings = base.iter().copied().chain(load).chain(seed);
                let settings: Vec<&Setting<'_>> = settings.collect();
                let found =
                    self.scenario_of(&overrides(&settings)).map(|scenario| match &self.aim {
                        Aim::Given => self.point(self.curves.len() - 1, scenario, self.plan),
                        // A placeholder load only checks the curve.
                        Aim::Curve { .. } | Aim::Shares { .. } => {}
                    });
                for problem in found.err().unwrap_or_default() {
                    let problem = Setting::located(problem, &settings, reader);
                    if !problems.contains(&problem) {
                        problems.push(problem);
                    }
                }
            }
            if problems.len() > PROBLEMS_MAX {
                break;
            }
        }
        if problems.is_empty() && self.aim != Aim::Given {
            self.rounds = 0;
            let first = self.next_round(|_, _| Vec::new());
            problems.extend(self.add(&first).err().into_iter().flatten());
        }
        problems
    }
}

/// The formulas of a study written for an earlier version.
fn formulas(study: Node<'_>) -> Option<Node<'_>> {
    let (_, fields) = split(study)?;
    named(fields)?.iter().find(|field| field.name == "lets").map(|field| field.key)
}

fn overrides(settings: &[&Setting<'_>]) -> Vec<Override> {
    let overrides = settings.iter().map(|it| Override {
        path: it.path.clone(),
        value: it.value.clone(),
        label: it.label(),
    });
    Override::joined(&[], overrides)
}

/// All combinations of axis values, with the last axis varying fastest.
fn crossed<'s, 'a>(axes: &'s [Axis<'a>]) -> Vec<Vec<&'s Setting<'a>>> {
    axes.iter().fold(vec![Vec::new()], |all, axis| {
        let with = |own: &Vec<&'s Setting<'a>>, value: &'s Vec<Setting<'a>>| {
            own.iter().copied().chain(value).collect()
        };
        all.iter().flat_map(|own| axis.iter().map(move |value| with(own, value))).collect()
    })
}

/// A value on a single line.
fn on_one_line(text: &str) -> String {
    crate::text::line(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}
