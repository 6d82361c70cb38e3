//! The unknowns, and what is swept over the quadrant with them: how the flow of the average message
//! spreads, eqs. (4)–(17), and how long it has still to wait from each channel on, eqs. (32)–(42).

use std::ops::{Index, IndexMut};

use super::reading::Switches;
use crate::model::square::Quadrant;

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Unknowns {
    pub busy_x: f64,
    pub busy_y: f64,
    pub straight_east: f64,
    pub turn_east: f64,
    pub straight_south: f64,
    pub turn_south: f64,
}

impl From<[f64; 6]> for Unknowns {
    fn from(values: [f64; 6]) -> Self {
        let [busy_x, busy_y, straight_east, turn_east, straight_south, turn_south] = values;
        Self { busy_x, busy_y, straight_east, turn_east, straight_south, turn_south }
    }
}

impl From<Unknowns> for [f64; 6] {
    fn from(unknowns: Unknowns) -> Self {
        let Unknowns { busy_x, busy_y, straight_east, turn_east, straight_south, turn_south } =
            unknowns;
        [busy_x, busy_y, straight_east, turn_east, straight_south, turn_south]
    }
}

impl Unknowns {
    /// Whether a message on X that finds both channels ahead busy had better turn south (r = 0).
    pub fn turns_south(&self) -> bool {
        self.turn_south < self.straight_east
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

/// The flows through the channels of the quadrant in messages per cycle.
#[derive(Clone, Debug)]
pub(super) struct Flows {
    hops: usize,
    /// F^X(i,j) through the j-th eastbound channel of row i, j ≤ K.
    pub east: Grid,
    /// F^Y(i,j) through the i-th southbound channel of column j, i ≤ K.
    pub south: Grid,
    pub share_east: f64,
    pub share_south: f64,
}

impl Flows {
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

/// Which channel a message takes that came by an X channel and finds both channels ahead busy, (35):
/// south with this probability, else east; `None`: the one with the smaller mean wait (the paper's
/// r). Where that jumps, a probability takes the values in between.
pub(super) type South = Option<f64>;

/// Mean waiting that lies ahead of a header that has just been granted a channel, in cycles. The
/// paper's residual transmission time is this plus L plus the hops that remain, the channel's own
/// included, which are the same on every route.
#[derive(Clone, Debug)]
pub(super) struct Ahead {
    hops: usize,
    /// From the j-th eastbound channel of row i on: T^X(i,j) − L − (2K−i−j+2).
    pub east: Grid,
    /// From the i-th southbound channel of column j on: T^Y(i,j) − L − (2K−i−j+2).
    pub south: Grid,
}

impl Ahead {
    pub fn new(hops: usize) -> Self {
        Self { hops, east: Grid::new(hops), south: Grid::new(hops) }
    }

    /// Eqs. (32)–(39), destination to source. `waits_crossed` reads (39) as typeset.
    pub fn sweep(&mut self, unknowns: &Unknowns, south: South, waits_crossed: bool) {
        let &Unknowns { busy_x, busy_y, .. } = unknowns;
        let (goes_east, goes_south) = (1.0 - busy_x, busy_x * (1.0 - busy_y));
        let both_busy = busy_x * busy_y;
        let south_first = south.unwrap_or_else(|| f64::from(u8::from(unknowns.turns_south())));
        // (39): the wait for X goes with the time of X, that for Y with the time of Y (C2; typeset
        // the other way round).
        let (wait, then_east) = if unknowns.turn_east < unknowns.straight_south {
            (unknowns.turn_east, !waits_crossed)
        } else {
            (unknowns.straight_south, waits_crossed)
        };
        let last = self.hops + 1;
        // From a channel on that leads to `next`: the wait for X there, for Y, and with both busy.
        let from = |ahead: &Self, next, for_x, for_y, waited: &dyn Fn(f64, f64) -> f64| {
            let (east, south) = (ahead.east[next], ahead.south[next]);
            let (row, column) = next;
            match (row == last, column == last) {
                (true, true) => 0.0,
                // (32), (33), (38): nothing is left but X.
                (true, false) => for_x + east,
                // (34), (36), (37): nothing is left but Y.
                (false, true) => for_y + south,
                // (35), (39), with W + T for the printed W·T (C1).
                (false, false) => {
                    goes_east * east + goes_south * south + both_busy * waited(east, south)
                }
            }
        };
        let &Unknowns { straight_east, turn_east, straight_south, turn_south, .. } = unknowns;
        for row in (1..=last).rev() {
            for column in (1..=last).rev() {
                if column < last {
                    let next = (row, column + 1);
                    self.east[(row, column)] =
                        from(self, next, straight_east, turn_south, &|east, south| {
                            south_first * (turn_south + south)
                                + (1.0 - south_first) * (straight_east + east)
                        });
                }
                if row < last {
                    let next = (row + 1, column);
                    self.south[(row, column)] =
                        from(self, next, turn_east, straight_south, &|east, south| {
                            wait + if then_east { east } else { south }
                        });
                }
            }
        }
    }
}

/// The quadrant in one reading, with what was swept last.
#[derive(Clone, Debug)]
pub(super) struct Swept {
    pub quadrant: Quadrant,
    pub switches: Switches,
    pub quadrant_rate: f64,
    pub flows: Flows,
    pub ahead: Ahead,
}

impl Swept {
    pub fn sweep(&mut self, unknowns: &Unknowns, south: South) {
        self.ahead.sweep(unknowns, south, self.switches.waits_crossed);
        self.flows.sweep(unknowns, self.quadrant.both_share * self.quadrant_rate);
    }
}

/// Eqs. (40)–(42): waiting ahead of a message of a single-dimension stream with `hops` channels to
/// go, the one just granted included: `straight` cycles before each but the first.
pub(super) fn single_stream(hops: usize, straight: f64) -> f64 {
    (hops as f64 - 1.0) * straight
}

#[cfg(test)]
mod tests;
