//! Numbers the input ports of every router, for ordering requests of the same cycle.

use educe::Educe;
use get_size2::GetSize;

use crate::random::mix;
use crate::topology::Network;

/// The salt of the first port of a round.
const FIRST_PORT: u64 = 0xf125_7907;

/// The input ports of each router: first those of incoming links, then those of terminals.
#[derive(PartialEq, Eq, Default, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Ports {
    /// The number of the port of each channel at the router it enters.
    channels: Vec<u32>,
    /// The number of the port of each terminal.
    nodes: Vec<u32>,
    /// The number of ports of each router.
    counts: Vec<u32>,
}

impl Ports {
    pub fn new(network: &Network) -> Self {
        let mut counts = vec![0; network.routers()];
        let mut next = |router: usize| {
            counts[router] += 1;
            counts[router] - 1
        };
        let mut channels: Vec<u32> = network.channels()[..network.links()]
            .iter()
            .map(|channel| next(channel.to.index()))
            .collect();
        let nodes: Vec<u32> = (0..network.nodes())
            .map(|node| next(network.router_of(crate::ids::NodeId::new(node)).index()))
            .collect();
        // An injection channel has the port of its terminal.
        channels.extend(&nodes);
        Self { channels, nodes, counts }
    }

    /// The port of a channel at the router it enters (not for ejection channels).
    pub fn of_channel(&self, channel: usize) -> u32 {
        self.channels[channel]
    }

    /// The port of a terminal, in the format of [`Self::order`].
    pub fn of_node(&self, node: u32) -> u32 {
        self.nodes[node as usize] << 8
    }

    /// The position of a port among all ports of `router`, in a round that begins with a port drawn
    /// by `draw`. The low 8 bits of `port` are the VC, and remain unchanged.
    pub fn order(&self, draw: u64, router: u32, port: u32) -> u64 {
        let count = u64::from(self.counts[router as usize]);
        let draw = mix(draw ^ FIRST_PORT, u64::from(router));
        let first = ((u128::from(draw) * u128::from(count)) >> 64) as u64;
        let place = (u64::from(port >> 8) + count - first) % count;
        place << 8 | u64::from(port & 0xff)
    }
}

#[cfg(test)]
mod tests;
