//! The readings of the paper's equations, switch by switch.

/// How the equations of the paper are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Reading {
    /// Misprints corrected (C1–C7), and two constants fitted to the model columns of the paper's
    /// Tables 1 and 2: channels are held one cycle longer (C8) and waits are twice those of
    /// Pollaczek and Khinchine (C9). Within 1 % of those columns but for 12 × 12 at high load.
    #[default]
    Calibrated,
    /// Misprints corrected (C1–C7) and nothing else.
    Corrected,
    /// The sums as typeset, where that is dimensionally possible (C1 is made). Its latency drops by
    /// a jump at single rates, where a choice of (39) or (46) changes sides.
    Printed,
    /// A rival without fitted constants: the whole hold is exponential, turns from the mirror
    /// quadrant are in the way too; C1, C3 and C4 are made.
    ExponentialHold,
}

impl Reading {
    /// Where this reading stands at every place that can be read differently.
    pub(super) const fn switches(self) -> Switches {
        let corrected = Switches {
            hold_offset: 0.0,
            gain: 1.0,
            exponential_hold: false,
            last_channel_conflicts: false,
            turn_east_meets_south_flow: false,
            turn_east_meets_last_single: true,
            turn_south_meets_last_single: true,
            turn_south_moment_of_east: false,
            straight_single_one_short: false,
            waits_crossed: false,
            mirror_turns: false,
            singles_pay_turns: true,
        };
        match self {
            Self::Calibrated => Switches { hold_offset: 1.0, gain: 2.0, ..corrected },
            Self::Corrected => corrected,
            Self::Printed => Switches {
                last_channel_conflicts: true,
                turn_east_meets_south_flow: true,
                turn_east_meets_last_single: false,
                turn_south_moment_of_east: true,
                straight_single_one_short: true,
                waits_crossed: true,
                ..corrected
            },
            Self::ExponentialHold => Switches {
                exponential_hold: true,
                last_channel_conflicts: true,
                turn_east_meets_last_single: false,
                turn_south_meets_last_single: false,
                turn_south_moment_of_east: true,
                waits_crossed: true,
                mirror_turns: true,
                singles_pay_turns: false,
                ..corrected
            },
        }
    }
}

/// Every place that the readings read differently.
#[expect(clippy::struct_excessive_bools, reason = "each is one yes or no about one equation")]
#[derive(Clone, Copy, Debug)]
pub(super) struct Switches {
    /// Cycles added to the hold time of a channel, (28)–(31). Text: 0; fitted (C8): 1.
    pub hold_offset: f64,
    /// Factor on the waits of (18). Text: 1; fitted (C9): 2.
    pub gain: f64,
    /// Second moment of a hold: 2u² (the whole hold exponential) instead of u² plus the square of
    /// the waiting in it (fixed length, exponential waiting).
    pub exponential_hold: bool,
    /// The first sums of (23) and (26) run to K, as typeset, instead of K−1, as explained (C7).
    pub last_channel_conflicts: bool,
    /// The second sum of (25) carries F^Y(i,j), as typeset, instead of F^X(i,j) (C4).
    pub turn_east_meets_south_flow: bool,
    /// The sum over the X-only stream in (25) runs to K (C5) instead of K−1.
    pub turn_east_meets_last_single: bool,
    /// The sum over the Y-only stream in (27) runs to K instead of K−1.
    pub turn_south_meets_last_single: bool,
    /// The second moment in the second sum of (27) is that of X(i+1,j), as typeset, instead of
    /// Y(i+1,j), whose load it goes with (C6).
    pub turn_south_moment_of_east: bool,
    /// The load of the single-dimension stream in (24) and its mirror counts the hold of K−1 hops,
    /// as typeset, instead of K (C3).
    pub straight_single_one_short: bool,
    /// In (39), with both channels busy, the wait for X leads to the time of Y and the other way
    /// round, as typeset, instead of each to its own (C2).
    pub waits_crossed: bool,
    /// Turns from the mirror quadrant are in the way of turns too, (25) and (27).
    pub mirror_turns: bool,
    /// In (45), the single-dimension streams pay for a turn and for going straight at the source,
    /// as typeset, instead of for going straight only.
    pub singles_pay_turns: bool,
}
