//! Goals of the tour: states of the run or of the screen.

use crate::ids::{MessageId, VcId};
use crate::live::{Event, RunState, Update, longest_chain};
use crate::routing::VcUse;
use crate::routing::dependency::Verdict;
use crate::tui::view::View;
use crate::words::{Contents, Kind, Value, Words, words};

words! {
    /// A state that a step waits for.
    pub enum Goal {
        /// The run is in a deadlock.
        Deadlock,
        /// The picture is of a cycle before the deadlock closed.
        BeforeDeadlock,
        /// The picture is of this cycle or a later one.
        Cycle(u64 = "Cycle(4000)", Kind::Whole { called: "the cycle", limits: (0, 1 << 40) }),
        /// The picture is of a cycle before the newest.
        Past,
        /// So many messages have been delivered.
        Delivered(u64 = "Delivered(1)", Kind::Whole { called: "the messages", limits: (1, 1 << 40) }),
        /// So many worms are in the network.
        Worms(u32 = "Worms(1)", Kind::whole("the worms", 1, 1_000_000)),
        /// So many blocked worms wait one behind the other.
        Chain(u32 = "Chain(3)", Kind::whole("the chain", 1, 1_000_000)),
        /// No worm is blocked.
        NobodyWaits,
        /// The routing is proven free of deadlock.
        ProvenFree,
        /// The offered load is this or more, in flits per node and cycle.
        LoadAbove(f64 = "LoadAbove(0.3)", Kind::positive("the load", "0.3", 1000.0)),
        /// The offered load is this or less, in flits per node and cycle.
        LoadBelow(f64 = "LoadBelow(0.3)", Kind::positive("the load", "0.3", 1000.0)),
        /// The network is saturated, as far as the statistics can tell.
        Saturated,
        /// Both of two runs that are compared are saturated.
        BothSaturated,
        /// Latencies are counted: the warm-up is over.
        Measured,
        /// Messages are counted, and the model's mean latency is off by no more than this, in per cent.
        ModelWithin(f64 = "ModelWithin(5)", Kind::positive("the difference", "5", 1000.0)),
        /// Messages are counted, and the model's mean latency is off by more, or there is none.
        ModelOff(f64 = "ModelOff(10)", Kind::positive("the difference", "10", 1000.0)),
        /// The message at the cursor holds virtual channels of class 0 and of class 1 in one ring.
        ChangesClass,
        /// The network is drawn in the view of this digit.
        View(u32 = "View(3)", Kind::whole("the view", 1, 7)),
    }
}

#[derive(Clone, Debug)]
pub struct Seen<'a> {
    /// The snapshot of the active run.
    pub update: &'a Update,
    /// The snapshots of the other runs.
    pub others: Vec<&'a Update>,
    /// The message at the cursor.
    pub selected: Option<MessageId>,
    /// The view of the network.
    pub view: View,
}

impl Seen<'_> {
    /// True if the message at the cursor holds virtual channels of both classes in succession along
    /// a ring.
    fn changes_class(&self) -> bool {
        let Update { snapshot, scenario, .. } = self.update;
        let worm = snapshot.worms.iter().find(|worm| Some(worm.name()) == self.selected);
        let (network, relation) = (&scenario.system.network, &scenario.system.relation);
        let place = |vc| {
            let (channel, number) = snapshot.split(vc);
            Some((network.direction(channel)?, relation.vc_use(number)))
        };
        let changes = |pair: &[VcId]| match (place(pair[0]), place(pair[1])) {
            (Some((one, VcUse::Class(0))), Some((other, VcUse::Class(1)))) => one == other,
            _ => false,
        };
        worm.is_some_and(|worm| snapshot.path_of(worm).windows(2).any(changes))
    }
}

/// The relative error of the model's mean latency; infinite if the model has none, `None` before
/// enough messages are measured.
fn off(update: &Update) -> Option<f64> {
    let summary = &update.summary;
    let measured = summary.latency.filter(|_| summary.measured_from.is_some())?.mean;
    let said = update.theory.as_ref()?.latency_mean();
    Some(said.map_or(f64::INFINITY, |said| (said - measured).abs() / measured))
}

/// The table of the guide: every state in the format of a step, with its meaning.
pub fn table() -> String {
    let row = |value: &Value| {
        let written = match value.contents {
            Contents::One(example, _) => example,
            Contents::Nothing | Contents::Fields(_) => value.name,
        };
        format!("| `{written}` | {} |\n", value.help.trim())
    };
    let rows: String = Goal::VALUES.iter().map(row).collect();
    format!("| state | meaning |\n|---|---|\n{rows}")
}

impl Goal {
    pub fn is_met(&self, seen: &Seen<'_>) -> bool {
        let Seen { update, others, selected: _, view } = seen;
        let snapshot = &update.snapshot;
        let load = || update.scenario.system.load_at(update.rate).0;
        // Tolerance for loads set in tenths.
        let hair = 1e-9;
        let saturated = |update: &Update| update.summary.steadiness.is_saturated();
        match *self {
            Self::Deadlock => update.state == RunState::Deadlocked,
            Self::BeforeDeadlock => {
                let mut events = update.history.events.iter();
                // A search passes cycles before its own.
                !matches!(update.state, RunState::Deadlocked | RunState::Seeking)
                    && events.any(|&(at, event)| event == Event::Deadlock && at > snapshot.cycle.0)
            }
            Self::Cycle(cycle) => snapshot.cycle.0 >= cycle,
            Self::Past => snapshot.cycle < update.live,
            Self::Delivered(count) => snapshot.counters.delivered >= count,
            Self::Worms(count) => snapshot.worms.len() >= count as usize,
            Self::Chain(count) => longest_chain(snapshot) >= count,
            Self::NobodyWaits => snapshot.waits.is_empty(),
            Self::ProvenFree => {
                let proof = update.proof.as_ref();
                proof.is_some_and(|proof| matches!(proof.verdict, Verdict::Free { .. }))
            }
            Self::LoadAbove(least) => load() >= least - hair,
            Self::LoadBelow(most) => load() <= most + hair,
            Self::Saturated => saturated(update),
            Self::BothSaturated => {
                !others.is_empty() && saturated(update) && others.iter().all(|it| saturated(it))
            }
            Self::Measured => update.summary.measured_from.is_some(),
            Self::ModelWithin(percent) => off(update).is_some_and(|off| 100.0 * off <= percent),
            Self::ModelOff(percent) => off(update).is_some_and(|off| 100.0 * off > percent),
            Self::ChangesClass => seen.changes_class(),
            Self::View(digit) => u32::from(view.digit()) == digit,
        }
    }

    /// A description in a few words.
    pub fn words(&self) -> String {
        match *self {
            Self::Deadlock => "a deadlock".to_owned(),
            Self::BeforeDeadlock => "a cycle before the deadlock".to_owned(),
            Self::Cycle(cycle) => format!("cycle {cycle}"),
            Self::Past => "a cycle before the newest".to_owned(),
            Self::Delivered(1) => "a message delivered".to_owned(),
            Self::Delivered(count) => format!("{count} messages delivered"),
            Self::Worms(1) => "a worm in the network".to_owned(),
            Self::Worms(count) => format!("{count} worms in the network"),
            Self::Chain(1) => "a blocked worm".to_owned(),
            Self::Chain(count) => format!("a chain of {count} blocked worms"),
            Self::NobodyWaits => "no worm blocked".to_owned(),
            Self::ProvenFree => "the proof: no deadlock".to_owned(),
            Self::LoadAbove(load) => format!("load {load} or more"),
            Self::LoadBelow(load) => format!("load {load} or less"),
            Self::Saturated => "the verdict: saturated".to_owned(),
            Self::BothSaturated => "the verdict on both runs".to_owned(),
            Self::Measured => "the end of the warm-up".to_owned(),
            Self::ModelWithin(percent) => format!("the model within {percent} %"),
            Self::ModelOff(percent) => format!("the model off by over {percent} %"),
            Self::ChangesClass => "a worm at the cursor in both classes".to_owned(),
            Self::View(digit) => format!("view {digit}"),
        }
    }
}
