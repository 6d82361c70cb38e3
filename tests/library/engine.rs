//! What the wormhole engine must keep, behaviour by behaviour.

mod conservation;
mod deadlock;
mod deadlock_sets;
mod delays;
mod determinism;
mod golden;
mod links;
mod paces;
mod replay;
mod replies;
mod zero_load;
