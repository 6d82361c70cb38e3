//! The six unknowns of the fixed point.

/// The six unknowns.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Unknowns {
    /// pX: probability that an X channel is busy, (43).
    pub busy_x: f64,
    /// pY: probability that a Y channel is busy, (44).
    pub busy_y: f64,
    /// `W_WE`: mean wait to go straight on east in cycles, (19)–(24).
    pub straight_east: f64,
    /// `W_NE`: mean wait to turn from Y into X in cycles, (25).
    pub turn_east: f64,
    /// `W_NS`: mean wait to go straight on south in cycles, (26).
    pub straight_south: f64,
    /// `W_WS`: mean wait to turn from X into Y in cycles, (27).
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
