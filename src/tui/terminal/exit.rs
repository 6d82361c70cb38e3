//! Reason for which the screen was left, and what is said then.

use std::sync::Arc;

use crate::live::Death;
use crate::scenario::Scenario;

/// Reason for which the screen was left.
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

/// What is left to say after the screen was left.
#[derive(Clone, Debug)]
pub struct ExitReport {
    /// Why.
    pub reason: ExitReason,
    /// What ran last.
    pub scenario: Arc<Scenario>,
    /// What became of the recording under way, if there was one.
    pub recorded: Option<String>,
}
