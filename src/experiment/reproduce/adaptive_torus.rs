//! Quaglia, Ciciani and Colajanni (000): mean latency of minimal fully adaptive wormhole routing in
//! a k × k torus, by a model and by simulation.

mod comparison;

use std::sync::Arc;

use serde::Deserialize;

use super::printed::rows;
use super::table::{Beside, Compared, Spread, deviation};
use super::{
    Claim, Content, Effort, Figure, Finding, Judgement, Line, Point, PointId, Results, Study,
    Table, Tolerance,
};
use crate::experiment::plot::{Curve, Dot, Origin, Plot};
use crate::experiment::{End, Plan};
use crate::model::Model;
use crate::model::adaptive_torus::AdaptiveTorus;
use crate::stats::{Estimate, WarmUp};
use crate::units::Rate;

/// The study.
pub(super) const STUDY: Study = Study {
    name: "adaptive-torus",
    paper: "F. Quaglia, B. Ciciani, M. Colajanni, Parallel Computing 28 (2002) 485-501",
    about: "tables 1 and 2, figures 3 and 4: adaptive wormhole routing in tori, model and simulation",
    content,
};

/// Routers on a side, in the tables.
const SIZES: [u32; 4] = [4, 8, 12, 16];
/// The rate up to which traffic is low or medium, as the paper calls 1 000 and 500 cycles between
/// two messages of a node.
const MEDIUM_RATE: f64 = 1.0 / 500.0;
/// By how much the rates of the 12 × 12 column must be off for the model to give what is printed.
const RATE_FACTOR_12: f64 = 1.125;

/// How far simulation may be from the tables, as a share.
const WITHIN: f64 = 0.025;

/// A row of the tables.
#[derive(Clone, Copy, Deserialize)]
struct Printed {
    /// Routers on a side.
    k: u32,
    /// Messages per node and cycle.
    rate: f64,
    /// Mean latency in cycles, by the paper's simulation.
    simulation: f64,
    /// Mean latency in cycles, by the paper's model.
    model: f64,
}

/// A row with its point, and what the model says here.
struct Case {
    printed: Printed,
    point: PointId,
    /// Mean latency in cycles.
    model: Option<f64>,
    /// The same at the rate multiplied by [`RATE_FACTOR_12`].
    model_faster: Option<f64>,
}

/// Runs that reach `messages` messages counted, and how many.
fn plan(effort: Effort) -> Plan {
    Plan {
        end: End::new(None, Some(effort.choose(5_000, 40_000)), None),
        warm_up: WarmUp::Automatic,
        replications: 12,
    }
}

/// The built-in scenario of a size.
fn builtin(k: u32) -> String {
    format!("papers/adaptive-torus-{k}x{k}")
}

/// The field of the rate.
fn rate_field(rate: f64) -> (&'static str, String) {
    ("traffic.arrivals.rate", format!("{rate:?}"))
}

fn content(effort: Effort) -> Content {
    let mut content = Content::default();
    let printed: Vec<Printed> = rows(include_str!("data/adaptive_torus_tables.csv"));
    let model = AdaptiveTorus::default();
    let cases: Vec<Case> = printed
        .into_iter()
        .map(|printed| {
            let name = builtin(printed.k);
            let point = Point::new(&name, &[rate_field(printed.rate)], plan(effort));
            let system = &point.scenario().system;
            let at = |rate| Some(model.predict(system, Rate(rate)).ok()?.latency_mean);
            let (model, model_faster) = (at(printed.rate), at(RATE_FACTOR_12 * printed.rate));
            Case { printed, model, model_faster, point: content.point(point) }
        })
        .collect();
    content.tables.push(tables(&cases));
    let cases: Arc<[Case]> = cases.into();
    content.figures.push(curves(&cases));
    content.claims.extend(claims(&cases));
    comparison::add(&mut content, effort);
    content
}

fn line(case: &Case) -> Line {
    let Printed { k, rate, simulation, model } = case.printed;
    Line {
        paper: Some(simulation),
        paper_model: Some(model),
        model: case.model,
        tolerance: Some(Tolerance::SimulationToPaper(WITHIN)),
        ..Line::latency(format!("{k}x{k} at {rate}"), case.point)
    }
}

fn tables(cases: &[Case]) -> Table {
    Table {
        name: "tables 1 and 2",
        title: "mean latency by size and messages per node and cycle".to_owned(),
        unit: "cycles",
        decimals: 2,
        beside: Beside::Paper,
        lines: cases.iter().map(line).collect(),
    }
}

/// The tables as curves, which the paper does not draw.
fn curves(cases: &Arc<[Case]>) -> Figure {
    let cases = Arc::clone(cases);
    Figure::new("tables-1-and-2", move |results| {
        let mut curves = Vec::new();
        for (group, size) in SIZES.into_iter().enumerate() {
            let of_size = || cases.iter().filter(move |case| case.printed.k == size);
            let curve = |origin, dots: Vec<Dot>| Curve {
                label: format!("{size}x{size}"),
                origin,
                group,
                dots,
            };
            let simulated = of_size().filter_map(|case| {
                let Estimate { mean, half_width } = results.latency_estimate(case.point)?;
                Some(Dot { x: case.printed.rate, y: mean, half_width })
            });
            let plain = |case: &Case, y| Dot { x: case.printed.rate, y, half_width: None };
            let modelled = of_size().filter_map(|case| Some(plain(case, case.model?)));
            let printed = of_size().map(|case| plain(case, case.printed.simulation));
            curves.push(curve(Origin::Simulation, simulated.collect()));
            curves.push(curve(Origin::Model, modelled.collect()));
            curves.push(curve(Origin::Paper, printed.collect()));
        }
        Plot {
            title: "Tables 1 and 2: mean latency in k x k tori, 12-flit messages".to_owned(),
            x: "messages per node and cycle".to_owned(),
            y: "mean latency, cycles".to_owned(),
            y_max: None,
            curves,
        }
    })
}

/// The cases compared, if all have been simulated, and as the paper printed them.
fn compared(cases: &[Case], results: &Results) -> Option<Vec<(Printed, Compared)>> {
    let lines = cases.iter().map(|case| (case.printed, line(case).compare(results)));
    let lines: Vec<(Printed, Compared)> = lines.collect();
    lines.iter().all(|(_, line)| line.simulation.is_some()).then_some(lines)
}

/// Whether the model's error against simulation is below `within`, here and in print, over the cases
/// up to a rate.
fn model_errors(
    cases: &[Case],
    results: &Results,
    (rate_max, within): (f64, f64),
) -> Option<Judgement> {
    let lines = compared(cases, results)?;
    let chosen = || lines.iter().filter(|(printed, _)| printed.rate <= rate_max);
    let here = Spread::of(chosen().map(|(_, line)| line), |line| line.model_to_simulation)?;
    let in_print = |line: &Compared| deviation(line.paper_model, line.paper);
    let printed = Spread::of(chosen().map(|(_, line)| line), in_print)?;
    let evidence = format!("here {here}; in print {printed}");
    if printed.worst.abs() >= within {
        return Some(Judgement::arithmetic(false, evidence));
    }
    let found = cases.iter().filter(|case| case.printed.rate <= rate_max).map(|case| {
        let error = |results: &Results| deviation(case.model, results.latency(case.point));
        results.judge(-within..=within, error)
    });
    Some(Judgement::all(found.collect::<Option<Vec<Finding>>>()?, evidence))
}

/// Whether the latencies are those printed.
fn as_printed(cases: &[Case], results: &Results) -> Option<Judgement> {
    let lines = compared(cases, results)?;
    let spread = Spread::of(lines.iter().map(|it| &it.1), |line| line.simulation_to_paper)?;
    let off = |case: &Case, results: &Results| {
        deviation(results.latency(case.point), Some(case.printed.simulation))
    };
    let root_mean_square = results.judge(0.0..=0.01, |results| {
        let squares = cases.iter().map(|case| Some(off(case, results)?.powi(2)));
        Some((squares.sum::<Option<f64>>()? / cases.len() as f64).sqrt())
    })?;
    let worst =
        cases.iter().map(|case| results.judge(-WITHIN..=WITHIN, |results| off(case, results)));
    let findings = worst.chain([Some(root_mean_square)]).collect::<Option<Vec<Finding>>>()?;
    Some(Judgement::all(findings, spread.to_string()))
}

/// The model's latencies from those that the paper prints as the model's.
fn model_columns(cases: &[Case], sizes: fn(u32) -> bool) -> Option<Spread> {
    let of_size = cases.iter().filter(|case| sizes(case.printed.k));
    let lines: Vec<Compared> =
        of_size.map(|case| line(case).compare(&Results::none(cases.len()))).collect();
    Spread::of(&lines, |line| line.model_to_paper)
}

fn claims(cases: &Arc<[Case]>) -> Vec<Claim> {
    let judged = |judge: fn(&[Case], &Results) -> Option<Judgement>| {
        let cases = Arc::clone(cases);
        move |results: &Results| judge(&cases, results)
    };
    vec![
        Claim::holds(
            "Tables 1 and 2, simulation columns: the simulator described gives these latencies \
             (root mean square of the deviations within 1 %, worst within 2.5 %)",
            judged(as_printed),
        ),
        Claim::holds(
            "Tables 1 and 2, model columns of 4x4, 8x8 and 16x16: the model's equations give these \
             latencies (within 1 %)",
            judged(|cases, _| {
                let spread = model_columns(cases, |k| k != 12)?;
                let evidence = format!(
                    "{spread}; in the calibrated reading, whose two constants were fitted to these \
                     columns"
                );
                Some(Judgement::arithmetic(spread.worst.abs() <= 0.01, evidence))
            }),
        ),
        Claim::fails(
            "Table 2, model column of 12x12: the same equations give these latencies at the rates \
             stated (within 1 %)",
            judged(|cases, _| {
                let stated = model_columns(cases, |k| k == 12)?;
                let of_size = cases.iter().filter(|case| case.printed.k == 12);
                let faster = of_size
                    .filter_map(|case| Some((case.model_faster? / case.printed.model - 1.0).abs()))
                    .fold(0.0, f64::max);
                let evidence = format!(
                    "{stated}; at {RATE_FACTOR_12} times the rates stated all are within {:.2} %",
                    100.0 * faster
                );
                Some(Judgement::arithmetic(stated.worst.abs() <= 0.01, evidence))
            }),
        ),
        Claim::holds(
            "Section 5: the model is less than 6 % off simulation at low and medium rates (up to \
             one message in 500 cycles, as the paper's figures use the words)",
            judged(|cases, results| model_errors(cases, results, (MEDIUM_RATE, 0.06))),
        ),
        Claim::fails(
            "Section 5: the model is less than 12 % off simulation at high rates too",
            judged(|cases, results| model_errors(cases, results, (f64::INFINITY, 0.12))),
        ),
    ]
}
