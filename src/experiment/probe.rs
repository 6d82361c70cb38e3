//! Hashes the engine's behaviour.
//!
//! Stored results are reused only while the hash is unchanged, whatever the program's version.

use std::sync::Arc;

use crate::scenario::Scenario;
use crate::session::Session;
use crate::stats::{SAMPLE_PERIOD, WarmUp};
use crate::units::{Cycle, Load, Rate};

/// The load of a probe: worms block each other, but few systems saturate.
const LOAD: Load = Load(0.25);
/// The last cycle of a probe.
const CYCLES_MAX: u64 = 2 * SAMPLE_PERIOD;
/// Cycles between two checks of the work done.
const STEP: u64 = 32;
/// The work of a probe, in units of about one flit-hop: a millisecond or less.
const WORK: u64 = 8192;

/// Hashes the state of engine and statistics after the first cycles of a system, under a fixed load
/// and seed: equal for all loads and seeds of a curve.
pub fn probe(scenario: &Scenario) -> u64 {
    let mut scenario = scenario.clone();
    let system = &mut scenario.system;
    system.traffic.rate = Rate(system.rate_for(LOAD).0.min(system.rate_max().0));
    let mut session = Session::new(Arc::new(scenario), 1, 0, WarmUp::Automatic);
    while session.now().0 < CYCLES_MAX && session.work() < WORK && !session.is_over() {
        session.advance(Cycle(session.now().0 + STEP));
    }
    session.fingerprint()
}
