//! Names for worms and circuits, the carriers of messages.

use strum::VariantArray;

use super::names::capital;
use super::run_view::RunView;
use super::states;
use super::view::View;
use crate::engine::messages::Activity;
use crate::engine::{CircuitView, HeadState, Snapshot, WormView};
use crate::ids::{Letter, MessageId, RouterId, WormId};
use crate::live::Command;

/// Declares [`Words`] and the vocabularies of worms and circuits.
macro_rules! words {
    ($($(#[$doc:meta])* $word:ident: $kind:ty = $worms:expr, $circuits:expr;)+) => {
        /// Terms for carriers and their measurements, and further differences between carriers.
        #[derive(Debug)]
        pub struct Words { $($(#[$doc])* pub $word: $kind,)+ }

        const WORMS: Words = Words { $($word: $worms),+ };
        const CIRCUITS: Words = Words { $($word: $circuits),+ };
    };
}

words! {
    /// A carrier.
    carrier: &'static str = "worm", "circuit";
    /// Cycles or units of time of the first several steps.
    many: &'static str = "100", "1";
    /// The virtual channels of a link.
    vcs: &'static str = "virtual channels", "lanes";
    /// The text of an empty list of carriers.
    nobody: &'static str = "no worm in the network", "no circuit waits for a link";
    /// The meaning of the levels in all views except occupancy and use.
    held: &'static str = "share of buffers full", "links held";
    /// The title of a list of carriers.
    listed: &'static str = "worms", "circuits with links";
    /// The names of the views by the digit, where they differ from [`View::name`](super::view::View::name).
    views: [Option<&'static str>; View::VARIANTS.len()] =
        [None; View::VARIANTS.len()],
        [Some("controllers"), Some("circuits"), Some("lanes held"), None, None, None, None];
    /// The use of a link.
    flow: &'static str = "flits/cycle", "share of time held";
    /// The use of a link, as the heading of a column.
    flow_heading: &'static str = "flits/cycle", "use, share";
    /// The use of a link, as the name of a row.
    flow_row: &'static str = "flits/cycle", "share used";
    /// The meaning of the levels in the view of occupancy.
    occupancy: &'static str = "share of buffers full", "links held; digits: jobs";
    /// The meaning of the levels in the view of use.
    utilisation: &'static str = "share of cycles used", "share of time held";
    /// The total to which a share refers.
    whole: &'static str = "cycles", "the time";
    /// The heading of the column of lengths.
    length: &'static str = "flits", "data, T";
    /// The heading of the column of ages.
    age: &'static str = "age", "age, T";
    /// The heading of the column of mean waits for a link.
    wait: &'static str = "wait, cycles", "wait, T";
    /// The title of the trees of waits.
    chains: &'static str = "blocked chains", "waiting";
    /// The text of an empty tree of waits.
    free: &'static str = "nobody waits for another worm", "no circuit waits for a link";
    /// The event after the waits at a source.
    entered: &'static str = "left its source", "its data start";
    /// True if a circle of waits lasts; circles of circuits are broken as soon as they are found.
    circles_last: bool = true, false;
    /// Rows of the pane of virtual channels or circuits, if not a row for each virtual channel.
    class_rows: Option<u16> = None, Some(9);
    /// The command for a single step.
    step: fn() -> Command = || Command::Step(1), || Command::StepEvent;
}

/// The carrier of a message in the network: a worm or a circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Carrier {
    pub id: WormId,
    pub name: MessageId,
    /// The carrier's label, if any.
    pub letter: Option<Letter>,
    /// The router of the head, or the router whose controller receives the circuit's request.
    pub at: RouterId,
    pub activity: Activity,
    /// Number of links or virtual channels held.
    pub links: u32,
}

impl From<&WormView> for Carrier {
    fn from(worm: &WormView) -> Self {
        let (name, letter, activity) = (worm.name(), Some(worm.letter), Activity::Worm(worm.head));
        Self { id: worm.id, name, letter, at: worm.head_at, activity, links: worm.path_len }
    }
}

impl From<&CircuitView> for Carrier {
    fn from(circuit: &CircuitView) -> Self {
        let &CircuitView { worm: id, letter, at, path_len: links, .. } = circuit;
        let activity = Activity::Circuit(circuit.state, circuit.since);
        Self { id, name: circuit.name(), letter, at, activity, links }
    }
}

/// The verb for the state of a worm's head or a circuit.
pub fn verb(activity: Activity) -> &'static str {
    match activity {
        Activity::Worm(HeadState::AtSource | HeadState::Moving) => "moves",
        Activity::Worm(HeadState::Arriving) => "drains",
        Activity::Worm(HeadState::Blocked(_)) => "stands",
        Activity::Circuit(state, _) => states::name(state),
    }
}

impl RunView {
    /// The vocabulary of the run's carriers.
    pub fn words(&self) -> &'static Words {
        if self.has_circuits() { &CIRCUITS } else { &WORMS }
    }

    /// All carriers in the order of the snapshot.
    pub fn carriers(&self) -> impl Iterator<Item = Carrier> {
        let Snapshot { worms, circuits, .. } = self.snapshot();
        // Circuits with links are also listed as worms.
        let worms = worms.iter().filter(|_| circuits.is_empty());
        worms.map(Carrier::from).chain(circuits.iter().map(Carrier::from))
    }

    /// Number of blocked heads, or of circuits waiting for a link.
    pub fn waiting(&self) -> usize {
        self.carriers().filter(|it| it.activity.blocked_since().is_some()).count()
    }

    /// True if a worm or circuit is in a deadlock.
    pub fn is_dead(&self, id: WormId) -> bool {
        self.deadlock().is_some_and(|deadlock| deadlock.holds(id))
    }

    /// The display name of a carrier: its label, or the name of its message.
    pub fn call_carrier(&self, carrier: Carrier) -> String {
        carrier.letter.map_or_else(|| self.message_name(carrier.name), capital)
    }

    /// The duration of a waiting state; empty for other states.
    pub fn since(&self, activity: Activity) -> String {
        let (Activity::Circuit(_, since) | Activity::Worm(HeadState::Blocked(since))) = activity
        else {
            return String::new();
        };
        self.times().exact(self.snapshot().cycle.0.saturating_sub(since.0))
    }
}
