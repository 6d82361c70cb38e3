//! The engines and the picture of itself that each draws for those above it.
//!
//! An engine is a value: no thread, clock or screen inside. It is advanced, observed, audited,
//! copied and fingerprinted; deliveries leave it in batches. [`Engine`] is that which a system's
//! switching asks for. To copy one into the storage of another use [`Clone::clone_from`].

pub mod circuit;
mod deadlock;
mod law;
pub mod letters;
mod list;
pub mod messages;
mod scratch;
mod totals;
mod view;
pub mod wormhole;

use educe::Educe;
use get_size2::GetSize;

use self::circuit::CircuitEngine;
pub use self::deadlock::{Deadlock, DeadlockSet, Wait, WaitKind};
use self::letters::Letters;
use self::messages::{MessageView, Whereabouts};
pub use self::totals::{Counters, Delivery, Violation};
pub use self::view::{CircuitState, CircuitView, HeadState, Snapshot, VcView, WormView};
use self::wormhole::WormholeEngine;
use crate::ids::{MessageId, RouterId, VcId, WormId};
use crate::switching::Switching;
use crate::system::System;
use crate::traffic::sources::Sources;
use crate::units::{Cycle, Rate};

/// One of the engines.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub enum Engine {
    /// Worms of flits.
    Wormhole(Box<WormholeEngine>),
    /// Circuits.
    Circuit(Box<CircuitEngine>),
}

/// Declares methods that every engine has.
macro_rules! every_engine {
    ($($(#[$doc:meta])* $name:ident($($self:ident)+; $($arg:ident: $kind:ty),*) $(-> $out:ty)?;)*) => {
        $(every_engine!(@ $(#[$doc])* $name($($self)+; $($arg: $kind),*) $(-> $out)?);)*
    };
    (@ $(#[$doc:meta])* $name:ident(mut $self:ident; $($arg:ident: $kind:ty),*) $(-> $out:ty)?) => {
        $(#[$doc])*
        pub fn $name(&mut $self, $($arg: $kind),*) $(-> $out)? {
            match $self {
                Self::Wormhole(engine) => engine.$name($($arg),*),
                Self::Circuit(engine) => engine.$name($($arg),*),
            }
        }
    };
    (@ $(#[$doc:meta])* $name:ident($self:ident; $($arg:ident: $kind:ty),*) $(-> $out:ty)?) => {
        $(#[$doc])*
        pub fn $name(&$self, $($arg: $kind),*) $(-> $out)? {
            match $self {
                Self::Wormhole(engine) => engine.$name($($arg),*),
                Self::Circuit(engine) => engine.$name($($arg),*),
            }
        }
    };
}

impl Engine {
    /// An empty network at cycle 0. Replications of one seed draw from disjoint streams.
    pub fn new(system: &System, seed: u64, replication: u32) -> Self {
        match system.switching {
            Switching::Wormhole(_) => {
                Self::Wormhole(Box::new(WormholeEngine::new(system, seed, replication)))
            }
            Switching::Circuit(_) => {
                Self::Circuit(Box::new(CircuitEngine::new(system, seed, replication)))
            }
        }
    }

    /// Where a message is; `hint` as in [`Self::find`].
    pub fn whereabouts(&self, message: MessageId, hint: Option<WormId>) -> Whereabouts {
        let (sources, node) = (self.sources(), message.source);
        if node.index() >= sources.terminals() || message.serial >= sources.generated_at(node) {
            Whereabouts::Unborn
        } else if message.serial >= sources.handed_out(node) {
            Whereabouts::Behind
        } else {
            self.find(message, hint).map_or(Whereabouts::Gone, Whereabouts::Present)
        }
    }

    every_engine! {
        /// The cycle that the next step will simulate; equally, the number of cycles simulated.
        now(self;) -> Cycle;

        /// Simulates until [`Self::now`] is `until`, or until a deadlock is found, whichever is first.
        /// Where it is stopped on the way changes nothing.
        advance(mut self; until: Cycle);

        /// Hands over the deliveries since the last call, in order of arrival (`out` is cleared first).
        take_deliveries(mut self; out: &mut Vec<Delivery>);

        /// Draws the present state into recycled storage.
        observe(self; snapshot: &mut Snapshot);

        /// Checks every conservation law against the whole state.
        audit(self;) -> Result<(), Violation>;

        /// A hash of everything that can influence the future, and of all deliveries so far. Equal
        /// states have equal fingerprints, however they were reached.
        fingerprint(self;) -> u64;

        /// Changes the generation rate from the present cycle on.
        set_rate(mut self; rate: Rate);

        /// Running totals.
        counters(self;) -> Counters;

        /// What people call the messages in the network.
        letters(mut self;) -> &mut Letters;

        /// The deadlock that stopped the run, if one was found: at most 64 cycles after it closed.
        deadlock(self;) -> Option<&Deadlock>;

        /// The worms that can never move again, as of now, whatever the machine does about them.
        find_deadlock(self;) -> Option<Deadlock>;

        /// The sources of its messages.
        sources(self;) -> &Sources;

        /// A message that was handed out by its source and not delivered. With the row that it had
        /// when last asked for, this takes no search.
        find(self; message: MessageId, hint: Option<WormId>) -> Option<MessageView>;

        /// The name of the message in a row.
        name_of(self; worm: WormId) -> Option<MessageId>;

        /// Fills `out` with the virtual channels or links that a message holds, that of its head last.
        path_of(self; worm: WormId, out: &mut Vec<VcId>);

        /// Fills `out` with what a message waits for, one entry for each VC that its head wants; at its
        /// source too, if it is its turn there.
        waits_of(self; worm: WormId, out: &mut Vec<Wait>);

        /// Fills `out` with the messages in the network whose heads are at a router; of circuits, with
        /// all that have come by it and still hold a link into it.
        heads_at(self; router: RouterId, out: &mut Vec<MessageId>);

        /// Fills `out` with all messages that wait at their sources, unless they are
        /// [`Whereabouts::Behind`], or are under way; in no order.
        messages(self; out: &mut Vec<MessageView>);
    }
}
