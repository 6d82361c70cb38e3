//! A study and the points that it asks for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::draft::{Axis, Draft, FIELDS, Setting};
use crate::experiment::points::Task;
use crate::experiment::{Job, Plan};
use crate::files;
use crate::random::mix;
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
    /// All points, curve by curve, by the order of the loads.
    pub points: Vec<Point>,
}

/// A point of a study.
#[derive(Clone, Debug)]
pub struct Point {
    /// The place of its curve.
    pub curve: usize,
    /// What is run.
    pub task: Task,
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
        let apart = ["scenario", "set", "vary", "loads"];
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
            scenario,
            file,
            scenario_text,
        };
        let mut problems = study.expand(&draft, &source, &reader);
        let found = reader.finish();
        if found.is_empty() && problems.is_empty() {
            return Ok(study);
        }
        problems.splice(0..0, found);
        problems.truncate(PROBLEMS_MAX);
        Err(problems)
    }

    /// Adds curves and points; returns the problems that they have.
    fn expand(&mut self, draft: &Draft<'_>, source: &str, reader: &Reader<'_>) -> Vec<Problem> {
        let short = Path::new(source).file_name().filter(|_| self.file.is_some());
        let short = short.map_or(source.into(), |name| name.to_string_lossy());
        let short = crate::text::line(&short);
        let mut problems = Vec::new();
        for own in crossed(&draft.axes) {
            let label: Vec<String> = own.iter().map(|it| on_one_line(&it.label())).collect();
            self.curves.push(label.join(", "));
            for load in &draft.loads {
                let settings: Vec<&Setting<'_>> =
                    draft.set.iter().chain(own.iter().copied()).chain(load).collect();
                let overrides = settings.iter().map(|it| Override {
                    path: it.path.clone(),
                    value: it.value.clone(),
                    label: it.label(),
                });
                let overrides = Override::joined(&[], overrides);
                match scenario::parse(source, &self.scenario_text, &overrides) {
                    Ok(scenario) => {
                        let scenario = Scenario { name: short.clone(), ..scenario };
                        self.points.push(self.point(scenario, draft.plan));
                    }
                    Err(found) => {
                        for problem in found {
                            let problem = Setting::located(problem, &settings, reader);
                            if !problems.contains(&problem) {
                                problems.push(problem);
                            }
                        }
                    }
                }
            }
            if problems.len() > PROBLEMS_MAX {
                break;
            }
        }
        problems
    }

    /// The next point.
    fn point(&self, scenario: Scenario, plan: Plan) -> Point {
        let labels: Vec<&str> = scenario.overrides.iter().map(|it| it.label.as_str()).collect();
        let name = format!("{} {}", scenario.name, labels.join(" ")).trim_end().to_owned();
        let texts = [format!("{plan:?}"), env!("CARGO_PKG_VERSION").to_owned()];
        let hash = texts
            .iter()
            .flat_map(|text| text.bytes().map(u64::from).chain([1 << 8]))
            .fold(mix(scenario.hash(), scenario.seed), mix);
        let job = Job { scenario: Arc::new(scenario), plan };
        let task = Task { fingerprint: format!("{hash:016x}"), name, job };
        Point { curve: self.curves.len() - 1, task }
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
