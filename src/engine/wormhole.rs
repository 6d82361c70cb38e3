//! The cycle-driven flit engine: worms of flits over any network.
//!
//! A cycle has these stages, each over a list of what is concerned and nothing else:
//! 1. *come in* (`flights.rs`): flits and credits that were under way, where channels or credits have a
//!    delay or a crossing takes several cycles;
//! 2. *generate*: sources whose next arrival has come hand out messages;
//! 3. *allocate* (`allocate.rs`, `grant.rs`): routers at which a head has arrived or a VC was freed
//!    serve their waiting heads, oldest message first;
//! 4. *pick* (`pick.rs`, `chains.rs`): every channel with a movable flit picks one VC, round robin,
//!    looking only at the state in which the cycle began;
//! 5. *commit* (`moves.rs`): all picked flits move. A tail that leaves a buffer frees its VC for the next
//!    cycle's allocation (`tail_leaves`; with `Release::Sent` it is freed when the tail has been sent).
//!
//! Evaluating before moving is why the order in which lists are visited changes nothing. A blocked
//! worm costs nothing until a VC is freed at its router, and an idle network is skipped over to
//! its next arrival. The step is one for all machines: what decides inside the loop over flits is a
//! generic parameter (`rules.rs`), chosen once per call. A worm that shares nothing with another is not
//! moved flit by flit at all (`free_runs.rs`, `tails.rs`), even where its head waits and goes on again
//! (`standing.rs`) or, on the default machine, an older message of its node goes before it
//! (`held.rs`); and where routing has one candidate a head that is alone at its router neither asks
//! for it at every hop nor stands in a list. All of this changes the cost and nothing else.
//!
//! With [`Release::Sent`](crate::switching::Release::Sent) several worms may stand in one buffer,
//! each with its own hold. The row of a VC then belongs to the youngest of them, the one being
//! fed; the older ones are moved to rows behind the slots when it comes. Flits land in the order in
//! which they were sent, so those under way over one VC belong to its holds one after the other, the
//! oldest first.

mod abort;
mod allocate;
mod audit;
mod audit_channels;
mod buffers;
mod chains;
mod classes;
mod closed;
mod counts;
mod engine;
mod fingerprint;
mod flights;
mod formula;
mod free_runs;
mod grant;
mod held;
mod moves;
mod observe;
mod pace;
mod pick;
mod ports;
mod records;
mod returning;
mod rules;
mod runs;
mod standing;
mod state;
mod stuck;
mod table;
mod tails;
mod vc_uses;
mod waits;
mod wheel;

pub use self::engine::WormholeEngine;
