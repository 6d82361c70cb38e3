//! Simulates circuit switching (001), driven by events.
//!
//! Messages reserve their links hop by hop, send over all links at once, and release the links.
//!
//! Time is counted in ticks of 2⁻³² of the unit of time, so that runs are identical on every
//! computer; outside this module, a cycle is 2²² ticks
//! ([`CYCLES_PER_TIME`](crate::units::CYCLES_PER_TIME)). The life of a message:
//!
//! 1. The message *requests* the first link from the controller of its source (`requests.rs`),
//!    without waiting for earlier messages of the same source. The controller serves one job at a
//!    time: it verifies, allocates the link immediately if free, and connects; then the request
//!    joins the queue of the next router.
//! 2. If the link is in use, the message waits in the queue of the link, gives up, or tries another
//!    link.
//! 3. The destination returns an acknowledgement, and the data pass: pure delays.
//! 4. The message *releases* its links from source to destination, router by router
//!    (`releases.rs`); a failed attempt releases backwards, and restarts after its back-off. A
//!    released link passes to the first waiting message, and the same controller connects the link
//!    immediately.
//!
//! A wait that closes a cycle of waits is a deadlock, detected when the wait begins (`waits.rs`). A circuit
//! across a link that fails is broken, or stopped until the link works again (`failures.rs`).

mod audit;
mod calendar;
mod closed;
mod engine;
mod events;
mod failures;
mod fingerprint;
mod observe;
mod releases;
mod requests;
mod state;
#[cfg(test)]
mod tests;
mod transmissions;
mod waits;

pub use self::engine::{CircuitEngine, TICKS_PER_TIME, ticks, transmission_ticks};
