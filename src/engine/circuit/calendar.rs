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

/// Events with constant delays.
const LINES: [Event; 4] = [Event::Verified, Event::Connected, Event::Released, Event::Again];

/// An entry: tick, order of scheduling, and the controller or message concerned.
pub(super) type Entry = (u64, u64, u32);

/// The events to come.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Calendar {
    lines: [VecDeque<Entry>; LINES.len()],
    delays: [u64; LINES.len()],
    #[get_size(size_fn = bytes_of_heap)]
    transmissions: BinaryHeap<Reverse<Entry>>,
    scheduled: u64,
}

fn bytes_of_heap(heap: &BinaryHeap<Reverse<Entry>>) -> usize {
    heap.capacity() * size_of::<Reverse<Entry>>()
}

impl Calendar {
    /// Nothing to come; the delays, in ticks, of verifying, connecting, releasing and backing off.
    pub fn new(delays: [u64; 4]) -> Self {
        Self {
            lines: std::array::from_fn(|_| VecDeque::new()),
            delays,
            transmissions: BinaryHeap::new(),
            scheduled: 0,
        }
    }

    /// Schedules an event that has a constant delay.
    #[inline]
    pub fn after(&mut self, now: u64, event: Event, whom: u32) {
        let line = event as usize;
        self.scheduled += 1;
        self.lines[line].push_back((now + self.delays[line], self.scheduled, whom));
    }

    /// Schedules the end of a transmission at `tick`.
    #[inline]
    pub fn sent_at(&mut self, tick: u64, whom: u32) {
        self.scheduled += 1;
        self.transmissions.push(Reverse((tick, self.scheduled, whom)));
    }

    /// The tick of the next event and which it is.
    #[inline]
    pub fn next(&self) -> Option<(u64, Event)> {
        let mut next =
            self.transmissions.peek().map(|&Reverse((tick, order, _))| (tick, order, Event::Sent));
        for (line, event) in self.lines.iter().zip(LINES) {
            if let Some(&(tick, order, _)) = line.front()
                && next.is_none_or(|(t, o, _)| (tick, order) < (t, o))
            {
                next = Some((tick, order, event));
            }
        }
        next.map(|(tick, _, event)| (tick, event))
    }

    /// Takes the next event of this kind out, which there is; whom it concerns.
    #[inline]
    pub fn take(&mut self, event: Event) -> u32 {
        let next = match event {
            Event::Sent => self.transmissions.pop().map(|Reverse(entry)| entry),
            Event::Verified | Event::Connected | Event::Released | Event::Again => {
                self.lines[event as usize].pop_front()
            }
        };
        next.expect("the event was seen to be next").2
    }

    /// Every event to come, in no order that means anything.
    pub fn events(&self) -> impl Iterator<Item = (Event, Entry)> + '_ {
        let lines = self.lines.iter().zip(LINES);
        let constant = lines.flat_map(|(line, event)| line.iter().map(move |&it| (event, it)));
        constant.chain(self.transmissions.iter().map(|&Reverse(it)| (Event::Sent, it)))
    }

    /// A hash of all to come, its order included; `name` says whom an entry concerns.
    pub fn fingerprint(&self, name: impl Fn(Event, u32) -> u64) -> u64 {
        // The events are those of the lines and the transmissions.
        let Self { lines: _, delays: _, transmissions: _, scheduled } = self;
        // A sum: where an entry stands in the heap means nothing.
        self.events().fold(*scheduled, |sum, (event, (tick, order, whom))| {
            let words = [tick, order, name(event, whom)];
            sum.wrapping_add(words.into_iter().fold(event as u64, mix))
        })
    }
}

#[cfg(test)]
mod tests;
