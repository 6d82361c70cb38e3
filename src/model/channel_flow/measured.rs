//! The errors that were measured on systems drawn once: a table, and which row is about a system.
//!
//! Each row holds what two of three of its systems stay within, at shares of the load at which the model
//! saturates. A test finds the table again from what is kept of the simulations.

pub use crate::model::stated::SHARES;
use crate::model::stated::{Measured, StatedError};
use crate::routing::{Classes, Routing};
use crate::switching::{
    Allocation, Bandwidth, Ejection, Forwarding, Injection, LatencyTo, Release, Selection,
    Terminals, Wormhole,
};
use crate::system::System;
use crate::traffic::{Destinations, Permutation, Process};

/// A set of systems.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Row {
    /// Routes that are fixed, or heads that choose.
    pub chooses: bool,
    /// Whether messages come in bursts.
    pub bursts: bool,
    /// VCs, from and to.
    pub vcs: (u32, u32),
    /// How many were measured.
    pub systems: u32,
    /// By share, in per cent.
    pub within: [f64; SHARES.len()],
    /// How near to the load at which the model saturates two of three of its systems do, in per cent of it.
    pub saturation: f64,
}

const fn row(
    chooses: bool,
    bursts: bool,
    vcs: (u32, u32),
    systems: u32,
    within: [f64; SHARES.len()],
    saturation: f64,
) -> Row {
    Row { chooses, bursts, vcs, systems, within, saturation }
}

/// All that was measured.
pub const ROWS: [Row; 7] = [
    row(false, false, (1, 1), 19, [0.5, 1.8, 5.1, 14.4], 7.2),
    row(false, false, (2, 3), 79, [0.8, 1.6, 4.9, 16.0], 6.8),
    row(false, false, (4, 8), 60, [1.0, 1.7, 3.8, 9.4], 5.0),
    row(false, true, (1, 8), 32, [1.9, 3.6, 7.6, 21.2], 4.5),
    row(true, false, (1, 3), 43, [1.0, 3.0, 6.1, 15.9], 9.4),
    row(true, false, (4, 8), 52, [1.6, 4.4, 9.1, 16.9], 7.7),
    row(true, true, (1, 8), 15, [2.7, 8.5, 20.5, 31.5], 10.4),
];

/// The row of a system; else what of it was not measured, in words.
pub fn row_of(system: &System) -> Result<&'static Row, String> {
    let network = &system.network;
    let no = |what: &str| Err(what.to_owned());
    let Some(machine) = system.wormhole() else { return no("circuits") };
    let nodes = network.nodes();
    if !(16..=144).contains(&nodes) {
        return Err(format!("{nodes} nodes, where 16 to 144 were"));
    }
    let (vcs, buffer) = (machine.virtual_channels, machine.buffer_flits);
    if vcs > 8 {
        return Err(format!("{vcs} VCs, where up to 8 were"));
    }
    if buffer > 64 {
        return Err(format!("buffers of {buffer} flits, where up to 64 were"));
    }
    let (hosts, links) = (network.switches().is_some(), network.cube().is_some());
    let plain = Wormhole {
        channel_delay: 1,
        credit_delay: 1,
        bandwidth: Bandwidth::OnDemand,
        release: Release::Drained,
        injection: if hosts { Injection::OneMessage } else { Injection::OneFlitPerCycle },
        ejection: if hosts { machine.ejection } else { Ejection::Unlimited },
        terminals: if hosts { Terminals::Channels } else { Terminals::Direct },
        allocation: Allocation::OldestFirst,
        latency_to: LatencyTo::Arrival,
        selection: Selection::Preference,
        forwarding: Forwarding::Wormhole,
        ..*machine
    };
    let ejects = links || [Ejection::Shared, Ejection::OneFlitPerCycle].contains(&machine.ejection);
    if plain != *machine || !ejects {
        return no("a machine other than the default one");
    }
    let chooses = match system.relation.routing() {
        Routing::DimensionOrder { classes: Classes::Random } | Routing::ShortestPath { .. } => {
            return no("this routing");
        }
        Routing::DimensionOrder { .. } | Routing::UpDown { .. } => false,
        Routing::O1Turn
        | Routing::MinimalAdaptive { .. }
        | Routing::PositiveHop
        | Routing::NegativeHop
        | Routing::NorthLast { .. }
        | Routing::WestFirst
        | Routing::NegativeFirst
        | Routing::OddEven => true,
    };
    let traffic = &system.traffic;
    match &traffic.destinations {
        Destinations::Hotspot { nodes, percent } if nodes.len() == 1 && *percent <= 8.0 => {}
        Destinations::Uniform
        | Destinations::Permutation(
            Permutation::Transpose | Permutation::Tornado | Permutation::BitComplement,
        ) => {}
        Destinations::Hotspot { .. } | Destinations::Permutation(_) | Destinations::Local(_) => {
            return no("these destinations");
        }
    }
    let bursts = match traffic.process {
        Process::Poisson => false,
        Process::Geometric => return no("geometric gaps"),
        Process::TokenBucket { .. } | Process::GreedyBucket { .. } => return no("token buckets"),
        Process::Bursts { burst, peak }
            if (4.0..=16.0).contains(&burst) && (2.0..=8.0).contains(&peak) =>
        {
            true
        }
        Process::Bursts { .. } => {
            return no("bursts other than of 4 to 16 messages at 2 to 8 times the rate");
        }
    };
    let mean = traffic.lengths.mean();
    if !(8.0..=32.0).contains(&mean) {
        return Err(format!("messages of {mean} flits, where 8 to 32 were"));
    }
    let found = ROWS.iter().find(|it| {
        it.chooses == chooses && it.bursts == bursts && (it.vcs.0..=it.vcs.1).contains(&vcs)
    });
    found.ok_or_else(|| "such systems".to_owned())
}

/// What two of three systems like this stay within at this share of the load at which the model
/// saturates.
pub fn stated(system: &System, share: f64) -> StatedError {
    match row_of(system) {
        Ok(&Row { systems, within, .. }) => Measured { systems, within }.at(share),
        Err(why) => StatedError::NotMeasured(why),
    }
}

/// How near to the load at which the model saturates two of three systems like this do.
pub fn stated_saturation(system: &System) -> StatedError {
    match row_of(system) {
        Ok(&Row { systems, saturation, .. }) => {
            StatedError::Within { part: saturation / 100.0, systems }
        }
        Err(why) => StatedError::NotMeasured(why),
    }
}

#[cfg(test)]
mod tests;
