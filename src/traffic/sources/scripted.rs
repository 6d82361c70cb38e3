//! Messages of a script, in order of birth.
//!
//! Memory grows with the messages on their way that others await, and with the messages that still
//! await a part of theirs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use educe::Educe;
use get_size2::GetSize;

use super::calendar::Due;
use super::content::Content;
use crate::ids::NodeId;
use crate::random::mix;
use crate::traffic::script::{Event, Follower, Position, Script, ScriptMessage};

/// The birth of a message, and its index in the script.
type Born = (u64, u64);

/// A message ready to leave the source.
#[derive(Clone, Copy, Debug, GetSize)]
struct Ready {
    born: u64,
    /// Its index in the script.
    index: u64,
    #[get_size(ignore)]
    message: ScriptMessage,
}

/// Messages of a script.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Scripted {
    #[get_size(ignore)]
    script: Script,
    /// The next message that awaits no other.
    at: u64,
    /// The same message, if messages are read in blocks.
    #[get_size(ignore)]
    position: Option<Position>,
    /// Messages of which all conditions are met.
    ready: BTreeSet<Born>,
    /// Messages of which a part of the conditions are met: the number of the others, and the
    /// earliest birth so far.
    waiting: BTreeMap<u64, (u32, u64)>,
    /// The number of messages that await others.
    unreleased: u64,
    /// Messages on their way that others await, by source and serial number, with their latest
    /// event.
    awaited: BTreeMap<(u32, u64), (u64, Option<Event>)>,
    /// The serial number of the next message of each terminal.
    serials: Vec<u64>,
    /// True if all messages of a node share a queue.
    shares_queues: bool,
    /// Deferred messages of each queue.
    left: BTreeMap<u32, VecDeque<Ready>>,
}

impl Scripted {
    /// The beginning of a script for `nodes` terminals.
    pub fn new(script: &Script, nodes: usize) -> Self {
        Self {
            at: 0,
            position: script.position(),
            ready: BTreeSet::new(),
            waiting: BTreeMap::new(),
            unreleased: script.len() - script.at_once(),
            awaited: BTreeMap::new(),
            serials: vec![0; nodes],
            shares_queues: false,
            left: BTreeMap::new(),
            script: script.clone(),
        }
    }

    fn message(&self, index: u64) -> ScriptMessage {
        *self.script.message(index).expect("the script has the message")
    }

    /// The next message that awaits no other.
    #[inline]
    fn fixed(&self) -> Option<&ScriptMessage> {
        match &self.position {
            Some(position) => position.message(),
            None if self.at < self.script.at_once() => self.script.message(self.at),
            None => None,
        }
    }

    /// The next message, with its birth and index.
    #[inline]
    fn first(&self) -> Option<(Born, &ScriptMessage)> {
        let fixed = self.fixed().map(|message| ((message.born, self.at), message));
        let ready = self.ready.first();
        match (fixed, ready) {
            (Some((born, message)), Some(&earlier)) if earlier >= born => Some((born, message)),
            (_, Some(&ready)) => Some((ready, self.script.message(ready.1)?)),
            (fixed, None) => fixed,
        }
    }

    /// The next message.
    #[inline]
    pub fn next(&self) -> Due {
        self.first().map_or(Due::NEVER, |((cycle, _), message)| Due {
            cycle,
            node: message.source.0,
            queue: self.queue(message),
        })
    }

    /// The number of a message's queue.
    fn queue(&self, message: &ScriptMessage) -> u32 {
        let node = message.source.0;
        if self.shares_queues {
            node
        } else {
            node + u32::from(message.class) * self.serials.len() as u32
        }
    }

    /// Puts all messages of a node into one queue. Call this before any message is generated.
    pub fn share_queues(&mut self) {
        self.shares_queues = true;
    }

    /// Removes the next message.
    fn step(&mut self) -> Ready {
        let ((born, index), &message) = self.first().expect("a message is due");
        if index < self.script.at_once() {
            self.at += 1;
            if let Some(position) = &mut self.position {
                position.advance();
            }
        } else {
            self.ready.pop_first();
        }
        Ready { born, index, message }
    }

    /// Numbers a message that leaves the script.
    fn number(&mut self, ready: &Ready) -> Content {
        let ScriptMessage { source, destination, length, class, followers, .. } = ready.message;
        let serial = &mut self.serials[source.index()];
        if followers > 0 {
            self.awaited.insert((source.0, *serial), (ready.index, None));
        }
        *serial += 1;
        Content { destination, length, class }
    }

    /// Returns the content of the next message.
    pub fn take(&mut self) -> Content {
        let ready = self.step();
        self.number(&ready)
    }

    /// Defers the next message.
    pub fn leave(&mut self) {
        let ready = self.step();
        let queue = self.queue(&ready.message);
        self.left.entry(queue).or_default().push_back(ready);
    }

    /// Returns birth and content of the first deferred message of a queue; `last` if no other is
    /// deferred.
    pub fn take_left(&mut self, queue: u32, last: bool) -> (u64, Content) {
        let left = self.left.get_mut(&queue).expect("messages were left");
        let ready = left.pop_front().expect("as many as are counted");
        if last {
            self.left.remove(&queue);
        }
        (ready.born, self.number(&ready))
    }

    /// The births of the deferred messages of a queue.
    pub fn births_left(&self, queue: u32) -> impl Iterator<Item = u64> {
        self.left.get(&queue).into_iter().flatten().map(|ready| ready.born)
    }

    /// True if a message awaits that another leaves its source.
    pub fn awaits_departures(&self) -> bool {
        self.script.awaits_departures()
    }

    /// Releases the messages that await an event of a message, which took place by cycle `done`;
    /// returns true if there are any. Only the first of equal events counts.
    pub fn report(&mut self, source: NodeId, serial: u64, event: Event, done: u64) -> bool {
        if self.awaited.is_empty() {
            return false;
        }
        let name = (source.0, serial);
        let Some((index, latest)) = self.awaited.get_mut(&name) else { return false };
        if *latest >= Some(event) {
            return false;
        }
        let (index, before) = (*index, latest.replace(event));
        if event == Event::Delivered {
            self.awaited.remove(&name);
        }
        let mut released = false;
        for &Follower { message: follower, event: awaited, delay } in self.script.followers(index) {
            if awaited > event || Some(awaited) <= before {
                continue;
            }
            let message = self.message(follower);
            let state = if message.awaits > 1 { self.waiting.remove(&follower) } else { None };
            let (missing, earliest) = state.unwrap_or((message.awaits, message.born));
            let earliest = earliest.max(done + u64::from(delay));
            if missing > 1 {
                self.waiting.insert(follower, (missing - 1, earliest));
            } else {
                self.ready.insert((earliest, follower));
                self.unreleased -= 1;
                released = true;
            }
        }
        released
    }

    /// True if all messages have been generated.
    pub fn is_at_end(&self) -> bool {
        self.at == self.script.at_once() && self.ready.is_empty() && self.unreleased == 0
    }

    /// A hash of the state that determines future messages.
    pub fn fingerprint(&self) -> u64 {
        // The others follow from these and from the messages on their way.
        let Self { script, at, ready, waiting, awaited, .. } = self;
        let mut hash = mix(u64::from(script.checksum()), *at);
        for &(born, index) in ready {
            hash = mix(mix(hash, born), index);
        }
        for (&index, &(missing, latest)) in waiting {
            hash = mix(mix(mix(hash, index), latest), missing.into());
        }
        // Messages may start again.
        for (&(source, serial), &(_, latest)) in awaited {
            if let Some(event) = latest {
                hash = mix(mix(hash, u64::from(source) << 2 | event as u64), serial);
            }
        }
        hash
    }

    /// Hashes the deferred messages of a queue.
    pub fn hash_left(&self, queue: u32, hash: u64) -> u64 {
        let left = self.left.get(&queue).into_iter().flatten();
        left.fold(hash, |hash, &Ready { born, index, .. }| mix(mix(hash, born), index))
    }
}

#[cfg(test)]
mod tests;
