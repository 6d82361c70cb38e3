//! Predicts the mean latency of dimension-order routing in a two-way torus in two dimensions.
//!
//! The model, our own, has the terms of the adaptive model and the same averaging.
//!
//! Quaglia, Ciciani and Colajanni compare their adaptive model with a deterministic model whose
//! equations are not available. This model is a substitute: one average message, K = k/4 hops in X
//! and then K in Y; every request waits in an M/G/1 queue of the conflicting flows. No published
//! figure tests the model. Other sizes have the K of the adaptive model.
//!
//! | Symbol | Code | Meaning | Unit |
//! |---|---|---|---|
//! | k, K | `hops` = K | K = k/4 hops per dimension | hops |
//! | L | `length` | message length | flits |
//! | r, t | `quadrant_rate` = t | t = r/4, messages that enter one quadrant | 1/cycle |
//! | α, β | `both_share`, `single_share` | shares that need both dimensions; one (each) | – |
//! | a | `hold_offset` | additional cycles of holding a channel after the message has passed | cycles |
//! | g | `gain` | factor on the Pollaczek–Khinchine waits | – |
//! | wXX, wYY | `straight_x`, `straight_y` | wait to continue straight | cycles |
//! | wXY | `turn` | wait to turn from X into Y | cycles |
//! | wIX, wIY | `inject_x`, `inject_y` | wait for the first channel | cycles |
//! | aX, aY, bX, bY | `along` | waiting from hop j on; both-dimension and single streams | cycles |
//! | hX, hY, gX, gY | `Hold` | holding time of the channel of hop j | cycles |

use super::assumptions::{self, required};
use super::fixed_point::{NoSolution, Search};
use super::square::{Conflicts, Hold, Networks, Quadrant, Quadrants};
use super::{Mismatch, Model, Prediction, Prepared, Unsolved, effect, prediction, terms};
use crate::routing::{Classes, Routing};
use crate::system::System;
use crate::units::Rate;

/// Search for the waits, in cycles.
const SEARCH: Search = Search { step: 0.5, tolerance: 1e-9, relative: false, rounds_max: 100_000 };

/// The model's choices of its two constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum DeterministicTorus {
    /// The constants of the adaptive model's calibrated reading, for comparing the two models.
    #[default]
    Calibrated,
    /// Nothing fitted.
    Plain,
}

impl Model for DeterministicTorus {
    fn title(&self) -> [&'static str; 2] {
        ["deterministic torus (stand-in)", self.into()]
    }

    fn covers(&self, system: &System) -> bool {
        Networks::FLAT_TORI.sides(system).is_some()
    }

    fn concerns(&self, system: &System) -> bool {
        Networks::FLAT_TORI.is_kin(system)
    }

    fn assumptions(&self, system: &System) -> Vec<Option<Mismatch>> {
        let routing = system.relation.routing();
        let none = matches!(routing, Routing::DimensionOrder { classes: Classes::None, .. });
        vec![
            assumptions::dimension_order(system),
            required(
                !none,
                "classes of VCs, without which rings can deadlock",
                "no classes",
                effect::ROUTING,
            ),
            assumptions::full_speed(system),
            assumptions::one_flit_per_cycle(system),
            assumptions::terminals(system, false),
            assumptions::by_distance(system),
            assumptions::poisson(system),
            assumptions::one_length(system),
        ]
    }

    /// Error of the calibrated reading on 8x8 nodes, with saturation at two thirds of the simulated
    /// load for 2 VCs, and at half for 4.
    fn usual_error(&self, _system: &System) -> f64 {
        0.6
    }

    fn equations(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        let sides = Networks::FLAT_TORI.needed(system)?;
        let quadrants = Quadrants::new(system, sides);
        let (hold_offset, gain) = match self {
            Self::Calibrated => (1.0, 2.0),
            Self::Plain => (0.0, 1.0),
        };
        let length = system.traffic.lengths.mean();
        let hold = Hold { fixed: length + hold_offset, exponential: false };
        Ok(Box::new(XThenY { quadrants, hold, gain }))
    }
}

#[derive(Clone, Debug)]
struct XThenY {
    quadrants: Quadrants,
    hold: Hold,
    gain: f64,
}

/// Mean waits in the network, in cycles, in the order of the unknowns.
type Waits = [f64; 3];

/// Waiting from the channel with `left` more channels of its dimension ahead to the end of the
/// dimension.
fn along(left: usize, straight: f64) -> f64 {
    left as f64 * straight
}

impl XThenY {
    /// New values of `waits` at flow `quadrant_rate` in each quadrant, and the waits for the first
    /// channel in X and in Y; `None` if a load reaches 1.
    fn renewed(
        &self,
        [straight_x, straight_y, turn]: Waits,
        quadrant_rate: f64,
    ) -> Option<(Waits, [f64; 2])> {
        let &Self { ref quadrants, hold, gain } = self;
        let [mut on_x, mut on_y, mut turned, mut inject_x, mut inject_y] =
            [Conflicts::default(); 5];
        for &(share, Quadrant { hops, both_share, single_share, .. }) in &quadrants.0 {
            let flow = share * quadrant_rate;
            let (both, [single_x, single_y]) =
                (both_share * flow, single_share.map(|it| it * flow));
            // hX(j), hY(i), gX(j), gY(j): fixed, plus the remaining waits. Hop j of the
            // both-dimension stream has hops − j more ahead, hop j of a single stream has j − 1.
            let [hops_x, hops_y] = hops;
            let after_x = turn + along(hops_y - 1, straight_y);
            let from_x = |j| along(hops_x - j, straight_x) + after_x;
            let from_y = |i| along(hops_y - i, straight_y);
            on_x.add(hold, both, from_x(1));
            on_x.add(hold, single_x, along(hops_x - 1, straight_x));
            on_y.add(hold, both, from_y(1));
            on_y.add(hold, single_y, along(hops_y - 1, straight_y));
            for hop in 1..=hops_x {
                inject_x.add(hold, both, from_x(hop));
                inject_x.add(hold, single_x, along(hop - 1, straight_x));
            }
            for hop in 1..=hops_y {
                inject_y.add(hold, both, from_y(hop));
                inject_y.add(hold, single_y, along(hop - 1, straight_y));
                // A turn conflicts with through traffic, injection, and the turns from the other
                // side.
                let turning = if hop == 1 { both / 2.0 } else { both };
                turned.add(hold, turning, from_y(hop));
                turned.add(hold, single_y, along(hop - 1, straight_y));
            }
        }
        let renewed = [on_x.wait(gain)?, on_y.wait(gain)?, turned.wait(gain)?];
        Some((renewed, [inject_x.wait(gain)?, inject_y.wait(gain)?]))
    }
}

impl Prepared for XThenY {
    /// latency = α (wIX + aX(1)) + β (wIX + bX(K)) + β (wIY + bY(K)).
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution> {
        let renewed = |waits| {
            let (renewed, first) = self.renewed(waits, rate / 4.0).ok_or(NoSolution::Saturated)?;
            Ok((renewed, (renewed, first)))
        };
        let (([straight_x, straight_y, turn], [inject_x, inject_y]), rounds) =
            SEARCH.solve(Waits::default(), renewed)?;
        let source = |it: &Quadrant| {
            (it.both_share + it.single_share[0]) * inject_x + it.single_share[1] * inject_y
        };
        let blocking = |it: &Quadrant| {
            let [in_x, in_y] = [(it.hops[0], straight_x), (it.hops[1], straight_y)]
                .map(|(hops, straight)| along(hops - 1, straight));
            let single = it.single_share[0] * in_x + it.single_share[1] * in_y;
            it.both_share * (in_x + (turn + in_y)) + single
        };
        let all = &self.quadrants;
        let terms = terms(all.mean(source), all.mean(blocking), all.mean(Quadrant::transfer));
        Ok(prediction(terms, all.mean(Quadrant::hops_mean), rounds))
    }

    fn overflow(&self) -> f64 {
        self.quadrants.overflow()
    }

    fn rate_tolerance(&self) -> f64 {
        1e-4
    }

    fn utilisation_mean(&self, rate: Rate) -> Option<f64> {
        Some(self.quadrants.mean(|it| it.utilisation(rate.0)))
    }
}
