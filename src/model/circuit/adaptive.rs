//! Adaptive: a message takes any free link that brings it nearer; where none is free it gives back
//! what it has, waits for a back-off and tries again.
//!
//! A message aborts where all its candidates are busy. The text's reading takes links to be busy
//! independently; the refined one has the joint probabilities of [`super::joint`], and the last hop
//! of a retry may meet the link at which it failed.

use super::attempts::{Hop, State, Totals, search};
use super::joint::Joint;
use super::parameters::{Equations, Solution};
use super::renewal::{Answers, kept};
use crate::model::fixed_point::{NoSolution, Search};

/// How both readings look for their fixed point.
const SEARCH: Search = search(0.6, 1e-12);

impl Equations {
    /// The equations of 001, (27) to (39), corrected. A path of M links is one of the next lower or
    /// higher whole number.
    pub(super) fn adaptive_text(&self, rate: f64) -> Result<Solution, NoSolution> {
        let links = self.mean_links();
        let (floor, share) = (links.floor(), links.fract());
        self.attempts(rate, SEARCH, |state| {
            let powers: Vec<f64> =
                (0..=floor as i32 + 1).map(|candidates| state.busy.powi(candidates)).collect();
            let joint = Joint { source: powers.clone(), further: powers };
            let mut totals = Totals::default();
            for (links, share) in [(floor, 1.0 - share), (floor + 1.0, share)] {
                totals.add(share, hops(&joint, links as usize, 0.0));
            }
            Ok(totals)
        })
    }

    pub(super) fn adaptive_refined(&self, rate: f64) -> Result<Solution, NoSolution> {
        let routes = self.shape.cube_routes();
        let (dimensions, links) = (self.shape.dimensions(), self.mean_links());
        let excluded =
            if dimensions > 1 { (1.0 - 1.0 / links) / f64::from(dimensions - 1) } else { 0.0 };
        let mut last = None;
        self.attempts(rate, SEARCH, |state| {
            let joint = if self.shape.full_duplex() {
                Joint::full_duplex(dimensions, state.busy, excluded)
            } else {
                Joint::half_duplex(dimensions, state.busy, links)
            };
            let again = *kept(&mut last, state.busy, || self.same_link_again(state, excluded));
            let mut totals = Totals::default();
            for (count, &share) in (1..).zip(&routes) {
                totals.add(share, hops(&joint, count, again));
            }
            Ok(totals)
        })
    }

    /// The probability that the link at which a message failed is busy when it may ask again.
    fn same_link_again(&self, state: State, excluded: f64) -> f64 {
        let back = (self.mean_links() - 1.0) * (state.wait + 2.0 * self.times.verify);
        let question = self.question(state, self.back_off() + back, excluded);
        Answers::first_repeat(question, &self.data)
    }
}

/// The hops of messages of `links` links over all their attempts. `again`: the probability that the
/// last link is busy if it is the one at which the attempt before failed.
fn hops(joint: &Joint, links: usize, again: f64) -> impl ExactSizeIterator<Item = Hop> {
    let busy = move |hop: usize, candidates: usize| {
        if hop == 0 { joint.source[candidates] } else { joint.further[candidates] }
    };
    let fails = move |hop: usize| busy(hop, links - hop);
    let last = fails(links - 1);
    // A retry has one candidate for its last hop, which is the same with probability 1/links.
    let last_again = last + (again - last).max(0.0) / links as f64;
    let gets_to_last: f64 = (0..links - 1).map(|hop| 1.0 - fails(hop)).product();
    let succeeds = gets_to_last * (1.0 - last);
    let retries = (1.0 - succeeds) / (gets_to_last * (1.0 - last_again));
    let mut arrives = 1.0;
    (0..links).map(move |hop| {
        let candidates = links - hop;
        let (mut looks, mut looks_squared) = (0.0, 0.0);
        for looked in 0..candidates {
            let goes_on = busy(hop, looked);
            looks += goes_on;
            looks_squared += (2 * looked + 1) as f64 * goes_on;
        }
        let requests = arrives * (1.0 + retries);
        let aborts = if candidates == 1 {
            arrives * (last + retries * last_again)
        } else {
            requests * fails(hop)
        };
        arrives *= 1.0 - fails(hop);
        Hop { requests, aborts, looks, looks_squared }
    })
}
