//! The probability that several links of one node are all busy, in a hypercube under adaptive
//! routing.
//!
//! Links of a node are not busy independently: a circuit that passes through keeps two of them. In
//! product form, each link of a node is idle (weight 1), held by a circuit that ends there (a), or
//! paired with another by a circuit that passes (b).

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
        let mut passing = paired;
        // Z(d−2)/Z(d−1) depends weakly on b: a few rounds. More are not needed at any load, since
        // the ratio lies between 1 − U and 1.
        for _ in 0..200 {
            for n in 2..=degree {
                weights[n] =
                    (1.0 + ending) * weights[n - 1] + (n - 1) as f64 * passing * weights[n - 2];
            }
            let next = paired * weights[degree - 1] / weights[degree - 2];
            let change = (next - passing).abs();
            passing = next;
            if change <= 1e-15 * passing {
                break;
            }
        }
        for n in 2..=degree {
            weights[n] =
                (1.0 + ending) * weights[n - 1] + (n - 1) as f64 * passing * weights[n - 2];
        }
        passing
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
mod tests {
    use super::*;

    /// The weight of all states of `links` in which those of `busy` are busy, link by link.
    fn counted(links: u32, busy: u32, ending: f64, passing: f64) -> f64 {
        if links == 0 {
            return 1.0;
        }
        let first = links & links.wrapping_neg();
        let others = links & !first;
        let idle = if busy & first == 0 { counted(others, busy, ending, passing) } else { 0.0 };
        let paired: f64 = (0..32)
            .map(|bit| 1u32 << bit)
            .filter(|bit| others & bit != 0)
            .map(|bit| passing * counted(others & !bit, busy & !bit, ending, passing))
            .sum();
        idle + ending * counted(others, busy, ending, passing) + paired
    }

    #[test]
    fn a_link_is_busy_as_often_as_asked_for_and_states_are_counted() {
        for (dimensions, busy, links) in [(2, 0.3, 4.0 / 3.0), (5, 0.6, 2.58), (8, 0.9, 4.016)] {
            let joint = Joint::half_duplex(dimensions, busy, links);
            assert!((joint.source[0] - 1.0).abs() < 1e-12);
            assert!((joint.source[1] - busy).abs() < 1e-9, "{joint:?}");
            let ending = busy / links / (1.0 - busy);
            let mut weights = vec![1.0; dimensions as usize + 1];
            weights[1] += ending;
            let paired = busy * (1.0 - 1.0 / links) / (f64::from(dimensions - 1) * (1.0 - busy));
            let passing = Joint::passing(dimensions as usize, ending, paired, &mut weights);
            for (degree, found) in [(dimensions, &joint.source), (dimensions - 1, &joint.further)] {
                let all = (1 << degree) - 1;
                let total = counted(all, 0, ending, passing);
                for k in 0..=degree {
                    let expected = counted(all, (1 << k) - 1, ending, passing) / total;
                    assert!((found[k as usize] - expected).abs() < 1e-9, "{dimensions} {k}");
                }
            }
        }
    }

    #[test]
    fn a_node_with_one_link_has_no_pairs() {
        let joint = Joint::half_duplex(1, 0.4, 1.0);
        assert!((joint.source[1] - 0.4).abs() < 1e-12);
        assert_eq!(joint.further, [1.0]);
    }
}
