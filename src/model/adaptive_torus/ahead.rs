//! How long a message has still to wait from each channel on, eqs. (32)–(42).

use super::grid::Grid;
use super::unknowns::Unknowns;

/// Which channel a message takes that came by an X channel and finds both channels ahead busy, (35).
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Preference {
    /// The one with the smaller mean wait (the paper's r).
    SmallerWait,
    /// South with this probability, else east. Where [`Self::SmallerWait`] jumps, this takes the
    /// values in between.
    South(f64),
}

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
    /// No waiting, for a quadrant of `hops` × `hops`.
    pub fn new(hops: usize) -> Self {
        Self { hops, east: Grid::new(hops), south: Grid::new(hops) }
    }

    /// Eqs. (32)–(39), destination to source. `waits_crossed` reads (39) as typeset.
    pub fn sweep(&mut self, unknowns: &Unknowns, preference: Preference, waits_crossed: bool) {
        let &Unknowns { busy_x, busy_y, .. } = unknowns;
        let (goes_east, goes_south) = (1.0 - busy_x, busy_x * (1.0 - busy_y));
        let both_busy = busy_x * busy_y;
        let south_first = match preference {
            Preference::SmallerWait => {
                f64::from(u8::from(unknowns.turn_south < unknowns.straight_east))
            }
            Preference::South(probability) => probability,
        };
        // (39): the wait for X goes with the time of X, that for Y with the time of Y (C2; typeset
        // the other way round).
        let (wait, then_east) = if unknowns.turn_east < unknowns.straight_south {
            (unknowns.turn_east, !waits_crossed)
        } else {
            (unknowns.straight_south, waits_crossed)
        };
        let hops = self.hops;
        let last = hops + 1;
        for row in (1..=last).rev() {
            for column in (1..=last).rev() {
                if column <= hops {
                    self.east[(row, column)] = if row == last {
                        // (32), (33): nothing is left but X.
                        if column == hops {
                            0.0
                        } else {
                            unknowns.straight_east + self.east[(row, column + 1)]
                        }
                    } else if column == hops {
                        // (34): the last X channel, all that is left is Y.
                        unknowns.turn_south + self.south[(row, last)]
                    } else {
                        // (35), with W + T for the printed W·T (C1).
                        let east = self.east[(row, column + 1)];
                        let south = self.south[(row, column + 1)];
                        let waited = south_first * (unknowns.turn_south + south)
                            + (1.0 - south_first) * (unknowns.straight_east + east);
                        goes_east * east + goes_south * south + both_busy * waited
                    };
                }
                if row <= hops {
                    self.south[(row, column)] = if column == last {
                        // (36), (37): nothing is left but Y.
                        if row == hops {
                            0.0
                        } else {
                            unknowns.straight_south + self.south[(row + 1, column)]
                        }
                    } else if row == hops {
                        // (38): the last Y channel, all that is left is X.
                        unknowns.turn_east + self.east[(last, column)]
                    } else {
                        // (39), with W + T for the printed W·T (C1).
                        let east = self.east[(row + 1, column)];
                        let south = self.south[(row + 1, column)];
                        let waited = wait + if then_east { east } else { south };
                        goes_east * east + goes_south * south + both_busy * waited
                    };
                }
            }
        }
    }
}

/// Eqs. (40)–(42): waiting ahead of a message of a single-dimension stream with `hops` channels to
/// go, the one just granted included: `straight` cycles before each but the first.
pub(super) fn single_stream(hops: usize, straight: f64) -> f64 {
    (hops as f64 - 1.0) * straight
}
