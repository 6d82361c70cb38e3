//! Tests of images, silent nodes, and undefined permutations.

use super::*;
use crate::topology::cube::{Cube, Family};

const SHAPES: [&[u32]; 12] = [
    &[8, 8],
    &[5, 5],
    &[4, 4, 4],
    &[2, 2, 2, 2],
    &[3, 4, 3, 4],
    &[8],
    &[7],
    &[16, 4],
    &[6, 3],
    &[2],
    &[2, 2],
    &[4, 8, 4, 8],
];

/// A cube whose shape matters to nothing but its radices.
fn cube(radix: &[u32]) -> Network {
    Cube::network(Family::Mesh, radix)
}

fn senders(permutation: Permutation, network: &Network) -> usize {
    let nodes = (0..network.nodes()).map(NodeId::new);
    nodes.filter(|&node| permutation.image_on(node, network) != node).count()
}

fn image(permutation: Permutation, radix: &[u32], at: &[u32]) -> Vec<u32> {
    let node = at.iter().zip(radix).rev().fold(0, |node, (&x, &k)| node * k + x);
    let mut rest = permutation.image(NodeId(node), radix).0;
    radix
        .iter()
        .map(|&k| {
            let x = rest % k;
            rest /= k;
            x
        })
        .collect()
}

#[test]
fn permutations_are_permutations_and_somebody_sends() {
    for radix in SHAPES {
        for &permutation in Permutation::VARIANTS {
            if permutation.check(&cube(radix)).is_err() {
                continue;
            }
            let nodes: u32 = radix.iter().product();
            let mut hit = vec![false; nodes as usize];
            for node in (0..nodes).map(NodeId) {
                hit[permutation.image(node, radix).index()] = true;
            }
            assert!(hit.iter().all(|&hit| hit), "{permutation:?} on {radix:?}");
            assert!(senders(permutation, &cube(radix)) > 0, "{permutation:?} on {radix:?}");
        }
    }
}

#[test]
fn images_are_those_of_the_book() {
    use Permutation::{BitComplement, BitReversal, Neighbour, Shuffle, Tornado, Transpose};
    assert_eq!(image(Transpose, &[8, 8], &[6, 1]), [1, 6]);
    assert_eq!(image(Transpose, &[3, 4, 3, 4], &[2, 3, 1, 0]), [1, 0, 2, 3]);
    assert_eq!(image(BitComplement, &[8, 8], &[6, 1]), [1, 6]);
    assert_eq!(image(BitComplement, &[4, 4, 4], &[0, 1, 3]), [3, 2, 0]);
    // y x = 001 110 in bits.
    assert_eq!(BitReversal.image(NodeId(0b00_1110), &[8, 8]), NodeId(0b01_1100));
    assert_eq!(Shuffle.image(NodeId(0b00_1110), &[8, 8]), NodeId(0b01_1100));
    assert_eq!(Shuffle.image(NodeId(0b10_1110), &[8, 8]), NodeId(0b01_1101));
    assert_eq!(BitReversal.image(NodeId(0b110_1000), &[8, 16]), NodeId(0b000_1011));
    assert_eq!(image(Tornado, &[8, 8], &[6, 1]), [1, 4]);
    assert_eq!(image(Tornado, &[7, 2], &[5, 1]), [1, 1]);
    assert_eq!(image(Neighbour, &[8, 5], &[7, 1]), [0, 2]);
}

#[test]
fn transpose_by_bits_is_transpose_by_coordinates() {
    for radix in [&[8u32, 8][..], &[2, 2, 2, 2], &[4, 8, 4, 8]] {
        let nodes: u32 = radix.iter().product();
        let bits = nodes.trailing_zeros();
        for node in 0..nodes {
            let turned = (0..bits)
                .map(|bit| (node >> ((bit + bits / 2) % bits) & 1) << bit)
                .fold(0, |all, bit| all | bit);
            assert_eq!(Permutation::Transpose.image(NodeId(node), radix), NodeId(turned));
        }
    }
}

#[test]
fn nodes_that_are_their_own_image_do_not_send() {
    assert_eq!(senders(Permutation::Transpose, &cube(&[8, 8])), 56);
    // Palindromes of 6 bits, and words that turning does not change.
    assert_eq!(senders(Permutation::BitReversal, &cube(&[8, 8])), 56);
    assert_eq!(senders(Permutation::Shuffle, &cube(&[8, 8])), 62);
    assert_eq!(senders(Permutation::BitComplement, &cube(&[8, 8])), 64);
    assert_eq!(senders(Permutation::Tornado, &cube(&[8, 8])), 64);
    assert_eq!(senders(Permutation::Neighbour, &cube(&[2, 2])), 4);
}

#[test]
fn every_permutation_is_refused_where_it_is_undefined() {
    use Permutation::{BitComplement, BitReversal, Neighbour, Shuffle, Tornado, Transpose};
    let cases: [(Permutation, &[u32], &str); 9] = [
        (Transpose, &[8], "one cannot be halved"),
        (Transpose, &[4, 4, 4], "3 cannot be halved"),
        (Transpose, &[8, 4], "dimensions 1 and 2, whose radices 8 and 4 differ"),
        (BitReversal, &[6, 6], "not 36"),
        (BitReversal, &[2], "nobody would send"),
        (BitComplement, &[5], "not 5"),
        (Shuffle, &[3, 4], "not 12"),
        (Shuffle, &[2], "nobody would send"),
        (Tornado, &[2, 2, 2], "nobody would send"),
    ];
    for (permutation, radix, why) in cases {
        let undefined = permutation.check(&cube(radix)).unwrap_err();
        assert!(undefined.what.contains(why), "{}", undefined.what);
        assert!(!undefined.help.is_empty());
    }
    // Defined everywhere.
    assert!(SHAPES.iter().all(|radix| Neighbour.check(&cube(radix)).is_ok()));
    assert_eq!(Tornado.check(&cube(&[2, 3])), Ok(()));
}
