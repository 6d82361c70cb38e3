//! Who holds a channel, for how long, and how long one waits for it: eqs. (18)–(31), (43), (44).

use super::sweeps::{Reading, Swept, Unknowns, single_stream};
use crate::model::square::{Conflicts, Hold};

/// One direction, X or Y: what flows through its channels and waits ahead of them, and whether a sum
/// is read otherwise than in the other direction.
struct Side<'a> {
    south: bool,
    /// Through its channels, and through those of the other direction.
    flows: &'a [f64],
    others: &'a [f64],
    ahead: &'a [f64],
    share: f64,
    straight: f64,
    /// What reaches a channel along its own direction: (25) has F^Y(i,j) typeset for F^X(i,j) (C4).
    carried: &'a [f64],
    /// Whose second moment goes with that: (27) has that of an X channel typeset (C6).
    moment_of: &'a [f64],
    /// The sums of (25), (27) over a single stream run to K, typeset in (25) K−1 (C5).
    meets_last_single: bool,
}

impl Side<'_> {
    /// The channel before `channel` in its own direction, and that from which one turns into it.
    fn before(&self, channel: usize, side: usize) -> [usize; 2] {
        let (west, north) = (channel - 1, channel - side);
        if self.south { [north, west] } else { [west, north] }
    }

    /// Channel `index` of the last row or column, from which only this direction is left.
    fn last(&self, index: usize, side: usize) -> usize {
        if self.south { index * side + side - 1 } else { (side - 1) * side + index }
    }
}

/// What a message meets of one or more average messages: probabilities that an X and that a Y channel is
/// busy, and what is in the way of going straight east, turning east, going straight south and turning south.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Met {
    busy: [f64; 2],
    conflicts: [Conflicts; 4],
}

impl Met {
    /// All of `other` as well.
    pub fn join(&mut self, other: Self) {
        for (busy, more) in self.busy.iter_mut().zip(other.busy) {
            *busy += more;
        }
        for (conflicts, more) in self.conflicts.iter_mut().zip(other.conflicts) {
            conflicts.join(more);
        }
    }

    /// New values of all six unknowns in this reading, their waits by (18) with C9, or `None` where a load
    /// or a probability reaches 1.
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
    /// What others meet of this average message, with the `unknowns` with which was swept.
    pub fn met(&self, unknowns: &Unknowns) -> Met {
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
        Met { busy: self.busy(unknowns), conflicts }
    }

    /// Eqs. (28)–(31); fitted, channels are held a cycle longer (C8).
    fn hold(&self) -> Hold {
        let offset = if self.reading == Reading::Calibrated { 1.0 } else { 0.0 };
        Hold {
            fixed: self.quadrant.length + offset,
            exponential: self.reading == Reading::ExponentialHold,
        }
    }

    fn single_flow(&self) -> f64 {
        self.quadrant.single_share * self.quadrant_rate
    }

    /// The channels of the nodes that still have both dimensions ahead.
    fn inner(&self) -> impl Iterator<Item = usize> + use<> {
        let (hops, side) = (self.quadrant.hops, self.side());
        (1..=hops).flat_map(move |row| (1..=hops).map(move |column| row * side + column))
    }

    /// Eqs. (43), (44): probabilities that an X and that a Y channel is busy. The sum over all
    /// positions of the average message is, by symmetry, the utilisation of one channel; the 2
    /// adds the mirror quadrant.
    fn busy(&self, &[_, _, straight_east, _, straight_south, _]: &Unknowns) -> [f64; 2] {
        let hold = self.hold();
        let sides = [
            (&self.flow_east, &self.ahead_east, straight_east),
            (&self.flow_south, &self.ahead_south, straight_south),
        ];
        sides.map(|(flows, ahead, straight)| {
            // Row and column 0, and what leads beyond the quadrant, carry nothing.
            let mut busy = 0.0;
            for (flow, ahead) in flows.iter().zip(ahead) {
                busy += flow * hold.mean(*ahead);
            }
            for left in 1..=self.quadrant.hops {
                busy += self.single_flow() * hold.mean(single_stream(left, straight));
            }
            2.0 * busy
        })
    }

    /// Eqs. (19)–(24) and (26): what is in the way of going straight on.
    fn straight(&self, side: &Side<'_>) -> Conflicts {
        let (hops, hold, flow) = (self.quadrant.hops, self.hold(), self.single_flow());
        // The explanation leaves the last channel out, the typeset sum does not (C7).
        let last = if self.reading.typeset() { hops } else { hops - 1 };
        let mut conflicts = self.turns_into(side, last);
        // (24): a single-dimension stream at its source, K channels ahead. Typeset, its load is that
        // of K−1 channels, none for K = 1 (C3).
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
            let channel = side.last(index, self.side());
            let [_, turning] = side.before(channel, self.side());
            conflicts.add(hold, side.others[turning], side.ahead[channel]);
        }
        for channel in self.inner() {
            let [_, turning] = side.before(channel, self.side());
            conflicts.add(hold, side.share * side.others[turning], side.ahead[channel]);
        }
        conflicts
    }

    /// Eqs. (25), (27): what is in the way of turning into this direction.
    fn turn(&self, side: &Side<'_>) -> Conflicts {
        let (hops, hold) = (self.quadrant.hops, self.hold());
        let mut conflicts = Conflicts::default();
        for index in 1..hops {
            let channel = side.last(index + 1, self.side());
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
            conflicts.add(hold, self.single_flow(), single_stream(left, side.straight));
        }
        conflicts.add(hold, side.share * self.entering_flow(), side.ahead[self.side() + 1]);
        // Turns from the mirror quadrant are in the way too.
        if self.reading == Reading::ExponentialHold {
            conflicts.join(self.turns_into(side, hops));
        }
        conflicts
    }
}
