//! The effect of an assumption that a system breaks: the parts of a latency that depend on it, and the error
//! that it costs.
//!
//! Errors rank models ([`models_for`](super::models_for)) and decide which broken assumption can explain
//! what a run shows. Most are rounded from systems that break one assumption: the mean of three errors,
//! each at most [`WHOLE`], less that of the model where nothing is broken. The three are those of the
//! latency at 50 and 75 % of the load that the simulated network carries (a model that is saturated there
//! has the whole error), and that of the load at which the model saturates. Each system was simulated once,
//! with 7,000 messages at each load, and its saturation is the load accepted under overload (with hot nodes
//! and permutations, a bisection), so that differences of a few hundredths mean nothing.
//!
//! Estimates without a measurement of their own: `OTHER_NETWORK`, `PACE`, `MACHINE`, `SERVICE_ORDER`,
//! `WAYS`, `LOCALITY`, `REGULAR_GAPS`; the usual errors of the one-way torus and of circuits and finite
//! buffers; that of the adaptive torus from 12x12 nodes on. `ROUTING` is 0 as measured, and 0.1 by choice.
//! `CARRIED` was chosen such that 4 % to a hot node cost little on 8x8 nodes, as measured, and much on 16x16.
//!
//! | system | model | latency, 50 % | 75 % | saturation | mean |
//! |---|---|---|---|---|---|
//! | 8x8 mesh of 1997, 20 flits | mesh | 1 % | 8 % | -18 % | 0.09 |
//! | the same with 2 VCs | mesh | 2 % | 100 % | -35 % | 0.46 |
//! | the same with 4 VCs | mesh | 4 % | 100 % | -39 % | 0.48 |
//! | the same, geometric lengths | mesh | 21 % | 44 % | -5 % | 0.23 |
//! | the same, bursts of 8 at 6 times the rate | mesh | 63 % | 80 % | -19 % | 0.54 |
//! | the same, transpose | mesh | 5 % | 10 % | 93 % | 0.36 |
//! | the same, 4 % to a hot node | mesh | 3 % | 0 % | -15 % | 0.06 |
//! | the same, 8 flits | mesh | 2 % | 5 % | -18 % | 0.08 |
//! | 8x8 mesh of the default machine, 20 flits | mesh | 4 % | 87 % | -24 % | 0.38 |
//! | 8x8 torus, minimal adaptive, 12 flits | adaptive torus, calibrated | 8 % | 100 % | -48 % | 0.52 |
//! | 8x8 torus, e-cube, 2 VCs, 16 flits | adaptive torus, calibrated | 15 % | 100 % | -26 % | 0.47 |
//! | the same | deterministic torus, calibrated | 15 % | 100 % | -33 % | 0.49 |
//! | the same with 4 VCs | deterministic torus, calibrated | 100 % | 100 % | -55 % | 0.85 |
//! | the same, 2 VCs and 4 VCs | channel flow | 3, 1 % | 9, 2 % | 7, 2 % | 0.06, 0.02 |
//! | 8x8 mesh of the default machine, 2 VCs, 1 flit, 4 flits | channel flow | 7, 1 % | 9, 8 % | -13, -2 % | 0.10, 0.04 |
//! | the same, 16 flits, messages that leave independently | channel flow | 3 % | 5 % | -8 % | 0.05 |
//! | the meshes, and the torus with e-cube | lower bound | 10 to 43 % | 19 to 91 % | 100 % | 0.43 to 0.9 |

use super::Part;
use crate::system::System;

/// The error of a model whose figures are of no use.
pub const WHOLE: f64 = 1.0;

/// The effect of an assumption.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effect {
    /// The parts of a latency that depend on the assumption.
    pub parts: &'static [Part],
    /// The error where this assumption alone is broken.
    pub error: f64,
}

/// The share of what its busiest links could carry at which a network saturates.
const CARRIED: f64 = 2.0 / 3.0;

/// The parts that depend on how messages meet.
const WAITS: &[Part] = &[Part::SourceWait, Part::Blocking];

impl Effect {
    /// An effect on how messages meet.
    pub(super) const fn on_waits(error: f64) -> Self {
        Self { parts: WAITS, error }
    }

    /// An effect on the way or the pace of a message as well.
    pub(super) const fn on_all(error: f64) -> Self {
        Self { parts: &Part::ALL, error }
    }
}

/// A network or a switching for which the equations are not made.
pub(super) const OTHER_NETWORK: Effect = Effect::on_all(WHOLE);
/// Flits that move at another pace, or channels that take longer.
pub(super) const PACE: Effect = Effect::on_all(WHOLE);
/// Injection and ejection channels that count, or none.
pub(super) const TERMINALS: Effect = Effect::on_all(0.3);
/// Other rules of the machine.
pub(super) const MACHINE: Effect = Effect::on_all(0.1);
pub(super) const SERVICE_ORDER: Effect = Effect::on_waits(0.05);
/// Another algorithm, on ways of the same lengths.
pub(super) const ROUTING: Effect = Effect::on_waits(0.1);
/// Longer ways.
pub(super) const WAYS: Effect = Effect::on_all(0.1);
/// Fixed destinations.
pub(super) const PERMUTATION: Effect = Effect::on_all(0.3);
/// Destinations that are near.
pub(super) const LOCALITY: Effect = Effect::on_all(0.3);
/// Messages that arrive together.
pub(super) const BURSTS: Effect = Effect::on_waits(0.45);
/// Messages that arrive more evenly.
pub(super) const REGULAR_GAPS: Effect = Effect::on_waits(0.05);
/// Lengths that differ.
pub(super) const LENGTHS: Effect = Effect::on_waits(0.15);
/// Messages of a source that do not wait for each other.
pub(super) const SOURCES: Effect = Effect::on_waits(0.05);
/// Messages that share channels: more than the latency shows, since nothing is known of saturation.
pub(super) const SHARING: Effect = Effect::on_waits(0.6);
/// Another number of VCs, however many.
pub(super) const VIRTUAL_CHANNELS: Effect = Effect::on_waits(0.4);

/// The error of messages that are far shorter than the longest way.
const SHORT: f64 = 0.1;

/// The effect of hot nodes, each with `share` of all messages on top. A link into such a node carries more
/// than its part of uniform traffic by that share times the nodes, over the links of the mean route. The
/// error is what the link takes from the load that is carried.
pub(super) fn hotspot(system: &System, share: f64) -> Effect {
    let hops = f64::from(system.network.diameter()) / 2.0;
    let more = share * system.network.nodes() as f64 / hops.max(1.0);
    Effect::on_all((CARRIED * (1.0 + more) - 1.0).clamp(0.0, WHOLE))
}

/// The effect of messages of `length` flits, shorter than the longest way of `farthest` channels.
pub(super) fn short_messages(length: f64, farthest: u32) -> Effect {
    let short = 1.0 - length / f64::from(farthest.max(1));
    Effect::on_waits(SHORT * short.max(0.0))
}
