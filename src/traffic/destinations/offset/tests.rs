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
