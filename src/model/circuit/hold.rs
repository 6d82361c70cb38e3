//! Hold: a message that finds a link busy keeps what it has and queues for the link.
//!
//! Two readings. The text's is 001's own equations with their slips corrected: one conflict
//! probability for all links, the conflict's length by the phase of the message that is met, and
//! i links held in all of state i. The refined one follows the links of a route from the last
//! dimension to the first: what a link is held for is what follows its acquisition, and the waits
//! are those of [`super::streams`].

use super::controller::Controller;
use super::data::DataTime;
use super::parameters::{Parts, Shape, Solution, Times};
use super::streams::{Link, Waits};
use crate::model::fixed_point::{NoSolution, Search, Step};

/// For waits.
const SEARCH: Search =
    Search { step: Step::Whole, tolerance: 1e-13, relative: true, rounds_max: 200_000 };
/// For the probability of a conflict.
const SEARCH_CONFLICT: Search = Search { relative: false, ..SEARCH };
/// Mean data times of waiting at one link beyond which the text's equations have run away.
const RUNAWAY: f64 = 1e4;

/// What hold's equations are about.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Hold {
    pub shape: Shape,
    pub times: Times,
    pub data: DataTime,
}

/// What a message meets on its route, however it was found.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Met {
    /// Mean wait at one link.
    pub link_wait: f64,
    /// Share of the requests that wait.
    pub conflict: f64,
    /// Share of the time for which links are held, by dimension.
    pub utilisation: Vec<f64>,
}

impl Hold {
    /// A message's latency, given what it meets.
    pub fn solution(&self, met: Met, controller: Controller, iterations: u32) -> Solution {
        let (times, links) = (&self.times, self.shape.mean_links());
        let parts = Parts {
            link_waiting: links * met.link_wait,
            // At every link once to set up and once to release.
            controller_waiting: 2.0 * links * controller.wait,
            set_up: links * (times.verify + times.connect),
            acknowledgement: times.acknowledge,
            data: self.data.mean(),
            release: links * times.release,
            ..Parts::default()
        };
        let after = parts.data + links * (controller.wait + times.release);
        Solution {
            parts,
            set_up_time: parts.latency() - after,
            aborts: 0.0,
            conflict: met.conflict,
            utilisation: met.utilisation,
            controller_wait: controller.wait,
            controller_load: controller.load,
            iterations,
        }
    }

    /// The equations as printed, corrected: 001, (1) to (8) and (B.1) to (B.8).
    ///
    /// The acknowledgement is a phase of its own, and (8b) is the equilibrium residual of the data.
    pub fn text(&self, rate: f64) -> Result<Solution, NoSolution> {
        let (times, mean_data) = (&self.times, self.data.mean());
        let links = self.shape.mean_links();
        let per_link = rate / self.shape.links_per_node();
        let held = per_link * links * (links + 1.0) / 2.0;
        let data_residual = self.data.second_moment() / (2.0 * mean_data);
        let acknowledged = per_link * links * times.acknowledge;
        let sending = per_link * links * mean_data;

        let mut point = SEARCH.from([times.verify + times.connect]);
        loop {
            let [step] = point.unknowns;
            // W depends on the conflicts and these on T_rel = W + D_rel.
            let (controller, conflict) = self.text_controller(rate * links, |release| {
                held * (step + release) + acknowledged + sending
            })?;
            let release_time = controller.wait + times.release;
            let (setting_up, releasing) = (held * step, held * release_time);
            let release = release_time * (links + 1.0) / 2.0;
            let from_acknowledgement = times.acknowledge + mean_data + release;
            let link_wait = setting_up * ((links - 1.0) / 3.0 * step + from_acknowledgement)
                + acknowledged * from_acknowledgement
                + sending * (data_residual + release)
                + releasing * release_time * (links + 2.0) / 3.0;
            if link_wait > RUNAWAY * mean_data {
                return Err(NoSolution::Saturated);
            }
            let next = controller.wait + times.verify + times.connect + link_wait;
            if point.settled([next])? {
                let met = Met { link_wait, conflict, utilisation: vec![conflict] };
                return Ok(self.solution(met, controller, point.rounds));
            }
        }
    }

    /// Controller and conflict probability that agree, where `conflict` follows from `T_rel`.
    fn text_controller(
        &self,
        requests: f64,
        conflict: impl Fn(f64) -> f64,
    ) -> Result<(Controller, f64), NoSolution> {
        let mut wait = SEARCH.from([0.0]);
        loop {
            let conflict = conflict(wait.unknowns[0] + self.times.release);
            if conflict >= 1.0 {
                return Err(NoSolution::Saturated);
            }
            let controller = Controller::of_hold(&self.times, requests, conflict)?;
            if wait.settled([controller.wait])? {
                return Ok((controller, conflict));
            }
        }
    }

    /// The refined equations of a hypercube whose dimensions are crossed in rising order.
    pub fn refined_cube(&self, dimensions: u32, rate: f64) -> Result<Solution, NoSolution> {
        self.with_controller(rate, |controller| self.links_of_cube(dimensions, rate, controller))
    }

    /// Repeats `links`, which follows from the controller, until the conflicts that it finds leave
    /// the controller as it was.
    pub fn with_controller(
        &self,
        rate: f64,
        mut links: impl FnMut(Controller) -> Result<Met, NoSolution>,
    ) -> Result<Solution, NoSolution> {
        let requests = rate * self.shape.mean_links();
        let mut conflict = SEARCH_CONFLICT.from([0.0]);
        loop {
            let controller = Controller::of_hold(&self.times, requests, conflict.unknowns[0])?;
            let met = links(controller)?;
            if conflict.settled([met.conflict])? {
                return Ok(self.solution(met, controller, conflict.rounds));
            }
        }
    }

    /// Dimension by dimension from the last: how long its links are held and waited for.
    fn links_of_cube(
        &self,
        dimensions: u32,
        rate: f64,
        controller: Controller,
    ) -> Result<Met, NoSolution> {
        let times = &self.times;
        let requests = rate / self.shape.links_per_node() * self.shape.mean_links();
        let step = controller.wait + times.verify + times.connect;
        let release = controller.wait + times.release;
        // Mean and variance of what remains of the set-up once a link is acquired: each higher
        // dimension is crossed by every other message.
        let (mut ahead, mut spread) = (0.0, 0.0);
        let mut utilisation = vec![0.0; dimensions as usize];
        let (mut link_wait, mut conflict) = (0.0, 0.0);
        for dimension in (0..dimensions).rev() {
            let streams = self.streams_of_cube(dimension);
            let link = Link {
                requests,
                streams: &streams,
                fresh: (-f64::from(dimension)).exp2(),
                hold: times.connect
                    + ahead
                    + times.acknowledge
                    + self.data.mean()
                    + (1.0 + f64::from(dimension) / 2.0) * release,
                variance: spread + self.data.variance(),
            };
            let Waits { mean, conflict: met, utilisation: busy, .. } = link.waits()?;
            utilisation[dimension as usize] = busy;
            link_wait += mean / f64::from(dimensions);
            conflict += met / f64::from(dimensions);
            let crossing = step + mean;
            let second = step * (step + 2.0 * mean) + link.wait_second_moment(mean);
            ahead += crossing / 2.0;
            spread += second / 2.0 - crossing * crossing / 4.0;
        }
        Ok(Met { link_wait, conflict, utilisation })
    }

    /// The shares of the requests for a link of `dimension` that come over one link of each lower
    /// dimension; where circuits take both directions, at both ends.
    fn streams_of_cube(&self, dimension: u32) -> Vec<f64> {
        let both_ends = matches!(self.shape, Shape::Cube { full_duplex: false, .. });
        let mut streams = Vec::with_capacity(2 * dimension as usize);
        for gap in 1..=dimension {
            let share = (-f64::from(gap)).exp2();
            if both_ends {
                streams.extend([share / 2.0; 2]);
            } else {
                streams.push(share);
            }
        }
        streams
    }
}
