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
mod tests {
    use super::*;

    #[test]
    fn shares_are_one_and_all_flow_arrives() {
        for hops in [1, 2, 3, 4, 16] {
            let mut flows = Flows::new(hops);
            for (busy_x, busy_y) in [(0.0, 0.0), (0.3, 0.1), (0.99, 0.98), (0.5, 0.0)] {
                let unknowns = Unknowns { busy_x, busy_y, ..Unknowns::default() };
                flows.sweep(&unknowns, 0.25);
                assert!((flows.share_east + flows.share_south - 1.0).abs() < 1e-12);
                let arriving = flows.east[(hops + 1, hops)] + flows.south[(hops, hops + 1)];
                assert!((arriving - 0.25).abs() < 1e-12, "{hops} hops: {arriving}");
                // Every diagonal is crossed by the whole flow.
                for diagonal in 2..=2 * hops + 1 {
                    let crossing: f64 = (1..=hops + 1)
                        .filter(|row| (1..=hops + 1).contains(&diagonal.wrapping_sub(*row)))
                        .map(|row| {
                            let node = (row, diagonal - row);
                            flows.east[node] + flows.south[node]
                        })
                        .sum();
                    assert!((crossing - 0.25).abs() < 1e-12, "diagonal {diagonal}: {crossing}");
                }
            }
        }
    }
}
