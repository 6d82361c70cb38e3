//! Tests of images and of refused offsets.

use super::*;
use crate::topology::cube::{Cube, Family};
use crate::topology::switches::Switches;

fn images(offset: &[i32], network: &Network) -> Vec<u32> {
    let images = Offset(offset.to_vec()).images(network).unwrap();
    images.into_iter().map(|node| node.0).collect()
}

#[test]
fn coordinates_wrap_around_and_missing_numbers_are_zero() {
    let mesh = Cube::network(Family::Mesh, &[3, 2]);
    assert_eq!(images(&[1], &mesh), [1, 2, 0, 4, 5, 3]);
    assert_eq!(images(&[-1, 1], &mesh), [5, 3, 4, 2, 0, 1]);
    assert_eq!(images(&[4, 2], &mesh), images(&[1, 0], &mesh));
}

#[test]
fn hosts_keep_their_place() {
    let grid = Switches::grid(Family::Mesh, &[3], &[0, 0, 1, 1, 2, 2]);
    assert_eq!(images(&[1], &grid), [2, 3, 4, 5, 0, 1]);
}

#[test]
fn offsets_that_lead_nowhere_are_refused() {
    let refused = |offset: &[i32], network: &Network| {
        Offset(offset.to_vec()).images(network).unwrap_err().what
    };
    let mesh = Cube::network(Family::Mesh, &[3, 2]);
    assert!(refused(&[3, 2], &mesh).contains("nobody would send"));
    assert!(refused(&[0, 0, 1], &mesh).contains("has 3 numbers"));
    let bare = Switches::network(3, &[(0, 1), (1, 2)], &[0, 1, 2], None);
    assert!(refused(&[1], &bare).contains("these switches have none"));
    let uneven = Switches::grid(Family::Mesh, &[3], &[0, 0, 1, 2]);
    assert!(refused(&[1], &uneven).contains("which has 1 host"));
}

#[test]
fn patterns_by_coordinates_suggest_offsets_by_labels() {
    let help = |destinations: &str, network: &str| {
        let text = format!(
            "Scenario(network: {network}, switching: Wormhole(), routing: Minimal(), traffic: \
             (arrivals: Poisson(rate: 0.01), destinations: {destinations}, lengths: Fixed(8)))"
        );
        crate::scenario::parse("test", &text, &[]).unwrap_err()[0].help.clone().unwrap()
    };
    let dragonfly = "Dragonfly(group: 4, hosts: 1, global: 2)";
    let next = help("Neighbour", dragonfly);
    assert!(next.contains("`Offset([1])`: each sends to the same place of the group 1"), "{next}");
    let half = help("Tornado", dragonfly);
    assert!(half.contains("`Offset([4])`"), "{half}");
    let other = help("Transpose", dragonfly);
    assert!(other.contains("`BitReversal`"), "{other}");
    let bare = "Switches(links: [(0, 1), (1, 2)], hosts: [0, 1, 2])";
    assert!(help("Neighbour", bare).contains("`BitReversal`"));
}
