//! Predicts the mean latency under any traffic matrix.
//!
//! The model, our own, requires routes fixed when a message is sent and an acyclic channel
//! dependency graph. Errors against simulation are listed in the guide.
//!
//! The flow through every channel and between successive channels, per message of a node, is
//! computed once (`routes`). The rest is one sweep from the channels without successors back to the
//! sources (`sweep`), as in R. Greenberg and L. Guan, PDCS 1997, and J. Draper and J. Ghosh,
//! *Journal of Parallel and Distributed Computing* 23, 1994. Differences from those models:
//!
//! | Part | File | Source |
//! |---|---|---|
//! | Messages wait as in one queue in the order of their births, for other streams only | `output` | Pollaczek and Khinchine, ours |
//! | All of n VCs on one link must be held | `output` | Chandy, Herzog, Woo 1975 |
//! | Bursts of others, smoothed by busy channels | `output`, `propagation` | Whitt 1983 |
//! | VCs in use share the channel, flit by flit | `gapless_sharing`, `sharing` | Dally's chain (*IEEE Transactions on Parallel and Distributed Systems* 3, 1992) |
//! | Flits lagging behind their head leave gaps for others | `propagation` | ours |
//! | Buffers absorb downstream waits | `machine` | ours |
//! | Variance of lengths and of waits, bursts of arrivals | `output`, `arrivals` | K₂/G/1, Pollaczek and Khinchine |
//! | Older messages leave a source first, but share a channel flit by flit | `solve`, `start` | Avi-Itzhak and Halfin 1988, ours |
//! | Constants | `constants` | simulations |
//! | Latency distribution: a mixture of gamma distributions | `solve` | ours |
//!
//! | Symbol | Code | Meaning | Unit |
//! |---|---|---|---|
//! | `λ_node` | `rate` | messages generated per node | 1/cycle |
//! | L | `Machine::length` | mean message length | flits |
//! | `λ_ij` | `rate` · `Input::share` | messages from channel i to j: a stream | 1/cycle |
//! | `h_j` | `Output::hold` | (L − 1)τ + 1, sharing, and downstream waits and sharing not absorbed by buffers | cycles |
//! | `W_ij` | `Wait::mean` | wait of a stream for an output | cycles |
//! | `φ_ij` | `Crossing::turns` | `λ_ij` L, flits of a stream per cycle; from a source the turns that it loses, too | 1/cycle |
//! | `m_ij` | – | (1 − (1 − S)(1 + `φ_ij`))(1 + `following` (1 − `following_from`/n) `φ_ij`), S = Σ φ/(1 + φ): others that use the channel | – |
//! | `s_ij` | `Crossing::sharing` | L(m + m² + … + mⁿ⁻¹)(1 + `gaps` m/B) exp(−`fewer` m − `between` t/L), and as much for other classes on the channel; B flits in a buffer, and a lag of t cycles | cycles |
//!
//! **Terminals** are channels or not ([`Terminals`]). If the source feeds the first link directly,
//! each first link is a queue of its own, and messages for different links wait for each other's
//! flits.
//!
//! **Release**: a machine that frees a VC only after the tail has left its buffer holds a channel
//! one cycle longer than the message takes to pass (`hold_offset`), unless the message ends there.
#![doc = include_str!("channel_flow/equations.md")]
#![doc = include_str!("channel_flow/constants.md")]
//!
#![doc = include_str!("channel_flow/fitted_systems.md")]

mod arrivals;
mod constants;
pub mod errors;
mod gapless_sharing;
mod inputs;
mod machine;
mod output;
mod propagation;
mod routes;
mod servers;
mod sharing;
mod solve;
mod start;
mod state;
mod sweep;

use super::stated_error::StatedError;
use super::{Mismatch, Model, Prepared, Unsolved, assumptions, effect};
use crate::flows::routes::{self as listed, PAIRS_MAX};
use crate::switching::{self, Ejection, Release};
use crate::system::System;
pub use constants::{Constants, FITTED};
use servers::Resource;
pub use solve::Sources;

/// Attachment of nodes to their routers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terminals {
    /// The source feeds the first link and the last link drains into the sink: only links count. A
    /// node emits one flit per cycle in all, of any number of messages.
    Direct,
    /// Injection and ejection channels counted as hops; one message leaves at a time.
    Channels {
        /// True if messages wait for the ejection channel (003 omits this wait).
        ejection_waits: bool,
    },
}

/// The model of a machine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChannelFlow {
    pub terminals: Terminals,
    /// Additional cycles of holding a channel after the message has passed: 1 if a VC is freed when
    /// the tail leaves its buffer, 0 if freed by the tail's crossing.
    pub hold_offset: f64,
    pub constants: Constants,
}

impl Default for ChannelFlow {
    fn default() -> Self {
        Self { terminals: Terminals::Direct, hold_offset: 1.0, constants: FITTED }
    }
}

impl ChannelFlow {
    /// The model of a system's machine.
    pub fn of(system: &System) -> Self {
        let Some(machine) = system.wormhole() else { return Self::default() };
        let terminals = match machine.terminals {
            switching::Terminals::Direct => Terminals::Direct,
            switching::Terminals::Channels => {
                Terminals::Channels { ejection_waits: machine.ejection == Ejection::Shared }
            }
        };
        let hold_offset = if machine.release == Release::Drained { 1.0 } else { 0.0 };
        Self { terminals, hold_offset, constants: FITTED }
    }

    /// The model of the machine in 003.
    pub const GREENBERG_GUAN: Self = Self {
        terminals: Terminals::Channels { ejection_waits: false },
        hold_offset: 0.0,
        constants: FITTED,
    };

    /// The equations for `system`, with the latencies of single sources.
    pub fn prepare_sources(&self, system: &System) -> Result<Sources, Unsolved> {
        let channels = system.network.channels().len();
        if channels > CHANNELS_MAX {
            return Err(Unsolved::NotCovered(format!(
                "the model needs at most {CHANNELS_MAX} channels, and this network has {channels}"
            )));
        }
        Sources::of(*self, system)
    }

    /// The class of measured systems containing `system`, if all assumptions are satisfied; else
    /// the reason.
    pub fn class(&self, system: &System) -> Result<&'static errors::Class, String> {
        match self.mismatches(system).first() {
            Some(broken) => Err(broken.found.clone()),
            None => errors::class_of(system),
        }
    }

    fn waits_at(self, resource: Resource) -> bool {
        let ejection_waits = Terminals::Channels { ejection_waits: true };
        matches!(resource, Resource::Link(..)) || self.terminals == ejection_waits
    }
}

/// The maximum number of channels of a network: seconds of work, and some hundred MiB.
const CHANNELS_MAX: usize = 1 << 17;

/// True if all routes can be followed and the memory suffices for all channels.
fn is_small(system: &System) -> bool {
    system.network.channels().len() <= CHANNELS_MAX && listed::are_few(system)
}

impl Model for ChannelFlow {
    fn title(&self) -> [&'static str; 2] {
        let reading = match self.terminals {
            Terminals::Direct => "direct terminals",
            Terminals::Channels { ejection_waits: false } => "terminal channels",
            Terminals::Channels { ejection_waits: true } => "terminal channels, ejection waits",
        };
        ["channel flow", reading]
    }

    /// True for deterministic and oblivious routing, in rings only with classes of VCs, if few
    /// pairs of nodes exchange messages.
    fn covers(&self, system: &System) -> bool {
        system.relation.routing().settles_routes(&system.network) && is_small(system)
    }

    fn concerns(&self, system: &System) -> bool {
        system.wormhole().is_some()
    }

    fn assumptions(&self, system: &System) -> Vec<Option<Mismatch>> {
        let fixed = "routes that are fixed when a message is sent, without cyclic waits";
        let few = format!(
            "at most {PAIRS_MAX} pairs of nodes that exchange messages, over at most {CHANNELS_MAX} channels"
        );
        let nodes = format!("{} nodes", system.network.nodes());
        vec![
            assumptions::routing(
                system,
                system.relation.routing().settles_routes(&system.network),
                fixed,
            ),
            assumptions::required(is_small(system), &few, nodes, effect::OTHER_NETWORK),
            assumptions::full_speed(system),
            assumptions::one_flit_per_cycle(system),
            assumptions::terminals(system, self.terminals != Terminals::Direct),
        ]
    }

    fn stated_error(&self, system: &System, share: f64) -> StatedError {
        match self.class(system) {
            Ok(class) => class.measured().at(share),
            Err(why) => StatedError::NotMeasured(why),
        }
    }

    fn stated_saturation(&self, system: &System) -> StatedError {
        self.class(system).map_or_else(StatedError::NotMeasured, errors::Class::of_saturation)
    }

    /// The error is slightly greater for systems without a stated error.
    fn usual_error(&self, system: &System) -> f64 {
        if self.stated_saturation(system).percent().is_some() { 0.06 } else { 0.12 }
    }

    fn equations(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        Ok(Box::new(self.prepare_sources(system)?))
    }
}
