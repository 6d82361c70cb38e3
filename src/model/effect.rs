//! What an assumption determines of a latency, and how far a prediction is off where a system breaks it.
//!
//! The errors rank models ([`models_for`](super::models_for)) and decide which broken assumption can
//! explain what a run shows. Each is the mean part by which the latency is off at a half and three
//! quarters of the load that the simulated network carries, where a model that is saturated there counts
//! as [`WHOLE`]: measured where the assumption is the only one broken, less the model's own error.
//!
//! | assumption | broken by | error |
//! |---|---|---|

use super::Part;
use crate::system::System;

/// An error of everything: what a model says is worth nothing.
pub const WHOLE: f64 = 1.0;

/// What an assumption determines, and what breaking it costs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effect {
    /// The parts of a latency that depend on the assumption.
    pub parts: &'static [Part],
    /// The part by which latencies are off where it alone is broken.
    pub error: f64,
}

/// The share of what its busiest links could carry at which a network saturates.
const CARRIED: f64 = 2.0 / 3.0;

/// The parts that depend on how messages meet.
const WAITS: &[Part] = &[Part::SourceWait, Part::Blocking];

impl Effect {
    /// Of an assumption about how messages meet.
    pub(super) const fn on_waits(error: f64) -> Self {
        Self { parts: WAITS, error }
    }

    /// Of an assumption on which a message's own way or pace depends as well.
    pub(super) const fn on_all(error: f64) -> Self {
        Self { parts: &Part::ALL, error }
    }
}

/// A network or a switching for which the equations are not made.
pub(super) const OTHER_NETWORK: Effect = Effect::on_all(WHOLE);
/// Flits that move at another pace, or over channels that take longer.
pub(super) const PACE: Effect = Effect::on_all(WHOLE);
/// Injection and ejection channels that count, or none.
pub(super) const TERMINALS: Effect = Effect::on_all(0.2);
/// Other rules of the machine.
pub(super) const MACHINE: Effect = Effect::on_all(0.2);
/// Who is served first.
pub(super) const SERVICE_ORDER: Effect = Effect::on_waits(0.05);
/// Another algorithm.
pub(super) const ROUTING: Effect = Effect::on_all(0.3);
/// Fixed destinations.
pub(super) const PERMUTATION: Effect = Effect::on_all(0.5);
/// Destinations that are near.
pub(super) const LOCALITY: Effect = Effect::on_all(0.5);
/// Messages that come together.
pub(super) const BURSTS: Effect = Effect::on_waits(0.3);
/// Messages that come more evenly.
pub(super) const REGULAR_GAPS: Effect = Effect::on_waits(0.02);
/// Lengths that differ.
pub(super) const LENGTHS: Effect = Effect::on_waits(0.3);
/// Messages of a source that do not wait for each other.
pub(super) const SOURCES: Effect = Effect::on_waits(0.2);
/// Messages that share no channel.
pub(super) const SHARING: Effect = Effect::on_waits(0.5);

/// Of uniform destinations where each of some nodes gets `share` of all messages on top. A link into
/// such a node carries more than its part of uniform traffic by that share times the nodes, over the links
/// of the mean route; what a model has too much is what the link takes from the load that is carried.
pub(super) fn hotspot(system: &System, share: f64) -> Effect {
    let hops = f64::from(system.network.diameter()) / 2.0;
    let more = share * system.network.nodes() as f64 / hops.max(1.0);
    Effect::on_all((CARRIED * (1.0 + more) - 1.0).clamp(0.0, WHOLE))
}

/// Of `expected` VCs per channel, where there are `found`.
pub(super) fn virtual_channels(found: u32, expected: u32) -> Effect {
    let [fewer, more] = [found.min(expected), found.max(expected)].map(f64::from);
    Effect::on_waits((0.3 * (more / fewer).log2()).min(WHOLE))
}

/// Of messages that are longer than the longest way, where they have `length` flits and it `farthest`
/// channels.
pub(super) fn short_messages(length: f64, farthest: u32) -> Effect {
    let short = 1.0 - length / f64::from(farthest.max(1));
    Effect::on_waits(0.3 * short.max(0.0))
}
