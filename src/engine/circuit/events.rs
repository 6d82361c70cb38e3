//! What happens, and when: the words of the calendar.

use get_size2::GetSize;

/// What a controller does for one message at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) enum Service {
    /// It looks at the link wanted.
    Verify,
    Connect,
    /// It gives a link back.
    Release,
}

/// The end of a service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Served {
    pub tick: u64,
    pub service: Service,
    pub router: u32,
    pub call: u32,
}

/// What happens to a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    Served(Served),
    /// Its wait after an abort is over.
    Again(u64, u32),
    /// The last of its data has arrived.
    Sent(u64, u32),
}

/// When an event comes: its tick, and how many had been scheduled with it.
pub(super) type Key = (u64, u64);
/// Later than every event.
pub(super) const NEVER: Key = (u64::MAX, u64::MAX);

/// True if one event comes before another.
#[inline]
pub(super) fn before((tick, order): Key, (other, others): Key) -> bool {
    // As one number: half the instructions of comparing them in turn.
    let number = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
    number(tick, order) < number(other, others)
}
