//! Hold: at a busy link, a message keeps its path and queues for the link.
//!
//! Two readings. The text's reading consists of 001's own equations with corrections: one conflict
//! probability for all links, the duration of a conflict by the phase of the conflicting message,
//! and i links held in all of state i. The refined reading follows the links of a route from the
//! last dimension to the first: the holding time of a link is the time after its acquisition.
//!
//! Requests for a link arrive in streams, with at most one message of each stream at the link: a
//! message that arrived over another link holds that link, and blocks its successors. In an M/G/1
//! queue, a message would also wait for others of its own stream, which is impossible. The wait of
//! a stream is the mean of two cases: its own message always or never in the queue of the other
//! streams.

use super::parameters::{Controller, Equations, Solution};
use super::routes::Crossings;
use super::stages::{Stages, Station};
use crate::model::budget;
use crate::model::fixed_point::{NoSolution, Search};
use crate::model::queue::Moments;

const SEARCH: Search = Search { step: 1.0, tolerance: 1e-13, relative: true, rounds_max: 200_000 };
/// Search for the probability of a conflict.
const SEARCH_CONFLICT: Search = Search { relative: false, ..SEARCH };
/// Search for the waits for all links of a network, in mean transmission times.
const SEARCH_WAITS: Search =
    Search { tolerance: 1e-12, relative: false, rounds_max: 20_000, ..SEARCH };
/// Streams compared in the time of a step of work.
const STREAMS_PER_STEP: usize = 16;
/// Maximum wait at one link for a solution of the text's equations, in mean data times.
const RUNAWAY: f64 = 1e4;

/// The weight of a queue that includes the stream's own message.
const OWN_PRESENT: f64 = 0.5;

/// Waits and conflicts of a message on its route, in either reading.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct RouteWaits {
    pub link_wait: f64,
    pub conflict: f64,
    /// Share of the time during which links are held, by dimension.
    pub utilisation: Vec<f64>,
}

impl Equations {
    /// A message's latency, given its conflicts: at every link, one visit to the controller for
    /// set-up and one for release.
    fn held(&self, waits: RouteWaits, controller: Controller, iterations: u32) -> Solution {
        let links = self.mean_links();
        Solution {
            conflict: waits.conflict,
            utilisation: waits.utilisation,
            iterations,
            ..self.solution(links, 2.0 * links, Some(links * waits.link_wait), None, controller)
        }
    }

    /// The equations as printed, corrected: 001, (1) to (8) and (B.1) to (B.8).
    ///
    /// The acknowledgement is a separate phase, and (8b) is the equilibrium residual of the data.
    pub(super) fn hold_text(&self, rate: f64) -> Result<Solution, NoSolution> {
        let (times, mean_data) = (&self.machine, self.data.mean());
        let links = self.mean_links();
        let per_link = self.per_link(rate);
        let held = per_link * links * (links + 1.0) / 2.0;
        let data_residual = self.data.second_moment() / (2.0 * mean_data);
        let acknowledged = per_link * links * times.acknowledge;
        let sending = per_link * links * mean_data;

        let ((waits, controller), rounds) =
            SEARCH.solve([times.verify + times.connect], |[step]| {
                // W depends on the conflicts, and the conflicts on T_rel = W + D_rel.
                let ((controller, conflict), _) = SEARCH.solve([0.0], |[wait]| {
                    let release = wait + times.release;
                    let conflict = held * (step + release) + acknowledged + sending;
                    if conflict >= 1.0 {
                        return Err(NoSolution::Saturated);
                    }
                    let controller =
                        Controller::of_hold(times, self.per_controller(rate) * links, conflict)?;
                    Ok(([controller.wait], (controller, conflict)))
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
                let waits = RouteWaits { link_wait, conflict, utilisation: vec![conflict] };
                Ok(([next], (waits, controller)))
            })?;
        Ok(self.held(waits, controller, rounds))
    }

    /// The refined equations: alternates between `links`, given the controller, and the controller,
    /// given the resulting conflicts, until both converge.
    pub(super) fn hold_refined(
        &self,
        rate: f64,
        mut links: impl FnMut(Controller) -> Result<RouteWaits, NoSolution>,
    ) -> Result<Solution, NoSolution> {
        let requests = self.per_controller(rate) * self.mean_links();
        let ((waits, controller), rounds) = SEARCH_CONFLICT.solve([0.0], |[conflict]| {
            let controller = Controller::of_hold(&self.machine, requests, conflict)?;
            let waits = links(controller)?;
            Ok(([waits.conflict], (waits, controller)))
        })?;
        Ok(self.held(waits, controller, rounds))
    }

    /// Holding times and waits for the links of a hypercube with dimensions crossed in rising
    /// order, computed dimension by dimension from the last.
    pub(super) fn links_of_cube(
        &self,
        crossings: &Crossings,
        rate: f64,
        controller: Controller,
    ) -> Result<RouteWaits, NoSolution> {
        let (times, dimensions) = (&self.machine, self.shape.dimensions());
        let requests = self.per_link(rate) * self.mean_links();
        let step = controller.wait + times.verify + times.connect;
        let release = controller.wait + times.release;
        // Remaining set-up time after the acquisition of a link: each higher dimension may be
        // crossed, by every other message under uniform destinations. Sums of the times, of their
        // squares, and of the separate contributions to the variance.
        let &Crossings { crossed, both, .. } = crossings;
        let (mut all, mut squares, mut spread) = (0.0, 0.0, 0.0);
        let mut utilisation = vec![0.0; dimensions as usize];
        let (mut link_wait, mut conflict) = (0.0, 0.0);
        for dimension in (0..dimensions).rev() {
            let streams = self.streams_of_cube(crossings, dimension);
            let followed: f64 = crossings.gaps[..dimension as usize].iter().sum();
            // Crossings of two dimensions are correlated in a mixture of long and short routes.
            let together = (both - crossed * crossed) * (all * all - squares);
            let link = Link {
                requests,
                streams: &streams,
                fresh: 1.0 - followed,
                hold: times.connect
                    + crossed * all
                    + times.acknowledge
                    + self.data.mean()
                    + (1.0 + f64::from(dimension) * crossed) * release,
                variance: spread + together + self.data.variance(),
            };
            let Waits { mean, conflict: met, utilisation: busy, .. } = link.waits()?;
            utilisation[dimension as usize] = busy;
            link_wait += mean / f64::from(dimensions);
            conflict += met / f64::from(dimensions);
            let crossing = step + mean;
            let second = step * (step + 2.0 * mean) + link.wait_second_moment(mean);
            all += crossing;
            squares += crossing * crossing;
            spread += crossed * second - crossed * crossed * (crossing * crossing);
        }
        Ok(RouteWaits { link_wait, conflict, utilisation })
    }

    /// The shares of the requests for a link of `dimension` that arrive over one link of each lower
    /// dimension; for circuits that occupy both directions, at both ends.
    fn streams_of_cube(&self, crossings: &Crossings, dimension: u32) -> Vec<f64> {
        let ends = if self.shape.full_duplex() { 1 } else { 2 };
        let gaps = crossings.gaps.iter().take(dimension as usize);
        let shares = gaps.map(|share| share / ends as f64);
        shares.flat_map(|share| std::iter::repeat_n(share, ends)).collect()
    }
}

/// The state of a link in the search for waits.
#[derive(Clone, Default)]
struct StageWait {
    /// Mean and second moment of the wait of each stream.
    streams: Vec<Moments>,
    mean: f64,
    conflict: f64,
    utilisation: f64,
    /// Mean and variance of the set-up that follows the acquisition.
    behind: [f64; 2],
}

impl Equations {
    /// Holding times and waits for the links of any network: sweeps over all links, later links of a
    /// route first, until the waits converge. Without a cycle of links the first sweeps are final.
    pub(super) fn links_of_stages(
        &self,
        stages: &Stages,
        rate: f64,
        controller: Controller,
    ) -> Result<RouteWaits, NoSolution> {
        let times = &self.machine;
        let step = controller.wait + times.verify + times.connect;
        let release = controller.wait + times.release;
        let mut waits: Vec<StageWait> = stages.links.iter().map(StageWait::at).collect();
        let mut moved = SEARCH_WAITS.from([0.0]);
        loop {
            let mut total = 0.0;
            for &at in &stages.order {
                let station = &stages.links[at];
                let (mut mean, mut second) = (0.0, 0.0);
                for &(next, number, probability) in &station.next {
                    let StageWait { streams, behind: [after, spread], .. } = &waits[next];
                    let crossing = step + streams[number].mean + after;
                    mean += probability * crossing;
                    second +=
                        probability * (crossing * crossing + streams[number].variance() + spread);
                }
                let shares: Vec<f64> = station.streams.iter().map(|stream| stream.1).collect();
                budget::charge(1 + shares.len() * shares.len() / STREAMS_PER_STEP);
                let behind = [mean, second - mean * mean];
                let link = Link {
                    requests: rate * station.flow,
                    streams: &shares,
                    fresh: (1.0 - shares.iter().sum::<f64>()).max(0.0),
                    hold: times.connect
                        + behind[0]
                        + times.acknowledge
                        + self.data.mean()
                        + station.place * release,
                    variance: behind[1] + self.data.variance(),
                };
                let found = link.waits()?;
                let moments = |&mean: &f64| Moments { mean, square: link.wait_second_moment(mean) };
                total += station.flow * found.mean;
                waits[at] = StageWait {
                    streams: found.streams.iter().map(moments).collect(),
                    mean: found.mean,
                    conflict: found.conflict,
                    utilisation: found.utilisation,
                    behind,
                };
            }
            if moved.settled([total])? {
                break;
            }
        }
        let flow: f64 = stages.links.iter().map(|link| link.flow).sum();
        let mean = |of: &dyn Fn(&StageWait) -> f64| {
            let sums = stages.links.iter().zip(&waits).map(|(link, wait)| link.flow * of(wait));
            sums.sum::<f64>() / flow
        };
        Ok(RouteWaits {
            link_wait: mean(&|wait| wait.mean),
            conflict: mean(&|wait| wait.conflict),
            utilisation: waits.iter().map(|wait| wait.utilisation).collect(),
        })
    }
}

impl StageWait {
    fn at(station: &Station) -> Self {
        let streams = vec![Moments { mean: 0.0, square: 0.0 }; station.streams.len()];
        Self { streams, ..Self::default() }
    }
}

/// Requests for a link, and its holding time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link<'a> {
    /// Λ: requests per unit of time.
    pub requests: f64,
    /// Shares of the requests that arrive over one other link each.
    pub streams: &'a [f64],
    /// Share of the requests of messages without links: a Poisson stream.
    pub fresh: f64,
    /// E\[S\]: mean holding time.
    pub hold: f64,
    pub variance: f64,
}

/// Waits and conflicts of requests for a link.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Waits {
    pub streams: Vec<f64>,
    pub mean: f64,
    pub conflict: f64,
    pub utilisation: f64,
}

impl Link<'_> {
    fn second_moment(&self) -> f64 {
        self.hold * self.hold + self.variance
    }

    /// E\[S³\] / E\[S²\], with the third moment of a gamma distribution with the same first two:
    /// exact for constant and exponential times.
    fn third_over_second(&self) -> f64 {
        let ratio = self.variance / (self.hold * self.hold);
        self.hold * (1.0 + 2.0 * ratio)
    }

    /// E\[w²\] of requests with a mean wait of `wait`.
    pub fn wait_second_moment(&self, wait: f64) -> f64 {
        2.0 * wait * wait + 2.0 / 3.0 * wait * self.third_over_second()
    }

    /// The mean wait at the queue of all streams except number `left_out`.
    fn wait_of_others(&self, work: f64, busy: f64, left_out: usize) -> Result<f64, NoSolution> {
        let others = || {
            let but = self.streams.iter().enumerate().filter(move |&(index, _)| index != left_out);
            but.map(|(_, &share)| share)
        };
        let total = others().sum::<f64>() + self.fresh;
        let mut above = self.fresh * total;
        let mut below = self.fresh;
        for share in others() {
            above += share * (total - share) / (1.0 + busy * share);
            below += share / (1.0 + busy * share);
        }
        positive(1.0 - busy * below).map(|room| work * above / room)
    }

    /// Computes the waits; saturated if a queue is overloaded.
    pub fn waits(&self) -> Result<Waits, NoSolution> {
        let busy = self.requests * self.hold;
        positive(1.0 - busy)?;
        let work = self.requests * self.second_moment() / 2.0;
        // w_i = apart_i + slope_i · w, and w is the mean of all: linear in w.
        let mut apart = Vec::with_capacity(self.streams.len());
        let (mut above, mut below) = (self.fresh * work, self.fresh * busy);
        for (index, &share) in self.streams.iter().enumerate() {
            let without = self.wait_of_others(work, busy, index)?;
            let scale = 1.0 + OWN_PRESENT * busy * share;
            let own = ((1.0 - share) * work + busy * (1.0 - OWN_PRESENT) * without) / scale;
            let slope = OWN_PRESENT * busy / scale;
            above += share * own;
            below += share * slope;
            apart.push((own, slope));
        }
        let mean = above / positive(1.0 - below)?;
        let unlike =
            self.streams.iter().map(|share| share * (1.0 - share)).sum::<f64>() + self.fresh;
        Ok(Waits {
            streams: apart.into_iter().map(|(own, slope)| own + slope * mean).collect(),
            mean,
            conflict: busy * unlike,
            utilisation: busy,
        })
    }
}

fn positive(room: f64) -> Result<f64, NoSolution> {
    if room > 0.0 { Ok(room) } else { Err(NoSolution::Saturated) }
}

#[cfg(test)]
mod tests;
