//! Events of circuit switching, and their order.

use get_size2::GetSize;

/// The services of a controller, performed for one message at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) enum Service {
    /// Checks the requested link.
    Verify,
    Connect,
    /// Releases a link.
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

/// An event of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    Served(Served),
    /// The end of a back-off.
    Again(u64, u32),
    /// The end of a transmission.
    Sent(u64, u32),
}

/// The tick of an event, and its number in the order of scheduling.
pub(super) type Key = (u64, u64);
/// Later than every event.
pub(super) const NEVER: Key = (u64::MAX, u64::MAX);

/// True if the first event precedes the other.
#[inline]
pub(super) fn before((tick, order): Key, (other, others): Key) -> bool {
    // A single number: half the instructions of two comparisons.
    let number = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
    number(tick, order) < number(other, others)
}
