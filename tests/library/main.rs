//! The library, behaviour by behaviour.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking")]

mod bounds;
mod capacity;
mod carried;
mod circuits;
mod compatibility;
mod deadlock_freedom;
mod engine;
mod field_cases;
mod hangs;
mod json;
mod papers;
mod rewind;
mod scenarios;
mod schema;
mod share;
mod switches;
mod systems;
mod traffic;
