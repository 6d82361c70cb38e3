//! Springs along links and repulsion between all switches, from columns by distance to begin with.
//!
//! Only additions, products, quotients and square roots of `f64`, which are the same on every
//! machine.

use crate::ids::RouterId;
use crate::topology::Network;
use crate::topology::switches::Place;

/// Pairs of switches that are looked at in all rounds together.
const EFFORT: usize = 6_000_000;

/// The most switches with springs; larger graphs keep their levels.
const RELAXED_MAX: usize = 2048;

/// A place for every switch; neighbours lie about 1000 apart.
pub(super) fn places(network: &Network) -> Vec<Place> {
    let list = |switch| network.neighbours(RouterId::new(switch)).collect();
    let neighbours: Vec<Vec<RouterId>> = (0..network.routers()).map(list).collect();
    let mut at = levels(network);
    let rounds = if neighbours.len() > RELAXED_MAX {
        0
    } else {
        (EFFORT / (neighbours.len() * neighbours.len()).max(1)).clamp(10, 400)
    };
    for round in 0..rounds {
        // The distance that a switch may move falls to almost nothing.
        let step = 1.5 * (1.0 - round as f64 / rounds as f64) + 0.01;
        relax(&neighbours, &mut at, step);
    }
    let rounded = |x: f64| (x * 1000.0) as i32;
    let least = |axis: usize| at.iter().map(|at| at[axis]).fold(f64::INFINITY, f64::min);
    let (left, low) = (least(0), least(1));
    at.iter().map(|at| Place { x: rounded(at[0] - left), y: rounded(at[1] - low) }).collect()
}

/// Columns by distance from a switch at the rim, rows by number.
fn levels(network: &Network) -> Vec<[f64; 2]> {
    let far = network.distances(RouterId(0));
    let rim = (0..far.len()).max_by_key(|&switch| (far[switch], usize::MAX - switch)).unwrap_or(0);
    let level = network.distances(RouterId::new(rim));
    let last = level.iter().copied().max().unwrap_or(0) as usize;
    let mut sizes = vec![0u32; last + 1];
    for &column in &level {
        sizes[column as usize] += 1;
    }
    let mut rows = vec![0u32; last + 1];
    let mut places = Vec::with_capacity(level.len());
    for &column in &level {
        let row = &mut rows[column as usize];
        let middle = f64::from(*row) - f64::from(sizes[column as usize] - 1) / 2.0;
        // A slight slope, so that no two stand in line and forces are never all along one axis.
        places.push([f64::from(column) + 0.1 * middle, middle + 0.05 * f64::from(column)]);
        *row += 1;
    }
    places
}

/// One round of Fruchterman and Reingold (1991): all repel as 1/d, links attract as d².
fn relax(neighbours: &[Vec<RouterId>], at: &mut [[f64; 2]], step: f64) {
    let mut force = vec![[0.0f64; 2]; at.len()];
    for (a, from) in at.iter().enumerate() {
        for (b, to) in at.iter().enumerate().skip(a + 1) {
            let apart = [from[0] - to[0], from[1] - to[1]];
            let squared = (apart[0] * apart[0] + apart[1] * apart[1]).max(1e-4);
            let push = apart.map(|along| along / squared);
            force[a] = [force[a][0] + push[0], force[a][1] + push[1]];
            force[b] = [force[b][0] - push[0], force[b][1] - push[1]];
        }
    }
    for (force, (from, list)) in force.iter_mut().zip(at.iter().zip(neighbours)) {
        for &to in list {
            let to = at[to.index()];
            let apart = [from[0] - to[0], from[1] - to[1]];
            let distance = (apart[0] * apart[0] + apart[1] * apart[1]).sqrt();
            force[0] -= apart[0] * distance;
            force[1] -= apart[1] * distance;
        }
    }
    for (at, force) in at.iter_mut().zip(&force) {
        let strength = (force[0] * force[0] + force[1] * force[1]).sqrt().max(1e-9);
        let reach = strength.min(step) / strength;
        at[0] += force[0] * reach;
        at[1] += force[1] * reach;
    }
}
