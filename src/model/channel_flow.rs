//! Mean latency under any traffic matrix and any deterministic routing whose channels depend on each
//! other without a cycle: equations (3)–(7) of R. Greenberg and L. Guan, PDCS 1997 ("003"), channel
//! by channel instead of class by class.
//!
//! Every route that a message may take is followed once, with its probability (`routes`); that
//! gives the flow through every channel and from channel to channel per message of a node. The rest
//! is one sweep from the channels that lead nowhere else back to the sources (`solve`).
//!
//! | symbol | here | meaning | unit | equation |
//! |---|---|---|---|---|
//! | `λ_node` | `rate` | messages generated per node | 1/cycle | (8) |
//! | s/f, L | `length` | message length | flits | – |
//! | `λ_j` | `rate` · `Server::share` | messages through channel j | 1/cycle | (9), (10) |
//! | `R_{i\|j}` | `Step::share` | share of channel i's messages that go on to j | – | (3) |
//! | `P_{i\|j}` | `Step::blocking` | 1 − `λ_i` `R_{i\|j}`/`λ_j`: what is in the way comes from elsewhere | – | (5), (6) |
//! | `x_j` | `Ahead::base` + `Ahead::waiting` | service time: the message's passing, and waiting further on | cycles | (3), (7) |
//! | `W_j` | `Ahead::wait` | mean wait of an M/G/1 queue | cycles | (4) |
//! | `flit_xfer` | `stretch` | cycles per flit where VC classes share a channel | cycles | app. A |
//! | D | hops and what `Terminals` adds | channels of a route | – | (1) |
//!
//! **VC classes** are servers of their own, and share a channel as in the appendix: a flit takes
//! 1 + λL/2 cycles, λ being the flow of the channel, where two classes use it (1 + λL(n − 1)/n for
//! n), with no second look at the service times that result. A message moves as slowly as the
//! slowest channel ahead lets it. Two things differ from the appendix: turning messages are charged to
//! the class they are in, not half to each, and channels that one class alone uses (at the seam) are
//! not shared. On a one-way torus of 8 x 8 that makes 1.4 % less at 0.6 of saturation.
//!
//! **Terminals** are channels or not ([`Terminals`]). A source that feeds the first link directly
//! is a queue all the same, with the service time that an injection channel would have: nodes of the
//! machine can have several messages under way, but emit one flit per cycle in all, and what stops
//! the one ahead mostly stops the next. Only the channels of the route are two fewer.
//!
//! **Release**: a machine that frees a VC only when the tail has left its buffer holds every channel
//! one cycle longer than the message takes to pass (`hold_offset`).

mod routes;
mod servers;
mod solve;

use super::{Mismatch, Model, Prepared, Unsolved, assumptions};
use crate::routing::{Classes, Routing};
use crate::switching::{self, Ejection, Release};
use crate::system::System;
use routes::Flows;
pub use solve::Sources;

/// How nodes are attached to their routers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terminals {
    /// The source feeds the first link and the last link drains into the sink: only links count.
    /// A node emits one flit per cycle in all, of any number of messages.
    Direct,
    /// Injection and ejection channels that count; one message leaves at a time.
    Channels {
        /// Whether messages wait for the ejection channel (003 leaves this wait out).
        ejection_waits: bool,
    },
}

/// The model of a machine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChannelFlow {
    /// How nodes are attached.
    pub terminals: Terminals,
    /// Cycles for which a channel is held beyond the message's passing: 1 where a VC is freed when
    /// the tail has left its buffer, 0 where the tail's crossing frees it.
    pub hold_offset: f64,
}

impl Default for ChannelFlow {
    /// Of the default machine.
    fn default() -> Self {
        Self { terminals: Terminals::Direct, hold_offset: 1.0 }
    }
}

impl ChannelFlow {
    /// Of the machine that a system has.
    pub fn of(system: &System) -> Self {
        let Some(machine) = system.wormhole() else { return Self::default() };
        let terminals = match machine.terminals {
            switching::Terminals::Direct => Terminals::Direct,
            switching::Terminals::Channels => {
                Terminals::Channels { ejection_waits: machine.ejection == Ejection::Shared }
            }
        };
        let hold_offset = if machine.release == Release::Drained { 1.0 } else { 0.0 };
        Self { terminals, hold_offset }
    }

    /// Of the machine that 003 assumes.
    pub const GREENBERG_GUAN: Self =
        Self { terminals: Terminals::Channels { ejection_waits: false }, hold_offset: 0.0 };

    /// The equations for `system`, with the latencies of single sources.
    pub fn prepare_sources(&self, system: &System) -> Result<Sources, Unsolved> {
        Ok(Sources::new(Flows::follow(system)?, system.traffic.lengths.mean(), *self))
    }
}

impl Model for ChannelFlow {
    fn title(&self) -> [&'static str; 2] {
        let reading = match self.terminals {
            Terminals::Direct => "direct terminals",
            Terminals::Channels { ejection_waits: false } => "terminal channels",
            Terminals::Channels { ejection_waits: true } => "terminal channels, ejection waits",
        };
        ["channel flow (after Greenberg, Guan 1997)", reading]
    }

    /// Deterministic routing, in rings only with classes of VCs.
    fn covers(&self, system: &System) -> bool {
        let rings = system.network.wraps();
        let routing = system.relation.routing();
        // Random classes draw more than the ways round that routes are enumerated for.
        let cyclic =
            matches!(routing, Routing::DimensionOrder { classes: Classes::None | Classes::Random });
        let ordered = matches!(routing, Routing::DimensionOrder { .. });
        ordered && !(rings && cyclic) || matches!(routing, Routing::UpDown { .. })
    }

    fn assumptions(&self, system: &System) -> Vec<Option<Mismatch>> {
        let rings = system.network.wraps() && !system.relation.routing().follows_routes();
        let (classes, vcs) = if rings {
            (2, "2 VCs per channel, 1 for each class")
        } else {
            (1, "1 VC per channel")
        };
        let routing = "deterministic routing without cyclic waits";
        vec![
            assumptions::routing(system, self.covers(system), routing),
            assumptions::poisson(system),
            assumptions::one_length(system),
            assumptions::long_messages(system),
            assumptions::virtual_channels(system, classes, vcs),
            assumptions::full_speed(system),
            assumptions::terminals(system, self.terminals != Terminals::Direct),
        ]
    }

    fn equations(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        Ok(Box::new(self.prepare_sources(system)?))
    }
}
