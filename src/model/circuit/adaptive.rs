//! Solves the model of adaptive conflict resolution.
//!
//! A message takes any free link closer to its destination; without one, the message releases its
//! path, waits for a back-off and retries.
//!
//! A message aborts if all its candidates are busy. The text's reading assumes that links are busy
//! independently; the refined reading uses the joint probabilities of [`Joint`], and on its last
//! hop, a retry may request the link of its previous failure.
//!
//! Links of a node are not busy independently: a circuit passing through holds two of them. In
//! product form, each link of a node is idle (weight 1), held by a circuit ending there (a), or
//! paired with another by a passing circuit (b).

use super::attempts::{Hop, State, Totals, search};
use super::parameters::{Equations, Solution};
use super::renewal::{AnswerCache, Answers};
use super::stages::Stages;
use crate::model::fixed_point::{NoSolution, Search};

/// Search for the fixed point in both readings.
const SEARCH: Search = search(0.6, 1e-12);

impl Equations {
    /// The equations of 001, (27) to (39), corrected. A path of M links has either of the adjacent
    /// whole numbers of links.
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
        let routes = &self.routes.shares;
        let (dimensions, links) = (self.shape.dimensions(), self.mean_links());
        let excluded =
            if dimensions > 1 { (1.0 - 1.0 / links) / f64::from(dimensions - 1) } else { 0.0 };
        let mut last = AnswerCache::none();
        self.attempts(rate, SEARCH, |state| {
            let joint = if self.shape.full_duplex() {
                Joint::full_duplex(dimensions, state.busy, excluded)
            } else {
                Joint::half_duplex(dimensions, state.busy, links)
            };
            let again = *last.at(state.busy, || self.same_link_again(state, excluded));
            let mut totals = Totals::default();
            for (count, &share) in (1..).zip(routes) {
                totals.add(share, hops(&joint, count, again));
            }
            Ok(totals)
        })
    }

    /// The equations of 001, corrected, with the candidates that the routing offers, in either reading.
    pub(super) fn adaptive_stages(
        &self,
        stages: &Stages,
        rate: f64,
        refined: bool,
    ) -> Result<Solution, NoSolution> {
        let excluded = if refined { stages.excluded } else { 0.0 };
        let mut last = AnswerCache::none();
        self.attempts(rate, SEARCH, |state| {
            let behind = state.busy * (1.0 - excluded) / (1.0 - state.busy * excluded);
            let again = if refined {
                *last.at(state.busy, || self.same_link_again(state, excluded))
            } else {
                0.0
            };
            let mut totals = Totals::default();
            for (count, &share) in self.routes.shares.iter().enumerate() {
                if share > 0.0 {
                    let same = (again, stages.same_last[count]);
                    totals.add(
                        share,
                        hops_offered(&stages.choices[count], [state.busy, behind], same),
                    );
                }
            }
            Ok(totals)
        })
    }

    /// The probability that a link is still busy at the next attempt after a failure.
    fn same_link_again(&self, state: State, excluded: f64) -> f64 {
        let back = (self.mean_links() - 1.0) * (state.wait + 2.0 * self.machine.verify);
        let question = self.question(state, self.back_off() + back, excluded);
        Answers::first_repeat(question, &self.data)
    }
}

/// The hops of messages of `links` links over all their attempts. `again` is the probability that
/// the last link is busy, if the preceding attempt failed at the same link.
fn hops(joint: &Joint, links: usize, again: f64) -> impl ExactSizeIterator<Item = Hop> {
    let busy = move |hop: usize, candidates: usize| {
        if hop == 0 { joint.source[candidates] } else { joint.further[candidates] }
    };
    let fails = move |hop: usize| busy(hop, links - hop);
    let last = fails(links - 1);
    // A retry has one candidate for its last hop, the same link with probability 1/links.
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

/// The hops of messages with the probabilities `offered` of n candidates at each hop, over all their
/// attempts. A link is busy with the first probability at the source, with the second behind it. `again`
/// is the probability that the last link is still busy after a failure there, and that a retry has the
/// same last link.
fn hops_offered(
    offered: &[Vec<f64>],
    busy: [f64; 2],
    (again, same): (f64, f64),
) -> impl ExactSizeIterator<Item = Hop> {
    let busy = move |hop: usize| busy[usize::from(hop > 0)];
    let mean = move |hop: usize, of: &dyn Fn(usize) -> f64| {
        offered[hop].iter().enumerate().map(|(count, share)| share * of(count)).sum::<f64>()
    };
    let fails = move |hop: usize| mean(hop, &|count| busy(hop).powf(count as f64));
    let end = offered.len() - 1;
    let last = fails(end);
    let last_again = last + (again - last).max(0.0) * same;
    let gets_to_last: f64 = (0..end).map(|hop| 1.0 - fails(hop)).product();
    let retries = (1.0 - gets_to_last * (1.0 - last)) / (gets_to_last * (1.0 - last_again));
    let mut arrives = 1.0;
    (0..offered.len()).map(move |hop| {
        let checks = |weight: &dyn Fn(usize) -> f64| {
            let until = |count: usize| {
                (0..count).map(|looked| weight(looked) * busy(hop).powf(looked as f64)).sum::<f64>()
            };
            mean(hop, &until)
        };
        let (looks, looks_squared) = (checks(&|_| 1.0), checks(&|looked| (2 * looked + 1) as f64));
        let requests = arrives * (1.0 + retries);
        let aborts = if hop == end {
            arrives * (last + retries * last_again)
        } else {
            requests * fails(hop)
        };
        arrives *= 1.0 - fails(hop);
        Hop { requests, aborts, looks, looks_squared }
    })
}

/// Joint probabilities of busy links at a node.
#[derive(Clone, PartialEq, Debug)]
struct Joint {
    /// Probability that k given links are busy, at the source of a message.
    source: Vec<f64>,
    /// Probability that k given links are busy, at a node reached over another link.
    further: Vec<f64>,
}

impl Joint {
    /// For circuits that occupy links in both directions: `busy` is the probability that a link is
    /// busy, `links` the mean number of links of a path.
    fn half_duplex(dimensions: u32, busy: f64, links: f64) -> Self {
        let degree = dimensions as usize;
        let ending = busy / links / (1.0 - busy);
        // Weights of all states of n links. The weight of a pair yields the given probability of a
        // busy link.
        let mut weights = vec![1.0; degree + 1];
        weights[1] = 1.0 + ending;
        let mut passing = 0.0;
        if degree > 1 {
            let paired = busy * (1.0 - 1.0 / links) / ((degree - 1) as f64 * (1.0 - busy));
            passing = Self::passing(degree, ending, paired, &mut weights);
        }
        // table[k][m]: weight of k given links busy and m others in any state.
        let mut table = vec![weights.clone()];
        for busy_links in 1..=degree {
            let row = (0..=degree - busy_links)
                .map(|others| {
                    let ends = ending * table[busy_links - 1][others];
                    let both = if busy_links > 1 {
                        (busy_links - 1) as f64 * table[busy_links - 2][others]
                    } else {
                        0.0
                    };
                    let one = if others > 0 {
                        others as f64 * table[busy_links - 1][others - 1]
                    } else {
                        0.0
                    };
                    ends + passing * (both + one)
                })
                .collect();
            table.push(row);
        }
        let of = |degree: usize| {
            (0..=degree).map(|busy| table[busy][degree - busy] / weights[degree]).collect()
        };
        Self { source: of(degree), further: of(degree - 1) }
    }

    /// Computes b from `paired` = b · Z(d−2)/Z(d−1), and fills in `weights` accordingly.
    fn passing(degree: usize, ending: f64, paired: f64, weights: &mut [f64]) -> f64 {
        // Z(d−2)/Z(d−1) depends weakly on b: a few rounds suffice at any load, as the ratio is
        // between 1 − U and 1.
        let search = Search { step: 1.0, tolerance: 1e-15, relative: true, rounds_max: 200 };
        let mut passing = search.from([paired]);
        let mut settled = false;
        loop {
            for n in 2..=degree {
                weights[n] = (1.0 + ending) * weights[n - 1]
                    + (n - 1) as f64 * passing.unknowns[0] * weights[n - 2];
            }
            if settled {
                return passing.unknowns[0];
            }
            let next = paired * weights[degree - 1] / weights[degree - 2];
            settled = passing.settled([next]).unwrap_or(true);
        }
    }

    /// For links with separate directions, independent at each node: `excluded` is the share of the
    /// circuits on a link that arrived over the link held by the message.
    fn full_duplex(dimensions: u32, busy: f64, excluded: f64) -> Self {
        let behind = busy * (1.0 - excluded) / (1.0 - busy * excluded);
        let powers =
            |chance: f64, most: u32| (0..=most).map(|k| chance.powf(f64::from(k))).collect();
        Self { source: powers(busy, dimensions), further: powers(behind, dimensions - 1) }
    }
}

#[cfg(test)]
mod tests;
