//! Messages of several classes: requests that are random, given, or of closed loops, and replies to them.
//!
//! A delivery makes its node send the reply, if the class of the message has one. Memory grows with
//! the messages on their way and with deferred messages.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use educe::Educe;
use get_size2::GetSize;

use super::calendar::Due;
use super::content::Content;
use super::given::{Arrivals, Given};
use super::random::Random;
use crate::ids::NodeId;
use crate::random::{Stream, mix};
use crate::topology::Network;
use crate::traffic::classes::{Feedback, MessageClasses, Origin};
use crate::traffic::{Lengths, Traffic};
use crate::units::Rate;

/// The salts of the hashes that determine the class of an arrival and the length of a reply.
const CLASS: u64 = 0xc1a5_5000;
const LENGTH: u64 = 0x1e46_7000;

/// The class of a next request, which is drawn when the request is generated.
const ANY_CLASS: u8 = u8::MAX;

/// A message to be generated, in the order of generation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, GetSize)]
struct Planned {
    cycle: u64,
    node: u32,
    /// The class; of a next request [`ANY_CLASS`], so that replies precede arrivals of the same cycle, as
    /// random and given ones.
    class: u8,
    /// The message answered, by source and serial number; unique.
    cause: (u32, u64),
    /// The birth of the arrival that led to the message; of a next request, its own.
    began: u64,
    /// The node of this arrival.
    root: u32,
    /// In flits; 0 for a next request, which draws destination and length.
    length: u32,
}

/// A message on its way.
#[derive(Clone, Copy, Debug, GetSize)]
struct Open {
    class: u8,
    destination: u32,
    began: u64,
    root: u32,
}

/// A message ready to leave the source.
#[derive(Clone, Copy, Debug, GetSize)]
struct Ready {
    born: u64,
    #[get_size(ignore)]
    content: Content,
    began: u64,
    root: u32,
}

/// Messages of several classes.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Classed {
    #[get_size(ignore)]
    classes: Arc<MessageClasses>,
    /// The classes of arrivals, each with the end of its range of hashes.
    #[get_size(ignore)]
    of_arrivals: Vec<(u8, u64)>,
    arrivals: Arrivals,
    #[get_size(ignore)]
    closed: Option<Feedback>,
    key: u64,
    nodes: u32,
    /// True if all messages of a node share a queue.
    shares_queues: bool,
    /// The number of arrivals of each node so far.
    arrived: Vec<u64>,
    planned: BTreeSet<Planned>,
    /// Messages on their way, by source and serial number.
    open: BTreeMap<(u32, u64), Open>,
    /// The serial number of the next message of each node.
    serials: Vec<u64>,
    /// Deferred messages of each queue.
    left: BTreeMap<u32, VecDeque<Ready>>,
}

impl Classed {
    /// Creates the messages of a network's terminals.
    pub fn new(traffic: &Traffic, network: &Network, seed: u64, replication: u32) -> Self {
        let nodes = network.nodes();
        let arrivals = match &traffic.script {
            Some(script) => Arrivals::Given(Given::new(script)),
            None => Arrivals::Random(Box::new(Random::new(traffic, network, seed, replication))),
        };
        let mut sum = 0.0;
        let ends = traffic.classes.of_arrivals().into_iter().map(|(class, probability)| {
            sum += probability;
            (class, (sum * 2f64.powi(64)) as u64)
        });
        let mut of_arrivals: Vec<(u8, u64)> = ends.collect();
        if let Some((_, end)) = of_arrivals.last_mut() {
            *end = u64::MAX;
        }
        let mut source = Self {
            classes: Arc::new(traffic.classes.clone()),
            of_arrivals,
            arrivals,
            closed: traffic.closed_loop,
            key: crate::random::key(seed, replication),
            nodes: nodes as u32,
            shares_queues: false,
            arrived: vec![0; nodes],
            planned: BTreeSet::new(),
            open: BTreeMap::new(),
            serials: vec![0; nodes],
            left: BTreeMap::new(),
        };
        let window = source.closed.map_or(0, |Feedback::ClosedLoop { window, .. }| window);
        for node in 0..nodes as u32 {
            let sends = match &source.arrivals {
                Arrivals::Random(random) => random.sends(NodeId(node)),
                Arrivals::Given(_) => false,
            };
            for number in 0..if sends { window } else { 0 } {
                source.plan_request(node, 0, (u32::MAX, u64::from(number)));
            }
        }
        source
    }

    /// Puts all messages of a node into one queue. Call this before any message is generated.
    pub fn share_queues(&mut self) {
        self.shares_queues = true;
    }

    /// Changes the rate of arrivals from cycle `now` on.
    pub fn set_rate(&mut self, now: u64, rate: Rate) {
        match &mut self.arrivals {
            Arrivals::Random(random) => random.set_rate(now, rate),
            Arrivals::Given(_) => {}
        }
    }

    /// True if requests are given, or their rate follows from deliveries.
    pub fn has_no_rate(&self) -> bool {
        self.closed.is_some() || matches!(self.arrivals, Arrivals::Given(_))
    }

    /// True if no further message will be generated.
    pub fn is_at_end(&self) -> bool {
        let given = match &self.arrivals {
            Arrivals::Random(_) => false,
            Arrivals::Given(given) => given.is_at_end(),
        };
        given && self.planned.is_empty() && self.open.is_empty()
    }

    /// Plans the next request of a node in a closed loop.
    fn plan_request(&mut self, node: u32, cycle: u64, cause: (u32, u64)) {
        let class = ANY_CLASS;
        let request = Planned { cycle, node, class, cause, began: cycle, root: node, length: 0 };
        self.planned.insert(request);
    }

    /// The class of the next arrival of a node.
    fn class_of_arrival(&self, node: u32) -> u8 {
        let [(only, _)] = self.of_arrivals[..] else {
            let number = self.arrived[node as usize];
            let hash = mix(mix(self.key ^ CLASS, u64::from(node)), number);
            let found = self.of_arrivals.iter().find(|&&(_, end)| hash <= end);
            return found.map_or(0, |&(class, _)| class);
        };
        only
    }

    /// The number of a queue.
    fn queue(&self, node: u32, class: u8) -> u32 {
        if self.shares_queues { node } else { node + u32::from(class) * self.nodes }
    }

    fn due(&self, cycle: u64, node: u32, class: u8) -> Due {
        Due { cycle, node, queue: self.queue(node, class) }
    }

    /// The next arrival; of random messages without its class, which is drawn.
    fn arrival(&self) -> (Due, Option<u8>) {
        match &self.arrivals {
            Arrivals::Random(_) if self.closed.is_some() => (Due::NEVER, None),
            Arrivals::Random(random) => (random.next(), None),
            Arrivals::Given(given) => {
                given.next().map_or((Due::NEVER, None), |(due, class)| (due, Some(class)))
            }
        }
    }

    /// The next planned message, if it precedes the next arrival.
    fn planned_first(&self) -> Option<&Planned> {
        let first = self.planned.first()?;
        let (arrival, _) = self.arrival();
        ((first.cycle, first.node) <= (arrival.cycle, arrival.node)).then_some(first)
    }

    /// The next message.
    pub fn next(&self) -> Due {
        if let Some(first) = self.planned_first() {
            let is_request = first.length == 0;
            let class = if is_request { self.class_of_arrival(first.node) } else { first.class };
            return self.due(first.cycle, first.node, class);
        }
        let (Due { cycle, node, .. }, class) = self.arrival();
        if cycle == u64::MAX {
            return Due::NEVER;
        }
        self.due(cycle, node, class.unwrap_or_else(|| self.class_of_arrival(node)))
    }

    /// Removes the next message.
    fn step(&mut self) -> Ready {
        let planned = self.planned_first().copied();
        if let Some(planned) = planned {
            self.planned.remove(&planned);
            let Planned { cycle: born, class, cause, began, root, length, .. } = planned;
            if length > 0 {
                let content = Content { destination: NodeId(cause.0), length, class };
                return Ready { born, content, began, root };
            }
        }
        let due = planned.map_or_else(|| self.arrival().0, |it| self.due(it.cycle, it.node, 0));
        let (born, node, class) = (due.cycle, due.node, self.class_of_arrival(due.node));
        let lengths = self.lengths(class);
        let content = match &mut self.arrivals {
            Arrivals::Random(random) => {
                if planned.is_none() {
                    random.step(node);
                }
                let (destination, length) = random.drawn_with(node, lengths);
                Content { destination, length, class }
            }
            Arrivals::Given(given) => given.step().expect("a message is due"),
        };
        self.arrived[node as usize] += 1;
        Ready { born, content, began: born, root: node }
    }

    fn lengths(&self, class: u8) -> Lengths {
        self.classes.0[usize::from(class)].lengths
    }

    /// Numbers a message that leaves the source.
    fn number(&mut self, node: u32, ready: Ready) -> Content {
        let Ready { content, began, root, .. } = ready;
        let serial = &mut self.serials[node as usize];
        let destination = content.destination.0;
        let open = Open { class: content.class, destination, began, root };
        self.open.insert((node, *serial), open);
        *serial += 1;
        content
    }

    /// Returns the content of the next message, which belongs to terminal `node`.
    pub fn take(&mut self, node: u32) -> Content {
        let ready = self.step();
        self.number(node, ready)
    }

    /// Defers the next message.
    pub fn leave(&mut self) {
        let queue = self.next().queue;
        let ready = self.step();
        self.left.entry(queue).or_default().push_back(ready);
    }

    /// Returns birth and content of the first deferred message of a queue.
    pub fn take_left(&mut self, queue: u32, last: bool) -> (u64, Content) {
        let left = self.left.get_mut(&queue).expect("messages were left");
        let ready = left.pop_front().expect("as many as are counted");
        if last {
            self.left.remove(&queue);
        }
        (ready.born, self.number(queue % self.nodes, ready))
    }

    /// The births of the deferred messages of a queue.
    pub fn births_left(&self, queue: u32) -> impl Iterator<Item = u64> {
        self.left.get(&queue).into_iter().flatten().map(|ready| ready.born)
    }

    /// Plans the messages that follow a message that arrived by cycle `done`: the reply, or the next
    /// request of a closed loop. Returns the birth of the arrival that led to the message.
    pub fn delivered(&mut self, source: NodeId, serial: u64, done: u64) -> u64 {
        let cause = (source.0, serial);
        let open = self.open.remove(&cause).expect("a delivered message was on its way");
        let Open { class, destination: node, began, root } = open;
        if let Some((class, reply)) = self.classes.reply_to(class) {
            let Origin::Reply { after, .. } = reply.origin else { return began };
            let length = match reply.lengths {
                Lengths::Fixed(length) => length,
                lengths @ (Lengths::Geometric { .. }
                | Lengths::Exponential { .. }
                | Lengths::Uniform { .. }) => {
                    let hash = mix(mix(self.key ^ LENGTH, u64::from(source.0)), serial);
                    lengths.draw(&mut Stream::keyed(hash))
                }
            };
            let cycle = done + u64::from(after);
            self.planned.insert(Planned { cycle, node, class, cause, began, root, length });
        } else if let Some(Feedback::ClosedLoop { think, .. }) = self.closed {
            self.plan_request(root, done + u64::from(think), cause);
        }
        began
    }

    /// Plans the next request of a closed loop after the loss of a message in cycle `now`.
    pub fn lost(&mut self, source: NodeId, serial: u64, now: u64) {
        let cause = (source.0, serial);
        let open = self.open.remove(&cause).expect("a lost message was on its way");
        if let Some(Feedback::ClosedLoop { think, .. }) = self.closed {
            self.plan_request(open.root, now + u64::from(think), cause);
        }
    }

    /// The number of replies of a class that a node prepares.
    pub fn prepared(&self, node: NodeId, class: u8) -> usize {
        let is_meant = |it: &&Planned| it.node == node.0 && it.class == class && it.length > 0;
        self.planned.iter().filter(is_meant).count()
    }

    /// A hash of the state common to all terminals.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = match &self.arrivals {
            Arrivals::Random(random) => random.fingerprint(),
            Arrivals::Given(given) => given.fingerprint(),
        };
        for planned in &self.planned {
            let Planned { cycle, node, class, cause, began, root, length } = *planned;
            let words = [cycle, node.into(), class.into(), cause.0.into(), cause.1];
            let words = words.into_iter().chain([began, root.into(), length.into()]);
            hash = words.fold(hash, mix);
        }
        for (&(source, serial), open) in &self.open {
            let Open { class, destination: _, began, root } = *open;
            let words = [source.into(), serial, class.into(), began, root.into()];
            hash = words.into_iter().fold(hash, mix);
        }
        hash
    }

    /// Hashes the state that determines the messages of a terminal.
    pub fn hash_terminal(&self, node: u32, hash: u64) -> u64 {
        let hash = match &self.arrivals {
            Arrivals::Random(random) => random.hash_terminal(node, hash),
            Arrivals::Given(_) => hash,
        };
        mix(hash, self.arrived[node as usize])
    }

    /// Hashes the deferred messages of a queue.
    pub fn hash_left(&self, queue: u32, hash: u64) -> u64 {
        let left = self.left.get(&queue).into_iter().flatten();
        left.fold(hash, |hash, ready| {
            let Ready { born, content: Content { destination, length, class }, began, root } =
                *ready;
            let words = [born, destination.0.into(), length.into(), class.into(), began];
            words.into_iter().chain([root.into()]).fold(hash, mix)
        })
    }
}

#[cfg(test)]
mod tests;
