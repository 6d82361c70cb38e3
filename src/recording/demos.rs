//! Built-in demonstrations: embedded scripts of `scenarios/demos/`.

/// A demonstration: the name of its file without `.keys`, and its script, which names its scenario.
pub use crate::scenario::builtin::Builtin as Demo;

/// Embeds the named files of `scenarios/demos/`.
macro_rules! demos {
    ($($name:literal),* $(,)?) => {
        &[$(Demo { name: $name, text: include_str!(concat!("../../scenarios/demos/", $name, ".keys")) }),*]
    };
}

/// All demonstrations, ordered by name.
pub const ALL: &[Demo] = demos!["curve", "deadlock", "hotspot"];

/// Finds a demonstration by name.
pub fn find(name: &str) -> Option<Demo> {
    ALL.iter().find(|demo| demo.name == name).copied()
}
