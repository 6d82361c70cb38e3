//! Tests of the positions of switches at every zoom level.

use super::*;
use crate::topology::switches::{Switches, random};

fn network(switches: u32, seed: u64) -> Network {
    let links = random::links(switches, 2 * switches as usize, 8, seed);
    let hosts: Vec<u32> = (0..switches).collect();
    Switches::random(switches as usize, &links, &hosts)
}

#[test]
fn switches_never_cover_each_other_and_are_found_where_they_are() {
    for (switches, seed) in [(5, 1), (24, 2), (40, 3)] {
        let network = network(switches, seed);
        for size in [(50, 18), (80, 24), (120, 50)] {
            let Some(map) = Map::new(&network, size, 1, (0, 0)) else {
                let room = i64::from(size.0) * i64::from(size.1);
                assert!(i64::from(switches) * ROOM > room);
                continue;
            };
            for router in (0..switches).map(RouterId) {
                let (x, y) = map.at(router);
                assert!(x >= 1 && y >= 0 && x < i32::from(size.0) && y < i32::from(size.1));
                assert_eq!(map.nearest(x, y), Some(router));
            }
        }
    }
}

#[test]
fn a_followed_message_is_in_sight_at_every_zoom() {
    let network = network(40, 4);
    for zoom in 1..=Map::ZOOM_MAX {
        let mut corner = (0, 0);
        for router in (0..40).map(RouterId) {
            let Some(map) = Map::new(&network, (44, 18), zoom, corner) else { continue };
            corner = map.follow(router);
            let map = Map::new(&network, (44, 18), zoom, corner).unwrap();
            assert!(map.shows(router), "{router:?} at zoom {zoom}: {:?}", map.at(router));
            let (x, y) = map.at(router);
            assert_eq!(map.nearest(x, y), Some(router));
            assert_eq!(map.nearest_in_sight(router), Some(router));
        }
    }
}

#[test]
fn a_graph_too_crowded_for_a_pane_is_drawn_zoomed_in() {
    let network = network(150, 5);
    assert!(Map::new(&network, (60, 20), 1, (0, 0)).is_none());
    assert!(Map::new(&network, (60, 20), 3, (0, 0)).is_some());
}

#[test]
fn tuples_are_shown_without_parentheses_and_blanks() {
    for (name, shown) in [
        ("(0, 1)", "0,1"),
        ("('a', 12)", "a,12"),
        ("leaf (old)", "leaf (old)"),
        ("(core)", "(core)"),
        ("((0, 1), 2)", "((0, 1), 2)"),
    ] {
        assert_eq!(plain(name), shown);
    }
}
