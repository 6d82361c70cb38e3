//! A routing rule with its tables for one network, before the number of VCs is known.

use std::sync::Arc;

use super::algorithms::Routing;
use super::head::VcUse;
use super::rule::{Needs, Rule};
use super::source_routes::Routes;
use crate::topology::Network;
use crate::words::Misfit;

/// A routing rule with its tables for one network.
#[derive(Clone, Debug)]
pub struct Placement {
    pub routing: Routing,
    /// The VCs needed.
    pub needs: Needs,
    pub(super) rule: Arc<dyn Rule>,
    /// The routes of source routing.
    pub(super) routes: Option<Arc<Routes>>,
}

impl Routing {
    /// The rule on a network, with its tables.
    ///
    /// # Errors
    /// The reason why the network is unsuitable.
    pub fn on(&self, network: &Network) -> Result<Placement, Misfit> {
        Placement::new(self.clone(), self.rule(), network)
    }
}

impl Placement {
    /// True if the rule has a single class of VCs, and no candidate depends on the VC of the arrival.
    pub fn has_one_class(&self) -> bool {
        let is_escape = matches!(self.rule.class_use(0), VcUse::Escape(_));
        self.needs.needed == 1 && !is_escape && !self.rule.reads_arrival()
    }

    /// Prepares a rule under the name of `routing`.
    pub(super) fn new(
        routing: Routing,
        rule: Arc<dyn Rule>,
        network: &Network,
    ) -> Result<Self, Misfit> {
        let rule = rule.on(network)?.unwrap_or(rule);
        let needs = rule.serves(network)?;
        let routes = rule.routes(network).transpose()?.map(Arc::new);
        Ok(Self { routing, needs, rule, routes })
    }
}
