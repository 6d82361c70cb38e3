//! The traffic of the terminals.
//!
//! Times are in [`arrivals`], destinations in [`destinations`] and message lengths in [`lengths`].

pub mod arrivals;
pub mod classes;
pub mod collectives;
pub mod destinations;
pub mod lengths;
mod node_rates;
pub mod script;
pub mod sources;

use crate::ids::NodeId;
use crate::text::count;
use crate::topology::Network;
use crate::units::Rate;
use crate::words;
pub use arrivals::Process;
use classes::{Feedback, MessageClass, MessageClasses, Origin};
use destinations::DestinationDraw;
pub use destinations::{Destinations, Locality, Offset, Permutation, Weights};
pub use lengths::Lengths;
pub use node_rates::NodeRates;
use script::Script;

/// Maximum number of nodes whose pairs are considered for messages with replies.
pub const NODES_WITH_REPLIES_MAX: usize = 4096;

/// The traffic of a scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct Traffic {
    /// The messages, if they are given; the other fields then are their means.
    pub script: Option<Script>,
    /// The arrival process of every node.
    pub process: Process,
    /// Messages per cycle of a sending node, on average over these nodes. (All nodes send except
    /// fixed points of a permutation and nodes without weights;
    /// [`crate::system::System::load_at`] gives the load over all nodes.)
    pub rate: Rate,
    pub destinations: Destinations,
    /// The nodes that send, without duplicates; `None`: all.
    pub senders: Option<Vec<NodeId>>,
    /// True if nodes also send to themselves, over their own injection and ejection channels.
    pub to_itself: bool,
    pub lengths: Lengths,
    /// The message classes.
    pub classes: MessageClasses,
    /// The window of requests, if these follow from deliveries instead of arrivals; the rate then is
    /// that of a source which sends all the time.
    pub closed_loop: Option<Feedback>,
}

impl Traffic {
    /// Random messages of one class, sent by all nodes with a destination.
    pub fn random(
        process: Process,
        rate: Rate,
        destinations: Destinations,
        lengths: Lengths,
    ) -> Self {
        let (script, senders, closed_loop) = (None, None, None);
        let classes = MessageClasses::default();
        let to_itself = false;
        Self {
            script,
            process,
            rate,
            destinations,
            senders,
            to_itself,
            lengths,
            classes,
            closed_loop,
        }
    }

    /// The messages of a script, with their means, and their classes if they have any. Lengths and weights
    /// of classes of arrivals are those of the script.
    pub fn scripted(script: Script, classes: MessageClasses) -> Self {
        let of_script = |(number, class): (u8, MessageClass)| {
            let totals = script.totals_of_class(number);
            match class.origin {
                Origin::Reply { .. } => class,
                Origin::Arrivals { .. } => MessageClass {
                    lengths: totals.random_lengths(),
                    origin: Origin::Arrivals { weight: totals.messages as f64 },
                    ..class
                },
            }
        };
        let classes = MessageClasses((0..).zip(classes.0).map(of_script).collect());
        let lengths = script.totals().random_lengths();
        let destinations = Destinations::Weighted(script.flows().clone());
        let messages = script.len() as f64 / script.span() as f64;
        let rate = Rate(messages / script.flows().sources() as f64);
        let random = Self::random(Process::Poisson, rate, destinations, lengths);
        Self { script: Some(script), classes, ..random }
    }

    /// True if the traffic has no rate: all messages are given, or requests follow from deliveries.
    pub fn has_no_rate(&self) -> bool {
        self.script.is_some() || self.closed_loop.is_some()
    }

    /// The messages of an arrival, with all replies that follow, on average.
    pub fn messages_per_arrival(&self) -> f64 {
        if self.classes.is_empty() { 1.0 } else { self.classes.shares().iter().sum() }
    }

    /// The messages of a script with the replies that follow; `None` of random messages.
    pub fn messages_in_all(&self) -> Option<u64> {
        let script = self.script.as_ref()?;
        Some((script.len() as f64 * self.messages_per_arrival()).round() as u64)
    }

    /// The share of the flits that travel from the destination of an arrival to its source.
    pub fn share_of_replies(&self) -> f64 {
        let shares = self.classes.shares();
        let back = shares.iter().zip(&self.classes.0).zip(0..).map(|((share, class), number)| {
            let is_back = self.classes.depth(number) % 2 == 1;
            if is_back { share * class.lengths.mean() } else { 0.0 }
        });
        back.sum::<f64>() / self.flits_per_arrival()
    }

    /// The flits sent by the busiest node, replies included, as a multiple of those of the arrivals of a
    /// sender of the mean rate and of their replies.
    pub fn sent_most(&self, network: &Network) -> f64 {
        let rates = self.rates(network);
        let back = self.share_of_replies();
        let symmetric = self.destinations == Destinations::Uniform && rates.all_alike();
        if back <= 0.0 || symmetric || network.nodes() > NODES_WITH_REPLIES_MAX {
            return rates.most();
        }
        let draw = self.draw(network);
        let nodes = || (0..network.nodes()).map(NodeId::new);
        let mut sent: Vec<f64> = nodes().map(|node| (1.0 - back) * rates.at(node)).collect();
        for node in nodes() {
            for (sent, probability) in sent.iter_mut().zip(draw.probabilities(node)) {
                *sent += back * rates.at(node) * probability;
            }
        }
        sent.into_iter().fold(0.0, f64::max)
    }

    /// The lengths of the messages of each class.
    pub fn all_lengths(&self) -> impl Iterator<Item = Lengths> {
        let single = self.classes.is_empty().then_some(self.lengths);
        self.classes.0.iter().map(|class| class.lengths).chain(single)
    }

    /// The most flits of a message; [`lengths::LENGTH_MAX`] without a limit.
    pub fn longest(&self) -> u32 {
        if let Some(script) = &self.script {
            return script.lengths()[1];
        }
        let longest =
            self.all_lengths().map(|lengths| lengths.longest().unwrap_or(lengths::LENGTH_MAX));
        longest.max().unwrap_or(lengths::LENGTH_MAX)
    }

    /// The mean flits of an arrival, with all replies that follow.
    pub fn flits_per_arrival(&self) -> f64 {
        if self.classes.is_empty() {
            return self.lengths.mean();
        }
        let shares = self.classes.shares();
        shares.iter().zip(&self.classes.0).map(|(share, class)| share * class.lengths.mean()).sum()
    }

    /// The arrivals in a scenario's text; a script by its number of messages and a checksum.
    pub fn arrivals(&self) -> String {
        match &self.script {
            None => match &self.closed_loop {
                None => words::written(&self.process),
                Some(feedback) => words::written(feedback),
            },
            Some(script) => {
                let messages = count(script.len() as usize, "message", "messages");
                format!("Replay(\"{messages}, checksum {:08x}\")", script.checksum())
            }
        }
    }

    /// The draws of destinations.
    pub fn draw(&self, network: &Network) -> DestinationDraw {
        DestinationDraw::among(&self.destinations, self.senders.as_deref(), self.to_itself, network)
    }

    /// The rates of the nodes.
    pub fn rates(&self, network: &Network) -> NodeRates {
        NodeRates::of(&self.destinations, self.senders.as_deref(), self.to_itself, network)
    }
}
