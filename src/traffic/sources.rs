//! Generates the messages of all terminals and queues them until they leave.
//!
//! A source (`sources/source.rs`) reports the time of the next message and returns the message; the
//! queues are independent of the kind of source. A terminal releases its oldest messages to the
//! engine, at most [`window`] at a time; later messages remain in the source.

mod calendar;
mod classed;
mod content;
mod deliveries;
mod given;
mod message;
mod queue;
mod random;
mod reports;
mod scripted;
mod source;

use educe::Educe;
use get_size2::GetSize;

use super::Traffic;
use super::script::Event;
use crate::ids::NodeId;
use crate::random::{key, mix, route_bits};
use crate::topology::Network;
use crate::units::Rate;
use calendar::Due;
use content::Content;
pub use deliveries::Deliveries;
pub use message::Message;
use queue::Queue;
use source::Source;

/// Minimum of [`window`], in messages.
const WAITING_LEAST: u32 = 1024;
/// Target of [`window`] for the messages of all sources together: about 70 MB.
const WAITING_IN_ALL: u32 = 1 << 19;

/// Maximum number of messages released by a source that have not left the queue, in a network of
/// `nodes` terminals. Released messages compete for channels. Far beyond saturation, with longer
/// queues, the window may fill with messages for one busy direction, which reduces throughput.
pub fn window(nodes: usize) -> u32 {
    WAITING_LEAST.max(WAITING_IN_ALL / nodes.max(1) as u32)
}

/// The outcome of generating a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generated {
    Asks(Message),
    /// The message waits behind a full [`window`] and is released later.
    Waits,
    /// The message was discarded because the queue was full.
    Discarded,
}

/// The messages of a network's terminals.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub struct Sources {
    key: u64,
    source: Source,
    /// The next message of the source.
    next: Due,
    /// The first queue of every terminal, followed by those of further message classes.
    queues: Vec<Queue>,
    /// The number of terminals.
    terminals: usize,
    generated: u64,
    /// Maximum number of a terminal's messages released and not left.
    window: u32,
    /// True if messages beyond the window are discarded.
    discards: bool,
    discarded: u64,
    /// The deliveries of given messages.
    deliveries: Option<Deliveries>,
}

impl Sources {
    /// Creates sources of random messages, or of the messages of a script. Replications of one seed
    /// draw from disjoint streams.
    pub fn new(traffic: &Traffic, network: &Network, seed: u64, replication: u32) -> Self {
        let nodes = network.nodes();
        let source = Source::new(traffic, network, seed, replication);
        Self {
            key: key(seed, replication),
            next: source.next(),
            source,
            queues: vec![Queue::default(); nodes * traffic.classes.count()],
            terminals: nodes,
            generated: 0,
            window: window(nodes),
            discards: false,
            discarded: 0,
            deliveries: traffic.script.as_ref().map(|_| Deliveries::new(nodes)),
        }
    }

    /// Limits the queue of each terminal to `waiting_max` messages and discards messages beyond.
    #[must_use]
    pub fn that_discard_beyond(self, waiting_max: u32) -> Self {
        Self { window: waiting_max, discards: true, ..self }
    }

    /// Puts the messages of all classes of a terminal into one queue; for unused sources.
    #[must_use]
    pub fn that_share_queues(mut self) -> Self {
        if self.source.share_queues() {
            self.queues.truncate(self.terminals);
            self.next = self.source.next();
        }
        self
    }

    /// Converts unused sources to births in ticks of 2⁻³² of a unit of time
    /// ([`Axis::in_ticks`](super::arrivals::Axis::in_ticks)), with the same messages in the same
    /// order.
    #[must_use]
    pub fn in_ticks(mut self) -> Self {
        self.source.count_ticks();
        self.next = self.source.next();
        self
    }

    /// Changes the rate from cycle `now` on.
    pub fn set_rate(&mut self, now: u64, rate: Rate) {
        self.source.set_rate(now, rate);
        self.next = self.source.next();
    }

    /// Records that a message between two nodes, born at `born`, arrived by cycle `done`; others may
    /// follow. Returns the birth of the arrival that led to the message.
    #[inline]
    pub fn delivered(&mut self, ends: [NodeId; 2], serial: u64, born: u64, done: u64) -> u64 {
        if let Source::Random(_) = self.source {
            return born;
        }
        if let Some(deliveries) = &mut self.deliveries {
            deliveries.delivered(ends, born, done);
        }
        match &mut self.source {
            Source::Random(_) => born,
            Source::Script(script) => {
                if script.report(ends[0], serial, Event::Delivered, done) {
                    self.next = script.next();
                }
                born
            }
            Source::Classes(classed) => {
                let began = classed.delivered(ends[0], serial, done);
                self.next = classed.next();
                began
            }
        }
    }

    /// The deliveries of given messages; `None` for random messages.
    pub fn deliveries(&self) -> Option<&Deliveries> {
        self.deliveries.as_ref()
    }

    /// True if messages await that others leave their sources, and these events must be reported.
    #[inline]
    pub fn await_departures(&self) -> bool {
        matches!(&self.source, Source::Script(script) if script.awaits_departures())
    }

    /// True if messages have no rate: they are given, or follow from deliveries.
    pub fn have_no_rate(&self) -> bool {
        self.source.has_no_rate()
    }

    /// The number of replies of a class that a node prepares.
    pub fn prepared(&self, node: NodeId, class: u8) -> usize {
        match &self.source {
            Source::Random(_) | Source::Script(_) => 0,
            Source::Classes(classed) => classed.prepared(node, class),
        }
    }

    /// True if no further message will be generated.
    pub fn are_at_end(&self) -> bool {
        self.source.is_at_end()
    }

    /// The cycle of the next arrival at any terminal.
    #[inline]
    pub fn next_arrival(&self) -> u64 {
        self.next.cycle
    }

    /// Generates the next message of cycle `now` or earlier, if any. Call this until `None`; then
    /// [`Self::next_arrival`] is later.
    #[expect(clippy::inline_always, reason = "a message would be copied")]
    #[inline(always)]
    pub fn generate(&mut self, now: u64) -> Option<Generated> {
        let Due { cycle, node, queue } = self.next;
        if cycle > now {
            return None;
        }
        self.generated += 1;
        let row = &mut self.queues[queue as usize];
        if row.waiting >= self.window || row.behind > 0 {
            return Some(self.generate_beyond(node, queue));
        }
        row.waiting += 1;
        let first = if queue == node { row } else { &mut self.queues[node as usize] };
        let serial = first.next_serial();
        let content = self.take(node);
        Some(Generated::Asks(self.message(node, serial, cycle, content)))
    }

    /// Generates a message of a node with a full window in this queue.
    #[inline(never)]
    fn generate_beyond(&mut self, node: u32, queue: u32) -> Generated {
        if !self.discards {
            let row = &mut self.queues[queue as usize];
            self.source.leave(node, row.behind == 0);
            self.next = self.source.next();
            row.behind += 1;
            return Generated::Waits;
        }
        // Removed nevertheless, so the following messages do not depend on discards.
        self.queues[node as usize].serial += 1;
        self.discarded += 1;
        self.take(node);
        Generated::Discarded
    }

    /// Returns the content of the next message, which belongs to terminal `node`.
    #[expect(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    fn take(&mut self, node: u32) -> Content {
        let (content, next) = self.source.take(node);
        self.next = next;
        content
    }

    #[expect(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    fn message(&self, node: u32, serial: u64, born: u64, content: Content) -> Message {
        let Content { destination, length, class } = content;
        let route_bits = route_bits(self.key, node, serial);
        Message { source: NodeId(node), destination, serial, length, born, route_bits, class }
    }

    /// The queue of a message class at a node.
    #[inline]
    fn queue_of(&self, node: NodeId, class: u8) -> usize {
        if self.queues.len() == self.terminals {
            return node.index();
        }
        node.index() + usize::from(class) * self.terminals
    }

    /// Removes a message of a class from its queue, and releases the next message behind the window.
    #[inline]
    pub fn leave(&mut self, node: NodeId, class: u8) -> Option<Message> {
        let at = self.queue_of(node, class);
        let queue = &mut self.queues[at];
        queue.waiting -= 1;
        (queue.behind > 0).then(|| self.come_forward(node, at))
    }

    #[inline(never)]
    fn come_forward(&mut self, node: NodeId, at: usize) -> Message {
        let queue = &mut self.queues[at];
        queue.behind -= 1;
        queue.waiting += 1;
        let last = queue.behind == 0;
        let serial = self.queues[node.index()].next_serial();
        let (born, content) = self.source.take_left(at as u32, last);
        self.message(node.0, serial, born, content)
    }

    /// Returns a message of a class that had left `node` to the queue.
    pub fn take_back(&mut self, node: NodeId, class: u8) {
        let at = self.queue_of(node, class);
        self.queues[at].waiting += 1;
    }

    /// The number of terminals.
    pub fn terminals(&self) -> usize {
        self.terminals
    }

    /// The queues of a terminal.
    fn queues_of(&self, node: NodeId) -> impl Iterator<Item = &Queue> {
        self.queues[node.index()..].iter().step_by(self.terminals)
    }

    /// The number of messages discarded so far.
    pub fn discarded(&self) -> u64 {
        self.discarded
    }

    /// The number of messages of `node` waiting, released or not.
    pub fn queue(&self, node: NodeId) -> u64 {
        self.queues_of(node).map(|queue| u64::from(queue.waiting) + queue.behind).sum()
    }

    /// The number of messages of `node` released and waiting.
    pub fn waiting(&self, node: NodeId) -> u32 {
        self.queues_of(node).map(|queue| queue.waiting).sum()
    }

    /// The number of messages of `node` released so far, including discarded messages: the next
    /// serial number.
    pub fn handed_out(&self, node: NodeId) -> u64 {
        self.queues[node.index()].serial
    }

    /// The number of messages of `node` generated so far.
    pub fn generated_at(&self, node: NodeId) -> u64 {
        self.handed_out(node) + self.queues_of(node).map(|queue| queue.behind).sum::<u64>()
    }

    /// The number of messages generated so far.
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// The unreleased messages of all terminals.
    pub fn behind(&self) -> Vec<Message> {
        let mut copy = self.clone();
        let mut behind = Vec::new();
        for (at, queue) in self.queues.iter().enumerate() {
            let node = NodeId::new(at % self.terminals);
            let class = (at / self.terminals) as u8;
            behind.extend((0..queue.behind).filter_map(|_| copy.leave(node, class)));
        }
        behind
    }

    /// The birth cycles of the unreleased messages of `node`, of each class oldest first.
    pub fn births_behind(&self, node: NodeId) -> impl Iterator<Item = u64> {
        let queues = (0..).map(move |class| node.index() + class * self.terminals);
        queues
            .zip(self.queues_of(node))
            .flat_map(|(at, queue)| self.source.births_left(at as u32).take(queue.behind as usize))
    }

    /// A hash of all state that determines future messages.
    pub fn fingerprint(&self) -> u64 {
        // Fields fixed by the scenario or by the source are omitted.
        #[rustfmt::skip]
        let Self {
            source, queues, terminals, generated, window, discards, discarded, key: _, next: _,
            deliveries: _,
        } = self;
        let mut hash = mix(source.fingerprint(), *generated);
        if *discards {
            hash = mix(mix(hash, u64::from(*window)), *discarded);
        }
        for (at, &Queue { serial, waiting, behind }) in (0..).zip(queues) {
            if (at as usize) < *terminals {
                hash = source.hash_terminal(at, hash);
            }
            hash = mix(mix(mix(hash, serial), u64::from(waiting)), behind);
            hash = source.hash_left(at, hash);
        }
        hash
    }
}

#[cfg(test)]
mod tests;
