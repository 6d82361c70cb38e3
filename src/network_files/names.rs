//! Finds the routers or nodes that the text of a table names.

use std::collections::HashMap;
use std::sync::Arc;

use super::mistake::{Report, Span, meant, quoted};
use crate::ids::{NodeId, RouterId};
use crate::topology::Network;

/// Routers or nodes by name.
pub(super) struct Names<'n, I> {
    network: &'n Network,
    /// The kind of the names in messages.
    called: &'static str,
    known: Arc<HashMap<String, I>>,
    other: fn(&Network, &str) -> Result<I, String>,
}

impl<'n> Names<'n, RouterId> {
    pub fn of_routers(network: &'n Network) -> Self {
        let routers = (0..network.routers()).map(RouterId::new);
        let known = Arc::new(routers.map(|at| (network.router_name(at), at)).collect());
        Self { network, called: "router", known, other: Network::router_named }
    }
}

impl<'n> Names<'n, NodeId> {
    pub fn of_nodes(network: &'n Network) -> Self {
        let nodes = (0..network.nodes()).map(NodeId::new);
        let known = nodes.map(|at| (network.node_name(at), at)).collect();
        Self::with(network, Arc::new(known))
    }

    /// The nodes, of which some names are known.
    pub fn with(network: &'n Network, known: Arc<HashMap<String, NodeId>>) -> Self {
        Self { network, called: "node", known, other: Network::node_named }
    }
}

impl<'n, I: Copy> Names<'n, I> {
    /// The router or node of a name; an unknown name is reported.
    pub fn find(&mut self, name: &str, at: &Span, report: &mut Report<'_>) -> Option<I> {
        if let Some(&found) = self.known.get(name) {
            return Some(found);
        }
        if let Ok(found) = (self.other)(self.network, name) {
            Arc::make_mut(&mut self.known).insert(name.to_owned(), found);
            return Some(found);
        }
        let called = self.called;
        let instead = format!("write the name or number of a {called}");
        let mut known: Vec<&str> = self.known.keys().map(String::as_str).collect();
        known.sort_unstable();
        // No number is meant by another.
        let number = name.parse::<f64>().is_ok();
        let help = if number { instead } else { meant(name, known.into_iter(), &instead) };
        report.add(at, format!("there is no {called} {}", quoted(name)), help);
        None
    }

    /// The network of the names.
    pub fn network(&self) -> &'n Network {
        self.network
    }

    /// All names that were found.
    pub fn into_known(self) -> Arc<HashMap<String, I>> {
        self.known
    }

    /// True for a complete name.
    pub fn is_known(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }
}
