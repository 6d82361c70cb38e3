//! Circles of groups on a ring.

use std::f64::consts::TAU;

use super::UNIT;
use crate::topology::switches::Place;

/// Places of the routers of numbered groups: each group is a circle, and the circles are on a ring. Within
/// its circle, a router is on the side of the groups to which its links lead.
pub(super) fn places(neighbours: &[Vec<usize>], group: &[u32]) -> Vec<Place> {
    let groups = group.iter().max().map_or(0, |&last| last + 1);
    let mut members = vec![Vec::new(); groups as usize];
    for (router, &of) in group.iter().enumerate() {
        members[of as usize].push(router);
    }
    let largest = members.iter().map(Vec::len).max().unwrap_or(1);
    let radius = |size: usize| if size == 1 { 0.0 } else { 0.3 * size.max(3) as f64 };
    let outer =
        if groups == 1 { 0.0 } else { (radius(largest) + 1.2) * f64::from(groups) / TAU * 2.0 };
    let mut places = vec![Place::default(); group.len()];
    for (of, mut list) in (0..groups).zip(members) {
        // The mean number of groups, clockwise, to the other ends of a router's links.
        let ahead = |&router: &usize| {
            let others = neighbours[router].iter().map(|&to| group[to]).filter(|&to| to != of);
            let steps = others.map(|to| u64::from((to + groups - of) % groups));
            let (sum, count) = steps.fold((0, 0), |(sum, count), step| (sum + step, count + 1));
            (sum << 16).checked_div(count).unwrap_or(u64::from(groups) << 15)
        };
        list.sort_by_cached_key(|router| (ahead(router), *router));
        let (x, y) = on_circle(f64::from(of) / f64::from(groups), outer);
        let inner = radius(list.len());
        for (at, &router) in list.iter().enumerate() {
            let turn = f64::from(of) / f64::from(groups) + (at as f64 + 0.5) / list.len() as f64;
            let (right, up) = on_circle(turn, inner);
            let units = |value: f64| (f64::from(UNIT) * value).round() as i32;
            places[router] = Place { x: units(x + right), y: units(y + up) };
        }
    }
    places
}

/// Places on one circle, clockwise from the top.
pub(super) fn circle(routers: usize) -> Vec<Place> {
    let alone: Vec<u32> = (0..routers as u32).collect();
    places(&vec![Vec::new(); routers], &alone)
}

/// A point on a circle around (0, 0), a number of turns clockwise from the top.
fn on_circle(turns: f64, radius: f64) -> (f64, f64) {
    (radius * libm::sin(TAU * turns), radius * libm::cos(TAU * turns))
}
