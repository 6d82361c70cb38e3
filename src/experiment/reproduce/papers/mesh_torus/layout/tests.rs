//! The costs counted link by link on the program's own networks.

use super::*;
use crate::topology::cube::{Cube, Family};

/// Places of a ring's routers when folded: 0, k − 1, 1, k − 2, … from the left.
fn folded(k: usize) -> Vec<usize> {
    let order = (0..k).map(|at| if at % 2 == 0 { at / 2 } else { k - 1 - at / 2 });
    let mut places = vec![0; k];
    order.enumerate().for_each(|(place, router)| places[router] = place);
    places
}

/// Counts the channels of all rows of a network whose routers stand at `places`.
fn counted(family: Family, k: usize, places: &[usize]) -> Layout {
    let network = Cube::network(family, &[k as u32; 2]);
    let cube = network.cube().unwrap();
    let (mut across, mut reach, mut passing) = (0, 0, vec![0; k * k]);
    for link in &network.channels()[..network.links()] {
        let [from, to] = [link.from, link.to].map(|it| cube.coordinates(it));
        if from[1] != to[1] {
            continue;
        }
        let [left, right] = [from[0], to[0]].map(|x| places[usize::from(x)]);
        let (left, right) = (left.min(right), left.max(right));
        across += u32::from(left < k / 2 && right >= k / 2);
        reach = reach.max(right - left);
        for passed in left + 1..right {
            passing[usize::from(from[1]) * k + passed] += 1;
        }
    }
    // The adjacent pairs of cells of a k × k square, each joined by one link of the torus.
    let neighbours = (0..k * k).map(|at| usize::from(at % k + 1 < k) + usize::from(at / k + 1 < k));
    let links = if family == Family::Mesh { network.links() / 2 } else { network.links() };
    Layout {
        bisection: f64::from(across),
        pitch: 2.0 + f64::from(*passing.iter().max().unwrap()),
        side: k as f64,
        reach: reach as f64,
        long_links: links as f64 - neighbours.sum::<usize>() as f64,
    }
}

#[test]
fn links_counted_one_by_one_cost_the_same() {
    for k in [4, 8, 16] {
        let torus = Family::Torus { unidirectional: true };
        let straight: Vec<usize> = (0..k).collect();
        assert_eq!(counted(Family::Mesh, k, &straight), Layout::mesh(k as f64));
        assert_eq!(counted(torus, k, &folded(k)), Layout::torus(k as f64));
        // Without folding, the area is the same, and the seam as long as a row.
        let unfolded = Layout { reach: k as f64 - 1.0, ..Layout::torus(k as f64) };
        assert_eq!(counted(torus, k, &straight), unfolded);
    }
}
