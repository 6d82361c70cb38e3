//! Holding times of channels, and mean waits for them: eqs. (18)–(31), (43), (44).

use super::sweeps::{Reading, Swept, Unknowns, single_stream};
use crate::model::square::{Conflicts, Hold};

/// One direction, X or Y: flows over its channels, remaining waits, and differences in the reading
/// of the sums.
struct Side<'a> {
    south: bool,
    /// Flows over the direction's channels, and over the channels of the other direction.
    flows: &'a [f64],
    others: &'a [f64],
    ahead: &'a [f64],
    share: f64,
    straight: f64,
    /// Flow into a channel from its own direction: (25) has F^Y(i,j) typeset for F^X(i,j) (C4).
    carried: &'a [f64],
    /// Remaining waits for the second moment of the same flow: (27) has the moment of an X channel
    /// typeset (C6).
    moment_of: &'a [f64],
    /// The sums of (25), (27) over a single stream run to K, typeset in (25) K−1 (C5).
    meets_last_single: bool,
}

impl Side<'_> {
    /// The preceding channel in the same direction, and the preceding channel before a turn.
    fn before(&self, channel: usize, side: usize) -> [usize; 2] {
        let (west, north) = (channel - 1, channel - side);
        if self.south { [north, west] } else { [west, north] }
    }

    /// The direction's number among the dimensions.
    fn dimension(&self) -> usize {
        usize::from(self.south)
    }
}

/// Conflicts with one or more average messages: probabilities of a busy X and a busy Y channel, and
/// conflicting messages for continuing east, turning east, continuing south and turning south.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ConflictSums {
    busy: [f64; 2],
    conflicts: [Conflicts; 4],
}

impl ConflictSums {
    /// Adds the conflicts of `other`.
    pub fn join(&mut self, other: Self) {
        for (busy, more) in self.busy.iter_mut().zip(other.busy) {
            *busy += more;
        }
        for (conflicts, more) in self.conflicts.iter_mut().zip(other.conflicts) {
            conflicts.join(more);
        }
    }

    /// New values of all six unknowns in this reading, with waits by (18) with C9, or `None` if a
    /// load or a probability reaches 1.
    pub fn renewed(&self, reading: Reading) -> Option<Unknowns> {
        let [busy_x, busy_y] = self.busy;
        if !(busy_x < 1.0 && busy_y < 1.0) {
            return None;
        }
        let gain = if reading == Reading::Calibrated { 2.0 } else { 1.0 };
        let [straight_east, turn_east, straight_south, turn_south] = self.conflicts;
        Some([
            busy_x,
            busy_y,
            straight_east.wait(gain)?,
            turn_east.wait(gain)?,
            straight_south.wait(gain)?,
            turn_south.wait(gain)?,
        ])
    }
}

impl Swept {
    /// Conflicts of other messages with this average message, given the `unknowns` used for the
    /// sweep.
    pub fn conflict_sums(&self, unknowns: &Unknowns) -> ConflictSums {
        let &[_, _, straight_east, _, straight_south, _] = unknowns;
        let (reading, typeset) = (self.reading, self.reading.typeset());
        let printed = reading == Reading::Printed;
        let east = Side {
            south: false,
            flows: &self.flow_east,
            others: &self.flow_south,
            ahead: &self.ahead_east,
            share: self.share_east,
            straight: straight_east,
            carried: if printed { &self.flow_south } else { &self.flow_east },
            moment_of: &self.ahead_east,
            meets_last_single: !typeset,
        };
        let south = Side {
            south: true,
            flows: &self.flow_south,
            others: &self.flow_east,
            ahead: &self.ahead_south,
            share: self.share_south,
            straight: straight_south,
            carried: &self.flow_south,
            moment_of: if typeset { &self.ahead_east } else { &self.ahead_south },
            meets_last_single: reading != Reading::ExponentialHold,
        };
        let conflicts =
            [self.straight(&east), self.turn(&east), self.straight(&south), self.turn(&south)];
        ConflictSums { busy: self.busy(unknowns), conflicts }
    }

    /// Eqs. (28)–(31); in the calibrated reading, channels are held a cycle longer (C8).
    fn hold(&self) -> Hold {
        let offset = if self.reading == Reading::Calibrated { 1.0 } else { 0.0 };
        Hold {
            fixed: self.quadrant.length + offset,
            exponential: self.reading == Reading::ExponentialHold,
        }
    }

    fn single_flow(&self, dimension: usize) -> f64 {
        self.quadrant.single_share[dimension] * self.quadrant_rate
    }

    /// Channel `index` of the last row or column, the only remaining direction.
    fn in_last(&self, side: &Side<'_>, index: usize) -> usize {
        let [row, column] = self.last();
        if side.south { index * self.side() + column } else { row * self.side() + index }
    }

    /// Channels of the nodes with both dimensions ahead.
    fn inner(&self) -> impl Iterator<Item = usize> + use<> {
        let ([columns, rows], side) = (self.quadrant.hops, self.side());
        (1..=rows).flat_map(move |row| (1..=columns).map(move |column| row * side + column))
    }

    /// Eqs. (43), (44): probabilities of a busy X and a busy Y channel. The sum over all positions
    /// of the average message is, by symmetry, the utilisation of one channel; the factor 2
    /// accounts for the mirror quadrant.
    fn busy(&self, &[_, _, straight_east, _, straight_south, _]: &Unknowns) -> [f64; 2] {
        let hold = self.hold();
        let sides = [
            (0, &self.flow_east, &self.ahead_east, straight_east),
            (1, &self.flow_south, &self.ahead_south, straight_south),
        ];
        sides.map(|(dimension, flows, ahead, straight)| {
            // Row and column 0, and channels beyond the quadrant, have no flow.
            let mut busy = 0.0;
            for (flow, ahead) in flows.iter().zip(ahead) {
                busy += flow * hold.mean(*ahead);
            }
            for left in 1..=self.quadrant.hops[dimension] {
                busy += self.single_flow(dimension) * hold.mean(single_stream(left, straight));
            }
            2.0 * busy
        })
    }

    /// Eqs. (19)–(24) and (26): messages that conflict with continuing straight.
    fn straight(&self, side: &Side<'_>) -> Conflicts {
        let (hold, dimension) = (self.hold(), side.dimension());
        let (hops, flow) = (self.quadrant.hops[dimension], self.single_flow(dimension));
        // The explanation excludes the last channel, the typeset sum does not (C7).
        let last = if self.reading.typeset() { hops } else { hops - 1 };
        let mut conflicts = self.turns_into(side, last);
        // (24): a single-dimension stream at its source, with K channels ahead. As typeset, the
        // load is for K−1 channels, none for K = 1 (C3).
        conflicts.moment += flow * hold.moment(single_stream(hops, side.straight));
        conflicts.load += match (self.reading == Reading::Printed, hops) {
            (true, 1) => 0.0,
            (true, _) => flow * hold.mean(single_stream(hops - 1, side.straight)),
            (false, _) => flow * hold.mean(single_stream(hops, side.straight)),
        };
        conflicts.add(hold, side.share * self.entering_flow(), side.ahead[self.side() + 1]);
        conflicts
    }

    /// Eq. (23), and the sums of (26): messages that turn into a channel, in the last row or column
    /// up to number `last`.
    fn turns_into(&self, side: &Side<'_>, last: usize) -> Conflicts {
        let hold = self.hold();
        let mut conflicts = Conflicts::default();
        for index in 1..=last {
            let channel = self.in_last(side, index);
            let [_, turning] = side.before(channel, self.side());
            conflicts.add(hold, side.others[turning], side.ahead[channel]);
        }
        for channel in self.inner() {
            let [_, turning] = side.before(channel, self.side());
            conflicts.add(hold, side.share * side.others[turning], side.ahead[channel]);
        }
        conflicts
    }

    /// Eqs. (25), (27): messages that conflict with turning into this direction.
    fn turn(&self, side: &Side<'_>) -> Conflicts {
        let (hold, dimension) = (self.hold(), side.dimension());
        let hops = self.quadrant.hops[dimension];
        let mut conflicts = Conflicts::default();
        for index in 1..hops {
            let channel = self.in_last(side, index + 1);
            let [straight, _] = side.before(channel, self.side());
            conflicts.add(hold, side.flows[straight], side.ahead[channel]);
        }
        for channel in self.inner() {
            let [straight, _] = side.before(channel, self.side());
            let flow = side.share * side.carried[straight];
            conflicts.load += flow * hold.mean(side.ahead[channel]);
            conflicts.moment += flow * hold.moment(side.moment_of[channel]);
        }
        let singles = if side.meets_last_single { hops } else { hops - 1 };
        for left in 1..=singles {
            conflicts.add(hold, self.single_flow(dimension), single_stream(left, side.straight));
        }
        conflicts.add(hold, side.share * self.entering_flow(), side.ahead[self.side() + 1]);
        // Turns from the mirror quadrant conflict too.
        if self.reading == Reading::ExponentialHold {
            conflicts.join(self.turns_into(side, hops));
        }
        conflicts
    }
}
