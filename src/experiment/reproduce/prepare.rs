//! The cases of a study from what its file says of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::cases::{Case, Cases, Theory, Value, Values};
use super::formula::{Formula, Text, Written};
use super::scope::{Item, Scope};
use super::study::{Axis, Effort, Entry, Group, ModelName, Run, Study};
use super::{Point, PointId};
use crate::experiment::equations::Equations;
use crate::experiment::{End, Plan};
use crate::scenario::{Problem, nearest};
use crate::stats::WarmUp;

const TABLES: [(&str, &str); 2] = [
    ("adaptive-torus", include_str!("../../../scenarios/studies/adaptive-torus.csv")),
    ("circuits", include_str!("../../../scenarios/studies/circuits.csv")),
];

/// The cases of a study, their points added to `points`.
pub(super) fn cases(
    study: &Study,
    effort: Effort,
    points: &mut Vec<Point>,
) -> Result<Cases, Vec<Problem>> {
    let lets = study.lets.clone();
    let mut cases = Cases { lets, quick: effort == Effort::Quick, ..Cases::default() };
    let mut prepared = BTreeMap::new();
    for group in &study.cases {
        for values in values(group, cases.quick)? {
            cases.all.push(Case { values, ..Case::default() });
            let item = Item::alone(cases.all.len() - 1);
            let holds = |only| cases.plainly(&item, |scope| scope.holds(only));
            if group.only.as_deref().is_none_or(holds) {
                prepare(study, group, &item, &mut prepared, points, &mut cases)?;
            } else {
                cases.all.pop();
            }
        }
    }
    cases.all.par_iter_mut().for_each(|case| {
        let rate = case.scenario.as_ref().map(|it| it.system.traffic.rate.0);
        case.theories.par_iter_mut().for_each(|(_, it)| {
            it.prediction = rate.and_then(|rate| it.equations.predict(rate));
        });
    });
    place(study, &mut cases)?;
    Ok(cases)
}

/// Finds out what is run for a case, with the models' equations, which are the same along the axis.
fn prepare(
    study: &Study,
    group: &Group,
    item: &Item,
    prepared: &mut BTreeMap<String, BTreeMap<String, Theory>>,
    points: &mut Vec<Point>,
    cases: &mut Cases,
) -> Result<(), Vec<Problem>> {
    let text = |cases: &Cases, text: &Text| cases.plainly(item, |scope| scope.text(text));
    let fields = |cases: &Cases, axis: bool| {
        let all = study.sets.iter().chain(&group.sets);
        let all = all.filter(|(path, _)| axis || *path != study.axis);
        all.filter_map(|(path, it)| Some((path.clone(), text(cases, it)?))).collect::<Vec<_>>()
    };
    let builtin = text(cases, &study.scenario).ok_or_else(|| study.lacks("a scenario"))?;
    let base = Point::new(&builtin, &fields(cases, false), Plan::default())?;
    let theories = prepared.entry(base.name).or_insert_with(|| {
        let theory = |(name, models): (&String, &Vec<ModelName>)| {
            let mut models = models.iter();
            let found = models.find_map(|it| Equations::find(&base.job.scenario.system, it));
            let equations = Arc::new(found?);
            Some((name.clone(), Theory { equations, prediction: None }))
        };
        study.models.iter().filter_map(theory).collect()
    });
    cases.all[item.case].theories = theories.clone();
    cases.all[item.case].scenario = Some(base.job.scenario);
    let plan = cases.plainly(item, |scope| plan(&study.run, scope));
    let point = Point::new(&builtin, &fields(cases, true), plan)?;
    cases.all[item.case].scenario = Some(Arc::clone(&point.job.scenario));
    let same = |known: &Point| known.name == point.name && known.job.plan == point.job.plan;
    cases.all[item.case].point = PointId(points.iter().position(same).unwrap_or_else(|| {
        points.push(point);
        points.len() - 1
    }));
    Ok(())
}

fn plan(run: &Run, scope: &Scope<'_>) -> Plan {
    let whole = |formula: &Option<Written<Formula>>| {
        scope.number(formula.as_ref()?).map(|number| number as u64)
    };
    Plan {
        end: End::new(None, whole(&run.messages), whole(&run.cycles)),
        warm_up: whole(&run.warm_up).map_or(WarmUp::Automatic, WarmUp::Cycles),
        replications: run.replications,
    }
}

fn place(study: &Study, cases: &mut Cases) -> Result<(), Vec<Problem>> {
    let mut curves: Vec<(String, Vec<(f64, PointId)>)> = Vec::new();
    for at in 0..cases.all.len() {
        let place = |scope: &Scope<'_>| scope.text(&study.curve).zip(scope.number(&study.x));
        let placed = cases.plainly(&Item::alone(at), place);
        let (curve, x) = placed.ok_or_else(|| study.lacks("a place on a curve"))?;
        let known = curves.iter().position(|(name, _)| *name == curve).unwrap_or_else(|| {
            curves.push((curve, Vec::new()));
            curves.len() - 1
        });
        curves[known].1.push((x, cases.all[at].point));
        cases.all[at].curve = known;
    }
    cases.curves = curves.into_iter().map(|(_, points)| points).collect();
    cases.curves.iter_mut().for_each(|points| points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    Ok(())
}

fn values(group: &Group, quick: bool) -> Result<Vec<Values>, Vec<Problem>> {
    let own: Values =
        group.values.iter().map(|(name, value)| (name.clone(), Some(value.clone()))).collect();
    let mut all = vec![own];
    if let Some(name) = &group.table {
        let rows = rows(name, quick)?;
        all = rows.map(|row| row.into_iter().chain(all[0].clone()).collect()).collect();
    }
    Ok(along(all, &group.axes, quick))
}

/// All of `all` at every place along axes.
pub(super) fn along(mut all: Vec<Values>, axes: &[Axis], quick: bool) -> Vec<Values> {
    for Axis { of, all: full, quick: few } in axes {
        let entries = few.as_ref().filter(|_| quick).unwrap_or(full);
        let with = |values: &Values, entry: &Entry| {
            let entry = match entry {
                Entry::One(value) => std::slice::from_ref(value),
                Entry::Many(values) => values,
            };
            let entry =
                of.split(' ').zip(entry).map(|(name, it)| (name.to_owned(), Some(it.clone())));
            values.clone().into_iter().chain(entry).collect::<Values>()
        };
        all = all
            .iter()
            .flat_map(|values| entries.iter().map(move |entry| with(values, entry)))
            .collect();
    }
    all
}

/// The rows of a table; lines that begin with `#` say where it comes from.
fn rows(name: &str, quick: bool) -> Result<impl Iterator<Item = Values>, Vec<Problem>> {
    let (_, text) = TABLES.iter().find(|(known, _)| *known == name).ok_or_else(|| {
        let near = nearest(name, TABLES.iter().map(|(known, _)| *known));
        let help = near.map(|near| format!("did you mean `{near}`?"));
        let (source, what) = ("the study".to_owned(), format!("there is no table `{name}`"));
        vec![Problem { source, place: None, what, help }]
    })?;
    let reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let rows = reader.into_deserialize::<BTreeMap<String, String>>();
    let rows = rows.map(|row| row.expect("an embedded table is well formed"));
    let rows = rows.filter(move |row| !quick || row.get("quick").is_none_or(|it| it == "true"));
    Ok(rows.map(|mut row| {
        row.remove("quick");
        row.into_iter().map(|(name, text)| (name, Value::cell(&text))).collect()
    }))
}

/// The names of a table's columns; none where there is no such table.
pub(super) fn columns(name: &str) -> Vec<String> {
    let first = rows(name, false).ok().and_then(|mut rows| rows.next());
    first.into_iter().flat_map(Values::into_keys).collect()
}
