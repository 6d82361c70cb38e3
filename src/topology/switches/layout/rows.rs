//! Rows by level, ordered so that few links cross.

use super::UNIT;
use crate::ids::RouterId;
use crate::topology::switches::Place;
use crate::topology::{Network, search};

/// Passes over all rows, upwards, that reduce crossings.
const PASSES: usize = 4;

/// The parts into which the width of a row is divided.
const WIDTH: u64 = 1 << 24;

/// The level of every router of a tree: its distance from the nearest router with hosts or, if links
/// close no ring, its height below the middle. `None` for other networks.
pub(super) fn levels(network: &Network, neighbours: &[Vec<usize>]) -> Option<Vec<u32>> {
    let joints: usize = neighbours.iter().map(Vec::len).sum();
    let distances = |starts: &[RouterId]| {
        let list = |at: RouterId| neighbours[at.index()].iter().map(|&to| RouterId::new(to));
        search::distances(neighbours.len(), starts, list)
    };
    let branches = neighbours.iter().any(|list| list.len() > 2);
    let levels = if joints == 2 * (neighbours.len() - 1) && branches {
        let root = middle(neighbours, distances);
        let depths = distances(&[RouterId::new(root)]);
        let deepest = depths.iter().copied().max()?;
        depths.into_iter().map(|depth| deepest - depth).collect()
    } else {
        let hosts: Vec<RouterId> = network.host_routers().collect();
        distances(&hosts)
    };
    let pairs = neighbours.iter().enumerate();
    let steps = pairs.flat_map(|(from, list)| list.iter().map(move |&to| (from, to)));
    let along = steps.filter(|&(from, to)| levels[from] == levels[to]).count();
    (4 * along <= joints && levels.iter().any(|&level| level > 0)).then_some(levels)
}

/// The router in the middle of a longest path of a tree.
fn middle(neighbours: &[Vec<usize>], distances: impl Fn(&[RouterId]) -> Vec<u32>) -> usize {
    let farthest = |from: usize| {
        let far = distances(&[RouterId::new(from)]);
        let end = (0..far.len()).max_by_key(|&at| (far[at], usize::MAX - at)).unwrap_or(0);
        (end, far)
    };
    let (start, _) = farthest(0);
    let (mut at, far) = farthest(start);
    for _ in 0..far[at] / 2 {
        at = neighbours[at].iter().copied().find(|&to| far[to] < far[at]).unwrap_or(at);
    }
    at
}

/// Places in rows, level 0 at the bottom; all rows are equally wide.
pub(super) fn places(rows: &[Vec<usize>]) -> Vec<Place> {
    let width = rows.iter().map(|row| row.len() as u32).max().unwrap_or(1).cast_signed() * UNIT;
    let apart = (width / (rows.len() as u32).cast_signed()).max(UNIT);
    let mut places = vec![Place::default(); rows.iter().map(Vec::len).sum()];
    for (level, row) in (0..).zip(rows) {
        let pitch = f64::from(width) / row.len() as f64;
        for (at, &router) in row.iter().enumerate() {
            let x = (pitch * (at as f64 + 0.5)) as i32;
            places[router] = Place { x, y: level * apart };
        }
    }
    places
}

/// Places in columns, stage 0 on the left, and the longest line.
pub(super) fn columns(rows: &[Vec<usize>]) -> (Vec<Place>, Place) {
    let places = places(rows);
    let top = places.iter().map(|at| at.x).max().unwrap_or(0);
    let turned: Vec<Place> = places.iter().map(|at| Place { x: at.y, y: top - at.x }).collect();
    let next = turned.iter().map(|at| at.x).filter(|&x| x > 0).min().unwrap_or(UNIT);
    (turned, Place { x: next, y: i32::MAX })
}

/// The routers of each level in the order of their numbers.
pub(super) fn listed(levels: &[u32]) -> Vec<Vec<usize>> {
    let last = levels.iter().copied().max().unwrap_or(0) as usize;
    let mut rows = vec![Vec::new(); last + 1];
    for (router, &level) in levels.iter().enumerate() {
        rows[level as usize].push(router);
    }
    rows
}

/// The routers of each level in an order with few crossings.
pub(super) fn ordered(neighbours: &[Vec<usize>], levels: &[u32]) -> Vec<Vec<usize>> {
    let mut rows = listed(levels);
    // Depth first, downwards before upwards: branches of a tree stay together.
    let starts = rows.concat();
    rows.iter_mut().for_each(Vec::clear);
    let mut is_found = vec![false; levels.len()];
    for start in starts {
        let mut stack = vec![start];
        while let Some(at) = stack.pop() {
            if std::mem::replace(&mut is_found[at], true) {
                continue;
            }
            rows[levels[at] as usize].push(at);
            let next = |lower: bool| {
                let side = move |&to: &usize| (levels[to] < levels[at]) == lower;
                neighbours[at].iter().rev().copied().filter(side)
            };
            stack.extend(next(false).chain(next(true)));
        }
    }
    let mut place = vec![0u64; levels.len()];
    let number = |row: &[usize], place: &mut [u64]| {
        for (at, &router) in row.iter().enumerate() {
            place[router] = (2 * at as u64 + 1) * WIDTH / (2 * row.len() as u64);
        }
    };
    for row in &rows {
        number(row, &mut place);
    }
    for _ in 0..PASSES {
        for row in &mut rows {
            let mean = |at: usize, below: bool| {
                let is_there = |&&to: &&usize| {
                    if below { levels[to] < levels[at] } else { levels[to] > levels[at] }
                };
                let others = neighbours[at].iter().filter(is_there);
                let (sum, count) =
                    others.fold((0, 0), |(sum, count), &to| (sum + place[to], count + 1));
                u64::checked_div(sum, count).unwrap_or(place[at])
            };
            row.sort_by_cached_key(|&at| (mean(at, true), mean(at, false), place[at]));
            number(row, &mut place);
        }
    }
    rows
}
