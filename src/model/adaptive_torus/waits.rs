//! Who holds a channel, for how long, and how long one waits for it: eqs. (18)–(31), (43), (44).

use super::sweeps::{Grid, Swept, Unknowns, single_stream};
use crate::model::square::{Conflicts, Hold};

/// One direction, X or Y: what flows through its channels and waits ahead of them, and whether a sum
/// is read otherwise than in the other direction.
struct Side<'a> {
    south: bool,
    /// Through its channels, and through those of the other direction.
    flows: &'a Grid,
    others: &'a Grid,
    ahead: &'a Grid,
    share: f64,
    straight: f64,
    /// What reaches a channel along its own direction: (25) has F^Y(i,j) typeset for F^X(i,j) (C4).
    carried: &'a Grid,
    /// Whose second moment goes with that: (27) has that of an X channel typeset (C6).
    moment_of: &'a Grid,
    /// The sums of (25), (27) over a single stream run to K, typeset in (25) K−1 (C5).
    meets_last_single: bool,
}

impl Side<'_> {
    /// The channel before `channel` in its own direction, and that from which one turns into it.
    fn before(&self, (row, column): (usize, usize)) -> [(usize, usize); 2] {
        let (west, north) = ((row, column - 1), (row - 1, column));
        if self.south { [north, west] } else { [west, north] }
    }

    /// Channel `index` of the last row or column, from which only this direction is left.
    fn last(&self, hops: usize, index: usize) -> (usize, usize) {
        if self.south { (index, hops + 1) } else { (hops + 1, index) }
    }
}

impl Swept {
    /// New values of all six `unknowns`, with which was swept, their waits by (18) with C9, or `None` where a load or a
    /// probability reaches 1.
    pub fn renewed(&self, unknowns: &Unknowns) -> Option<Unknowns> {
        let (busy_x, busy_y) = self.busy(unknowns);
        if !(busy_x < 1.0 && busy_y < 1.0) {
            return None;
        }
        let Self { switches, flows, ahead, .. } = self;
        let east = Side {
            south: false,
            flows: &flows.east,
            others: &flows.south,
            ahead: &ahead.east,
            share: flows.share_east,
            straight: unknowns.straight_east,
            carried: if switches.turn_east_meets_south_flow { &flows.south } else { &flows.east },
            moment_of: &ahead.east,
            meets_last_single: switches.turn_east_meets_last_single,
        };
        let south = Side {
            south: true,
            flows: &flows.south,
            others: &flows.east,
            ahead: &ahead.south,
            share: flows.share_south,
            straight: unknowns.straight_south,
            carried: &flows.south,
            moment_of: if switches.turn_south_moment_of_east { &ahead.east } else { &ahead.south },
            meets_last_single: switches.turn_south_meets_last_single,
        };
        let gain = switches.gain;
        Some(Unknowns {
            busy_x,
            busy_y,
            straight_east: self.straight(&east).wait(gain)?,
            turn_east: self.turn(&east).wait(gain)?,
            straight_south: self.straight(&south).wait(gain)?,
            turn_south: self.turn(&south).wait(gain)?,
        })
    }

    /// Eqs. (28)–(31), with C8.
    fn hold(&self) -> Hold {
        Hold {
            fixed: self.quadrant.length + self.switches.hold_offset,
            exponential: self.switches.exponential_hold,
        }
    }

    fn single_flow(&self) -> f64 {
        self.quadrant.single_share * self.quadrant_rate
    }

    fn entering_flow(&self) -> f64 {
        self.quadrant.both_share * self.quadrant_rate
    }

    /// Eqs. (43), (44): probabilities that an X and that a Y channel is busy. The sum over all
    /// positions of the average message is, by symmetry, the utilisation of one channel; the 2
    /// adds the mirror quadrant.
    fn busy(&self, unknowns: &Unknowns) -> (f64, f64) {
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
            busy_x += single * hold.mean(single_stream(left, unknowns.straight_east));
            busy_y += single * hold.mean(single_stream(left, unknowns.straight_south));
        }
        (2.0 * busy_x, 2.0 * busy_y)
    }

    /// Eqs. (19)–(24) and (26): what is in the way of going straight on.
    fn straight(&self, side: &Side<'_>) -> Conflicts {
        let (hops, hold, flow) = (self.quadrant.hops, self.hold(), self.single_flow());
        // The explanation leaves the last channel out, the typeset sum does not (C7).
        let last = if self.switches.last_channel_conflicts { hops } else { hops - 1 };
        let mut conflicts = self.turns_into(side, last);
        // (24): a single-dimension stream at its source, K channels ahead. Typeset, its load is that
        // of K−1 channels, none for K = 1 (C3).
        conflicts.moment += flow * hold.moment(single_stream(hops, side.straight));
        conflicts.load += match (self.switches.straight_single_one_short, hops) {
            (true, 1) => 0.0,
            (true, _) => flow * hold.mean(single_stream(hops - 1, side.straight)),
            (false, _) => flow * hold.mean(single_stream(hops, side.straight)),
        };
        conflicts.add(hold, side.share * self.entering_flow(), side.ahead[(1, 1)]);
        conflicts
    }

    /// Eq. (23), and the sums of (26): messages that turn into a channel, in the last row or column
    /// up to number `last`.
    fn turns_into(&self, side: &Side<'_>, last: usize) -> Conflicts {
        let (hops, hold) = (self.quadrant.hops, self.hold());
        let mut conflicts = Conflicts::default();
        for index in 1..=last {
            let channel = side.last(hops, index);
            let [_, turning] = side.before(channel);
            conflicts.add(hold, side.others[turning], side.ahead[channel]);
        }
        for channel in (1..=hops).flat_map(|row| (1..=hops).map(move |column| (row, column))) {
            let [_, turning] = side.before(channel);
            conflicts.add(hold, side.share * side.others[turning], side.ahead[channel]);
        }
        conflicts
    }

    /// Eqs. (25), (27): what is in the way of turning into this direction.
    fn turn(&self, side: &Side<'_>) -> Conflicts {
        let (hops, hold) = (self.quadrant.hops, self.hold());
        let mut conflicts = Conflicts::default();
        for index in 1..hops {
            let channel = side.last(hops, index + 1);
            let [straight, _] = side.before(channel);
            conflicts.add(hold, side.flows[straight], side.ahead[channel]);
        }
        for channel in (1..=hops).flat_map(|row| (1..=hops).map(move |column| (row, column))) {
            let [straight, _] = side.before(channel);
            let flow = side.share * side.carried[straight];
            conflicts.load += flow * hold.mean(side.ahead[channel]);
            conflicts.moment += flow * hold.moment(side.moment_of[channel]);
        }
        let singles = if side.meets_last_single { hops } else { hops - 1 };
        for left in 1..=singles {
            conflicts.add(hold, self.single_flow(), single_stream(left, side.straight));
        }
        conflicts.add(hold, side.share * self.entering_flow(), side.ahead[(1, 1)]);
        if self.switches.mirror_turns {
            conflicts.join(self.turns_into(side, hops));
        }
        conflicts
    }
}
