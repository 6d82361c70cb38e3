//! Tests of shares and of the text of weights.

use super::*;
use crate::words::written;

fn weights(form: Form) -> Weights {
    let pair = |source, destination, weight| Weight {
        source: NodeId(source),
        destination: NodeId(destination),
        weight,
    };
    Weights::new(form, vec![pair(2, 0, 3.0), pair(0, 2, 2.0), pair(0, 1, 6.0)])
}

#[test]
fn shares_are_weights_over_their_sum() {
    let draw = ByWeight::new(&weights(Form::Matrix), 3);
    let shares = |node| draw.shares(NodeId(node)).collect::<Vec<_>>();
    assert_eq!(shares(0), [(NodeId(1), 0.75), (NodeId(2), 0.25)]);
    assert_eq!(shares(1), []);
    assert_eq!(shares(2), [(NodeId(0), 1.0)]);
    assert_eq!(draw.ends, [3 << 62, u64::MAX, u64::MAX]);
}

#[test]
fn only_a_matrix_is_a_rate() {
    assert_eq!(weights(Form::Matrix).rate_mean(), Some(5.5));
    assert_eq!(weights(Form::Pairs).rate_mean(), None);
    assert_eq!(weights(Form::Matrix).name(), "matrix of 3 pairs");
    assert_eq!(weights(Form::Pairs).name(), "3 pairs");
}

#[test]
fn the_text_differs_for_other_weights() {
    let text = written(&weights(Form::Pairs));
    assert!(text.starts_with("Pairs(\"3 pairs, checksum "), "{text}");
    let mut other = weights(Form::Pairs).pairs().to_vec();
    other[1].weight = 2.5;
    assert_ne!(text, written(&Weights::new(Form::Pairs, other)));
}
