//! Limits of channels: what a flit takes of a link, of the time of its VCs and of their buffers.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | c | `sending` | cycles for which a VC sends a flit | cycles |
//! | L | `length` | mean length | flits |
//! | D | `delay` | from a flit's sending until it is usable: `channel_delay`, or the link's own | cycles |
//! | R | `round_trip` | from the sending of a flit until its slot may be used again | cycles |
//!
//! A VC is granted to one message at a time. With [`Release::Drained`] it is free when the tail has
//! left the buffer, at the earliest cL + D cycles after its grant, or cL + D − 1 where flits are
//! consumed as they arrive; with [`Release::Sent`] after cL. A buffer of B flits passes B flits in R
//! cycles at most, if they go on from it.

use crate::capacity::Resource;
use crate::switching::{Bandwidth, Ejection, Forwarding, Injection, Release, Wormhole};
use crate::topology::Role;
use crate::topology::attributes::Attributes;

/// A limit of a channel: the flits over it, weighted, are at most its VCs times `per_vc`, or `in_all`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Limit {
    pub resource: Resource,
    /// Part of the limit that a flit takes whose message goes on from the end of the channel.
    pub through: f64,
    /// Part of the limit that a flit takes whose message ends there.
    pub last: f64,
    /// Every VC has the resource for itself; otherwise the VCs share one.
    pub per_vc: bool,
}

/// The limits of the channels of a machine with these attributes, for messages of `length` flits on average.
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
    let delay = own.unwrap_or(f64::from(machine.channel_delay));
    let credit = own.unwrap_or(0.0) + f64::from(machine.credit_delay);
    let round_trip = sending - 1.0 + delay + credit;
    let time = |through, last| Limit {
        resource: Resource::VirtualChannels,
        through: sending + through / length,
        last: sending + last / length,
        per_vc: true,
    };
    let time = match machine.release {
        Release::Drained => {
            // The next hop of a message that is stored begins when all of it has arrived.
            let stored = match machine.forwarding {
                Forwarding::StoreAndForward => length - 1.0,
                Forwarding::Wormhole | Forwarding::CutThrough => 0.0,
            };
            time(stored + delay, delay - 1.0)
        }
        Release::Sent => time(0.0, 0.0),
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

/// The VCs of a channel.
pub(super) fn vcs(machine: &Wormhole, role: Role) -> u32 {
    match role {
        Role::Link => machine.virtual_channels,
        Role::Injection => match machine.injection {
            Injection::OneMessage => 1,
            Injection::OneFlitPerCycle | Injection::Independent { .. } => machine.virtual_channels,
        },
        Role::Ejection => 1,
    }
}

/// Flits per cycle that a source can send, where it feeds its links directly; `None` where nothing but
/// the links limits it.
pub(super) fn source(machine: &Wormhole) -> Option<f64> {
    match machine.injection {
        Injection::OneFlitPerCycle => Some(1.0),
        Injection::OneMessage => Some(match machine.bandwidth {
            Bandwidth::OnDemand => 1.0,
            Bandwidth::Fixed => 1.0 / f64::from(machine.virtual_channels),
        }),
        Injection::Independent { .. } => None,
    }
}
