//! Geometry of cubes with rings, lines and single routers.

use super::*;
use crate::ids::NodeId;
use crate::topology::switches::Switches;

const TORUS: Family = Family::Torus { unidirectional: false };

/// Every torus of up to three dimensions and 60 routers, with rings along any dimensions.
fn tori() -> Vec<Vec<Dimension>> {
    let mut all: Vec<Vec<Dimension>> = vec![Vec::new()];
    for _ in 0..3 {
        let longer = all.iter().flat_map(|before| {
            (1..=7).flat_map(move |radix| {
                [true, false].map(|wraps| {
                    let dimension = Dimension { wraps, ..Dimension::new(radix) };
                    before.iter().copied().chain([dimension]).collect::<Vec<_>>()
                })
            })
        });
        all = longer.chain(all.clone()).collect();
    }
    let routers = |it: &Vec<Dimension>| it.iter().map(|it| it.radix).product::<u32>();
    all.retain(|it| !it.is_empty() && (2..=60).contains(&routers(it)));
    all.sort_by_key(|it| it.iter().map(|it| (it.radix, it.wraps)).collect::<Vec<_>>());
    all.dedup();
    all
}

fn cube(network: &Network) -> &Cube {
    network.cube().unwrap()
}

#[test]
fn distances_are_those_of_a_search() {
    let tori = tori();
    assert!(tori.len() > 1000, "{}", tori.len());
    for dimensions in tori {
        let network = Cube::with_dimensions(TORUS, &dimensions);
        let (cube, mut farthest) = (cube(&network), 0);
        for from in (0..network.routers()).map(RouterId::new) {
            for (to, hops) in network.distances(from).into_iter().enumerate() {
                assert_eq!(cube.distance(from, RouterId::new(to)), hops, "{}", cube.name());
                farthest = farthest.max(hops);
            }
        }
        assert_eq!(cube.diameter(), farthest, "{}", cube.name());
        assert_eq!(TORUS.links(&dimensions), network.links() as u64, "{}", cube.name());
        for channel in (0..network.links()).map(ChannelId::new) {
            let (dimension, sign) = cube.direction(channel);
            let from = network.channel(channel).from;
            assert_eq!(cube.channel_from(from, dimension, sign), Some(channel));
            assert_eq!(network.opposite(network.opposite(channel).unwrap()), Some(channel));
        }
    }
}

#[test]
fn ties_are_those_of_rings() {
    for dimensions in tori() {
        let network = Cube::with_dimensions(TORUS, &dimensions);
        let cube = cube(&network);
        for (at, &Dimension { radix, wraps, .. }) in dimensions.iter().enumerate() {
            for (from, to) in (0..radix as u16).flat_map(|a| (0..radix as u16).map(move |b| (a, b)))
            {
                let apart = u32::from(from.abs_diff(to));
                let tie = wraps && from != to && 2 * apart == radix;
                assert_eq!(cube.is_half_way(at, from, to), tie, "{} {at}", cube.name());
            }
        }
    }
}

#[test]
fn wrapping_nowhere_makes_a_mesh_and_everywhere_a_torus() {
    for radix in [&[4, 4][..], &[5], &[2, 3, 2], &[16, 1]] {
        let with = |wraps: bool| {
            let dimension = |&k: &u32| Dimension { wraps, ..Dimension::new(k) };
            Cube::with_dimensions(TORUS, &radix.iter().map(dimension).collect::<Vec<_>>())
        };
        let (lines, mesh) = (with(false), Cube::network(Family::Mesh, radix));
        assert!(cube(&lines).is_mesh() && !lines.wraps());
        assert_eq!(lines.name(), mesh.name());
        assert_eq!(lines.channels(), mesh.channels());
        assert_eq!(with(true), Cube::network(TORUS, radix));
        assert!(cube(&with(true)).wraps_everywhere());
    }
}

#[test]
fn single_routers_add_no_links() {
    for family in [TORUS, Family::Torus { unidirectional: true }, Family::Mesh] {
        let flat = Cube::network(family, &[5, 3]);
        for radix in [&[5, 1, 3][..], &[1, 5, 3], &[5, 3, 1]] {
            let same = Cube::network(family, radix);
            assert_eq!(same.channels(), flat.channels(), "{radix:?}");
            assert_eq!(cube(&same).diameter(), cube(&flat).diameter());
        }
    }
}

#[test]
fn a_ring_of_two_has_two_links_each_way_and_a_line_has_one() {
    let links = |wraps: bool| {
        let dimensions = [Dimension { wraps, ..Dimension::new(2) }, Dimension::new(3)];
        let network = Cube::with_dimensions(TORUS, &dimensions);
        network.neighbours(RouterId(0)).filter(|&to| to == RouterId(1)).count()
    };
    assert_eq!([true, false].map(links), [2, 1]);
}

#[test]
fn delays_belong_to_dimensions_and_names_to_rings() {
    let dimensions = [
        Dimension { delay: std::num::NonZeroU16::new(10), ..Dimension::new(4) },
        Dimension { wraps: false, ..Dimension::new(3) },
        Dimension::new(1),
    ];
    let network = Cube::with_dimensions(TORUS, &dimensions);
    for channel in (0..network.links()).map(ChannelId::new) {
        let delay = network.channel(channel).attributes.delay.map(std::num::NonZeroU16::get);
        assert_eq!(delay, (cube(&network).direction(channel).0 == 0).then_some(10));
    }
    assert!(network.has_paced_links());
    assert_eq!(network.name(), "4x3x1 torus with rings along x");
    let hosts: Vec<u32> = (0..12).collect();
    let switches = Switches::on_cube(network, &hosts);
    assert_eq!(switches.name(), "4x3x1 torus of switches with rings along x, 12 hosts");
    assert_eq!(switches.router_of(NodeId(5)), RouterId(5));
}
