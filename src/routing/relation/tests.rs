//! Tests of `relation`.

use super::*;
use crate::routing::head::subsets;
use crate::routing::{Classes, Escape};
use crate::topology::cube::{Cube, Family};

#[test]
fn subsets_are_all_there_once() {
    assert_eq!(subsets(0).collect::<Vec<_>>(), [0]);
    assert_eq!(subsets(0b1010).collect::<Vec<_>>(), [0, 2, 8, 10]);
}

#[test]
fn what_is_listed_is_what_the_rule_offers_first() {
    let [one_way, two_ways] = [true, false].map(|unidirectional| Family::Torus { unidirectional });
    let cubes: [(Family, &[u32]); 6] = [
        (two_ways, &[8, 6]),
        (two_ways, &[4, 3, 5]),
        (one_way, &[5, 4]),
        (Family::Mesh, &[3, 7, 2]),
        (Family::Mesh, &[9]),
        (Family::Hypercube, &[2; 4]),
    ];
    let rules = [
        Routing::dimension_order(Classes::Destination),
        Routing::dimension_order(Classes::None),
        Routing::minimal_adaptive(Escape::Dateline),
        Routing::minimal_adaptive(Escape::None),
    ];
    for ((family, radix), routing) in
        cubes.iter().flat_map(|cube| rules.clone().map(|it| (cube, it)))
    {
        let network = Arc::new(Cube::network(*family, radix));
        let drawn = Relation::new(routing.clone(), Arc::clone(&network), 4);
        for relation in [drawn.clone(), drawn.with_half_way(HalfWay::Positive)] {
            assert!(relation.lists_first(), "{routing:?} on {radix:?}");
            let routers = || (0..network.routers()).map(RouterId::new);
            let pairs = routers().flat_map(|at| routers().map(move |to| (at, to)));
            for (source, destination) in pairs.filter(|(at, to)| at != to) {
                for route_bits in 0..8 {
                    let header = Header::new(source, destination, route_bits);
                    let listed = relation.first(source, &header);
                    assert_eq!(listed, relation.first_by_rule(source, &header));
                }
            }
        }
    }
}

#[test]
fn what_is_not_listed_is_asked_for() {
    let network = Arc::new(Cube::network(Family::Mesh, &[64, 2]));
    let relation = Relation::new(Routing::dimension_order(Classes::None), network, 1);
    assert!(!relation.lists_first());
    let (source, destination) = (RouterId(3), RouterId(64 + 9));
    let header = Header::new(source, destination, 0);
    let Straight { port, more, .. } = relation.first(source, &header);
    assert_eq!((port, more), (0, 5));
}
