//! A checked system, ready to be simulated: network, routing, switching and traffic that fit together.

use std::sync::Arc;

use crate::routing::dependency::{self, Proof};
use crate::routing::{HalfWay, Relation, Routing};
use crate::switching::circuit::{self, Conflict, Duplex};
use crate::switching::{Circuit, Switching, Terminals, Wormhole};
use crate::topology::Network;
use crate::topology::links::Links;
use crate::traffic::Traffic;
use crate::units::{Load, Rate, TimeUnit};

/// A network with the policies that run on it. A value of this type has been checked: an engine
/// built from it cannot fail, and a model need only ask whether its own assumptions hold.
#[derive(Clone, Debug)]
pub struct System {
    pub network: Arc<Network>,
    /// The routing rule, prepared for the network and its VCs.
    pub relation: Relation,
    pub switching: Switching,
    pub traffic: Traffic,
    sending_share: f64,
}

impl System {
    /// Puts a system together from parts that fit (see [`Relation::new`]). The network is given
    /// injection and ejection channels where the machine wants them.
    pub fn new(
        network: Arc<Network>,
        routing: Routing,
        switching: impl Into<Switching>,
        traffic: Traffic,
    ) -> Self {
        let switching = switching.into();
        let terminals = switching.wormhole().map(|machine| machine.terminals);
        let network = if terminals == Some(Terminals::Channels) {
            Arc::new(Arc::unwrap_or_clone(network).with_terminal_channels())
        } else {
            network
        };
        let relation = Relation::new(routing, Arc::clone(&network), switching.virtual_channels());
        let senders = traffic.destinations.senders(&network);
        let sending_share = senders as f64 / network.nodes() as f64;
        Self { network, relation, switching, traffic, sending_share }
    }

    /// The same system with another way to decide between ways equally long (see
    /// [`Relation::with_half_way`]). The default is [`HalfWay::Random`].
    #[must_use]
    pub fn with_half_way(self, half_way: HalfWay) -> Self {
        Self { relation: self.relation.with_half_way(half_way), ..self }
    }

    /// The machine, where messages travel as worms.
    pub fn wormhole(&self) -> Option<&Wormhole> {
        self.switching.wormhole()
    }

    /// The machine, where messages travel over circuits.
    pub fn circuit(&self) -> Option<&Circuit> {
        self.switching.circuit()
    }

    /// The unit of times and rates.
    pub fn time_unit(&self) -> TimeUnit {
        let mean = self.traffic.lengths.mean();
        match self.switching {
            Switching::Wormhole(_) => TimeUnit::CYCLE,
            // Bounds drawn up in whole flits: a mean within one of the unit is the unit.
            Switching::Circuit(_) if (mean - f64::from(TimeUnit::TIME.flits)).abs() < 1.0 => {
                TimeUnit::TRANSMISSION
            }
            Switching::Circuit(_) => TimeUnit::TIME,
        }
    }

    /// The mean length of a message in what a channel carries in a unit of time: flits, or
    /// transmission times.
    pub fn length_mean(&self) -> f64 {
        self.traffic.lengths.mean() / f64::from(self.time_unit().flits)
    }

    /// The verdict on messages that wait for each other for ever: the proof that they cannot, or the
    /// cycle by which they may.
    pub fn proof(&self) -> Proof {
        match &self.switching {
            Switching::Wormhole(_) => dependency::prove(&self.network, &self.relation),
            Switching::Circuit(machine) => {
                let links = Links::new(&self.network, machine.duplex == Duplex::Half);
                let waits = machine.conflict == Conflict::Hold;
                dependency::prove_circuits(&self.network, &self.relation, &links, waits)
            }
        }
    }

    /// The share of the nodes that send: 1, unless a permutation leaves some where they are.
    pub fn sending_share(&self) -> f64 {
        self.sending_share
    }

    /// The load offered at a rate, in flits per node and cycle (over circuits: in transmission times
    /// per node and unit of time) over *all* nodes, so that it can be compared with the accepted load.
    /// `rate` is that of each node that sends.
    pub fn load_at(&self, rate: Rate) -> Load {
        Load(rate.to_load(self.length_mean()).0 * self.sending_share())
    }

    /// The rate of each node that sends at which the load offered, over all nodes, is `load`.
    pub fn rate_for(&self, load: Load) -> Rate {
        Load(load.0 / self.sending_share()).to_rate(self.length_mean())
    }

    /// The highest rate that can be asked for: one flit per sending node and cycle; of circuits
    /// [`circuit::RATE_MAX`].
    pub fn rate_max(&self) -> Rate {
        match self.switching {
            Switching::Wormhole(_) => Load(1.0).to_rate(self.length_mean()),
            Switching::Circuit(_) => Rate(circuit::RATE_MAX),
        }
    }

    /// The highest rate that a source can send: [`Self::rate_max`], or less where its injection channel
    /// limits it.
    pub fn injection_rate_max(&self) -> Rate {
        let most = self.rate_max();
        let length = self.length_mean();
        let bound = self.wormhole().and_then(|machine| machine.injection_bound(length));
        bound.map_or(most, |bound| Rate(most.0.min(Load(bound).to_rate(length).0)))
    }

    /// The load that the traffic offers, as [`Self::load_at`] counts it.
    pub fn load(&self) -> Load {
        self.load_at(self.traffic.rate)
    }
}

#[cfg(test)]
mod tests;
