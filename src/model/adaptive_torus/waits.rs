//! Who holds a channel, for how long, and how long one waits for it: eqs. (18)–(31), (43), (44).

use super::ahead::{Ahead, single_stream};
use super::flows::Flows;
use super::reading::Switches;
use super::unknowns::Unknowns;
use crate::model::square::{Conflicts, Hold, Quadrant};

/// Everything that the sums over channels are made of, swept with one set of unknowns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Channels<'a> {
    /// The quadrant.
    pub quadrant: &'a Quadrant,
    /// The reading.
    pub switches: &'a Switches,
    /// t = r/4 in messages per cycle.
    pub quadrant_rate: f64,
    /// The unknowns with which `flows` and `ahead` were swept.
    pub unknowns: &'a Unknowns,
    /// The flows.
    pub flows: &'a Flows,
    /// The waiting ahead.
    pub ahead: &'a Ahead,
}

impl Channels<'_> {
    /// New values of all six unknowns, their waits by (18) with C9, or `None` where a load or a probability reaches 1.
    pub fn renewed(&self) -> Option<Unknowns> {
        let (busy_x, busy_y) = self.busy();
        if !(busy_x < 1.0 && busy_y < 1.0) {
            return None;
        }
        let gain = self.switches.gain;
        Some(Unknowns {
            busy_x,
            busy_y,
            straight_east: self.straight_east().wait(gain)?,
            turn_east: self.turn_east().wait(gain)?,
            straight_south: self.straight_south().wait(gain)?,
            turn_south: self.turn_south().wait(gain)?,
        })
    }

    /// Eqs. (28)–(31), with C8.
    fn hold(&self) -> Hold {
        Hold {
            fixed: self.quadrant.length + self.switches.hold_offset,
            exponential: self.switches.exponential_hold,
        }
    }

    /// β·t: the flow of each single-dimension stream in messages per cycle.
    fn single_flow(&self) -> f64 {
        self.quadrant.single_share * self.quadrant_rate
    }

    /// α·t: the flow that enters the quadrant at (1, 1) in messages per cycle.
    fn entering_flow(&self) -> f64 {
        self.quadrant.both_share * self.quadrant_rate
    }

    /// Eqs. (43), (44): probabilities that an X and that a Y channel is busy. The sum over all
    /// positions of the average message is, by symmetry, the utilisation of one channel; the 2
    /// adds the mirror quadrant.
    fn busy(&self) -> (f64, f64) {
        let (hops, hold) = (self.quadrant.hops, self.hold());
        let (mut busy_x, mut busy_y) = (0.0, 0.0);
        for row in 1..=hops + 1 {
            for column in 1..=hops + 1 {
                // Row and column K+1 carry nothing beyond the quadrant.
                let node = (row, column);
                busy_x += self.flows.east[node] * hold.mean(self.ahead.east[node]);
                busy_y += self.flows.south[node] * hold.mean(self.ahead.south[node]);
            }
        }
        let single = self.single_flow();
        for left in 1..=hops {
            busy_x += single * hold.mean(single_stream(left, self.unknowns.straight_east));
            busy_y += single * hold.mean(single_stream(left, self.unknowns.straight_south));
        }
        (2.0 * busy_x, 2.0 * busy_y)
    }

    /// Eqs. (19)–(24): what is in the way of going straight on east.
    fn straight_east(&self) -> Conflicts {
        // The explanation leaves the last channel out, the typeset sum does not (C7).
        let hops = self.quadrant.hops;
        let columns = if self.switches.last_channel_conflicts { hops } else { hops - 1 };
        let mut conflicts = self.turns_into_east(columns);
        self.add_whole_single(&mut conflicts, self.unknowns.straight_east);
        let flow = self.flows.share_east * self.entering_flow();
        conflicts.add(self.hold(), flow, self.ahead.east[(1, 1)]);
        conflicts
    }

    /// Eq. (23): messages that come from the north and turn into an X channel, in the last row up
    /// to `columns`.
    fn turns_into_east(&self, columns: usize) -> Conflicts {
        let (hops, hold) = (self.quadrant.hops, self.hold());
        let mut conflicts = Conflicts::default();
        for column in 1..=columns {
            let flow = self.flows.south[(hops, column)];
            conflicts.add(hold, flow, self.ahead.east[(hops + 1, column)]);
        }
        for row in 2..=hops {
            for column in 1..=hops {
                let flow = self.flows.share_east * self.flows.south[(row - 1, column)];
                conflicts.add(hold, flow, self.ahead.east[(row, column)]);
            }
        }
        conflicts
    }

    /// Eq. (25): what is in the way of turning from Y into X.
    fn turn_east(&self) -> Conflicts {
        let (hops, hold) = (self.quadrant.hops, self.hold());
        let mut conflicts = Conflicts::default();
        for column in 1..hops {
            let flow = self.flows.east[(hops + 1, column)];
            conflicts.add(hold, flow, self.ahead.east[(hops + 1, column + 1)]);
        }
        // What reaches X(i,j+1) from the west is F^X(i,j); typeset F^Y(i,j) (C4).
        let carried = if self.switches.turn_east_meets_south_flow {
            &self.flows.south
        } else {
            &self.flows.east
        };
        for row in 1..=hops {
            for column in 1..hops {
                let flow = self.flows.share_east * carried[(row, column)];
                conflicts.add(hold, flow, self.ahead.east[(row, column + 1)]);
            }
        }
        // To K as in (27), typeset K−1 (C5).
        let singles = if self.switches.turn_east_meets_last_single { hops } else { hops - 1 };
        self.add_singles(&mut conflicts, singles, self.unknowns.straight_east);
        let flow = self.flows.share_east * self.entering_flow();
        conflicts.add(hold, flow, self.ahead.east[(1, 1)]);
        if self.switches.mirror_turns {
            conflicts.join(self.turns_into_east(hops));
        }
        conflicts
    }

    /// Eq. (26): what is in the way of going straight on south, the mirror of (19)–(24).
    fn straight_south(&self) -> Conflicts {
        // As in `straight_east` (C7).
        let hops = self.quadrant.hops;
        let rows = if self.switches.last_channel_conflicts { hops } else { hops - 1 };
        let mut conflicts = self.turns_into_south(rows);
        self.add_whole_single(&mut conflicts, self.unknowns.straight_south);
        let flow = self.flows.share_south * self.entering_flow();
        conflicts.add(self.hold(), flow, self.ahead.south[(1, 1)]);
        conflicts
    }

    /// Eq. (26), its sums: messages that come from the west and turn into a Y channel, in the last
    /// column up to `rows`.
    fn turns_into_south(&self, rows: usize) -> Conflicts {
        let (hops, hold) = (self.quadrant.hops, self.hold());
        let mut conflicts = Conflicts::default();
        for row in 1..=rows {
            let flow = self.flows.east[(row, hops)];
            conflicts.add(hold, flow, self.ahead.south[(row, hops + 1)]);
        }
        for row in 1..=hops {
            for column in 1..hops {
                let flow = self.flows.share_south * self.flows.east[(row, column)];
                conflicts.add(hold, flow, self.ahead.south[(row, column + 1)]);
            }
        }
        conflicts
    }

    /// Eq. (27): what is in the way of turning from X into Y.
    fn turn_south(&self) -> Conflicts {
        let (hops, hold) = (self.quadrant.hops, self.hold());
        let mut conflicts = Conflicts::default();
        for row in 1..hops {
            let flow = self.flows.south[(row, hops + 1)];
            conflicts.add(hold, flow, self.ahead.south[(row + 1, hops + 1)]);
        }
        // The flow holds a Y channel; typeset its second moment is that of an X channel (C6).
        let moment_of = if self.switches.turn_south_moment_of_east {
            &self.ahead.east
        } else {
            &self.ahead.south
        };
        for row in 1..hops {
            for column in 1..=hops {
                let flow = self.flows.share_south * self.flows.south[(row, column)];
                conflicts.load += flow * hold.mean(self.ahead.south[(row + 1, column)]);
                conflicts.moment += flow * hold.moment(moment_of[(row + 1, column)]);
            }
        }
        let singles = if self.switches.turn_south_meets_last_single { hops } else { hops - 1 };
        self.add_singles(&mut conflicts, singles, self.unknowns.straight_south);
        let flow = self.flows.share_south * self.entering_flow();
        conflicts.add(hold, flow, self.ahead.south[(1, 1)]);
        if self.switches.mirror_turns {
            conflicts.join(self.turns_into_south(hops));
        }
        conflicts
    }

    /// Eq. (24): a single-dimension stream at its source, K channels ahead, waiting `straight`
    /// cycles before each but the first. Typeset, its load is that of K−1 channels, none for
    /// K = 1 (C3).
    fn add_whole_single(&self, conflicts: &mut Conflicts, straight: f64) {
        let (hops, hold, flow) = (self.quadrant.hops, self.hold(), self.single_flow());
        conflicts.moment += flow * hold.moment(single_stream(hops, straight));
        conflicts.load += match (self.switches.straight_single_one_short, hops) {
            (true, 1) => 0.0,
            (true, _) => flow * hold.mean(single_stream(hops - 1, straight)),
            (false, _) => flow * hold.mean(single_stream(hops, straight)),
        };
    }

    /// Eqs. (25), (27), their sums over a single-dimension stream, with 1 to `hops_end` channels
    /// ahead.
    fn add_singles(&self, conflicts: &mut Conflicts, hops_end: usize, straight: f64) {
        let (hold, flow) = (self.hold(), self.single_flow());
        for left in 1..=hops_end {
            conflicts.add(hold, flow, single_stream(left, straight));
        }
    }
}
