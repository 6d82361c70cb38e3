//! Traces of parallel programs in GOAL, the text of `LogGOPSim`, as tables of messages.
//!
//! ```text
//! num_ranks 2
//! rank 0 {
//! l1: calc 100
//! l2: send 640b to 1 tag 7
//! l2 requires l1
//! }
//! rank 1 { l1: recv 640b from 0 tag 7 }
//! ```
//!
//! A trace has operations of ranks (`goal/trace.rs`). Every `send` becomes a message, or several
//! packets; `recv` and `calc` become conditions and delays of the messages that require these
//! (`goal/order.rs`):
//!
//! | operation | starts | is complete |
//! |---|---|---|
//! | `calc` of t ns | when all that it requires is complete | t ns later |
//! | `send` up to S bytes | as above | when its last flit has left the source |
//! | `send` beyond S bytes | as above | when delivered |
//! | `recv` | as above | when the message of the matching `send` is delivered |
//!
//! `a requires b` lets a start after b is complete, and `a irequires b` after b has started: for a
//! `send`, after its first flit has left the source. Sends and receives of the same ranks and tag match
//! in the order of the file. Messages between ranks of the same node need no network and take no time.

mod order;
mod trace;
mod write;

use super::mistake::{Mistake, Report};
use trace::Trace;

/// The machine on which a trace runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Machine {
    /// Bytes of a flit, at least 1.
    pub flit_bytes: u64,
    /// Cycles in a nanosecond, greater than 0.
    pub clock_ghz: f64,
    /// Flits of a packet, at least 1; `None`: messages are not divided.
    pub packet_flits: Option<u32>,
    /// Longest message complete when sent, in bytes.
    pub eager_bytes: u64,
    /// The nodes of the ranks; `None`: their numbers.
    pub nodes: Option<Vec<String>>,
}

/// A table of messages with remarks on the trace.
#[derive(Debug)]
pub struct GoalDraft {
    /// The messages, as [`super::read_messages`] reads them.
    pub table: String,
    /// The number of messages.
    pub messages: usize,
    /// Contents of the trace that are ignored, in sentences.
    pub notes: Vec<String>,
}

/// Converts a trace for a machine.
///
/// # Errors
///
/// All mistakes, in the order of the text.
pub fn read_goal(text: &str, machine: &Machine) -> Result<GoalDraft, Vec<Mistake>> {
    let mut report = Report::new(text);
    let trace = Trace::read(&mut report);
    let draft = report.is_clean().then(|| write::messages(&trace, machine, &mut report));
    match draft.flatten() {
        Some(draft) if report.is_clean() => Ok(draft),
        Some(_) | None => Err(report.finish()),
    }
}

#[cfg(test)]
mod tests;
