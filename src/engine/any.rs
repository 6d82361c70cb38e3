//! The engine that a system's switching asks for.

use super::circuit::CircuitEngine;
use super::letters::Letters;
use super::wormhole::WormholeEngine;
use super::{Counters, Deadlock, Delivery, Engine, Snapshot, Violation};
use crate::switching::Switching;
use crate::system::System;
use crate::units::{Cycle, Rate};

/// One of the engines.
#[derive(Clone, Debug)]
pub enum AnyEngine {
    /// Worms of flits.
    Wormhole(Box<WormholeEngine>),
    /// Circuits.
    Circuit(Box<CircuitEngine>),
}

/// Calls a method of whichever engine there is.
macro_rules! either {
    ($self:ident, $engine:ident => $call:expr) => {
        match $self {
            AnyEngine::Wormhole($engine) => $call,
            AnyEngine::Circuit($engine) => $call,
        }
    };
}
pub(super) use either;

impl AnyEngine {
    /// An empty network at cycle 0. Replications of one seed draw from disjoint streams.
    pub fn new(system: &System, seed: u64, replication: u32) -> Self {
        match system.switching {
            Switching::Wormhole(_) => {
                Self::Wormhole(Box::new(WormholeEngine::new(system, seed, replication)))
            }
            Switching::Circuit(_) => {
                Self::Circuit(Box::new(CircuitEngine::new(system, seed, replication)))
            }
        }
    }
}

impl Engine for AnyEngine {
    fn now(&self) -> Cycle {
        either!(self, engine => engine.now())
    }

    fn advance(&mut self, until: Cycle) {
        either!(self, engine => engine.advance(until));
    }

    fn take_deliveries(&mut self, out: &mut Vec<Delivery>) {
        either!(self, engine => engine.take_deliveries(out));
    }

    fn observe(&self, snapshot: &mut Snapshot) {
        either!(self, engine => engine.observe(snapshot));
    }

    fn audit(&self) -> Result<(), Violation> {
        either!(self, engine => engine.audit())
    }

    fn fingerprint(&self) -> u64 {
        either!(self, engine => engine.fingerprint())
    }

    fn copy_from(&mut self, other: &Self) {
        match (self, other) {
            (Self::Wormhole(own), Self::Wormhole(other)) => own.copy_from(other),
            (Self::Circuit(own), Self::Circuit(other)) => own.copy_from(other),
            (own, other) => *own = other.clone(),
        }
    }

    fn bytes(&self) -> usize {
        either!(self, engine => size_of_val(&**engine) + engine.bytes())
    }

    fn set_rate(&mut self, rate: Rate) {
        either!(self, engine => engine.set_rate(rate));
    }

    fn counters(&self) -> Counters {
        either!(self, engine => engine.counters())
    }

    fn letters(&mut self) -> &mut Letters {
        either!(self, engine => engine.letters())
    }

    fn deadlock(&self) -> Option<&Deadlock> {
        either!(self, engine => engine.deadlock())
    }

    fn find_deadlock(&self) -> Option<Deadlock> {
        either!(self, engine => engine.find_deadlock())
    }
}
