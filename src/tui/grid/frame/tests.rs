//! Tests of visible nodes, and of nodes found by clicks.
//!
//! Every zoom level and every origin is tested.

use std::sync::Arc;

use super::*;
use crate::topology::cube::{Cube, Family};

fn torus(radix: &[u32]) -> Plane {
    let network = Cube::network(Family::Torus { unidirectional: false }, radix);
    Plane::new(&Arc::new(network), 0)
}

#[test]
fn the_cursor_is_always_in_sight() {
    let plane = torus(&[30, 20]);
    for zoom in 1..=ZOOM_MAX {
        let mut origin = Origin::default();
        for cursor in [(0, 0), (29, 19), (3, 12), (15, 0), (28, 1), (0, 19)] {
            let frame = Frame::new(&plane, zoom, origin, (40, 20), true);
            origin.corner = frame.follow(origin.corner, cursor);
            let frame = Frame::new(&plane, zoom, origin, (40, 20), true);
            assert!(frame.at(cursor.0, cursor.1).is_some(), "{zoom} {cursor:?} {frame:?}");
        }
    }
}

#[test]
fn a_click_on_a_node_finds_it() {
    let plane = torus(&[8, 6]);
    for zoom in 0..=BOXES {
        let frame = Frame::new(&plane, zoom, Origin::default(), (110, 50), true);
        for row in 0..6 {
            for col in 0..8 {
                let (x, y) = frame.at(col, row).unwrap();
                let y = if zoom == 0 { y.div_euclid(2) } else { y };
                let found = frame.node_at(x, y, true);
                assert_eq!(found.0, col);
                if zoom > 0 {
                    assert_eq!(found, (col, row), "{zoom} {frame:?}");
                }
            }
        }
    }
}

#[test]
fn fitting_takes_the_largest_zoom() {
    assert_eq!(Frame::fit(&torus(&[8, 8]), (44, 18)), LINES);
    assert_eq!(Frame::fit(&torus(&[64, 64]), (106, 54)), 0);
    assert_eq!(Frame::fit(&torus(&[4, 4]), (106, 54)), BOXES);
}

#[test]
fn pixels_of_a_plane_that_just_fits_are_all_in_sight() {
    for (size, half) in [((64, 32), true), ((64, 64), false), ((130, 33), true), ((70, 70), false)]
    {
        let frame = Frame::new(&torus(&[64, 64]), 0, Origin::default(), size, half);
        assert_eq!((frame.block(), frame.whole()), (1, true), "{size:?} {frame:?}");
        assert_eq!((frame.across.shown, frame.along.shown), (64, 64), "{size:?}");
    }
}
