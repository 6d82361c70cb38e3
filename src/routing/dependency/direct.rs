//! The channel dependency graph of a whole rule: which VC some message uses directly after which.

use super::Verdict;
use super::graph::Graph;
use super::walk::{bits, every_header, refuse_large};
use crate::routing::Relation;
use crate::topology::Network;

/// Builds the graph.
pub(super) fn graph(network: &Network, relation: &Relation) -> Result<Graph, Verdict> {
    refuse_large(network)?;
    let vcs = relation.virtual_channels() as usize;
    let ports = Ports::new(network);
    // after[(channel × vcs + v) × ports + port]: the VCs of the output `port` of the router that the
    // channel enters which some message uses after VC v.
    let mut after = vec![0u32; network.channels().len() * vcs * ports.most];
    let seen = every_header(network, relation, |walk, _| {
        for row in 0..walk.routers.len() {
            for first in walk.offered(row) {
                let to = network.channel(first.channel).to;
                let Some(next) = walk.row(to) else { continue };
                for then in walk.offered(next) {
                    let port = ports.of[then.channel.index()] as usize;
                    for v in bits(first.vcs) {
                        let vertex = first.channel.index() * vcs + v as usize;
                        after[vertex * ports.most + port] |= then.vcs;
                    }
                }
            }
        }
        Ok(())
    })?;
    let row =
        |vertex: usize| {
            let to = network.channels()[vertex / vcs].to;
            let masks = &after[vertex * ports.most..];
            network.outputs(to).iter().zip(masks).flat_map(move |(channel, &mask)| {
                bits(mask).map(move |v| channel.0 * vcs as u32 + v)
            })
        };
    Ok(Graph::new((0..network.channels().len() * vcs).map(row), seen))
}

/// Which of its router's outputs a channel is.
struct Ports {
    of: Vec<u32>,
    most: usize,
}

impl Ports {
    fn new(network: &Network) -> Self {
        let mut of = vec![0; network.channels().len()];
        let mut most = 0;
        for router in 0..network.routers() {
            let outputs = network.outputs(crate::ids::RouterId::new(router));
            most = most.max(outputs.len());
            for (port, channel) in outputs.iter().enumerate() {
                of[channel.index()] = port as u32;
            }
        }
        Self { of, most }
    }
}
