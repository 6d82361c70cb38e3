//! A source of messages, which reports the time of the next message and returns the message.
//!
//! A source determines times and contents of messages. Queues, windows and serial numbers are
//! independent of the kind of source and belong to [`super::Sources`]. A message due is either
//! taken or deferred; deferred messages of a terminal are taken later, oldest first.

use std::sync::Arc;

use educe::Educe;
use get_size2::GetSize;

use super::calendar::Due;
use super::random::Random;
use super::replay::{Arrival, Rejection, Replay};
use crate::ids::NodeId;
use crate::units::Rate;
use crate::words::Misfit;

/// A source of the messages of all terminals.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) enum Source {
    /// Unlimited messages drawn from streams.
    Random(Random),
    /// Messages supplied by the caller, block by block.
    Replay(Replay),
}

impl Source {
    /// The next message, or [`Due::NEVER`].
    pub fn next(&self) -> Due {
        match self {
            Self::Random(random) => random.next(),
            Self::Replay(replay) => replay.next(),
        }
    }

    /// Returns destination and length of the next message, which belongs to terminal `node`, and
    /// the message after.
    #[expect(clippy::inline_always, reason = "a message would be copied")]
    #[inline(always)]
    pub fn take(&mut self, node: u32) -> ((NodeId, u32), Due) {
        match self {
            Self::Random(random) => (random.take(node), random.next()),
            Self::Replay(replay) => (replay.take(), replay.next()),
        }
    }

    /// Defers the next message, which belongs to terminal `node`; `first` if no other is deferred.
    pub fn leave(&mut self, node: u32, first: bool) {
        match self {
            Self::Random(random) => random.leave(node, first),
            Self::Replay(replay) => replay.leave(),
        }
    }

    /// Returns birth, destination and length of a terminal's first deferred message; `last` if no
    /// other is deferred.
    pub fn take_left(&mut self, node: u32, last: bool) -> (u64, NodeId, u32) {
        match self {
            Self::Random(random) => random.take_left(node, last),
            Self::Replay(replay) => replay.take_left(node, last),
        }
    }

    /// The births of a terminal's messages from the first deferred message on; empty if none is
    /// deferred.
    pub fn births_left(&self, node: NodeId) -> impl Iterator<Item = u64> {
        let (random, replay) = match self {
            Self::Random(random) => (Some(random.births_left(node)), None),
            Self::Replay(replay) => (None, Some(replay.births_left(node))),
        };
        random.into_iter().flatten().chain(replay.into_iter().flatten())
    }

    /// Changes the rate from cycle `now` on; ignored by replays.
    pub fn set_rate(&mut self, now: u64, rate: Rate) {
        match self {
            Self::Random(random) => random.set_rate(now, rate),
            Self::Replay(_) => {}
        }
    }

    /// Counts births in ticks from now on; replays keep their births.
    pub fn count_ticks(&mut self) {
        match self {
            Self::Random(random) => random.count_ticks(),
            Self::Replay(_) => {}
        }
    }

    /// Adds a block of messages to replay, `last` if final.
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

    /// The number of messages to replay added so far.
    pub fn added(&self) -> u64 {
        match self {
            Self::Random(_) => 0,
            Self::Replay(replay) => replay.added(),
        }
    }

    /// The first cycle not fully covered by the blocks so far.
    pub fn known_until(&self) -> u64 {
        match self {
            Self::Random(_) => u64::MAX,
            Self::Replay(replay) => replay.known_until(),
        }
    }

    /// True if no further message will be generated.
    pub fn is_at_end(&self) -> bool {
        match self {
            Self::Random(_) => false,
            Self::Replay(replay) => replay.is_at_end(),
        }
    }

    /// A hash of the state common to all terminals. The position in a replay is the number of
    /// messages taken or deferred, which is counted elsewhere; the extent of its blocks beyond is
    /// irrelevant.
    pub fn fingerprint(&self) -> u64 {
        match self {
            Self::Random(random) => random.fingerprint(),
            Self::Replay(_) => 0,
        }
    }

    /// Hashes the state that determines the messages of a terminal.
    pub fn hash_terminal(&self, node: u32, hash: u64) -> u64 {
        match self {
            Self::Random(random) => random.hash_terminal(node, hash),
            Self::Replay(_) => hash,
        }
    }

    /// Hashes the deferred messages of a terminal. For replays their number is sufficient.
    pub fn hash_left(&self, node: u32, hash: u64) -> u64 {
        match self {
            Self::Random(random) => random.hash_left(node, hash),
            Self::Replay(_) => hash,
        }
    }
}
