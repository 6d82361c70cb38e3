//! All terminals as sources: they generate messages in time, and remember those that wait.
//!
//! A source hands its oldest waiting messages to the engine, [`window`] of them. Those behind them are
//! only counted, and drawn when their turn comes by a cursor that lags behind the clock, so a queue
//! that grows without bound costs nothing.

mod calendar;

use std::collections::BTreeMap;

use educe::Educe;
use get_size2::GetSize;

use super::arrivals::{Axis, Cursor};
use super::destinations::DestinationDraw;
use super::{Lengths, Traffic};
use crate::ids::NodeId;
use crate::random::{Purpose, Stream, Streams, key, mix, route_bits};
use crate::topology::Network;
use crate::units::Rate;
use calendar::Calendar;

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

#[derive(Clone, Debug)]
struct Source {
    /// Stands at the next arrival to be generated.
    arrivals: Cursor,
    destinations: Stream,
    lengths: Stream,
    /// Messages handed out so far.
    serial: u64,
    /// Messages handed out that have not left.
    waiting: u32,
    /// Messages generated but not handed out.
    behind: u64,
}

impl GetSize for Source {}
impl GetSize for Cursor {}

/// The sources of a network.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub struct Sources {
    key: u64,
    axis: Axis,
    #[get_size(ignore)]
    draw: DestinationDraw,
    #[get_size(ignore)]
    length: Lengths,
    terminals: Vec<Source>,
    /// For each source with messages that are not handed out, a cursor at the first of them.
    lagging: BTreeMap<u32, Cursor>,
    /// The next arrival of every source that sends.
    calendar: Calendar,
    generated: u64,
    /// The most messages of a source that are handed out and have not left it.
    window: u32,
    /// True if those beyond the window are discarded.
    discards: bool,
    discarded: u64,
}

impl Sources {
    /// The sources of a network's terminals. Replications of one seed draw from disjoint streams.
    pub fn new(traffic: &Traffic, network: &Network, seed: u64, replication: u32) -> Self {
        let nodes = network.nodes();
        let mut arrivals = Streams::new(seed, replication, Purpose::Arrivals);
        let mut destinations = Streams::new(seed, replication, Purpose::Destinations);
        let mut lengths = Streams::new(seed, replication, Purpose::Lengths);
        let sources: Vec<Source> = (0..nodes)
            .map(|_| Source {
                arrivals: Cursor::new(traffic.process, arrivals.next_node()),
                destinations: destinations.next_node(),
                lengths: lengths.next_node(),
                serial: 0,
                waiting: 0,
                behind: 0,
            })
            .collect();
        let mut sources = Self {
            key: key(seed, replication),
            axis: Axis::new(traffic.process, traffic.rate),
            draw: DestinationDraw::new(&traffic.destinations, network),
            length: traffic.lengths,
            terminals: sources,
            lagging: BTreeMap::new(),
            calendar: Calendar::new(nodes),
            generated: 0,
            window: window(nodes),
            discards: false,
            discarded: 0,
        };
        sources.fill_calendar();
        sources
    }

    /// The same sources, at each of which at most `waiting_max` messages may wait: those generated
    /// beyond are discarded.
    #[must_use]
    pub fn that_discard_beyond(self, waiting_max: u32) -> Self {
        Self { window: waiting_max, discards: true, ..self }
    }

    /// The same sources before anything was generated, with births in ticks of 2⁻³² of a unit of time
    /// ([`Axis::in_ticks`]): the same messages in the same order.
    #[must_use]
    pub fn in_ticks(mut self) -> Self {
        self.axis = self.axis.in_ticks();
        self.fill_calendar();
        self
    }

    /// Enters the next arrival of every source that sends. A terminal that is its own destination
    /// generates nothing; its streams stay where they are, and so do those of all others.
    fn fill_calendar(&mut self) {
        let sources = (0..).map(NodeId::new).zip(&self.terminals);
        self.calendar.fill(sources.map(|(node, source)| {
            self.draw.sends(node).then(|| source.arrivals.cycle(&self.axis))
        }));
    }

    /// Changes the rate from cycle `now` on.
    pub fn set_rate(&mut self, now: u64, rate: Rate) {
        self.axis.set_rate(now, rate);
        self.fill_calendar();
    }

    /// The cycle of the next arrival anywhere.
    #[inline]
    pub fn next_arrival(&self) -> u64 {
        self.calendar.first().map_or(u64::MAX, |(cycle, _)| cycle)
    }

    /// Generates the next message of cycle `now` or earlier; `None` when there is none: ask until
    /// [`Self::next_arrival`] is later.
    #[expect(clippy::inline_always, reason = "a message would be copied")]
    #[inline(always)]
    pub fn generate(&mut self, now: u64) -> Option<Generated> {
        let (cycle, node) = self.calendar.first()?;
        if cycle > now {
            return None;
        }
        let source = &mut self.terminals[node as usize];
        self.generated += 1;
        if source.waiting >= self.window || source.behind > 0 {
            return Some(self.generate_beyond(node, cycle));
        }
        source.arrivals.step(&self.axis);
        self.calendar.follow(source.arrivals.cycle(&self.axis));
        Some(Generated::Asks(self.hand_out(node, cycle)))
    }

    /// Generates a message of a node of which as many wait as may be handed out.
    #[inline(never)]
    fn generate_beyond(&mut self, node: u32, cycle: u64) -> Generated {
        let source = &mut self.terminals[node as usize];
        if !self.discards && source.behind == 0 {
            self.lagging.insert(node, source.arrivals.clone());
        }
        source.arrivals.step(&self.axis);
        self.calendar.follow(source.arrivals.cycle(&self.axis));
        if !self.discards {
            source.behind += 1;
            return Generated::Waits;
        }
        // Drawn all the same: which messages follow does not depend on what is discarded.
        self.hand_out(node, cycle);
        self.terminals[node as usize].waiting -= 1;
        self.discarded += 1;
        Generated::Discarded
    }

    #[expect(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    fn hand_out(&mut self, node: u32, born: u64) -> Message {
        let source = &mut self.terminals[node as usize];
        let serial = source.serial;
        source.serial += 1;
        source.waiting += 1;
        Message {
            source: NodeId(node),
            destination: self.draw.draw(NodeId(node), &mut source.destinations),
            serial,
            length: self.length.draw(&mut source.lengths),
            born,
            route_bits: route_bits(self.key, node, serial),
        }
    }

    /// A message of `node` has left its queue; the next of those behind takes its place.
    #[inline]
    pub fn leave(&mut self, node: NodeId) -> Option<Message> {
        let source = &mut self.terminals[node.index()];
        source.waiting -= 1;
        (source.behind > 0).then(|| self.come_forward(node))
    }

    #[inline(never)]
    fn come_forward(&mut self, node: NodeId) -> Message {
        let lagging = self.lagging.get_mut(&node.0).expect("messages wait behind others");
        let born = lagging.cycle(&self.axis);
        lagging.step(&self.axis);
        let source = &mut self.terminals[node.index()];
        source.behind -= 1;
        if source.behind == 0 {
            self.lagging.remove(&node.0);
        }
        self.hand_out(node.0, born)
    }

    /// A message that had left `node` waits there again.
    pub fn take_back(&mut self, node: NodeId) {
        self.terminals[node.index()].waiting += 1;
    }

    /// How many terminals there are.
    pub fn terminals(&self) -> usize {
        self.terminals.len()
    }

    /// Messages discarded so far.
    pub fn discarded(&self) -> u64 {
        self.discarded
    }

    /// Messages of `node` that wait, handed out or not.
    pub fn queue(&self, node: NodeId) -> u64 {
        let source = &self.terminals[node.index()];
        u64::from(source.waiting) + source.behind
    }

    /// Messages of `node` that are handed out and wait.
    pub fn waiting(&self, node: NodeId) -> u32 {
        self.terminals[node.index()].waiting
    }

    /// Messages of `node` that were handed out so far, discarded ones included: the serial number of
    /// the next.
    pub fn handed_out(&self, node: NodeId) -> u64 {
        self.terminals[node.index()].serial
    }

    /// Messages of `node` generated so far.
    pub fn generated_at(&self, node: NodeId) -> u64 {
        let source = &self.terminals[node.index()];
        source.serial + source.behind
    }

    /// Messages generated so far.
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// The birth cycles of the messages of `node` that are not handed out, oldest first.
    pub fn births_behind(&self, node: NodeId) -> impl Iterator<Item = u64> {
        let source = &self.terminals[node.index()];
        let first = self.lagging.get(&node.0).cloned();
        let births = std::iter::successors(first, |cursor| {
            let mut next = cursor.clone();
            next.step(&self.axis);
            Some(next)
        });
        births.map(|cursor| cursor.cycle(&self.axis)).take(source.behind as usize)
    }

    /// A hash of all that decides the messages to come.
    pub fn fingerprint(&self) -> u64 {
        // What the scenario fixes is left out, and the calendar, which follows from the rest.
        #[rustfmt::skip]
        let Self {
            axis, terminals, lagging, generated, window, discards, discarded,
            key: _, draw: _, length: _, calendar: _,
        } = self;
        let mut hash = mix(axis.fingerprint(), *generated);
        if *discards {
            hash = mix(mix(hash, u64::from(*window)), *discarded);
        }
        for (node, source) in (0..).zip(terminals) {
            let Source { arrivals, destinations, lengths, serial, waiting, behind } = source;
            hash = mix(hash, arrivals.fingerprint());
            hash = mix(hash, destinations.fingerprint());
            hash = mix(hash, lengths.fingerprint());
            hash = mix(mix(mix(hash, *serial), u64::from(*waiting)), *behind);
            if let Some(lagging) = lagging.get(&node) {
                hash = mix(hash, lagging.fingerprint());
            }
        }
        hash
    }
}

#[cfg(test)]
mod tests;
