//! The calendar of future events.
//!
//! All delays except for transmission times are constant, and events scheduled with the same
//! constant delay happen in the order of scheduling. Services of equal delay therefore form a FIFO
//! line, linked through the controllers, and messages that back off form another; only
//! transmissions need sorting. Events of the same tick happen in the order of scheduling.

use educe::Educe;
use get_size2::GetSize;

use super::events::{Event, Key, NEVER, Served, Service, before};
use super::state::{Call, Controller, NONE, Queue, list};
use super::transmissions::Transmissions;
use crate::random::mix;

/// The number of kinds of services; each may have its own line.
const SERVICES: usize = Service::Release as usize + 1;
/// Places of events other than services.
const ABORTED: usize = SERVICES;
const TRANSMISSIONS: usize = SERVICES + 1;

/// The line of services with equal delay: controllers linked through [`Controller::after`].
#[derive(Clone, Copy, Debug, GetSize)]
struct Line {
    head: u32,
    /// Valid only if there is a head.
    tail: u32,
}

/// All future events.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Calendar {
    /// The first line belongs to [`Service::Verify`], and contains all services if their delays are
    /// equal.
    lines: [Line; SERVICES],
    delays: [u64; SERVICES],
    /// The line of each kind of service: the line of the first kind with the same delay.
    line_of: [usize; SERVICES],
    /// True if all services are in the first line.
    is_one_line: bool,
    back_off: u64,
    /// Messages that back off, and the duration.
    aborted: Queue,
    transmissions: Transmissions,
    /// The earliest event outside the first line, or [`NEVER`], and its place.
    other: Key,
    other_in: usize,
    /// The tick before which events are taken; `limit` is the minimum of this tick and the tick of
    /// `other`.
    bound: u64,
    limit: u64,
    scheduled: u64,
}

impl Calendar {
    /// Creates an empty calendar; the delays are ticks of verifying, connecting, releasing and
    /// backing off.
    pub fn new([verify, connect, release, back_off]: [u64; 4], sent: Transmissions) -> Self {
        let delays = [verify, connect, release];
        let line = |delay: u64| delays.iter().position(|&it| it == delay).unwrap_or_default();
        let is_one_line = delays.iter().all(|&it| it == verify);
        Self {
            lines: [Line { head: NONE, tail: NONE }; SERVICES],
            delays,
            line_of: delays.map(line),
            is_one_line,
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

    /// Begins a service of a controller.
    #[expect(clippy::inline_always, reason = "measured: a fifth fewer instructions per service")]
    #[inline(always)]
    pub fn serve(
        &mut self,
        controllers: &mut [Controller],
        now: u64,
        service: Service,
        router: u32,
    ) {
        let (tick, place) = (now + self.delays[service as usize], self.line_of[service as usize]);
        self.scheduled += 1;
        let order = self.scheduled;
        let controller = &mut controllers[router as usize];
        (controller.tick, controller.order, controller.service) = (tick, order, service);
        controller.after = NONE;
        if place == 0 {
            self.lines[0].push(controllers, router);
        } else {
            self.lines[place].push(controllers, router);
            self.note((tick, order), place);
        }
    }

    /// Begins the back-off of a message.
    pub fn back_off(&mut self, calls: &mut [Call], now: u64, call: u32) {
        self.date(calls, now + self.back_off, ABORTED, call);
        self.aborted.push(calls, call);
    }

    /// Schedules the end of a transmission at `tick`.
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

    /// Updates the earliest event outside the first line.
    #[inline]
    fn note(&mut self, key: Key, place: usize) {
        if before(key, self.other) {
            (self.other, self.other_in) = (key, place);
            self.limit = self.bound.min(key.0);
        }
    }

    /// Limits all further events to ticks before `bound`.
    #[inline]
    pub fn stop_at(&mut self, bound: u64) {
        self.bound = bound;
        self.limit = bound.min(self.other.0);
    }

    /// Takes the end of a service from the first line if it is the next event and is before the
    /// bound.
    #[inline]
    pub fn take_service(&mut self, controllers: &[Controller]) -> Option<Served> {
        let router = self.lines[0].head;
        let first = controllers.get(router as usize).filter(|it| it.tick < self.limit)?;
        self.lines[0].head = first.after;
        Some(first.served(router))
    }

    /// True if no event is before the bound, after `take_service` has returned `None`.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.limit == self.bound
    }

    /// Takes the next event.
    pub fn take(&mut self, controllers: &[Controller], calls: &mut [Call]) -> Option<Event> {
        let first = self.first_in(0, controllers, calls);
        let (key, place) =
            if before(first, self.other) { (first, 0) } else { (self.other, self.other_in) };
        let event = match place {
            ABORTED => self.aborted.pop(calls).map(|call| Event::Again(key.0, call)),
            TRANSMISSIONS => self.transmissions.pop(calls).map(|call| Event::Sent(key.0, call)),
            line => self.lines[line].pop(controllers).map(Event::Served),
        };
        if place > 0 {
            self.find_other(controllers, calls);
        }
        event
    }

    /// Cancels the end of a transmission.
    pub fn cancel(&mut self, controllers: &[Controller], calls: &mut [Call], call: u32) {
        self.transmissions.remove(calls, call);
        self.find_other(controllers, calls);
    }

    /// Finds the earliest event outside the first line.
    #[inline]
    fn find_other(&mut self, controllers: &[Controller], calls: &[Call]) {
        (self.other, self.limit) = (NEVER, self.bound);
        if !self.is_one_line {
            (1..SERVICES).for_each(|line| self.note(self.first_in(line, controllers, calls), line));
        }
        self.note(self.first_in(ABORTED, controllers, calls), ABORTED);
        self.note(self.first_in(TRANSMISSIONS, controllers, calls), TRANSMISSIONS);
    }

    /// The key of the first event in a place.
    #[inline]
    fn first_in(&self, place: usize, controllers: &[Controller], calls: &[Call]) -> Key {
        let due = |call: u32| calls.get(call as usize).map_or(NEVER, |call| call.due);
        match place {
            ABORTED => due(self.aborted.head),
            TRANSMISSIONS => due(self.transmissions.first()),
            line => controllers.get(self.lines[line].head as usize).map_or(NEVER, Controller::key),
        }
    }

    /// All future events with their keys, in arbitrary order.
    pub fn events<'a>(
        &'a self,
        controllers: &'a [Controller],
        calls: &'a [Call],
    ) -> impl Iterator<Item = (Key, Event)> + 'a {
        let services = self.lines.iter().flat_map(|line| line.members(controllers));
        let services = services.map(|router| {
            let controller = &controllers[router as usize];
            (controller.key(), Event::Served(controller.served(router)))
        });
        let due = |call: u32| calls[call as usize].due;
        let aborted = self.aborted.members(calls);
        let aborted = aborted.map(move |call| (due(call), Event::Again(due(call).0, call)));
        let sent = self.transmissions.members(calls);
        let sent = sent.map(move |call| (due(call), Event::Sent(due(call).0, call)));
        services.chain(aborted).chain(sent)
    }

    /// A hash of `events`, all future events, that includes their order; `name` returns the kind of
    /// an event and the router or message concerned.
    pub fn fingerprint(
        &self,
        events: impl Iterator<Item = (Key, Event)>,
        name: impl Fn(Event) -> (u64, u64),
    ) -> u64 {
        // Fixed by the scenario, or derived from the events.
        #[rustfmt::skip]
        let Self {
            lines: _, delays: _, line_of: _, is_one_line: _, back_off: _, aborted: _, transmissions: _, other: _,
            other_in: _, bound: _, limit: _, scheduled,
        } = self;
        // Summed, because the positions in the tables are arbitrary.
        events.fold(*scheduled, |sum, ((tick, order), event)| {
            let (which, whom) = name(event);
            sum.wrapping_add([tick, order, whom].into_iter().fold(which, mix))
        })
    }
}

impl Line {
    #[inline]
    fn push(&mut self, controllers: &mut [Controller], router: u32) {
        let before = std::mem::replace(&mut self.tail, router);
        if self.head == NONE {
            self.head = router;
        } else {
            controllers[before as usize].after = router;
        }
    }

    fn pop(&mut self, controllers: &[Controller]) -> Option<Served> {
        let router = self.head;
        let first = controllers.get(router as usize)?;
        self.head = first.after;
        Some(first.served(router))
    }

    fn members<'a>(&self, controllers: &'a [Controller]) -> impl Iterator<Item = u32> + 'a {
        list(self.head, |router| controllers[router as usize].after)
    }
}

#[cfg(test)]
mod tests;
