//! Capacity: upper bound on the load of a network, known before any run.
//!
//! γ is the load of a channel per flit per node and cycle, from the [flows](crate::flows). A
//! channel with the limit `cap` carries no load above cap/γ in the long run, so no run exceeds the
//! minimum over all channels, sources and ejection channels (`limits`). Short runs may still
//! deliver flits from buffers and queues, and the bound is not always reached.
//!
//! If heads choose among channels, the flows are unknown. Then any lengths ℓ of the channels prove
//! that the load is at most Σ ℓ·cap / Σ T·d, with T the demand of a pair of nodes per unit of load
//! and d the length of its shortest admissible route: each flit uses at least d of the Σ ℓ·cap
//! available per cycle (the dual of the maximum concurrent flow: F. Shahrokhi and D. W. Matula,
//! *Journal of the ACM* 37, 1990). Cuts are the simplest lengths, 1 across, 0 elsewhere (`cuts`);
//! multiplicative weights find better lengths (`lengths`). An estimate assumes even choices.
//!
//! For circuits, a link carries its lanes, for the transmission alone: set-up is ignored.

mod completion;
mod cuts;
mod lengths;
mod limiter;
mod limits;

use crate::flows::{Demand, Flows, TooLarge};
use crate::ids::{ChannelId, RouterId};
use crate::system::System;
use crate::topology::cube;
use crate::topology::{Channel, Network, Role};
use crate::units::Load;
pub use completion::Completion;
use limiter::Limiter;

/// Relative margin above a capacity, to allow for rounding errors.
const ROUNDING: f64 = 1e-9;

/// Kind of proof of a capacity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The flows are known: some channel or source carries no more.
    Proven,
    /// Heads choose: no choice of theirs carries more.
    Bound,
}

impl Kind {
    /// The kind's name in results.
    pub fn word(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Bound => "bound",
        }
    }
}

/// Part of a channel that limits the load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    /// The link: flits per cycle.
    Link,
    /// The time during which messages hold VCs.
    VirtualChannels,
    /// The slots of buffers, each used once per round trip of credits.
    Buffers,
}

/// The cause of a capacity limit.
#[derive(Clone, PartialEq, Debug)]
pub enum Bottleneck {
    Channel(ChannelId, Resource),
    /// Sources send no faster.
    Sources,
    /// The links into a router.
    Into(RouterId),
    /// The links out of a router.
    OutOf(RouterId),
    /// The links into the routers from one position to another along a dimension.
    Slab {
        dimension: usize,
        /// First and last position, possibly wrapping around.
        positions: [u32; 2],
    },
    /// Lengths of channels; the number of lengths above 0.
    Lengths(usize),
}

impl Bottleneck {
    /// The channel, for a limit of a single channel.
    fn channel(&self) -> Option<ChannelId> {
        match *self {
            Self::Channel(channel, _) => Some(channel),
            Self::Sources
            | Self::Into(_)
            | Self::OutOf(_)
            | Self::Slab { .. }
            | Self::Lengths(_) => None,
        }
    }
}

/// The load at which even choices of heads would fill a channel.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The load in flits/node/cycle.
    pub load: Load,
    /// The full channel, if any.
    pub channel: Option<ChannelId>,
}

/// Upper bound on the load of a system.
#[derive(Clone, PartialEq, Debug)]
pub struct Capacity {
    /// The load in flits per node and cycle over all nodes, as computed by [`System::load_at`].
    pub load: Load,
    pub kind: Kind,
    /// Cause of the limit.
    pub bottleneck: Bottleneck,
    /// The load carried by even choices, if heads choose.
    pub estimate: Option<Estimate>,
    /// γ by channel id, with even choices if heads choose.
    pub gamma: Vec<f64>,
    /// Mean links of a message's route (with even choices).
    pub hops_mean: f64,
}

impl Capacity {
    /// Computes the capacity of a system, regardless of its rate.
    pub fn of(system: &System) -> Result<Self, TooLarge> {
        let flows = Flows::of(system)?;
        let share = system.sending_share();
        let channels = (0..system.network.channels().len()).map(ChannelId::new);
        let gamma = channels.map(|channel| flows.over(channel).all() / share).collect();
        let demand = Demand::of(system);
        let limiter = Limiter::new(system, &demand);
        let found = |(load, bottleneck), kind, estimate| Self {
            load: Load(load),
            kind,
            bottleneck,
            estimate,
            gamma,
            hops_mean: flows.hops_mean,
        };
        if !flows.chosen {
            let least = limiter.least(&flows, |_| true);
            return Ok(found(least, Kind::Proven, None));
        }
        let even = limiter.least_together(&flows);
        let channel = even.1.channel();
        // Flows over the channels of terminals do not depend on choices.
        let ends = limiter.least(&flows, |role| role != Role::Link);
        let ways = (0..limiter.link_limits.len()).flat_map(|nth| {
            let cut = cuts::best(system, &demand, &limiter.per_cut(nth));
            [cut, lengths::best(system, &demand, &limiter.links(nth))]
        });
        let bound = ways.flatten().fold(ends, smaller);
        let estimate = Estimate { load: Load(even.0.min(bound.0)), channel };
        Ok(found(bound, Kind::Bound, Some(estimate)))
    }

    /// The load carried by even choices, if every class of VCs carries the messages that the routing
    /// gives it. Escape VCs, which heads use only without another, seem busier than they are.
    pub fn even_by_class(system: &System) -> Result<Load, TooLarge> {
        let limiter = Limiter::new(system, &Demand::of(system));
        Ok(Load(limiter.least(&Flows::of(system)?, |_| true).0))
    }

    /// True if the load exceeds the capacity in the long run.
    pub fn is_below(&self, load: Load) -> bool {
        load.0 > self.load.0 * (1.0 + ROUNDING)
    }

    /// Mean sum of the delays of the links of a route in cycles (with even choices), where links
    /// have their own delays.
    pub fn delay_mean(&self, system: &System) -> Option<f64> {
        let (network, machine) = (&system.network, system.wormhole()?);
        let links = || network.channels()[..network.links()].iter().zip(&self.gamma);
        if !network.has_paced_links() {
            return None;
        }
        let delay = |link: &Channel| match link.attributes.delay {
            Some(own) => f64::from(own.get()),
            None => f64::from(machine.channel_delay),
        };
        let crossed: f64 = links().map(|(_, gamma)| gamma).sum();
        let delays: f64 = links().map(|(link, gamma)| delay(link) * gamma).sum();
        (crossed > 0.0).then(|| self.hops_mean * delays / crossed)
    }

    /// The channels with the highest use, the highest first: cycles in use per cycle for each flit per
    /// node and cycle, γ times the cycles of a flit.
    pub fn busiest(&self, network: &Network, most: usize) -> Vec<(ChannelId, f64)> {
        let cycles = |channel| f64::from(network.channel(channel).attributes.cycles_per_flit);
        let all = (0..).map(ChannelId).zip(self.gamma.iter().copied());
        let mut all: Vec<(ChannelId, f64)> = all
            .filter(|&(_, gamma)| gamma > 0.0)
            .map(|(channel, gamma)| (channel, gamma * cycles(channel)))
            .collect();
        all.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        all.truncate(most);
        all
    }

    /// The bottleneck as displayed: `link (7,3)+X`, `the 4 links into (3,3)`.
    pub fn bottleneck_name(&self, network: &Network) -> String {
        match self.bottleneck {
            Bottleneck::Channel(channel, resource) => {
                let name = network.channel_name(channel);
                match (resource, network.channel(channel).role) {
                    (Resource::Link, Role::Link) => format!("link {name}"),
                    (Resource::Link, Role::Injection) => format!("injection channel {name}"),
                    (Resource::Link, Role::Ejection) => format!("ejection channel {name}"),
                    (Resource::VirtualChannels, _) => format!("the VCs of {name}"),
                    (Resource::Buffers, _) => format!("the buffers of {name}"),
                }
            }
            Bottleneck::Sources => "the sources".to_owned(),
            Bottleneck::Into(router) => {
                format!("the links into {}", network.router_name(router))
            }
            Bottleneck::OutOf(router) => {
                format!("the links out of {}", network.router_name(router))
            }
            Bottleneck::Slab { dimension, positions: [first, last] } => {
                let axis = cube::axis(dimension);
                if first == last {
                    format!("the links into {axis} = {first}")
                } else {
                    format!("the links into {axis} = {first} to {last}")
                }
            }
            Bottleneck::Lengths(links) => format!("{links} links together"),
        }
    }

    /// The reason why a load exceeds the capacity: `link (7,3)+X would need 1.08 flits per cycle`.
    /// `None` for other loads.
    pub fn excess(&self, load: Load, network: &Network) -> Option<String> {
        if !self.is_below(load) {
            return None;
        }
        let name = self.bottleneck_name(network);
        Some(match self.bottleneck {
            Bottleneck::Channel(channel, Resource::Link) => {
                let needed = self.gamma[channel.index()] * load.0;
                format!("{name} would need {needed:.3} flits per cycle")
            }
            Bottleneck::Channel(..)
            | Bottleneck::Sources
            | Bottleneck::Into(_)
            | Bottleneck::OutOf(_)
            | Bottleneck::Slab { .. }
            | Bottleneck::Lengths(_) => {
                format!("{name} would need {:.3} times its capacity", load.0 / self.load.0)
            }
        })
    }
}

/// The smaller of two loads with its cause; the first of equal loads.
fn smaller(one: (f64, Bottleneck), other: (f64, Bottleneck)) -> (f64, Bottleneck) {
    if other.0 < one.0 { other } else { one }
}
