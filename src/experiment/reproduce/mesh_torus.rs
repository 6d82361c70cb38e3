//! Greenberg and Guan (003): latency of a mesh and of a one-way torus with the same bisection, by
//! models and by simulation. The paper prints no values: its curves are compared among themselves.

use std::sync::Arc;

use super::curve::Sweep;
use super::table::{Beside, Compared, Spread, deviation};
use super::{
    Claim, Content, Effort, Figure, Finding, Judgement, Line, Point, PointId, Results, Study,
    Table, Tolerance,
};
use crate::experiment::plot::{Curve, Dot, Origin, Plot};
use crate::experiment::{End, Plan};
use crate::model::mesh::Mesh;
use crate::model::one_way_torus::OneWayTorus;
use crate::model::{Model, Prepared};
use crate::stats::WarmUp;
use crate::units::Rate;

/// The study.
pub(super) const STUDY: Study = Study {
    name: "mesh-torus",
    paper: "R. I. Greenberg, L. Guan, Parallel and Distributed Computing and Systems (PDCS) \
            1997, 501-506",
    about: "figures 5 and 6: mesh and one-way torus, models and simulation",
    content,
};

/// Loads in units of the rate at which the model saturates.
const LOADS: [f64; 11] = [0.05, 0.2, 0.4, 0.6, 0.75, 0.9, 1.0, 1.05, 1.1, 1.15, 1.2];
/// The same in quick runs.
const LOADS_QUICK: [f64; 6] = [0.05, 0.4, 0.75, 0.95, 1.05, 1.15];
/// How far the model may be from simulation up to a load, as a share of the simulated latency.
const WITHIN: [(f64, f64); 4] = [(0.4, 0.03), (0.6, 0.07), (0.75, 0.10), (0.9, 0.18)];
/// How far the model's saturation may be from that of simulation.
const SATURATION_WITHIN: f64 = 0.12;
/// A network is saturated where the latency is so many times that without load.
const SATURATED: f64 = 5.0;
/// Points of a model's curve.
const MODEL_POINTS: u32 = 200;

/// A network with its points.
struct Side {
    /// `mesh` or `torus`.
    network: &'static str,
    /// Routers on a side.
    k: u32,
    /// Flits of a message.
    length: u32,
    model: Box<dyn Prepared>,
    /// All points by rate.
    sweep: Sweep,
    /// The points at which the model is compared: load, rate, point.
    compared: Vec<(f64, f64, PointId)>,
}

impl Side {
    /// Adds the points of a network at `loads` in units of its model's saturation, and at the
    /// rates `others`.
    fn new(
        content: &mut Content,
        effort: Effort,
        (network, k, length): (&'static str, u32, u32),
        others: &[f64],
    ) -> Self {
        let plan = Plan {
            end: End::Cycles(effort.choose(20_000, 60_000)),
            // What the paper discards.
            warm_up: WarmUp::Cycles(10_000),
            replications: 8,
        };
        let (file, model): (&str, &dyn Model) =
            if network == "mesh" { ("mesh", &Mesh) } else { ("uni-torus", &OneWayTorus) };
        let builtin = format!("papers/{file}-{k}x{k}-{length}");
        let at = |rate: f64| {
            Point::new(&builtin, &[("traffic.arrivals.rate", format!("{rate:.9}"))], plan)
        };
        let model = model.prepare(&at(1e-6).scenario().system).expect("the model covers it");
        let limit = model.saturation_rate().0;
        let mut points = Vec::new();
        let mut add = |rate: f64| {
            let point = at(rate);
            let rate = point.scenario().system.traffic.rate.0;
            let id = content.point(point);
            points.push((rate, id));
            (rate, id)
        };
        let loads: &[f64] = effort.choose(&LOADS_QUICK, &LOADS);
        let mut compared = Vec::new();
        for &load in loads {
            let (rate, point) = add(load * limit);
            if within(load).is_some() {
                compared.push((load, rate, point));
            }
        }
        for &rate in others {
            add(rate);
        }
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let sweep = Sweep { label: format!("{network}, {length} flits"), points };
        Self { network, k, length, model, sweep, compared }
    }

    fn name(&self) -> String {
        let Self { network, k, length, .. } = self;
        format!("{network} {k}x{k}, {length} flits")
    }

    /// Mean channels on the way without injection and ejection: 2k/3 in the mesh, k²/(k + 1) in
    /// the torus (003, section 4).
    fn distance(&self) -> f64 {
        let k = f64::from(self.k);
        if self.network == "mesh" { 2.0 * k / 3.0 } else { k * k / (k + 1.0) }
    }

    /// Latency in an empty network, injection and ejection counted: L + D + 1 cycles.
    fn unloaded(&self) -> f64 {
        f64::from(self.length) + self.distance() + 1.0
    }

    /// The rate at which it saturates in simulation.
    fn saturation(&self, results: &Results) -> Option<f64> {
        self.sweep.reaches(results, SATURATED * self.unloaded())
    }

    /// The point at exactly this rate.
    fn at(&self, rate: f64) -> Option<PointId> {
        let mut points = self.sweep.points.iter();
        points.find(|(x, _)| x.total_cmp(&rate).is_eq()).map(|&(_, point)| point)
    }

    /// The lines of the figures: latency at each load at which the model is compared.
    fn lines(&self) -> Vec<Line> {
        let line = |&(load, rate, point): &(f64, f64, PointId)| Line {
            model: self.model.predict(Rate(rate)).ok().map(|it| it.latency_mean),
            tolerance: within(load).map(Tolerance::ModelToSimulation),
            ..Line::latency(format!("{} at {load}", self.name()), point)
        };
        self.compared.iter().map(line).collect()
    }

    /// The model's curve up to just below its saturation.
    fn model_curve(&self, group: usize) -> Curve {
        let limit = 0.9999 * self.model.saturation_rate().0;
        let rates = (1..=MODEL_POINTS).map(|n| limit * f64::from(n) / f64::from(MODEL_POINTS));
        let dot = |x| {
            let y = self.model.predict(Rate(x)).ok()?.latency_mean;
            Some(Dot { x, y, half_width: None })
        };
        let dots = rates.filter_map(dot).collect();
        Curve { label: self.sweep.label.clone(), origin: Origin::Model, group, dots }
    }
}

/// How far the model may be from simulation at `load`, as a share; `None` where it is not compared.
fn within(load: f64) -> Option<f64> {
    WITHIN.iter().find(|(up_to, _)| load <= *up_to).map(|&(_, within)| within)
}

/// Both networks at one size and message length.
struct Pair {
    mesh: Side,
    torus: Side,
}

impl Pair {
    fn new(content: &mut Content, effort: Effort, (k, length): (u32, u32)) -> Self {
        let torus = Side::new(content, effort, ("torus", k, length), &[]);
        let rates: Vec<f64> = torus.compared.iter().map(|&(_, rate, _)| rate).collect();
        let mesh = Side::new(content, effort, ("mesh", k, length), &rates);
        Self { mesh, torus }
    }

    fn sides(&self) -> [&Side; 2] {
        [&self.mesh, &self.torus]
    }

    /// Points of mesh and torus at equal rates up to 0.9 of the torus's saturation.
    fn equal(&self) -> impl Iterator<Item = (PointId, PointId)> {
        let both = |&(_, rate, torus): &(f64, f64, PointId)| Some((self.mesh.at(rate)?, torus));
        self.torus.compared.iter().filter_map(both)
    }
}

fn content(effort: Effort) -> Content {
    let sizes: &[(u32, u32)] =
        effort.choose(&[(8, 20), (16, 32)], &[(8, 20), (8, 32), (16, 32), (16, 64)]);
    let mut content = Content::default();
    let pairs: Arc<[Pair]> =
        sizes.iter().map(|&size| Pair::new(&mut content, effort, size)).collect();
    content.tables = vec![latencies(&pairs), saturations(&pairs)];
    for (k, name, y_max) in [(8, "figure-5", 200.0), (16, "figure-6", 400.0)] {
        let pairs = Arc::clone(&pairs);
        content.figures.push(Figure::new(name, move |results| {
            let of_size = pairs.iter().filter(|pair| pair.mesh.k == k);
            let sides = of_size.flat_map(Pair::sides).enumerate();
            let both = |(group, side): (usize, &Side)| {
                [side.sweep.curve(results, group), side.model_curve(group)]
            };
            Plot {
                title: format!("Mesh and one-way torus of {k}x{k}, models and simulation"),
                x: "messages per node and cycle".to_owned(),
                y: "mean latency, cycles".to_owned(),
                y_max: Some(y_max),
                curves: sides.flat_map(both).collect(),
            }
        }));
    }
    content.claims = claims(&pairs);
    content
}

fn latencies(pairs: &Arc<[Pair]>) -> Table {
    Table {
        name: "figures 5 and 6",
        title: "mean latency, by load in units of the model's saturation rate".to_owned(),
        unit: "cycles",
        decimals: 2,
        beside: Beside::Paper,
        lines: pairs.iter().flat_map(Pair::sides).flat_map(Side::lines).collect(),
    }
}

fn saturations(pairs: &Arc<[Pair]>) -> Table {
    let mut lines = Vec::new();
    for (at, pair) in pairs.iter().enumerate() {
        for (side, it) in pair.sides().into_iter().enumerate() {
            let own = Arc::clone(pairs);
            lines.push(Line {
                model: Some(it.model.saturation_rate().0),
                tolerance: Some(Tolerance::ModelToSimulation(SATURATION_WITHIN)),
                ..Line::computed(it.name(), move |results| {
                    own[at].sides()[side].saturation(results)
                })
            });
        }
    }
    Table {
        name: "saturation",
        title: format!("where latency is {SATURATED} times that without load"),
        unit: "messages per node and cycle",
        decimals: 6,
        beside: Beside::Paper,
        lines,
    }
}

/// Whether the model keeps its tolerances in a network.
fn model_agrees(pairs: &[Pair], side: usize, results: &Results) -> Option<Judgement> {
    let lines = pairs.iter().flat_map(|pair| pair.sides()[side].lines());
    let lines: Vec<Compared> = lines.map(|line| line.compare(results)).collect();
    let spread = Spread::of(&lines, |line| line.model_to_simulation)?;
    let judged = lines.into_iter().map(|line| line.judged).collect::<Option<Vec<Judgement>>>()?;
    Some(Judgement::together(judged, format!("model to simulation: {spread}")))
}

fn claims(pairs: &Arc<[Pair]>) -> Vec<Claim> {
    let judged = |judge: fn(&[Pair], &Results) -> Option<Judgement>| {
        let pairs = Arc::clone(pairs);
        move |results: &Results| judge(&pairs, results)
    };
    let bounds = "within 3, 7, 10 and 18 % of simulation up to 40, 60, 75 and 90 % of its \
                  saturation";
    vec![
        Claim::holds(
            format!("Section 4: the mesh model agrees well with simulation ({bounds})"),
            judged(|pairs, results| model_agrees(pairs, 0, results)),
        ),
        Claim::holds(
            format!("Section 4: the torus model corresponds closely to simulation ({bounds})"),
            judged(|pairs, results| model_agrees(pairs, 1, results)),
        ),
        Claim::holds(
            "Section 4: the torus saturates at about half the rate of the mesh (0.35 to 0.65 of it)",
            judged(about_half),
        ),
        Claim::holds(
            "Section 4: at low load the torus's latency is slightly higher than the mesh's at the \
             same rate (by up to 15 %)",
            judged(slightly_higher),
        ),
        Claim::holds(
            "Section 4: the mesh performs better than the torus at any rate",
            judged(mesh_is_better),
        ),
        Claim::holds(
            "Section 4: at very low load latency is the number of flits plus the mean distance, \
             2k/3 in the mesh and k²/(k + 1) in the torus (within 7 % at 5 % of saturation)",
            judged(flits_and_distance),
        ),
    ]
}

/// The torus's latency in units of the mesh's, at the lowest rate that both are run at.
fn slightly_higher(pairs: &[Pair], results: &Results) -> Option<Judgement> {
    let (mut findings, mut evidence) = (Vec::new(), Vec::new());
    for pair in pairs {
        let (mesh, torus) = pair.equal().next()?;
        let difference = results.latency(torus)? - results.latency(mesh)?;
        let more = |results: &Results| deviation(results.latency(torus), results.latency(mesh));
        findings.push(results.judge(0.0..=0.15, more)?);
        let gap = pair.torus.distance() - pair.mesh.distance();
        let (k, length) = (pair.mesh.k, pair.mesh.length);
        evidence.push(format!(
            "{difference:+.2} cycles, {:+.1} % ({k}x{k}, {length} flits; the distance alone makes \
             {gap:+.2})",
            100.0 * more(results)?
        ));
    }
    Some(Judgement::all(findings, evidence.join("; ")))
}

/// The same at every rate that both are run at.
fn mesh_is_better(pairs: &[Pair], results: &Results) -> Option<Judgement> {
    let mut findings: Vec<Finding> = Vec::new();
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for (mesh, torus) in pairs.iter().flat_map(Pair::equal) {
        let more = |results: &Results| deviation(results.latency(torus), results.latency(mesh));
        findings.push(results.judge(0.0..=f64::INFINITY, more)?);
        let ratio = 1.0 + more(results)?;
        (least, most) = (least.min(ratio), most.max(ratio));
    }
    let evidence = format!(
        "at {} equal rates below the torus's saturation its latency is {least:.3} to {most:.3} times \
         the mesh's; beyond it only the mesh goes on",
        findings.len()
    );
    Some(Judgement::all(findings, evidence))
}

/// Latency at the lowest load from the number of flits plus the mean distance.
fn flits_and_distance(pairs: &[Pair], results: &Results) -> Option<Judgement> {
    let mut findings: Vec<Finding> = Vec::new();
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for side in pairs.iter().flat_map(Pair::sides) {
        let &(_, _, point) = side.compared.first()?;
        let rule = f64::from(side.length) + side.distance();
        let excess = |results: &Results| deviation(results.latency(point), Some(rule));
        findings.push(results.judge(-0.07..=0.07, excess)?);
        (low, high) = (low.min(excess(results)?), high.max(excess(results)?));
    }
    let evidence = format!(
        "{:+.1} to {:+.1} % above the rule, which leaves out one cycle (injection and ejection are \
         channels too, so that it is one more without load)",
        100.0 * low,
        100.0 * high
    );
    Some(Judgement::all(findings, evidence))
}

/// The torus's saturation in units of the mesh's.
fn about_half(pairs: &[Pair], results: &Results) -> Option<Judgement> {
    let (mut findings, mut evidence) = (Vec::new(), Vec::new());
    for pair in pairs {
        let simulated = |results: &Results| {
            Some(pair.torus.saturation(results)? / pair.mesh.saturation(results)?)
        };
        let modelled = pair.torus.model.saturation_rate().0 / pair.mesh.model.saturation_rate().0;
        findings.push(results.judge(0.35..=0.65, simulated)?);
        let (k, length) = (pair.mesh.k, pair.mesh.length);
        evidence.push(format!(
            "{:.3} by simulation, {modelled:.3} by the models ({k}x{k}, {length} flits)",
            simulated(results)?
        ));
    }
    Some(Judgement::all(findings, evidence.join("; ")))
}
