//! Proof that a routing rule cannot deadlock, or the cycle by which it may.
//!
//! The *channel dependency graph* has a vertex for every virtual channel and an edge wherever some
//! message uses one directly after the other. It is built by walking the relation for every source,
//! every destination, every outcome of the random bits that the rule reads and every choice it offers;
//! nothing is assumed about symmetry.
//!
//! - Without escape VCs the theorem is that of Dally and Seitz (1987): if the graph has no cycle,
//!   the VCs can be numbered so that every message takes them in increasing order, and the message
//!   that holds the highest number can always go on. A cycle means that a rule which offers one VC
//!   at a time can deadlock; one that offers more ([`Proof::alternatives`]) perhaps cannot.
//! - With escape VCs it is that of Duato (1993, *A new theory of deadlock-free adaptive routing in
//!   wormhole networks*): the escape VCs must bring every message home from wherever it may be
//!   (connected), and their *extended* graph must have no cycle: an edge also where a message uses
//!   one escape VC and then, after any number of adaptive ones, another. Escape VCs serve no other
//!   use here, so cross dependencies do not arise.
//!
//! The certificate is a numbering of the VCs that grows along every edge. [`Graph::check`], which
//! looks at one edge after the other and shares nothing with the search, confirms it.
//!
//! Limits: injection and ejection channels are left out (nothing leads into the former or out of
//! the latter); above [`STEPS_MAX`] steps of the walk, and where there is no memory for the
//! graph, the answer is [`Verdict::TooLarge`].

mod extended;
mod graph;
pub mod progress;
mod walk;

use crate::ids::{RouterId, VcId};
use crate::memory;
use crate::routing::{Relation, bits};
use crate::topology::Network;
use crate::topology::links::Links;
use graph::Seen;
use walk::{every_header, refuse_large};

pub use graph::{Graph, Numbering};

/// The most steps of a walk, a step being a state (header, router) that was looked at or 512 escape
/// VCs that were passed on; they take some ten seconds at most. A torus of 16x16 takes under one
/// with any rule; one of 32x32 is within with all but adaptive routing with dateline escape.
pub const STEPS_MAX: u64 = 150_000_000;

const BYTES_PER_EDGE: u64 = 4;
const BYTES_PER_EDGE_IN_CYCLES: u64 = 24;

/// The theorem on which a proof rests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Dally and Seitz: the channel dependency graph of the whole rule.
    DallySeitz,
    /// Duato: the extended channel dependency graph of the escape VCs.
    Duato,
    /// Circuits that wait for a link while they hold others: the dependency graph of the links.
    Circuits,
    /// Circuits that never wait while they hold links.
    NoWaiting,
}

impl Method {
    pub const ALL: [Self; 4] = [Self::DallySeitz, Self::Duato, Self::Circuits, Self::NoWaiting];

    /// The theorem, for people.
    pub fn theorem(self) -> &'static str {
        match self {
            Self::DallySeitz => {
                "Dally and Seitz: no cycle in the channel dependency graph, no deadlock"
            }
            Self::Duato => {
                "Duato: no deadlock where a connected escape sub-function has no cycle in its \
                 extended channel dependency graph"
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

    /// The cycle that was found where the theorem needs that there is none, for people.
    pub fn objection(self) -> &'static str {
        match self {
            Self::DallySeitz => "Dally and Seitz: the channel dependency graph has a cycle",
            Self::Duato => {
                "Duato: the extended channel dependency graph of the escape sub-function has a cycle"
            }
            Self::Circuits => {
                "circuits wait for one link and hold others: the dependency graph of the links has a \
                 cycle"
            }
            Self::NoWaiting => {
                "a circuit that meets a link in use gives its own links back, and yet there is a cycle"
            }
        }
    }

    /// The condition under which the theorem holds, for people.
    pub fn condition(self) -> &'static str {
        match self {
            Self::DallySeitz => "messages leave the network at their destination in finite time",
            Self::Duato => {
                "messages leave the network at their destination in finite time, and the buffer of \
                 a virtual channel never holds two messages"
            }
            Self::Circuits => "every transmission ends",
            Self::NoWaiting => {
                "every transmission ends; how often a message is aborted is another question"
            }
        }
    }

    /// True if the theorem needs that the buffer of a VC never holds two messages.
    pub fn needs_one_message_per_buffer(self) -> bool {
        self == Self::Duato
    }
}

/// A proof, or the reason why there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The theorem.
    pub method: Method,
    /// Edges of the graph.
    pub dependencies: u64,
    /// VCs of a channel that messages use at all.
    pub virtual_channels_used: u32,
    /// Some message is offered more than one VC: then a cycle makes deadlock possible
    /// only if all alternatives are taken too.
    pub alternatives: bool,
    pub verdict: Verdict,
}

/// The verdict of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// There is no cycle: the numbering has been checked.
    Free {
        /// Grows along every edge.
        numbering: Numbering,
    },
    /// The theorem does not apply, since this cycle exists.
    Cyclic {
        /// VCs, each depending on the next and the last on the first. No cycle is shorter.
        cycle: Vec<VcId>,
    },
    /// A message from `source` to `destination` can come to a router where nothing (with escape
    /// VCs: no escape) leads it on.
    Stranded { source: RouterId, destination: RouterId, at: RouterId },
    /// The network is too large for an enumeration.
    TooLarge {
        /// Steps that the walk would take, at least.
        steps: u64,
    },
}

/// The theorem that suits a rule.
pub fn method(relation: &Relation) -> Method {
    if relation.escape_vcs() == 0 { Method::DallySeitz } else { Method::Duato }
}

/// The graph that must have no cycle: that of all VCs, or the extended one of the escape VCs.
///
/// # Errors
/// [`Verdict::Stranded`] or [`Verdict::TooLarge`].
pub fn graph(network: &Network, relation: &Relation) -> Result<Graph, Verdict> {
    match method(relation) {
        Method::DallySeitz | Method::Circuits | Method::NoWaiting => direct(network, relation),
        Method::Duato => extended::graph(network, relation),
    }
}

/// The channel dependency graph of a whole rule: which VC some message uses directly after which.
fn direct(network: &Network, relation: &Relation) -> Result<Graph, Verdict> {
    refuse_large(network, relation)?;
    let vcs = relation.virtual_channels() as usize;
    let outputs = |router: usize| network.outputs(RouterId::new(router));
    let most = (0..network.routers()).map(|router| outputs(router).len()).max().unwrap_or(0);
    // after[(channel × vcs + v) × most + port]: the VCs of the output `port` of the router that the
    // channel enters which some message uses after VC v.
    let mut after = vec![0u32; network.channels().len() * vcs * most];
    let seen = every_header(network, relation, |walk, _| {
        for row in 0..walk.stops.len() {
            for &first in walk.offered(row) {
                for (by, to) in relation.stops_after(first) {
                    let Some(next) = walk.row(to) else { continue };
                    for then in walk.offered(next) {
                        let mut ports = network.outputs(to.at).iter();
                        let port = ports.position(|&channel| channel == then.channel).unwrap_or(0);
                        for v in bits(by) {
                            let vertex = first.channel.index() * vcs + v as usize;
                            after[vertex * most + port] |= then.vcs;
                        }
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

/// Proves that `relation` cannot deadlock on `network`, or says why not.
pub fn prove(network: &Network, relation: &Relation) -> Proof {
    judge(method(relation), graph(network, relation))
}

/// Proves that circuits set up by `relation` cannot deadlock, or says why not: circuits that wait for
/// their links (`waits`) by the dependency graph of the links, in which the channels of one link are
/// one vertex. Those that never wait cannot.
pub fn prove_circuits(network: &Network, relation: &Relation, links: &Links, waits: bool) -> Proof {
    if !waits {
        let vertices = links.of.len() * relation.virtual_channels() as usize;
        let nobody = (0..vertices).map(|_| std::iter::empty());
        return judge(
            Method::NoWaiting,
            Ok(Graph::new(nobody, Seen { vcs: 1, ..Seen::default() })),
        );
    }
    let graph = direct(network, relation);
    let lanes = relation.virtual_channels();
    let first = links.first_channels();
    let stands_for = |vc: u32| {
        let link = links.of[(vc / lanes) as usize] as usize;
        first[link].0 * lanes + vc % lanes
    };
    judge(Method::Circuits, graph.map(|graph| graph.merged(stands_for)))
}

/// The proof that follows from a graph by a theorem, or from the reason why there is no graph.
fn judge(method: Method, graph: Result<Graph, Verdict>) -> Proof {
    let (graph, verdict) = match graph {
        Err(refusal) => (Graph::default(), refusal),
        Ok(graph) => {
            let verdict = match graph.number() {
                Some(numbering) => {
                    let checked = graph.check(&numbering);
                    assert!(checked.is_ok(), "a numbering that was found grows along every edge");
                    Verdict::Free { numbering }
                }
                // Cycles are looked for in a larger copy.
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
        verdict,
    }
}
