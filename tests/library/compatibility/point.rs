//! A point of a configuration, as given and as simulated.

use flitscope::engine::{Delivery, Engine};
use flitscope::scenario::Scenario;
use flitscope::units::Cycle;
use serde::{Deserialize, Serialize};

use super::Case;

/// The load of a point.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub enum Kind {
    /// Almost nothing is offered.
    #[serde(rename = "zero")]
    Zero,
    /// The mean latency is three times that of `Zero`.
    #[serde(rename = "saturation")]
    Saturation,
    /// Per cent of `Saturation`.
    #[serde(rename = "10")]
    Ten,
    #[serde(rename = "30")]
    Thirty,
    #[serde(rename = "50")]
    Fifty,
    #[serde(rename = "70")]
    Seventy,
    #[serde(rename = "90")]
    Ninety,
    #[serde(rename = "overload")]
    Overload,
}

/// A point as another simulator measured it.
#[derive(Clone, Deserialize, Debug)]
pub struct Given {
    pub case: String,
    pub point: Kind,
    /// Offered flits per node and cycle.
    pub load: f64,
    /// The mean latency in cycles.
    pub latency: Option<f64>,
    /// The mean latency without packets of a node to itself.
    pub latency_others: Option<f64>,
    /// Accepted flits per node and cycle.
    pub accepted: Option<f64>,
    /// The latency with another seed.
    pub second_latency: Option<f64>,
    pub second_latency_others: Option<f64>,
    /// Keys and values; with the first point of a case.
    pub configuration: Option<String>,
}

impl Given {
    /// The latencies that are comparable: permutations send nothing to the node itself here.
    pub fn latencies(&self, case: &Case) -> [Option<f64>; 2] {
        if case.sends_to_itself() {
            [self.latency, self.second_latency]
        } else {
            [self.latency_others, self.second_latency_others]
        }
    }
}

/// A point as simulated, with two seeds.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Measured {
    pub case: String,
    pub point: Kind,
    /// The mean latency in cycles; the load in flits per node and cycle at `Saturation`, and the
    /// accepted load at `Overload`.
    pub value: f64,
    /// Half the difference of the seeds.
    pub noise: f64,
}

/// Cycles before and during the measurement of a run.
const WARM_UP: u64 = 5_000;
const CYCLES: u64 = 20_000;

fn scenario(case: &Case, load: f64) -> Scenario {
    case.scenario(load).unwrap()
}

/// The share of nodes that send to others.
pub fn share_of_senders(case: &Case) -> f64 {
    let system = scenario(case, case.point(Kind::Zero).load).system;
    system.rates().senders() as f64 / system.network.nodes() as f64
}

/// The mean latency of the messages generated during the measurement. `None` if many of them arrive
/// late.
fn latency(case: &Case, load: f64, seed: u64) -> Option<f64> {
    let mut engine = Engine::new(&scenario(case, load).system, seed, 0);
    let end = WARM_UP + CYCLES;
    engine.advance(Cycle(end + 10_000));
    let mut all: Vec<Delivery> = Vec::new();
    engine.take_deliveries(&mut all);
    let during: Vec<u64> = all
        .iter()
        .filter(|it| (WARM_UP..end).contains(&it.born.0))
        .map(Delivery::latency)
        .collect();
    let backlog = engine.counters().generated - engine.counters().delivered;
    let is_steady = backlog < engine.counters().generated / 10;
    is_steady.then(|| during.iter().sum::<u64>() as f64 / during.len() as f64)
}

/// Flits delivered per node and cycle in overload.
fn accepted(case: &Case, load: f64, seed: u64) -> f64 {
    let scenario = scenario(case, load);
    let mut engine = Engine::new(&scenario.system, seed, 0);
    engine.advance(Cycle(WARM_UP + CYCLES));
    let mut all: Vec<Delivery> = Vec::new();
    engine.take_deliveries(&mut all);
    let flits: u64 =
        all.iter().filter(|it| it.done.0 >= WARM_UP).map(|it| u64::from(it.length)).sum();
    flits as f64 / CYCLES as f64 / scenario.system.network.nodes() as f64
}

/// The load at which the latency is three times that at the first point.
fn saturation(case: &Case, seed: u64) -> f64 {
    let lowest = latency(case, case.point(Kind::Zero).load, seed).unwrap();
    let theirs = case.point(Kind::Saturation).load;
    // A node sends at most a flit per cycle.
    let [mut below, mut above] = [0.5, 1.5].map(|part| (part * theirs).min(1.0));
    while above - below > 0.002 {
        let middle = f64::midpoint(below, above);
        let is_below = latency(case, middle, seed).is_some_and(|it| it < 3.0 * lowest);
        *(if is_below { &mut below } else { &mut above }) = middle;
    }
    f64::midpoint(below, above)
}

/// Simulates a point with two seeds.
pub fn simulate(case: &Case, given: &Given) -> Measured {
    let [a, b] = [1, 2].map(|seed| match given.point {
        Kind::Saturation => saturation(case, seed),
        Kind::Overload => accepted(case, given.load, seed),
        Kind::Zero | Kind::Ten | Kind::Thirty | Kind::Fifty | Kind::Seventy | Kind::Ninety => {
            latency(case, given.load, seed).unwrap_or(f64::INFINITY)
        }
    });
    let case = given.case.clone();
    Measured { case, point: given.point, value: f64::midpoint(a, b), noise: (a - b).abs() / 2.0 }
}
