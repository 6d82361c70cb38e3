//! Figures 3 and 4 of the paper: adaptive against deterministic routing, by models and, which the
//! paper does not do, by simulation.
//!
//! The deterministic model that the paper compares with is not to be had; the one used here
//! ([`DeterministicTorus`]) stands in for it. No value of either figure is printed.

use std::sync::Arc;

use super::{builtin, plan, rate_field};
use crate::experiment::plot::{Curve, Dot, Origin, Plot};
use crate::experiment::reproduce::{
    Claim, Content, Effort, Figure, Finding, Judgement, Point, PointId, Results,
};
use crate::model::Model;
use crate::model::adaptive_torus::AdaptiveTorus;
use crate::model::deterministic_torus::DeterministicTorus;
use crate::stats::Estimate;
use crate::system::System;
use crate::traffic::arrivals::RATE_MIN;
use crate::units::Rate;

/// Cycles between two messages of a node: low, medium and high traffic.
const GAPS: [f64; 3] = [1000.0, 500.0, 300.0];
/// Flits of a message in figure 3.
const LENGTH: u32 = 12;
/// Routers on a side in figure 4.
const SIZE: u32 = 12;
/// What is called a difference in simulation, as a share of the latency: twice what the intervals
/// of quick runs leave open.
const NOTICEABLE: f64 = 0.01;

/// A routing at one size, length and rate.
#[derive(Clone, Copy)]
struct Side {
    point: PointId,
    /// Mean latency of its model in cycles; `None` beyond the model's saturation.
    model: Option<f64>,
    /// The model's latency of a message that meets nobody, in cycles.
    model_unloaded: f64,
}

/// Both routings under the same conditions.
struct Pair {
    size: u32,
    length: u32,
    /// Cycles between two messages of a node.
    gap: f64,
    adaptive: Side,
    deterministic: Side,
}

impl Pair {
    fn new(content: &mut Content, effort: Effort, (size, length, gap): (u32, u32, f64)) -> Self {
        let fields = [rate_field(1.0 / gap), ("traffic.lengths", format!("Fixed({length})"))];
        let adaptive = Point::new(&builtin(size), &fields, plan(effort));
        let ecube = ("routing", "DimensionOrder(classes: Destination)".to_owned());
        let [rate, lengths] = fields;
        let deterministic = Point::new(&builtin(size), &[rate, lengths, ecube], plan(effort));
        let side = |content: &mut Content, point: Point, model: &dyn Model| {
            let system = &point.scenario().system;
            Side {
                model: latency(model, system, system.traffic.rate),
                model_unloaded: latency(model, system, Rate(RATE_MIN)).unwrap_or(f64::NAN),
                point: content.point(point),
            }
        };
        Self {
            size,
            length,
            gap,
            adaptive: side(content, adaptive, &AdaptiveTorus::default()),
            deterministic: side(content, deterministic, &DeterministicTorus::CALIBRATED),
        }
    }

    /// Mean hops between two different nodes, k³ / (2 (k² − 1)) for an even size k.
    fn hops(&self) -> f64 {
        let k = f64::from(self.size);
        k.powi(3) / (2.0 * (k * k - 1.0))
    }

    /// Cycles blocked per hop by simulation: what the latency has above that of an empty network.
    fn blocking(&self, side: Side, results: &Results) -> Option<Dot> {
        let unloaded = f64::from(self.length) - 1.0 + self.hops();
        let blocking =
            |results: &Results| Some((results.latency(side.point)? - unloaded) / self.hops());
        let Estimate { mean, half_width } = results.uncertain(blocking)?.estimate();
        Some(Dot { x: f64::from(self.size), y: mean, half_width })
    }

    /// Cycles blocked per hop by the model.
    fn model_blocking(&self, side: Side) -> Option<Dot> {
        let y = (side.model? - side.model_unloaded) / self.hops();
        Some(Dot { x: f64::from(self.size), y, half_width: None })
    }

    /// Adaptive from deterministic latency by simulation, as a share of the latter.
    fn gain(&self, results: &Results) -> Option<f64> {
        let latency = |side: Side| results.latency(side.point);
        Some(latency(self.adaptive)? / latency(self.deterministic)? - 1.0)
    }

    fn name(&self) -> String {
        let Self { size, length, gap, .. } = self;
        format!("{size}x{size}, {length} flits, a message in {gap} cycles")
    }
}

fn latency(model: &dyn Model, system: &System, rate: Rate) -> Option<f64> {
    Some(model.predict(system, rate).ok()?.latency_mean)
}

/// Adds points, figures and claims.
pub(super) fn add(content: &mut Content, effort: Effort) {
    let sizes: &[u32] = effort.choose(&[8, 16], &[4, 8, 12, 16]);
    let lengths: &[u32] = effort.choose(&[12, 48], &[12, 24, 36, 48]);
    let mut pairs = |conditions: Vec<(u32, u32, f64)>| -> Arc<[Pair]> {
        conditions.into_iter().map(|condition| Pair::new(content, effort, condition)).collect()
    };
    let by_gap = |all: &[u32], condition: fn(u32, f64) -> (u32, u32, f64)| {
        let of_gap = |gap: f64| all.iter().map(move |&one| condition(one, gap));
        GAPS.into_iter().flat_map(of_gap).collect::<Vec<_>>()
    };
    let by_size = pairs(by_gap(sizes, |size, gap| (size, LENGTH, gap)));
    let by_length = pairs(by_gap(lengths, |length, gap| (SIZE, length, gap)));
    content.figures.push(figure_3(&by_size));
    content.figures.push(figure_4(&by_length));
    content.claims.extend(claims(&by_size, &by_length));
}

/// Curves over the pairs of each gap, both routings, both origins.
fn curves(
    pairs: &[Pair],
    simulated: impl Fn(&Pair, Side) -> Option<Dot>,
    modelled: impl Fn(&Pair, Side) -> Option<Dot>,
) -> Vec<Curve> {
    let adaptive: fn(&Pair) -> Side = |pair| pair.adaptive;
    let deterministic: fn(&Pair) -> Side = |pair| pair.deterministic;
    let routings = [("adaptive", adaptive), ("deterministic", deterministic)];
    let mut curves = Vec::new();
    for (at, gap) in GAPS.into_iter().enumerate() {
        for (other, (routing, side)) in routings.into_iter().enumerate() {
            let of_gap = || pairs.iter().filter(move |pair| pair.gap.total_cmp(&gap).is_eq());
            let curve = |origin, dots: Vec<Dot>| Curve {
                label: format!("{routing}, {gap} cycles"),
                origin,
                group: 2 * at + other,
                dots,
            };
            let dots = of_gap().filter_map(|pair| simulated(pair, side(pair))).collect();
            curves.push(curve(Origin::Simulation, dots));
            let dots = of_gap().filter_map(|pair| modelled(pair, side(pair))).collect();
            curves.push(curve(Origin::Model, dots));
        }
    }
    curves
}

fn figure_3(pairs: &Arc<[Pair]>) -> Figure {
    let pairs = Arc::clone(pairs);
    Figure::new("figure-3", move |results| Plot {
        title: format!("Figure 3: blocking per hop, {LENGTH}-flit messages, by cycles between two"),
        x: "routers on a side".to_owned(),
        y: "cycles blocked per hop".to_owned(),
        y_max: None,
        curves: curves(&pairs, |pair, side| pair.blocking(side, results), Pair::model_blocking),
    })
}

fn figure_4(pairs: &Arc<[Pair]>) -> Figure {
    let pairs = Arc::clone(pairs);
    Figure::new("figure-4", move |results| Plot {
        title: format!("Figure 4: mean latency in a {SIZE}x{SIZE} torus, by cycles between two"),
        x: "flits of a message".to_owned(),
        y: "mean latency, cycles".to_owned(),
        y_max: Some(120.0),
        curves: curves(
            &pairs,
            |pair, side| {
                let Estimate { mean, half_width } = results.latency_estimate(side.point)?;
                Some(Dot { x: f64::from(pair.length), y: mean, half_width })
            },
            |pair, side| Some(Dot { x: f64::from(pair.length), y: side.model?, half_width: None }),
        ),
    })
}

/// Whether adaptive routing has the lower latency in every pair by the models, and where it has the
/// least and the largest advantage.
fn by_models(pairs: &[Pair]) -> Judgement {
    let mut gains: Vec<(f64, String)> = Vec::new();
    let (mut unsolved, mut lost) = (0, 0);
    for pair in pairs {
        match (pair.adaptive.model, pair.deterministic.model) {
            (Some(adaptive), Some(deterministic)) => {
                gains.push((adaptive / deterministic - 1.0, pair.name()));
            }
            (None, Some(_)) => lost += 1,
            _ => unsolved += 1,
        }
    }
    gains.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (Some(most), Some(least)) = (gains.first(), gains.last()) else {
        return Judgement::all([], "neither model has a solution");
    };
    let evidence = format!(
        "adaptive latency {:+.1} % ({}) to {:+.1} % ({}) of the deterministic one; {unsolved} of {} \
         conditions lie beyond the saturation of the deterministic stand-in",
        100.0 * least.0,
        least.1,
        100.0 * most.0,
        most.1,
        pairs.len()
    );
    Judgement::arithmetic(least.0 < 0.0 && lost == 0, evidence)
}

/// Whether the gain by simulation of each of `pairs` is at most `most`.
fn by_simulation<'a>(
    pairs: impl Iterator<Item = &'a Pair> + Clone,
    results: &Results,
    most: f64,
) -> Option<Judgement> {
    let mut each = Vec::new();
    let mut findings: Vec<Finding> = Vec::new();
    for pair in pairs {
        let gain = results.uncertain(|results| pair.gain(results))?;
        let Estimate { mean, half_width } = gain.estimate();
        let half_width = 100.0 * half_width.unwrap_or_default();
        each.push(format!("{:+.2} ± {half_width:.2} % ({})", 100.0 * mean, pair.name()));
        findings.push(gain.judge(f64::NEG_INFINITY..=most));
    }
    let evidence = format!("adaptive from deterministic latency: {}", each.join("; "));
    Some(Judgement::all(findings, evidence))
}

fn claims(by_size: &Arc<[Pair]>, by_length: &Arc<[Pair]>) -> Vec<Claim> {
    let (size_models, length_models) = (Arc::clone(by_size), Arc::clone(by_length));
    let (size_runs, length_runs) = (Arc::clone(by_size), Arc::clone(by_length));
    vec![
        Claim::holds(
            "Figure 3, by the models: at every size and traffic a message is blocked less under \
             adaptive than under deterministic routing",
            move |_| Some(by_models(&size_models)),
        ),
        Claim::fails(
            "Figure 3, by simulation with 4 VCs: the advantage is evident (over 1 % of the latency \
             at every size) for high traffic",
            move |results| {
                let high = size_runs.iter().filter(|pair| pair.gap.total_cmp(&GAPS[2]).is_eq());
                by_simulation(high, results, -NOTICEABLE)
            },
        ),
        Claim::holds(
            "Figure 4, by the models: adaptive routing is best at every rate and message length",
            move |_| Some(by_models(&length_models)),
        ),
        Claim::holds(
            "Figure 4, by simulation with 4 VCs: adaptive routing is never noticeably worse (by 1 % \
             of the latency)",
            move |results| by_simulation(length_runs.iter(), results, NOTICEABLE),
        ),
    ]
}
