//! The figures of a study: latency and accepted load by offered load.

use super::folder::Found;
use super::{Results, SweepRow};
use crate::experiment::plot::{Curve, Dot, Origin, Plot};
use crate::experiment::report::load_word;
use crate::units::Rate;

/// Points of a model's curve.
const MODEL_POINTS: u32 = 60;
/// The vertical axis of latencies ends at this multiple of the highest of a steady run: what a model says
/// near its saturation is cut off, and what runs say that are too short to tell.
const ABOVE: f64 = 1.25;

/// The figures, by the names of their files.
pub(super) fn all(results: &Results<'_>) -> [(&'static str, Plot); 2] {
    let curves = || 0..results.study.curves.len();
    let unit = results.study.points.first().map(|it| it.task.job.scenario.system.time_unit());
    let (load, time) = unit.map_or(("", ""), |unit| (load_word(unit), unit.name));
    let named = |what: &str, up: &str, curves: Vec<Curve>| Plot {
        title: format!("{}: {what}", results.study.name()),
        x: format!("offered load, {load}"),
        y: up.to_owned(),
        y_max: None,
        curves,
    };
    let mut latency: Vec<Curve> = curves().map(|at| latency(results, at)).collect();
    let steady = results.found.iter().filter_map(|it| it.row().filter(|row| row.is_steady()));
    let highest = steady.filter_map(|row| row.number("latency_mean")).reduce(f64::max);
    let y_max = highest.map(|y| ABOVE * y);
    latency.extend(curves().filter_map(|at| model(results, at)));
    let latency = named("latency by load", &format!("mean latency, {time}"), latency);
    let accepted = curves().map(|at| accepted(results, at)).collect();
    let accepted = named("load accepted", &format!("accepted load, {load}"), accepted);
    [("latency.svg", Plot { y_max, ..latency }), ("accepted.svg", accepted)]
}

/// What is drawn of a curve: up to where it saturates; where it is saturated it has no latency.
fn latency(results: &Results<'_>, at: usize) -> Curve {
    let beyond = |(point, found): (usize, &Found)| {
        found.row().filter(|row| row.is_saturated()).map(|_| results.load(point))
    };
    let beyond = results.curve(at).filter_map(beyond).collect();
    let steady = |row: &SweepRow| !row.is_saturated() && !row.holds("deadlock");
    simulated(results, at, beyond, ["latency_mean", "latency_half_width"], steady)
}

fn accepted(results: &Results<'_>, at: usize) -> Curve {
    let columns = ["accepted_flits_per_node_cycle", "accepted_half_width"];
    simulated(results, at, Vec::new(), columns, |row| !row.holds("deadlock"))
}

fn simulated(
    results: &Results<'_>,
    at: usize,
    beyond: Vec<f64>,
    [mean, half]: [&str; 2],
    shown: impl Fn(&SweepRow) -> bool,
) -> Curve {
    let dot = |(point, found): (usize, &Found)| {
        let row = found.row().filter(|row| shown(row))?;
        let (x, half_width) = (results.load(point), row.number(half));
        Some(Dot { x, y: row.number(mean)?, half_width })
    };
    let mut dots: Vec<Dot> = results.curve(at).filter_map(dot).collect();
    dots.sort_by(|a, b| a.x.total_cmp(&b.x));
    let label = results.study.curves[at].clone();
    Curve { label, origin: Origin::Simulation, group: at, dots, beyond }
}

/// The curve of a model, as far as there are points.
fn model(results: &Results<'_>, at: usize) -> Option<Curve> {
    let (_, equations) = results.models[at].as_ref()?;
    let (point, _) = results.curve(at).next()?;
    let system = &results.study.points[point].task.job.scenario.system;
    let last = results.curve(at).map(|(point, _)| results.load(point)).reduce(f64::max)?;
    let dots = equations.curve(MODEL_POINTS).map(|(rate, y)| {
        let x = system.load_at(Rate(rate)).0;
        Dot { x, y, half_width: None }
    });
    let dots: Vec<Dot> = dots.filter(|dot| dot.x <= last).collect();
    let label = results.study.curves[at].clone();
    let drawn = !dots.is_empty();
    drawn.then_some(Curve { label, origin: Origin::Model, group: at, dots, beyond: Vec::new() })
}
