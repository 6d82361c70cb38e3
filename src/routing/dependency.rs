//! Proves that a routing rule cannot deadlock, or finds a cycle of dependencies.
//!
//! The *channel dependency graph* has a vertex for every virtual channel and an edge for every pair
//! of channels used by some message in direct succession. The graph is built by walking the
//! relation for every source, every destination, all relevant values of the random bits and every
//! choice offered, without assumptions of symmetry.
//!
//! - Without escape VCs the theorem of Dally and Seitz (1987) applies: if the graph has no cycle,
//!   the VCs can be numbered so that every message uses them in increasing order, and the message
//!   on the highest number can always advance. A cycle proves that a rule without choices can
//!   deadlock; a rule with choices ([`Proof::alternatives`]) may still be free of deadlock.
//! - With escape VCs the theorem of Duato (1993, *A new theory of deadlock-free adaptive routing in
//!   wormhole networks*) applies: the escape VCs must lead every message from every position to its
//!   destination (connected), and their *extended* graph must have no cycle, with an edge also for
//!   messages that use one escape VC and then, after any number of adaptive VCs, another escape VC.
//!   Escape VCs have no other use here, so cross dependencies do not arise.
//!
//! The certificate is a numbering of the VCs that increases along every edge. [`Graph::check`]
//! verifies the numbering edge by edge, independently of the search.
//!
//! Limits: injection and ejection channels are omitted (no channel precedes the former or follows
//! the latter), unless nodes need room for replies ([`prove_with_nodes`]); above [`STEPS_MAX`] steps of the walk, or without memory for the graph, the result
//! is [`Verdict::TooLarge`].

mod closing;
mod direct;
mod extended;
mod graph;
pub mod progress;
mod protocol;
mod transition;
mod walk;
mod witness;

use crate::ids::{RouterId, VcId};
use crate::memory;
use crate::routing::Relation;
use crate::topology::Network;
use crate::topology::links::Links;
use direct::direct;
use graph::Seen;

pub use graph::{Graph, Numbering};
pub use protocol::Demands;
pub use transition::{prove_transition, prove_transition_of_circuits};
pub use walk::Pairs;
pub use witness::messages;

/// Maximum number of steps of a walk. A step visits one state (header, router) or propagates 512
/// escape VCs; the maximum takes about ten seconds. A torus of 16x16 takes less than a second with
/// any rule; a torus of 32x32 is within the limit except for adaptive routing with dateline escape.
pub const STEPS_MAX: u64 = 150_000_000;

const BYTES_PER_EDGE: u64 = 4;
const BYTES_PER_EDGE_IN_CYCLES: u64 = 24;

/// The theorem used by a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Dally and Seitz: the channel dependency graph of the whole rule.
    DallySeitz,
    /// Duato: the extended channel dependency graph of the escape VCs.
    Duato,
    /// Bubble flow control: the dependency graph of the rings of a torus.
    Bubble,
    /// Circuits that wait for a link while occupying others: the dependency graph of the links.
    Circuits,
    /// Circuits that never wait while occupying links.
    NoWaiting,
}

impl Method {
    pub const ALL: [Self; 5] =
        [Self::DallySeitz, Self::Duato, Self::Bubble, Self::Circuits, Self::NoWaiting];

    /// The theorem in words.
    pub fn theorem(self) -> &'static str {
        match self {
            Self::DallySeitz => {
                "Dally and Seitz: no cycle in the channel dependency graph, no deadlock"
            }
            Self::Duato => {
                "Duato: no deadlock if a connected escape sub-function has no cycle in its \
                 extended channel dependency graph"
            }
            Self::Bubble => {
                "bubble flow control: every ring keeps a free slot, and no cycle in the dependency \
                 graph of the rings, no deadlock"
            }
            Self::Circuits => {
                "circuits wait for one link and hold others: no cycle in the dependency graph of the \
                 links, no deadlock"
            }
            Self::NoWaiting => {
                "a circuit that meets a link in use gives its own links back: nobody waits for \
                 another"
            }
        }
    }

    /// The cycle that prevents a proof, in words.
    pub fn objection(self) -> &'static str {
        match self {
            Self::DallySeitz => "Dally and Seitz: the channel dependency graph has a cycle",
            Self::Duato => {
                "Duato: the extended channel dependency graph of the escape sub-function has a cycle"
            }
            Self::Bubble => "bubble flow control: the dependency graph of the rings has a cycle",
            Self::Circuits => {
                "circuits wait for one link and hold others: the dependency graph of the links has a \
                 cycle"
            }
            Self::NoWaiting => {
                "a circuit that meets a link in use releases its own links, but there is a cycle"
            }
        }
    }

    /// The condition of the theorem, in words.
    pub fn condition(self) -> &'static str {
        match self {
            Self::DallySeitz => "messages leave the network at their destination in finite time",
            Self::Bubble => {
                "messages leave the network at their destination in finite time, and none is longer \
                 than a slot"
            }
            Self::Duato => {
                "messages leave the network at their destination in finite time, and a virtual \
                 channel is granted only with an empty buffer, or with room for the whole message"
            }
            Self::Circuits => "every transmission ends",
            Self::NoWaiting => {
                "every transmission ends; the number of aborts of a message is not limited"
            }
        }
    }

    /// True if the theorem requires that a VC is granted only with an empty buffer, or with room for the
    /// whole message.
    pub fn needs_room(self) -> bool {
        self == Self::Duato
    }
}

/// A proof, or the reason for its absence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The theorem.
    pub method: Method,
    /// Edges of the graph.
    pub dependencies: u64,
    /// VCs of a channel used by any message.
    pub virtual_channels_used: u32,
    /// True if some message is offered more than one VC; then deadlock on a cycle requires that all
    /// alternatives are occupied too.
    pub alternatives: bool,
    /// True if messages cannot start everywhere or depend on the arrival, and none were found that close
    /// the cycle; and under bubble flow control, where rings need not be full.
    pub unclosed: bool,
    /// True if messages wait for room for their replies, so the graph includes the nodes.
    pub with_nodes: bool,
    pub verdict: Verdict,
}

impl Proof {
    /// True if there is a cycle, and messages that close the cycle.
    pub fn can_deadlock(&self) -> bool {
        let cyclic = matches!(self.verdict, Verdict::Cyclic { .. });
        cyclic && !self.alternatives && !self.unclosed
    }
}

/// The verdict of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No cycle exists: the numbering has been checked.
    Free {
        /// Numbers that increase along every edge.
        numbering: Numbering,
    },
    /// No cycle exists, but a message can be granted a VC with less room than it needs, behind another
    /// message, which the theorems for wormhole (Duato 1993) and for cut-through switching (Duato 1996)
    /// exclude.
    SharedBuffers,
    /// The theorem does not apply, because of this cycle.
    Cyclic {
        /// A shortest cycle of VCs, each depending on the next and the last on the first.
        cycle: Vec<VcId>,
    },
    /// A message from `source` to `destination` can reach a router without a candidate (with escape
    /// VCs: without an escape).
    Stranded { source: RouterId, destination: RouterId, at: RouterId },
    /// The network is too large for an enumeration.
    TooLarge {
        /// Lower bound of the steps of the walk.
        steps: u64,
    },
}

/// The theorem for a rule.
pub fn method(relation: &Relation) -> Method {
    if relation.escape_vcs() == 0 { Method::DallySeitz } else { Method::Duato }
}

/// The graph to be tested for cycles: of all VCs, or extended of the escape VCs.
///
/// # Errors
/// [`Verdict::Stranded`] or [`Verdict::TooLarge`].
pub fn graph(network: &Network, relation: &Relation) -> Result<Graph, Verdict> {
    graph_of(network, relation, &Pairs::All)
}

fn graph_of(network: &Network, relation: &Relation, pairs: &Pairs) -> Result<Graph, Verdict> {
    match method(relation) {
        Method::DallySeitz | Method::Bubble | Method::Circuits | Method::NoWaiting => {
            direct(network, relation, pairs)
        }
        Method::Duato => extended::graph(network, relation, pairs),
    }
}

/// Proves that `relation` cannot deadlock on `network`, or finds the reason for failure.
pub fn prove(network: &Network, relation: &Relation) -> Proof {
    prove_pairs(network, relation, &Pairs::All, false)
}

/// Proves that `relation` cannot deadlock on `network` with messages between these pairs of routers
/// only; `one_queue` if terminals send one message at a time.
pub fn prove_pairs(
    network: &Network,
    relation: &Relation,
    pairs: &Pairs,
    one_queue: bool,
) -> Proof {
    let proof = judge(method(relation), graph_of(network, relation, pairs));
    let sure = proof.alternatives || closing::starts_anywhere(network, relation, pairs, one_queue);
    let unclosed = match &proof.verdict {
        Verdict::Cyclic { cycle } if !sure => {
            !closing::closes(network, relation, pairs, (cycle, one_queue))
        }
        Verdict::Cyclic { .. }
        | Verdict::Free { .. }
        | Verdict::SharedBuffers
        | Verdict::Stranded { .. }
        | Verdict::TooLarge { .. } => false,
    };
    Proof { unclosed, ..proof }
}

/// Proves that `relation` cannot deadlock on a torus with bubble flow control. Messages within a ring
/// always advance, since one of its slots is free, so only dependencies between rings matter.
pub fn prove_bubble(network: &Network, relation: &Relation, pairs: &Pairs) -> Proof {
    let rings = network.rings();
    let vcs = relation.virtual_channels();
    let ring_of = |vc: u32| {
        rings.get((vc / vcs) as usize).copied().flatten().map_or(vc, |first| first.0 * vcs)
    };
    let graph = direct(network, relation, pairs);
    let graph = graph.map(|graph| graph.merged(ring_of).without_loops());
    Proof { unclosed: true, ..judge(Method::Bubble, graph) }
}

/// Proves that `relation` cannot deadlock on `network` with messages of several classes between these
/// pairs of routers, which may wait at their destinations for room for replies.
pub fn prove_with_nodes(
    network: &Network,
    relation: &Relation,
    pairs: &Pairs,
    demands: &Demands,
) -> Proof {
    let graph = graph_of(network, relation, pairs)
        .and_then(|graph| protocol::with_nodes(&graph, network, relation, pairs, demands));
    Proof { with_nodes: true, ..judge(method(relation), graph) }
}

/// Proves that circuits set up by `relation` cannot deadlock, or finds the reason for failure.
/// Circuits that wait for their links (`waits`) are judged by the dependency graph of the links,
/// with one vertex for all channels of a link. Circuits that never wait cannot deadlock.
pub fn prove_circuits(network: &Network, relation: &Relation, links: &Links, waits: bool) -> Proof {
    if !waits {
        let vertices = links.of.len() * relation.virtual_channels() as usize;
        let nobody = (0..vertices).map(|_| std::iter::empty());
        return judge(
            Method::NoWaiting,
            Ok(Graph::new(nobody, Seen { vcs: 1, ..Seen::default() })),
        );
    }
    let graph = direct(network, relation, &Pairs::All);
    let by_link = by_link(links, relation.virtual_channels());
    judge(Method::Circuits, graph.map(|graph| graph.merged(by_link)))
}

/// The lane that represents both directions of a lane of a shared link.
fn by_link(links: &Links, lanes: u32) -> impl Fn(u32) -> u32 {
    let first = links.first_channels();
    move |lane: u32| {
        // Channels of terminals are links of their own.
        let Some(&link) = links.of.get((lane / lanes) as usize) else { return lane };
        first[link as usize].0 * lanes + lane % lanes
    }
}

/// Derives the proof from a graph, or from the reason for its absence.
fn judge(method: Method, graph: Result<Graph, Verdict>) -> Proof {
    let (graph, verdict) = match graph {
        Err(refusal) => (Graph::default(), refusal),
        Ok(graph) => {
            let verdict = match graph.number() {
                Some(numbering) => {
                    let checked = graph.check(&numbering);
                    assert!(checked.is_ok(), "a numbering increases along every edge");
                    Verdict::Free { numbering }
                }
                // The search for cycles uses a larger copy.
                None if graph.edges() * BYTES_PER_EDGE_IN_CYCLES > memory::available() / 2 => {
                    Verdict::TooLarge { steps: graph.edges() }
                }
                None => Verdict::Cyclic { cycle: graph.shortest_cycle() },
            };
            (graph, verdict)
        }
    };
    Proof {
        method,
        dependencies: graph.edges(),
        virtual_channels_used: graph.virtual_channels_used(),
        alternatives: graph.alternatives(),
        unclosed: false,
        with_nodes: false,
        verdict,
    }
}
