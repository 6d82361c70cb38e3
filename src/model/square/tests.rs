//! Tests of known quadrants.

use super::*;

#[test]
fn the_streams_share_all_messages() {
    for radix in [4, 8, 12, 16, 64] {
        let quadrant = Quadrant::new(radix, 12.0);
        assert!((quadrant.both_share + 2.0 * quadrant.single_share - 1.0).abs() < 1e-15);
    }
}

#[test]
fn an_empty_network_takes_the_intercepts_of_the_tables() {
    for (radix, cycles) in
        [(4, 13.6), (8, 12.0 + 32.0 / 9.0), (12, 12.0 + 72.0 / 13.0), (16, 12.0 + 128.0 / 17.0)]
    {
        assert!((Quadrant::new(radix, 12.0).transfer() - cycles).abs() < 1e-12);
    }
}
