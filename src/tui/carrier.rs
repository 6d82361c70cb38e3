//! What carries messages, worms or circuits: one vocabulary, so that what shows them need not ask.

use ratatui::style::Style;

use super::app::{App, RunView};
use super::names::capital;
use super::states;
use crate::engine::messages::Doing;
use crate::engine::{CircuitView, HeadState, WormView};
use crate::ids::{Letter, MessageId, RouterId, WormId};

/// Words for carriers and for what is measured of them.
#[derive(Debug)]
pub struct Words {
    /// Those in a list of them.
    pub listed: &'static str,
    /// The names of the views by the digit, where they differ from [`View::name`](super::view::View::name).
    pub views: [Option<&'static str>; 6],
    /// How much a link is used, and the same in a table.
    pub flow: &'static str,
    /// As a heading of a column.
    pub flow_heading: &'static str,
    /// As the name of a row.
    pub flow_row: &'static str,
    /// What the levels mean in the view of occupancy.
    pub occupancy: &'static str,
    /// What they mean in the view of use.
    pub utilisation: &'static str,
    /// Of what a share is a share.
    pub whole: &'static str,
    /// Headings of columns: the length of a message, its age, the mean wait for a link.
    pub length: &'static str,
    /// Likewise.
    pub age: &'static str,
    /// Likewise.
    pub wait: &'static str,
    /// What comes after the waits at a source.
    pub entered: &'static str,
}

const WORMS: Words = Words {
    listed: "worms",
    views: [None; 6],
    flow: "flits/cycle",
    flow_heading: "flits/cycle",
    flow_row: "flits/cycle",
    occupancy: "share of buffers full",
    utilisation: "share of cycles used",
    whole: "cycles",
    length: "flits",
    age: "age",
    wait: "wait, cycles",
    entered: "left its source",
};

const CIRCUITS: Words = Words {
    listed: "circuits with links",
    views: [Some("controllers"), Some("circuits"), Some("lanes held"), None, None, None],
    flow: "share of time held",
    flow_heading: "use, share",
    flow_row: "share used",
    occupancy: "links held; digits: jobs",
    utilisation: "share of time held",
    whole: "the time",
    length: "data, T",
    age: "age, T",
    wait: "wait, T",
    entered: "its data start",
};

/// A message in the network, as what carries it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carrier<'a> {
    /// A worm.
    Worm(&'a WormView),
    /// A circuit.
    Circuit(&'a CircuitView),
}

impl Carrier<'_> {
    /// Its name in pictures.
    pub fn id(self) -> WormId {
        match self {
            Self::Worm(worm) => worm.id,
            Self::Circuit(circuit) => circuit.worm,
        }
    }

    /// Its message.
    pub fn name(self) -> MessageId {
        match self {
            Self::Worm(worm) => worm.name(),
            Self::Circuit(circuit) => circuit.name(),
        }
    }

    /// Its letter, if it has one.
    pub fn letter(self) -> Option<Letter> {
        match self {
            Self::Worm(worm) => Some(worm.letter),
            Self::Circuit(circuit) => circuit.letter,
        }
    }

    /// The router at which its head stands, or whose controller it asks.
    pub fn at(self) -> RouterId {
        match self {
            Self::Worm(worm) => worm.head_at,
            Self::Circuit(circuit) => circuit.at,
        }
    }

    /// What it is doing.
    pub fn doing(self) -> Doing {
        match self {
            Self::Worm(worm) => Doing::Worm(worm.head),
            Self::Circuit(circuit) => Doing::Circuit(circuit.state, circuit.since),
        }
    }
}

/// What the head of a worm does.
pub fn verb(head: HeadState) -> &'static str {
    match head {
        HeadState::AtSource | HeadState::Moving => "moves",
        HeadState::Arriving => "drains",
        HeadState::Blocked(_) => "stands",
    }
}

impl RunView {
    /// The words for what carries messages here.
    pub fn words(&self) -> &'static Words {
        if self.has_circuits() { &CIRCUITS } else { &WORMS }
    }

    /// All that carry messages, in the order of the snapshot.
    pub fn carriers(&self) -> Vec<Carrier<'_>> {
        let snapshot = self.snapshot();
        if self.has_circuits() {
            return snapshot.circuits.iter().map(Carrier::Circuit).collect();
        }
        snapshot.worms.iter().map(Carrier::Worm).collect()
    }

    /// Whether a worm or circuit can never move again.
    pub fn is_dead(&self, id: WormId) -> bool {
        self.update.snapshot.deadlock.as_ref().is_some_and(|deadlock| deadlock.holds(id))
    }

    /// What to call a carrier: its letter, or the name of its message.
    pub fn call_carrier(&self, carrier: Carrier<'_>) -> String {
        carrier.letter().map_or_else(|| self.message_name(carrier.name()), capital)
    }

    /// For how long it has been doing what it does, where that is told; empty otherwise.
    pub fn since(&self, doing: Doing) -> String {
        match doing {
            Doing::Circuit(_, since) | Doing::Worm(HeadState::Blocked(since)) => {
                let now = self.update.snapshot.cycle.0;
                self.times().exact(now.saturating_sub(since.0))
            }
            Doing::Worm(HeadState::AtSource | HeadState::Moving | HeadState::Arriving) => {
                String::new()
            }
        }
    }
}

impl App {
    /// The sign of what it does, and of circuits the style.
    pub fn sign(&self, doing: Doing) -> (char, Option<Style>) {
        match doing {
            Doing::Worm(HeadState::AtSource) => (' ', None),
            Doing::Worm(HeadState::Moving) => (self.glyphs.arrow[0], None),
            Doing::Worm(HeadState::Arriving) => (self.glyphs.arrow[3], None),
            Doing::Worm(HeadState::Blocked(_)) => (self.glyphs.blocked, None),
            Doing::Circuit(state, _) => {
                (states::sign(self, state), Some(states::style(self, state)))
            }
        }
    }
}
