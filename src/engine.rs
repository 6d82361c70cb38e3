//! The simulation engines and their snapshots.
//!
//! An engine is a plain value without threads, clocks or screens. Engines can be advanced,
//! observed, audited, copied and fingerprinted ([`Simulator`]); deliveries are drained in batches.
//! [`Engine`] contains the engine for the switching of a system. Use [`Clone::clone_from`] to copy
//! an engine into existing storage.

mod change;
pub mod circuit;
mod common;
mod deadlock;
pub mod letters;
pub mod messages;
mod own_pace;
mod phases;
mod rerouting;
pub mod router;
mod schedule;
mod simulator;
mod tables;
#[cfg(test)]
mod tests {
    pub(super) mod damage;
}
mod totals;
mod view;
mod ways;
mod wheel;
pub mod wormhole;

use std::ops::{Deref, DerefMut};

use educe::Educe;
use get_size2::GetSize;

pub use self::change::Change;
use self::circuit::CircuitEngine;
pub use self::deadlock::{Deadlock, DeadlockSet, Wait, WaitKind, stopped};
pub use self::phases::Phase;
pub use self::rerouting::Routed;
use self::router::RouterEngine;
pub use self::schedule::drawn_failures;
pub use self::simulator::Simulator;
pub use self::totals::{Counters, Delivery, HeadWaits, Loss, VcUse, Violation};
pub use self::view::{CircuitState, CircuitView, HeadStage, HeadState, Snapshot, VcView, WormView};
use self::wormhole::WormholeEngine;
use crate::switching::Switching;
use crate::system::System;

/// An engine for one kind of switching; see [`Simulator`] for its methods.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub enum Engine {
    /// Worms of flits, without a pipeline.
    Wormhole(Box<WormholeEngine>),
    /// Worms of flits in pipelined routers.
    Router(Box<RouterEngine>),
    Circuit(Box<CircuitEngine>),
}

impl Engine {
    /// Creates an empty network at cycle 0. Replications of a seed draw from disjoint streams.
    pub fn new(system: &System, seed: u64, replication: u32) -> Self {
        match system.switching {
            Switching::Wormhole(machine) if machine.pipeline.stages().is_some() => {
                Self::Router(Box::new(RouterEngine::new(system, seed, replication)))
            }
            Switching::Wormhole(_) => {
                Self::Wormhole(Box::new(WormholeEngine::new(system, seed, replication)))
            }
            Switching::Circuit(_) => {
                Self::Circuit(Box::new(CircuitEngine::new(system, seed, replication)))
            }
        }
    }
}

impl Deref for Engine {
    type Target = dyn Simulator;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Wormhole(engine) => engine.as_ref(),
            Self::Router(engine) => engine.as_ref(),
            Self::Circuit(engine) => engine.as_ref(),
        }
    }
}

impl DerefMut for Engine {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Wormhole(engine) => engine.as_mut(),
            Self::Router(engine) => engine.as_mut(),
            Self::Circuit(engine) => engine.as_mut(),
        }
    }
}
