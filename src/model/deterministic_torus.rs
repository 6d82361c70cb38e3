//! Mean latency of dimension order in a two-way k × k torus: a companion to the adaptive model, of
//! our own making, in its terms and with its averaging.
//!
//! Quaglia, Ciciani and Colajanni compare their adaptive model with a deterministic one whose
//! equations are not to be had. This stands in for it: one average message, K = k/4 hops in X and
//! then K in Y; every request waits in an M/G/1 queue of just those flows that can be in its way.
//! No published figure tests it.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | k, K | `hops` = K | K = k/4 hops per dimension | hops |
//! | L | `length` | message length | flits |
//! | r, c | `flow` = c | c = r/2, one of two mirror quadrants' flow | 1/cycle |
//! | α, β | `both_share`, `single_share` | shares that need both dimensions; one (each) | – |
//! | a | `hold_offset` | cycles for which a channel is held beyond the message's passing | cycles |
//! | g | `gain` | factor on the waits of Pollaczek and Khinchine | – |
//! | wXX, wYY | `straight_x`, `straight_y` | wait to go straight on | cycles |
//! | wXY | `turn` | wait to turn from X into Y | cycles |
//! | wIX, wIY | `inject_x`, `inject_y` | wait for the first channel | cycles |
//! | aX, aY, bX, bY | `Equations::along` | waiting from hop j on; both-dimension and single streams | cycles |
//! | hX, hY, gX, gY | `Conflicts::add` | time for which the channel of hop j is held | cycles |

use super::assumptions::{self, broken, network_name};
use super::queue;
use super::{Mismatch, Model, Prediction, Prepared, Unsolved, prediction, terms};
use crate::routing::{Classes, Routing};
use crate::system::System;
use crate::topology::cube::Family;
use crate::units::Rate;

/// What the model assumes of the network.
const NETWORK: &str =
    "a square two-way torus in two dimensions with a multiple of 4 routers on a side";
/// The iteration has settled when no wait is renewed by more, in cycles.
const TOLERANCE: f64 = 1e-9;
/// Rounds after which an iteration that has neither settled nor saturated is given up.
const ROUNDS_MAX: u32 = 100_000;

/// The model with its two constants.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DeterministicTorus {
    /// a: cycles for which a channel is held beyond the message's passing.
    pub hold_offset: f64,
    /// g: the factor on the waits of Pollaczek and Khinchine.
    pub gain: f64,
}

impl DeterministicTorus {
    /// The constants of the adaptive model's calibrated reading, for comparing the two.
    pub const CALIBRATED: Self = Self { hold_offset: 1.0, gain: 2.0 };
    /// Nothing fitted.
    pub const PLAIN: Self = Self { hold_offset: 0.0, gain: 1.0 };

    /// Whether the model has equations for the network of `system`.
    pub fn covers(system: &System) -> bool {
        radix(system).is_some()
    }
}

impl Default for DeterministicTorus {
    fn default() -> Self {
        Self::CALIBRATED
    }
}

/// The number of routers on a side, k, where the network is one that the model covers.
fn radix(system: &System) -> Option<u32> {
    let cube = system.network.cube()?;
    match (cube.family(), cube.radix()) {
        (Family::Torus { unidirectional: false }, &[x, y]) if x == y && x % 4 == 0 => Some(x),
        _ => None,
    }
}

impl Model for DeterministicTorus {
    fn name(&self) -> &'static str {
        "deterministic torus (stand-in)"
    }

    fn reading(&self) -> &'static str {
        match *self {
            Self::CALIBRATED => "calibrated",
            Self::PLAIN => "plain",
            _ => "own constants",
        }
    }

    fn mismatches(&self, system: &System) -> Vec<Mismatch> {
        if let Some(circuits) = assumptions::worms(system) {
            return vec![circuits];
        }
        let network = (!Self::covers(system)).then(|| broken(NETWORK, network_name(system)));
        let classes = match system.relation.routing() {
            Routing::DimensionOrder { classes: Classes::None } => {
                Some(broken("classes of VCs, without which rings can deadlock", "no classes"))
            }
            _ => None,
        };
        let others = [
            assumptions::dimension_order(system),
            classes,
            assumptions::uniform(system),
            assumptions::poisson(system),
            assumptions::one_length(system),
        ];
        network.into_iter().chain(others.into_iter().flatten()).collect()
    }

    fn prepare(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        assumptions::machine(system)?;
        let radix = radix(system).ok_or_else(|| {
            Unsolved::NotCovered(format!("the model needs {NETWORK}, not {}", network_name(system)))
        })?;
        let k = f64::from(radix);
        Ok(Box::new(Equations {
            constants: *self,
            hops: radix as usize / 4,
            length: system.traffic.lengths.mean(),
            both_share: (k - 1.0) / (k + 1.0),
            single_share: 1.0 / (k + 1.0),
        }))
    }
}

/// The equations of a k × k torus.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Equations {
    constants: DeterministicTorus,
    hops: usize,
    length: f64,
    both_share: f64,
    single_share: f64,
}

/// The waits in the network, in cycles: the unknowns.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Waits {
    straight_x: f64,
    straight_y: f64,
    turn: f64,
}

/// The waits for the first channel, in cycles.
#[derive(Clone, Copy, PartialEq, Debug)]
struct FirstWaits {
    inject_x: f64,
    inject_y: f64,
}

/// Flows that can hold the channel a message asks for, summed up.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Conflicts {
    /// Σ f·h, the channel's load.
    load: f64,
    /// Σ f·E[h²] in cycles.
    moment: f64,
}

/// How an iteration ended.
enum Outcome {
    Settled(Waits, FirstWaits, u32),
    Saturated,
    Unsettled(f64),
}

impl Conflicts {
    /// A flow of `flow` messages per cycle that hold the channel for `fixed` cycles and `waiting`
    /// cycles more (spread like an exponential time).
    fn add(&mut self, flow: f64, fixed: f64, waiting: f64) {
        let hold = fixed + waiting;
        self.load += flow * hold;
        self.moment += flow * (hold * hold + waiting * waiting);
    }

    /// w(C); `None` where the load reaches 1.
    fn wait(self, gain: f64) -> Option<f64> {
        (self.load < 1.0).then(|| gain * self.moment / (2.0 * (1.0 - self.load)))
    }
}

impl Equations {
    /// Links of the mean way: α·2K + 2β·K.
    fn hops_mean(&self) -> f64 {
        2.0 * (self.both_share + self.single_share) * self.hops as f64
    }

    /// Waiting from the channel with `left` more of its dimension ahead to the end of the dimension.
    fn along(left: usize, straight: f64) -> f64 {
        left as f64 * straight
    }

    /// The waits that follow from `waits` at flow c; `None` where a load reaches 1.
    fn renewed(&self, waits: &Waits, flow: f64) -> Option<(Waits, FirstWaits)> {
        let (hops, gain) = (self.hops, self.constants.gain);
        let fixed = self.length + self.constants.hold_offset;
        let (both, single) = (self.both_share * flow, self.single_share * flow);
        // hX(j), hY(i), gX(j), gY(j): fixed, and the waiting ahead. Hop j of the both-dimension
        // stream has hops − j more ahead, hop j of a single stream has j − 1.
        let from_x = |j| Self::along(hops - j, waits.straight_x) + self.after_x(waits);
        let from_y = |i| Self::along(hops - i, waits.straight_y);
        let mut straight_x = Conflicts::default();
        straight_x.add(both, fixed, from_x(1));
        straight_x.add(single, fixed, Self::along(hops - 1, waits.straight_x));
        let mut straight_y = Conflicts::default();
        straight_y.add(both, fixed, from_y(1));
        straight_y.add(single, fixed, Self::along(hops - 1, waits.straight_y));
        let (mut turn, mut inject_x, mut inject_y) =
            (Conflicts::default(), Conflicts::default(), Conflicts::default());
        for hop in 1..=hops {
            inject_x.add(both, fixed, from_x(hop));
            inject_x.add(single, fixed, Self::along(hop - 1, waits.straight_x));
            inject_y.add(both, fixed, from_y(hop));
            inject_y.add(single, fixed, Self::along(hop - 1, waits.straight_y));
            // A turn meets through traffic, injection, and the turns from the other side.
            let turning = if hop == 1 { both / 2.0 } else { both };
            turn.add(turning, fixed, from_y(hop));
            turn.add(single, fixed, Self::along(hop - 1, waits.straight_y));
        }
        let renewed = Waits {
            straight_x: straight_x.wait(gain)?,
            straight_y: straight_y.wait(gain)?,
            turn: turn.wait(gain)?,
        };
        let first = FirstWaits { inject_x: inject_x.wait(gain)?, inject_y: inject_y.wait(gain)? };
        Some((renewed, first))
    }

    /// Waiting after the last X channel of the both-dimension stream: the turn and all of Y.
    fn after_x(&self, waits: &Waits) -> f64 {
        waits.turn + Self::along(self.hops - 1, waits.straight_y)
    }

    /// Iterates from no waiting, every wait replaced by the mean of its old and new value.
    fn settle(&self, rate: f64) -> Outcome {
        let mut waits = Waits::default();
        let mut residual = f64::INFINITY;
        for round in 1..=ROUNDS_MAX {
            let Some((renewed, first)) = self.renewed(&waits, rate / 2.0) else {
                return Outcome::Saturated;
            };
            residual = (renewed.straight_x - waits.straight_x)
                .abs()
                .max((renewed.straight_y - waits.straight_y).abs())
                .max((renewed.turn - waits.turn).abs());
            if residual <= TOLERANCE {
                return Outcome::Settled(renewed, first, round);
            }
            waits = Waits {
                straight_x: f64::midpoint(waits.straight_x, renewed.straight_x),
                straight_y: f64::midpoint(waits.straight_y, renewed.straight_y),
                turn: f64::midpoint(waits.turn, renewed.turn),
            };
        }
        Outcome::Unsettled(residual)
    }
}

impl Prepared for Equations {
    /// latency = α (wIX + aX(1)) + β (wIX + bX(K)) + β (wIY + bY(K)).
    fn predict(&self, rate: Rate) -> Result<Prediction, Unsolved> {
        let (waits, first, rounds) = match self.settle(rate.0) {
            Outcome::Settled(waits, first, rounds) => (waits, first, rounds),
            Outcome::Saturated => return Err(Unsolved::Saturated { rate }),
            Outcome::Unsettled(residual) => {
                return Err(Unsolved::NotSettled { iterations: ROUNDS_MAX, residual });
            }
        };
        let (both, single, last) = (self.both_share, self.single_share, self.hops - 1);
        let source = (both + single) * first.inject_x + single * first.inject_y;
        let in_x = Self::along(last, waits.straight_x);
        let blocking = both * (in_x + self.after_x(&waits))
            + single * (in_x + Self::along(last, waits.straight_y));
        let hops = self.hops_mean();
        Ok(prediction(terms(source, blocking, self.length + hops), hops, rounds))
    }

    fn saturation_rate(&self) -> Rate {
        // Without any waiting the X channels have load c·L·K·(α + β).
        let load = self.length * self.hops as f64 * (self.both_share + self.single_share) / 2.0;
        queue::saturation_rate(1.0 / load, |rate| !matches!(self.settle(rate), Outcome::Saturated))
    }

    /// A node has four links.
    fn utilisation_mean(&self, rate: Rate) -> Option<f64> {
        Some(rate.0 * self.length * self.hops_mean() / 4.0)
    }
}
