//! Patterns of locality.

use super::*;
use crate::topology::cube::Cube;

const TORUS: Family = Family::Torus { unidirectional: false };
const ONE_WAY: Family = Family::Torus { unidirectional: true };

#[test]
fn the_moved_order_of_one_node_is_that_of_every_node() {
    for (family, radix) in [
        (TORUS, &[5u32, 4][..]),
        (ONE_WAY, &[3, 4]),
        (Family::Hypercube, &[2, 2, 2, 2]),
        (Family::Mesh, &[2, 2]),
    ] {
        let network = Cube::network(family, radix);
        let shared = Locality::new(Rule::Decreasing { ratio: 0.5 }, &network);
        assert_eq!(shared.orders.len(), 1);
        for source in (0..network.nodes()).map(NodeId::new) {
            let own = Order::new(&network, source);
            assert_eq!(own.ends, shared.orders[0].ends);
            for d in 0..own.ends.len() {
                let (first, end) = own.at(d);
                let run = first as usize..end as usize;
                let mut moved: Vec<u32> = shared.orders[0].nodes[run.clone()]
                    .iter()
                    .map(|&node| shared.moved(source, node).0)
                    .collect();
                moved.sort_unstable();
                assert_eq!(moved, own.nodes[run], "{radix:?} from {source:?} at {d}");
            }
        }
    }
}

#[test]
fn beyond_the_largest_radius_every_node_sees_another_and_not_one_hop_further() {
    for (family, radix) in [
        (TORUS, &[5u32, 4][..]),
        (ONE_WAY, &[3, 4]),
        (Family::Hypercube, &[2, 2, 2]),
        (Family::Mesh, &[5, 4]),
        (Family::Mesh, &[2]),
        (Family::Mesh, &[7, 3, 2]),
    ] {
        let network = Cube::network(family, radix);
        let furthest = (0..network.nodes())
            .map(|source| Order::new(&network, NodeId::new(source)).ends.len() as u32 - 1)
            .min();
        assert_eq!(furthest, Some(sphere_radius_max(family, radix) + 1), "{radix:?}");
    }
}

#[test]
fn spheres_that_leave_nothing_outside_and_large_meshes_are_refused() {
    let sphere = |radius, percent| Rule::Sphere { radius, percent };
    assert_eq!(check(sphere(7, 80.0), TORUS, &[8, 8]), Ok(()));
    let undefined = check(sphere(8, 80.0), TORUS, &[8, 8]).unwrap_err();
    assert!(undefined.what.contains("within 8 hops"), "{}", undefined.what);
    assert!(undefined.help.contains("radius of 7"), "{}", undefined.help);
    assert_eq!(check(sphere(8, 100.0), TORUS, &[8, 8]), Ok(()));
    assert!(check(sphere(1, 50.0), Family::Mesh, &[2]).is_err());
    assert_eq!(check(sphere(13, 50.0), ONE_WAY, &[8, 8]), Ok(()));
    let falling = Rule::Decreasing { ratio: 0.5 };
    assert_eq!(check(falling, Family::Mesh, &[64, 64]), Ok(()));
    assert!(check(falling, Family::Mesh, &[64, 65]).is_err());
    assert_eq!(check(falling, TORUS, &[1024, 1024]), Ok(()));
    assert_eq!(check(falling, Family::Hypercube, &[2; 12]), Ok(()));
}
