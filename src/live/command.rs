//! Commands to the simulation thread, and the run addressed by each.

use std::sync::Arc;

use super::{Breakpoint, Speed};
use crate::engine::Change;
use crate::ids::MessageId;
use crate::scenario::Scenario;
use crate::session::events::Events;
use crate::session::saved::Saved;
use crate::units::Cycle;

/// A command to the simulation thread.
#[derive(Clone, Debug)]
pub enum Command {
    /// Continue.
    Run,
    /// Stop after the present slice.
    Pause,
    /// Simulate this many cycles, then pause.
    Step(u64),
    /// Simulate up to the end of the cycle with the next event, then pause; one cycle if the engine
    /// counts no events.
    StepEvent,
    /// Change the pace.
    Speed(Speed),
    /// Change the load or the network from now on.
    Change(Change),
    /// Average the utilisation over about this many cycles.
    Window(u64),
    /// Stop at this breakpoint from now on.
    Break(Breakpoint),
    /// Report the state of this message in every update.
    Follow(Option<MessageId>),
    /// List all messages under way in every update, or stop listing.
    List(bool),
    /// Build the history of this message and keep it up to date.
    Trace(Option<MessageId>),
    /// Restart with the same seed and the present rate.
    Restart,
    /// Restart with this seed.
    Reseed(u64),
    /// Start another scenario, without a comparison.
    Load(Arc<Scenario>),
    /// Compare the run with a run of this scenario, at the same rate with the same seed, in place
    /// of any other; ignored if [`crate::scenario::contrast::beside`] returns an error.
    Against(Arc<Scenario>),
    /// End the comparison and continue with one of the two runs.
    Part { second: bool },
    /// Rewind by this many cycles and pause.
    Back(u64),
    /// Rewind to the last event of these kinds and pause.
    BackToEvent(Events),
    /// Advance to the next event of these kinds and pause.
    NextEvent(Events),
    /// Seek a cycle, back or forward, and pause.
    Seek(Cycle),
    /// Seek the newest cycle and pause.
    ToLive,
    /// Cancel seeking and return.
    Cancel,
    /// Set or remove a bookmark at this cycle.
    Bookmark(Cycle),
    /// Store the session in [`saved`](super::Update::saved).
    Save,
    /// Open a saved session.
    Resume(Box<Saved>),
    /// Post an update although nothing has changed.
    Refresh,
    /// End the thread.
    Quit,
}

impl Command {
    /// True if the command refers to messages, routers or rates of the displayed run, or asks about
    /// them. Newer runs ignore such a command.
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

/// A command, and the run displayed when the command was sent.
#[derive(Debug)]
pub(super) struct AddressedCommand {
    /// The number of the run, [`run`](super::Update::run) of the last update.
    pub run: u64,
    pub command: Command,
}
