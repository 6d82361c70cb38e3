//! Tests of routes by distance, for uniform destinations and for nearest neighbours.

use super::*;

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-12
}

#[test]
fn uniform_destinations_are_those_by_distance_that_are_all_alike() {
    for dimensions in 1..=9 {
        let shape = Shape::Cube { dimensions, full_duplex: false };
        let nodes = 1 << dimensions;
        let mut probabilities = vec![1.0 / f64::from(nodes - 1); nodes as usize];
        probabilities[0] = 0.0;
        let (one, other) = (Routes::uniform(shape), Routes::by_distance(shape, &probabilities));
        assert!(near(one.mean_links, other.mean_links));
        assert!(one.shares.iter().zip(&other.shares).all(|(one, other)| near(*one, *other)));
        let (Links::Cube(one), Links::Cube(other)) = (one.links, other.links) else {
            panic!("a cube has crossings");
        };
        assert!(dimensions < 2 || near(one.crossed, other.crossed), "{dimensions}: {other:?}");
        assert!(dimensions < 3 || near(one.both, other.both), "{dimensions}: {other:?}");
        assert_eq!(one.gaps.len(), other.gaps.len());
        assert!(one.gaps.iter().zip(&other.gaps).all(|(one, other)| near(*one, *other)));
    }
    for radix in 3..=12 {
        let shape = Shape::OneWayTorus { radix };
        let nodes = radix * radix;
        let mut probabilities = vec![1.0 / f64::from(nodes - 1); nodes as usize];
        probabilities[0] = 0.0;
        let (one, other) = (Routes::uniform(shape), Routes::by_distance(shape, &probabilities));
        assert!(near(one.mean_links, other.mean_links));
        let (Links::Torus(one), Links::Torus(other)) = (one.links, other.links) else {
            panic!("a torus has rings");
        };
        let figures = |it: &Rings| {
            let ring = [it.left, it.left_variance, it.place, it.first];
            ring.into_iter()
                .chain([it.turning, it.more, it.more_variance, it.turned, it.fresh, it.before])
                .collect::<Vec<f64>>()
        };
        let same = figures(&one).into_iter().zip(figures(&other));
        assert!(same.clone().all(|(one, other)| (one - other).abs() < 1e-9), "{one:?} {other:?}");
    }
}

#[test]
fn messages_for_neighbours_cross_one_link() {
    let mut probabilities = vec![0.0; 256];
    (0..8).for_each(|dimension| probabilities[1 << dimension] = 0.125);
    let shape = Shape::Cube { dimensions: 8, full_duplex: false };
    let routes = Routes::by_distance(shape, &probabilities);
    assert!(near(routes.mean_links, 1.0) && near(routes.shares[0], 1.0));
    let Links::Cube(crossings) = routes.links else { panic!("a cube has crossings") };
    assert_eq!((crossings.crossed, crossings.both), (0.0, 0.0));
    assert!(crossings.gaps.iter().all(|&gap| gap == 0.0));

    let mut probabilities = vec![0.0; 64];
    (probabilities[1], probabilities[8]) = (0.5, 0.5);
    let routes = Routes::by_distance(Shape::OneWayTorus { radix: 8 }, &probabilities);
    let Links::Torus(rings) = routes.links else { panic!("a torus has rings") };
    assert_eq!((routes.mean_links, rings.first, rings.fresh), (1.0, 1.0, 1.0));
    assert_eq!((rings.left, rings.turning, rings.more, rings.turned), (0.0, 0.0, 0.0, 0.0));
}
