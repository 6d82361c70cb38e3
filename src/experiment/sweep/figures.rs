//! Draws the standard figures of a study.

use super::Results;
use super::load_points::LoadPoints;
use super::results::Beside;
use super::standard_figure::StandardFigure;
use crate::experiment::plot::{Curve, Dot, Origin, Plot};
use crate::experiment::report::load_word;
use crate::experiment::verdict::Verdict;
use crate::text;
use crate::units::Rate;

/// Points of a model's curve.
const MODEL_POINTS: u32 = 60;
/// Upper limit of a latency axis: this multiple of the highest steady latency, or of the lowest
/// latency of the curve with the highest start. Latencies near saturation are cut off.
const ABOVE: f64 = 1.25;
const ABOVE_LOWEST: f64 = 10.0;

const ACCEPTED: [&str; 2] = ["accepted_flits_per_node_cycle", "accepted_half_width"];
const LATENCY: [&str; 2] = ["latency_mean", "latency_half_width"];
/// Quantiles of the latency: labels and columns. Only the last has an interval.
const QUANTILES: [(&str, [&str; 2]); 3] = [
    ("50 %", ["latency_p50", ""]),
    ("95 %", ["latency_p95", ""]),
    ("99 %", ["latency_p99", "latency_p99_half_width"]),
];

/// The requested standard figures, by file name.
pub(super) fn all(results: &Results<'_>) -> Vec<(String, Plot)> {
    let wanted = results.study.drawn.as_ref();
    let mut plots = every(results);
    plots.retain(|(figure, _)| wanted.is_none_or(|wanted| wanted.contains(figure)));
    plots.into_iter().map(|(figure, plot)| (figure.file(), plot)).collect()
}

fn every(results: &Results<'_>) -> Vec<(StandardFigure, Plot)> {
    let curves = || 0..results.study.curves.len();
    let unit = results.study.points.first().map(|it| it.task.job.scenario.system.time_unit());
    let (load, time) = unit.map_or(("", ""), |unit| (load_word(unit), unit.name));
    let (offered, taken) = (format!("offered load, {load}"), format!("accepted load, {load}"));
    let plot = |what: &str, x: &str, y: String, curves: Vec<Curve>| Plot {
        title: format!("{}: {what}", results.study.name()),
        x: x.to_owned(),
        y,
        y_max: None,
        curves,
        notes: Vec::new(),
    };
    let latencies = |x: Option<&str>, y| {
        let mut all: Vec<Curve> = curves().map(|at| drawn(results, at, x, y)).collect();
        all.extend(curves().filter(|_| x.is_none()).filter_map(|at| from_above(results, at)));
        all
    };
    let models = |x: &str, y: String, mut simulated: Vec<Curve>, what: &str| {
        let y_max = highest(&simulated);
        simulated.extend(curves().flat_map(|at| models_of(results, at)));
        Plot { y_max, notes: too_short(results), ..plot(what, x, y, simulated) }
    };
    let mean = format!("mean latency, {time}");
    let mut quantiles: Vec<Curve> = Vec::new();
    for at in curves() {
        for (mark, (name, columns)) in QUANTILES.into_iter().enumerate() {
            let mut curve = drawn(results, at, None, columns);
            curve.bracket = curve.bracket.filter(|_| mark == 0);
            let label = if curve.label.is_empty() {
                name.into()
            } else {
                format!("{}, {name}", curve.label)
            };
            quantiles.push(Curve { mark: at * QUANTILES.len() + mark, label, ..curve });
        }
    }
    let y_max = highest(&quantiles);
    let quantiles =
        plot("quantiles of the latency", &offered, format!("latency, {time}"), quantiles);
    let accepted = curves().map(|at| all_of(results, at, ACCEPTED));
    let accepted = accepted.chain(curves().filter_map(|at| from_above(results, at))).collect();
    let used = curves().map(|at| all_of(results, at, ["channel_utilisation_mean", ""])).collect();
    let mut plots = vec![
        (
            StandardFigure::Latency,
            models(&offered, mean.clone(), latencies(None, LATENCY), "latency by load"),
        ),
        (
            StandardFigure::LatencyByAccepted,
            models(&taken, mean, latencies(Some(ACCEPTED[0]), LATENCY), "latency by accepted load"),
        ),
        (StandardFigure::Accepted, plot("load accepted", &offered, taken.clone(), accepted)),
        (StandardFigure::Quantiles, Plot { y_max, notes: too_short(results), ..quantiles }),
        (
            StandardFigure::Utilisation,
            plot("channels in use", &offered, "mean utilisation of channels".to_owned(), used),
        ),
    ];
    let differences: Vec<Curve> = curves().skip(1).map(|at| difference(results, at)).collect();
    if differences.iter().any(|curve| !curve.dots.is_empty()) {
        let up = format!("difference of the mean latency, {time}");
        let what = format!("latency minus that of {}", results.names()[0]);
        plots.push((StandardFigure::Differences, plot(&what, &offered, up, differences)));
    }
    let (trips, windows) = round_trips(results);
    if trips.iter().any(|curve| !curve.dots.is_empty()) {
        let of_windows = if windows.is_empty() {
            String::new()
        } else {
            format!(", windows {}", windows.join(", "))
        };
        let what = format!("round trips{of_windows}");
        let up = format!("mean round trip, {time}");
        plots.push((StandardFigure::RoundTrips, plot(&what, "round trips/node/cycle", up, trips)));
    }
    plots
}

/// Mean round trips by their number per node and cycle, and the windows. The windows of a closed loop,
/// which has no offered load, are the points of one curve, in their order.
fn round_trips(results: &Results<'_>) -> (Vec<Curve>, Vec<String>) {
    const WINDOW: &str = "traffic.arrivals.window=";
    let (mut curves, mut windows) = (Vec::<Curve>::new(), Vec::<String>::new());
    let shown = |place: &LoadPoints<'_>| place.verdict() == Some(Verdict::Steady);
    for at in 0..results.study.curves.len() {
        let columns = ["round_trip_mean", ""];
        let one = simulated(results, at, Some("round_trips_per_node_cycle"), columns, shown);
        let is_window = |part: &&str| part.starts_with(WINDOW);
        let settings = &results.study.curves[at];
        let parts = || settings.split(", ");
        let own = parts().filter(is_window).map(|part| part[WINDOW.len()..].to_owned());
        windows.extend(own.filter(|window| !windows.contains(window)).collect::<Vec<_>>());
        let others = parts().filter(|part| !is_window(part)).collect::<Vec<_>>().join(", ");
        let joins = others != *settings;
        let label = if joins { others } else { one.label };
        match curves.iter_mut().find(|curve| joins && curve.label == label) {
            Some(curve) => curve.dots.extend(one.dots),
            None => curves.push(Curve { label, ..one }),
        }
    }
    (curves, windows)
}

/// The main figure, first of all.
pub(super) fn main(results: &Results<'_>) -> Option<Plot> {
    all(results).into_iter().next().map(|(_, plot)| plot)
}

/// A note on points that are not drawn because their runs were too short for a verdict.
fn too_short(results: &Results<'_>) -> Vec<String> {
    let places = (0..results.study.curves.len()).flat_map(|at| results.places(at));
    let count = places.filter(|it| it.verdict() == Some(Verdict::TooShort)).count();
    let points = text::count(count, "point", "points");
    (count > 0).then(|| format!("not drawn: {points} too short to tell")).into_iter().collect()
}

/// The upper limit of a latency axis.
fn highest(curves: &[Curve]) -> Option<f64> {
    let dots = |curve: &Curve| curve.dots.iter().map(|dot| dot.y).collect::<Vec<f64>>();
    let all: Vec<Vec<f64>> = curves.iter().map(dots).collect();
    let high = all.iter().flatten().copied().reduce(f64::max)?;
    let lowest = all.iter().filter_map(|dots| dots.iter().copied().reduce(f64::min));
    Some((ABOVE * high).min(ABOVE_LOWEST * lowest.reduce(f64::max)?))
}

/// The latencies of a curve up to saturation; beyond saturation latencies are undefined.
fn drawn(results: &Results<'_>, at: usize, x: Option<&str>, columns: [&str; 2]) -> Curve {
    let shown = |place: &LoadPoints<'_>| place.verdict() == Some(Verdict::Steady);
    let bracket = results.bracket(at).ends().filter(|_| x.is_none());
    Curve { bracket, ..simulated(results, at, x, columns, shown) }
}

/// The bracket of loads at which a congested network recovers, if different from saturation.
fn from_above(results: &Results<'_>, at: usize) -> Option<Curve> {
    let bracket = results.bracket_from_above(at);
    let to = bracket.above?.load;
    let from = bracket.below.map_or(to, |below| below.load);
    let curve = curve(results, at, Origin::Simulation, Vec::new());
    let label = [curve.label.as_str(), "from above"].map(str::trim);
    let label = label.join(if label[0].is_empty() { "" } else { ", " });
    let mark = results.study.curves.len() + at;
    Some(Curve { label, mark, bracket: Some((from, to)), ..curve })
}

/// All points of a curve, saturated or not.
fn all_of(results: &Results<'_>, at: usize, columns: [&str; 2]) -> Curve {
    let shown =
        |place: &LoadPoints<'_>| place.verdict().is_some_and(|it| it != Verdict::Deadlocked);
    let bracket = results.bracket(at).ends();
    Curve { bracket, ..simulated(results, at, None, columns, shown) }
}

/// The means of a column by offered load, or by another column.
fn simulated(
    results: &Results<'_>,
    at: usize,
    x: Option<&str>,
    [mean, half]: [&str; 2],
    shown: impl Fn(&LoadPoints<'_>) -> bool,
) -> Curve {
    let dot = |place: &LoadPoints<'_>| {
        let x = x.map_or(Some(place.load), |x| place.mean(x))?;
        let (y, half_width) = place.estimate(mean, half)?;
        Some(Dot { x, y, half_width })
    };
    let places = results.places(at);
    let mut dots: Vec<Dot> = places.iter().filter(|it| shown(it)).filter_map(dot).collect();
    dots.sort_by(|one, other| one.x.total_cmp(&other.x));
    curve(results, at, Origin::Simulation, dots)
}

fn difference(results: &Results<'_>, at: usize) -> Curve {
    let differences = results.differences(at);
    let dots = differences.iter().map(|it| Dot { x: it.load, y: it.mean, half_width: it.half });
    curve(results, at, Origin::Simulation, dots.collect())
}

/// The curves of the models for a simulated curve, within the range of simulated points.
fn models_of(results: &Results<'_>, at: usize) -> Vec<Curve> {
    let Some((point, _)) = results.curve(at).next() else { return Vec::new() };
    let system = &results.study.points[point].task.job.scenario.system;
    let carried = results.places(at).into_iter().filter(LoadPoints::has_latency);
    let last = carried.map(|place| place.load).reduce(f64::max).unwrap_or_default();
    let drawn = |Beside { name, equations, .. }: Beside<'_>| {
        let dots = equations.curve(MODEL_POINTS).map(|(rate, y)| {
            let x = system.load_at(Rate(rate)).0;
            Dot { x, y, half_width: None }
        });
        let dots: Vec<Dot> = dots.filter(|dot| dot.x <= last).collect();
        let mut curve = curve(results, at, Origin::Model, dots);
        if results.study.parts.models.is_some() {
            let label = [curve.label.as_str(), name].map(str::trim);
            curve.label = label.join(if label[0].is_empty() { "" } else { ", " });
        }
        (!curve.dots.is_empty()).then_some(curve)
    };
    results.models(at).filter_map(drawn).collect()
}

fn curve(results: &Results<'_>, at: usize, origin: Origin, dots: Vec<Dot>) -> Curve {
    let label = results.names()[at].clone();
    Curve { label, origin, group: at, mark: at, dots, bracket: None }
}
