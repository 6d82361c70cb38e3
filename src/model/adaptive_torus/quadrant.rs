//! The reference quadrant: its size, its traffic and grids over its channels.

use std::ops::{Index, IndexMut};

/// The average message's quadrant, without the traffic's rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quadrant {
    /// Hops of the average message in each dimension, K = k/4.
    pub hops: usize,
    /// Message length L in flits.
    pub length: f64,
    /// Share of the messages that need both dimensions, α = (k−1)/(k+1).
    pub both_share: f64,
    /// Share that needs X only, and that needs Y only, β = 1/(k+1) each.
    pub single_share: f64,
}

impl Quadrant {
    /// The quadrant of a torus with `radix` routers on a side (a multiple of 4) and messages of
    /// `length` flits.
    pub fn new(radix: u32, length: f64) -> Self {
        let k = f64::from(radix);
        Self {
            hops: radix as usize / 4,
            length,
            both_share: (k - 1.0) / (k + 1.0),
            single_share: 1.0 / (k + 1.0),
        }
    }

    /// Mean latency in an empty network in cycles: L flits and the hops, α·2K + 2β·K.
    pub fn transfer(&self) -> f64 {
        self.length + self.hops_mean()
    }

    /// Links of the mean way: α·2K + 2β·K.
    pub fn hops_mean(&self) -> f64 {
        2.0 * (self.both_share + self.single_share) * self.hops as f64
    }

    /// Flits that cross a link per cycle at `rate` messages per node and cycle: a node has four links.
    pub fn utilisation(&self, rate: f64) -> f64 {
        rate * self.length * self.hops_mean() / 4.0
    }
}

/// A number for each channel (i, j) of one direction, 1 ≤ i, j ≤ K+1; row and column 0 stay 0 and
/// stand for the channels outside.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    side: usize,
    cells: Vec<f64>,
}

impl Grid {
    /// Zeros for a quadrant of `hops` × `hops`.
    pub fn new(hops: usize) -> Self {
        let side = hops + 2;
        Self { side, cells: vec![0.0; side * side] }
    }
}

impl Index<(usize, usize)> for Grid {
    type Output = f64;
    #[inline]
    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.cells[row * self.side + column]
    }
}

impl IndexMut<(usize, usize)> for Grid {
    #[inline]
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.cells[row * self.side + column]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_streams_share_all_messages() {
        for radix in [4, 8, 12, 16, 64] {
            let quadrant = Quadrant::new(radix, 12.0);
            assert!((quadrant.both_share + 2.0 * quadrant.single_share - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn an_empty_network_takes_the_intercepts_of_the_tables() {
        for (radix, cycles) in
            [(4, 13.6), (8, 12.0 + 32.0 / 9.0), (12, 12.0 + 72.0 / 13.0), (16, 12.0 + 128.0 / 17.0)]
        {
            assert!((Quadrant::new(radix, 12.0).transfer() - cycles).abs() < 1e-12);
        }
    }
}
