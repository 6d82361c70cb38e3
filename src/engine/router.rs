//! The pipelined router: input-queued, with virtual channels, stages and credits.
//!
//! A cycle has the following stages; each visits only active objects:
//! 1. *arrive* (`arrive.rs`): flits land in buffers or at their node, and credits return;
//! 2. *generate*: sources with a due arrival hand out messages;
//! 3. *inject* (`inject.rs`): every node sends a flit of its current message;
//! 4. *allocate VCs* (`allocate.rs`): heads with a computed route request output VCs;
//! 5. *allocate the crossbar* (`crossbar.rs`): VCs with a flit and a credit bid for their output;
//!    winners leave their buffer, return a credit, and land at the end of the channel.
//!
//! Arbiters rank requests by position, from a pointer that moves only past winners, so the order of
//! lists does not affect results. A VC without flits or credits is in no list, and an idle network is skipped
//! until its next arrival.

mod allocate;
mod arbiter;
mod arrive;
mod audit;
mod crossbar;
mod engine;
mod failures;
mod fingerprint;
mod inject;
mod observe;
mod ports;
mod records;
mod requests;
mod room;
mod rules;
mod state;
mod views;
mod waits;

pub use self::engine::RouterEngine;
