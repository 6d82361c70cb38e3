//! The reason for leaving the screen, and the final report.

use std::sync::Arc;

use crate::live::ThreadPanic;
use crate::scenario::Scenario;

/// The reason for leaving the screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExitReason {
    Quit,
    Signal(i32),
    /// The simulation thread panicked.
    Died(ThreadPanic),
}

impl ExitReason {
    pub(super) fn status(&self) -> u8 {
        match self {
            Self::Quit => 0,
            Self::Signal(number) => 128u8.saturating_add(u8::try_from(*number).unwrap_or(u8::MAX)),
            Self::Died(death) if death.fault.is_of_input => 74,
            Self::Died(_) => 70,
        }
    }
}

/// The report at the end of a session.
#[derive(Clone, Debug)]
pub struct ExitReport {
    pub reason: ExitReason,
    /// The last scenario.
    pub scenario: Arc<Scenario>,
    /// The result of the recording in progress, if any.
    pub recorded: Option<String>,
}
