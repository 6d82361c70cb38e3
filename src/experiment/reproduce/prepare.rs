//! The cases of a study from what its file says of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::cases::{Case, Cases, Equations, Theory, Value, Values};
use super::formula::{Formula, Text};
use super::scope::{Item, Scope};
use super::study::{Axis, Entry, Group, ModelName, Run, Study};
use super::{Content, Effort, Point, PointId, Results};
use crate::experiment::{End, Plan};
use crate::stats::WarmUp;

/// Tables of studies by their name.
const TABLES: [(&str, &str); 2] = [
    ("adaptive-torus", include_str!("../../../scenarios/studies/adaptive-torus.csv")),
    ("circuits", include_str!("../../../scenarios/studies/circuits.csv")),
];

/// The cases of a study, their points added to `content`.
pub(super) fn cases(study: &Study, effort: Effort, content: &mut Content) -> Cases {
    let mut cases = Cases {
        lets: study.lets.clone(),
        models: study.models.keys().cloned().collect(),
        quick: effort == Effort::Quick,
        ..Cases::default()
    };
    let mut prepared = BTreeMap::new();
    let groups: Vec<(&Group, Vec<Values>)> =
        study.cases.iter().map(|group| (group, values(group, cases.quick))).collect();
    let all = groups.iter().flat_map(|(_, all)| all);
    cases.names = all.flat_map(|values| values.keys().cloned()).collect();
    for (group, all) in groups {
        for values in all {
            let unknown = PointId(usize::MAX);
            let (theories, scenario) = (BTreeMap::new(), None);
            cases.all.push(Case { values, point: unknown, scenario, theories, curve: 0 });
            if group.only.as_ref().is_none_or(|only| here(&cases, |scope| scope.holds(only))) {
                prepare(study, group, &mut prepared, content, &mut cases);
            } else {
                cases.all.pop();
            }
        }
    }
    cases
        .all
        .par_iter_mut()
        .flat_map(|case| {
            case.theories.par_iter_mut().map(|(_, it)| {
                let rate = case.scenario.as_ref().map(|it| it.system.traffic.rate.0);
                it.prediction = rate.and_then(|rate| it.equations.predict(rate));
            })
        })
        .collect::<Vec<()>>();
    place(study, &mut cases);
    cases
}

/// Something about the last case, of which no results are known.
fn here<T>(cases: &Cases, ask: impl FnOnce(&Scope<'_>) -> T) -> T {
    let item = Item::alone(cases.all.len() - 1);
    ask(&Scope { cases, results: &Results::none(0), item: &item, items: &[] })
}

/// Finds out what is run for the last case, with the models' equations, which are the same along the
/// axis.
fn prepare(
    study: &Study,
    group: &Group,
    prepared: &mut BTreeMap<String, BTreeMap<String, Theory>>,
    content: &mut Content,
    cases: &mut Cases,
) {
    let fields = |cases: &Cases, axis: bool| {
        let all =
            study.sets.iter().chain(&group.sets).filter(|(path, _)| axis || *path != study.axis);
        let set = |(path, text): &(String, Text)| {
            Some((path.clone(), here(cases, |scope| scope.text(text))?))
        };
        all.filter_map(set).collect::<Vec<(String, String)>>()
    };
    let builtin = here(cases, |scope| scope.text(&study.scenario)).expect("a case has a scenario");
    let base = Point::new(&builtin, &fields(cases, false), Plan::default());
    let theories = prepared.entry(base.name).or_insert_with(|| {
        let theory = |(name, models): (&String, &Vec<ModelName>)| {
            let mut models = models.iter();
            let found = models.find_map(|it| Equations::find(&base.job.scenario.system, it));
            let equations = Arc::new(found?);
            Some((name.clone(), Theory { equations, prediction: None }))
        };
        study.models.iter().filter_map(theory).collect()
    });
    let last = cases.all.len() - 1;
    cases.all[last].theories = theories.clone();
    cases.all[last].scenario = Some(base.job.scenario);
    let plan = here(cases, |scope| plan(&study.run, scope));
    let point = Point::new(&builtin, &fields(cases, true), plan);
    cases.all[last].scenario = Some(Arc::clone(&point.job.scenario));
    cases.all[last].point = content.point(point);
}

fn plan(run: &Run, scope: &Scope<'_>) -> Plan {
    let whole = |formula: &Formula| scope.number(formula).map(|number| number as u64);
    let (messages, cycles) = (&run.messages, &run.cycles);
    Plan {
        end: End::new(None, messages.as_ref().and_then(whole), cycles.as_ref().and_then(whole)),
        warm_up: run.warm_up.as_ref().and_then(whole).map_or(WarmUp::Automatic, WarmUp::Cycles),
        replications: run.replications,
    }
}

/// Places the cases on their curves.
fn place(study: &Study, cases: &mut Cases) {
    let mut curves: Vec<(String, Vec<(f64, PointId)>)> = Vec::new();
    for at in 0..cases.all.len() {
        let item = Item::alone(at);
        let scope = Scope { cases, results: &Results::none(0), item: &item, items: &[] };
        let (Some(curve), Some(x)) = (scope.text(&study.curve), scope.number(&study.x)) else {
            panic!("a case of {} has no place on a curve", study.name)
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
}

/// The values of every case of a group.
fn values(group: &Group, quick: bool) -> Vec<Values> {
    let own: Values =
        group.values.iter().map(|(name, value)| (name.clone(), Some(value.clone()))).collect();
    let mut all = vec![own];
    if let Some(name) = &group.table {
        let rows = rows(name, quick);
        all = rows.map(|row| row.into_iter().chain(all[0].clone()).collect()).collect();
    }
    for Axis { of, all: full, quick: few } in &group.axes {
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
fn rows(name: &str, quick: bool) -> impl Iterator<Item = Values> {
    let found = TABLES.iter().find(|(known, _)| *known == name);
    let (_, text) = found.unwrap_or_else(|| panic!("there is no table {name}"));
    let reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let rows = reader.into_deserialize::<BTreeMap<String, String>>();
    let rows = rows.map(|row| row.expect("an embedded table is well formed"));
    rows.filter(move |row| !quick || row.get("quick").is_none_or(|it| it == "true")).map(
        |mut row| {
            row.remove("quick");
            row.into_iter().map(|(name, text)| (name, Value::cell(&text))).collect()
        },
    )
}
