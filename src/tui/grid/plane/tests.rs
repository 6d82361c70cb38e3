//! Tests of the consistency of positions, routers and channels.

use super::*;
use crate::topology::cube::{Dimension, Family};

fn cube(family: Family, radix: &[u32]) -> Arc<Network> {
    Arc::new(Cube::network(family, radix))
}

#[test]
fn every_channel_of_a_plane_network_has_its_seat() {
    let torus = Family::Torus { unidirectional: false };
    for (network, all) in [
        (cube(torus, &[5, 4]), true),
        (cube(torus, &[2, 2]), true),
        (cube(torus, &[7]), true),
        (cube(Family::Mesh, &[4, 3]), true),
        (cube(Family::Hypercube, &[2; 4]), true),
        (cube(Family::Hypercube, &[2; 6]), false),
    ] {
        let plane = Plane::new(&network, 0);
        let mut seen = 0;
        for id in 0..network.channels().len() {
            let channel = ChannelId::new(id);
            let Some((col, row, side)) = plane.seat_of(channel) else { continue };
            seen += 1;
            assert_eq!(plane.router(col, row), Some(network.channel(channel).from));
            let there = plane.step(col, row, side).unwrap();
            assert_eq!(plane.router(there.0, there.1), Some(network.channel(channel).to));
        }
        assert!(!all || seen == network.channels().len(), "{seen}");
    }
}

#[test]
fn places_and_routers_agree() {
    let torus = Family::Torus { unidirectional: false };
    for network in [
        cube(torus, &[3, 4, 5]),
        cube(torus, &[3, 1, 2]),
        cube(torus, &[1, 5]),
        cube(Family::Hypercube, &[2; 7]),
    ] {
        for router in 0..network.routers() {
            let (slice, col, row) = Plane::new(&network, 0).place(RouterId::new(router));
            let plane = Plane::new(&network, slice);
            assert_eq!(plane.slice, slice);
            assert_eq!(plane.router(col, row), Some(RouterId::new(router)));
        }
    }
}

#[test]
fn steps_go_round_rings_only() {
    let torus = Family::Torus { unidirectional: false };
    for (wraps, sizes) in [([true, false], [4, 3]), ([false, true], [4, 3]), ([true, true], [1, 3])]
    {
        let dimensions =
            [0, 1].map(|at| Dimension { wraps: wraps[at], ..Dimension::new(sizes[at]) });
        let plane = Plane::new(&Arc::new(Cube::with_dimensions(torus, &dimensions)), 0);
        let rings = [0, 1].map(|at| wraps[at] && sizes[at] > 1);
        assert_eq!([plane.wraps_across, plane.wraps_along], rings);
        for (side, ring, edge) in [
            (Side::West, rings[0], (0, 0)),
            (Side::East, rings[0], (sizes[0] - 1, 0)),
            (Side::South, rings[1], (0, 0)),
            (Side::North, rings[1], (0, sizes[1] - 1)),
        ] {
            assert_eq!(plane.step(edge.0, edge.1, side).is_some(), ring, "{wraps:?} {side:?}");
            assert_eq!(plane.out((edge.0, edge.1, side)).is_some(), ring, "{wraps:?} {side:?}");
        }
    }
}
