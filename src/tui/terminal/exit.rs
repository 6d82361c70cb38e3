//! The reason for which the screen was left, and the report about it.

use std::sync::Arc;

use crate::live::Death;
use crate::scenario::Scenario;

/// The reason for which the screen was left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExitReason {
    /// A person quit.
    Quit,
    /// A signal asked for it: its number.
    Signal(i32),
    /// The simulation thread panicked.
    Died(Death),
}

impl ExitReason {
    pub(super) fn status(&self) -> u8 {
        match self {
            Self::Quit => 0,
            Self::Signal(number) => 128u8.saturating_add(u8::try_from(*number).unwrap_or(u8::MAX)),
            Self::Died(_) => 70,
        }
    }
}

/// A report on the end of a session at the screen.
#[derive(Clone, Debug)]
pub struct ExitReport {
    /// The reason for the end.
    pub reason: ExitReason,
    /// The scenario that ran last.
    pub scenario: Arc<Scenario>,
    /// The outcome of the recording under way, if there was one.
    pub recorded: Option<String>,
}
