//! What a message does over all its attempts where conflicts end in aborts, and what that costs:
//! looks and aborts hop by hop, and what links and controllers have to do for them.

use super::controller::Controller;
use super::data::DataTime;
use super::parameters::{Parts, Shape, Solution, Times};
use crate::model::fixed_point::{NoSolution, Search, Step};

/// Aborts per message beyond which attempts no longer come to an end.
const ABORTS_MAX: f64 = 1e4;
/// Share of the time beyond which links are held too long to find one.
const UTILISATION_MAX: f64 = 0.97;

/// What happens at one hop of a message, over all its attempts.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Hop {
    /// Requests for a link there; all links that would do are looked at in one request.
    pub requests: f64,
    /// Requests that end in an abort.
    pub aborts: f64,
    /// Mean looks at a link per request: 1 where there is no choice.
    pub looks: f64,
    /// Mean of the square of that.
    pub looks_squared: f64,
}

/// Sums over the hops of a message.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Totals {
    /// `N_verify`: requests.
    pub requests: f64,
    /// Looks.
    pub looks: f64,
    /// Squares of the looks of each request.
    pub looks_squared: f64,
    /// `N_abort`.
    pub aborts: f64,
    /// `N_rel`: links given back because of aborts.
    pub given_back: f64,
    /// Links, M.
    pub links: f64,
    /// Links held × requests: what waiting for the controller keeps busy.
    pub held_requests: f64,
    /// Links held × looks.
    pub held_looks: f64,
    /// Links held × connections.
    pub held_connections: f64,
    /// Links held × links given back.
    pub held_given_back: f64,
    /// Links held × links released at the end.
    pub held_released: f64,
}

impl Totals {
    /// Adds the hops of messages of which there are `share`.
    pub fn add(&mut self, share: f64, hops: impl ExactSizeIterator<Item = Hop>) {
        let links = hops.len() as f64;
        for (held, hop) in hops.enumerate() {
            // `held` links are held while the next one is asked for.
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

/// A system in which conflicts end in aborts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Attempts {
    /// d of the hypercube.
    pub dimensions: u32,
    /// Whether a link is one for each direction.
    pub full_duplex: bool,
    pub times: Times,
    pub data: DataTime,
    /// `D_back_off`: from the return of the last link to the next attempt.
    pub back_off: f64,
}

/// What the fixed point is about.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct State {
    /// U: the share of the time for which a link is held.
    pub busy: f64,
    /// W at the controllers.
    pub wait: f64,
}

/// How the fixed point is looked for: U and W move by `part` of their differences until U has settled.
pub(super) const fn search(part: f64, tolerance: f64) -> Search {
    Search { step: Step::Part(part), tolerance, relative: false, rounds_max: 2000 }
}

impl Attempts {
    pub fn shape(&self) -> Shape {
        Shape::Cube { dimensions: self.dimensions, full_duplex: self.full_duplex }
    }

    /// M.
    pub fn mean_links(&self) -> f64 {
        self.shape().mean_links()
    }

    /// c, messages generated per link and unit of time.
    pub fn per_link(&self, rate: f64) -> f64 {
        rate / self.shape().links_per_node()
    }

    /// `T_verify` without a choice, `T_rel`: waits and services of one link.
    pub fn look_time(&self, state: State) -> f64 {
        state.wait + self.times.verify
    }

    /// `T_rel`.
    pub fn release_time(&self, state: State) -> f64 {
        state.wait + self.times.release
    }

    /// For how long the mean message of a path without conflicts holds one of its links beyond its
    /// data.
    pub fn hold_beyond_data(&self, state: State) -> f64 {
        let links = self.mean_links();
        let crossing = self.look_time(state) + self.times.connect;
        (links - 1.0) / 2.0 * crossing
            + self.times.connect
            + self.times.acknowledge
            + f64::midpoint(links, 1.0) * self.release_time(state)
    }

    /// The share of the time for which links are held.
    pub fn busy(&self, rate: f64, totals: &Totals, state: State) -> f64 {
        let times = &self.times;
        let held = totals.held_requests * state.wait
            + totals.held_looks * times.verify
            + totals.held_connections * times.connect
            + totals.links * (times.acknowledge + self.data.mean())
            + (totals.held_given_back + totals.held_released) * self.release_time(state);
        self.per_link(rate) * held
    }

    /// The controllers' queues: looks of one request, and the connection that may follow, are one
    /// service; (A.6) to (A.9) with the requests and releases of aborted attempts among the arrivals.
    pub fn controller(&self, rate: f64, totals: &Totals) -> Result<Controller, NoSolution> {
        let Times { verify, connect, release, .. } = self.times;
        let connections = totals.connections();
        let releases = totals.given_back + totals.links;
        let first = verify * totals.looks + connect * connections + release * releases;
        let second = verify * verify * totals.looks_squared
            + 2.0 * verify * connect * connections * totals.looks / totals.requests
            + connect * connect * connections
            + release * release * releases;
        Controller::fed_with(rate * first, rate * second)
    }

    /// The fixed point in which the totals of `attempts` keep links and controllers as busy as they
    /// were taken to be. `attempts` answers with the totals and with the share of the time for which
    /// links are held.
    pub fn solve(
        &self,
        rate: f64,
        search: Search,
        mut attempts: impl FnMut(State) -> Result<(Totals, f64), NoSolution>,
    ) -> Result<Solution, NoSolution> {
        let data_only = self.per_link(rate) * self.mean_links() * self.data.mean();
        let (mut busy, mut wait) = (search.from([data_only]), search.from([0.0]));
        loop {
            let state = State { busy: busy.unknowns[0], wait: wait.unknowns[0] };
            if state.busy >= UTILISATION_MAX {
                return Err(NoSolution::Saturated);
            }
            let (totals, renewed) = attempts(state)?;
            if totals.aborts.is_nan() || totals.aborts > ABORTS_MAX {
                return Err(NoSolution::Saturated);
            }
            let controller = self.controller(rate, &totals)?;
            if busy.settled([renewed])? {
                return Ok(self.solution(&totals, renewed, controller, busy.rounds));
            }
            // W follows U.
            wait.settled([controller.wait])?;
        }
    }

    /// (9) and (27): what all attempts of a message take.
    fn solution(
        &self,
        totals: &Totals,
        busy: f64,
        controller: Controller,
        iterations: u32,
    ) -> Solution {
        let Times { verify, connect, release, acknowledge } = self.times;
        let connections = totals.connections();
        let visits = totals.requests + totals.given_back + totals.links;
        let set_up = totals.links * (verify + connect);
        let parts = Parts {
            controller_waiting: visits * controller.wait,
            back_off: totals.aborts * self.back_off,
            undone: totals.looks * verify + connections * connect - set_up
                + totals.given_back * release,
            set_up,
            acknowledgement: acknowledge,
            data: self.data.mean(),
            release: totals.links * release,
            ..Parts::default()
        };
        let after = parts.data + totals.links * (controller.wait + release);
        Solution {
            parts,
            set_up_time: parts.latency() - after,
            aborts: totals.aborts,
            conflict: 1.0 - connections / totals.looks,
            utilisation: vec![busy],
            controller_wait: controller.wait,
            controller_load: controller.load,
            iterations,
        }
    }
}
