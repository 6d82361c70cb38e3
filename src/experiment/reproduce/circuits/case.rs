//! One condition of the study: what is simulated, what the models say of it, and what an independent
//! simulation found. All in units of time, which are mean transmission times but in figure 11.

use rayon::prelude::*;
use serde::Deserialize;

use crate::experiment::reproduce::printed::rows;
use crate::experiment::reproduce::{Content, Effort, Point, PointId, Results};
use crate::experiment::{End, Plan};
use crate::model::circuit::{DataTime, Equations, Reading, Shape, Solution, Times};
use crate::stats::WarmUp;
use crate::switching::circuit::Conflict;
use crate::units::TimeUnit;

/// What a condition belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Debug)]
pub enum Set {
    /// Hold: latency by rate, at two service times.
    #[serde(rename = "figure 6")]
    Figure6,
    /// Drop: latency by rate, under three laws of the data time.
    #[serde(rename = "figure 7")]
    Figure7,
    /// Adaptive: aborts by back-off.
    #[serde(rename = "figure 8")]
    Figure8,
    /// Drop: latency by back-off.
    #[serde(rename = "figure 9")]
    Figure9,
    /// All: latency by dimensions.
    #[serde(rename = "figure 10")]
    Figure10,
    /// All: latency by data time.
    #[serde(rename = "figure 11")]
    Figure11,
    /// All: latency by service time (section 6.1).
    #[serde(rename = "service times")]
    ServiceTimes,
    /// Hold in a one-way torus, which the paper has equations for and no figure.
    #[serde(rename = "torus")]
    Torus,
}

impl Set {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Figure6,
        Self::Figure7,
        Self::Figure8,
        Self::Figure9,
        Self::Figure10,
        Self::Figure11,
        Self::ServiceTimes,
        Self::Torus,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Figure6 => "figure 6",
            Self::Figure7 => "figure 7",
            Self::Figure8 => "figure 8",
            Self::Figure9 => "figure 9",
            Self::Figure10 => "figure 10",
            Self::Figure11 => "figure 11",
            Self::ServiceTimes => "service times",
            Self::Torus => "torus",
        }
    }

    /// What it shows.
    pub fn title(self) -> &'static str {
        match self {
            Self::Figure6 => "mean latency of hold in an 8-cube",
            Self::Figure7 => "mean latency of drop in an 8-cube, back-off 1.5, by law of the data",
            Self::Figure8 => "mean latency of adaptive in an 8-cube, by back-off",
            Self::Figure9 => "mean latency of drop in an 8-cube, by back-off",
            Self::Figure10 => "mean latency by dimensions, back-off 1.3",
            Self::Figure11 => "mean latency in a 10-cube by data time, rate 0.125, back-off 1.3",
            Self::ServiceTimes => "mean latency in an 8-cube by service time, back-off 1.2",
            Self::Torus => "mean latency of hold in one-way tori, victims of deadlocks aborted",
        }
    }
}

/// What happens where a link is busy.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    Hold,
    Drop,
    Adaptive,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Hold, Self::Drop, Self::Adaptive];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::Drop => "drop",
            Self::Adaptive => "adaptive",
        }
    }
}

/// The law of the data time.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Law {
    Constant,
    /// From a tenth of the mean to 1.9 times it.
    Uniform,
    Exponential,
}

impl Law {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Constant, Self::Uniform, Self::Exponential];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Uniform => "uniform",
            Self::Exponential => "exponential",
        }
    }
}

/// The network.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Debug)]
pub enum Network {
    #[serde(rename = "hypercube")]
    Hypercube,
    #[serde(rename = "one-way torus")]
    OneWayTorus,
}

/// A row of the embedded table: a condition, and what an independent simulation found.
#[derive(Clone, Copy, Deserialize, Debug)]
pub struct Condition {
    /// What it belongs to.
    pub set: Set,
    pub conflict: Strategy,
    pub network: Network,
    /// Dimensions of a hypercube, routers on a side of a torus.
    pub size: u32,
    pub law: Law,
    /// Mean data time.
    pub data_mean: f64,
    /// Every service time of the controllers, and the acknowledgement.
    pub service: f64,
    /// None under hold.
    pub back_off: Option<f64>,
    /// Messages per node and unit of time.
    pub rate: f64,
    /// Mean latency; `None` where it was not stationary.
    pub latency: Option<f64>,
    /// Half the width of its 95 % interval.
    pub half_width: Option<f64>,
    /// Aborts per message.
    pub aborts: Option<f64>,
    /// Half the width of their 95 % interval.
    pub aborts_half_width: Option<f64>,
    /// Whether quick runs have it.
    pub quick: bool,
}

impl Condition {
    /// Its name within its set.
    pub fn name(&self) -> String {
        let Self { size, data_mean, service, rate, .. } = self;
        let strategy = self.conflict.name();
        let back_off = self.back_off.unwrap_or_default();
        match self.set {
            Set::Figure6 => format!("services of {service} at {rate}"),
            Set::Figure7 => format!("{} at {rate}", self.law.name()),
            Set::Figure8 | Set::Figure9 => format!("back-off {back_off} at {rate}"),
            Set::Figure10 => format!("{strategy}, {size} dimensions at {rate}"),
            Set::Figure11 => format!("{strategy}, data {data_mean}"),
            Set::ServiceTimes => format!("{strategy}, services of {service} at {rate}"),
            Set::Torus => format!("{size}x{size} at {rate}"),
        }
    }

    /// The equations for it.
    pub fn equations(&self, reading: Reading) -> Equations {
        let back_off = self.back_off.unwrap_or_default();
        let service = self.service;
        let mean = self.data_mean;
        Equations {
            shape: match self.network {
                Network::Hypercube => Shape::Cube { dimensions: self.size, full_duplex: false },
                Network::OneWayTorus => Shape::OneWayTorus { radix: self.size },
            },
            conflict: match self.conflict {
                Strategy::Hold => Conflict::Hold,
                Strategy::Drop => Conflict::Drop { back_off },
                Strategy::Adaptive => Conflict::Adaptive { back_off },
            },
            times: Times {
                verify: service,
                connect: service,
                release: service,
                acknowledge: service,
            },
            data: match self.law {
                Law::Constant => DataTime::Constant(mean),
                Law::Uniform => DataTime::Uniform { min: 0.1 * mean, max: 1.9 * mean },
                Law::Exponential => DataTime::Exponential(mean),
            },
            reading,
        }
    }

    /// The point that simulates it. Equal systems give equal points, whatever set asks for them.
    fn point(&self, effort: Effort) -> Point {
        let mean = self.data_mean;
        let lengths = match self.law {
            Law::Constant => format!("Fixed({mean})"),
            Law::Uniform => format!("Uniform(min: {:.4}, max: {:.4})", 0.1 * mean, 1.9 * mean),
            Law::Exponential => format!("Exponential(mean: {mean})"),
        };
        let mut fields = vec![
            ("traffic.lengths", lengths),
            ("traffic.arrivals.rate", self.rate.to_string()),
            ("switching.service", self.service.to_string()),
        ];
        let (builtin, nodes) = match self.network {
            Network::OneWayTorus => {
                fields.push(("network.radix", format!("[{0}, {0}]", self.size)));
                ("papers/circuit-torus-hold-8x8".to_owned(), self.size * self.size)
            }
            Network::Hypercube => {
                fields.push(("network.dimensions", self.size.to_string()));
                (format!("papers/circuit-{}-8", self.conflict.name()), 1 << self.size)
            }
        };
        if let Some(back_off) = self.back_off {
            fields.push(("switching.conflict.back_off", back_off.to_string()));
        }
        Point::new(&builtin, &fields, plan(effort, self.rate * f64::from(nodes)))
    }
}

/// How a point is run at which so many messages are generated per unit of time. The search for the
/// end of the warm-up looks at the first few messages of each node, which in a network near
/// saturation are through long before it has filled: a third of the time is left out instead.
fn plan(effort: Effort, per_time: f64) -> Plan {
    let (few, many) = effort.choose((6_000.0, 40_000.0), (15_000.0, 100_000.0));
    let (least, enough) = effort.choose((160.0, 240.0), (300.0, 600.0));
    let counted = f64::max(few / per_time, (many / per_time).clamp(least, enough));
    let warm_up = counted / 2.0;
    Plan {
        end: End::new(None, None, Some((counted + warm_up) as u64)),
        warm_up: WarmUp::Cycles(warm_up as u64),
        replications: 10,
    }
}

/// What a model says of a condition.
#[derive(Clone, Copy, Debug)]
pub struct Theory {
    pub latency: f64,
    /// `T_path_set_up`.
    pub set_up: f64,
    /// Per message.
    pub aborts: f64,
}

impl From<Solution> for Theory {
    fn from(solution: Solution) -> Self {
        let Solution { set_up_time, aborts, .. } = solution;
        Self { latency: solution.parts.latency(), set_up: set_up_time, aborts }
    }
}

/// A condition with its point, and what the models say of it; `None` where they have no solution.
#[derive(Clone, Debug)]
pub struct Case {
    pub condition: Condition,
    pub point: PointId,
    pub refined: Option<Theory>,
    pub text: Option<Theory>,
    /// (13) added to every request, as (10) is typeset; of drop only.
    pub text_printed: Option<Theory>,
    /// The rate at which the refined model of hold saturates.
    pub saturation: Option<f64>,
}

impl Case {
    /// Simulated mean latency.
    pub fn latency(&self, results: &Results) -> Option<f64> {
        results.latency(self.point).map(|cycles| TimeUnit::TIME.of(cycles))
    }

    /// Simulated mean time from generation to the acknowledgement.
    pub fn set_up(&self, results: &Results) -> Option<f64> {
        let after = results.network_latency(self.point)?;
        Some(TimeUnit::TIME.of(results.latency(self.point)? - after))
    }

    /// Simulated aborts per message.
    pub fn aborts(&self, results: &Results) -> Option<f64> {
        results.aborts(self.point)
    }

    /// Whether the rate is above this share of hold's saturation rate.
    pub fn beyond(&self, share: f64) -> bool {
        self.saturation.is_some_and(|limit| self.condition.rate > share * limit)
    }
}

/// All conditions of the study.
#[derive(Debug)]
pub struct All(pub Vec<Case>);

impl All {
    /// Adds the points of all conditions.
    pub fn new(content: &mut Content, effort: Effort) -> Self {
        let conditions: Vec<Condition> = rows(include_str!("../data/circuits.csv"));
        let chosen = conditions.into_iter().filter(|it| it.quick || effort == Effort::Full);
        let placed: Vec<(Condition, PointId)> =
            chosen.map(|it| (it, content.point(it.point(effort)))).collect();
        let solved = placed.into_par_iter().map(|(condition, point)| {
            let solve = |reading| {
                let solution = condition.equations(reading).solve(condition.rate);
                solution.ok().map(Theory::from)
            };
            let drop = condition.conflict == Strategy::Drop;
            let hold = condition.conflict == Strategy::Hold;
            Case {
                condition,
                point,
                refined: solve(Reading::Refined),
                text: solve(Reading::Text),
                text_printed: drop.then(|| solve(Reading::TextPrinted)).flatten(),
                saturation: hold.then(|| condition.equations(Reading::Refined).saturation_rate()),
            }
        });
        Self(solved.collect())
    }

    /// Those of a set.
    pub fn of(&self, set: Set) -> impl Iterator<Item = &Case> + Clone {
        self.0.iter().filter(move |case| case.condition.set == set)
    }

    /// Those of a set under one strategy.
    pub fn under(&self, set: Set, strategy: Strategy) -> impl Iterator<Item = &Case> + Clone {
        self.of(set).filter(move |case| case.condition.conflict == strategy)
    }
}

/// The different values that `of` takes, from the least up.
pub fn values<'a>(cases: impl Iterator<Item = &'a Case>, of: fn(&Condition) -> f64) -> Vec<f64> {
    let mut values: Vec<f64> = cases.map(|case| of(&case.condition)).collect();
    values.sort_by(f64::total_cmp);
    values.dedup_by(|a, b| a.total_cmp(b).is_eq());
    values
}

/// Whether two values from the table are the same.
pub fn same(a: f64, b: f64) -> bool {
    a.total_cmp(&b).is_eq()
}
