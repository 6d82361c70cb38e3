//! When messages are generated: one unit-rate stream per node, mapped to cycles by a time axis
//! that knows every rate there has been.
//!
//! A node draws exponential gaps of mean 1 on an abstract axis of *units*; the [`Axis`] says which
//! cycle a unit falls in. A change of rate stretches the axis from that cycle on and moves no draw,
//! so runs at two rates see the same messages, and a cursor that lags behind
//! finds the birth of a message that was generated long ago under an older rate.
//! Units are fixed-point (2⁻³²), so the mapping is the same on every machine.

use educe::Educe;
use get_size2::GetSize;

use crate::random::{Stream, mix};
use crate::units::Rate;

/// The arrival process of every node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Process {
    /// Exponential gaps, floored to cycles.
    Poisson,
    /// A message per cycle with probability `rate` (Bernoulli trials; geometric gaps).
    Geometric,
}

/// The lowest rate that the axis can hold, in messages per node and cycle.
pub const RATE_MIN: f64 = 1e-9;

/// A unit on the axis.
const UNIT: f64 = 4_294_967_296.0;

/// A stretch of the axis with one rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
struct Segment {
    from_cycle: u64,
    from_units: u64,
    /// Cycles per unit, fixed-point 2⁻³².
    stretch: u64,
}

/// Maps units to cycles, or to ticks of 2⁻³² of a unit of time.
#[derive(PartialEq, Eq, Debug, Educe, GetSize)]
#[educe(Clone)]
pub struct Axis {
    #[get_size(ignore)]
    process: Process,
    /// Bits of the product of units and stretch that are dropped: 64 for cycles, 32 for ticks, of
    /// which a cycle holds 2³².
    dropped: u32,
    segments: Vec<Segment>,
}

impl Axis {
    /// The axis of a run that starts at cycle 0 with `rate`.
    pub fn new(process: Process, rate: Rate) -> Self {
        let stretch = stretch(process, rate);
        Self {
            process,
            dropped: 64,
            segments: vec![Segment { from_cycle: 0, from_units: 0, stretch }],
        }
    }

    /// The same axis, never asked for anything yet, that maps units to ticks: 2³² times as fine, so that
    /// the cycle of an arrival is its tick divided by 2³² and floored. For Poisson arrivals only.
    #[must_use]
    pub fn in_ticks(self) -> Self {
        Self { dropped: 32, ..self }
    }

    /// Changes the rate from `cycle` on.
    pub fn set_rate(&mut self, cycle: u64, rate: Rate) {
        let from_units = self.units_at(cycle);
        let stretch = stretch(self.process, rate);
        self.segments.push(Segment { from_cycle: cycle, from_units, stretch });
    }

    /// The cycle in which `units` falls.
    fn cycle_of(&self, units: u64) -> u64 {
        let at = self.segments.partition_point(|s| s.from_units <= units) - 1;
        let segment = self.segments[at];
        let ahead = u128::from(units - segment.from_units) * u128::from(segment.stretch);
        segment.from_cycle + (ahead >> self.dropped) as u64
    }

    /// The first units that fall in `cycle` or later.
    fn units_at(&self, cycle: u64) -> u64 {
        let at = self.segments.partition_point(|s| s.from_cycle <= cycle) - 1;
        let segment = self.segments[at];
        let ahead = u128::from(cycle - segment.from_cycle) << self.dropped;
        segment.from_units + ahead.div_ceil(u128::from(segment.stretch)) as u64
    }

    /// A hash of the axis.
    pub fn fingerprint(&self) -> u64 {
        let Self { process: _, dropped: _, segments } = self;
        segments
            .iter()
            .fold(0, |hash, s| mix(mix(mix(hash, s.from_cycle), s.from_units), s.stretch))
    }
}

fn stretch(process: Process, rate: Rate) -> u64 {
    let rate = rate.0.max(RATE_MIN);
    let units_per_cycle = match process {
        Process::Poisson => rate,
        // Bernoulli trials with p = 1 − e^(−units per cycle); beyond 40 p is 1 to the last bit.
        Process::Geometric if rate < 1.0 => (-libm::log1p(-rate)).min(40.0),
        Process::Geometric => 40.0,
    };
    (UNIT / units_per_cycle) as u64
}

/// One node's place in its stream of arrivals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cursor {
    stream: Stream,
    units: u64,
}

impl Cursor {
    /// Stands at the first arrival of `stream`.
    pub fn new(mut stream: Stream) -> Self {
        let units = gap(&mut stream);
        Self { stream, units }
    }

    /// The cycle of the arrival at which the cursor stands.
    pub fn cycle(&self, axis: &Axis) -> u64 {
        axis.cycle_of(self.units)
    }

    /// Goes on to the next arrival.
    pub fn step(&mut self, axis: &Axis) {
        let from = match axis.process {
            Process::Poisson => self.units,
            // A cycle holds one trial: the next one begins with the next cycle.
            Process::Geometric => axis.units_at(self.cycle(axis) + 1),
        };
        self.units = from + gap(&mut self.stream);
    }

    /// A hash of the cursor.
    pub fn fingerprint(&self) -> u64 {
        mix(self.stream.fingerprint(), self.units)
    }
}

fn gap(stream: &mut Stream) -> u64 {
    (stream.exponential() * UNIT) as u64
}

#[cfg(test)]
mod tests;
