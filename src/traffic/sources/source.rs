//! A source of messages: it reports when the next message is due, and hands it over.
//!
//! A source knows when and what the terminals send. Queues, windows and serial numbers are the same for
//! all sources and belong to [`super::Sources`]. A message that is due is either taken or left; the
//! messages of a terminal that were left are taken later, oldest first.

use std::sync::Arc;

use educe::Educe;
use get_size2::GetSize;

use super::random::Random;
use super::replay::{Arrival, Rejection, Replay};
use crate::ids::NodeId;
use crate::units::Rate;
use crate::words::Misfit;

/// A source of the messages of all terminals.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) enum Source {
    /// Drawn from streams, without end.
    Random(Random),
    /// Given from outside, block by block.
    Replay(Replay),
}

impl Source {
    /// The next message: when it is due, and its terminal. None, where no more are known.
    #[inline]
    pub fn next(&self) -> Option<(u64, u32)> {
        match self {
            Self::Random(random) => random.next(),
            Self::Replay(replay) => replay.next(),
        }
    }

    /// Hands over the next message, which is of this terminal: its destination and length.
    #[expect(clippy::inline_always, reason = "a message would be copied")]
    #[inline(always)]
    pub fn take(&mut self, node: u32) -> (NodeId, u32) {
        match self {
            Self::Random(random) => random.take(node),
            Self::Replay(replay) => replay.take(),
        }
    }

    /// Leaves the next message, which is of this terminal, for later; `first` if no other is left.
    pub fn leave(&mut self, node: u32, first: bool) {
        match self {
            Self::Random(random) => random.leave(node, first),
            Self::Replay(replay) => replay.leave(),
        }
    }

    /// Hands over the first message of a terminal that was left: its birth, destination and length;
    /// `last` if no other is left.
    pub fn take_left(&mut self, node: u32, last: bool) -> (u64, NodeId, u32) {
        match self {
            Self::Random(random) => random.take_left(node, last),
            Self::Replay(replay) => replay.take_left(node, last),
        }
    }

    /// The births of a terminal's messages from the first that was left on; none, where none was.
    pub fn births_left(&self, node: NodeId) -> impl Iterator<Item = u64> {
        let (random, replay) = match self {
            Self::Random(random) => (Some(random.births_left(node)), None),
            Self::Replay(replay) => (None, Some(replay.births_left(node))),
        };
        random.into_iter().flatten().chain(replay.into_iter().flatten())
    }

    /// Changes the rate from cycle `now` on. What is replayed has none.
    pub fn set_rate(&mut self, now: u64, rate: Rate) {
        match self {
            Self::Random(random) => random.set_rate(now, rate),
            Self::Replay(_) => {}
        }
    }

    /// Counts births in ticks from now on. What is replayed counts as it was given.
    pub fn count_ticks(&mut self) {
        match self {
            Self::Random(random) => random.count_ticks(),
            Self::Replay(_) => {}
        }
    }

    /// Gives a further block of messages to be replayed, `last` if no other comes.
    pub fn give(&mut self, block: Arc<[Arrival]>, last: bool) -> Result<(), Rejection> {
        match self {
            Self::Random(_) => Misfit::because(
                "the messages of this run are drawn at random",
                "give messages to a run that replays them",
            )
            .map_err(|misfit| Rejection { row: 0, misfit }),
            Self::Replay(replay) => replay.add(block, last),
        }
    }

    /// Messages to be replayed that were given so far.
    pub fn given(&self) -> u64 {
        match self {
            Self::Random(_) => 0,
            Self::Replay(replay) => replay.given(),
        }
    }

    /// The first cycle of which not all messages may be known.
    pub fn known_until(&self) -> u64 {
        match self {
            Self::Random(_) => u64::MAX,
            Self::Replay(replay) => replay.known_until(),
        }
    }

    /// True if no message will ever be due.
    pub fn is_at_end(&self) -> bool {
        match self {
            Self::Random(_) => false,
            Self::Replay(replay) => replay.is_at_end(),
        }
    }

    /// A hash of what concerns all terminals. The place in a replay is the number of messages taken or left,
    /// which is counted by others; how far its blocks reach beyond that means nothing.
    pub fn fingerprint(&self) -> u64 {
        match self {
            Self::Random(random) => random.fingerprint(),
            Self::Replay(_) => 0,
        }
    }

    /// Hashes what decides the messages of a terminal.
    pub fn hash_terminal(&self, node: u32, hash: u64) -> u64 {
        match self {
            Self::Random(random) => random.hash_terminal(node, hash),
            Self::Replay(_) => hash,
        }
    }

    /// Hashes which messages of a terminal were left. Of what is replayed their number says so.
    pub fn hash_left(&self, node: u32, hash: u64) -> u64 {
        match self {
            Self::Random(random) => random.hash_left(node, hash),
            Self::Replay(_) => hash,
        }
    }
}
