//! Numbers for the channels of the quadrant.

use std::ops::{Index, IndexMut};

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
