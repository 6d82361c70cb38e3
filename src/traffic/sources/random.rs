//! Random messages: times, destinations and lengths from independent streams of each terminal.
//!
//! Deferred messages are only counted. A lagging cursor finds their times, so an unbounded queue
//! takes no memory.

use std::collections::BTreeMap;

use educe::Educe;
use get_size2::GetSize;

use super::calendar::{Calendar, Due};
use crate::ids::NodeId;
use crate::random::{Purpose, Stream, Streams, mix};
use crate::topology::Network;
use crate::traffic::arrivals::{Axis, Cursor};
use crate::traffic::destinations::DestinationDraw;
use crate::traffic::{Lengths, Traffic};
use crate::units::Rate;

/// The streams of a terminal.
#[derive(Clone, Debug)]
struct TerminalStreams {
    /// The cursor of the next arrival to generate.
    arrivals: Cursor,
    destinations: Stream,
    lengths: Stream,
}

impl GetSize for TerminalStreams {}
impl GetSize for Cursor {}

/// Messages drawn at random.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Random {
    axis: Axis,
    #[get_size(ignore)]
    draw: DestinationDraw,
    #[get_size(ignore)]
    length: Lengths,
    terminals: Vec<TerminalStreams>,
    /// A cursor at the first deferred message of each terminal with such messages.
    lagging: BTreeMap<u32, Cursor>,
    /// The next arrival of every sending terminal.
    calendar: Calendar,
}

impl Random {
    /// Creates the messages of a network's terminals. Replications of one seed draw from disjoint
    /// streams.
    pub fn new(traffic: &Traffic, network: &Network, seed: u64, replication: u32) -> Self {
        let nodes = network.nodes();
        let mut arrivals = Streams::new(seed, replication, Purpose::Arrivals);
        let mut destinations = Streams::new(seed, replication, Purpose::Destinations);
        let mut lengths = Streams::new(seed, replication, Purpose::Lengths);
        let terminals: Vec<TerminalStreams> = (0..nodes)
            .map(|_| TerminalStreams {
                arrivals: Cursor::new(traffic.process, arrivals.next_node()),
                destinations: destinations.next_node(),
                lengths: lengths.next_node(),
            })
            .collect();
        let mut random = Self {
            axis: Axis::new(traffic.process, traffic.rate),
            draw: DestinationDraw::new(&traffic.destinations, network),
            length: traffic.lengths,
            terminals,
            lagging: BTreeMap::new(),
            calendar: Calendar::new(nodes),
        };
        random.fill_calendar();
        random
    }

    /// Counts births in ticks from now on ([`Axis::in_ticks`]). Call this before any message is
    /// generated.
    pub fn count_ticks(&mut self) {
        self.axis = self.axis.clone().in_ticks();
        self.fill_calendar();
    }

    /// Enters the next arrival of every sending terminal. A terminal that is its own destination
    /// generates nothing; its streams do not advance, and other streams are unaffected.
    fn fill_calendar(&mut self) {
        let terminals = (0..).map(NodeId::new).zip(&self.terminals);
        self.calendar.fill(terminals.map(|(node, terminal)| {
            self.draw.sends(node).then(|| terminal.arrivals.cycle(&self.axis))
        }));
    }

    /// Changes the rate from cycle `now` on.
    pub fn set_rate(&mut self, now: u64, rate: Rate) {
        self.axis.set_rate(now, rate);
        self.fill_calendar();
    }

    /// The next message.
    #[inline]
    pub fn next(&self) -> Due {
        self.calendar.first()
    }

    /// Returns destination and length of the next message, which belongs to terminal `node`.
    #[expect(clippy::inline_always, reason = "a message would be copied")]
    #[inline(always)]
    pub fn take(&mut self, node: u32) -> (NodeId, u32) {
        self.step(node);
        self.drawn(node)
    }

    /// Defers the next message, which belongs to terminal `node`; `first` if no other is deferred.
    pub fn leave(&mut self, node: u32, first: bool) {
        if first {
            self.lagging.insert(node, self.terminals[node as usize].arrivals.clone());
        }
        self.step(node);
    }

    /// Returns birth, destination and length of a terminal's first deferred message; `last` if no
    /// other is deferred.
    pub fn take_left(&mut self, node: u32, last: bool) -> (u64, NodeId, u32) {
        let lagging = self.lagging.get_mut(&node).expect("messages were left");
        let born = lagging.cycle(&self.axis);
        lagging.step(&self.axis);
        if last {
            self.lagging.remove(&node);
        }
        let (destination, length) = self.drawn(node);
        (born, destination, length)
    }

    #[inline]
    fn step(&mut self, node: u32) {
        let arrivals = &mut self.terminals[node as usize].arrivals;
        arrivals.step(&self.axis);
        self.calendar.follow(arrivals.cycle(&self.axis));
    }

    #[expect(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    fn drawn(&mut self, node: u32) -> (NodeId, u32) {
        let terminal = &mut self.terminals[node as usize];
        let destination = self.draw.draw(NodeId(node), &mut terminal.destinations);
        (destination, self.length.draw(&mut terminal.lengths))
    }

    /// The births of a terminal's messages from the first deferred message on; empty if none is
    /// deferred.
    pub fn births_left(&self, node: NodeId) -> impl Iterator<Item = u64> {
        let first = self.lagging.get(&node.0).cloned();
        let cursors = std::iter::successors(first, |cursor| {
            let mut next = cursor.clone();
            next.step(&self.axis);
            Some(next)
        });
        cursors.map(|cursor| cursor.cycle(&self.axis))
    }

    /// A hash of the time axis. Fields fixed by the scenario are omitted, and so is the calendar,
    /// which is determined by the others.
    pub fn fingerprint(&self) -> u64 {
        let Self { axis, draw: _, length: _, terminals: _, lagging: _, calendar: _ } = self;
        axis.fingerprint()
    }

    /// Hashes the streams of a terminal.
    pub fn hash_terminal(&self, node: u32, hash: u64) -> u64 {
        let TerminalStreams { arrivals, destinations, lengths } = &self.terminals[node as usize];
        let words = [arrivals.fingerprint(), destinations.fingerprint(), lengths.fingerprint()];
        words.into_iter().fold(hash, mix)
    }

    /// Hashes the position of a terminal's first deferred message, if any.
    pub fn hash_left(&self, node: u32, hash: u64) -> u64 {
        self.lagging.get(&node).map_or(hash, |lagging| mix(hash, lagging.fingerprint()))
    }
}
