//! A source of messages, which reports the time of the next message and returns the message.
//!
//! A source determines times and contents of messages. Queues, windows and serial numbers are
//! independent of the kind of source and belong to [`super::Sources`]. A message due is either
//! taken or deferred; deferred messages of a terminal are taken later, oldest first.

use educe::Educe;
use get_size2::GetSize;

use super::calendar::Due;
use super::random::Random;
use super::scripted::Scripted;
use crate::ids::NodeId;
use crate::units::Rate;

/// A source of the messages of all terminals.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) enum Source {
    /// Unlimited messages drawn from streams.
    Random(Random),
    /// The messages of a script, some of which react to deliveries.
    Script(Scripted),
}

impl Source {
    /// The next message, or [`Due::NEVER`].
    pub fn next(&self) -> Due {
        match self {
            Self::Random(random) => random.next(),
            Self::Script(script) => script.next(),
        }
    }

    /// Returns destination and length of the next message, which belongs to terminal `node`, and
    /// the message after.
    #[expect(clippy::inline_always, reason = "a message would be copied")]
    #[inline(always)]
    pub fn take(&mut self, node: u32) -> ((NodeId, u32), Due) {
        match self {
            Self::Random(random) => (random.take(node), random.next()),
            Self::Script(script) => (script.take(), script.next()),
        }
    }

    /// Defers the next message, which belongs to terminal `node`; `first` if no other is deferred.
    pub fn leave(&mut self, node: u32, first: bool) {
        match self {
            Self::Random(random) => random.leave(node, first),
            Self::Script(script) => script.leave(),
        }
    }

    /// Returns birth, destination and length of a terminal's first deferred message; `last` if no
    /// other is deferred.
    pub fn take_left(&mut self, node: u32, last: bool) -> (u64, NodeId, u32) {
        match self {
            Self::Random(random) => random.take_left(node, last),
            Self::Script(script) => script.take_left(node, last),
        }
    }

    /// The births of a terminal's messages from the first deferred message on; empty if none is
    /// deferred.
    pub fn births_left(&self, node: NodeId) -> impl Iterator<Item = u64> {
        let (random, script) = match self {
            Self::Random(random) => (Some(random.births_left(node)), None),
            Self::Script(script) => (None, Some(script.births_left(node))),
        };
        random.into_iter().flatten().chain(script.into_iter().flatten())
    }

    /// Changes the rate from cycle `now` on; ignored by scripts.
    pub fn set_rate(&mut self, now: u64, rate: Rate) {
        match self {
            Self::Random(random) => random.set_rate(now, rate),
            Self::Script(_) => {}
        }
    }

    /// Counts births in ticks from now on; scripts keep their births.
    pub fn count_ticks(&mut self) {
        match self {
            Self::Random(random) => random.count_ticks(),
            Self::Script(_) => {}
        }
    }

    /// True if no further message will be generated.
    pub fn is_at_end(&self) -> bool {
        match self {
            Self::Random(_) => false,
            Self::Script(script) => script.is_at_end(),
        }
    }

    /// A hash of the state common to all terminals.
    pub fn fingerprint(&self) -> u64 {
        match self {
            Self::Random(random) => random.fingerprint(),
            Self::Script(script) => script.fingerprint(),
        }
    }

    /// Hashes the state that determines the messages of a terminal.
    pub fn hash_terminal(&self, node: u32, hash: u64) -> u64 {
        match self {
            Self::Random(random) => random.hash_terminal(node, hash),
            Self::Script(_) => hash,
        }
    }

    /// Hashes the deferred messages of a terminal.
    pub fn hash_left(&self, node: u32, hash: u64) -> u64 {
        match self {
            Self::Random(random) => random.hash_left(node, hash),
            Self::Script(script) => script.hash_left(node, hash),
        }
    }
}
