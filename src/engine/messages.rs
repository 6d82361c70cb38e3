//! Single messages of an engine: where one stands, what it holds and for whom it waits.
//!
//! Answers to questions, found in the tables when somebody asks; an engine keeps nothing for them.

use super::any::{AnyEngine, either};
use super::{CircuitState, HeadState, Wait};
use crate::ids::{MessageId, NodeId, RouterId, VcId, WormId};
use crate::units::Cycle;

/// Where a message is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whereabouts {
    /// It has not been generated.
    Unborn,
    /// It waits behind so many of its source that the engine does not know more of it yet.
    Behind,
    /// It waits at its source or is under way.
    Present(MessageView),
    /// It was delivered, or discarded at its source.
    Gone,
}

/// What a message is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doing {
    /// As a worm.
    Worm(HeadState),
    /// Under circuit switching, and since when.
    Circuit(CircuitState, Cycle),
}

/// A message that was generated and not delivered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageView {
    /// Its name for ever.
    pub name: MessageId,
    /// Its name in pictures, while it lives.
    pub worm: WormId,
    /// Where it goes.
    pub destination: NodeId,
    /// The cycle of its generation.
    pub born: Cycle,
    /// Flits.
    pub length: u32,
    /// Flits that have not left its source.
    pub at_source: u32,
    /// What it is doing.
    pub doing: Doing,
    /// The router at which its head stands; of a circuit, whose controller it asks.
    pub at: RouterId,
    /// The virtual channels granted to it so far; the links of its circuit. An abort begins anew.
    pub hops: u32,
    /// Attempts to set its circuit up given up; 0 for a worm.
    pub aborts: u32,
    /// The cycle in which its head asked for its way on where it stands, or asked last; 0 before,
    /// and of circuits.
    pub asked: Cycle,
    /// Whether its head is on its way over the newest of them.
    pub crossing: bool,
    /// Whether it waits at its source behind others of the same source, and asks for nothing yet.
    pub queued: bool,
}

impl MessageView {
    /// Since when it has been standing in the network, if it does.
    pub fn blocked_since(&self) -> Option<Cycle> {
        match self.doing {
            Doing::Worm(HeadState::Blocked(since))
            | Doing::Circuit(CircuitState::Waiting, since) => Some(since),
            _ => None,
        }
    }
}

/// What can be asked of an engine about single messages.
pub trait Messages {
    /// Where a message is. With the row that it had when last asked for, this takes no search.
    fn whereabouts(&self, message: MessageId, hint: Option<WormId>) -> Whereabouts;

    /// The name of the message in a row.
    fn name_of(&self, worm: WormId) -> Option<MessageId>;

    /// Fills `out` with the virtual channels or links that a message holds, that of its head last.
    fn path_of(&self, worm: WormId, out: &mut Vec<VcId>);

    /// Fills `out` with what a message waits for, one entry for each VC that its head wants; at its
    /// source too, if it is its turn there.
    fn waits_of(&self, worm: WormId, out: &mut Vec<Wait>);

    /// Fills `out` with the messages in the network whose heads are at a router; of circuits, with
    /// all that have come by it and still hold a link into it.
    fn heads_at(&self, router: RouterId, out: &mut Vec<MessageId>);

    /// Fills `out` with all messages that wait at their sources, unless they are
    /// [`Whereabouts::Behind`], or are under way; in no order.
    fn messages(&self, out: &mut Vec<MessageView>);

    /// Messages that a terminal has generated, discarded ones included.
    fn generated_at(&self, node: NodeId) -> u64;
}

impl Messages for AnyEngine {
    fn whereabouts(&self, message: MessageId, hint: Option<WormId>) -> Whereabouts {
        either!(self, engine => engine.whereabouts(message, hint))
    }

    fn name_of(&self, worm: WormId) -> Option<MessageId> {
        either!(self, engine => engine.name_of(worm))
    }

    fn path_of(&self, worm: WormId, out: &mut Vec<VcId>) {
        either!(self, engine => engine.path_of(worm, out));
    }

    fn waits_of(&self, worm: WormId, out: &mut Vec<Wait>) {
        either!(self, engine => engine.waits_of(worm, out));
    }

    fn heads_at(&self, router: RouterId, out: &mut Vec<MessageId>) {
        either!(self, engine => engine.heads_at(router, out));
    }

    fn messages(&self, out: &mut Vec<MessageView>) {
        either!(self, engine => engine.messages(out));
    }

    fn generated_at(&self, node: NodeId) -> u64 {
        either!(self, engine => engine.generated_at(node))
    }
}

/// Where a message is that `find` looks for among those handed out, of sources that have handed out
/// and generated so many.
pub(super) fn locate(
    serial: u64,
    (handed_out, generated): (u64, u64),
    find: impl FnOnce() -> Option<MessageView>,
) -> Whereabouts {
    if serial >= generated {
        Whereabouts::Unborn
    } else if serial >= handed_out {
        Whereabouts::Behind
    } else {
        find().map_or(Whereabouts::Gone, Whereabouts::Present)
    }
}
