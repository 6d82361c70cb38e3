//! The destination of a seek on a tape.

use crate::session::events::Events;

/// The cycle or event that a seek looks for.
#[derive(Clone, Debug)]
pub enum Goal {
    /// A cycle, by way of an intermediate cycle.
    Cycle {
        via: Option<u64>,
        to: u64,
    },
    /// The last event before a cycle, searched for in the cycles after `from` up to `last`,
    /// interval by interval.
    Last {
        wanted: Events,
        lead: u64,
        from: u64,
        last: u64,
        found: Option<u64>,
    },
    Next {
        wanted: Events,
    },
}
