//! The tables: messages, links, controllers. A circuit is a chain through the links that it holds, so
//! that a message costs the same however long its route may be.

use get_size2::GetSize;

use super::events::{Key, Served, Service};
pub(super) use crate::engine::tables::{NONE, list};
use crate::engine::view::CircuitState;
use crate::ids::{MessageId, NodeId, RouterId};

/// As [`Lane::owner`]: nobody, and nobody may have it, since its link is closed.
pub(super) const CLOSED: u32 = u32::MAX - 1;

/// A message that was generated and not delivered.
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Call {
    /// True if the row is in use.
    pub live: bool,
    pub state: CircuitState,
    pub source: u32,
    pub destination: u32,
    pub length: u32,
    pub serial: u64,
    pub route_bits: u64,
    /// Tick of generation.
    pub born: u64,
    /// Tick since when it does what it is doing.
    pub since: u64,
    /// Tick at which its data start.
    pub started: u64,
    /// When its delay is over, while it transmits or backs off.
    pub due: Key,
    /// Ticks times links held, of links given back already.
    pub link_ticks: u64,
    /// The router whose controller it asks, or asked last.
    pub at: u32,
    /// The next in the queue in which it stands.
    pub next: u32,
    /// Its first and last lane, and how many it holds.
    pub first: u32,
    pub last: u32,
    pub held: u32,
    /// The lane that it waits for, and the channel as which it wants it.
    pub wants: u32,
    pub wants_as: u32,
    /// Hops of its route, known when the circuit stands.
    pub hops: u32,
    /// Attempts given up.
    pub tries: u32,
    /// What people call it; [`NONE`] until it has had a link.
    pub letter: u32,
}

impl Call {
    /// The name of the message.
    pub fn name(&self) -> MessageId {
        MessageId { source: NodeId(self.source), serial: self.serial }
    }

    /// The order of messages by age, the oldest first.
    pub fn age(&self) -> (u64, u32, u64) {
        (self.born, self.source, self.serial)
    }

    /// The router at which its head is.
    pub fn head_at(&self) -> RouterId {
        RouterId(if self.stands() { self.destination } else { self.at })
    }

    pub fn stands(&self) -> bool {
        matches!(self.state, CircuitState::Transmitting | CircuitState::Releasing)
    }

    pub const FREE: Self = Self {
        live: false,
        state: CircuitState::SettingUp,
        source: 0,
        destination: 0,
        length: 0,
        serial: 0,
        route_bits: 0,
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
        wants: NONE,
        wants_as: NONE,
        hops: 0,
        tries: 0,
        letter: NONE,
    };
}

/// What a channel is to those who want it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Way {
    /// The first lane of its link.
    pub lane: u32,
    /// The routers where it begins and ends.
    pub from: u32,
    pub to: u32,
}

/// A lane of a link: what one circuit holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) struct Lane {
    /// The message that holds it, [`NONE`], or [`CLOSED`].
    pub owner: u32,
    /// The directed channel as which its owner uses it.
    pub channel: u32,
    /// The router where that ends.
    pub to: u32,
    /// Its neighbours in its owner's chain.
    pub before: u32,
    pub after: u32,
    /// Those who wait for it, first come first served.
    pub waiting: Queue,
    /// Tick since when it is held.
    pub since: u64,
    /// Ticks for which it was held by those who gave it back.
    pub busy: u64,
}

impl Lane {
    /// True if a circuit holds it.
    pub fn is_held(&self) -> bool {
        self.owner < CLOSED
    }

    pub const FREE: Self = Self {
        owner: NONE,
        channel: NONE,
        to: NONE,
        before: NONE,
        after: NONE,
        waiting: Queue::EMPTY,
        since: 0,
        busy: 0,
    };
}

/// A queue of messages, linked through [`Call::next`]: a message stands in one at most.
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

    /// Those who stand in it, in order.
    pub fn members<'a>(&self, calls: &'a [Call]) -> impl Iterator<Item = u32> + 'a {
        list(self.head, move |member| calls[member as usize].next)
    }
}

/// A router's controller: a server with one queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) struct Controller {
    /// When the service ends, and how many events had been scheduled with that.
    pub tick: u64,
    pub order: u64,
    pub serving: u32,
    /// The controller whose service ends next, of those that take as long.
    pub after: u32,
    /// Links looked at in this service.
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

    /// When its service ends.
    pub fn key(&self) -> Key {
        (self.tick, self.order)
    }

    /// The end of its service.
    #[inline]
    pub fn served(&self, router: u32) -> Served {
        Served { tick: self.tick, service: self.service, router, call: self.serving }
    }
}
