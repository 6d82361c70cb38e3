//! Messages that are replayed: given in blocks, in the order of their births, and handed over in it.
//!
//! Whoever has the messages, in a file or elsewhere, gives them block by block, and need not have more
//! of them in memory than the run has come to. Copies of a run share the blocks, and each keeps its own
//! place in them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use educe::Educe;
use get_size2::GetSize;

use crate::ids::NodeId;
use crate::words::Misfit;

/// A message to be replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub struct Arrival {
    /// The cycle of its generation.
    pub born: u64,
    pub source: NodeId,
    pub destination: NodeId,
    /// Flits.
    pub length: u32,
    /// Which message of its source it is, from 0.
    pub serial: u64,
}

/// The first message of a block that cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("message {row}: {misfit}")]
pub struct Rejection {
    /// The message's place in the block, from 0.
    pub row: usize,
    pub misfit: Misfit,
}

/// Messages that are replayed.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Replay {
    /// Blocks with messages to be handed over; copies share them.
    #[get_size(ignore)]
    blocks: VecDeque<Arc<[Arrival]>>,
    /// The place of the next message in the first block.
    at: usize,
    /// Of each terminal, the messages left for later.
    left: BTreeMap<u32, VecDeque<Arrival>>,
    /// Messages given so far, of each terminal and of all.
    given: Vec<u64>,
    given_of_all: u64,
    /// The birth of the newest message given.
    newest: u64,
    /// True if no further block comes.
    complete: bool,
    /// The longest message that the machine can carry, in flits.
    length_max: u32,
}

impl Replay {
    /// No message yet of any of `nodes` terminals.
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

    /// Takes a further block, `last` if no other comes, or nothing of it: the first message is named that
    /// does not follow those before it or cannot be sent.
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

    /// Messages given so far: the next block begins behind them.
    pub fn given(&self) -> u64 {
        self.given_of_all
    }

    /// The first cycle of which not all messages may be known.
    pub fn known_until(&self) -> u64 {
        if self.complete { u64::MAX } else { self.newest }
    }

    /// True if no message is left to be generated.
    pub fn is_at_end(&self) -> bool {
        self.complete && self.blocks.is_empty()
    }

    /// The next message: when it is due, and its terminal.
    #[inline]
    pub fn next(&self) -> Option<(u64, u32)> {
        let arrival = self.blocks.front()?[self.at];
        Some((arrival.born, arrival.source.0))
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

    /// Hands over the next message: its destination and length.
    pub fn take(&mut self) -> (NodeId, u32) {
        let arrival = self.step();
        (arrival.destination, arrival.length)
    }

    /// Leaves the next message for later.
    pub fn leave(&mut self) {
        let arrival = self.step();
        self.left.entry(arrival.source.0).or_default().push_back(arrival);
    }

    /// Hands over the first message of a terminal that was left, with its birth; `last` if no other is
    /// left.
    pub fn take_left(&mut self, node: u32, last: bool) -> (u64, NodeId, u32) {
        let left = self.left.get_mut(&node).expect("messages were left");
        let arrival = left.pop_front().expect("as many as are counted");
        if last {
            self.left.remove(&node);
        }
        (arrival.born, arrival.destination, arrival.length)
    }

    /// The births of a terminal's messages that were left.
    pub fn births_left(&self, node: NodeId) -> impl Iterator<Item = u64> {
        self.left.get(&node.0).into_iter().flatten().map(|arrival| arrival.born)
    }
}

#[cfg(test)]
mod tests;
