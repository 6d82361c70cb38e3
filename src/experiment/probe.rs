//! A hash of what the engine makes of a system: results are used again only as long as it stays the
//! same, whatever the program's version says.

use std::sync::Arc;

use crate::scenario::Scenario;
use crate::session::Session;
use crate::stats::{SAMPLE_PERIOD, WarmUp};
use crate::units::{Cycle, Load, Rate};

/// The load under which a system is probed: worms meet, and few systems saturate.
const LOAD: Load = Load(0.25);
/// Where a probe ends at the latest.
const CYCLES_MAX: u64 = 2 * SAMPLE_PERIOD;
/// Cycles between two looks whether enough was done.
const STEP: u64 = 32;
/// How much is done, in units of about one flit-hop: a millisecond or less.
const WORK: u64 = 8192;

/// The state of engine and statistics after the first cycles of a system, under a load and a seed of the
/// probe's own: the same for all loads and seeds of a curve.
pub fn probe(scenario: &Scenario) -> u64 {
    let mut scenario = scenario.clone();
    let system = &mut scenario.system;
    system.traffic.rate = Rate(system.rate_for(LOAD).0.min(system.rate_max().0));
    let mut session = Session::new(Arc::new(scenario), 1, 0, WarmUp::Automatic);
    while session.now().0 < CYCLES_MAX && session.work() < WORK && session.deadlock().is_none() {
        session.advance(Cycle(session.now().0 + STEP));
    }
    session.fingerprint()
}
