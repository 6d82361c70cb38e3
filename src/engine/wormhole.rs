//! The cycle-driven flit engine: worms of flits over any network.
//!
//! A cycle has the following stages; each visits only the relevant objects:
//! 1. *arrive* (`flights.rs`): flits and credits under way arrive, if channels or credits have a
//!    delay or a crossing takes several cycles;
//! 2. *generate*: sources with a due arrival hand out messages;
//! 3. *allocate* (`allocate.rs`, `grant.rs`): routers with a new head or a freed VC serve their
//!    waiting heads, oldest message first;
//! 4. *pick* (`pick.rs`, `chains.rs`): every channel with a movable flit picks a VC, round robin,
//!    according to the state at the start of the cycle;
//! 5. *commit* (`moves.rs`): all picked flits move. A tail that leaves a buffer frees its VC for
//!    the next allocation (`tail_leaves`; under `Release::Sent` the VC is freed once the tail has
//!    been sent).
//!
//! Flits are picked before any of them moves, so the order of lists does not affect results. A
//! blocked worm costs nothing until a VC is freed at its router, and an idle network is skipped
//! until its next arrival. All machines share the same step: the decisions inside the loop over
//! flits are generic parameters (`rules.rs`), chosen once per call. A worm that shares no channel
//! is not moved flit by flit (`free_runs.rs`, `tails.rs`), even if its head blocks and continues
//! (`paused_runs.rs`) or, on the default machine, an older message of its node precedes it
//! (`delayed.rs`). If routing has a single candidate, a head alone at its router neither repeats its
//! request at every hop nor joins a list. All of these shortcuts affect only the cost.
//!
//! Under [`Release::Sent`](crate::switching::Release::Sent) several worms may share a buffer, each
//! with its own hold. The row of a VC then belongs to the youngest worm, the only worm still being
//! fed; older holds are moved to rows after the slots when a new worm arrives. Flits land in the
//! order of sending, so flits under way over a VC belong to its holds in sequence, the oldest
//! first.

mod abort;
mod allocate;
mod audit;
mod audit_channels;
mod buffers;
mod chains;
mod classes;
mod closed;
mod counts;
mod credits;
mod delayed;
mod endpoints;
mod engine;
mod failures;
mod fingerprint;
mod flights;
mod formula;
mod free_runs;
mod grant;
mod moves;
mod observe;
mod pace;
mod paused_runs;
mod pick;
mod ports;
mod records;
mod rules;
mod runs;
mod state;
mod stuck;
mod table;
mod tails;
mod ties;
mod vc_uses;
mod waits;

pub use self::engine::WormholeEngine;
