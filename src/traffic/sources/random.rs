//! Random messages: times, destinations and lengths from independent streams of each terminal.
//!
//! Deferred messages are only counted. A lagging cursor finds their times, so an unbounded queue
//! takes no memory.

use std::collections::BTreeMap;

use educe::Educe;
use get_size2::GetSize;

use super::calendar::{Calendar, Due};
use super::content::Content;
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
    /// Index of the time axis.
    axis: u32,
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
    /// A time axis for each rate.
    axes: Vec<Axis>,
    /// The rate of each axis, relative to the rate of the traffic.
    multiples: Vec<f64>,
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
        let draw = traffic.draw(network);
        let (multiples, axis_of) = draw.rates().distinct(nodes);
        let terminals: Vec<TerminalStreams> = axis_of
            .into_iter()
            .map(|axis| TerminalStreams {
                axis,
                arrivals: Cursor::new(traffic.process, arrivals.next_node()),
                destinations: destinations.next_node(),
                lengths: lengths.next_node(),
            })
            .collect();
        let mut random = Self {
            axes: (multiples.iter())
                .map(|&multiple| Axis::new(traffic.process, times(traffic.rate, multiple)))
                .collect(),
            multiples,
            draw,
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
        self.axes = std::mem::take(&mut self.axes).into_iter().map(Axis::in_ticks).collect();
        self.fill_calendar();
    }

    /// Enters the next arrival of every sending terminal. Other terminals generate nothing; their
    /// streams do not advance, and other streams are unaffected.
    fn fill_calendar(&mut self) {
        let terminals = (0..).map(NodeId::new).zip(&self.terminals);
        self.calendar.fill(terminals.map(|(node, terminal)| {
            self.draw
                .sends(node)
                .then(|| terminal.arrivals.cycle(&self.axes[terminal.axis as usize]))
        }));
    }

    /// Changes the rate from cycle `now` on.
    pub fn set_rate(&mut self, now: u64, rate: Rate) {
        for (axis, &multiple) in self.axes.iter_mut().zip(&self.multiples) {
            axis.set_rate(now, times(rate, multiple));
        }
        self.fill_calendar();
    }

    /// The next message.
    #[inline]
    pub fn next(&self) -> Due {
        self.calendar.first()
    }

    /// True if a node sends messages.
    pub fn sends(&self, node: NodeId) -> bool {
        self.draw.sends(node)
    }

    /// Returns the content of the next message, which belongs to terminal `node`.
    #[expect(clippy::inline_always, reason = "a message would be copied")]
    #[inline(always)]
    pub fn take(&mut self, node: u32) -> Content {
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

    /// Returns birth and content of a terminal's first deferred message; `last` if no other is
    /// deferred.
    pub fn take_left(&mut self, node: u32, last: bool) -> (u64, Content) {
        let lagging = self.lagging.get_mut(&node).expect("messages were left");
        let axis = &self.axes[self.terminals[node as usize].axis as usize];
        let born = lagging.cycle(axis);
        lagging.step(axis);
        if last {
            self.lagging.remove(&node);
        }
        (born, self.drawn(node))
    }

    /// Removes the next arrival, which belongs to terminal `node`, without its content.
    #[expect(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    pub fn step(&mut self, node: u32) {
        let TerminalStreams { axis, arrivals, .. } = &mut self.terminals[node as usize];
        let axis = &self.axes[*axis as usize];
        arrivals.step(axis);
        self.calendar.follow(arrivals.cycle(axis));
    }

    #[expect(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    fn drawn(&mut self, node: u32) -> Content {
        let (destination, length) = self.drawn_with(node, self.length);
        Content { destination, length, class: 0 }
    }

    /// Draws destination and length of a message of a terminal.
    #[expect(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    pub fn drawn_with(&mut self, node: u32, lengths: Lengths) -> (NodeId, u32) {
        let terminal = &mut self.terminals[node as usize];
        let destination = self.draw.draw(NodeId(node), &mut terminal.destinations);
        (destination, lengths.draw(&mut terminal.lengths))
    }

    /// The births of a terminal's messages from the first deferred message on; empty if none is
    /// deferred.
    pub fn births_left(&self, node: u32) -> impl Iterator<Item = u64> {
        let first = self.lagging.get(&node).cloned();
        let axis = &self.axes[self.terminals[node as usize].axis as usize];
        let cursors = std::iter::successors(first, |cursor| {
            let mut next = cursor.clone();
            next.step(axis);
            Some(next)
        });
        cursors.map(|cursor| cursor.cycle(axis))
    }

    /// A hash of the time axes. Fields fixed by the scenario are omitted, and so is the calendar,
    /// which is determined by the others.
    pub fn fingerprint(&self) -> u64 {
        let Self { axes, multiples: _, draw: _, length: _, terminals: _, lagging: _, calendar: _ } =
            self;
        axes.iter().map(Axis::fingerprint).reduce(mix).unwrap_or_default()
    }

    /// Hashes the streams of a terminal.
    pub fn hash_terminal(&self, node: u32, hash: u64) -> u64 {
        let TerminalStreams { axis: _, arrivals, destinations, lengths } =
            &self.terminals[node as usize];
        let words = [arrivals.fingerprint(), destinations.fingerprint(), lengths.fingerprint()];
        words.into_iter().fold(hash, mix)
    }

    /// Hashes the position of a terminal's first deferred message, if any.
    pub fn hash_left(&self, node: u32, hash: u64) -> u64 {
        self.lagging.get(&node).map_or(hash, |lagging| mix(hash, lagging.fingerprint()))
    }
}

/// A multiple of a rate.
fn times(Rate(rate): Rate, multiple: f64) -> Rate {
    Rate(rate * multiple)
}
