//! The flows: every way followed once, with its probability.
//!
//! | symbol | here | meaning | unit | equation |
//! |---|---|---|---|---|
//! | λ_j/`λ_node` | `Server::share` | messages through a channel per message of a node | – | (8)–(10) |
//! | λ_i `R_{i\|j}`/`λ_node` | `Step::share` | messages from channel to channel, likewise | – | (3), (6) |

use super::order::downstream_first;
use crate::ids::{ChannelId, NodeId};
use crate::model::Unsolved;
use crate::routing::{Candidate, Header};
use crate::system::System;
use crate::traffic::destinations::DestinationDraw;

/// The most pairs of source and destination that are followed: half a second of work
/// where all of 1024 nodes send to each other.
pub(super) const PAIRS_MAX: usize = 1 << 20;

/// What a server is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// The VCs of one class on a channel (all, where there are no classes), by bit mask.
    Link(ChannelId, u32),
    /// A node's way out of the network.
    Ejection(NodeId),
}

/// Messages that go on from a server or a source.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Step {
    /// The server they go on to.
    pub to: u32,
    /// Messages per message of a node.
    pub share: f64,
}

/// A queue of the network.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Server {
    pub place: Place,
    /// λ/`λ_node`.
    pub share: f64,
    pub next: Vec<Step>,
}

/// A node's own messages.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Source {
    /// Messages sent per message of a node: 1, or 0 for a node that sends nothing.
    pub share: f64,
    /// Links of the mean way.
    pub hops: f64,
    pub next: Vec<Step>,
}

/// All flows per message of a node.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Flows {
    /// In an order in which what comes later is further from the destinations: `Step::to` is
    /// always an earlier server.
    pub servers: Vec<Server>,
    /// By node.
    pub sources: Vec<Source>,
    /// By channel: λ/`λ_node` of all its classes, and how many of them are used.
    pub links: Vec<(f64, u32)>,
}

impl Flows {
    /// Follows all ways of `system`.
    pub fn follow(system: &System) -> Result<Self, Unsolved> {
        let nodes = system.network.nodes();
        if !few_enough(system) {
            return Err(too_many(nodes));
        }
        let mut walker = Walker::new(system);
        let draw = DestinationDraw::new(&system.traffic.destinations, &system.network);
        for source in (0..nodes).map(NodeId::new) {
            for (destination, share) in draw.probabilities(source).into_iter().enumerate() {
                if share > 0.0 {
                    walker.pair(source, NodeId::new(destination), share)?;
                }
            }
        }
        let Walker { servers, sources, .. } = walker;
        let servers = downstream_first(&servers).map_err(|stuck| cyclic(system, stuck))?;
        let mut sources = sources;
        for source in &mut sources {
            for step in &mut source.next {
                step.to = servers.renumbered[step.to as usize];
            }
            if source.share > 0.0 {
                source.hops /= source.share;
            }
        }
        let mut links = vec![(0.0, 0); system.network.channels().len()];
        for server in &servers.ordered {
            if let Place::Link(channel, _) = server.place {
                let (share, classes) = &mut links[channel.index()];
                *share += server.share;
                *classes += 1;
            }
        }
        Ok(Self { servers: servers.ordered, sources, links })
    }
}

/// Whether there are no more pairs of nodes that send to each other than are followed.
fn few_enough(system: &System) -> bool {
    let draw = DestinationDraw::new(&system.traffic.destinations, &system.network);
    let mut pairs = 0;
    (0..system.network.nodes()).all(|source| {
        pairs +=
            draw.probabilities(NodeId::new(source)).iter().filter(|&&share| share > 0.0).count();
        pairs <= PAIRS_MAX
    })
}

fn too_many(nodes: usize) -> Unsolved {
    Unsolved::NotCovered(format!(
        "the model follows every way, at most {PAIRS_MAX} pairs of nodes, and these {nodes} nodes \
         make more"
    ))
}

fn cyclic(system: &System, stuck: Place) -> Unsolved {
    let through = match stuck {
        Place::Link(channel, _) => system.network.channel_name(channel),
        Place::Ejection(node) => format!("node {}", node.0),
    };
    Unsolved::NotCovered(format!(
        "the model needs channels that wait for each other without a cycle; this routing has a \
         cycle through {through}"
    ))
}

/// Collects flows.
struct Walker<'a> {
    system: &'a System,
    servers: Vec<Server>,
    sources: Vec<Source>,
    /// For each channel its servers, few.
    of_channel: Vec<Vec<u32>>,
    /// For each node its ejection server, `u32::MAX` where none yet.
    of_node: Vec<u32>,
    candidates: Vec<Candidate>,
}

impl<'a> Walker<'a> {
    fn new(system: &'a System) -> Self {
        let (nodes, channels) = (system.network.nodes(), system.network.channels().len());
        Self {
            system,
            servers: Vec::new(),
            sources: vec![Source::default(); nodes],
            of_channel: vec![Vec::new(); channels],
            of_node: vec![u32::MAX; nodes],
            candidates: Vec::new(),
        }
    }

    /// Follows the messages from `source` to `destination`, every fall of their dice alike likely.
    fn pair(&mut self, source: NodeId, destination: NodeId, share: f64) -> Result<(), Unsolved> {
        let ways = self.system.relation.ways(source, destination);
        let each = share / ways.len() as f64;
        // Every sum of shares keeps its order: the last way first.
        for &dice in ways.iter().rev() {
            self.walk(source, destination, dice, each)?;
        }
        Ok(())
    }

    /// Follows one way and adds `share` to all it meets.
    fn walk(
        &mut self,
        source: NodeId,
        destination: NodeId,
        dice: u64,
        share: f64,
    ) -> Result<(), Unsolved> {
        let network = &self.system.network;
        let mut at = network.router_of(source);
        let header = Header { source: at, destination: network.router_of(destination), dice };
        let mut last = None;
        let mut hops = 0.0;
        loop {
            self.system.relation.candidates(at, &header, &mut self.candidates);
            let place = match self.candidates[..] {
                [] => Place::Ejection(destination),
                [Candidate { channel, vcs }] => {
                    at = network.channel(channel).to;
                    hops += share;
                    Place::Link(channel, vcs)
                }
                _ => {
                    return Err(Unsolved::NotCovered(format!(
                        "the model needs deterministic routing, not {}",
                        self.system.relation.routing().name()
                    )));
                }
            };
            let server = self.server(place);
            self.servers[server as usize].share += share;
            let next = match last {
                None => &mut self.sources[source.index()].next,
                Some(last) => &mut self.servers[last as usize].next,
            };
            match next.iter_mut().find(|step| step.to == server) {
                Some(step) => step.share += share,
                None => next.push(Step { to: server, share }),
            }
            last = Some(server);
            if let Place::Ejection(_) = place {
                let source = &mut self.sources[source.index()];
                source.share += share;
                source.hops += hops;
                return Ok(());
            }
        }
    }

    /// The server at `place`, made where there is none yet.
    fn server(&mut self, place: Place) -> u32 {
        let fresh = self.servers.len() as u32;
        let known = match place {
            Place::Link(channel, _) => {
                let here = &mut self.of_channel[channel.index()];
                let known = here.iter().find(|&&s| self.servers[s as usize].place == place);
                let known = known.copied();
                if known.is_none() {
                    here.push(fresh);
                }
                known
            }
            Place::Ejection(node) => {
                let here = &mut self.of_node[node.index()];
                let known = (*here != u32::MAX).then_some(*here);
                *here = known.unwrap_or(fresh);
                known
            }
        };
        known.unwrap_or_else(|| {
            self.servers.push(Server { place, share: 0.0, next: Vec::new() });
            fresh
        })
    }
}
