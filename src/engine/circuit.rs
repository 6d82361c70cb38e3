//! The event-driven engine of circuit switching (001): messages reserve their links hop by hop, send
//! over all of them at once, and give them back.
//!
//! Time is counted in ticks of 2⁻³² of the unit of time, so that a run is the same on every machine;
//! outside, a cycle is 2²² ticks ([`CYCLES_PER_TIME`](crate::units::CYCLES_PER_TIME)). The life of a message:
//!
//! 1. It *asks* the controller of its source for the first link (`requests.rs`), without waiting for
//!    earlier messages of the same source. The controller serves one job at a time: it verifies, and
//!    where the link is free takes it at that instant, connects, and the request joins the queue of
//!    the next router.
//! 2. At a link in use it waits in the link's queue, or gives up, or looks at another link.
//! 3. From the destination an acknowledgement goes back, and the data pass: pure delays.
//! 4. It *releases* its links from source to destination, router after router (`releases.rs`); an
//!    attempt that failed does so backwards, and begins again after its back-off. A link given back goes
//!    to the first who waits for it, and the same controller connects it at once.
//!
//! A wait that closes a ring of waits is a deadlock, and found when it begins (`waits.rs`).

mod audit;
mod calendar;
mod engine;
mod events;
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
