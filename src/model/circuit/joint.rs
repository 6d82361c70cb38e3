//! The probability that several links of one node are all busy, in a hypercube under adaptive
//! routing.
//!
//! Links of a node are not busy independently: a circuit that passes through keeps two of them. In
//! product form, each link of a node is idle (weight 1), held by a circuit that ends there (a), or
//! paired with another by a circuit that passes (b).

use crate::model::fixed_point::Search;

/// The probabilities that given links of a node are busy.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Joint {
    /// That k given links are, at the node where a message starts.
    pub source: Vec<f64>,
    /// That k given links are, at a node which the message has reached over another link.
    pub further: Vec<f64>,
}

impl Joint {
    /// Where a circuit occupies a link in both directions: `busy` is the probability that a link is
    /// busy, `links` the mean number of links of a path.
    pub fn half_duplex(dimensions: u32, busy: f64, links: f64) -> Self {
        let degree = dimensions as usize;
        let ending = busy / links / (1.0 - busy);
        // Weights of all states of n links. The weight of a pair is such that a link is busy with
        // the given probability.
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

    /// b, from `paired` = b · Z(d−2)/Z(d−1), with `weights` filled to go with it.
    fn passing(degree: usize, ending: f64, paired: f64, weights: &mut [f64]) -> f64 {
        // Z(d−2)/Z(d−1) depends weakly on b: a few rounds. More are not needed at any load, since
        // the ratio lies between 1 − U and 1.
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

    /// Where a link is one for each direction, and those out of a node are independent: `excluded`
    /// is the share of the circuits on a link that came over the one which the message holds.
    pub fn full_duplex(dimensions: u32, busy: f64, excluded: f64) -> Self {
        let behind = busy * (1.0 - excluded) / (1.0 - busy * excluded);
        let powers =
            |chance: f64, most: u32| (0..=most).map(|k| chance.powf(f64::from(k))).collect();
        Self { source: powers(busy, dimensions), further: powers(behind, dimensions - 1) }
    }
}

#[cfg(test)]
mod tests;
