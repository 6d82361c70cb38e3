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

impl Unknowns {
    /// The unknowns of two sets, put together one by one.
    pub fn combine(&self, other: &Self, mut combined: impl FnMut(f64, f64) -> f64) -> Self {
        Self {
            busy_x: combined(self.busy_x, other.busy_x),
            busy_y: combined(self.busy_y, other.busy_y),
            straight_east: combined(self.straight_east, other.straight_east),
            turn_east: combined(self.turn_east, other.turn_east),
            straight_south: combined(self.straight_south, other.straight_south),
            turn_south: combined(self.turn_south, other.turn_south),
        }
    }

    /// The largest difference of an unknown.
    pub fn distance(&self, other: &Self) -> f64 {
        let mut largest = 0.0f64;
        self.combine(other, |a, b| {
            largest = largest.max((a - b).abs());
            a
        });
        largest
    }

    /// Whether a message on X that finds both channels ahead busy had better turn south (r = 0).
    pub fn turns_south(&self) -> bool {
        self.turn_south < self.straight_east
    }
}
