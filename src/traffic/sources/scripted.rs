//! Messages of a script, in order of birth.
//!
//! Messages that await no other are read in order. A message that awaits others is read as soon as
//! it is next, and waits until the last of those has arrived. Memory grows with the messages that
//! wait or are awaited.

use std::collections::{BTreeMap, VecDeque};

use educe::Educe;
use get_size2::GetSize;

use super::calendar::Due;
use crate::ids::NodeId;
use crate::random::mix;
use crate::traffic::script::{Script, ScriptMessage};

/// A message read, and its index in the script.
#[derive(Clone, Copy, Debug)]
struct Read {
    index: u64,
    message: ScriptMessage,
}

impl GetSize for Read {}

/// A message that awaits others.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    read: Read,
    /// The number of messages still awaited.
    missing: u32,
    /// The latest arrival so far.
    latest: u64,
}

impl GetSize for Waiting {}

/// A message that others await.
#[derive(Clone, Debug, Default, GetSize)]
struct Awaited {
    /// The cycle of arrival.
    arrived: Option<u64>,
    /// Followers read so far, and all followers if the message was generated.
    read: u32,
    all: Option<u32>,
    /// Followers that wait.
    followers: Vec<u64>,
}

impl Awaited {
    /// True if nothing depends on the message any more.
    fn is_over(&self) -> bool {
        self.arrived.is_some() && Some(self.read) == self.all
    }
}

/// Messages of a script.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Scripted {
    #[get_size(ignore)]
    script: Script,
    /// The next message to read, and the number of messages awaited by those before on its page.
    at: u64,
    awaited_before: usize,
    /// Messages whose time of birth is known, by that time.
    ready: BTreeMap<(u64, u64), Read>,
    waiting: BTreeMap<u64, Waiting>,
    awaited: BTreeMap<u64, Awaited>,
    /// Awaited messages on their way, by source and serial number.
    open: BTreeMap<(u32, u64), u64>,
    /// The serial number of the next message of each terminal.
    serials: Vec<u64>,
    /// Deferred messages of each terminal.
    left: BTreeMap<u32, VecDeque<(u64, Read)>>,
}

impl Scripted {
    /// The beginning of a script for `nodes` terminals.
    pub fn new(script: &Script, nodes: usize) -> Self {
        Self {
            script: script.clone(),
            at: 0,
            awaited_before: 0,
            ready: BTreeMap::new(),
            waiting: BTreeMap::new(),
            awaited: BTreeMap::new(),
            open: BTreeMap::new(),
            serials: vec![0; nodes],
            left: BTreeMap::new(),
        }
    }

    /// The next message to read, which awaits no other, comes before those that are ready.
    fn reads_next(&self) -> Option<(u64, &ScriptMessage)> {
        let next = self.script.message(self.at)?;
        let before = |&(born, index): &(u64, u64)| (next.born, self.at) < (born, index);
        self.ready
            .first_key_value()
            .is_none_or(|(first, _)| before(first))
            .then_some((self.at, next))
    }

    /// The next message.
    #[inline]
    pub fn next(&self) -> Due {
        if let Some((_, next)) = self.reads_next() {
            return Due { cycle: next.born, node: next.source.0 };
        }
        self.ready.first_key_value().map_or(Due::NEVER, |(&(born, _), read)| Due {
            cycle: born,
            node: read.message.source.0,
        })
    }

    /// Removes the next message; returns its birth too.
    fn step(&mut self) -> (u64, Read) {
        if let Some((index, &message)) = self.reads_next() {
            self.pass();
            self.read_waiting();
            return (message.born, Read { index, message });
        }
        let ((born, _), read) = self.ready.pop_first().expect("a message is due");
        (born, read)
    }

    /// Moves on to the next message to read.
    fn pass(&mut self) {
        self.awaited_before +=
            self.script.message(self.at).map_or(0, |message| message.awaits as usize);
        self.at += 1;
        if Script::begins_page(self.at) {
            self.awaited_before = 0;
        }
    }

    /// Reads the messages up to the next that awaits no other.
    fn read_waiting(&mut self) {
        while let Some(&message) = self.script.message(self.at).filter(|next| next.awaits > 0) {
            let index = self.at;
            let (mut missing, mut latest) = (0, 0);
            for &other in self.script.awaited(index, self.awaited_before) {
                let awaited = self.awaited.entry(other).or_default();
                awaited.read += 1;
                if let Some(arrived) = awaited.arrived {
                    latest = latest.max(arrived);
                } else {
                    missing += 1;
                    awaited.followers.push(index);
                }
                if awaited.is_over() {
                    self.awaited.remove(&other);
                }
            }
            let waiting = Waiting { read: Read { index, message }, missing, latest };
            if missing == 0 {
                self.release(waiting);
            } else {
                self.waiting.insert(index, waiting);
            }
            self.pass();
        }
    }

    /// A message awaits no other any more.
    fn release(&mut self, Waiting { read, latest, .. }: Waiting) {
        let born = read.message.born.max(latest + u64::from(read.message.delay));
        self.ready.insert((born, read.index), read);
    }

    /// Numbers a message that leaves the script.
    fn number(&mut self, Read { index, message }: Read) -> (NodeId, u32) {
        let serial = &mut self.serials[message.source.index()];
        if message.followers > 0 {
            self.awaited.entry(index).or_default().all = Some(message.followers);
            self.open.insert((message.source.0, *serial), index);
        }
        *serial += 1;
        (message.destination, message.length)
    }

    /// Returns destination and length of the next message.
    pub fn take(&mut self) -> (NodeId, u32) {
        let (_, read) = self.step();
        self.number(read)
    }

    /// Defers the next message.
    pub fn leave(&mut self) {
        let (born, read) = self.step();
        self.left.entry(read.message.source.0).or_default().push_back((born, read));
    }

    /// Returns birth, destination and length of a terminal's first deferred message; `last` if no
    /// other is deferred.
    pub fn take_left(&mut self, node: u32, last: bool) -> (u64, NodeId, u32) {
        let left = self.left.get_mut(&node).expect("messages were left");
        let (born, read) = left.pop_front().expect("as many as are counted");
        if last {
            self.left.remove(&node);
        }
        let (destination, length) = self.number(read);
        (born, destination, length)
    }

    /// The births of a terminal's deferred messages.
    pub fn births_left(&self, node: NodeId) -> impl Iterator<Item = u64> {
        self.left.get(&node.0).into_iter().flatten().map(|&(born, _)| born)
    }

    /// Releases the messages that await a message, which arrived by cycle `done`.
    pub fn delivered(&mut self, source: NodeId, serial: u64, done: u64) {
        let Some(index) = self.open.remove(&(source.0, serial)) else { return };
        let awaited = self.awaited.get_mut(&index).expect("the message is awaited");
        awaited.arrived = Some(done);
        let followers = std::mem::take(&mut awaited.followers);
        if awaited.is_over() {
            self.awaited.remove(&index);
        }
        for follower in followers {
            let waiting = self.waiting.get_mut(&follower).expect("the message waits");
            waiting.missing -= 1;
            waiting.latest = waiting.latest.max(done);
            if waiting.missing == 0 {
                let waiting = *waiting;
                self.waiting.remove(&follower);
                self.release(waiting);
            }
        }
    }

    /// True if all messages have been generated.
    pub fn is_at_end(&self) -> bool {
        self.at == self.script.len() && self.ready.is_empty() && self.waiting.is_empty()
    }

    /// A hash of the state that determines future messages.
    pub fn fingerprint(&self) -> u64 {
        // Serial numbers are counted elsewhere; messages on their way are those awaited.
        let Self { script, at, ready, waiting, awaited, .. } = self;
        let mut hash = mix(u64::from(script.checksum()), *at);
        for &(born, index) in ready.keys() {
            hash = mix(mix(hash, born), index);
        }
        for (&index, waiting) in waiting {
            hash = mix(mix(mix(hash, index), waiting.latest), waiting.missing.into());
        }
        for (&index, awaited) in awaited {
            hash = mix(mix(hash, index), awaited.arrived.map_or(0, |arrived| arrived + 1));
        }
        hash
    }

    /// Hashes the deferred messages of a terminal.
    pub fn hash_left(&self, node: u32, hash: u64) -> u64 {
        let left = self.left.get(&node).into_iter().flatten();
        left.fold(hash, |hash, &(born, read)| mix(mix(hash, born), read.index))
    }
}

#[cfg(test)]
mod tests;
