//! Tests of joint probabilities against states counted link by link.

use super::*;

/// The weight of all states of `links` with the links of `busy` busy, link by link.
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
