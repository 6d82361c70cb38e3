//! The sweep: service times and waits from the destinations back to the sources.
//!
//! | symbol | here | meaning | unit | equation |
//! |---|---|---|---|---|
//! | `R_{i\|j}` | `Edge::share` | share of channel i's messages that go on to j | – | (3) |
//! | `P_{i\|j}` | `Edge::blocking` | part of the wait for j that they suffer | – | (6) |
//! | – | `Ahead::base` | service time without waiting; L where no classes share | cycles | (4), app. A |
//! | – | `Ahead::waiting` | mean waiting further on; x = `base` + `waiting` | cycles | (3), (7) |
//! | W | `Ahead::wait` | mean wait for the channel | cycles | (4) |
//! | – | `Ahead::sharing` | cycles by which sharing holds up a tail on the links further on | cycles | app. A |

use super::routes::Flows;
use super::servers::{Resource, Source, Step};
use super::{ChannelFlow, Terminals};
use crate::model::queue::wait;
use crate::model::{self, Prediction, prediction, terms};

/// Messages that go on from one queue to the next.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Edge {
    to: u32,
    /// R.
    share: f64,
    /// P.
    blocking: f64,
}

/// What is constant about a queue.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Queue {
    /// λ/`λ_node`.
    share: f64,
    /// Cycles per flit are 1 + λ·L times this, by `λ_node`.
    sharing: f64,
    /// Its edges end here; they begin where those of the queue before end.
    edges_end: u32,
    /// Whether messages wait for it.
    waits: bool,
}

/// What is constant about a source.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Sender {
    share: f64,
    hops: f64,
    edges_end: u32,
}

/// What lies ahead of a message that is about to enter a queue.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Ahead {
    base: f64,
    waiting: f64,
    wait: f64,
    sharing: f64,
    /// Cycles per flit here.
    stretch: f64,
}

/// The parts of a latency, in cycles.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Parts {
    source: f64,
    blocking: f64,
    transfer: f64,
    sharing: f64,
    /// Not cycles: links of the route.
    hops: f64,
}

impl Parts {
    fn add(&mut self, other: &Self, weight: f64) {
        self.source += weight * other.source;
        self.blocking += weight * other.blocking;
        self.transfer += weight * other.transfer;
        self.sharing += weight * other.sharing;
        self.hops += weight * other.hops;
    }
}

/// The equations of one system, flat.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    length: f64,
    terminals: Terminals,
    /// Cycles for which a channel is held beyond the message's passing.
    hold_offset: f64,
    queues: Vec<Queue>,
    edges: Vec<Edge>,
    senders: Vec<Sender>,
    first_edges: Vec<Edge>,
    /// λ/`λ_node` by channel.
    links: Vec<f64>,
    /// The largest λ/`λ_node` of anything that carries one flit per cycle.
    busiest: f64,
    /// Whether some link is shared by classes.
    shared: bool,
}

impl Sweep {
    pub fn new(flows: Flows, length: f64, model: ChannelFlow) -> Self {
        let ChannelFlow { terminals, hold_offset } = model;
        let Flows { servers, sources, links } = flows;
        let ejection_waits = terminals == (Terminals::Channels { ejection_waits: true });
        let shares: Vec<f64> = servers.iter().map(|server| server.share).collect();
        let edge = |from: f64, step: &Step| Edge {
            to: step.to,
            share: step.share / from,
            blocking: 1.0 - step.share / shares[step.to as usize],
        };
        let mut edges = Vec::new();
        let mut queues = Vec::with_capacity(servers.len());
        let mut busiest = 0.0f64;
        for server in &servers {
            edges.extend(server.next.iter().map(|step| edge(server.share, step)));
            let (sharing, waits) = match server.resource {
                // App. A: of the flits in the way, (n − 1)/n are of other classes.
                Resource::Link(channel, _) => {
                    let (share, classes) = links[channel.index()];
                    (share * f64::from(classes - 1) / f64::from(classes), true)
                }
                Resource::Ejection(_) => (0.0, ejection_waits),
            };
            if waits {
                busiest = busiest.max(server.share);
            }
            let edges_end = edges.len() as u32;
            queues.push(Queue { share: server.share, sharing, edges_end, waits });
        }
        let mut first_edges = Vec::new();
        let mut senders = Vec::with_capacity(sources.len());
        for Source { share, hops, next } in sources {
            first_edges.extend(next.iter().map(|step| edge(share, step)));
            senders.push(Sender { share, hops, edges_end: first_edges.len() as u32 });
            busiest = busiest.max(share);
        }
        let shared = links.iter().any(|&(_, classes)| classes > 1);
        let links: Vec<f64> = links.into_iter().map(|(share, _)| share).collect();
        busiest = links.iter().copied().fold(busiest, f64::max);
        Self {
            length,
            terminals,
            hold_offset,
            queues,
            edges,
            senders,
            first_edges,
            links,
            busiest,
            shared,
        }
    }

    /// Eqs. (3)–(7) for every queue at `rate`, what is ahead first; `None` where one overflows.
    fn sweep(&self, rate: f64) -> Option<Vec<Ahead>> {
        // No channel carries more than a flit per cycle, whatever its classes.
        if rate * self.busiest * self.length >= 1.0 {
            return None;
        }
        let mut all: Vec<Ahead> = Vec::with_capacity(self.queues.len());
        let mut first = 0;
        for queue in &self.queues {
            let end = queue.edges_end as usize;
            let stretch = 1.0 + rate * self.length * queue.sharing;
            let own = stretch * self.length;
            let mut here = Ahead { stretch, ..Ahead::default() };
            for edge in &self.edges[first..end] {
                let next = &all[edge.to as usize];
                // As slow as the slowest channel ahead.
                here.base += edge.share * next.base.max(own);
                here.waiting += edge.share * (next.waiting + edge.blocking * next.wait);
                here.sharing += edge.share * (next.sharing + next.stretch - 1.0);
            }
            if first == end {
                // (11): the end of the route.
                here.base = own;
            }
            if queue.waits {
                let service = here.base + here.waiting + self.hold_offset;
                here.wait = wait(rate * queue.share, service, here.base + self.hold_offset)?;
            }
            all.push(here);
            first = end;
        }
        Some(all)
    }

    /// Eq. (1), part by part, for one source; `None` where its queue overflows.
    fn source(&self, rate: f64, sender: &Sender, edges: &[Edge], all: &[Ahead]) -> Option<Parts> {
        let mut ahead = Ahead::default();
        for edge in edges {
            let first = &all[edge.to as usize];
            ahead.base += edge.share * first.base;
            ahead.waiting += edge.share * first.waiting;
            ahead.sharing += edge.share * first.sharing;
            // For the first channel.
            ahead.wait += edge.share * edge.blocking * first.wait;
        }
        let sharing = ahead.base - self.length + ahead.sharing;
        let links = self.length + sender.hops - 1.0;
        let own = rate * sender.share;
        let hops = sender.hops;
        let blocking = ahead.wait + ahead.waiting;
        let source = wait(own, ahead.base + blocking, ahead.base)?;
        Some(match self.terminals {
            Terminals::Channels { .. } => {
                Parts { source, blocking, transfer: links + 2.0, sharing, hops }
            }
            // The wait for the first link is spent at the source.
            Terminals::Direct => Parts {
                source: source + ahead.wait,
                blocking: ahead.waiting,
                transfer: links,
                sharing,
                hops,
            },
        })
    }

    /// The parts for every source that sends anything, with its share of the messages.
    fn sources(&self, rate: f64) -> Option<Vec<Option<Parts>>> {
        let all = self.sweep(rate)?;
        let mut first = 0;
        let mut sources = Vec::with_capacity(self.senders.len());
        for sender in &self.senders {
            let end = sender.edges_end as usize;
            sources.push(if sender.share > 0.0 {
                Some(self.source(rate, sender, &self.first_edges[first..end], &all)?)
            } else {
                None
            });
            first = end;
        }
        Some(sources)
    }

    fn prediction(&self, parts: &Parts) -> Prediction {
        let mut terms = terms(parts.source, parts.blocking, parts.transfer);
        if self.shared {
            terms.push(model::sharing(parts.sharing));
        }
        prediction(terms, parts.hops, 1)
    }

    /// Eq. (1) for every source, by node; `None` within for a node that sends nothing.
    pub fn by_source(&self, rate: f64) -> Option<Vec<Option<Prediction>>> {
        let sources = self.sources(rate)?;
        Some(sources.iter().map(|parts| parts.as_ref().map(|p| self.prediction(p))).collect())
    }

    /// Eq. (2), every source weighted with the messages it sends.
    pub fn mean(&self, rate: f64) -> Option<Prediction> {
        let sources = self.sources(rate)?;
        let sent: f64 = self.senders.iter().map(|sender| sender.share).sum();
        let mut mean = Parts::default();
        for (sender, parts) in self.senders.iter().zip(&sources) {
            if let Some(parts) = parts {
                mean.add(parts, sender.share / sent);
            }
        }
        Some(self.prediction(&mean))
    }

    /// A rate at which the busiest queue overflows.
    pub fn overflow(&self) -> f64 {
        1.0 / (self.busiest * self.length)
    }

    /// Flits per cycle by channel.
    pub fn utilisation(&self, rate: f64) -> Vec<f64> {
        self.links.iter().map(|share| rate * share * self.length).collect()
    }
}
