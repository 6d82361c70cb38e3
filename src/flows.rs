//! Flows: messages over every channel, computed from the traffic and the routes before any run.
//!
//! Messages of every source are sent to each destination with the probability given by the traffic.
//! For routes that are fixed, or drawn before the first hop, the flows are exact. If heads choose
//! among channels, each of the channels offered receives an equal share of the messages at the
//! choice, and [`Flows::chosen`] is set.
//!
//! Flows are accumulated destination by destination, without storing routes (`ways`); models that
//! need whole routes list them pair by pair ([`routes`]). Two symmetries make large networks fast:
//! uniform traffic is computed row by row if dimensions are traversed in a fixed order (`rows`),
//! and for one destination on behalf of all if all nodes are equivalent (`alike`).

mod alike;
mod demand;
pub mod routes;
mod rows;
mod undelivered;
mod ways;

pub use alike::Alike as SymmetricDemand;
pub use demand::Demand;
pub use undelivered::Undelivered;
pub use ways::{Explorer, Group, TO_DESTINATION, WayLink, Ways, for_each_group};

use crate::ids::ChannelId;
use crate::routing::Relation;
use crate::system::System;
use crate::topology::Role;

/// Maximum number of routers visited while exploring routes: half a second of work.
pub const VISITS_MAX: usize = 1 << 23;

/// The error for routes that visit more than [`VISITS_MAX`] routers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the routes of all messages visit more than {VISITS_MAX} routers")]
pub struct TooLarge;

/// Messages over a channel, per message of each sending node.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Flow {
    /// Messages that continue from the router at the channel's end, over a link or an ejection
    /// channel.
    pub through: f64,
    /// Messages on their last hop.
    pub last: f64,
}

impl Flow {
    /// All messages, on their last hop or not.
    pub fn all(self) -> f64 {
        self.through + self.last
    }

    fn add(&mut self, share: f64, last: bool) {
        *(if last { &mut self.last } else { &mut self.through }) += share;
    }
}

/// The flows of the messages allowed on a set of VCs of a channel.
#[derive(Clone, PartialEq, Debug)]
pub struct ClassFlows {
    /// The VCs, as a mask.
    pub vcs: u32,
    /// Flows by channel id.
    pub channels: Vec<Flow>,
}

/// The flows over all channels of a system.
#[derive(Clone, PartialEq, Debug)]
pub struct Flows {
    /// Flows by the allowed VCs. Symmetry leaves one class of all VCs.
    pub classes: Vec<ClassFlows>,
    /// True if heads have a choice of channels somewhere.
    pub chosen: bool,
    /// Mean links of a message's route.
    pub hops_mean: f64,
}

impl Flows {
    /// The flows of a system.
    pub fn of(system: &System) -> Result<Self, TooLarge> {
        if Demand::is_too_large(system) {
            return Err(TooLarge);
        }
        let demand = Demand::of(system);
        let channels = system.network.channels().len();
        let mut sums = Sums {
            channels,
            classes: Vec::new(),
            chosen: false,
            together: groups_by_offset(&system.relation) || system.relation.message_classes() > 1,
        };
        let mut rest = demand.clone();
        if let Some(alike) = alike::Alike::of(system, &demand) {
            alike.add(system, &mut sums)?;
            rest.without_symmetric();
        } else if demand.even > 0.0 && rows::add_evenly(system, &demand, &mut sums) {
            rest.even = 0.0;
        }
        ways::add(system, &rest, &mut sums)?;
        let links = system.network.links();
        let crossed: f64 = sums
            .classes
            .iter()
            .flat_map(|class| &class.channels[..links])
            .map(|flow| flow.all())
            // The sum of no numbers would be -0.
            .fold(0.0, |sum, flow| sum + flow);
        let hops_mean = crossed / demand.sent(system);
        terminals(system, &demand, &mut sums);
        Ok(Self { classes: sums.classes, chosen: sums.chosen, hops_mean })
    }

    /// The flow over a channel of the messages of all classes.
    pub fn over(&self, channel: ChannelId) -> Flow {
        let flows = self.classes.iter().map(|class| class.channels[channel.index()]);
        flows.fold(Flow::default(), |sum, flow| Flow {
            through: sum.through + flow.through,
            last: sum.last + flow.last,
        })
    }
}

/// True if the messages of all sources form one group although their VCs depend on the source: the
/// channels offered depend on the remaining route.
fn groups_by_offset(relation: &Relation) -> bool {
    relation.reads_source() && relation.goes_by_offset() && !relation.goes_straight()
}

/// Flows during accumulation.
#[derive(Debug)]
struct Sums {
    channels: usize,
    classes: Vec<ClassFlows>,
    chosen: bool,
    /// True if the VCs of messages are not distinguished.
    together: bool,
}

impl Sums {
    fn class(&mut self, vcs: u32) -> &mut ClassFlows {
        let vcs = if self.together { u32::MAX } else { vcs };
        let at = self.classes.iter().position(|class| class.vcs == vcs).unwrap_or_else(|| {
            self.classes.push(ClassFlows { vcs, channels: vec![Flow::default(); self.channels] });
            self.classes.len() - 1
        });
        &mut self.classes[at]
    }

    fn add(&mut self, channel: ChannelId, vcs: u32, share: f64, last: bool) {
        self.class(vcs).channels[channel.index()].add(share, last);
    }
}

/// Adds the flows over injection and ejection channels, if any.
fn terminals(system: &System, demand: &Demand, sums: &mut Sums) {
    let network = &system.network;
    if !network.has_terminal_channels() {
        return;
    }
    let class = sums.class(u32::MAX);
    let local = demand.by_distance.iter().flatten().sum::<f64>();
    let nodes = || (0..network.nodes()).map(crate::ids::NodeId::new);
    let mut ejected: Vec<f64> = nodes().map(|node| demand.even_to(system, node) + local).collect();
    for (source, shares) in &demand.uneven {
        for &(destination, share) in shares {
            ejected[destination.index()] += share;
            add_injection(network.injection_of(*source), class, share);
        }
    }
    for (node, received) in nodes().zip(ejected) {
        let sent = demand.even * demand.rates.at(node) + local;
        add_injection(network.injection_of(node), class, sent);
        if let Some(channel) = network.ejection_of(node) {
            debug_assert!(network.channel(channel).role == Role::Ejection);
            class.channels[channel.index()].last = received;
        }
    }
}

fn add_injection(channel: Option<ChannelId>, class: &mut ClassFlows, share: f64) {
    if let Some(channel) = channel {
        class.channels[channel.index()].through += share;
    }
}
