//! Bursty arrivals of a source with active and silent periods.
//!
//! An active source sends at its peak rate; after every message the source pauses with the same
//! probability, and a message ends the pause.
//!
//! Two states with exponential gaps, short within bursts and long between bursts: an interrupted
//! Poisson process (A. Kuczura, *The interrupted Poisson process as an overflow process*, Bell
//! System Technical Journal 52, 1973). Its gaps are a mixture of two exponential distributions, and
//! successive gaps are independent, so a source has no state.

use crate::random::Stream;

/// Draws the next gap in units of the mean gap. Bursts have `burst` messages on average and `peak`
/// times the mean rate.
pub(super) fn gap(burst: f64, peak: f64, stream: &mut Stream) -> f64 {
    // 53 bits in [0, 1).
    let goes_off = (stream.bits() >> 11) as f64 * burst < (1u64 << 53) as f64;
    let mean = if goes_off { pause(burst, peak) } else { 1.0 / peak };
    mean * stream.exponential()
}

/// The probability and the mean of gaps between bursts and within bursts, in mean gaps.
pub(super) fn phases(burst: f64, peak: f64) -> [(f64, f64); 2] {
    [(1.0 / burst, pause(burst, peak)), (1.0 - 1.0 / burst, 1.0 / peak)]
}

/// The mean gap between bursts that makes the mean of all gaps 1.
fn pause(burst: f64, peak: f64) -> f64 {
    burst - (burst - 1.0) / peak
}

#[cfg(test)]
mod tests;
