//! A study and the points that it asks for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::draft::{Axis, Draft, FIELDS, LOAD, LOAD_SOME, Setting};
use super::search::{Aim, Search, Seen};
use crate::experiment::points::Task;
use crate::experiment::probe::probe;
use crate::experiment::{Job, Plan};
use crate::files;
use crate::scenario::reader::Reader;
use crate::scenario::{self, Override, PROBLEMS_MAX, Problem, Scenario};

/// The name with which a study's text begins.
const NAME: &str = "Study";
/// A study that can be run.
#[derive(Clone, Debug)]
pub struct Study {
    /// Its own text, without the scenario: what follows that field.
    rest: String,
    /// The scenario's name, as the study gives it.
    pub scenario: String,
    /// The file that it was read from; `None`: it is built in.
    pub file: Option<PathBuf>,
    /// The scenario's text.
    pub scenario_text: String,
    /// What sets each curve apart: `routing=DimensionOrder()`; empty, if there is one curve.
    pub curves: Vec<String>,
    /// All points: curve by curve, by the order of the loads; where loads are searched, round by round.
    pub points: Vec<Point>,
    /// How many rounds these are, and how many points the first has.
    rounds: usize,
    first_round: usize,
    /// What its loads are to show.
    aim: Aim,
    /// What is set in the scenario for each curve.
    bases: Vec<Vec<Override>>,
    /// What is set for each point of a load.
    seeds: Vec<Vec<Override>>,
    plan: Plan,
    /// What problems and points call the scenario.
    source: String,
}

/// A point of a study.
#[derive(Clone, Debug)]
pub struct Point {
    /// The place of its curve.
    pub curve: usize,
    /// The load that it offers, as it was given.
    pub load: f64,
    /// What is run.
    pub task: Task,
}

/// A point of a round.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub(super) struct Chosen {
    /// The place of its curve.
    pub curve: usize,
    /// The load offered.
    pub load: f64,
}

/// Whether a text is meant for a study, right or wrong.
pub fn is_study(text: &str) -> bool {
    let value = scenario::body(text);
    value.strip_prefix(NAME).is_some_and(|rest| rest.trim_start().starts_with('('))
}

impl Study {
    /// Reads a study that stands in `folder`, with what is given besides its text in the place of its
    /// own; `name` is what problems call it. All problems of study and points are returned at once.
    pub fn read(
        name: &str,
        text: &str,
        folder: &Path,
        given: &[Override],
    ) -> Result<Self, Vec<Problem>> {
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader::new(name, body, given);
        let Some(document) = reader.document() else { return Err(reader.finish()) };
        let apart = ["scenario", "set", "vary", "loads", "seeds"];
        let all = reader.record("", "a study", document, NAME, FIELDS, &apart);
        let at = all.fields.get("scenario").map(|field| field.value);
        let scenario = at.and_then(|at| {
            let name = reader.line_of_text(at, "the scenario's name")?;
            match open(folder, &name) {
                Ok((source, text)) => Some((name, source, text)),
                Err(Problem { what, help, .. }) => {
                    reader.problem(at, format!("`{name}`: {what}"), help);
                    None
                }
            }
        });
        let draft = Draft::read(&mut reader, &all);
        let (Some((scenario, source, scenario_text)), Some(draft)) = (scenario, draft) else {
            return Err(reader.finish());
        };
        let rest = FIELDS.iter().skip(1).filter_map(|field| {
            Some(format!("    {}: {},\n", field.name, all.fields.get(field.name)?.value.text))
        });
        let file = (source != scenario).then(|| PathBuf::from(&source));
        let file = file.or_else(|| Path::new(&scenario).is_file().then(|| scenario.clone().into()));
        let mut study = Self {
            rest: rest.collect(),
            curves: Vec::new(),
            points: Vec::new(),
            rounds: 1,
            first_round: 0,
            aim: draft.aim.clone(),
            bases: Vec::new(),
            seeds: Vec::new(),
            plan: draft.plan,
            scenario,
            file,
            scenario_text,
            source,
        };
        let mut problems = study.expand(&draft, &reader);
        let found = reader.finish();
        if found.is_empty() && problems.is_empty() {
            return Ok(study);
        }
        problems.splice(0..0, found);
        problems.truncate(PROBLEMS_MAX);
        Err(problems)
    }

    /// Adds curves and points; returns the problems that they have.
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
                        Aim::Given => self.points.push(self.point(self.curves.len() - 1, scenario)),
                        // It only shows that the curve can be run.
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
            let first = self.next_round(|_| Vec::new());
            problems.extend(self.add(&first).err().into_iter().flatten());
        }
        problems
    }

    /// The points of the next round, where so much is known of each curve; none, if it is finished.
    pub(super) fn next_round(&self, seen: impl Fn(usize) -> Vec<Seen>) -> Vec<Chosen> {
        let mut others: Vec<f64> = self.points.iter().map(|point| point.load).collect();
        let mut points = Vec::new();
        for curve in 0..self.curves.len() {
            let search = Search { aim: &self.aim, most: self.load_max(curve), others: &others };
            let loads = search.next(&seen(curve));
            points.extend(loads.iter().map(|&load| Chosen { curve, load }));
            others.extend(loads);
        }
        points
    }

    /// Adds a round.
    pub(super) fn add(&mut self, round: &[Chosen]) -> Result<(), Vec<Problem>> {
        for &Chosen { curve, load } in round {
            for seed in 0..self.seeds.len() {
                let point = self.point(curve, self.scenario_at(curve, load, seed)?);
                self.points.push(point);
            }
        }
        self.rounds += 1;
        if self.rounds == 1 {
            self.first_round = self.points.len();
        }
        Ok(())
    }

    /// The highest load that can be offered along a curve.
    fn load_max(&self, curve: usize) -> f64 {
        let some = self.scenario_at(curve, LOAD_SOME, 0);
        let most = some.map_or(0.0, |it| it.system.load_at(it.system.rate_max()).0);
        // No more than that by the last digits.
        (most * 1e9).floor() / 1e9
    }

    /// The scenario of a curve at a load, with one of the seeds.
    fn scenario_at(&self, curve: usize, load: f64, seed: usize) -> Result<Scenario, Vec<Problem>> {
        let (path, value) = (LOAD.to_owned(), load.to_string());
        let label = format!("{path}={value}");
        let load = Override { path, value, label };
        let besides = [load].into_iter().chain(self.seeds[seed].iter().cloned());
        self.scenario_of(&Override::joined(&self.bases[curve], besides))
    }

    fn scenario_of(&self, overrides: &[Override]) -> Result<Scenario, Vec<Problem>> {
        let short = Path::new(&self.source).file_name().filter(|_| self.file.is_some());
        let name = short.map_or(self.source.as_str().into(), |name| name.to_string_lossy());
        let name = crate::text::line(&name);
        let scenario = scenario::parse(&self.source, &self.scenario_text, overrides)?;
        Ok(Scenario { name, ..scenario })
    }

    fn point(&self, curve: usize, scenario: Scenario) -> Point {
        let plan = self.plan;
        let labels: Vec<&str> = scenario.overrides.iter().map(|it| it.label.as_str()).collect();
        let name = format!("{} {}", scenario.name, labels.join(" ")).trim_end().to_owned();
        // That of its curve: nothing that it depends on is another.
        let known = self.points.iter().rfind(|known| known.curve == curve);
        let engine = known.map_or_else(|| probe(&scenario), |known| known.task.engine);
        let given = scenario.overrides.iter().find(|it| it.path == LOAD);
        let load = given.and_then(|it| it.value.parse().ok());
        let load = load.unwrap_or_else(|| scenario.system.load().0);
        let task = Task::new(name, Job { scenario: Arc::new(scenario), plan }, engine);
        Point { curve, load, task }
    }

    /// How many rounds of points there are so far: 1, unless its loads are searched.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// How many points the first of them has.
    pub(super) fn first_round(&self) -> usize {
        self.first_round
    }

    /// Whether its loads are searched, so that points follow from points.
    pub fn is_searched(&self) -> bool {
        self.aim != Aim::Given
    }

    /// What its scenario is called, for people.
    pub fn name(&self) -> &str {
        self.points.first().map_or("", |point| point.task.job.scenario.name.as_str())
    }

    /// The study as a file that reads back to the same, its scenario under another name.
    pub fn text(&self, scenario: &str) -> String {
        let scenario = crate::words::written(&scenario);
        format!("{NAME}(\n    scenario: {scenario},\n{})\n", self.rest)
    }
}

/// The scenario of this name: a file by its path from `folder`, or whatever [`files::read`] finds.
fn open(folder: &Path, name: &str) -> Result<(String, String), Problem> {
    let beside = folder.join(name);
    if beside.is_file() { files::read(&beside.to_string_lossy()) } else { files::read(name) }
}

fn overrides(settings: &[&Setting<'_>]) -> Vec<Override> {
    let overrides = settings.iter().map(|it| Override {
        path: it.path.clone(),
        value: it.value.clone(),
        label: it.label(),
    });
    Override::joined(&[], overrides)
}

/// Every value of each axis with every one of the others, those of the last following each other.
fn crossed<'s, 'a>(axes: &'s [Axis<'a>]) -> Vec<Vec<&'s Setting<'a>>> {
    axes.iter().fold(vec![Vec::new()], |all, axis| {
        let with = |own: &Vec<&'s Setting<'a>>, value: &'s Vec<Setting<'a>>| {
            own.iter().copied().chain(value).collect()
        };
        all.iter().flat_map(|own| axis.iter().map(move |value| with(own, value))).collect()
    })
}

/// A value as it is said in a line.
fn on_one_line(text: &str) -> String {
    crate::text::line(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}
