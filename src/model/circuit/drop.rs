//! Drop: a message that finds a link busy gives back what it has, waits for a back-off and tries
//! the same path again.
//!
//! The text's reading has one conflict probability for all links and attempts. The refined one has
//! three: links that are new to the message, links that it gave back a while ago, and the link at
//! which it failed; the last two by the renewal process of one link.

use super::attempts::{Attempts, State, Totals, search};
use super::chain::{self, Chances};
use super::parameters::{Shape, Solution, binomial};
use super::renewal::{Answers, Kept, Question, Repeats};
use crate::model::fixed_point::{NoSolution, Search, Step};

/// What 001's (10) adds for meeting the same circuit again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Further {
    /// (13), for the share of the requests that ask again for the link that sent them away.
    Weighted,
    /// (13) for every request, as typeset.
    Printed,
    /// Nothing.
    Without,
}

/// The text's equations settle at once; there is no reason to stop early.
const SEARCH_TEXT: Search = search(0.7, 1e-12);
/// The refined equations are on a grid, and each round costs.
const SEARCH_REFINED: Search = search(0.7, 1e-7);
/// For the conflict probability that agrees with its own phases.
const SEARCH_PHASES: Search =
    Search { step: Step::Part(0.7), tolerance: 1e-13, relative: false, rounds_max: 500 };
/// Conflicts per look below which sums over powers of what is left are expanded.
const FEW: f64 = 1e-6;
/// Times between looks that differ by less than this are taken to be one.
const SAME_INTERVAL: f64 = 0.01;

impl Attempts {
    /// The equations of 001, (9) to (26) and (B.9), corrected; `further` for (12) and (13).
    pub fn drop_text(&self, rate: f64, further: Further) -> Result<Solution, NoSolution> {
        self.solve(rate, SEARCH_TEXT, |state| {
            let mut conflict = SEARCH_PHASES.from([state.busy]);
            loop {
                let still_there =
                    || self.still_there(&self.text_totals(conflict.unknowns[0]), state);
                let next = match further {
                    Further::Without => state.busy,
                    // N_abort / N_verify is the conflict probability itself.
                    Further::Weighted => state.busy / (1.0 - still_there()),
                    Further::Printed => state.busy + still_there(),
                };
                if next.is_nan() || next >= 1.0 {
                    return Err(NoSolution::Saturated);
                }
                // Where it does not settle, the next round of all is as good as more of these.
                if conflict.settled([next]).unwrap_or(true) {
                    break;
                }
            }
            let [conflict] = conflict.unknowns;
            let totals = self.text_totals(conflict);
            Ok((totals, self.busy(rate, &totals, state)))
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
        let after_release = self.back_off - f64::midpoint(links, 1.0) * release;
        let after_set_up =
            after_release - (links - 1.0) / 2.0 * (look + times.connect) - times.acknowledge;
        let set_up_ended = self.data.cumulative(after_set_up);
        let ended = (setting_up + acknowledged) * set_up_ended
            + sending * self.data.residual_cumulative(after_release)
            + releasing;
        1.0 - ended / (setting_up + acknowledged + sending + releasing)
    }

    /// The refined equations.
    pub fn drop_refined(&self, rate: f64) -> Result<Solution, NoSolution> {
        let routes = Shape::cube_routes(self.dimensions);
        let excluded: Vec<f64> = (1..=self.dimensions).map(|links| self.excluded(links)).collect();
        let excluded_mean = {
            let pairs = |links: usize| routes[links] * links as f64;
            let all: f64 = (0..routes.len()).map(pairs).sum();
            let sum: f64 = (0..routes.len()).map(|links| pairs(links) * excluded[links]).sum();
            if all > 0.0 { sum / all } else { 0.0 }
        };
        let mut answers = Kept::default();
        self.solve(rate, SEARCH_REFINED, |state| {
            let links = answers.at(state.busy, || self.answers(state, excluded_mean));
            let mut totals = Totals::default();
            let (mut new, mut given_back) = (Vec::new(), Vec::new());
            for (count, (&share, &excluded)) in (1..).zip(routes.iter().zip(&excluded)) {
                let behind = state.busy * (1.0 - excluded) / (1.0 - state.busy * excluded);
                new.clear();
                new.resize(count, behind);
                new[0] = state.busy;
                given_back.clear();
                given_back
                    .extend(links.taken[..count].iter().map(|taken| taken * (1.0 - excluded)));
                given_back[0] = links.taken[0];
                let chances = Chances {
                    new: &new,
                    given_back: &given_back,
                    repeats: [&links.fresh[..count], &links.young[..count]],
                };
                totals.add(share, chain::hops(&chances).into_iter());
            }
            Ok((totals, self.busy(rate, &totals, state)))
        })
    }

    /// κ: of the requests for a link of a path of `links` links, the share that comes over the link
    /// before it, which we hold. By the gap between two successive dimensions of a path.
    fn excluded(&self, links: u32) -> f64 {
        if links == 1 {
            return 0.0;
        }
        let ends = if self.full_duplex { 1.0 } else { 2.0 };
        let all = binomial(self.dimensions, links);
        (1..=self.dimensions + 1 - links)
            .map(|gap| {
                let share = binomial(self.dimensions - gap, links - 1) / all;
                share * (-f64::from(gap)).exp2() / ends
            })
            .sum()
    }

    /// What a message meets that comes back to each hop of its path.
    fn answers(&self, state: State, excluded: f64) -> Path {
        let hops = self.dimensions as usize;
        let look = self.look_time(state);
        let crossing = self.release_time(state) + look + self.times.connect;
        let interval = |hop: f64| self.back_off + hop * crossing + look;
        let answers = |interval| {
            let question = Question {
                interval,
                busy: state.busy,
                beyond_data: self.hold_beyond_data(state),
                excluded,
                links_before: (self.mean_links() - 1.0) / 2.0,
            };
            Answers::of(question, &self.data)
        };
        let last = (hops - 1) as f64;
        let spread = interval(last) / interval(0.0) - 1.0;
        if spread < SAME_INTERVAL {
            let all = answers(interval(last / 2.0));
            return Path {
                taken: vec![all.taken; hops],
                fresh: vec![all.fresh; hops],
                young: vec![all.young; hops],
            };
        }
        let (near, far) = (answers(interval(0.0)), answers(interval(last)));
        let parts = || (0..hops).map(|hop| hop as f64 / last);
        Path {
            taken: parts().map(|part| near.taken + part * (far.taken - near.taken)).collect(),
            fresh: parts().map(|part| near.fresh.towards(&far.fresh, part)).collect(),
            young: parts().map(|part| near.young.towards(&far.young, part)).collect(),
        }
    }
}

/// The answers of the renewal process, by hop.
struct Path {
    taken: Vec<f64>,
    fresh: Vec<Repeats>,
    young: Vec<Repeats>,
}
