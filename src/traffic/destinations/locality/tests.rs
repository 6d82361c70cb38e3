//! Tests of shares by distance, drawn and computed.

use super::*;
use crate::topology::cube::{Cube, Family};

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
        let shared = ByDistance::new(Locality::Decreasing { ratio: 0.5 }, &network);
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
        assert_eq!(furthest, network.cube().map(least_far_on), "{radix:?}");
    }
}

#[test]
fn spheres_that_leave_nothing_outside_and_large_meshes_are_refused() {
    let sphere = |radius, percent| Locality::Sphere { radius, percent };
    assert_eq!(sphere(7, 80.0).check(&Cube::network(TORUS, &[8, 8])), Ok(()));
    let undefined = sphere(8, 80.0).check(&Cube::network(TORUS, &[8, 8])).unwrap_err();
    assert!(undefined.what.contains("within 8 hops"), "{}", undefined.what);
    assert!(undefined.help.contains("radius of 7"), "{}", undefined.help);
    assert_eq!(sphere(8, 100.0).check(&Cube::network(TORUS, &[8, 8])), Ok(()));
    assert!(sphere(1, 50.0).check(&Cube::network(Family::Mesh, &[2])).is_err());
    assert_eq!(sphere(13, 50.0).check(&Cube::network(ONE_WAY, &[8, 8])), Ok(()));
    let falling = Locality::Decreasing { ratio: 0.5 };
    assert_eq!(falling.check(&Cube::network(Family::Mesh, &[64, 64])), Ok(()));
    assert!(falling.check(&Cube::network(Family::Mesh, &[64, 65])).is_err());
    assert_eq!(falling.check(&Cube::network(TORUS, &[1024, 1024])), Ok(()));
    assert_eq!(falling.check(&Cube::network(Family::Hypercube, &[2; 12])), Ok(()));
}
