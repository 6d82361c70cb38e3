//! The readings, the unknowns, and the sweeps over the quadrant.
//!
//! The sweeps compute the flow of the average message, eqs. (4)–(17), and its remaining wait from
//! each channel on, eqs. (32)–(42).

use crate::model::square::Quadrant;

/// Reading of the equations of the paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Reading {
    /// Misprints corrected (C1–C7), and two constants fitted to the model columns of the paper's
    /// Tables 1 and 2: channels are held one cycle longer (C8) and waits are twice the
    /// Pollaczek–Khinchine waits (C9). Within 1 % of the columns except for 12 × 12 at high load.
    #[default]
    Calibrated,
    /// Misprints corrected (C1–C7) and nothing else.
    Corrected,
    /// The sums as typeset, if dimensionally consistent (C1 is applied). The latency has
    /// discontinuities at single rates, where a choice of (39) or (46) changes.
    Printed,
    /// A rival without fitted constants: the whole holding time is exponential, and turns from the
    /// mirror quadrant conflict too; C1, C3 and C4 are applied.
    ExponentialHold,
}

impl Reading {
    /// True if sums are used as typeset, against the paper's explanation (C2, C5, C6, C7).
    pub(super) fn typeset(self) -> bool {
        matches!(self, Self::Printed | Self::ExponentialHold)
    }
}

/// The probabilities of a busy X and a busy Y channel, then the mean waits to continue east, to
/// turn east, to continue south and to turn south, in cycles.
pub(super) type Unknowns = [f64; 6];

/// True if a message on X with both channels ahead busy should turn south (r = 0).
pub(super) fn turns_south(&[_, _, straight_east, _, _, turn_south]: &Unknowns) -> bool {
    turn_south < straight_east
}

/// Probability that a message from an X channel with both channels ahead busy turns south, (35),
/// rather than continuing east; `None` for the channel with the smaller mean wait (the paper's r).
/// Probabilities cover the values in between at a discontinuity.
pub(super) type South = Option<f64>;

/// The quadrant in one reading, with the results of the last sweep: numbers for each channel (i, j)
/// of one direction, 1 ≤ i ≤ K+1 in Y and 1 ≤ j ≤ K+1 in X, at i·[`side`](Self::side) + j; row and
/// column 0 remain 0 and represent the channels outside.
#[derive(Clone, Debug)]
pub(super) struct Swept {
    pub quadrant: Quadrant,
    pub reading: Reading,
    pub quadrant_rate: f64,
    /// F^X(i,j) through the j-th eastbound channel of row i, j ≤ K, in messages per cycle.
    pub flow_east: Vec<f64>,
    /// F^Y(i,j) through the i-th southbound channel of column j, i ≤ K.
    pub flow_south: Vec<f64>,
    pub share_east: f64,
    pub share_south: f64,
    /// Mean remaining wait of a header just granted the j-th eastbound channel of row i, in cycles:
    /// T^X(i,j) − L − (2K−i−j+2). The paper's residual transmission time is the sum of this wait,
    /// L, and the remaining hops including the present channel, equal on all routes.
    pub ahead_east: Vec<f64>,
    /// Likewise for the i-th southbound channel of column j: T^Y(i,j) − L − (2K−i−j+2).
    pub ahead_south: Vec<f64>,
}

impl Swept {
    pub fn new(quadrant: Quadrant, reading: Reading) -> Self {
        let [columns, rows] = quadrant.hops;
        let grid = vec![0.0; (columns + 2) * (rows + 2)];
        Self {
            quadrant,
            reading,
            quadrant_rate: 0.0,
            flow_east: grid.clone(),
            flow_south: grid.clone(),
            share_east: 0.0,
            share_south: 0.0,
            ahead_east: grid.clone(),
            ahead_south: grid,
        }
    }

    /// Distance between rows in the vectors.
    pub fn side(&self) -> usize {
        self.quadrant.hops[0] + 2
    }

    /// The last row and the last column, those of the destination.
    pub fn last(&self) -> [usize; 2] {
        let [columns, rows] = self.quadrant.hops;
        [rows + 1, columns + 1]
    }

    /// Messages per cycle that need both dimensions (α·t) and enter at (1, 1).
    pub fn entering_flow(&self) -> f64 {
        self.quadrant.both_share * self.quadrant_rate
    }

    /// Eqs. (4)–(17), source to destination: the incoming flow splits at every node with both
    /// dimensions ahead.
    pub fn spread(&mut self, &[busy_x, busy_y, ..]: &Unknowns) {
        // X is requested first; with both busy, messages continue in the same proportion.
        let both_tried = 1.0 - busy_x * busy_y;
        self.share_east = (1.0 - busy_x) / both_tried;
        self.share_south = busy_x * (1.0 - busy_y) / both_tried;
        let (side, [last_row, last_column]) = (self.side(), self.last());
        for row in 1..=last_row {
            for column in 1..=last_column {
                let at = row * side + column;
                let flow = if row == 1 && column == 1 {
                    self.entering_flow()
                } else {
                    self.flow_east[at - 1] + self.flow_south[at - side]
                };
                if row < last_row && column < last_column {
                    self.flow_east[at] = self.share_east * flow;
                    self.flow_south[at] = self.share_south * flow;
                } else if column < last_column {
                    self.flow_east[at] = flow;
                } else if row < last_row {
                    self.flow_south[at] = flow;
                }
            }
        }
    }

    /// Eqs. (32)–(39), destination to source, and then (4)–(17).
    pub fn sweep(&mut self, unknowns: &Unknowns, south: South) {
        let &[busy_x, busy_y, straight_east, turn_east, straight_south, turn_south] = unknowns;
        let (goes_east, goes_south) = (1.0 - busy_x, busy_x * (1.0 - busy_y));
        let both_busy = busy_x * busy_y;
        let south_first = south.unwrap_or_else(|| f64::from(u8::from(turns_south(unknowns))));
        // (39): the wait for X belongs to the time of X, the wait for Y to the time of Y (C2;
        // typeset the other way round).
        let crossed = self.reading.typeset();
        let (wait, then_east) = if turn_east < straight_south {
            (turn_east, !crossed)
        } else {
            (straight_south, crossed)
        };
        let (side, [last_row, last_column]) = (self.side(), self.last());
        // The remaining wait from a channel into a node, from the wait for X there, for Y, and with
        // both busy.
        let from = |swept: &Self, (row, column), for_x, for_y, waited: &dyn Fn(f64, f64) -> f64| {
            let next = row * side + column;
            let (east, south) = (swept.ahead_east[next], swept.ahead_south[next]);
            match (row == last_row, column == last_column) {
                (true, true) => 0.0,
                // (32), (33), (38): only X remains.
                (true, false) => for_x + east,
                // (34), (36), (37): only Y remains.
                (false, true) => for_y + south,
                // (35), (39), with W + T for the printed W·T (C1).
                (false, false) => {
                    goes_east * east + goes_south * south + both_busy * waited(east, south)
                }
            }
        };
        for row in (1..=last_row).rev() {
            for column in (1..=last_column).rev() {
                let at = row * side + column;
                if column < last_column {
                    let next = (row, column + 1);
                    self.ahead_east[at] =
                        from(self, next, straight_east, turn_south, &|east, south| {
                            south_first * (turn_south + south)
                                + (1.0 - south_first) * (straight_east + east)
                        });
                }
                if row < last_row {
                    let next = (row + 1, column);
                    self.ahead_south[at] =
                        from(self, next, turn_east, straight_south, &|east, south| {
                            wait + if then_east { east } else { south }
                        });
                }
            }
        }
        self.spread(unknowns);
    }
}

/// Eqs. (40)–(42): remaining wait of a message of a single-dimension stream with `hops` channels
/// left, including the channel just granted: `straight` cycles before each but the first.
pub(super) fn single_stream(hops: usize, straight: f64) -> f64 {
    (hops as f64 - 1.0) * straight
}

#[cfg(test)]
mod tests;
