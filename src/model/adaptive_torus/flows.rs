//! How the flow of the average message spreads over the quadrant, eqs. (4)–(17).

use super::grid::Grid;
use super::unknowns::Unknowns;

/// The flows through the channels of the quadrant in messages per cycle.
#[derive(Clone, Debug)]
pub(super) struct Flows {
    hops: usize,
    /// F^X(i,j) through the j-th eastbound channel of row i, j ≤ K.
    pub east: Grid,
    /// F^Y(i,j) through the i-th southbound channel of column j, i ≤ K.
    pub south: Grid,
    /// fX: share of the flow into an inner node that goes on east.
    pub share_east: f64,
    /// fY: share that goes on south.
    pub share_south: f64,
}

impl Flows {
    /// No flow, for a quadrant of `hops` × `hops`.
    pub fn new(hops: usize) -> Self {
        Self {
            hops,
            east: Grid::new(hops),
            south: Grid::new(hops),
            share_east: 0.0,
            share_south: 0.0,
        }
    }

    /// Eqs. (4)–(17), source to destination: `entering` messages per cycle (α·t) come in at (1, 1)
    /// and split at every node that still has both dimensions ahead.
    pub fn sweep(&mut self, unknowns: &Unknowns, entering: f64) {
        let (busy_x, busy_y) = (unknowns.busy_x, unknowns.busy_y);
        // X is asked for first; where both are busy, the message goes on in the same proportion.
        let both_tried = 1.0 - busy_x * busy_y;
        self.share_east = (1.0 - busy_x) / both_tried;
        self.share_south = busy_x * (1.0 - busy_y) / both_tried;
        let last = self.hops + 1;
        for row in 1..=last {
            for column in 1..=last {
                let flow = if row == 1 && column == 1 {
                    entering
                } else {
                    self.east[(row, column - 1)] + self.south[(row - 1, column)]
                };
                if row < last && column < last {
                    self.east[(row, column)] = self.share_east * flow;
                    self.south[(row, column)] = self.share_south * flow;
                } else if column < last {
                    self.east[(row, column)] = flow;
                } else if row < last {
                    self.south[(row, column)] = flow;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
