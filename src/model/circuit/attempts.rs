//! Follows the attempts of a message whose conflicts cause aborts.
//!
//! Checks and aborts are computed hop by hop, then the resulting load of links and controllers.

use super::parameters::{Controller, Equations, Solution};
use super::renewal::Question;
use crate::model::fixed_point::{NoSolution, Search};
use crate::switching::Circuit;
use crate::switching::circuit::Conflict;

/// Maximum number of aborts per message for a solution.
const ABORTS_MAX: f64 = 1e4;
/// Maximum utilisation of links for a solution.
const UTILISATION_MAX: f64 = 0.97;

/// Counts at one hop of a message, over all its attempts.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Hop {
    /// Requests for a link; checks of all suitable links are part of one request.
    pub requests: f64,
    pub aborts: f64,
    /// Mean number of checks per request: 1 without a choice.
    pub looks: f64,
    pub looks_squared: f64,
}

/// Sums over the hops of a message.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Totals {
    /// `N_verify`: requests.
    pub requests: f64,
    pub looks: f64,
    pub looks_squared: f64,
    /// `N_abort`.
    pub aborts: f64,
    /// `N_rel`: links released because of aborts.
    pub given_back: f64,
    pub links: f64,
    /// Links held × requests: link time during waits for the controller.
    pub held_requests: f64,
    pub held_looks: f64,
    pub held_connections: f64,
    pub held_given_back: f64,
    pub held_released: f64,
}

impl Totals {
    pub fn add(&mut self, share: f64, hops: impl ExactSizeIterator<Item = Hop>) {
        let links = hops.len() as f64;
        for (held, hop) in hops.enumerate() {
            // `held` links are held during the request for the next one.
            let held = held as f64;
            let looks = hop.requests * hop.looks;
            self.requests += share * hop.requests;
            self.looks += share * looks;
            self.looks_squared += share * hop.requests * hop.looks_squared;
            self.aborts += share * hop.aborts;
            self.given_back += share * held * hop.aborts;
            self.held_requests += share * hop.requests * held;
            self.held_looks += share * looks * held;
            self.held_connections += share * (hop.requests - hop.aborts) * (held + 1.0);
            self.held_given_back += share * hop.aborts * held * (held + 1.0) / 2.0;
        }
        self.links += share * links;
        self.held_released += share * links * (links + 1.0) / 2.0;
    }

    /// `N_link_conn`.
    pub fn connections(&self) -> f64 {
        self.requests - self.aborts
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct State {
    /// U: the share of the time during which a link is held.
    pub busy: f64,
    pub wait: f64,
}

/// Search for the fixed point: U and W move by `step` of their differences until U converges.
pub(super) const fn search(step: f64, tolerance: f64) -> Search {
    Search { step, tolerance, relative: false, rounds_max: 2000 }
}

impl Equations {
    /// `D_back_off`: time from the release of the last link to the next attempt.
    pub(super) fn back_off(&self) -> f64 {
        match self.machine.conflict {
            Conflict::Hold => 0.0,
            Conflict::Drop { back_off } | Conflict::Adaptive { back_off } => back_off,
        }
    }

    /// `T_verify` without a choice: wait and service of one check.
    pub(super) fn look_time(&self, state: State) -> f64 {
        state.wait + self.machine.verify
    }

    /// `T_rel`.
    pub(super) fn release_time(&self, state: State) -> f64 {
        state.wait + self.machine.release
    }

    /// Parameters of a link for messages that return after `interval`.
    pub(super) fn question(&self, state: State, interval: f64, excluded: f64) -> Question {
        let links = self.mean_links();
        let crossing = self.look_time(state) + self.machine.connect;
        let beyond_data = (links - 1.0) / 2.0 * crossing
            + self.machine.connect
            + self.machine.acknowledge
            + f64::midpoint(links, 1.0) * self.release_time(state);
        let links_before = (links - 1.0) / 2.0;
        Question { interval, busy: state.busy, beyond_data, excluded, links_before }
    }

    fn busy(&self, rate: f64, totals: &Totals, state: State) -> f64 {
        let times = &self.machine;
        let held = totals.held_requests * state.wait
            + totals.held_looks * times.verify
            + totals.held_connections * times.connect
            + totals.links * (times.acknowledge + self.data.mean())
            + (totals.held_given_back + totals.held_released) * self.release_time(state);
        self.per_link(rate) * held
    }

    /// The controllers' queues: the checks of one request, and a subsequent connection, are one
    /// service; (A.6) to (A.9) with the requests and releases of aborted attempts among the
    /// arrivals.
    fn controller(&self, rate: f64, totals: &Totals) -> Result<Controller, NoSolution> {
        let Circuit { verify, connect, release, .. } = self.machine;
        let connections = totals.connections();
        let releases = totals.given_back + totals.links;
        let first = verify * totals.looks + connect * connections + release * releases;
        let second = verify * verify * totals.looks_squared
            + 2.0 * verify * connect * connections * totals.looks / totals.requests
            + connect * connect * connections
            + release * release * releases;
        let rate = self.per_controller(rate);
        Controller::fed_with(rate * first, rate * second)
    }

    /// The fixed point with links and controllers as busy as implied by the totals of `attempts`;
    /// (9) and (27): the time of all attempts of a message.
    pub(super) fn attempts(
        &self,
        rate: f64,
        search: Search,
        mut attempts: impl FnMut(State) -> Result<Totals, NoSolution>,
    ) -> Result<Solution, NoSolution> {
        let data_only = self.per_link(rate) * self.mean_links() * self.data.mean();
        let mut wait = 0.0;
        let ((totals, busy, controller), iterations) = search.solve([data_only], |[busy]| {
            let state = State { busy, wait };
            if busy >= UTILISATION_MAX {
                return Err(NoSolution::Saturated);
            }
            let totals = attempts(state)?;
            if totals.aborts.is_nan() || totals.aborts > ABORTS_MAX {
                return Err(NoSolution::Saturated);
            }
            let controller = self.controller(rate, &totals)?;
            // W is updated after U.
            wait += search.step * (controller.wait - wait);
            let renewed = self.busy(rate, &totals, state);
            Ok(([renewed], (totals, renewed, controller)))
        })?;
        let Circuit { verify, connect, release, .. } = self.machine;
        let (links, connections) = (totals.links, totals.connections());
        let served = totals.looks * verify + connections * connect - links * (verify + connect)
            + totals.given_back * release;
        let undone = [totals.aborts * self.back_off(), served];
        let visits = totals.requests + totals.given_back + links;
        Ok(Solution {
            aborts: totals.aborts,
            conflict: 1.0 - connections / totals.looks,
            utilisation: vec![busy],
            iterations,
            ..self.solution(links, visits, None, Some(undone), controller)
        })
    }
}
