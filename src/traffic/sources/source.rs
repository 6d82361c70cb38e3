//! A source of messages, which reports the time of the next message and returns the message.
//!
//! A source determines times and contents of messages. Queues, windows and serial numbers are
//! independent of the kind of source and belong to [`super::Sources`]. A message due is either
//! taken or deferred; deferred messages of a terminal are taken later, oldest first.

use educe::Educe;
use get_size2::GetSize;

use super::calendar::Due;
use super::classed::Classed;
use super::content::Content;
use super::random::Random;
use super::scripted::Scripted;
use crate::topology::Network;
use crate::traffic::Traffic;
use crate::units::Rate;

/// A source of the messages of all terminals.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) enum Source {
    /// Unlimited messages drawn from streams.
    Random(Random),
    /// The messages of a script, some of which react to deliveries.
    Script(Scripted),
    /// Messages of several classes, some of which react to deliveries.
    Classes(Box<Classed>),
}

impl Source {
    /// Creates the source of random messages, or of the messages of a script.
    pub fn new(traffic: &Traffic, network: &Network, seed: u64, replication: u32) -> Self {
        match &traffic.script {
            Some(script) if !traffic.classes.have_replies() => {
                Self::Script(Scripted::new(script, network.nodes()))
            }
            Some(_) | None if traffic.classes.is_empty() => {
                Self::Random(Random::new(traffic, network, seed, replication))
            }
            Some(_) | None => {
                Self::Classes(Box::new(Classed::new(traffic, network, seed, replication)))
            }
        }
    }

    /// The next message, or [`Due::NEVER`].
    pub fn next(&self) -> Due {
        match self {
            Self::Random(random) => random.next(),
            Self::Script(script) => script.next(),
            Self::Classes(classed) => classed.next(),
        }
    }

    /// Returns the content of the next message, which belongs to terminal `node`, and the message
    /// after.
    #[expect(clippy::inline_always, reason = "a message would be copied")]
    #[inline(always)]
    pub fn take(&mut self, node: u32) -> (Content, Due) {
        match self {
            Self::Random(random) => (random.take(node), random.next()),
            Self::Script(script) => (script.take(), script.next()),
            Self::Classes(classed) => (classed.take(node), classed.next()),
        }
    }

    /// Defers the next message, which belongs to terminal `node`; `first` if no other is deferred.
    pub fn leave(&mut self, node: u32, first: bool) {
        match self {
            Self::Random(random) => random.leave(node, first),
            Self::Script(script) => script.leave(),
            Self::Classes(classed) => classed.leave(),
        }
    }

    /// Returns birth and content of the first deferred message of a queue; `last` if no other is
    /// deferred.
    pub fn take_left(&mut self, queue: u32, last: bool) -> (u64, Content) {
        match self {
            Self::Random(random) => random.take_left(queue, last),
            Self::Script(script) => script.take_left(queue, last),
            Self::Classes(classed) => classed.take_left(queue, last),
        }
    }

    /// The births of the messages of a queue from the first deferred message on; empty if none is
    /// deferred.
    pub fn births_left(&self, queue: u32) -> impl Iterator<Item = u64> {
        let (random, script, classed) = match self {
            Self::Random(random) => (Some(random.births_left(queue)), None, None),
            Self::Script(script) => (None, Some(script.births_left(queue)), None),
            Self::Classes(classed) => (None, None, Some(classed.births_left(queue))),
        };
        let given = script.into_iter().flatten().chain(classed.into_iter().flatten());
        random.into_iter().flatten().chain(given)
    }

    /// Puts the messages of all classes of a terminal into one queue; for unused sources. Returns false
    /// if there are no classes.
    pub fn share_queues(&mut self) -> bool {
        match self {
            Self::Random(_) => return false,
            Self::Script(script) => script.share_queues(),
            Self::Classes(classed) => classed.share_queues(),
        }
        true
    }

    /// Changes the rate of arrivals from cycle `now` on; ignored by scripts and closed loops.
    pub fn set_rate(&mut self, now: u64, rate: Rate) {
        match self {
            Self::Random(random) => random.set_rate(now, rate),
            Self::Script(_) => {}
            Self::Classes(classed) => classed.set_rate(now, rate),
        }
    }

    /// True if the source has no rate: its messages are given, or follow from deliveries.
    pub fn has_no_rate(&self) -> bool {
        match self {
            Self::Random(_) => false,
            Self::Script(_) => true,
            Self::Classes(classed) => classed.has_no_rate(),
        }
    }

    /// Counts births in ticks from now on; sources that react to deliveries count in cycles.
    pub fn count_ticks(&mut self) {
        match self {
            Self::Random(random) => random.count_ticks(),
            Self::Script(_) | Self::Classes(_) => {}
        }
    }

    /// True if no further message will be generated.
    pub fn is_at_end(&self) -> bool {
        match self {
            Self::Random(_) => false,
            Self::Script(script) => script.is_at_end(),
            Self::Classes(classed) => classed.is_at_end(),
        }
    }

    /// A hash of the state common to all terminals.
    pub fn fingerprint(&self) -> u64 {
        match self {
            Self::Random(random) => random.fingerprint(),
            Self::Script(script) => script.fingerprint(),
            Self::Classes(classed) => classed.fingerprint(),
        }
    }

    /// Hashes the state that determines the messages of a terminal.
    pub fn hash_terminal(&self, node: u32, hash: u64) -> u64 {
        match self {
            Self::Random(random) => random.hash_terminal(node, hash),
            Self::Script(_) => hash,
            Self::Classes(classed) => classed.hash_terminal(node, hash),
        }
    }

    /// Hashes the deferred messages of a queue.
    pub fn hash_left(&self, queue: u32, hash: u64) -> u64 {
        match self {
            Self::Random(random) => random.hash_left(queue, hash),
            Self::Script(script) => script.hash_left(queue, hash),
            Self::Classes(classed) => classed.hash_left(queue, hash),
        }
    }
}
