//! Universal globally-adaptive load-balanced routing: every message takes either a direct route or
//! a detour over a random router, by the queues at its source (A. Singh 2005, *Load-balanced
//! routing in interconnection networks*).
//!
//! The rule offers both at the source; the engine selects by the queues. A direct route uses the
//! VCs of the second part of a detour, so the proof for Valiant's routing covers it.

use std::sync::Arc;

use crate::routing::algorithm::prelude::*;
use crate::routing::detour::Detour;
use crate::routing::fields::Threshold;
use crate::routing::rule::Rule;

/// Universal globally-adaptive load-balanced routing.
#[derive(Clone, Debug)]
pub struct Ugal {
    /// The inner rule.
    pub of: Arc<dyn Rule>,
    /// The flits by which the queue of the direct route may exceed twice that of the detour.
    pub threshold: Threshold,
}

impl Algorithm for Ugal {
    const NAME: &'static str = "UGAL";
    const HELP: &'static str = "Chooses at the source, by the queues there, between a direct route \
                                and a detour over a random router.";
    const TIES: Ties = Ties::Settled;
    const MINIMAL: bool = false;
    const CHOOSES: bool = true;
    const READS_ARRIVAL: bool = true;

    fn on(&self, network: &Network) -> Result<Option<OnNetwork>, Misfit> {
        Ok(Some(Arc::new(Detour::new(&self.of, network, Some(self.threshold))?)))
    }
}
