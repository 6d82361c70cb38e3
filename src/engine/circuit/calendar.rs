//! The calendar: what happens next, at which tick.
//!
//! All delays but the transmission times are constants, and what is scheduled with one constant delay
//! comes in the order in which it was scheduled. So services of equal delay stand in one line, through
//! their controllers, and messages that back off in another; only transmissions need to be sorted.
//! Among events of one tick the one that was scheduled first comes first.

use educe::Educe;
use get_size2::GetSize;

use super::state::{Call, Controller, NONE, Queue, list};
use super::transmissions::Transmissions;
use crate::random::mix;

/// What happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
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

/// The kinds of services; each may have a line of its own.
const SERVICES: usize = Event::Again as usize;
/// Where events are beside the lines of services.
const ABORTED: usize = SERVICES;
const TRANSMISSIONS: usize = SERVICES + 1;
const PLACES: usize = SERVICES + 2;

/// When an event comes: its tick, and how many had been scheduled with it.
pub(super) type Key = (u64, u64);
/// Later than every event.
const NEVER: Key = (u64::MAX, u64::MAX);

/// An event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub tick: u64,
    pub event: Event,
    /// Whom it concerns.
    pub call: u32,
    /// The controller whose service ends, if one does.
    pub router: u32,
}

/// The line of services of one delay: controllers, linked through [`Controller::after`].
#[derive(Clone, Copy, Debug, GetSize)]
struct Line {
    head: u32,
    /// Read only where there is a head.
    tail: u32,
}

/// The events to come.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Calendar {
    /// The first is that of [`Event::Verified`], in which all stand if all services take equally long.
    lines: [Line; SERVICES],
    delays: [u64; SERVICES],
    /// Which line a service stands in: that of the first with the same delay.
    line_of: [usize; SERVICES],
    back_off: u64,
    /// Those who back off, and how long they do.
    aborted: Queue,
    transmissions: Transmissions,
    /// The next event that is not in the first line, or [`NEVER`], and where it is.
    other: Key,
    other_in: usize,
    /// The tick before which what is taken must come, and the same or an earlier `other`.
    bound: u64,
    limit: u64,
    scheduled: u64,
}

impl Calendar {
    /// Nothing to come; how many ticks verifying, connecting, releasing and backing off take.
    pub fn new([verify, connect, release, back_off]: [u64; 4], sent: Transmissions) -> Self {
        let delays = [verify, connect, release];
        let line = |delay: u64| delays.iter().position(|&it| it == delay).unwrap_or_default();
        Self {
            lines: [Line { head: NONE, tail: NONE }; SERVICES],
            delays,
            line_of: delays.map(line),
            back_off,
            aborted: Queue::EMPTY,
            transmissions: sent,
            other: NEVER,
            other_in: TRANSMISSIONS,
            bound: 0,
            limit: 0,
            scheduled: 0,
        }
    }

    /// A controller begins a service.
    #[inline]
    pub fn serve(&mut self, controllers: &mut [Controller], now: u64, event: Event, router: u32) {
        let (tick, place) = (now + self.delays[event as usize], self.line_of[event as usize]);
        self.scheduled += 1;
        let order = self.scheduled;
        let controller = &mut controllers[router as usize];
        (controller.tick, controller.order, controller.event) = (tick, order, event);
        controller.after = NONE;
        let line = &mut self.lines[place];
        let before = std::mem::replace(&mut line.tail, router);
        if line.head == NONE {
            line.head = router;
        } else {
            controllers[before as usize].after = router;
        }
        if place > 0 {
            self.note((tick, order), place);
        }
    }

    /// A message begins to back off.
    pub fn back_off(&mut self, calls: &mut [Call], now: u64, call: u32) {
        self.date(calls, now + self.back_off, ABORTED, call);
        self.aborted.push(calls, call);
    }

    /// A transmission will end at `tick`.
    pub fn send(&mut self, calls: &mut [Call], tick: u64, call: u32) {
        self.date(calls, tick, TRANSMISSIONS, call);
        self.transmissions.insert(calls, call);
    }

    #[inline]
    fn date(&mut self, calls: &mut [Call], tick: u64, place: usize, call: u32) {
        self.scheduled += 1;
        calls[call as usize].due = (tick, self.scheduled);
        self.note((tick, self.scheduled), place);
    }

    /// Something has been added elsewhere than in the first line.
    #[inline]
    fn note(&mut self, key: Key, place: usize) {
        if key < self.other {
            (self.other, self.other_in) = (key, place);
            self.limit = self.limit.min(key.0);
        }
    }

    /// From now on only what comes before tick `bound` is taken.
    #[inline]
    pub fn stop_at(&mut self, bound: u64) {
        self.bound = bound;
        self.limit = bound.min(self.other.0);
    }

    /// Takes the next event out, if it comes before the bound.
    #[inline]
    pub fn take(&mut self, controllers: &[Controller], calls: &mut [Call]) -> Option<Entry> {
        let router = self.lines[0].head;
        match controllers.get(router as usize) {
            Some(controller) if controller.tick < self.limit => {
                self.lines[0].head = controller.after;
                Some(controller.entry(router))
            }
            _ => self.take_any(controllers, calls),
        }
    }

    #[inline(never)]
    fn take_any(&mut self, controllers: &[Controller], calls: &mut [Call]) -> Option<Entry> {
        let first = self.first_in(0, controllers, calls);
        let (key, place) =
            if first < self.other { (first, 0) } else { (self.other, self.other_in) };
        if key.0 >= self.bound {
            return None;
        }
        let delayed = |event, call| Entry { tick: key.0, event, call, router: NONE };
        let entry = match place {
            ABORTED => self.aborted.pop(calls).map(|call| delayed(Event::Again, call)),
            TRANSMISSIONS => self.transmissions.pop(calls).map(|call| delayed(Event::Sent, call)),
            line => {
                let router = self.lines[line].head;
                self.lines[line].head = controllers[router as usize].after;
                Some(controllers[router as usize].entry(router))
            }
        };
        if place > 0 {
            let others = (1..PLACES).map(|place| (self.first_in(place, controllers, calls), place));
            (self.other, self.other_in) = others.min().unwrap_or((NEVER, place));
            self.limit = self.bound.min(self.other.0);
        }
        entry
    }

    /// When the first event of a place comes.
    #[inline]
    fn first_in(&self, place: usize, controllers: &[Controller], calls: &[Call]) -> Key {
        let due = |call: u32| calls.get(call as usize).map_or(NEVER, |call| call.due);
        match place {
            ABORTED => due(self.aborted.head),
            TRANSMISSIONS => due(self.transmissions.first()),
            line => controllers.get(self.lines[line].head as usize).map_or(NEVER, Controller::key),
        }
    }

    /// Every event to come, in no order that means anything; and its key.
    pub fn events<'a>(
        &'a self,
        controllers: &'a [Controller],
        calls: &'a [Call],
    ) -> impl Iterator<Item = (Key, Entry)> + 'a {
        let services = self
            .lines
            .iter()
            .flat_map(|line| list(line.head, |router| controllers[router as usize].after));
        let services = services.map(|router| {
            let controller = &controllers[router as usize];
            (controller.key(), controller.entry(router))
        });
        let aborted = self.aborted.members(calls).map(|call| (Event::Again, call));
        let sent = self.transmissions.members(calls).map(|call| (Event::Sent, call));
        let delays = aborted.chain(sent).map(|(event, call)| {
            let key = calls[call as usize].due;
            (key, Entry { tick: key.0, event, call, router: NONE })
        });
        services.chain(delays)
    }

    /// A hash of `events`, which are all to come, their order included; `name` says whom an entry
    /// concerns.
    pub fn fingerprint(
        &self,
        events: impl Iterator<Item = (Key, Entry)>,
        name: impl Fn(&Entry) -> u64,
    ) -> u64 {
        // What the scenario fixes, and what follows from the events.
        #[rustfmt::skip]
        let Self {
            lines: _, delays: _, line_of: _, back_off: _, aborted: _, transmissions: _, other: _,
            other_in: _, bound: _, limit: _, scheduled,
        } = self;
        // A sum: where an entry stands in the tables means nothing.
        events.fold(*scheduled, |sum, ((tick, order), entry)| {
            let words = [tick, order, name(&entry)];
            sum.wrapping_add(words.into_iter().fold(entry.event as u64, mix))
        })
    }
}

#[cfg(test)]
mod tests;
