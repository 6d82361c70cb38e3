//! Effects of violated assumptions: the affected parts of a latency, and the resulting error.
//!
//! Errors rank models ([`models_for`](super::models_for)) and determine the violated assumptions
//! that can explain a run's deviations. Most values are rounded from systems with one violated
//! assumption: the mean of three errors, each at most [`WHOLE`], less the model's mean without a
//! violation. The three are the errors of the latency at 50 and 75 % of the load carried by the
//! simulated network (a model already saturated has the whole error), and of the saturation load.
//! Each system was simulated once, with 7,000 messages at each load, and its saturation is the load
//! accepted under overload (with hot nodes and permutations, a bisection), so that differences of a
//! few hundredths are not significant.
//!
//! Estimates without measurement: `OTHER_NETWORK`, `PACE`, `MACHINE`, `SERVICE_ORDER`, `WAYS`,
//! `LOCALITY`, `REGULAR_GAPS`; the usual errors of the one-way torus and of circuits and finite
//! buffers, and of the adaptive torus from 12x12 nodes on. `ROUTING` is 0 as measured, and 0.1 by
//! choice. `CARRIED` was chosen such that 4 % to a hot node have little effect on 8x8 nodes, as
//! measured, and a large effect on 16x16.
//!
//! | System | Model | Latency, 50 % | 75 % | Saturation | Mean |
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

/// The error of a model with useless predictions.
pub const WHOLE: f64 = 1.0;

/// The effect of an assumption.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effect {
    /// The affected parts of a latency.
    pub parts: &'static [Part],
    /// The error if only this assumption is violated.
    pub error: f64,
}

/// Saturation load of a network as a share of the capacity of its busiest links.
const CARRIED: f64 = 2.0 / 3.0;

/// The parts affected by conflicts between messages.
const WAITS: &[Part] = &[Part::SourceWait, Part::Blocking];

impl Effect {
    /// Creates an effect on conflicts between messages.
    pub(super) const fn on_waits(error: f64) -> Self {
        Self { parts: WAITS, error }
    }

    /// Creates an effect on routes or on the pace of messages as well.
    pub(super) const fn on_all(error: f64) -> Self {
        Self { parts: &Part::ALL, error }
    }
}

/// A network or a switching technique not covered by the equations.
pub(super) const OTHER_NETWORK: Effect = Effect::on_all(WHOLE);
/// Flits at another pace, or channels with longer delays.
pub(super) const PACE: Effect = Effect::on_all(WHOLE);
/// Injection and ejection channels counted as hops, or not.
pub(super) const TERMINALS: Effect = Effect::on_all(0.3);
/// Other rules of the machine.
pub(super) const MACHINE: Effect = Effect::on_all(0.1);
pub(super) const SERVICE_ORDER: Effect = Effect::on_waits(0.05);
/// Another algorithm, with routes of the same lengths.
pub(super) const ROUTING: Effect = Effect::on_waits(0.1);
/// Longer routes.
pub(super) const WAYS: Effect = Effect::on_all(0.1);
/// Fixed destinations.
pub(super) const PERMUTATION: Effect = Effect::on_all(0.3);
/// Nearby destinations.
pub(super) const LOCALITY: Effect = Effect::on_all(0.3);
/// Bursts of arrivals.
pub(super) const BURSTS: Effect = Effect::on_waits(0.45);
/// More regular arrivals.
pub(super) const REGULAR_GAPS: Effect = Effect::on_waits(0.05);
/// Variable lengths.
pub(super) const LENGTHS: Effect = Effect::on_waits(0.15);
/// Messages of a source leaving independently.
pub(super) const SOURCES: Effect = Effect::on_waits(0.05);
/// Sharing of channels between messages: larger than for the latency alone, since saturation is
/// unknown.
pub(super) const SHARING: Effect = Effect::on_waits(0.6);
/// Any other number of VCs.
pub(super) const VIRTUAL_CHANNELS: Effect = Effect::on_waits(0.4);

/// The error for messages far shorter than the longest route.
const SHORT: f64 = 0.1;

/// The effect of hot nodes, each with an additional `share` of all messages. The additional flow
/// over a link into a hot node, relative to uniform traffic, is the share times the number of
/// nodes, divided by the links of the mean route. The error is the resulting reduction of the load
/// carried.
pub(super) fn hotspot(system: &System, share: f64) -> Effect {
    let hops = f64::from(system.network.diameter()) / 2.0;
    let more = share * system.network.nodes() as f64 / hops.max(1.0);
    Effect::on_all((CARRIED * (1.0 + more) - 1.0).clamp(0.0, WHOLE))
}

/// The effect of messages of `length` flits, shorter than the longest route of `farthest` channels.
pub(super) fn short_messages(length: f64, farthest: u32) -> Effect {
    let short = 1.0 - length / f64::from(farthest.max(1));
    Effect::on_waits(SHORT * short.max(0.0))
}
