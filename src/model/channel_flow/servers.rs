//! Collects the queues of the network and the rates of messages between them.

use crate::ids::{ChannelId, NodeId};
use crate::model::queue::Moments;
use crate::routing::Candidate;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Resource {
    /// The VCs of one class on a channel (all without classes), as a bit mask.
    Link(ChannelId, u32),
    Ejection(NodeId),
}

impl Resource {
    /// Maximum number of messages that occupy the resource.
    pub fn vcs(self) -> u32 {
        match self {
            Self::Link(_, vcs) => vcs.count_ones(),
            Self::Ejection(_) => 1,
        }
    }
}

impl Default for Resource {
    /// Returns the ejection of the first node.
    fn default() -> Self {
        Self::Ejection(NodeId(0))
    }
}

/// Messages forwarded from a server or a source.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Step {
    pub to: u32,
    /// Messages per message of a node.
    pub share: f64,
    /// Index among the streams, set once all are collected.
    pub place: u32,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Server {
    pub resource: Resource,
    pub share: f64,
    pub next: Vec<Step>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Source {
    /// Messages sent per message of a node of the mean rate; 0 for a node that sends nothing.
    pub share: f64,
    /// The number of links on the routes.
    pub hops: Moments,
    pub next: Vec<Step>,
}

#[derive(Clone, Debug)]
pub(super) struct Servers {
    pub all: Vec<Server>,
    pub sources: Vec<Source>,
    /// The few servers of each channel, by VC mask.
    of_channel: Vec<Vec<(u32, u32)>>,
    of_node: Vec<Option<u32>>,
}

impl Servers {
    pub fn new(nodes: usize, channels: usize) -> Self {
        Self {
            all: Vec::new(),
            sources: vec![Source::default(); nodes],
            of_channel: vec![Vec::new(); channels],
            of_node: vec![None; nodes],
        }
    }

    /// Returns the server of these VCs, creating the server if necessary.
    pub fn link(&mut self, Candidate { channel, vcs }: Candidate) -> u32 {
        let here = &mut self.of_channel[channel.index()];
        if let Some(&(_, server)) = here.iter().find(|&&(other, _)| other == vcs) {
            return server;
        }
        here.push((vcs, self.all.len() as u32));
        self.add(Resource::Link(channel, vcs))
    }

    /// Returns the ejection at `node`, creating the server if necessary.
    pub fn ejection(&mut self, node: NodeId) -> u32 {
        let known = self.of_node[node.index()];
        known.unwrap_or_else(|| {
            self.of_node[node.index()] = Some(self.all.len() as u32);
            self.add(Resource::Ejection(node))
        })
    }

    fn add(&mut self, resource: Resource) -> u32 {
        self.all.push(Server { resource, ..Server::default() });
        self.all.len() as u32 - 1
    }
}

/// Adds `share` to the step to server `to`.
pub(super) fn add_step(steps: &mut Vec<Step>, to: u32, share: f64) {
    match steps.iter_mut().find(|step| step.to == to) {
        Some(step) => step.share += share,
        None => steps.push(Step { to, share, place: 0 }),
    }
}
