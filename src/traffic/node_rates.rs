//! Rates of the nodes, relative to the mean rate of those that send.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Destinations;
use crate::ids::NodeId;
use crate::topology::Network;

/// The rate of each node as a multiple of [`Traffic::rate`](super::Traffic::rate): 1 on average
/// over the nodes that send. Clones share the rates.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeRates {
    /// The multiples; `None` if all nodes send at the same rate.
    each: Option<Arc<[f64]>>,
    senders: usize,
    /// The lowest multiple of a sender, and the highest.
    limits: [f64; 2],
}

impl NodeRates {
    /// The rates of nodes that send alike.
    pub fn alike(nodes: usize) -> Self {
        Self { each: None, senders: nodes, limits: [1.0; 2] }
    }

    /// The rates of a pattern defined on the network, if only these nodes send, or all, and if nodes send
    /// to themselves or not.
    pub fn of(
        destinations: &Destinations,
        among: Option<&[NodeId]>,
        to_itself: bool,
        network: &Network,
    ) -> Self {
        let nodes = network.nodes();
        let amounts = match (destinations.amounts(to_itself, network), among) {
            (amounts, None) => amounts,
            (amounts, Some(among)) => {
                let mut own = vec![0.0; nodes];
                for node in among {
                    own[node.index()] = amounts.as_ref().map_or(1.0, |all| all[node.index()]);
                }
                Some(own)
            }
        };
        let Some(mut each) = amounts else { return Self::alike(nodes) };
        let senders = each.iter().filter(|&&amount| amount > 0.0).count();
        let mean = each.iter().sum::<f64>() / senders.max(1) as f64;
        let mut limits = [f64::INFINITY, 0.0];
        for rate in each.iter_mut().filter(|amount| **amount > 0.0) {
            *rate /= mean;
            limits = [limits[0].min(*rate), limits[1].max(*rate)];
        }
        let alike = senders == nodes && limits[0] >= limits[1];
        Self { each: (!alike).then(|| each.into()), senders, limits }
    }

    /// The rate of a node, as a multiple of the mean rate of the nodes that send.
    #[inline]
    pub fn at(&self, node: NodeId) -> f64 {
        self.each.as_ref().map_or(1.0, |each| each[node.index()])
    }

    /// The sum of the rates of the hosts at a router.
    pub fn of_hosts(&self, hosts: &[NodeId]) -> f64 {
        match &self.each {
            None => hosts.len() as f64,
            Some(each) => hosts.iter().map(|host| each[host.index()]).sum(),
        }
    }

    /// The number of nodes that send.
    pub fn senders(&self) -> usize {
        self.senders
    }

    /// The rate of the slowest sender.
    pub fn least(&self) -> f64 {
        self.limits[0]
    }

    /// The rate of the fastest sender.
    pub fn most(&self) -> f64 {
        self.limits[1]
    }

    /// True if all nodes send, at the same rate.
    pub fn all_alike(&self) -> bool {
        self.each.is_none()
    }

    /// True if all nodes that send do so at the same rate.
    pub fn senders_alike(&self) -> bool {
        self.least() >= self.most()
    }

    /// The different rates of senders, and the index of the rate of each node; the first rate also
    /// stands for nodes that send nothing.
    pub fn distinct(&self, nodes: usize) -> (Vec<f64>, Vec<u32>) {
        let (mut rates, mut index_of) = (Vec::new(), BTreeMap::new());
        let index = |node| {
            let rate = self.at(node);
            if rate <= 0.0 {
                return 0;
            }
            *index_of.entry(rate.to_bits()).or_insert_with(|| {
                rates.push(rate);
                rates.len() as u32 - 1
            })
        };
        let indices = (0..nodes).map(NodeId::new).map(index).collect();
        if rates.is_empty() {
            rates.push(1.0);
        }
        (rates, indices)
    }
}

#[cfg(test)]
mod tests;
