//! The field `traffic.lengths`: flits, or transmission times over circuits.

use super::node::Node;
use super::reader::{Fields, Reader};
use crate::switching::circuit::TIME_MAX;
use crate::traffic::Lengths;
use crate::traffic::lengths::{self, LENGTH_MAX};
use crate::units::FLITS_PER_TIME;
use crate::words::Need::Example;
use crate::words::{self, Kind, Words, words};

words! {
    /// Lengths in flits.
    pub(super) enum Flits {
        /// All the same.
        Fixed(u32 = "Fixed(12)", Kind::whole("a length in flits", 1, LENGTH_MAX)),
        /// From 1 flit up.
        Geometric {
            /// In flits.
            mean: f64 = Example("12"), MEAN;
        },
        /// Geometric when counted in flits.
        Exponential {
            /// In flits.
            mean: f64 = Example("12"), MEAN;
        },
        /// All lengths between two with the same probability.
        Uniform {
            /// In flits.
            min: u32 = Example("4"), Kind::whole("the shortest length in flits", 1, LENGTH_MAX);
            /// In flits.
            max: u32 = Example("20"), Kind::whole("the longest length in flits", 1, LENGTH_MAX);
        },
    }

    /// Lengths of messages over circuits: transmission times.
    pub(super) enum Times {
        /// All the same.
        Fixed(f64 = "Fixed(1)", time("a transmission time", "1", TIME_MAX)),
        /// From next to nothing up.
        Exponential {
            /// In units of time.
            mean: f64 = Example("1"), time("the mean transmission time", "1", EXPONENTIAL_MAX);
        },
        /// All times between two with the same probability.
        Uniform {
            /// In units of time.
            min: f64 = Example("0.1"), time("the shortest transmission time", "1", TIME_MAX);
            /// In units of time.
            max: f64 = Example("1.9"), time("the longest transmission time", "1", TIME_MAX);
        },
    }
}

const MEAN: Kind = Kind::within("the mean length", "12", (1.0, LENGTH_MAX as f64), "flits");

/// The longest mean of exponential transmission times: their longest are twenty times as long.
const EXPONENTIAL_MAX: f64 = 5.0;

const fn time(called: &'static str, example: &'static str, most: f64) -> Kind {
    Kind::within(called, example, (1.0 / FLITS_PER_TIME as f64, most), "units of time")
}

/// Reads lengths in flits.
pub(super) fn flits<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Lengths> {
    let (lengths, fields) = reader.term("traffic.lengths", node, &[Flits::VALUES])?;
    Some(match lengths {
        Flits::Fixed(length) => Lengths::Fixed(length),
        Flits::Geometric { mean } => Lengths::Geometric(mean),
        Flits::Exponential { mean } => Lengths::Exponential(mean),
        Flits::Uniform { min, max } => {
            in_order(reader, fields.as_ref(), "length", &min, &max)?;
            Lengths::Uniform { min, max }
        }
    })
}

/// Reads lengths as transmission times; they are kept in flits of 1/[`FLITS_PER_TIME`] of the unit.
pub(super) fn times<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Lengths> {
    let flits = |time: f64| (time * f64::from(FLITS_PER_TIME)).round() as u32;
    let (times, fields) = reader.term("traffic.lengths", node, &[Times::VALUES])?;
    Some(match times {
        Times::Fixed(time) => Lengths::Fixed(flits(time)),
        Times::Exponential { mean } => Lengths::Exponential(mean * f64::from(FLITS_PER_TIME)),
        Times::Uniform { min, max } => {
            in_order(reader, fields.as_ref(), "transmission time", &min, &max)?;
            Lengths::Uniform { min: flits(min), max: flits(max) }
        }
    })
}

/// Lengths as a scenario says them.
pub(super) fn written(lengths: &Lengths, circuits: bool) -> String {
    if circuits {
        return words::written(&match lengths.times() {
            lengths::Times::Constant(time) => Times::Fixed(time),
            lengths::Times::Exponential(mean) => Times::Exponential { mean },
            lengths::Times::Uniform { min, max } => Times::Uniform { min, max },
        });
    }
    words::written(&match *lengths {
        Lengths::Fixed(length) => Flits::Fixed(length),
        Lengths::Geometric(mean) => Flits::Geometric { mean },
        Lengths::Exponential(mean) => Flits::Exponential { mean },
        Lengths::Uniform { min, max } => Flits::Uniform { min, max },
    })
}

/// Whether the longest is not below the shortest.
fn in_order<'a, T: PartialOrd + std::fmt::Display>(
    reader: &mut Reader<'a>,
    fields: Option<&Fields<'a>>,
    called: &str,
    min: &T,
    max: &T,
) -> Option<()> {
    if min <= max {
        return Some(());
    }
    let what = format!("the longest {called}, {max}, is below the shortest, {min}");
    reader.problem(fields?.get("max")?.value, what, Some(format!("write {min} or more")));
    None
}
