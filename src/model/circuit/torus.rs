//! Solves the model of hold in a square torus of one-way rings.
//!
//! Routes are X before Y. Each stream waits for the links of both rings.
//!
//! Rings are cyclic, so that a link's holding time depends on the wait for links of its own kind,
//! which requires a fixed point, unlike in a hypercube. The equations do not include aborts of
//! circuits in deadlocks.

use super::hold::{Link, RouteWaits};
use super::parameters::{Controller, Equations, Solution};
use super::routes::Rings;
use crate::model::fixed_point::{NoSolution, Search};
use crate::model::queue::Moments;

/// Search for the waits, in mean transmission times.
const SEARCH: Search = Search { step: 0.5, tolerance: 1e-11, relative: false, rounds_max: 20_000 };

/// The waits that determine holding times, by origin and destination: from X to X, from X to Y and
/// from Y to Y, the mean and the mean square of each.
type Waits = [f64; 6];

impl Equations {
    /// The refined equations of a one-way torus with these routes through its rings.
    pub(super) fn hold_refined_torus(
        &self,
        routes: &Rings,
        rate: f64,
    ) -> Result<Solution, NoSolution> {
        self.hold_refined(rate, |controller| {
            let rings = |waits| self.rings(routes, rate, controller, waits);
            Ok(SEARCH.solve([0.0; 6], rings)?.0)
        })
    }

    /// The waits for the links of both rings, given the waits that determine the holding times.
    fn rings(
        &self,
        routes: &Rings,
        rate: f64,
        controller: Controller,
        waits: Waits,
    ) -> Result<(Waits, RouteWaits), NoSolution> {
        let times = &self.machine;
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
            streams: &[1.0 - routes.first, routes.turned],
            fresh: routes.fresh,
            hold: once + behind_y + release * (routes.place + routes.before),
            variance: spread_y + self.data.variance(),
        };
        let (behind_x, spread_x) = crossings(x_to_x, routes.left, routes.left_variance);
        let (more_y, spread_more) = crossings(y_to_y, routes.more, routes.more_variance);
        let turned = step + x_to_y.mean + more_y;
        let turned_variance = routes.turning * (x_to_y.variance() + spread_more + turned * turned)
            - (routes.turning * turned).powi(2);
        let x_link = Link {
            requests,
            streams: &[1.0 - routes.first],
            fresh: routes.first,
            hold: once + behind_x + routes.turning * turned + release * routes.place,
            variance: spread_x + turned_variance + self.data.variance(),
        };

        let (x, y) = (x_link.waits()?, y_link.waits()?);
        let (xx, xy, yy) = (x.streams[0], y.streams[1], y.streams[0]);
        let [xx_square, xy_square, yy_square] = [(&x_link, xx), (&y_link, xy), (&y_link, yy)]
            .map(|(link, wait)| link.wait_second_moment(wait));
        let found = [xx, xx_square, xy, xy_square, yy, yy_square];
        let waits = RouteWaits {
            link_wait: f64::midpoint(x.mean, y.mean),
            conflict: f64::midpoint(x.conflict, y.conflict),
            utilisation: vec![x.utilisation, y.utilisation],
        };
        Ok((found, waits))
    }
}
