//! What the wormhole engine must keep, behaviour by behaviour.

mod conservation;
mod deadlock;
mod determinism;
mod systems;
mod zero_load;
