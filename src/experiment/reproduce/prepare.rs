//! Prepares the cases of a study from its file.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::cases::{Case, Cases, Theories, Theory, Value, Values};
use super::lookup::Lookup;
use super::names::{Figure, Text};
use super::parts::{Axis, Cast, Group, Parts};
use super::selection::Entry;
use super::sources::Sources;
use super::{Point, PointId};
use crate::experiment::{End, Plan};
use crate::scenario::{Problem, Scenario};
use crate::stats::WarmUp;

/// Maximum number of cases of a study.
const CASES_MAX: usize = 10_000;

/// Cases of a study with their points.
#[derive(Debug)]
pub struct Prepared {
    pub cases: Cases,
    /// Points, each with the index of its curve.
    pub points: Vec<(usize, Point)>,
    /// Names of the curves: cases of a curve differ only in rate.
    pub curves: Vec<String>,
}

/// Prepares the cases listed in a study's file.
pub fn listed(
    parts: &Parts,
    cast: &Cast,
    sources: &Arc<Sources>,
) -> Result<Prepared, Vec<Problem>> {
    let (quick, sources) = (parts.quick, Arc::clone(sources));
    let mut made = Making {
        parts,
        cast,
        bases: Vec::new(),
        points: Vec::new(),
        cases: Cases { quick, sources, ..Cases::default() },
    };
    for group in &cast.groups {
        for values in values(group, &made.cases)? {
            made.cases.all.push(Case { values, ..Case::default() });
            let place = made.cases.all.len() - 1;
            if group.only.holds(&made.lookup(place)) {
                made.case(group, place)?;
            } else {
                made.cases.all.pop();
            }
        }
    }
    let Making { mut cases, points, bases, .. } = made;
    place(parts, &mut cases)?;
    Ok(Prepared { cases, points, curves: bases.into_iter().map(|(name, _)| name).collect() })
}

/// Prepares cases from points of fields and loads: values, scenario, index of the curve, and point.
pub fn varied(
    parts: &Parts,
    sources: &Arc<Sources>,
    all: impl IntoIterator<Item = (Values, Arc<Scenario>, usize, PointId)>,
) -> Cases {
    let (quick, sources) = (parts.quick, Arc::clone(sources));
    let mut cases = Cases { quick, sources, ..Cases::default() };
    let mut beside: BTreeMap<usize, Arc<Theories>> = BTreeMap::new();
    for (values, scenario, curve, point) in all {
        let theories = beside.entry(curve).or_insert_with(|| Arc::new(theories(parts, &scenario)));
        let scenario = Some(scenario);
        let mut case = Case { values, point, scenario, curve, ..Case::default() };
        case.beside(theories);
        cases.all.push(case);
    }
    // Cases without a position are excluded from figures of curves.
    let _ = place(parts, &mut cases);
    cases
}

/// The models for cases differing only in rate.
pub fn theories(parts: &Parts, scenario: &Arc<Scenario>) -> Theories {
    match &parts.models {
        None => [(MODEL.to_owned(), Theory::new(scenario, None))].into(),
        Some(models) => {
            let theory = |(name, models): (&String, &Vec<_>)| {
                (name.clone(), Theory::new(scenario, Some(models.clone())))
            };
            models.iter().map(theory).collect()
        }
    }
}

/// Default name of the model.
pub const MODEL: &str = "model";

/// The cases under construction.
struct Making<'a> {
    parts: &'a Parts,
    cast: &'a Cast,
    /// Scenarios without the rate field, each with its models.
    bases: Vec<(String, Arc<Theories>)>,
    points: Vec<(usize, Point)>,
    cases: Cases,
}

impl Making<'_> {
    /// Access to a case before the simulation.
    fn lookup(&self, place: usize) -> Lookup<'_> {
        Lookup::new(&self.cases, self.parts.derived(), place)
    }

    fn fields(&self, group: &Group, place: usize, axis: bool) -> Vec<(String, String)> {
        let case = self.lookup(place);
        let all = self.cast.set.iter().chain(&group.set.0);
        let all = all.filter(|(path, _)| axis || *path != self.cast.axis);
        all.filter_map(|(path, Text(text))| Some((path.clone(), case.fill(text)?))).collect()
    }

    /// Determines the scenario and plan of a case, with models shared along the axis.
    fn case(&mut self, group: &Group, place: usize) -> Result<(), Vec<Problem>> {
        let scenario = self.lookup(place).fill(&self.cast.scenario.0);
        let scenario = scenario.ok_or_else(|| self.parts.lacks("a scenario"))?;
        let sources = Arc::clone(&self.cases.sources);
        let fields = self.fields(group, place, false);
        let base = Point::new(&sources, &scenario, fields, Plan::default())?;
        let known = self.bases.iter().position(|(name, _)| *name == base.name);
        let curve = known.unwrap_or_else(|| {
            let theories = Arc::new(theories(self.parts, &base.job.scenario));
            self.bases.push((base.name, theories));
            self.bases.len() - 1
        });
        let case = &mut self.cases.all[place];
        case.beside(&self.bases[curve].1);
        (case.scenario, case.curve) = (Some(base.job.scenario), curve);
        let plan = plan(self.cast, &self.lookup(place));
        if let Some(misfit) = plan.misfit() {
            return Err(self.parts.contradiction(misfit));
        }
        let point = Point::new(&sources, &scenario, self.fields(group, place, true), plan)?;
        self.cases.all[place].scenario = Some(Arc::clone(&point.job.scenario));
        let same = |(_, known): &(usize, Point)| {
            known.name == point.name && known.job.plan == point.job.plan
        };
        let known = self.points.iter().position(same);
        self.cases.all[place].point = PointId(known.unwrap_or_else(|| {
            self.points.push((curve, point));
            self.points.len() - 1
        }));
        Ok(())
    }
}

fn plan(cast: &Cast, case: &Lookup<'_>) -> Plan {
    let whole = |figure: &Option<Figure>| case.figure(figure.as_ref()?).map(|number| number as u64);
    Plan {
        end: End::new(cast.precision, whole(&cast.messages), whole(&cast.cycles)),
        warm_up: whole(&cast.warm_up).map_or(WarmUp::Automatic, WarmUp::Cycles),
        replications: cast.replications,
        ..Plan::default()
    }
}

fn place(parts: &Parts, cases: &mut Cases) -> Result<(), Vec<Problem>> {
    let mut curves: Vec<(String, Vec<(f64, PointId)>)> = Vec::new();
    let mut missing = false;
    for at in 0..cases.all.len() {
        let of_curve = cases.all[at].curve;
        cases.all[at].curve = usize::MAX;
        let case = Lookup::new(cases, parts.derived(), at);
        let curve = match &parts.curve {
            Some(Text(curve)) => case.fill(curve),
            // Everything except the rate.
            None => Some(of_curve.to_string()),
        };
        let Some((curve, x)) = curve.zip(case.figure(&parts.x)) else {
            missing = true;
            continue;
        };
        let known = curves.iter().position(|(name, _)| *name == curve).unwrap_or_else(|| {
            curves.push((curve, Vec::new()));
            curves.len() - 1
        });
        curves[known].1.push((x, cases.all[at].point));
        cases.all[at].curve = known;
    }
    cases.curves = curves.into_iter().map(|(_, points)| points).collect();
    cases.curves.iter_mut().for_each(|points| points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    if missing { Err(parts.lacks("a place on a curve")) } else { Ok(()) }
}

fn values(group: &Group, cases: &Cases) -> Result<Vec<Values>, Vec<Problem>> {
    let own: Values =
        group.values.iter().map(|(name, value)| (name.clone(), Some(value.clone()))).collect();
    let mut all = vec![own];
    if let Some(name) = &group.table {
        let rows = rows(name, cases)?.into_iter();
        all = rows.map(|row| row.into_iter().chain(all[0].clone()).collect()).collect();
    }
    let lengths = group.axes.iter().map(|axis| axis.entries(cases.quick).len());
    let count = lengths.fold(all.len() + cases.all.len(), usize::saturating_mul);
    if count > CASES_MAX {
        let what = format!("these are {count} cases, and a study may have {CASES_MAX}");
        let help = Some("make several studies of it".to_owned());
        return Err(vec![Problem { source: "the study".into(), place: None, what, help }]);
    }
    Ok(along(all, &group.axes, cases.quick))
}

/// All combinations of `all` with entries of the axes.
pub fn along(mut all: Vec<Values>, axes: &[Axis], quick: bool) -> Vec<Values> {
    for axis in axes {
        let with = |values: &Values, entry: &Entry| {
            let names = axis.of.split(' ').zip(entry.values());
            let entry = names.map(|(name, it)| (name.to_owned(), Some(it.clone())));
            values.clone().into_iter().chain(entry).collect::<Values>()
        };
        let entries = axis.entries(quick);
        all = all
            .iter()
            .flat_map(|values| entries.iter().map(move |entry| with(values, entry)))
            .collect();
    }
    all
}

/// The rows of a table; lines beginning with `#` are comments on the source.
fn rows(name: &str, cases: &Cases) -> Result<Vec<Values>, Vec<Problem>> {
    let table = cases.sources.table(name).map_err(|problem| vec![problem])?;
    let mut reader =
        csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(table.text.as_bytes());
    let mut all = Vec::new();
    for row in reader.deserialize::<BTreeMap<String, String>>() {
        let mut row = row.map_err(|why| {
            let what = format!("this is no table: {why}");
            vec![Problem { source: table.name.clone(), place: None, what, help: None }]
        })?;
        if row.remove("quick").is_none_or(|it| !cases.quick || it == "true") {
            all.push(row.into_iter().map(|(name, text)| (name, Value::cell(&text))).collect());
        }
    }
    Ok(all)
}

/// The column names of a table; empty if the table does not exist.
pub fn columns(name: &str, sources: &Sources) -> Vec<String> {
    let Ok(table) = sources.table(name) else { return Vec::new() };
    let mut reader =
        csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(table.text.as_bytes());
    let names = reader.headers().map(|names| names.iter().map(str::to_owned).collect());
    names.unwrap_or_default()
}
