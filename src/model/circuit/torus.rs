//! Hold in a square torus of one-way rings, X before Y: waits of each stream at the links of both
//! rings.
//!
//! Rings are cyclic, so that a link's holding time depends on the wait for links of its own kind:
//! unlike in a hypercube there is a fixed point. What a circuit does that is aborted to undo a
//! deadlock is not in the equations.

use super::hold::{Link, Met};
use super::parameters::{Controller, Equations, Solution};
use crate::model::fixed_point::{NoSolution, Search};
use crate::model::queue::Moments;

/// For the waits, in mean transmission times.
const SEARCH: Search = Search { step: 0.5, tolerance: 1e-11, relative: false, rounds_max: 20_000 };

/// The waits that holding times depend on, by where a message comes from and what it asks for:
/// from X to X, from X to Y and from Y to Y, the mean and the mean square of each.
type Waits = [f64; 6];

/// The random numbers of links in a route through rings of m nodes. A route has links in a ring with
/// probability (m − 1)/m, then any number from 1 to m − 1.
struct Routes {
    /// Mean and variance of the links that a route still has in the ring behind one of its links.
    left: f64,
    left_variance: f64,
    /// Mean place of a link of a route in its ring, from 1.
    place: f64,
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

impl Equations {
    /// The refined equations of a one-way torus with `radix` nodes in a ring.
    pub(super) fn hold_refined_torus(&self, radix: u32, rate: f64) -> Result<Solution, NoSolution> {
        let routes = Routes::of(radix);
        self.hold_refined(rate, |controller| {
            let rings = |waits| self.rings(radix, &routes, rate, controller, waits);
            Ok(SEARCH.solve([0.0; 6], rings)?.0)
        })
    }

    /// The waits at the links of both rings, given those that the holding times depend on.
    fn rings(
        &self,
        radix: u32,
        routes: &Routes,
        rate: f64,
        controller: Controller,
        waits: Waits,
    ) -> Result<(Waits, Met), NoSolution> {
        let (times, m) = (&self.machine, f64::from(radix));
        let requests = self.per_link(rate) * self.mean_links();
        let step = controller.wait + times.verify + times.connect;
        let release = controller.wait + times.release;
        let once = times.connect + times.acknowledge + self.data.mean();
        let wait = |at: usize| Moments { mean: waits[at], square: waits[at + 1] };
        let (x_to_x, x_to_y, y_to_y) = (wait(0), wait(2), wait(4));

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
        let (xx, xy, yy) = (x.streams[0], y.streams[1], y.streams[0]);
        let [xx_square, xy_square, yy_square] = [(&x_link, xx), (&y_link, xy), (&y_link, yy)]
            .map(|(link, wait)| link.wait_second_moment(wait));
        let found = [xx, xx_square, xy, xy_square, yy, yy_square];
        let met = Met {
            link_wait: f64::midpoint(x.mean, y.mean),
            conflict: f64::midpoint(x.conflict, y.conflict),
            utilisation: vec![x.utilisation, y.utilisation],
        };
        Ok((found, met))
    }
}
