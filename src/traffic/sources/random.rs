//! Messages drawn at random: times, destinations and lengths from independent streams of each terminal.
//!
//! Messages left for later are only counted. A cursor that lags behind the clock finds their times, so
//! a queue that grows without bound costs nothing.

use std::collections::BTreeMap;

use educe::Educe;
use get_size2::GetSize;

use super::calendar::Calendar;
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
    /// Stands at the next arrival to be generated.
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
    /// For each terminal with messages left for later, a cursor at the first of them.
    lagging: BTreeMap<u32, Cursor>,
    /// The next arrival of every terminal that sends.
    calendar: Calendar,
}

impl Random {
    /// The messages of a network's terminals. Replications of one seed draw from disjoint streams.
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

    /// Counts births in ticks from now on ([`Axis::in_ticks`]), before anything was generated.
    pub fn count_ticks(&mut self) {
        self.axis = self.axis.clone().in_ticks();
        self.fill_calendar();
    }

    /// Enters the next arrival of every terminal that sends. A terminal that is its own destination
    /// generates nothing; its streams stay where they are, and so do those of all others.
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

    /// The next message: when it is due, and its terminal.
    #[inline]
    pub fn next(&self) -> Option<(u64, u32)> {
        self.calendar.first()
    }

    /// Hands over the next message, which is of this terminal: its destination and length.
    #[expect(clippy::inline_always, reason = "a message would be copied")]
    #[inline(always)]
    pub fn take(&mut self, node: u32) -> (NodeId, u32) {
        self.step(node);
        self.drawn(node)
    }

    /// Leaves the next message, which is of this terminal, for later; `first` if no other is left.
    pub fn leave(&mut self, node: u32, first: bool) {
        if first {
            self.lagging.insert(node, self.terminals[node as usize].arrivals.clone());
        }
        self.step(node);
    }

    /// Hands over the first message of a terminal that was left, with its birth; `last` if no other is
    /// left.
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

    /// The births of a terminal's messages from the first that was left on; none, where none was.
    pub fn births_left(&self, node: NodeId) -> impl Iterator<Item = u64> {
        let first = self.lagging.get(&node.0).cloned();
        let cursors = std::iter::successors(first, |cursor| {
            let mut next = cursor.clone();
            next.step(&self.axis);
            Some(next)
        });
        cursors.map(|cursor| cursor.cycle(&self.axis))
    }

    /// A hash of the time axis. What the scenario fixes is left out, and the calendar, which follows from
    /// the rest.
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

    /// Hashes where the messages of a terminal that were left begin, if there are any.
    pub fn hash_left(&self, node: u32, hash: u64) -> u64 {
        self.lagging.get(&node).map_or(hash, |lagging| mix(hash, lagging.fingerprint()))
    }
}
