//! Limits of channels: shares of a link, of its VCs' time and of their buffers used by a flit.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | c | `sending` | cycles for which a VC sends a flit | cycles |
//! | L | `length` | mean length | flits |
//! | D | `delay` | from sending a flit to its availability: `channel_delay`, or the link's own
//! delay | cycles |
//! | R | `round_trip` | from sending a flit to the reuse of its buffer slot | cycles |
//!
//! A VC is allocated to one message at a time. With [`Release::Drained`] the VC is released when
//! the tail has left the buffer, at the earliest cL + D cycles after the grant, or cL + D − 1 if
//! flits are consumed on arrival; with [`Release::Sent`] after cL. A buffer of B flits passes at
//! most B flits in R cycles, if they continue.

use crate::capacity::Resource;
use crate::switching::{Bandwidth, Ejection, Forwarding, Injection, Release, Wormhole};
use crate::topology::Role;
use crate::topology::attributes::Attributes;

/// A limit of a channel: the weighted flits per cycle are at most 1 for each VC, or 1 in total.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Limit {
    pub resource: Resource,
    /// Part of the limit used by a flit of a message that continues from the end of the channel.
    pub through: f64,
    /// Part of the limit used by a flit of a message that ends there.
    pub last: f64,
    /// True if every VC has its own resource; otherwise the VCs share one.
    pub per_vc: bool,
}

/// The limits of a machine's channels with these attributes, for messages of `length` flits on
/// average.
pub(super) fn limits(
    machine: &Wormhole,
    role: Role,
    attributes: Attributes,
    length: f64,
) -> Vec<Limit> {
    let slow = f64::from(attributes.cycles_per_flit);
    let link = Limit { resource: Resource::Link, through: slow, last: slow, per_vc: false };
    let sending = match machine.bandwidth {
        Bandwidth::OnDemand => slow,
        Bandwidth::Fixed => slow * f64::from(vcs(machine, role)),
    };
    let own = attributes.delay.map(|delay| f64::from(delay.get()));
    let [delay, round_trip] = times(machine, role, own);
    let round_trip = sending - 1.0 + round_trip;
    // A router moves a flit of a VC in every internal cycle.
    let moving =
        sending / machine.pipeline.stages().map_or(1.0, |it| f64::from(it.internal_speedup));
    let time = |through, last| Limit {
        resource: Resource::VirtualChannels,
        through: moving + through / length,
        last: moving + last / length,
        per_vc: true,
    };
    let time = match (machine.pipeline.stages(), machine.release) {
        (Some(stages), _) => time(machine.idle_between(stages, [delay, round_trip]), 0.0),
        (None, Release::Drained) => {
            // The next hop of a stored message begins after its complete arrival.
            let stored = match machine.forwarding {
                Forwarding::StoreAndForward => length - 1.0,
                Forwarding::Wormhole | Forwarding::CutThrough | Forwarding::Bubble => 0.0,
            };
            time(stored + delay, delay - 1.0)
        }
        (None, Release::Sent | Release::Credit) => time(0.0, 0.0),
    };
    let buffer = Limit {
        resource: Resource::Buffers,
        through: (round_trip / f64::from(machine.buffer_flits)).max(sending),
        last: sending,
        per_vc: true,
    };
    let limits = vec![link, time, buffer];
    match (role, machine.ejection) {
        (Role::Link | Role::Injection, _) | (Role::Ejection, Ejection::Shared) => limits,
        (Role::Ejection, Ejection::OneFlitPerCycle) => vec![link],
        (Role::Ejection, Ejection::PerWorm | Ejection::Unlimited) => Vec::new(),
    }
}

/// Cycles from sending a flit to its availability and to the reuse of its buffer slot, on a channel
/// with a flit per cycle.
fn times(machine: &Wormhole, role: Role, own: Option<f64>) -> [f64; 2] {
    let delay = own.unwrap_or(f64::from(machine.channel_delay));
    let credit_delay = f64::from(machine.credit_delay);
    let Some(stages) = machine.pipeline.stages() else {
        return [delay, delay + own.unwrap_or(0.0) + credit_delay];
    };
    let delay = if role == Role::Link { delay } else { 1.0 };
    let to_arrival = match role {
        Role::Injection => f64::from(stages.injection),
        Role::Link | Role::Ejection => f64::from(stages.of_flit()) + delay,
    };
    [to_arrival, to_arrival + f64::from(stages.credit) + delay + credit_delay]
}

/// The number of VCs of a channel.
pub(super) fn vcs(machine: &Wormhole, role: Role) -> u32 {
    match role {
        Role::Link => machine.virtual_channels,
        Role::Injection => match machine.injection {
            Injection::OneMessage if machine.pipeline.stages().is_none() => 1,
            Injection::OneMessage
            | Injection::RepliesFirst
            | Injection::OneFlitPerCycle
            | Injection::Independent { .. } => machine.virtual_channels,
        },
        Role::Ejection if machine.pipeline.stages().is_some() => machine.virtual_channels,
        Role::Ejection => 1,
    }
}

/// Flits per cycle from a source attached directly to its links; `None` if only the links limit the
/// source.
pub(super) fn source(machine: &Wormhole) -> Option<f64> {
    match machine.injection {
        Injection::OneFlitPerCycle => Some(1.0),
        Injection::OneMessage | Injection::RepliesFirst => Some(match machine.bandwidth {
            Bandwidth::OnDemand => 1.0,
            Bandwidth::Fixed => 1.0 / f64::from(machine.virtual_channels),
        }),
        Injection::Independent { .. } => None,
    }
}
