//! Winding a run back and forth: the same states as going straight, within the memory allowed.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking")]

#[path = "../engine/systems.rs"]
mod systems;

mod letters;
mod memory;
mod sessions;
mod traces;
mod winding;
