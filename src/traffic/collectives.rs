//! Collective operations: messages that exchange, sum up or distribute the data of several nodes.
//!
//! | operation | steps | messages | flits of a message |
//! |---|---|---|---|
//! | ring all-reduce | 2n − 2 | n per step, to the next node | b/n |
//! | ring reduce-scatter, all-gather | n − 1 | n per step, to the next node | b/n |
//! | recursive all-reduce | 2 log₂ n | n per step | b/2, b/4, …, b/n and back |
//! | all-to-all | 1 | n − 1 per node | b/n |
//! | broadcast | log₂ n | a tree, each sender doubles the receivers | b |
//!
//! n nodes exchange b flits (R. Thakur, R. Rabenseifner and W. Gropp, *International Journal of
//! High Performance Computing Applications* 19, 2005). A message of a step awaits the message that
//! its node received in the step before. Without conflicts a ring all-reduce therefore takes
//! (2n − 2)·T + (2n − 3)·δ, with the latency T of a message and the delay δ between two steps.

use super::script::{Draft, Event, Script};
use crate::ids::NodeId;
use crate::text::count;
use crate::words::Need::{Default, Example, Open};
use crate::words::{Field, Kind, Misfit, Words, spaced, words};

/// Maximum number of messages, and of messages awaited.
const MESSAGES_MAX: usize = 1 << 22;
const AWAITED_MAX: usize = 1 << 24;
/// Maximum amount of data, in flits.
const FLITS_MAX: u32 = 1 << 20;

words! {
    /// An operation of all senders together, once; the run ends with the last delivery.
    pub enum Collective with SIZE {
        /// Sums up the data of all nodes at every node, around a ring of the nodes in their order.
        RingAllReduce,
        /// Sums up the data of all nodes, a part at every node, around a ring.
        RingReduceScatter,
        /// Collects the parts of all nodes at every node, around a ring.
        RingAllGather,
        /// Sums up the data of 2ⁿ nodes at every node, in halves and back.
        RecursiveAllReduce,
        /// Every node sends a part of its data to every other.
        AllToAll,
        /// The first node sends its data to all others, along a binomial tree.
        Broadcast,
    }
}

/// Fields common to all operations.
const SIZE: &[Field] = words!(@fields
    /// The data of a node (of the broadcast, of the first node), in flits.
    flits = Example("64"), Kind::whole("the data in flits", 1, FLITS_MAX);
    /// Longer messages are split into packets of this length in flits, each a message of its own;
    /// by default, none are.
    packet_flits = Open, Kind::whole("the length of a packet in flits", 1, FLITS_MAX);
    /// Cycles between the delivery of a message and the next step.
    delay = Default("0"), Kind::whole("the delay of a step in cycles", 0, u32::MAX);
);

/// The amounts of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// The data of a node.
    pub flits: u32,
    /// The longest message; `None`: any length.
    pub packet_flits: Option<u32>,
    /// Cycles between a delivery and the next step.
    pub delay: u32,
}

/// The packets of a message, as indices in a draft.
type Packets = std::ops::Range<usize>;

/// Adds messages to a draft.
struct Writer<'a> {
    nodes: &'a [NodeId],
    size: Size,
    draft: Draft,
    awaited: usize,
}

impl Writer<'_> {
    /// Adds a message of `flits` flits between two of the nodes after other messages; returns its
    /// packets.
    fn send(&mut self, [from, to]: [usize; 2], flits: u32, after: &Packets) -> Option<Packets> {
        let longest = self.size.packet_flits.unwrap_or(u32::MAX);
        let begin = self.draft.len();
        let mut left = flits;
        while left > 0 {
            let length = left.min(longest);
            self.draft.add(0, [self.nodes[from], self.nodes[to]], length);
            let (event, delay) = (Event::Delivered, self.size.delay);
            after.clone().for_each(|message| self.draft.await_event(message, event, delay));
            self.awaited += after.len();
            left -= length;
            if self.draft.len() > MESSAGES_MAX || self.awaited > AWAITED_MAX {
                return None;
            }
        }
        Some(begin..self.draft.len())
    }

    /// The flits of a part of the data, one or more.
    fn part(&self, part: usize) -> u32 {
        let (nodes, flits) = (self.nodes.len() as u64, u64::from(self.size.flits));
        let before = |part: u64| part * flits / nodes;
        ((before(part as u64 + 1) - before(part as u64)) as u32).max(1)
    }

    /// Steps round the ring, in which node i first sends part `i + first`, after messages that each
    /// node has received.
    fn ring(&mut self, first: usize, after: &[Packets]) -> Option<Vec<Packets>> {
        let nodes = self.nodes.len();
        let mut received = after.to_vec();
        for step in 0..nodes - 1 {
            let mut next = received.clone();
            for (node, after) in received.iter().enumerate() {
                let part = self.part((node + first + nodes - step) % nodes);
                let to = (node + 1) % nodes;
                next[to] = self.send([node, to], part, after)?;
            }
            received = next;
        }
        Some(received)
    }

    /// Exchanges with the node at each distance in turn, in which each sends this share of the data.
    fn exchange(
        &mut self,
        distances: impl Iterator<Item = (usize, u32)>,
        mut received: Vec<Packets>,
    ) -> Option<Vec<Packets>> {
        for (distance, flits) in distances {
            let mut next = received.clone();
            for (node, after) in received.iter().enumerate() {
                let to = node ^ distance;
                next[to] = self.send([node, to], flits, after)?;
            }
            received = next;
        }
        Some(received)
    }

    fn write(&mut self, operation: Collective) -> Option<()> {
        let nodes = self.nodes.len();
        let none = vec![0..0; nodes];
        match operation {
            Collective::RingAllReduce => {
                let reduced = self.ring(0, &none)?;
                self.ring(1, &reduced)?;
            }
            Collective::RingReduceScatter | Collective::RingAllGather => {
                self.ring(0, &none)?;
            }
            Collective::RecursiveAllReduce => {
                let steps = nodes.trailing_zeros();
                let half = |step: u32| {
                    let flits = self.size.flits >> (step + 1);
                    (nodes >> (step + 1), flits.max(1))
                };
                let halves: Vec<(usize, u32)> = (0..steps).map(half).collect();
                let reduced = self.exchange(halves.iter().copied(), none)?;
                self.exchange(halves.iter().rev().copied(), reduced)?;
            }
            Collective::AllToAll => {
                for ahead in 1..nodes {
                    for node in 0..nodes {
                        let to = (node + ahead) % nodes;
                        self.send([node, to], self.part(to), &(0..0))?;
                    }
                }
            }
            Collective::Broadcast => {
                let mut received = none;
                let mut informed = 1;
                while informed < nodes {
                    for node in 0..informed.min(nodes - informed) {
                        let to = node + informed;
                        let after = received[node].clone();
                        received[to] = self.send([node, to], self.size.flits, &after)?;
                    }
                    informed *= 2;
                }
            }
        }
        Some(())
    }
}

impl Collective {
    /// The messages of the operation between these nodes, in their order.
    ///
    /// # Errors
    /// The reason why the operation is not possible.
    pub fn script(self, size: Size, nodes: &[NodeId]) -> Result<Script, Misfit> {
        let name = spaced(self.word());
        if nodes.len() < 2 {
            let what = format!("an operation such as {name} needs two nodes or more");
            return Misfit::because(what, "name more nodes in `senders`");
        }
        if self == Self::RecursiveAllReduce && !nodes.len().is_power_of_two() {
            let what = format!("{name} needs 2, 4, 8, … nodes, not {}", nodes.len());
            return Misfit::because(
                what,
                "write `RingAllReduce`, or name fewer nodes in `senders`",
            );
        }
        let mut writer = Writer { nodes, size, draft: Draft::default(), awaited: 0 };
        if writer.write(self).is_none() {
            let nodes = count(nodes.len(), "node", "nodes");
            let what = format!("{name} of {nodes} has too many packets");
            return Misfit::because(
                what,
                "write larger `packet_flits`, or name fewer nodes in `senders`",
            );
        }
        let script = writer.draft.finish();
        Ok(script.expect("a message awaits earlier messages"))
    }
}

#[cfg(test)]
mod tests;
