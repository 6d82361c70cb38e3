//! The rates by which a solution is climbed to that is not there when messages are served in order of arrival.

use crate::model::wanted;

/// The part of a rate, and again of that, at which a solution is looked for where there is none.
const PART: f64 = 0.8;
const PARTS: i32 = 5;

/// Steps from there to the whole rate, in each of which ages are renewed.
const STEPS: u32 = 2;

/// The parts of a rate at which a solution is looked for where there is none, as long as somebody wants them.
pub(super) fn lower() -> impl Iterator<Item = f64> {
    (1..=PARTS).map(|times| PART.powi(times)).take_while(|_| !wanted::no_longer())
}

/// From a part to all of a rate.
pub(super) fn steps(part: f64) -> impl Iterator<Item = f64> {
    (1..=STEPS).map(move |step| part + (1.0 - part) * f64::from(step) / f64::from(STEPS))
}
