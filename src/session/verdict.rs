//! Saturation in words: what a run says of itself, and of a model that says otherwise.
//!
//! A run is judged by its statistics ([`crate::stats`]), which call it saturated after fifteen samples
//! at the earliest: 15 360 cycles after its start or the last change of its load, looked at again every
//! 1 024 cycles. Until they know, nothing is said, for or against.

use crate::model::{Prediction, Unsolved};
use crate::stats::Summary;

/// The first word of [`announced`], where there is no room for more.
pub const SATURATED: &str = "SATURATED";

/// What a saturated run says: `SATURATED: accepts 34 % of what is offered`. `None` of a run that is
/// not, or of which that cannot be told yet.
pub fn announced(summary: &Summary) -> Option<String> {
    let accepted: f64 = summary.accepted.filter(|_| summary.steadiness.is_saturated())?;
    // What is not all is never rounded up to all. (A run that carried its load for long and then
    // collapsed may have accepted nearly all in the mean.)
    let percent = (100.0 * accepted / summary.offered).floor();
    Some(if percent < 100.0 {
        format!("{SATURATED}: accepts {percent:.0} % of what is offered")
    } else {
        format!("{SATURATED}: accepts less than is offered")
    })
}

/// What is wrong with a model's verdict on saturation at the load of a run, in words that follow
/// "wrong here: "; `None` where both agree, or where either cannot tell.
pub fn refuted(prediction: &Result<Prediction, Unsolved>, summary: &Summary) -> Option<String> {
    let says = match (Unsolved::saturated(prediction)?, summary.steadiness.saturated()?) {
        (true, false) => "saturated",
        (false, true) => "a steady state",
        (true, true) | (false, false) => return None,
    };
    let (accepted, offered) = (summary.accepted?, summary.offered);
    Some(format!("it says {says}, the run accepts {accepted:.4} of {offered:.4}"))
}

#[cfg(test)]
mod tests;
