//! The fixed point of the six unknowns, and the mean latency of the average message.

use super::sweeps::{Reading, South, Swept, Unknowns, single_stream, turns_south};
use super::waits::ConflictSums;
use crate::model::fixed_point::{NoSolution, Search, largest_rate};
use crate::model::square::{Quadrant, Quadrants};
use crate::model::{Prediction, Prepared, Term, budget, prediction, terms};
use crate::units::Rate;

/// Search for the unknowns, in cycles or as probabilities. More than a few hundred rounds are
/// needed only near the saturation rate.
const SEARCH: Search = Search { step: 0.5, tolerance: 1e-9, relative: false, rounds_max: 100_000 };
/// Number of changes of the preferred channel after which the iteration is considered to oscillate.
const SWITCHES_MAX: u32 = 64;
/// Halvings of the share that turns south, if the iteration oscillates.
const HALVINGS_MAX: u32 = 50;

/// The average messages of a torus in one reading, each swept over its quadrant with common
/// unknowns.
#[derive(Clone, Debug)]
pub(super) struct Averages {
    quadrants: Quadrants,
    reading: Reading,
    swept: Vec<Swept>,
    /// Rounds of the fixed point up to now.
    rounds: u32,
}

impl Averages {
    pub fn new(quadrants: Quadrants, reading: Reading) -> Self {
        let swept = quadrants.0.iter().map(|&(_, quadrant)| Swept::new(quadrant, reading));
        let swept = swept.collect();
        Self { quadrants, reading, swept, rounds: 0 }
    }

    fn sweep(&mut self, unknowns: &Unknowns, south: South) {
        self.swept.iter_mut().for_each(|it| it.sweep(unknowns, south));
    }

    /// New values of the unknowns, from sweeps with `unknowns`.
    fn renewed(&self, unknowns: &Unknowns) -> Option<Unknowns> {
        let mut sums = ConflictSums::default();
        self.swept.iter().for_each(|it| sums.join(it.conflict_sums(unknowns)));
        sums.renewed(self.reading)
    }

    /// The fixed point at `rate`, searched for from `start`, and the share that turns south.
    fn settle_at(&mut self, rate: f64, start: Unknowns) -> Result<(Unknowns, South), NoSolution> {
        for (swept, (share, _)) in self.swept.iter_mut().zip(&self.quadrants.0) {
            swept.quadrant_rate = share * rate / 4.0;
        }
        match self.settle(start, None) {
            Ok(unknowns) => Ok((unknowns, None)),
            Err(why @ (NoSolution::Saturated | NoSolution::GivenUp)) => Err(why),
            Err(not_settled @ NoSolution::NotSettled { .. }) => self.share(not_settled),
        }
    }

    /// The fixed point in case of oscillation: the channel preferred by messages on X has the
    /// longer wait as a result. At the fixed point both waits are equal, and determine the share
    /// that turns south. Returns `chasing` if this search fails as well.
    fn share(&mut self, chasing: NoSolution) -> Result<(Unknowns, South), NoSolution> {
        let (mut east, mut south) = (0.0, 1.0);
        let all_south = self.settle(Unknowns::default(), Some(south));
        if let Ok(unknowns) = all_south
            && turns_south(&unknowns)
        {
            return Ok((unknowns, Some(south)));
        }
        let mut start = self.settle(Unknowns::default(), Some(east))?;
        if !turns_south(&start) {
            return Ok((start, Some(east)));
        }
        // Too large a share makes the wait for south the longer one, or saturates.
        let mut saturates = all_south == Err(NoSolution::Saturated);
        for _ in 0..HALVINGS_MAX {
            let share = f64::midpoint(east, south);
            match self.settle(start, Some(share)) {
                Ok(unknowns) => {
                    start = unknowns;
                    let [_, _, straight_east, _, _, turn_south] = unknowns;
                    if (turn_south - straight_east).abs() <= SEARCH.tolerance {
                        return Ok((unknowns, Some(share)));
                    }
                    if turns_south(&unknowns) {
                        east = share;
                    } else {
                        south = share;
                        saturates = false;
                    }
                }
                Err(NoSolution::Saturated) => {
                    south = share;
                    saturates = true;
                }
                Err(why @ (NoSolution::NotSettled { .. } | NoSolution::GivenUp)) => {
                    return Err(why);
                }
            }
        }
        Err(match chasing {
            NoSolution::NotSettled { residual, .. } if !saturates => {
                NoSolution::NotSettled { iterations: self.rounds, residual }
            }
            NoSolution::GivenUp => NoSolution::GivenUp,
            NoSolution::NotSettled { .. } | NoSolution::Saturated => NoSolution::Saturated,
        })
    }

    /// Iterates from `start`, and replaces every unknown by the mean of its old and new value.
    fn settle(&mut self, start: Unknowns, south: South) -> Result<Unknowns, NoSolution> {
        let mut point = SEARCH.from(start);
        let mut unknowns = start;
        let mut switched = 0;
        loop {
            self.rounds += 1;
            let steps =
                self.quadrants.0.iter().map(|(_, quadrant)| quadrant.hops[0] * quadrant.hops[1]);
            budget::charge(steps.sum::<usize>());
            self.sweep(&unknowns, south);
            let renewed = self.renewed(&unknowns).ok_or(NoSolution::Saturated)?;
            let settled = point.settled(renewed);
            if settled == Err(NoSolution::GivenUp) {
                return Err(NoSolution::GivenUp);
            }
            if settled == Ok(true) {
                return Ok(renewed);
            }
            let next = point.unknowns;
            if south.is_none() && turns_south(&next) != turns_south(&unknowns) {
                switched += 1;
            }
            if settled.is_err() || switched > SWITCHES_MAX {
                let (iterations, residual) = (self.rounds, point.residual);
                return Err(NoSolution::NotSettled { iterations, residual });
            }
            unknowns = next;
        }
    }

    /// The mean over the average messages, term by term.
    fn latency(&self, unknowns: &Unknowns) -> Vec<Term> {
        let mut mean = terms(0.0, 0.0, 0.0);
        for (swept, (share, _)) in self.swept.iter().zip(&self.quadrants.0) {
            for (sum, term) in mean.iter_mut().zip(swept.latency(unknowns)) {
                sum.cycles += share * term.cycles;
            }
        }
        mean
    }
}

impl Swept {
    /// Eqs. (45), (46), sorted by cause, in cycles:
    ///
    /// * *source waiting*: for the first channel; always for the single-dimension streams,
    ///   otherwise only if both channels are busy;
    /// * *blocking on the way*: for all further channels, i.e. `ahead` from the first channel on;
    /// * *transfer*: the hops and the flits, the latency of an empty network.
    fn latency(&self, unknowns: &Unknowns) -> Vec<Term> {
        let &Quadrant { hops, both_share, single_share, .. } = &self.quadrant;
        let &[busy_x, busy_y, straight_east, turn_east, straight_south, turn_south] = unknowns;
        let first = self.side() + 1;
        let (east, south) = (self.ahead_east[first], self.ahead_south[first]);
        let for_x = straight_east + turn_east;
        let for_y = straight_south + turn_south;
        let both_busy = busy_x * busy_y;
        // (46): with both channels busy, the shorter of the two waits (the paper's v).
        let (wait, waited) = if for_x < for_y { (for_x, east) } else { (for_y, south) };
        // (45): as typeset, the single-dimension streams pay both waits for their channel.
        let single_waits = if self.reading == Reading::ExponentialHold {
            [straight_east, straight_south]
        } else {
            [for_x, for_y]
        };
        let both_blocked =
            (1.0 - busy_x) * east + busy_x * (1.0 - busy_y) * south + both_busy * waited;
        let single = |[x, y]: [f64; 2]| single_share[0] * x + single_share[1] * y;
        let single_blocked =
            [single_stream(hops[0], straight_east), single_stream(hops[1], straight_south)];
        terms(
            both_share * both_busy * wait + single(single_waits),
            both_share * both_blocked + single(single_blocked),
            self.quadrant.transfer(),
        )
    }
}

impl Prepared for Averages {
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution> {
        let mut solver = self.clone();
        let (unknowns, south) = solver.settle_at(rate, Unknowns::default())?;
        solver.sweep(&unknowns, south);
        let hops_mean = solver.quadrants.mean(Quadrant::hops_mean);
        Ok(prediction(solver.latency(&unknowns), hops_mean, solver.rounds))
    }

    fn overflow(&self) -> f64 {
        self.quadrants.overflow()
    }

    fn rate_tolerance(&self) -> f64 {
        1e-4
    }

    /// Starts each search from the solution at the highest solved rate below: unknowns grow with
    /// the rate, and near saturation, the solutions are close.
    fn saturation_rate(&self) -> Rate {
        let (mut solver, mut start) = (self.clone(), Unknowns::default());
        let solved = |rate| match solver.settle_at(rate, start) {
            Ok((unknowns, _)) => {
                start = unknowns;
                true
            }
            Err(NoSolution::Saturated) => false,
            Err(NoSolution::NotSettled { .. } | NoSolution::GivenUp) => true,
        };
        Rate(largest_rate(self.overflow(), self.rate_tolerance(), solved))
    }

    fn utilisation_mean(&self, rate: Rate) -> Option<f64> {
        Some(self.quadrants.mean(|it| it.utilisation(rate.0)))
    }
}
