//! What the program's own simulation says of the drawn systems: kept in a file, so that models are
//! measured without simulating again.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Loads in per cent of the simulation's saturation.
pub const LOADS: [u32; 4] = [25, 50, 75, 90];

/// A run: the `load`, in per cent of the `saturation` rate, and what was measured, in cycles.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize, Debug)]
pub struct Run {
    pub system: u32,
    /// Messages per node and cycle.
    pub saturation: f64,
    pub load: u32,
    pub latency: f64,
    /// Half the width of the latency's 95 % interval, where the run was long enough for one.
    pub half_width: Option<f64>,
    pub source_wait: f64,
    pub blocking: f64,
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
}

impl Run {
    pub fn rate(&self) -> f64 {
        self.saturation * f64::from(self.load) / 100.0
    }
}

/// Those of the list.
pub const DRAWN: &str = "tests/papers/drawn_systems.csv";

/// Further numbers of the same draw: where heads choose all from 1001 to 1248, others all from 1400 to 1482.
pub const FURTHER: &str = "tests/papers/further_systems.csv";

pub fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// All runs that are kept in a file, system by system.
pub fn kept(name: &str) -> Vec<Run> {
    let mut rows = csv::Reader::from_path(file(name)).unwrap();
    rows.deserialize().map(|row| row.unwrap()).collect()
}
