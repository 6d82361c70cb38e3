//! Replayed messages, supplied in blocks and returned in order of birth.
//!
//! The caller reads messages from a file or elsewhere and supplies them block by block, so later
//! messages need not be in memory. Copies of a run share the blocks, with separate positions.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use educe::Educe;
use get_size2::GetSize;

use super::calendar::Due;
use crate::ids::NodeId;
use crate::words::Misfit;

/// A message to replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub struct Arrival {
    /// Cycle of generation.
    pub born: u64,
    pub source: NodeId,
    pub destination: NodeId,
    /// Length in flits.
    pub length: u32,
    /// Serial number among the messages of its source, from 0.
    pub serial: u64,
}

/// The first message of a block that cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("message {row}: {misfit}")]
pub struct Rejection {
    /// Index of the message in the block, from 0.
    pub row: usize,
    pub misfit: Misfit,
}

/// Messages replayed from blocks.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Replay {
    /// Blocks with unreturned messages, shared by copies.
    #[get_size(ignore)]
    blocks: VecDeque<Arc<[Arrival]>>,
    /// The index of the next message in the first block.
    at: usize,
    /// Deferred messages of each terminal.
    left: BTreeMap<u32, VecDeque<Arrival>>,
    /// The number of messages added so far, by terminal and in total.
    given: Vec<u64>,
    given_of_all: u64,
    /// The birth of the newest message.
    newest: u64,
    /// True if no further block follows.
    complete: bool,
    /// Maximum message length supported by the machine, in flits.
    length_max: u32,
}

impl Replay {
    /// Creates an empty replay for `nodes` terminals.
    pub fn new(nodes: usize, length_max: u32) -> Self {
        Self {
            blocks: VecDeque::new(),
            at: 0,
            left: BTreeMap::new(),
            given: vec![0; nodes],
            given_of_all: 0,
            newest: 0,
            complete: false,
            length_max,
        }
    }

    /// Adds a block, `last` if final. If a message is out of order or cannot be sent, returns the
    /// first such message and ignores the block.
    pub fn add(&mut self, block: Arc<[Arrival]>, last: bool) -> Result<(), Rejection> {
        let newest = self.newest;
        for (row, arrival) in block.iter().enumerate() {
            if let Err(misfit) = self.check(arrival) {
                self.newest = newest;
                block[..row].iter().for_each(|taken| self.given[taken.source.index()] -= 1);
                return Err(Rejection { row, misfit });
            }
            self.given[arrival.source.index()] += 1;
            self.newest = arrival.born;
        }
        self.complete |= last;
        self.given_of_all += block.len() as u64;
        if !block.is_empty() {
            self.blocks.push_back(block);
        }
        Ok(())
    }

    fn check(&self, arrival: &Arrival) -> Result<(), Misfit> {
        let &Arrival { born, source, destination, length, serial } = arrival;
        let nodes = self.given.len();
        if self.complete {
            return Misfit::because("the last message was given", "give this one before it");
        }
        for node in [source, destination] {
            if node.index() >= nodes {
                let last = nodes.saturating_sub(1);
                return Misfit::because(
                    format!("there is no node {}", node.0),
                    format!("the nodes are 0 to {last}"),
                );
            }
        }
        if source == destination {
            let what = format!("node {} sends to itself", source.0);
            return Misfit::because(what, "leave the message out: it needs no network");
        }
        if length == 0 {
            return Misfit::because("the message has no flits", "write 1 or more");
        }
        if length > self.length_max {
            let what = format!("the message has {length} flits, more than a buffer holds");
            return Misfit::because(what, format!("write {} or fewer", self.length_max));
        }
        if born < self.newest {
            let what = format!("the message is born at {born}, after one born at {}", self.newest);
            return Misfit::because(what, "sort the messages by birth");
        }
        let next = self.given[source.index()];
        if serial != next {
            let what = format!("the message is number {serial} of node {}", source.0);
            return Misfit::because(what, format!("its next is number {next}"));
        }
        Ok(())
    }

    /// The number of messages added so far, the position of the next block.
    pub fn added(&self) -> u64 {
        self.given_of_all
    }

    /// The first cycle not fully covered by the blocks so far.
    pub fn known_until(&self) -> u64 {
        if self.complete { u64::MAX } else { self.newest }
    }

    /// True if all messages have been generated.
    pub fn is_at_end(&self) -> bool {
        self.complete && self.blocks.is_empty()
    }

    /// The next message.
    #[inline]
    pub fn next(&self) -> Due {
        self.blocks.front().map_or(Due::NEVER, |block| {
            let Arrival { born, source, .. } = block[self.at];
            Due { cycle: born, node: source.0 }
        })
    }

    fn step(&mut self) -> Arrival {
        let block = self.blocks.front().expect("a message is due");
        let arrival = block[self.at];
        self.at += 1;
        if self.at == block.len() {
            self.at = 0;
            self.blocks.pop_front();
        }
        arrival
    }

    /// Returns destination and length of the next message.
    pub fn take(&mut self) -> (NodeId, u32) {
        let arrival = self.step();
        (arrival.destination, arrival.length)
    }

    /// Defers the next message.
    pub fn leave(&mut self) {
        let arrival = self.step();
        self.left.entry(arrival.source.0).or_default().push_back(arrival);
    }

    /// Returns birth, destination and length of a terminal's first deferred message; `last` if no
    /// other is deferred.
    pub fn take_left(&mut self, node: u32, last: bool) -> (u64, NodeId, u32) {
        let left = self.left.get_mut(&node).expect("messages were left");
        let arrival = left.pop_front().expect("as many as are counted");
        if last {
            self.left.remove(&node);
        }
        (arrival.born, arrival.destination, arrival.length)
    }

    /// The births of a terminal's deferred messages.
    pub fn births_left(&self, node: NodeId) -> impl Iterator<Item = u64> {
        self.left.get(&node.0).into_iter().flatten().map(|arrival| arrival.born)
    }
}

#[cfg(test)]
mod tests;
