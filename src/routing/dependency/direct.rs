//! The channel dependency graph of a whole rule: which VC some message uses directly after which.

use super::Verdict;
use super::graph::Graph;
use super::walk::{every_header, refuse_large};
use crate::ids::RouterId;
use crate::routing::{Relation, bits};
use crate::topology::Network;

/// Builds the graph.
pub(super) fn graph(network: &Network, relation: &Relation) -> Result<Graph, Verdict> {
    refuse_large(network)?;
    let vcs = relation.virtual_channels() as usize;
    let outputs = |router: usize| network.outputs(RouterId::new(router));
    let most = (0..network.routers()).map(|router| outputs(router).len()).max().unwrap_or(0);
    // after[(channel × vcs + v) × most + port]: the VCs of the output `port` of the router that the
    // channel enters which some message uses after VC v.
    let mut after = vec![0u32; network.channels().len() * vcs * most];
    let seen = every_header(network, relation, |walk, _| {
        for row in 0..walk.routers.len() {
            for first in walk.offered(row) {
                let to = network.channel(first.channel).to;
                let Some(next) = walk.row(to) else { continue };
                for then in walk.offered(next) {
                    let mut ports = network.outputs(to).iter();
                    let port = ports.position(|&channel| channel == then.channel).unwrap_or(0);
                    for v in bits(first.vcs) {
                        let vertex = first.channel.index() * vcs + v as usize;
                        after[vertex * most + port] |= then.vcs;
                    }
                }
            }
        }
        Ok(())
    })?;
    let row =
        |vertex: usize| {
            let to = network.channels()[vertex / vcs].to;
            let masks = &after[vertex * most..];
            network.outputs(to).iter().zip(masks).flat_map(move |(channel, &mask)| {
                bits(mask).map(move |v| channel.0 * vcs as u32 + v)
            })
        };
    Ok(Graph::new((0..network.channels().len() * vcs).map(row), seen))
}
