//! Tests of known quadrants.

use super::*;
use crate::routing::{Escape, Routing};
use crate::switching::Wormhole;
use crate::topology::cube::Family;
use crate::traffic::{Destinations, Lengths, Process, Traffic};
use crate::units::Rate;
use std::sync::Arc;

fn quadrants(sides: [u32; 2]) -> Quadrants {
    let traffic =
        Traffic::random(Process::Poisson, Rate(0.001), Destinations::Uniform, Lengths::Fixed(12));
    let network = Cube::network(Family::Torus { unidirectional: false }, &sides);
    let routing = Routing::minimal_adaptive(Escape::Destination);
    let system = System::new(Arc::new(network), routing, Wormhole::new(4, 2), traffic);
    Quadrants::new(&system, &sides)
}

#[test]
fn the_streams_share_all_messages_and_the_hops_are_those_of_all_pairs() {
    for sides in [[4, 4], [8, 8], [64, 64], [3, 3], [5, 5], [6, 6], [8, 4], [12, 5], [2, 7]] {
        let quadrants = quadrants(sides);
        let [x, y] = sides.map(f64::from);
        let hops = sides.map(|k| (0..k).map(|at| at.min(k - at)).sum::<u32>());
        let mut means = [0.0; 2];
        for (share, quadrant) in &quadrants.0 {
            let [to_x, to_y] = quadrant.single_share;
            assert!((quadrant.both_share + to_x + to_y - 1.0).abs() < 1e-15, "{sides:?}");
            assert!((quadrant.both_share / to_x - (y - 1.0)).abs() < 1e-9, "{sides:?}");
            assert!((quadrant.both_share / to_y - (x - 1.0)).abs() < 1e-9, "{sides:?}");
            for (mean, hops) in means.iter_mut().zip(quadrant.hops) {
                *mean += share * hops as f64;
            }
        }
        for ((mean, hops), k) in means.into_iter().zip(hops).zip(sides) {
            let wanted = (f64::from(hops) / f64::from(k)).max(1.0);
            assert!((mean - wanted).abs() < 1e-12, "{sides:?}: {mean}, {wanted}");
        }
        let whole = sides.iter().all(|k| k % 4 == 0 || *k < 4);
        assert_eq!(quadrants.0.len() == 1, whole, "{sides:?}");
    }
}

#[test]
fn an_empty_network_takes_the_intercepts_of_the_tables() {
    for (radix, cycles) in
        [(4, 13.6), (8, 12.0 + 32.0 / 9.0), (12, 12.0 + 72.0 / 13.0), (16, 12.0 + 128.0 / 17.0)]
    {
        let [(share, quadrant)] = quadrants([radix, radix]).0[..] else { panic!("one message") };
        assert!((share - 1.0).abs() < 1e-15 && (quadrant.transfer() - cycles).abs() < 1e-12);
    }
}
