//! What the simulation thread can be told, and about which run.

use std::sync::Arc;

use super::{Breakpoint, Speed};
use crate::engine::Change;
use crate::ids::MessageId;
use crate::scenario::Scenario;
use crate::session::events::Events;
use crate::session::saved::Saved;
use crate::units::Cycle;

/// What the simulation thread can be told.
#[derive(Clone, Debug)]
pub enum Command {
    /// Go on.
    Run,
    /// Stop after the present slice.
    Pause,
    /// Simulate this many cycles, then pause.
    Step(u64),
    /// Simulate up to the end of the cycle in which something happens next, then pause; one cycle
    /// where the engine counts no events.
    StepEvent,
    /// Change the pace.
    Speed(Speed),
    /// Change the load or the network from now on.
    Change(Change),
    /// Average the utilisation over about this many cycles.
    Window(u64),
    /// Stop by itself under this condition from now on.
    Break(Breakpoint),
    /// Tell in every update where this message is.
    Follow(Option<MessageId>),
    /// Tell in every update of all messages under way, or no longer.
    List(bool),
    /// Make the history of this message and keep it up to date.
    Trace(Option<MessageId>),
    /// Begin again with the same seed and the present rate.
    Restart,
    /// Begin again with this seed.
    Reseed(u64),
    /// Begin another scenario, compared with none.
    Load(Arc<Scenario>),
    /// Compare the run with one of this scenario, at the same rate with the same seed, instead of
    /// any other; where [`crate::scenario::contrast::beside`] refuses that, nothing happens.
    Against(Arc<Scenario>),
    /// End the comparison, and go on with one of the two.
    Part { second: bool },
    /// Go back this many cycles and pause.
    Back(u64),
    /// Go back to the last event of these kinds and pause.
    BackToEvent(Events),
    /// Go on to the next event of these kinds and pause.
    NextEvent(Events),
    /// Go to a cycle, back or forward, and pause.
    Seek(Cycle),
    /// Go to the newest cycle and pause.
    ToLive,
    /// Give up going there and return.
    Cancel,
    /// Mark this cycle, or unmark it.
    Bookmark(Cycle),
    /// Write the session into [`saved`](super::Update::saved).
    Save,
    /// Open a saved session.
    Resume(Box<Saved>),
    /// Post an update although nothing has changed.
    Refresh,
    /// End the thread.
    Quit,
}

impl Command {
    /// True if it names what only the run has that was seen: its messages, places or rates, or
    /// asks about them. A run that was begun since does not obey it.
    pub(super) fn is_about_one_run(&self) -> bool {
        matches!(
            self,
            Self::Change(_)
                | Self::Break(_)
                | Self::Follow(_)
                | Self::List(_)
                | Self::Trace(_)
                | Self::Part { .. }
        )
    }
}

/// A command, and the run that was on the screen when it was given.
#[derive(Debug)]
pub(super) struct Told {
    /// [`run`](super::Update::run) of the last picture.
    pub run: u64,
    pub command: Command,
}
