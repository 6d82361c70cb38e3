//! The built-in scenarios: the files of `scenarios/`, embedded, so that the program alone suffices.

use super::names::nearest;

/// A built-in scenario.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Builtin {
    /// Its name: the path below `scenarios/` without `.ron`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// Lists files of `scenarios/` by name.
macro_rules! builtins {
    ($($name:literal),* $(,)?) => {
        &[$(Builtin { name: $name, text: include_str!(concat!("../../scenarios/", $name, ".ron")) }),*]
    };
}

/// All built-in scenarios, in the order of their names.
pub const ALL: &[Builtin] = builtins![
    "hotspot-torus-16x16",
    "hypercube-6",
    "mesh-8x8",
    "mesh-odd-even",
    "north-last-deadlock",
    "one-way-torus-8x8",
    "papers/adaptive-torus-12x12",
    "papers/adaptive-torus-16x16",
    "papers/adaptive-torus-4x4",
    "papers/adaptive-torus-8x8",
    "papers/circuit-adaptive-10",
    "papers/circuit-adaptive-8",
    "papers/circuit-drop-10",
    "papers/circuit-drop-8-constant",
    "papers/circuit-drop-8-exponential",
    "papers/circuit-drop-8",
    "papers/circuit-hold-10",
    "papers/circuit-hold-8-slow",
    "papers/circuit-hold-8",
    "papers/circuit-torus-hold-8x8",
    "papers/hops-e-cube-hotspot",
    "papers/hops-e-cube-uniform",
    "papers/hops-negative-hop-hotspot",
    "papers/hops-negative-hop-uniform",
    "papers/hops-north-last-hotspot",
    "papers/hops-north-last-uniform",
    "papers/hops-positive-hop-hotspot",
    "papers/hops-positive-hop-uniform",
    "papers/mesh-16x16-32",
    "papers/mesh-16x16-64",
    "papers/mesh-8x8-20",
    "papers/mesh-8x8-32",
    "papers/switch-mesh-4x4-64",
    "papers/switch-torus-3x3-200",
    "papers/switch-torus-3x3-2000",
    "papers/switch-torus-3x3-50",
    "papers/switch-torus-3x3-800",
    "papers/uni-torus-16x16-32",
    "papers/uni-torus-16x16-64",
    "papers/uni-torus-8x8-20",
    "papers/uni-torus-8x8-32",
    "ring-deadlock",
    "switch-ring-deadlock",
    "switches-campus",
    "switches-random-24",
    "tornado-torus-8x8",
    "torus-4x4x4",
    "transpose-mesh-8x8",
    "uniform-torus-16x16",
];

/// The built-in scenario of this name, with or without `.ron`.
pub fn find(name: &str) -> Option<Builtin> {
    let name = name.strip_suffix(".ron").unwrap_or(name);
    ALL.iter().find(|builtin| builtin.name == name).copied()
}

/// The built-in name that was probably meant.
pub fn suggest(name: &str) -> Option<&'static str> {
    let name = name.strip_suffix(".ron").unwrap_or(name);
    let last = |name: &'static str| name.rsplit('/').next().unwrap_or(name);
    nearest(name, ALL.iter().map(|builtin| builtin.name)).or_else(|| {
        let near = nearest(name, ALL.iter().map(|builtin| last(builtin.name)))?;
        ALL.iter().map(|builtin| builtin.name).find(|name| last(name) == near)
    })
}
