//! A study and its points.

mod read;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::draft::{LOAD, LOAD_SOME};
use super::fields::NAME;
use super::search::{Aim, Purpose, Search, Seen};
use super::standard_figure::StandardFigure;
use crate::experiment::points::Task;
use crate::experiment::probe::probe;
use crate::experiment::reproduce::prepare::varied;
use crate::experiment::reproduce::sources::{Source, Sources};
use crate::experiment::reproduce::{
    Cases, Content, LONGER, Parts, Point as Bare, PointId, ROUNDS, Results as Judged, Value, Values,
};
use crate::experiment::{Before, End, Job, Plan};
use crate::scenario::{self, Override, Problem, Scenario};
use crate::stats::messages_for_verdict;
use crate::units::Load;

/// The load congesting a network before a search from above, in multiples of the point's load.
const CONGESTING: f64 = 2.0;
/// The time of congestion: the transmission time of this many messages of mean length.
const CONGESTED: f64 = 256.0;
/// The name of a point's load among the values.
const OFFERED: &str = "load";
/// A valid study.
#[derive(Clone, Debug)]
pub struct Study {
    /// The study's text after the scenario field.
    rest: String,
    /// The scenario's name, as given in the study.
    pub scenario: String,
    /// The scenario's file; `None` if built in or different for each case.
    pub file: Option<PathBuf>,
    /// The text of the scenario, or of the first case's scenario.
    pub scenario_text: String,
    /// The values of the varied fields for each curve: `routing=DimensionOrder()`; empty for a
    /// single curve.
    pub curves: Vec<String>,
    /// All points: curve by curve in order of loads, or round by round if loads are searched.
    pub points: Vec<Point>,
    /// The tables, figures and claims.
    pub parts: Parts,
    /// The seed of all points' seeds, if each point has its own.
    pub seed: u64,
    /// The standard figures to draw; `None` for all.
    pub(super) drawn: Option<Vec<StandardFigure>>,
    /// The number of rounds, and the number of points in the first.
    rounds: usize,
    first_round: usize,
    /// The purpose of the loads.
    aim: Aim,
    /// True if saturation is also searched from above.
    pub(super) from_above: bool,
    /// The fields set for each curve.
    bases: Vec<Vec<Override>>,
    /// The fields set for each seed of a load.
    seeds: Vec<Vec<Override>>,
    plan: Plan,
    /// The scenario and plan of each place, before setting the seed.
    places: Vec<Bare>,
    /// Points as cases: all listed cases, or else the current points, created on demand.
    cases: OnceLock<Arc<Cases>>,
    content: OnceLock<Arc<Content>>,
    sources: Arc<Sources>,
}

/// A point of a study.
#[derive(Clone, Debug)]
pub struct Point {
    /// The index of the point's curve.
    pub curve: usize,
    /// The offered load, as given.
    pub load: f64,
    /// True if the network is congested before this load is offered.
    pub from_above: bool,
    /// The place shared by points with other seeds and repeated points.
    pub place: usize,
    pub task: Task,
}

/// A point of a round.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
#[serde(untagged)]
pub(super) enum Chosen {
    Load {
        /// The index of the curve.
        curve: usize,
        load: f64,
        /// True for a network congested at the start.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        from_above: bool,
        /// The purpose of the run, which decides about its end.
        #[serde(default, skip_serializing_if = "Purpose::is_latency")]
        purpose: Purpose,
    },
    /// More replications of an existing place.
    Again { again: usize },
}

/// True for a text meant as a study, valid or not.
pub fn is_study(text: &str) -> bool {
    scenario::is_study(text)
}

impl Study {
    /// The points of the next round, given the results of each curve; empty if finished. The second
    /// argument of `seen` selects results from above.
    pub(super) fn next_round(&self, seen: impl Fn(usize, bool) -> Vec<Seen>) -> Vec<Chosen> {
        let below = self.points.iter().filter(|point| !point.from_above);
        let mut others: Vec<f64> = below.map(|point| point.load).collect();
        let mut points = Vec::new();
        for curve in 0..self.curves.len() {
            if self.aim == Aim::Given {
                break;
            }
            let search = Search { aim: &self.aim, most: self.load_max(curve), others: &others };
            let (below, mut from_above) = (seen(curve, false), false);
            let mut offers = search.next(&below);
            if offers.is_empty() && self.from_above {
                from_above = true;
                let loads = search.next_from_above(&below, &seen(curve, true));
                offers = loads.into_iter().map(|load| (load, Purpose::Latency)).collect();
            }
            points.extend(offers.iter().map(|&(load, purpose)| Chosen::Load {
                curve,
                load,
                from_above,
                purpose,
            }));
            others.extend(offers.into_iter().map(|(load, _)| load));
        }
        points
    }

    /// The estimated number of points in later rounds.
    pub(super) fn ahead(&self, seen: impl Fn(usize) -> Vec<Seen>) -> usize {
        let search = Search { aim: &self.aim, most: 1.0, others: &[] };
        let curves = (0..self.curves.len()).map(|curve| search.ahead(&seen(curve)));
        curves.sum::<usize>() * self.seeds.len().max(1)
    }

    /// The points with undecided verdicts and a decision in reach of more replications.
    pub(super) fn undecided(&self, results: &Judged) -> Vec<Chosen> {
        let mut runs = vec![0_u32; self.places.len()];
        self.points.iter().for_each(|point| runs[point.place] += 1);
        let most = runs.iter().copied().max().unwrap_or_default();
        if !self.parts.judges() || most >= ROUNDS {
            return Vec::new();
        }
        // Replications so far, in multiples of the first round's.
        let times = f64::from(1_u32 << (most - 1));
        let open = self.content().open(results, LONGER / times).into_iter().map(|point| point.0);
        // A point not extended in earlier rounds has fewer replications than the others.
        open.filter(|&place| runs[place] == most).map(|again| Chosen::Again { again }).collect()
    }

    pub(super) fn add(&mut self, round: &[Chosen]) -> Result<(), Vec<Problem>> {
        for chosen in round {
            match *chosen {
                Chosen::Load { curve, load, from_above, purpose } => {
                    for seed in 0..self.seeds.len() {
                        let scenario = self.scenario_at(curve, load, seed)?;
                        let system = &scenario.system;
                        let unit = system.time_unit();
                        let times =
                            CONGESTED * system.traffic.lengths.mean() / f64::from(unit.flits);
                        let before = from_above.then(|| Before {
                            load: Load(self.load_max(curve).min(CONGESTING * load)),
                            cycles: (times * unit.cycles as f64) as u64,
                        });
                        let end = self.end_for(purpose);
                        self.point(curve, scenario, Plan { end, before, ..self.plan });
                    }
                    (self.cases, self.content) = (OnceLock::new(), OnceLock::new());
                }
                Chosen::Again { again } => {
                    let mut same = self.points.iter().filter(|point| point.place == again);
                    let round = same.clone().count() as u32;
                    let known = same.next_back().cloned();
                    self.points.extend(known.map(|known| {
                        let name = known.task.name.clone();
                        let job = self.places[again].job(self.seed, round);
                        Point { task: Task::new(name, job, known.task.engine), ..known }
                    }));
                }
            }
        }
        self.rounds += 1;
        if self.rounds == 1 {
            self.first_round = self.points.len();
        }
        Ok(())
    }

    /// True if a round is possible in this study.
    pub(super) fn may_have(&self, round: &[Chosen]) -> bool {
        round.iter().all(|chosen| match *chosen {
            Chosen::Load { curve, .. } => curve < self.bases.len() && self.is_searched(),
            Chosen::Again { again } => again < self.places.len() && self.parts.judges(),
        })
    }

    /// The maximum load of a curve.
    fn load_max(&self, curve: usize) -> f64 {
        let some = self.scenario_at(curve, LOAD_SOME, 0);
        let most = some.map_or(0.0, |it| it.system.load_at(it.system.rate_max()).0);
        // Rounded down, to stay below the limit.
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
        self.sources.parse(&self.scenario, overrides)
    }

    /// The end of runs, as asked for.
    pub(super) fn end(&self) -> End {
        self.plan.end
    }

    /// The share by which a load must differ from a searched saturation to be told from it.
    fn resolution(&self) -> Option<f64> {
        match self.aim {
            Aim::Given => None,
            Aim::Curve { bracket } | Aim::Shares { bracket, .. } => Some(bracket / 2.0),
        }
    }

    /// True if the run of a point was as long as a verdict may need.
    pub(super) fn is_long(&self, point: usize) -> bool {
        let end = self.points[point].task.job.plan.end;
        let long = self.resolution().map(messages_for_verdict);
        matches!((end, long), (End::Messages { count, .. }, Some(long)) if count >= long)
    }

    /// The end of a run with a purpose. Runs of a given number of cycles stay as long.
    fn end_for(&self, purpose: Purpose) -> End {
        let (end, Some(resolution)) = (self.plan.end, self.resolution()) else {
            return self.plan.end;
        };
        let (most, cycles_max) = match (end, purpose) {
            (End::Precision { share, messages_max, cycles_max }, Purpose::Near(near)) => {
                return End::Precision { share: share.max(near), messages_max, cycles_max };
            }
            (
                End::Precision { messages_max: most, cycles_max, .. }
                | End::Messages { count: most, cycles_max },
                Purpose::Verdict | Purpose::Long,
            ) => (most, cycles_max),
            (_, Purpose::Latency | Purpose::Near(_) | Purpose::Verdict | Purpose::Long) => {
                return end;
            }
        };
        let most = most.min(messages_for_verdict(resolution));
        if purpose == Purpose::Long {
            End::Messages { count: most, cycles_max }
        } else {
            End::Verdict { resolution, messages_max: most, cycles_max }
        }
    }

    fn point(&mut self, curve: usize, scenario: Scenario, plan: Plan) {
        let name = Bare::named(&scenario);
        self.push(curve, Bare { name, job: Job { scenario: Arc::new(scenario), plan } });
    }

    /// Adds a point of the first round, or of a new load.
    fn push(&mut self, curve: usize, bare: Bare) {
        let scenario = &bare.job.scenario;
        let given = scenario.overrides.iter().find(|it| it.path == LOAD);
        let load = given.and_then(|it| it.value.parse().ok());
        let load: f64 = load.unwrap_or_else(|| scenario.system.load().0);
        let mut of_curve = self.points.iter().filter(|known| known.curve == curve);
        // The probe of the same curve applies, because all its inputs are equal.
        let known = of_curve.clone().next_back();
        let engine = known.map_or_else(|| probe(scenario), |known| known.task.engine);
        let own = self.has_own_seeds();
        let from_above = bare.job.plan.before.is_some();
        let is =
            |known: &Point| known.load.total_cmp(&load).is_eq() && known.from_above == from_above;
        let same = of_curve.find(|known| !own && is(known));
        let place = same.map_or(self.places.len(), |known| known.place);
        let job = if own { bare.job(self.seed, 0) } else { bare.job.clone() };
        let task = Task::new(bare.name.clone(), job, engine);
        self.points.push(Point { curve, load, from_above, place, task });
        if place == self.places.len() {
            self.places.push(bare);
        }
    }

    /// True if every point has a separate seed, as required for judged figures; otherwise all
    /// points share the study's seed, and thus the same messages.
    fn has_own_seeds(&self) -> bool {
        self.parts.cases.is_some() || self.parts.judges()
    }

    pub fn cases(&self) -> &Arc<Cases> {
        let make = || {
            let places = self.places.iter().enumerate().filter_map(|(place, bare)| {
                let point = self.points.iter().find(|point| point.place == place)?;
                let own = self.bases.get(point.curve).into_iter().flatten();
                let own = own.map(|it| (short(&it.path).to_owned(), Value::cell(&it.value)));
                let load = (OFFERED.to_owned(), Some(Value::Number(point.load)));
                let values: Values = own.chain([load]).collect();
                Some((values, Arc::clone(&bare.job.scenario), point.curve, PointId(place)))
            });
            Arc::new(varied(&self.parts, &self.sources, places))
        };
        self.cases.get_or_init(make)
    }

    /// The tables, figures and claims of the points; evaluates the models, which may take a while.
    pub fn content(&self) -> &Arc<Content> {
        self.content.get_or_init(|| Arc::new(self.parts.content(self.cases())))
    }

    /// The number of places of all curves.
    pub(super) fn places(&self) -> usize {
        self.places.len()
    }

    /// The files read besides the study and its scenario.
    pub(super) fn files(&self) -> Vec<Source> {
        let all = self.sources.files().into_iter();
        all.filter(|source| source.file != self.file).collect()
    }

    /// The number of rounds so far: 1, unless loads are searched.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// The number of points in the first round.
    pub(super) fn first_round(&self) -> usize {
        self.first_round
    }

    /// The fields that differ between curves, each with the value of `curve`; empty for the cases of
    /// a paper.
    pub(super) fn varied(&self, curve: usize) -> Vec<(String, String)> {
        let fields = self.bases.get(curve).into_iter().flatten();
        let differs = |own: &&Override| {
            let same = |other: &Override| other.path == own.path && other.value == own.value;
            !self.bases.iter().all(|base| base.iter().any(same))
        };
        fields.filter(differs).map(|own| (own.path.clone(), own.value.clone())).collect()
    }

    /// True if loads are searched.
    pub fn is_searched(&self) -> bool {
        self.aim != Aim::Given
    }

    /// True if the study asks for shares of saturation.
    pub(super) fn wants_shares(&self) -> bool {
        matches!(self.aim, Aim::Shares { .. })
    }

    /// True if points depend on results: loads on loads, or replications on undecided verdicts.
    pub fn has_rounds(&self) -> bool {
        self.is_searched() || self.parts.judges()
    }

    /// The scenario's name, for people.
    pub fn name(&self) -> &str {
        self.points.first().map_or("", |point| point.task.job.scenario.name.as_str())
    }

    /// The study as a file, parsing to an equal study, with another scenario name.
    pub fn text(&self, scenario: &str) -> String {
        let scenario = crate::words::written(&scenario);
        format!("{NAME}(\n    scenario: {scenario},\n{})\n", self.rest)
    }
}

/// The last component of a field's path, used as a value name.
fn short(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
