//! The counts against the paper's examples and against longest paths.

use super::*;

#[test]
fn the_papers_examples() {
    assert_eq!([positive_hop(16, 2), negative_hop(16, 2)], [17, 9]);
    assert_eq!([linder(2), linder(3), berman(2), berman(3)], [6, 16, 16, 26]);
    assert_eq!(linder_radix(2), 10);
    assert_eq!(linder_radix(3), 20);
}

#[test]
fn longest_paths_counted_step_by_step_give_the_same_counts() {
    for (k, n) in [(2, 2), (4, 2), (6, 3), (10, 2), (16, 2), (40, 4)] {
        // From colour 1, every other hop from the first on leads from colour 1 to colour 0.
        let (mut hops, mut negative) = (0, 0);
        for _ in 0..n {
            for _ in 0..k / 2 {
                negative += u32::from(hops % 2 == 0);
                hops += 1;
            }
        }
        assert_eq!([positive_hop(k, n), negative_hop(k, n)], [hops + 1, negative + 1]);
    }
}
