//! Hold in a square torus of one-way rings, X before Y: waits of each stream at the links of both
//! rings.
//!
//! Rings are cyclic, so that a link's holding time depends on the wait for links of its own kind:
//! unlike in a hypercube there is a fixed point. What a circuit does that is aborted to undo a
//! deadlock is not in the equations.

use super::controller::Controller;
use super::hold::{Hold, Met};
use super::parameters::{NoSolution, Solution};
use super::streams::Link;

/// Rounds after which a settled iteration would have settled.
const ROUNDS_MAX: u32 = 20_000;
/// Change of a wait below which the iteration has settled, in mean transmission times.
const SETTLED: f64 = 1e-11;
/// The part of the way to the new values that a round goes.
const STEP: f64 = 0.5;

/// Mean and second moment of a wait.
#[derive(Clone, Copy, Debug, Default)]
struct Wait {
    mean: f64,
    second: f64,
}

impl Wait {
    fn variance(self) -> f64 {
        self.second - self.mean * self.mean
    }

    /// Goes a part of the way to `target`; returns how far away it was.
    fn towards(&mut self, target: Self) -> f64 {
        let (mean, second) = (target.mean - self.mean, target.second - self.second);
        self.mean += STEP * mean;
        self.second += STEP * second;
        mean.abs().max(second.abs())
    }
}

/// The waits that holding times depend on, by where a message comes from and what it asks for.
#[derive(Clone, Copy, Debug, Default)]
struct Unknowns {
    x_to_x: Wait,
    x_to_y: Wait,
    y_to_y: Wait,
}

/// The random numbers of links in a way through rings of m nodes. A way has links in a ring with
/// probability (m − 1)/m, then any number from 1 to m − 1.
struct Ways {
    /// Mean and variance of the links that a way still has in the ring behind one of its links.
    left: f64,
    left_variance: f64,
    /// Mean place of a link of a way in its ring, from 1.
    place: f64,
    /// Probability that a way has links in Y.
    turning: f64,
    /// Mean and variance of the number of its links in Y behind the first.
    more: f64,
    more_variance: f64,
}

impl Ways {
    fn of(radix: u32) -> Self {
        let m = f64::from(radix);
        let all = m * (m - 1.0) / 2.0;
        let (mut left, mut left_second, mut place) = (0.0, 0.0, 0.0);
        for links in 1..radix {
            for at in 1..=links {
                let behind = f64::from(links - at);
                left += behind / all;
                left_second += behind * behind / all;
                place += f64::from(at) / all;
            }
        }
        Self {
            left,
            left_variance: left_second - left * left,
            place,
            turning: (m - 1.0) / m,
            more: (m - 2.0) / 2.0,
            more_variance: ((m - 1.0) * (m - 1.0) - 1.0) / 12.0,
        }
    }
}

impl Hold {
    /// The refined equations of a one-way torus with `radix` nodes in a ring.
    pub fn refined_torus(&self, radix: u32, rate: f64) -> Result<Solution, NoSolution> {
        let ways = Ways::of(radix);
        self.with_controller(rate, |controller| {
            let mut unknowns = Unknowns::default();
            for round in 1..=ROUNDS_MAX {
                let (found, met) = self.rings(radix, &ways, rate, controller, &unknowns)?;
                let change = unknowns
                    .x_to_x
                    .towards(found.x_to_x)
                    .max(unknowns.x_to_y.towards(found.x_to_y))
                    .max(unknowns.y_to_y.towards(found.y_to_y));
                if change < SETTLED {
                    return Ok(met);
                }
                if round == ROUNDS_MAX {
                    return Err(NoSolution::NotSettled { iterations: round, residual: change });
                }
            }
            unreachable!("the last round returns")
        })
    }

    /// The waits at the links of both rings, given those that the holding times depend on.
    fn rings(
        &self,
        radix: u32,
        ways: &Ways,
        rate: f64,
        controller: Controller,
        unknowns: &Unknowns,
    ) -> Result<(Unknowns, Met), NoSolution> {
        let (times, m) = (&self.times, f64::from(radix));
        let requests = rate / self.shape.links_per_node() * self.shape.mean_links();
        let step = controller.wait + times.verify + times.connect;
        let release = controller.wait + times.release;
        let once = times.connect + times.acknowledge + self.data.mean();
        let Unknowns { x_to_x, x_to_y, y_to_y } = *unknowns;

        // A random number of crossings: mean and variance of their time.
        let crossings = |wait: Wait, count: f64, count_variance: f64| {
            let each = step + wait.mean;
            (count * each, count * wait.variance() + count_variance * each * each)
        };
        let (behind_y, spread_y) = crossings(y_to_y, ways.left, ways.left_variance);
        let y_link = Link {
            requests,
            streams: &[1.0 - 2.0 / m, 2.0 / m * ways.turning],
            fresh: 2.0 / (m * m),
            hold: once + behind_y + release * (ways.place + (m - 1.0) / 2.0),
            variance: spread_y + self.data.variance(),
        };
        let (behind_x, spread_x) = crossings(x_to_x, ways.left, ways.left_variance);
        let (more_y, spread_more) = crossings(y_to_y, ways.more, ways.more_variance);
        let turned = step + x_to_y.mean + more_y;
        let turned_variance = ways.turning * (x_to_y.variance() + spread_more + turned * turned)
            - (ways.turning * turned).powi(2);
        let x_link = Link {
            requests,
            streams: &[1.0 - 2.0 / m],
            fresh: 2.0 / m,
            hold: once + behind_x + ways.turning * turned + release * ways.place,
            variance: spread_x + turned_variance + self.data.variance(),
        };

        let (x, y) = (x_link.waits()?, y_link.waits()?);
        let wait = |link: &Link<'_>, mean| Wait { mean, second: link.wait_second_moment(mean) };
        let found = Unknowns {
            x_to_x: wait(&x_link, x.streams[0]),
            x_to_y: wait(&y_link, y.streams[1]),
            y_to_y: wait(&y_link, y.streams[0]),
        };
        let met = Met {
            link_wait: f64::midpoint(x.mean, y.mean),
            conflict: f64::midpoint(x.conflict, y.conflict),
            utilisation: vec![x.utilisation, y.utilisation],
        };
        Ok((found, met))
    }
}
