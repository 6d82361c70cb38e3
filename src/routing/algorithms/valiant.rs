//! Valiant's routing: every message goes to a random intermediate router and then to its
//! destination (L. G. Valiant and G. J. Brebner 1981, *Universal schemes for parallel
//! communication*).
//!
//! Each part of the route has its own VCs, so the whole is free of deadlock if the inner rule is.

use std::sync::Arc;

use crate::routing::algorithm::prelude::*;
use crate::routing::detour::Detour;
use crate::routing::rule::Rule;

/// Valiant's routing.
#[derive(Clone, Debug)]
pub struct Valiant {
    /// The inner rule.
    pub of: Arc<dyn Rule>,
}

impl Algorithm for Valiant {
    const NAME: &'static str = "Valiant";
    const HELP: &'static str =
        "Goes by the inner rule to a random router, then to the destination.";
    const TIES: Ties = Ties::Settled;
    const MINIMAL: bool = false;
    const READS_ARRIVAL: bool = true;

    fn chooses(&self) -> bool {
        self.of.chooses()
    }

    fn settles_routes(&self, wraps: bool) -> bool {
        self.of.settles_routes(wraps)
    }

    fn on(&self, network: &Network) -> Result<Option<OnNetwork>, Misfit> {
        Ok(Some(Arc::new(Detour::new(&self.of, network, None)?)))
    }
}
