//! Errors of the model on systems not used to fit it, by class of system.
//!
//! A test derives the table from the simulations of the held-out systems.

use std::fmt;

use crate::ids::RouterId;
pub use crate::model::stated_error::SHARES;
use crate::model::stated_error::{Margins, Measured, StatedError};
use crate::routing::{Classes, HalfWay, Routing};
use crate::switching::{
    Allocation, Bandwidth, Ejection, Forwarding, Injection, LatencyTo, Release, Selection,
    Terminals, Wormhole,
};
use crate::system::System;
use crate::topology::Network;
use crate::traffic::{Destinations, Lengths, Permutation, Process};

/// Systems with similar errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Poisson arrivals, with geometric lengths.
    GeometricLengths,
    /// Poisson arrivals, with other lengths and buffers of up to `SHORT_BUFFER` flits.
    ShortBuffers,
    /// Poisson arrivals, with other lengths, longer buffers and up to `FEW_VCS` VCs.
    FewVcs,
    /// Poisson arrivals, with other lengths, longer buffers and more VCs.
    ManyVcs,
    /// Bursty arrivals.
    Bursts,
}

/// Maximum size of a short buffer in flits.
const SHORT_BUFFER: u32 = 3;

/// Maximum for few VCs.
const FEW_VCS: u32 = 3;

impl Group {
    /// The group of a system covered by the measurements.
    fn of(system: &System) -> Self {
        let machine = system.wormhole();
        let few =
            |most: u32, field: fn(&Wormhole) -> u32| machine.is_some_and(|it| field(it) <= most);
        if system.traffic.process != Process::Poisson {
            Self::Bursts
        } else if matches!(system.traffic.lengths, Lengths::Geometric { .. }) {
            Self::GeometricLengths
        } else if few(SHORT_BUFFER, |it| it.buffer_flits) {
            Self::ShortBuffers
        } else if few(FEW_VCS, |it| it.virtual_channels) {
            Self::FewVcs
        } else {
            Self::ManyVcs
        }
    }

    /// Display name of the group.
    fn name(self) -> String {
        let longer = SHORT_BUFFER + 1;
        match self {
            Self::GeometricLengths => "geometric lengths".to_owned(),
            Self::ShortBuffers => format!("buffers of 2 to {SHORT_BUFFER} flits"),
            Self::FewVcs => {
                format!("buffers of {longer} flits or more, 1 to {FEW_VCS} VCs")
            }
            Self::ManyVcs => {
                let more = FEW_VCS + 1;
                format!("buffers of {longer} flits or more, {more} to {VCS_MAX} VCs")
            }
            Self::Bursts => "bursts".to_owned(),
        }
    }
}

/// Errors on the measured systems of a group.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Class {
    pub group: Group,
    /// Errors of the latency in per cent, by share of the saturation load: two of three systems,
    /// then nine of ten.
    pub latency: [[f64; 2]; SHARES.len()],
    /// Number of systems measured for latency.
    pub systems: u32,
    /// Errors of the saturation load in per cent, likewise.
    pub saturation: [f64; 2],
    /// Number of systems measured for saturation.
    pub saturating: u32,
}

/// Converts errors in per cent to margins; `None` if infinite.
fn margins([two, nine]: [f64; 2]) -> Option<Margins> {
    nine.is_finite().then_some(Margins { two_of_three: two / 100.0, nine_of_ten: nine / 100.0 })
}

impl Class {
    /// The measured errors of the latency.
    pub fn measured(&self) -> Measured {
        Measured { systems: self.systems, margins: self.latency.map(margins) }
    }

    /// The stated error of the saturation load.
    pub fn of_saturation(&self) -> StatedError {
        match margins(self.saturation) {
            Some(margins) => StatedError::Within { margins, systems: self.saturating },
            None => StatedError::NotMeasured("the saturation load of such systems".to_owned()),
        }
    }
}

const fn class(
    group: Group,
    systems: u32,
    latency: [[f64; 2]; SHARES.len()],
    saturating: u32,
    saturation: [f64; 2],
) -> Class {
    Class { group, latency, systems, saturation, saturating }
}

/// The table of measured errors.
pub const CLASSES: [Class; 5] = [
    class(
        Group::GeometricLengths,
        156,
        [[2.4, 3.3], [4.8, 7.2], [9.3, 14.8], [22.8, 46.9]],
        194,
        [6.6, 10.0],
    ),
    class(
        Group::ShortBuffers,
        138,
        [[0.6, 1.1], [1.9, 3.6], [9.7, 17.4], [23.3, 71.5]],
        194,
        [6.6, 10.0],
    ),
    class(Group::FewVcs, 251, [[0.7, 1.2], [1.5, 2.8], [4.1, 8.6], [17.1, 35.4]], 194, [6.6, 10.0]),
    class(
        Group::ManyVcs,
        275,
        [[0.8, 1.4], [2.4, 4.1], [7.5, 12.0], [19.7, 37.5]],
        194,
        [6.6, 10.0],
    ),
    class(Group::Bursts, 99, [[1.5, 2.8], [5.0, 9.7], [11.8, 21.9], [27.2, 46.6]], 99, [6.7, 12.9]),
];

/// Range of the number of nodes in the sampled networks.
const NODES: (usize, usize) = (16, 144);

/// Range of routers per dimension of a mesh, torus or grid of switches.
const RADIX: (u32, u32) = (3, 13);

/// Range of hosts per switch.
const HOSTS: (usize, usize) = (1, 6);

/// Maximum number of VCs of a channel, and range of buffer sizes in flits.
const VCS_MAX: u32 = 8;
const BUFFER: (u32, u32) = (2, 64);

/// Range of mean message lengths in flits.
const LENGTH: (f64, f64) = (8.0, 32.0);

/// Ranges of messages per burst and of the peak rate relative to the mean rate.
const BURST: (f64, f64) = (2.0, 8.0);
const PEAK: (f64, f64) = (1.5, 4.0);

/// Maximum percentage of messages to the hot node.
const HOT_MAX: f64 = 8.0;

/// Describes a value outside a range.
fn outside<T: Copy + PartialOrd + fmt::Display>(
    found: T,
    (low, high): (T, T),
    words: impl Fn(&T) -> String,
) -> Result<(), String> {
    if (low..=high).contains(&found) {
        return Ok(());
    }
    Err(format!("{}; measured: {low} to {high}", words(&found)))
}

/// Checks that similar systems were sampled; otherwise describes the deviation.
pub fn covered(system: &System) -> Result<(), String> {
    network(&system.network)?;
    machine(system)?;
    routing(system)?;
    traffic(system)
}

fn network(network: &Network) -> Result<(), String> {
    outside(network.nodes(), NODES, |it| format!("{it} nodes"))?;
    if let Some(cube) = network.grid()
        && !cube.is_hypercube()
    {
        if cube.is_one_way() {
            return Err("one-way tori".to_owned());
        }
        if cube.wraps() && !cube.wraps_everywhere() {
            return Err("tori with lines".to_owned());
        }
        if !(2..=3).contains(&cube.dimensions()) {
            return Err(format!("{} dimensions; measured: 2 and 3", cube.dimensions()));
        }
        for &radix in cube.radix() {
            outside(radix, RADIX, |it| format!("{it} routers along a dimension"))?;
        }
    }
    if network.switches().is_some() {
        let hosts = |router| network.hosts_at(RouterId::new(router)).len();
        for router in 0..network.routers() {
            outside(hosts(router), HOSTS, |it| format!("a switch with {it} hosts"))?;
            if hosts(router) != hosts(0) {
                return Err("switches with different numbers of hosts".to_owned());
            }
        }
    }
    Ok(())
}

fn machine(system: &System) -> Result<(), String> {
    let Some(machine) = system.wormhole() else { return Err("circuits".to_owned()) };
    let (vcs, buffer) = (machine.virtual_channels, machine.buffer_flits);
    outside(vcs, (1, VCS_MAX), |it| format!("{it} VCs"))?;
    outside(buffer, BUFFER, |it| {
        let plural = if *it == 1 { "" } else { "s" };
        format!("buffers of {it} flit{plural}")
    })?;
    let hosts = system.network.switches().is_some();
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
    let ejects =
        !hosts || [Ejection::Shared, Ejection::OneFlitPerCycle].contains(&machine.ejection);
    if plain != *machine || !ejects {
        return Err("a machine other than the default one".to_owned());
    }
    Ok(())
}

fn routing(system: &System) -> Result<(), String> {
    if system.network.wraps() && system.relation.half_way() != HalfWay::Random {
        return Err("ways round a ring that are not random".to_owned());
    }
    let measured = matches!(
        system.relation.routing(),
        Routing::DimensionOrder { classes: Classes::Destination | Classes::Dateline, .. }
            | Routing::UpDown { .. }
    );
    if measured { Ok(()) } else { Err("this routing".to_owned()) }
}

fn traffic(system: &System) -> Result<(), String> {
    let traffic = &system.traffic;
    if traffic.senders.is_some() {
        return Err("nodes that do not send".to_owned());
    }
    if traffic.to_itself {
        return Err("messages to their own source".to_owned());
    }
    let tornado = match &traffic.destinations {
        Destinations::Hotspot { nodes, percent } if nodes.len() == 1 && *percent <= HOT_MAX => {
            false
        }
        Destinations::Uniform
        | Destinations::Permutation(Permutation::Transpose | Permutation::BitComplement) => false,
        Destinations::Permutation(Permutation::Tornado) => true,
        Destinations::Hotspot { .. }
        | Destinations::Permutation(_)
        | Destinations::Offset(_)
        | Destinations::Local(_)
        | Destinations::Weighted(_) => return Err("these destinations".to_owned()),
    };
    match traffic.process {
        Process::Poisson => {}
        Process::Geometric => return Err("geometric gaps".to_owned()),
        Process::TokenBucket { .. } | Process::GreedyBucket { .. } => {
            return Err("token buckets".to_owned());
        }
        Process::Bursts { .. } if tornado => return Err("bursts of tornado".to_owned()),
        Process::Bursts { burst, peak } => {
            outside(burst, BURST, |it| format!("bursts of {it} messages"))?;
            outside(peak, PEAK, |it| format!("bursts at {it} times the rate"))?;
        }
    }
    match traffic.lengths {
        Lengths::Fixed(_) | Lengths::Geometric { .. } | Lengths::Uniform { .. } => {}
        Lengths::Exponential { .. } => return Err("exponential lengths".to_owned()),
    }
    outside(traffic.lengths.mean(), LENGTH, |it| format!("messages of {it} flits"))
}

/// The class of a system; otherwise describes the property without measurements.
pub fn class_of(system: &System) -> Result<&'static Class, String> {
    covered(system)?;
    let group = Group::of(system);
    CLASSES.iter().find(|it| it.group == group).ok_or_else(|| "such systems".to_owned())
}

/// Formats the table of the guide, one row per class.
pub fn table() -> String {
    let heads = SHARES.map(|share| format!(" at {:.0} % |", 100.0 * share)).concat();
    let mut table =
        format!("| systems | number |{heads} saturation |\n|---|---|---|---|---|---|---|\n");
    for class in &CLASSES {
        let cell = |[two, nine]: [f64; 2]| {
            let said = |percent: f64| {
                if percent.is_finite() { format!("{percent:.1}") } else { "–".to_owned() }
            };
            format!(" {} / {} |", said(two), said(nine))
        };
        let cells = class.latency.map(cell).concat() + &cell(class.saturation);
        let line = format!("| {} | {} |{cells}\n", class.group.name(), class.systems);
        table.push_str(&line);
    }
    table
}

#[cfg(test)]
mod tests;
