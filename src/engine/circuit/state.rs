//! Tables of messages, links and controllers.
//!
//! A circuit is a chain through its links; the size of a message does not depend on the length of
//! its route.

use get_size2::GetSize;

use super::events::{Key, Served, Service};
pub(super) use crate::engine::tables::{NONE, list};
use crate::engine::view::CircuitState;
use crate::ids::{MessageId, NodeId, RouterId};
use crate::routing::Header;

/// The [`Lane::owner`] of a free lane of a closed link.
pub(super) const CLOSED: u32 = u32::MAX - 1;

/// The end of an attempt to deliver a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, GetSize)]
pub(super) enum Fate {
    Delivery,
    /// Another attempt, because a link has failed.
    Retry,
    /// Loss before the transmission: the message occupies its source.
    Loss,
    /// Loss with data under way.
    LossOfData,
}

/// A message generated but not yet delivered.
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Call {
    /// True if the row is in use.
    pub live: bool,
    pub state: CircuitState,
    pub fate: Fate,
    /// The terminals.
    pub source: u32,
    pub destination: u32,
    /// The routers of the terminals.
    pub begins: u32,
    pub ends: u32,
    /// The place to which the last link leads, as in [`Way::to`].
    pub target: u32,
    pub length: u32,
    pub serial: u64,
    pub route_bits: u64,
    /// The router at which the route begins: the router of the source, or of the request at the last change
    /// of routes.
    pub routed_from: u32,
    /// The tick of generation.
    pub born: u64,
    /// The tick of the last change of state.
    pub since: u64,
    /// The start of the transmission, in ticks.
    pub started: u64,
    /// The end of the transmission or back-off; if stopped, the rest of the transmission in ticks.
    pub due: Key,
    /// Ticks times links, for released links.
    pub link_ticks: u64,
    /// The router of the current or last request.
    pub at: u32,
    /// The next message in the same queue.
    pub next: u32,
    /// The first and last lane, and the number of lanes held.
    pub first: u32,
    pub last: u32,
    pub held: u32,
    /// The count carried by the request, for routing rules with one.
    pub count: u8,
    /// The lane requested while waiting, and the directed channel.
    pub wants: u32,
    pub wants_as: u32,
    /// The hops of the route, known when the circuit is complete.
    pub hops: u32,
    /// The number of failed attempts.
    pub tries: u32,
    /// The label shown to users; [`NONE`] before the first link.
    pub letter: u32,
}

impl Call {
    /// The unique name of the message.
    pub fn name(&self) -> MessageId {
        MessageId { source: NodeId(self.source), serial: self.serial }
    }

    /// The message as seen by routing.
    pub fn header(&self) -> Header {
        Header::new(RouterId(self.routed_from), RouterId(self.ends), self.route_bits)
    }

    /// The sort key by age, oldest first.
    pub fn age(&self) -> (u64, u32, u64) {
        (self.born, self.source, self.serial)
    }

    /// The router of the head.
    pub fn head_at(&self) -> RouterId {
        RouterId(if self.is_blocked() { self.ends } else { self.at })
    }

    pub fn is_blocked(&self) -> bool {
        matches!(
            self.state,
            CircuitState::Transmitting | CircuitState::Stopped | CircuitState::Releasing
        )
    }

    pub const FREE: Self = Self {
        live: false,
        state: CircuitState::SettingUp,
        fate: Fate::Delivery,
        source: 0,
        destination: 0,
        begins: 0,
        ends: 0,
        target: 0,
        length: 0,
        serial: 0,
        route_bits: 0,
        routed_from: 0,
        born: 0,
        since: 0,
        started: 0,
        due: (0, 0),
        link_ticks: 0,
        at: 0,
        next: NONE,
        first: NONE,
        last: NONE,
        held: 0,
        count: 0,
        wants: NONE,
        wants_as: NONE,
        hops: 0,
        tries: 0,
        letter: NONE,
    };
}

/// A directed channel with its link and ends. An injection channel begins and ends at its router.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Way {
    /// The first lane of the link.
    pub lane: u32,
    /// The router at the start, and the place at the end: a router, or, beyond the routers, the
    /// terminal of an ejection channel.
    pub from: u32,
    pub to: u32,
}

/// A lane of a link, held by at most one circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) struct Lane {
    /// The message that holds it, or [`Self::vacant`].
    pub owner: u32,
    /// The owner after release: [`NONE`], or [`CLOSED`] while the link is closed.
    pub vacant: u32,
    /// The directed channel used by the owner.
    pub channel: u32,
    /// The place at the end of the channel.
    pub to: u32,
    /// The neighbouring lanes in the chain of the owner.
    pub before: u32,
    pub after: u32,
    /// Waiting messages, in order of arrival.
    pub waiting: Queue,
    /// The tick of the allocation.
    pub since: u64,
    /// The total ticks of completed holds.
    pub busy: u64,
}

impl Lane {
    /// True if a circuit holds it.
    pub fn is_held(&self) -> bool {
        self.owner < CLOSED
    }

    pub const FREE: Self = Self {
        owner: NONE,
        vacant: NONE,
        channel: NONE,
        to: NONE,
        before: NONE,
        after: NONE,
        waiting: Queue::EMPTY,
        since: 0,
        busy: 0,
    };
}

/// A queue of messages, linked through [`Call::next`]: a message is in at most one queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) struct Queue {
    pub head: u32,
    pub tail: u32,
    pub length: u32,
}

impl Queue {
    pub const EMPTY: Self = Self { head: NONE, tail: NONE, length: 0 };

    #[inline]
    pub fn push(&mut self, calls: &mut [Call], call: u32) {
        calls[call as usize].next = NONE;
        if self.tail == NONE {
            self.head = call;
        } else {
            calls[self.tail as usize].next = call;
        }
        self.tail = call;
        self.length += 1;
    }

    #[inline]
    pub fn pop(&mut self, calls: &mut [Call]) -> Option<u32> {
        let call = self.head;
        if call == NONE {
            return None;
        }
        self.head = std::mem::replace(&mut calls[call as usize].next, NONE);
        if self.head == NONE {
            self.tail = NONE;
        }
        self.length -= 1;
        Some(call)
    }

    /// Removes a message that is in the queue.
    pub fn remove(&mut self, calls: &mut [Call], call: u32) {
        let mut members = self.members(calls);
        let before = members.by_ref().take_while(|&other| other != call).last().unwrap_or(NONE);
        drop(members);
        let after = std::mem::replace(&mut calls[call as usize].next, NONE);
        if before == NONE {
            self.head = after;
        } else {
            calls[before as usize].next = after;
        }
        if self.tail == call {
            self.tail = before;
        }
        self.length -= 1;
    }

    /// The queued messages, in order.
    pub fn members<'a>(&self, calls: &'a [Call]) -> impl Iterator<Item = u32> + 'a {
        list(self.head, move |member| calls[member as usize].next)
    }
}

/// The controller of a router: a server with a single queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) struct Controller {
    /// The end of the current service, and its number in the order of scheduling.
    pub tick: u64,
    pub order: u64,
    pub serving: u32,
    /// The next controller in the line of services with equal delay.
    pub after: u32,
    /// The number of links checked in this service.
    pub looked: u32,
    pub queue: Queue,
    pub service: Service,
}

impl Controller {
    pub const IDLE: Self = Self {
        tick: 0,
        order: 0,
        serving: NONE,
        after: NONE,
        looked: 0,
        queue: Queue::EMPTY,
        service: Service::Verify,
    };

    /// The key of the end of the current service.
    pub fn key(&self) -> Key {
        (self.tick, self.order)
    }

    /// The end of the current service.
    #[inline]
    pub fn served(&self, router: u32) -> Served {
        Served { tick: self.tick, service: self.service, router, call: self.serving }
    }
}
