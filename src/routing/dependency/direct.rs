//! The channel dependency graph of a whole rule: which VC some message uses directly after which.

use super::Refusal;
use super::graph::{Graph, Seen};
use super::walk::{every_header, refuse_large};
use crate::routing::Relation;
use crate::topology::Network;

/// Builds the graph.
pub(super) fn graph(network: &Network, relation: &Relation) -> Result<Graph, Refusal> {
    refuse_large(network)?;
    let vcs = relation.virtual_channels() as usize;
    let ports = Ports::new(network);
    // after[(channel × vcs + v) × ports + port]: the VCs of the output `port` of the router that the
    // channel enters which some message uses after VC v.
    let mut after = vec![0u32; network.channels().len() * vcs * ports.most];
    let mut seen = Seen::default();
    every_header(network, relation, |walk, _| {
        for row in 0..walk.routers.len() {
            let here = walk.offered(row);
            seen.alternatives |= here.len() > 1 || here[0].vcs.count_ones() > 1;
            for first in here {
                seen.vcs |= first.vcs;
                let to = network.channel(first.channel).to;
                let Some(next) = walk.row(to) else { continue };
                for then in walk.offered(next) {
                    let port = ports.of[then.channel.index()] as usize;
                    let mut left = first.vcs;
                    while left != 0 {
                        let v = left.trailing_zeros() as usize;
                        left &= left - 1;
                        after[(first.channel.index() * vcs + v) * ports.most + port] |= then.vcs;
                    }
                }
            }
        }
        Ok(())
    })?;
    let row = |vertex: usize| {
        let to = network.channels()[vertex / vcs].to;
        let masks = &after[vertex * ports.most..];
        network.outputs(to).iter().zip(masks).flat_map(move |(channel, &mask)| {
            let first = channel.index() * vcs;
            (0..vcs).filter(move |v| mask >> v & 1 == 1).map(move |v| (first + v) as u32)
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
