//! The messages of all terminals: generated, and kept in queues until they leave.
//!
//! A source (`sources/source.rs`) reports when the next message is due and hands it over; the queues are the
//! same for all sources. A terminal hands its oldest waiting messages to the engine, [`window`] of them.
//! Those behind them are left with the source until their turn comes.

mod calendar;
mod random;
mod replay;
mod source;

use std::sync::Arc;

use educe::Educe;
use get_size2::GetSize;

use super::Traffic;
use crate::ids::NodeId;
use crate::random::{key, mix, route_bits};
use crate::topology::Network;
use crate::units::Rate;
use random::Random;
use replay::Replay;
pub use replay::{Arrival, Rejection};
use source::Source;

/// The least that [`window`] is, in messages.
const WAITING_LEAST: u32 = 1024;
/// Messages of all sources together that [`window`] aims at: some 70 MB of them.
const WAITING_IN_ALL: u32 = 1 << 19;

/// The most messages of one source that are handed out and have not left it, in a network of
/// `nodes` terminals. Those that are handed out compete; in a network so far beyond saturation
/// that more wait, the window may fill with messages for one busy direction, and less is carried.
pub fn window(nodes: usize) -> u32 {
    WAITING_LEAST.max(WAITING_IN_ALL / nodes.max(1) as u32)
}

/// A generated message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Message {
    pub source: NodeId,
    pub destination: NodeId,
    /// Which message of its source it is, from 0.
    pub serial: u64,
    /// Flits.
    pub length: u32,
    /// The cycle of its generation; from sources [in ticks](Sources::in_ticks) the tick.
    pub born: u64,
    pub route_bits: u64,
}

/// What became of a message at its generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generated {
    Asks(Message),
    /// It waits behind as many others as are handed out ([`window`]), and is handed out when its turn comes.
    Waits,
    /// As many as may wait were waiting.
    Discarded,
}

/// The messages of a terminal that were generated and have not left it.
#[derive(Clone, Copy, Default, Debug, GetSize)]
struct Queue {
    /// Messages handed out so far.
    serial: u64,
    /// Messages handed out that have not left.
    waiting: u32,
    /// Messages generated but not handed out.
    behind: u64,
}

/// The messages of a network's terminals.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub struct Sources {
    key: u64,
    source: Source,
    queues: Vec<Queue>,
    generated: u64,
    /// The most messages of a terminal that are handed out and have not left it.
    window: u32,
    /// True if those beyond the window are discarded.
    discards: bool,
    discarded: u64,
}

impl Sources {
    /// Messages that the terminals of a network draw. Replications of one seed draw from disjoint
    /// streams.
    pub fn new(traffic: &Traffic, network: &Network, seed: u64, replication: u32) -> Self {
        let nodes = network.nodes();
        Self {
            key: key(seed, replication),
            source: Source::Random(Random::new(traffic, network, seed, replication)),
            queues: vec![Queue::default(); nodes],
            generated: 0,
            window: window(nodes),
            discards: false,
            discarded: 0,
        }
    }

    /// The same terminals, at each of which at most `waiting_max` messages may wait: those generated
    /// beyond are discarded.
    #[must_use]
    pub fn that_discard_beyond(self, waiting_max: u32) -> Self {
        Self { window: waiting_max, discards: true, ..self }
    }

    /// The same terminals before anything was generated, which replay what they are [given](Self::give),
    /// messages of at most `length_max` flits. Ties are broken as if the messages had been drawn.
    #[must_use]
    pub fn that_replay(self, length_max: u32) -> Self {
        Self { source: Source::Replay(Replay::new(self.queues.len(), length_max)), ..self }
    }

    /// The same terminals before anything was generated, with births in ticks of 2⁻³² of a unit of time
    /// ([`Axis::in_ticks`](super::arrivals::Axis::in_ticks)): the same messages in the same order.
    #[must_use]
    pub fn in_ticks(mut self) -> Self {
        self.source.count_ticks();
        self
    }

    /// Changes the rate from cycle `now` on.
    pub fn set_rate(&mut self, now: u64, rate: Rate) {
        self.source.set_rate(now, rate);
    }

    /// Gives a further block of messages to be replayed, `last` if no other comes: born in order, those of
    /// a terminal numbered from 0. Of a block that is refused nothing is taken.
    pub fn give(&mut self, block: Arc<[Arrival]>, last: bool) -> Result<(), Rejection> {
        self.source.give(block, last)
    }

    /// Messages to be replayed that were given so far: the next block begins behind them. The place in
    /// the replay is that of the next message to be generated, [`Self::generated`].
    pub fn given(&self) -> u64 {
        self.source.given()
    }

    /// The first cycle of which not all messages may be known: before it, blocks must be given.
    #[inline]
    pub fn known_until(&self) -> u64 {
        self.source.known_until()
    }

    /// True if no message will be generated any more.
    pub fn are_at_end(&self) -> bool {
        self.source.is_at_end()
    }

    /// The cycle of the next arrival anywhere.
    #[inline]
    pub fn next_arrival(&self) -> u64 {
        self.source.next().map_or(u64::MAX, |(cycle, _)| cycle)
    }

    /// Generates the next message of cycle `now` or earlier; `None` when there is none: ask until
    /// [`Self::next_arrival`] is later.
    #[expect(clippy::inline_always, reason = "a message would be copied")]
    #[inline(always)]
    pub fn generate(&mut self, now: u64) -> Option<Generated> {
        let (cycle, node) = self.source.next()?;
        if cycle > now {
            return None;
        }
        let queue = &self.queues[node as usize];
        self.generated += 1;
        if queue.waiting >= self.window || queue.behind > 0 {
            return Some(self.generate_beyond(node));
        }
        let letter = self.source.take(node);
        Some(Generated::Asks(self.hand_out(node, cycle, letter)))
    }

    /// Generates a message of a node of which as many wait as may be handed out.
    #[inline(never)]
    fn generate_beyond(&mut self, node: u32) -> Generated {
        let queue = &mut self.queues[node as usize];
        if !self.discards {
            self.source.leave(node, queue.behind == 0);
            queue.behind += 1;
            return Generated::Waits;
        }
        // Taken all the same: which messages follow does not depend on what is discarded.
        self.source.take(node);
        queue.serial += 1;
        self.discarded += 1;
        Generated::Discarded
    }

    #[expect(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    fn hand_out(&mut self, node: u32, born: u64, (destination, length): (NodeId, u32)) -> Message {
        let queue = &mut self.queues[node as usize];
        let serial = queue.serial;
        queue.serial += 1;
        queue.waiting += 1;
        let route_bits = route_bits(self.key, node, serial);
        Message { source: NodeId(node), destination, serial, length, born, route_bits }
    }

    /// A message of `node` has left its queue; the next of those behind takes its place.
    #[inline]
    pub fn leave(&mut self, node: NodeId) -> Option<Message> {
        let queue = &mut self.queues[node.index()];
        queue.waiting -= 1;
        (queue.behind > 0).then(|| self.come_forward(node))
    }

    #[inline(never)]
    fn come_forward(&mut self, node: NodeId) -> Message {
        let queue = &mut self.queues[node.index()];
        queue.behind -= 1;
        let last = queue.behind == 0;
        let (born, destination, length) = self.source.take_left(node.0, last);
        self.hand_out(node.0, born, (destination, length))
    }

    /// A message that had left `node` waits there again.
    pub fn take_back(&mut self, node: NodeId) {
        self.queues[node.index()].waiting += 1;
    }

    /// How many terminals there are.
    pub fn terminals(&self) -> usize {
        self.queues.len()
    }

    /// Messages discarded so far.
    pub fn discarded(&self) -> u64 {
        self.discarded
    }

    /// Messages of `node` that wait, handed out or not.
    pub fn queue(&self, node: NodeId) -> u64 {
        let queue = &self.queues[node.index()];
        u64::from(queue.waiting) + queue.behind
    }

    /// Messages of `node` that are handed out and wait.
    pub fn waiting(&self, node: NodeId) -> u32 {
        self.queues[node.index()].waiting
    }

    /// Messages of `node` that were handed out so far, discarded ones included: the serial number of
    /// the next.
    pub fn handed_out(&self, node: NodeId) -> u64 {
        self.queues[node.index()].serial
    }

    /// Messages of `node` generated so far.
    pub fn generated_at(&self, node: NodeId) -> u64 {
        let queue = &self.queues[node.index()];
        queue.serial + queue.behind
    }

    /// Messages generated so far.
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// The birth cycles of the messages of `node` that are not handed out, oldest first.
    pub fn births_behind(&self, node: NodeId) -> impl Iterator<Item = u64> {
        let behind = self.queues[node.index()].behind;
        self.source.births_left(node).take(behind as usize)
    }

    /// A hash of all that decides the messages to come.
    pub fn fingerprint(&self) -> u64 {
        // What the scenario fixes is left out.
        let Self { source, queues, generated, window, discards, discarded, key: _ } = self;
        let mut hash = mix(source.fingerprint(), *generated);
        if *discards {
            hash = mix(mix(hash, u64::from(*window)), *discarded);
        }
        for (node, &Queue { serial, waiting, behind }) in (0..).zip(queues) {
            hash = source.hash_terminal(node, hash);
            hash = mix(mix(mix(hash, serial), u64::from(waiting)), behind);
            hash = source.hash_left(node, hash);
        }
        hash
    }
}

#[cfg(test)]
mod tests;
