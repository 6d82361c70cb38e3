//! Tests of the equations against an enumeration of all routes of small meshes.

use super::*;
use std::collections::BTreeMap;

/// A class as a key.
fn key(class: Class) -> (u8, usize, usize) {
    match class {
        Class::X(c) => (0, c, 0),
        Class::Y(c, j) => (1, c, j),
        Class::Injection(c, j) => (2, c, j),
        Class::Ejection => (3, 0, 0),
    }
}

/// The classes on a route, y first.
fn route(k: usize, source: (usize, usize), destination: (usize, usize)) -> Vec<Class> {
    let (mut x, mut y) = source;
    let mut route = vec![Class::Injection(x, y)];
    while y != destination.1 {
        let south = y > destination.1;
        route.push(Class::Y(x, if south { y } else { k - 1 - y }));
        y = if south { y - 1 } else { y + 1 };
    }
    while x != destination.0 {
        let west = x > destination.0;
        route.push(Class::X(if west { x } else { k - 1 - x }));
        x = if west { x - 1 } else { x + 1 };
    }
    route.push(Class::Ejection);
    route
}

fn of_radix(radix: usize, length: f64) -> Classes {
    Classes { radix, length, positions: Vec::new() }
}

#[test]
fn flows_and_shares_are_those_of_all_ways() {
    for k in 2..=5 {
        let equations = of_radix(k, 20.0);
        let nodes: Vec<_> = (0..k).flat_map(|x| (0..k).map(move |y| (x, y))).collect();
        let mut met: BTreeMap<_, (Class, f64)> = BTreeMap::new();
        let mut went: BTreeMap<_, f64> = BTreeMap::new();
        let each = 1.0 / (nodes.len() - 1) as f64;
        for &source in &nodes {
            for &destination in nodes.iter().filter(|&&d| d != source) {
                let route = route(k, source, destination);
                for pair in route.windows(2) {
                    met.entry(key(pair[0])).or_insert((pair[0], 0.0)).1 += each;
                    *went.entry((key(pair[0]), key(pair[1]))).or_insert(0.0) += each;
                }
            }
        }
        for (from, &(class, flow)) in &met {
            // Channels of the class: rows and directions of X, directions of Y.
            let (channels, expected) = match class {
                Class::X(c) => (2 * k, equations.flow(c)),
                Class::Y(_, j) => (2, equations.flow(j)),
                _ => (1, 1.0),
            };
            assert!((flow / channels as f64 - expected).abs() < 1e-12, "{k} {class:?}");
            let mut shares: BTreeMap<_, f64> = BTreeMap::new();
            for branch in equations.branches(class) {
                *shares.entry(key(branch.to)).or_insert(0.0) += branch.share;
            }
            for (to, share) in shares {
                let counted = went[&(*from, to)] / flow;
                assert!((share - counted).abs() < 1e-12, "{k} {class:?} {to:?}");
            }
        }
    }
}

/// All classes with a channel.
fn classes(k: usize) -> Vec<Class> {
    let x = (1..k).map(Class::X);
    let y = (0..k).flat_map(move |c| (1..k).map(move |j| Class::Y(c, j)));
    let injection = (0..k).flat_map(move |c| (0..k).map(move |j| Class::Injection(c, j)));
    x.chain(y).chain(injection).collect()
}

#[test]
fn shares_sum_to_one_and_factors_are_those_of_the_flows() {
    for k in 2..=17 {
        let equations = of_radix(k, 20.0);
        let flow = |class| match class {
            Class::X(j) | Class::Y(_, j) => equations.flow(j),
            Class::Injection(..) | Class::Ejection => 1.0,
        };
        for from in classes(k) {
            let branches = equations.branches(from);
            let total: f64 = branches.iter().map(|branch| branch.share).sum();
            assert!((total - 1.0).abs() < 1e-12, "{k} {from:?}: {total}");
            // (6). No wait for ejection channels.
            for branch in branches.iter().filter(|branch| branch.to != Class::Ejection) {
                let blocking = 1.0 - flow(from) * branch.share / flow(branch.to);
                assert!((branch.blocking - blocking).abs() < 1e-12, "{k} {from:?} {branch:?}");
            }
        }
    }
}

#[test]
fn links_carry_the_mean_distance() {
    for k in 2..=17 {
        let equations = of_radix(k, 20.0);
        let one_way: f64 = (1..k).map(|j| equations.flow(j)).sum();
        // Two dimensions, two directions, k rows each.
        let links = 4.0 * k as f64 * one_way;
        assert!((links / (k * k) as f64 - (equations.distance() - 2.0)).abs() < 1e-12);
    }
}

#[test]
fn an_empty_mesh_takes_the_transfer_only() {
    for k in 2..=17 {
        let equations = of_radix(k, 32.0);
        let latency = equations.predict(Rate(0.0)).unwrap().latency_mean;
        assert!((latency - (32.0 + 2.0 * k as f64 / 3.0 + 1.0)).abs() < 1e-9);
    }
}
