//! Drop: a message that finds a link busy gives back what it has, waits for a back-off and tries
//! the same path again.
//!
//! The text's reading has one conflict probability for all links and attempts. The refined one has
//! three: links that are new to the message, links that it gave back a while ago, and the link at
//! which it failed; the last two by the renewal process of one link.

use super::attempts::{State, Totals, search};
use super::chain::{self, Chances};
use super::parameters::{Equations, Reading, Solution, binomial};
use super::renewal::{Answers, kept};
use crate::model::fixed_point::{NoSolution, Search};

/// The text's equations settle at once; there is no reason to stop early.
const SEARCH_TEXT: Search = search(0.7, 1e-12);
/// The refined equations are on a grid, and each round costs.
const SEARCH_REFINED: Search = search(0.7, 1e-7);
/// For the conflict probability that agrees with its own phases.
const SEARCH_PHASES: Search = Search { rounds_max: 500, ..search(0.7, 1e-13) };
/// Conflicts per look below which sums over powers of what is left are expanded.
const FEW: f64 = 1e-6;
/// Times between looks that differ by less than this are taken to be one.
const SAME_INTERVAL: f64 = 0.01;

impl Equations {
    /// The equations of 001, (9) to (26) and (B.9), corrected. What (10) adds for meeting the same
    /// circuit again, (13), is what the text's readings differ in.
    pub(super) fn drop_text(&self, rate: f64) -> Result<Solution, NoSolution> {
        self.attempts(rate, SEARCH_TEXT, |state| {
            let mut point = SEARCH_PHASES.from([state.busy]);
            loop {
                let still_there = || self.still_there(&self.text_totals(point.unknowns[0]), state);
                let next = match self.reading {
                    Reading::TextFirst => state.busy,
                    // N_abort / N_verify is the conflict probability itself.
                    Reading::Text | Reading::Refined => state.busy / (1.0 - still_there()),
                    Reading::TextPrinted => state.busy + still_there(),
                };
                if next.is_nan() || next >= 1.0 {
                    return Err(NoSolution::Saturated);
                }
                // Where it does not settle, the next round of all is as good as more of these.
                if point.settled([next]).unwrap_or(true) {
                    return Ok(self.text_totals(point.unknowns[0]));
                }
            }
        })
    }

    /// (17) and (24) to (26) in closed form, M being a real number.
    fn text_totals(&self, conflict: f64) -> Totals {
        let (links, free) = (self.mean_links(), 1.0 - conflict);
        let attempts = free.powf(-links);
        let requests = if conflict < FEW {
            links + conflict * links * (links + 1.0) / 2.0
        } else {
            attempts * (1.0 - free.powf(links)) / conflict
        };
        // Links given back: those connected but not of the complete path.
        let given_back = free * requests - links;
        // Σ i·freeⁱ for i up to `most`.
        let weighted = |most: f64| {
            if conflict < FEW {
                most * (most + 1.0) / 2.0
                    - conflict * most * (most + 1.0) * (2.0 * most + 1.0) / 6.0
            } else {
                let last = free.powf(most);
                free * (1.0 - (most + 1.0) * last + most * last * free) / (conflict * conflict)
            }
        };
        let held = attempts * weighted(links - 1.0);
        Totals {
            requests,
            looks: requests,
            looks_squared: requests,
            aborts: attempts - 1.0,
            given_back,
            links,
            held_requests: held,
            held_looks: held,
            held_connections: attempts * weighted(links),
            held_given_back: held - links * (links - 1.0) / 2.0,
            held_released: links * (links + 1.0) / 2.0,
        }
    }

    /// (13): the probability that the circuit met is there when the back-off is over, by the phase
    /// it was met in. 001 leaves the probabilities of the phases' ends to a report; here they are
    /// those of the mean message.
    fn still_there(&self, totals: &Totals, state: State) -> f64 {
        let (times, links) = (&self.times, self.mean_links());
        let (look, release) = (self.look_time(state), self.release_time(state));
        let setting_up = totals.held_requests * look
            + totals.held_connections * times.connect
            + totals.held_given_back * release;
        let acknowledged = links * times.acknowledge;
        let sending = links * self.data.mean();
        let releasing = totals.held_released * release;
        let after_release = self.back_off() - f64::midpoint(links, 1.0) * release;
        let after_set_up =
            after_release - (links - 1.0) / 2.0 * (look + times.connect) - times.acknowledge;
        let set_up_ended = self.data.cumulative(after_set_up);
        let ended = (setting_up + acknowledged) * set_up_ended
            + sending * self.data.residual_cumulative(after_release)
            + releasing;
        1.0 - ended / (setting_up + acknowledged + sending + releasing)
    }

    pub(super) fn drop_refined(&self, rate: f64) -> Result<Solution, NoSolution> {
        let routes = self.shape.cube_routes();
        let excluded: Vec<f64> =
            (1..).take(routes.len()).map(|links| self.excluded(links)).collect();
        let excluded_mean = {
            let pairs = |links: usize| routes[links] * links as f64;
            let all: f64 = (0..routes.len()).map(pairs).sum();
            let sum: f64 = (0..routes.len()).map(|links| pairs(links) * excluded[links]).sum();
            if all > 0.0 { sum / all } else { 0.0 }
        };
        let mut last = None;
        self.attempts(rate, SEARCH_REFINED, |state| {
            let again = kept(&mut last, state.busy, || self.answers(state, excluded_mean));
            let mut totals = Totals::default();
            for (count, (&share, &excluded)) in (1..).zip(routes.iter().zip(&excluded)) {
                let behind = state.busy * (1.0 - excluded) / (1.0 - state.busy * excluded);
                let mut new = vec![behind; count];
                new[0] = state.busy;
                let taken = again[..count].iter().map(|link| link.taken * (1.0 - excluded));
                let mut given_back: Vec<f64> = taken.collect();
                given_back[0] = again[0].taken;
                let chances = Chances { new: &new, given_back: &given_back, again };
                totals.add(share, chain::hops(&chances).into_iter());
            }
            Ok(totals)
        })
    }

    /// κ: of the requests for a link of a path of `links` links, the share that comes over the link
    /// before it, which we hold. By the gap between two successive dimensions of a path.
    fn excluded(&self, links: u32) -> f64 {
        if links == 1 {
            return 0.0;
        }
        let ends = if self.shape.full_duplex() { 1.0 } else { 2.0 };
        let dimensions = self.shape.dimensions();
        let all = binomial(dimensions, links);
        (1..=dimensions + 1 - links)
            .map(|gap| {
                let share = binomial(dimensions - gap, links - 1) / all;
                share * (-f64::from(gap)).exp2() / ends
            })
            .sum()
    }

    /// What a message meets that comes back to each hop of its path.
    fn answers(&self, state: State, excluded: f64) -> Vec<Answers> {
        let hops = self.shape.dimensions() as usize;
        let look = self.look_time(state);
        let crossing = self.release_time(state) + look + self.times.connect;
        let interval = |hop: f64| self.back_off() + hop * crossing + look;
        let answers = |interval| Answers::of(self.question(state, interval, excluded), &self.data);
        let last = (hops - 1) as f64;
        let spread = interval(last) / interval(0.0) - 1.0;
        if spread < SAME_INTERVAL {
            return vec![answers(interval(last / 2.0)); hops];
        }
        let (near, far) = (answers(interval(0.0)), answers(interval(last)));
        (0..hops).map(|hop| near.towards(&far, hop as f64 / last)).collect()
    }
}
