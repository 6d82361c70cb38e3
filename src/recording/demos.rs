//! The demonstrations that come with the program: scripts of `scenarios/demos/`, embedded.

/// A demonstration: its file's name without `.keys`, and its script, which names its scenario.
pub use crate::scenario::builtin::Builtin as Demo;

/// Lists files of `scenarios/demos/` by name.
macro_rules! demos {
    ($($name:literal),* $(,)?) => {
        &[$(Demo { name: $name, text: include_str!(concat!("../../scenarios/demos/", $name, ".keys")) }),*]
    };
}

/// All of them, in the order of their names.
pub const ALL: &[Demo] = demos!["curve", "deadlock", "hotspot"];

/// The demonstration of this name.
pub fn find(name: &str) -> Option<Demo> {
    ALL.iter().find(|demo| demo.name == name).copied()
}
