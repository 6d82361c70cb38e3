//! Winding a run back and forth: the same states as going straight, within the memory allowed.

mod letters;
mod memory;
mod sessions;
mod traces;
mod winding;
