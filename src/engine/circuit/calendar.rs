//! The calendar: what happens next, at which tick.
//!
//! All delays but the transmission times are constants, and what is scheduled with a constant delay
//! comes in the order in which it was scheduled: each has a queue of its own, and only transmissions
//! need a heap. Among events of one tick the one that was scheduled first comes first.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use educe::Educe;
use get_size2::GetSize;

use crate::random::mix;

/// What happens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Event {
    /// A controller has looked at the link wanted.
    Verified,
    /// A controller has taken a link.
    Connected,
    /// A controller has given a link back.
    Released,
    /// The wait of an aborted message is over.
    Again,
    /// The last of a message's data has arrived.
    Sent,
}

/// The kinds of events, those with constant delays first.
const KINDS: [Event; 5] =
    [Event::Verified, Event::Connected, Event::Released, Event::Again, Event::Sent];
/// How many have constant delays.
const LINES: usize = KINDS.len() - 1;

/// An entry: tick, order of scheduling, and the controller or message concerned.
pub(super) type Entry = (u64, u64, u32);

/// Tick and order of an entry.
type Key = (u64, u64);
/// Later than every entry.
const NEVER: Key = (u64::MAX, u64::MAX);

#[inline]
fn key(&(tick, order, _): &Entry) -> Key {
    (tick, order)
}

/// The events to come.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Calendar {
    lines: [VecDeque<Entry>; LINES],
    delays: [u64; LINES],
    #[get_size(size_fn = bytes_of_heap)]
    transmissions: BinaryHeap<Reverse<Entry>>,
    /// The next of each kind, or [`NEVER`].
    next: [Key; KINDS.len()],
    scheduled: u64,
}

fn bytes_of_heap(heap: &BinaryHeap<Reverse<Entry>>) -> usize {
    heap.capacity() * size_of::<Reverse<Entry>>()
}

impl Calendar {
    /// Nothing to come; the delays, in ticks, of verifying, connecting, releasing and backing off.
    pub fn new(delays: [u64; LINES]) -> Self {
        Self {
            lines: std::array::from_fn(|_| VecDeque::new()),
            delays,
            transmissions: BinaryHeap::new(),
            next: [NEVER; KINDS.len()],
            scheduled: 0,
        }
    }

    /// Schedules an event that has a constant delay.
    #[inline]
    pub fn after(&mut self, now: u64, event: Event, whom: u32) {
        let line = event as usize;
        self.scheduled += 1;
        let entry = (now + self.delays[line], self.scheduled, whom);
        // What is in front stays in front.
        if self.next[line] == NEVER {
            self.next[line] = key(&entry);
        }
        self.lines[line].push_back(entry);
    }

    /// Schedules the end of a transmission at `tick`.
    #[inline]
    pub fn sent_at(&mut self, tick: u64, whom: u32) {
        self.scheduled += 1;
        let entry = (tick, self.scheduled, whom);
        let next = &mut self.next[Event::Sent as usize];
        *next = (*next).min(key(&entry));
        self.transmissions.push(Reverse(entry));
    }

    /// The tick of the next event and which it is; the last tick of all where there is none.
    #[inline]
    pub fn next(&self) -> (u64, Event) {
        let (mut at, mut next) = (self.next[0], KINDS[0]);
        for kind in KINDS {
            let key = self.next[kind as usize];
            if key.0 < at.0 || (key.0 == at.0 && key.1 < at.1) {
                (at, next) = (key, kind);
            }
        }
        (at.0, next)
    }

    /// Takes the next event of this kind out, which there is; whom it concerns.
    #[inline]
    pub fn take(&mut self, event: Event) -> u32 {
        let (entry, next) = match event {
            Event::Sent => {
                let entry = self.transmissions.pop().map(|Reverse(entry)| entry);
                (entry, self.transmissions.peek().map(|Reverse(entry)| key(entry)))
            }
            Event::Verified | Event::Connected | Event::Released | Event::Again => {
                let line = &mut self.lines[event as usize];
                (line.pop_front(), line.front().map(key))
            }
        };
        self.next[event as usize] = next.unwrap_or(NEVER);
        entry.expect("the event was seen to be next").2
    }

    /// Every event to come, in no order that means anything.
    pub fn events(&self) -> impl Iterator<Item = (Event, Entry)> + '_ {
        let lines = self.lines.iter().zip(KINDS);
        let constant = lines.flat_map(|(line, event)| line.iter().map(move |&it| (event, it)));
        constant.chain(self.transmissions.iter().map(|&Reverse(it)| (Event::Sent, it)))
    }

    /// A hash of all to come, its order included; `name` says whom an entry concerns.
    pub fn fingerprint(&self, name: impl Fn(Event, u32) -> u64) -> u64 {
        // The events are those of the lines and the transmissions.
        let Self { lines: _, delays: _, transmissions: _, next: _, scheduled } = self;
        // A sum: where an entry stands in the heap means nothing.
        self.events().fold(*scheduled, |sum, (event, (tick, order, whom))| {
            let words = [tick, order, name(event, whom)];
            sum.wrapping_add(words.into_iter().fold(event as u64, mix))
        })
    }
}

#[cfg(test)]
mod tests;
