//! Hu and Kleinrock (002): delay and throughput of wormhole networks whose input buffers hold from a
//! part of a worm to several, by a model and by simulation. The paper prints no values, and not its
//! buffer sizes: its sentences are judged from buffers of a quarter of a mean worm to ten.

mod claims;

use std::sync::Arc;

use super::curve::Sweep;
use super::table::{Beside, deviation};
use super::{Content, Effort, Figure, Finding, Line, Point, PointId, Results, Study, Table};
use crate::experiment::plot::{Curve, Dot, Origin, Plot};
use crate::experiment::{End, Plan};
use crate::model::Model;
use crate::model::Prepared;
use crate::model::finite_buffers::{FiniteBuffers, Reading};
use crate::stats::WarmUp;
use crate::units::{Load, Rate};

/// The study.
pub(super) const STUDY: Study = Study {
    name: "finite-buffers",
    paper: "P.-C. Hu, L. Kleinrock, An Analytical Model for Wormhole Routing with Finite Size \
            Input Buffers (1997)",
    about: "figure 5: a 3x3 torus under up*/down* routing, model and simulation, by buffer size",
    content,
};

/// Buffers of the torus in flits; worms have 200 in the mean.
const BUFFERS: [u32; 4] = [50, 200, 800, 2000];
/// The same in quick runs.
const BUFFERS_QUICK: [u32; 3] = [50, 200, 2000];
/// Buffers of the mesh in flits.
const MESH_BUFFERS: [u32; 4] = [16, 64, 200, 400];
/// The same in quick runs.
const MESH_BUFFERS_QUICK: [u32; 1] = [64];
/// Loads in units of the load at which the basic model saturates.
const LOADS: [f64; 12] = [0.2, 0.4, 0.6, 0.75, 0.85, 0.92, 0.97, 1.005, 1.03, 1.06, 1.1, 1.15];
/// The same in quick runs.
const LOADS_QUICK: [f64; 8] = [0.3, 0.6, 0.85, 0.95, 1.01, 1.05, 1.09, 1.14];
/// The same where simulation goes on for longer than the model.
const LOADS_BEYOND: [f64; 11] = [0.3, 0.6, 0.8, 0.9, 1.01, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3];
/// The same in quick runs.
const LOADS_BEYOND_QUICK: [f64; 8] = [0.4, 0.7, 0.95, 1.05, 1.1, 1.15, 1.2, 1.26];
/// Throughput is the load at which the delay is so many times that without load.
const SATURATED: [f64; 2] = [5.0, 10.0];
/// How far below simulation a model may be and still not be called optimistic, as a share.
const NOTICEABLE: f64 = 0.005;
/// Points of a model's curve.
const MODEL_POINTS: u32 = 60;

/// What is sent through which network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Network {
    /// The paper's torus, worms of exponential size.
    Torus,
    /// The same with worms of one size.
    TorusFixed,
    /// A 4x4 mesh in order of the dimensions, one host per switch.
    Mesh,
}

impl Network {
    fn name(self) -> &'static str {
        match self {
            Self::Torus => "torus 3x3",
            Self::TorusFixed => "torus 3x3, worms of one size",
            Self::Mesh => "mesh 4x4",
        }
    }

    fn builtin(self) -> &'static str {
        if self == Self::Mesh { "papers/switch-mesh-4x4-64" } else { "papers/switch-torus-3x3-200" }
    }

    /// Fields that are set in the built-in scenario.
    fn fields(self, buffer: u32, load: f64) -> Vec<(&'static str, String)> {
        let mut fields = vec![
            ("traffic.arrivals", format!("Poisson(load: {load:.6})")),
            ("switching.buffer_flits", buffer.to_string()),
        ];
        if self == Self::TorusFixed {
            fields.push(("traffic.lengths", "Fixed(200)".to_owned()));
        }
        fields
    }

    fn loads(self, effort: Effort) -> &'static [f64] {
        if self == Self::Torus {
            effort.choose(&LOADS_QUICK, &LOADS)
        } else {
            effort.choose(&LOADS_BEYOND_QUICK, &LOADS_BEYOND)
        }
    }
}

/// The model in one reading.
struct Theory {
    reading: Reading,
    equations: Box<dyn Prepared>,
    /// Where it saturates, as a load.
    limit: f64,
    /// Loads at which it has the delays of [`SATURATED`].
    reaches: [f64; 2],
}

/// A network with one buffer size at growing load.
struct Series {
    network: Network,
    /// Flits.
    buffer: u32,
    /// Flits per worm, in the mean.
    length: f64,
    /// Delay without load in cycles.
    unloaded: f64,
    /// One for each reading, in their order.
    theories: Vec<Theory>,
    /// By load, in flits per host and cycle.
    sweep: Sweep,
}

impl Series {
    fn new(content: &mut Content, effort: Effort, network: Network, buffer: u32) -> Self {
        let plan = Plan {
            end: End::new(None, Some(effort.choose(6_000, 40_000)), None),
            warm_up: WarmUp::Cycles(effort.choose(30_000, 200_000)),
            replications: 10,
        };
        let at = |load: f64| Point::new(network.builtin(), &network.fields(buffer, load), plan);
        let any = at(0.1);
        let system = &any.scenario().system;
        let length = system.traffic.lengths.mean();
        let theories: Vec<Theory> = Reading::ALL
            .into_iter()
            .map(|reading| {
                let model = FiniteBuffers::new(reading);
                let equations = model.prepare(system).expect("the model covers it");
                Theory::new(reading, equations, length)
            })
            .collect();
        let unloaded = theories[0].latency(0.0, length).unwrap_or(f64::NAN);
        let limit = theories[0].limit;
        let points = network.loads(effort).iter().map(|&share| {
            let point = at(share * limit);
            let system = &point.scenario().system;
            (system.load().0, content.point(point))
        });
        let points: Vec<(f64, PointId)> = points.collect();
        let label = format!("{buffer} flits");
        Self { network, buffer, length, unloaded, theories, sweep: Sweep { label, points } }
    }

    fn name(&self) -> String {
        format!("{}, buffers of {} flits", self.network.name(), self.buffer)
    }

    fn theory(&self, reading: Reading) -> &Theory {
        let found = self.theories.iter().find(|theory| theory.reading == reading);
        found.expect("all readings are prepared")
    }

    /// Throughput by simulation: where the delay is [`SATURATED`]`[which]` times that without load.
    fn throughput(&self, results: &Results, which: usize) -> Option<f64> {
        self.sweep.reaches(results, SATURATED[which] * self.unloaded)
    }

    /// Throughput by the model from that by simulation, as a share of the latter.
    fn deviation(&self, results: &Results, reading: Reading, which: usize) -> Option<f64> {
        Some(self.theory(reading).reaches[which] / self.throughput(results, which)? - 1.0)
    }

    /// Whether a reading's delay is above the simulated one at each load; beyond its saturation a
    /// model counts as above.
    fn above(&self, results: &Results, reading: Reading) -> Option<Vec<Finding>> {
        let theory = self.theory(reading);
        let loads = self.sweep.points.iter().map(|&(load, point)| {
            let Some(model) = theory.latency(load, self.length) else {
                return Some(Finding::arithmetic(true));
            };
            results.judge(-NOTICEABLE..=f64::INFINITY, |results| {
                deviation(Some(model), results.latency(point))
            })
        });
        loads.collect()
    }

    fn model_curve(&self, reading: Reading, group: usize) -> Curve {
        let theory = self.theory(reading);
        let dots = (0..=MODEL_POINTS).filter_map(|at| {
            // Closer together towards saturation.
            let left = 1.0 - f64::from(at) / f64::from(MODEL_POINTS + 1);
            let x = theory.limit * (1.0 - left * left);
            Some(Dot { x, y: theory.latency(x, self.length)?, half_width: None })
        });
        let label = self.sweep.label.clone();
        Curve { label, origin: Origin::Model, group, dots: dots.collect() }
    }
}

impl Theory {
    fn new(reading: Reading, equations: Box<dyn Prepared>, length: f64) -> Self {
        let limit = equations.saturation_rate().to_load(length).0;
        let mut theory = Self { reading, equations, limit, reaches: [0.0; 2] };
        let unloaded = theory.latency(0.0, length).unwrap_or(f64::NAN);
        theory.reaches = SATURATED.map(|times| {
            let (mut low, mut high) = (0.0, limit);
            while high - low > 1e-6 * limit {
                let load = f64::midpoint(low, high);
                let below =
                    theory.latency(load, length).is_some_and(|latency| latency < times * unloaded);
                if below { low = load } else { high = load }
            }
            low
        });
        theory
    }

    /// Mean delay in cycles; `None` from saturation on.
    fn latency(&self, load: f64, length: f64) -> Option<f64> {
        let Rate(rate) = Load(load).to_rate(length);
        Some(self.equations.predict(Rate(rate)).ok()?.latency_mean)
    }
}

/// All series of the study.
struct All(Vec<Series>);

impl All {
    fn of(&self, network: Network) -> impl Iterator<Item = &Series> {
        self.0.iter().filter(move |series| series.network == network)
    }
}

fn content(effort: Effort) -> Content {
    let mut content = Content::default();
    let mut all = Vec::new();
    for &buffer in effort.choose(&BUFFERS_QUICK[..], &BUFFERS[..]) {
        all.push(Series::new(&mut content, effort, Network::Torus, buffer));
    }
    for &buffer in effort.choose(&MESH_BUFFERS_QUICK[..], &MESH_BUFFERS[..]) {
        all.push(Series::new(&mut content, effort, Network::Mesh, buffer));
    }
    if effort == Effort::Full {
        all.push(Series::new(&mut content, effort, Network::TorusFixed, 200));
    }
    let all = Arc::new(All(all));
    content.tables = vec![delays(&all), throughputs(&all)];
    content.figures = figures(&all);
    content.claims = claims::claims(&all);
    content
}

fn delays(all: &All) -> Table {
    let lines = all.0.iter().flat_map(|series| {
        series.sweep.points.iter().map(|&(load, point)| Line {
            model: series.theory(Reading::Basic).latency(load, series.length),
            ..Line::latency(format!("{} at {load:.4}", series.name()), point)
        })
    });
    Table {
        name: "delays",
        title: "mean delay by load in flits per host and cycle; the model in its basic reading"
            .to_owned(),
        unit: "cycles",
        decimals: 1,
        beside: Beside::Paper,
        lines: lines.collect(),
    }
}

fn throughputs(all: &Arc<All>) -> Table {
    let mut lines = Vec::new();
    for (at, series) in all.0.iter().enumerate() {
        for theory in &series.theories {
            for (which, times) in SATURATED.into_iter().enumerate() {
                let own = Arc::clone(all);
                let name = format!("{}, {}x, {}", series.name(), times, theory.reading.name());
                lines.push(Line {
                    model: Some(theory.reaches[which]),
                    ..Line::computed(name, move |results| own.0[at].throughput(results, which))
                });
            }
        }
    }
    Table {
        name: "throughput",
        title: "load at which the delay is 5 and 10 times that without load, by reading".to_owned(),
        unit: "flits per host and cycle",
        decimals: 4,
        beside: Beside::Paper,
        lines,
    }
}

fn figures(all: &Arc<All>) -> Vec<Figure> {
    let torus = [
        ("figure-5-a", Reading::Basic),
        ("figure-5-b", Reading::Modified),
        ("self-exclusion", Reading::SelfExclusion),
    ];
    let figure = |name, reading, network: Network| {
        let all = Arc::clone(all);
        Figure::new(name, move |results| {
            let curves = all.of(network).enumerate().flat_map(|(group, series)| {
                [series.sweep.curve(results, group), series.model_curve(reading, group)]
            });
            let title = format!(
                "Delay by buffer size, {}: simulation and {} model",
                network.name(),
                reading.name()
            );
            Plot {
                title,
                x: "flits per host and cycle".to_owned(),
                y: "mean delay, cycles".to_owned(),
                y_max: Some(2500.0),
                curves: curves.collect(),
            }
        })
    };
    let mut figures: Vec<Figure> =
        torus.map(|(name, reading)| figure(name, reading, Network::Torus)).into();
    figures.push(figure("mesh", Reading::Basic, Network::Mesh));
    figures
}
