//! A validated system, ready for simulation: matching network, routing, switching and traffic.

pub mod failures;
pub mod known_relations;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::ids::ChannelId;
use crate::routing::dependency::{self, Demands, Pairs, Proof, Verdict};
use crate::routing::{HalfWay, Placement, Relation, Routing};
use crate::switching::circuit::{self, Conflict, Duplex};
use crate::switching::{Circuit, Forwarding, Release, Switching, Terminals, Wormhole};
use crate::topology::Network;
use crate::topology::links::Links;
use crate::traffic::classes::Feedback;
use crate::traffic::destinations::DestinationDraw;
use crate::traffic::{NodeRates, Traffic};
use crate::units::{Load, Rate, TimeUnit};
use failures::{Failures, Plan};
use known_relations::KnownRelations;

/// A network with its policies. Values of this type are validated: building an engine cannot fail,
/// and a model need only check its own assumptions.
#[derive(Clone, Debug)]
pub struct System {
    pub network: Arc<Network>,
    /// The routing rule, prepared for the network and its VCs.
    pub relation: Relation,
    pub switching: Switching,
    pub traffic: Traffic,
    rates: NodeRates,
    /// [`Traffic::sent_most`].
    sent_most: f64,
    /// Links that have failed for the whole run, sorted.
    failed: Vec<ChannelId>,
    /// Failures during the run, under wormhole switching.
    plan: Arc<Plan>,
    /// Relations after failures, shared by all runs.
    known_relations: Arc<KnownRelations>,
}

impl System {
    /// Combines matching parts (see [`Relation::new`]) into a system.
    #[expect(clippy::needless_pass_by_value, reason = "callers have no further use for the rule")]
    pub fn new(
        network: Arc<Network>,
        routing: Routing,
        switching: impl Into<Switching>,
        traffic: Traffic,
    ) -> Self {
        let placement = routing.on(&network).expect("a checked rule serves its network");
        Self::of(network, placement, switching, traffic)
    }

    /// Combines matching parts (see [`Relation::of`]) into a system. Adds injection and ejection
    /// channels to the network if required by the machine.
    pub fn of(
        network: Arc<Network>,
        placement: Placement,
        switching: impl Into<Switching>,
        traffic: Traffic,
    ) -> Self {
        let switching = switching.into();
        let channels = match &switching {
            Switching::Wormhole(machine) => machine.terminals == Terminals::Channels,
            // Terminals that share a router have a link each; others are routers themselves (001).
            Switching::Circuit(_) => network.terminals_at_most() > 1,
        };
        let network = if channels {
            Arc::new(Arc::unwrap_or_clone(network).with_terminal_channels())
        } else {
            network
        };
        let vcs = switching.virtual_channels();
        let relation = Relation::of(placement, Arc::clone(&network), vcs);
        let relation = match switching.wormhole().and_then(|it| it.message_classes.masks()) {
            Some(vcs) => relation.apart(&vcs),
            None => relation,
        };
        let (rates, sent_most) = (traffic.rates(&network), traffic.sent_most(&network));
        Self {
            network,
            relation,
            switching,
            traffic,
            rates,
            sent_most,
            failed: Vec::new(),
            plan: Arc::default(),
            known_relations: Arc::default(),
        }
    }

    /// Makes links fail for the whole run, of circuits.
    #[must_use]
    pub fn with_failed(self, mut failed: Vec<ChannelId>) -> Self {
        assert!(failed.is_empty() || self.circuit().is_some());
        failed.sort_unstable();
        failed.dedup();
        Self { failed, ..self }
    }

    /// Makes parts of the network fail during the run.
    #[must_use]
    pub fn with_failures(self, failures: Failures) -> Self {
        let plan = Arc::new(Plan::new(failures, &self.network));
        Self { plan, ..self }
    }

    /// Failures during the run.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// Relations after failures, found by runs.
    pub fn known_relations(&self) -> &Arc<KnownRelations> {
        &self.known_relations
    }

    /// Links that have failed for the whole run.
    pub fn failed(&self) -> &[ChannelId] {
        &self.failed
    }

    /// Replaces the rule for choosing between directions of equal distance (see
    /// [`Relation::with_half_way`]). The default is [`HalfWay::Random`].
    #[must_use]
    pub fn with_half_way(self, half_way: HalfWay) -> Self {
        let relation = self.relation.with_half_way(half_way);
        Self { relation, known_relations: Arc::default(), ..self }
    }

    /// Replaces the traffic.
    #[must_use]
    pub fn with_traffic(self, traffic: Traffic) -> Self {
        let (rates, sent_most) = (traffic.rates(&self.network), traffic.sent_most(&self.network));
        Self { traffic, rates, sent_most, ..self }
    }

    /// The machine under wormhole switching.
    pub fn wormhole(&self) -> Option<&Wormhole> {
        self.switching.wormhole()
    }

    /// The machine under circuit switching.
    pub fn circuit(&self) -> Option<&Circuit> {
        self.switching.circuit()
    }

    /// The links of the network: one for both directions where circuits occupy both.
    pub fn links(&self) -> Links {
        let is_half = |machine: &Circuit| machine.duplex == Duplex::Half;
        Links::new(&self.network, self.circuit().is_some_and(is_half))
    }

    /// The number of a message's hops over channels of terminals rather than links between routers.
    pub fn terminal_hops(&self) -> u32 {
        if self.network.has_terminal_channels() { 2 } else { 0 }
    }

    /// The unit of times and rates.
    pub fn time_unit(&self) -> TimeUnit {
        let mean = self.traffic.lengths.mean();
        match self.switching {
            Switching::Wormhole(_) => TimeUnit::CYCLE,
            // Length bounds are rounded to whole flits: a mean within one flit of the unit counts
            // as the unit.
            Switching::Circuit(_) if (mean - f64::from(TimeUnit::TIME.flits)).abs() < 1.0 => {
                TimeUnit::TRANSMISSION
            }
            Switching::Circuit(_) => TimeUnit::TIME,
        }
    }

    /// The mean length of a message, in flits, or in transmission times under circuit switching.
    pub fn length_mean(&self) -> f64 {
        self.flits_per_arrival() / self.traffic.messages_per_arrival()
    }

    /// The mean length of an arrival with all replies that follow, in the unit of
    /// [`Self::length_mean`].
    pub fn flits_per_arrival(&self) -> f64 {
        self.traffic.flits_per_arrival() / f64::from(self.time_unit().flits)
    }

    /// Proof of deadlock freedom, or a dependency cycle that permits a deadlock.
    pub fn proof(&self) -> Proof {
        self.proof_for(&Pairs::All)
    }

    /// Proof of deadlock freedom with messages between these pairs of routers only; circuits are
    /// proven for all pairs.
    pub fn proof_for(&self, pairs: &Pairs) -> Proof {
        match &self.switching {
            Switching::Wormhole(machine) => {
                let (network, relation) = (&self.network, &self.relation);
                if machine.forwarding == Forwarding::Bubble {
                    return dependency::prove_bubble(network, relation, pairs);
                }
                // A VC released as soon as the tail has crossed may be granted while its buffer drains.
                let shares_buffers =
                    machine.release == Release::Sent && machine.forwarding == Forwarding::Wormhole;
                let proof = self.proof_of_worms(machine, pairs);
                match proof.verdict {
                    Verdict::Free { .. } if shares_buffers && proof.method.needs_room() => {
                        Proof { verdict: Verdict::SharedBuffers, ..proof }
                    }
                    Verdict::Free { .. }
                    | Verdict::SharedBuffers
                    | Verdict::Cyclic { .. }
                    | Verdict::Stranded { .. }
                    | Verdict::TooLarge { .. } => proof,
                }
            }
            Switching::Circuit(machine) => {
                let waits = machine.conflict == Conflict::Hold;
                dependency::prove_circuits(&self.network, &self.relation, &self.links(), waits)
            }
        }
    }

    /// Proof of deadlock freedom while messages are in the network that were routed by these relations,
    /// oldest first, and continue by the last, while links are closed; `None` if nodes have room for a
    /// limited number of replies.
    pub fn proof_of_transition(
        &self,
        relations: &[Relation],
        closed: &BTreeSet<ChannelId>,
    ) -> Option<Proof> {
        let none = BTreeSet::new();
        // Lost messages hold no failed link; stopped ones may.
        let unused = if self.plan.stalls() { &none } else { closed };
        match &self.switching {
            Switching::Wormhole(machine) => {
                let has_room = !self.demands(machine).any();
                has_room.then(|| dependency::prove_transition(&self.network, relations, unused))
            }
            Switching::Circuit(machine) if machine.conflict == Conflict::Hold => {
                Some(dependency::prove_transition_of_circuits(
                    &self.links(),
                    &self.network,
                    relations,
                    unused,
                ))
            }
            Switching::Circuit(_) => Some(self.proof()),
        }
    }

    /// Proof for worms, with pairs of requests if the traffic has message classes.
    fn proof_of_worms(&self, machine: &Wormhole, pairs: &Pairs) -> Proof {
        let (network, relation) = (&self.network, &self.relation);
        let one_queue = machine.injection.is_of_one_message();
        if self.traffic.classes.is_empty() {
            return dependency::prove_pairs(network, relation, pairs, one_queue);
        }
        let pairs = pairs.with_replies();
        let demands = self.demands(machine);
        if !demands.any() {
            return dependency::prove_pairs(network, relation, &pairs, one_queue);
        }
        let proof = dependency::prove_with_nodes(network, relation, &pairs, &demands);
        // A window may be too small to fill the cycle.
        let unclosed = self.traffic.closed_loop.is_some();
        Proof { unclosed, ..proof }
    }

    /// The demands of messages on the room of nodes. Room for all requests outstanding is never full.
    fn demands(&self, machine: &Wormhole) -> Demands {
        let Traffic { classes, closed_loop, to_itself, .. } = &self.traffic;
        let (senders, nodes) = (self.rates.senders(), self.network.nodes());
        let others = senders - usize::from(senders == nodes && !to_itself);
        let outstanding = closed_loop
            .map(|Feedback::ClosedLoop { window, .. }| u64::from(window) * others as u64);
        let fills = |room: u32| outstanding.is_none_or(|most| most > u64::from(room));
        let demanded = |class: u8| {
            let room = classes.room_after(class)?;
            classes.reply_to(class).filter(|_| fills(room)).map(|(reply, _)| reply)
        };
        Demands {
            replies: (0..classes.count() as u8).map(demanded).collect(),
            one_queue: machine.injection.is_of_one_message(),
            to_itself: *to_itself,
        }
    }

    /// The draws of destinations.
    pub fn draw(&self) -> DestinationDraw {
        self.traffic.draw(&self.network)
    }

    /// The rates of the nodes.
    pub fn rates(&self) -> &NodeRates {
        &self.rates
    }

    /// The flits sent by the busiest node: see [`Traffic::sent_most`].
    pub fn sent_most(&self) -> f64 {
        self.sent_most
    }

    /// The share of sending nodes: 1, unless some nodes have no destination or are not among the
    /// senders.
    pub fn sending_share(&self) -> f64 {
        self.rates.senders() as f64 / self.network.nodes() as f64
    }

    /// The offered load at a rate, in flits per node and cycle (over circuits: in transmission
    /// times per node and unit of time), averaged over *all* nodes for comparison with the accepted
    /// load. `rate` is the mean rate of the sending nodes.
    pub fn load_at(&self, rate: Rate) -> Load {
        Load(rate.to_load(self.flits_per_arrival()).0 * self.sending_share())
    }

    /// The mean rate of the sending nodes for an offered load of `load`, averaged over all nodes.
    pub fn rate_for(&self, load: Load) -> Rate {
        Load(load.0 / self.sending_share()).to_rate(self.flits_per_arrival())
    }

    /// The maximum rate of a scenario: one flit per cycle of the fastest node, or
    /// [`circuit::RATE_MAX`] under circuit switching.
    pub fn rate_max(&self) -> Rate {
        let most = match self.switching {
            Switching::Wormhole(_) => Load(1.0).to_rate(self.flits_per_arrival()),
            Switching::Circuit(_) => Rate(circuit::RATE_MAX),
        };
        Rate(most.0 / self.sent_most)
    }

    /// The maximum rate of a source: [`Self::rate_max`], or less if the injection channel of the
    /// fastest node has a lower limit.
    pub fn injection_rate_max(&self) -> Rate {
        let most = self.rate_max();
        let length = self.length_mean();
        let bound = self.wormhole().and_then(|machine| machine.injection_bound(length));
        let of = |bound| Load(bound).to_rate(self.flits_per_arrival()).0 / self.sent_most;
        bound.map_or(most, |bound| Rate(most.0.min(of(bound))))
    }

    /// The offered load of the traffic, as computed by [`Self::load_at`].
    pub fn load(&self) -> Load {
        self.load_at(self.traffic.rate)
    }
}

#[cfg(test)]
mod tests;
