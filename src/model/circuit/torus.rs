//! Hold in a square torus of one-way rings, X before Y: waits of each stream at the links of both
//! rings.
//!
//! Rings are cyclic, so that a link's holding time depends on the wait for links of its own kind:
//! unlike in a hypercube there is a fixed point. What a circuit does that is aborted to undo a
//! deadlock is not in the equations.

use super::controller::Controller;
use super::hold::{Hold, Met};
use super::parameters::Solution;
use super::streams::Link;
use crate::model::fixed_point::{FixedPoint, NoSolution, Search, Step};
use crate::model::queue::Moments;

/// For the waits, in mean transmission times.
const SEARCH: Search =
    Search { step: Step::Part(0.5), tolerance: 1e-11, relative: false, rounds_max: 20_000 };

/// The waits that holding times depend on, by where a message comes from and what it asks for.
#[derive(Clone, Copy, Debug)]
struct Unknowns {
    x_to_x: Moments,
    x_to_y: Moments,
    y_to_y: Moments,
}

impl From<[f64; 6]> for Unknowns {
    fn from([a, a_square, b, b_square, c, c_square]: [f64; 6]) -> Self {
        let wait = |mean, square| Moments { mean, square };
        Self { x_to_x: wait(a, a_square), x_to_y: wait(b, b_square), y_to_y: wait(c, c_square) }
    }
}

impl From<Unknowns> for [f64; 6] {
    fn from(Unknowns { x_to_x: a, x_to_y: b, y_to_y: c }: Unknowns) -> Self {
        [a.mean, a.square, b.mean, b.square, c.mean, c.square]
    }
}

/// The random numbers of links in a route through rings of m nodes. A route has links in a ring with
/// probability (m − 1)/m, then any number from 1 to m − 1.
struct Routes {
    /// Mean and variance of the links that a route still has in the ring behind one of its links.
    left: f64,
    left_variance: f64,
    /// Mean place of a link of a route in its ring, from 1.
    place: f64,
    /// Probability that a route has links in Y.
    turning: f64,
    /// Mean and variance of the number of its links in Y behind the first.
    more: f64,
    more_variance: f64,
}

impl Routes {
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
        let routes = Routes::of(radix);
        self.with_controller(rate, |controller| {
            let mut point: FixedPoint<6> = SEARCH.from([0.0; 6]);
            loop {
                let unknowns = point.unknowns.into();
                let (found, met) = self.rings(radix, &routes, rate, controller, unknowns)?;
                if point.settled(found.into())? {
                    return Ok(met);
                }
            }
        })
    }

    /// The waits at the links of both rings, given those that the holding times depend on.
    fn rings(
        &self,
        radix: u32,
        routes: &Routes,
        rate: f64,
        controller: Controller,
        unknowns: Unknowns,
    ) -> Result<(Unknowns, Met), NoSolution> {
        let (times, m) = (&self.times, f64::from(radix));
        let requests = rate / self.shape.links_per_node() * self.shape.mean_links();
        let step = controller.wait + times.verify + times.connect;
        let release = controller.wait + times.release;
        let once = times.connect + times.acknowledge + self.data.mean();
        let Unknowns { x_to_x, x_to_y, y_to_y } = unknowns;

        // A random number of crossings: mean and variance of their time.
        let crossings = |wait: Moments, count: f64, count_variance: f64| {
            let each = step + wait.mean;
            (count * each, count * wait.variance() + count_variance * each * each)
        };
        let (behind_y, spread_y) = crossings(y_to_y, routes.left, routes.left_variance);
        let y_link = Link {
            requests,
            streams: &[1.0 - 2.0 / m, 2.0 / m * routes.turning],
            fresh: 2.0 / (m * m),
            hold: once + behind_y + release * (routes.place + (m - 1.0) / 2.0),
            variance: spread_y + self.data.variance(),
        };
        let (behind_x, spread_x) = crossings(x_to_x, routes.left, routes.left_variance);
        let (more_y, spread_more) = crossings(y_to_y, routes.more, routes.more_variance);
        let turned = step + x_to_y.mean + more_y;
        let turned_variance = routes.turning * (x_to_y.variance() + spread_more + turned * turned)
            - (routes.turning * turned).powi(2);
        let x_link = Link {
            requests,
            streams: &[1.0 - 2.0 / m],
            fresh: 2.0 / m,
            hold: once + behind_x + routes.turning * turned + release * routes.place,
            variance: spread_x + turned_variance + self.data.variance(),
        };

        let (x, y) = (x_link.waits()?, y_link.waits()?);
        let wait = |link: &Link<'_>, mean| Moments { mean, square: link.wait_second_moment(mean) };
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
