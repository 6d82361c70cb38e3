//! The sweep: service times and waits from the destinations back to the sources.
//!
//! | symbol | here | meaning | unit | equation |
//! |---|---|---|---|---|
//! | `R_{i\|j}`, `P_{i\|j}` | `Step` | share of channel i's messages that go on to j; part of the wait for j that they suffer | – | (3), (6) |
//! | – | `Ahead::base` | service time without waiting; L where no classes share | cycles | (4), app. A |
//! | – | `Ahead::waiting` | mean waiting further on; x = `base` + `waiting` | cycles | (3), (7) |
//! | W | `Ahead::wait` | mean wait for the channel | cycles | (4) |
//! | – | `Ahead::sharing` | cycles by which sharing holds up a tail on the links further on | cycles | app. A |

use super::routes::Flows;
use super::servers::{Resource, Source, Step};
use super::{ChannelFlow, Terminals};
use crate::model::fixed_point::NoSolution;
use crate::model::queue::wait;
use crate::model::{Prediction, Prepared, Unsolved, prediction, sharing, terms};
use crate::units::Rate;

/// What lies ahead of a message that is about to enter a queue.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Ahead {
    base: f64,
    waiting: f64,
    wait: f64,
    sharing: f64,
    stretch: f64,
}

/// The wait at the source, blocking, transfer and sharing of a latency, in cycles.
type Parts = [f64; 4];

/// The equations for one system.
#[derive(Clone, Debug)]
pub struct Sources {
    model: ChannelFlow,
    length: f64,
    flows: Flows,
    /// The largest λ/`λ_node` of anything that carries one flit per cycle.
    busiest: f64,
    /// Whether some link is shared by classes.
    shared: bool,
}

impl Sources {
    pub(super) fn new(mut flows: Flows, length: f64, model: ChannelFlow) -> Self {
        let shares: Vec<f64> = flows.servers.iter().map(|server| server.share).collect();
        let next = flows.servers.iter_mut().map(|server| (server.share, &mut server.next));
        let first = flows.sources.iter_mut().map(|source| (source.share, &mut source.next));
        for (from, steps) in next.chain(first) {
            for step in steps {
                step.blocking = 1.0 - step.share / shares[step.to as usize];
                step.share /= from;
            }
        }
        let shared = flows.links.iter().any(|&(_, classes)| classes > 1);
        let mut all = Self { model, length, flows, busiest: 0.0, shared };
        let Flows { servers, sources, links } = &all.flows;
        let waiting = servers.iter().filter(|server| all.waits(server.resource));
        let shares = waiting.map(|server| server.share);
        let shares = shares.chain(sources.iter().map(|source| source.share));
        all.busiest = shares.chain(links.iter().map(|link| link.0)).fold(0.0, f64::max);
        all
    }

    fn waits(&self, resource: Resource) -> bool {
        let ejection_waits = Terminals::Channels { ejection_waits: true };
        matches!(resource, Resource::Link(..)) || self.model.terminals == ejection_waits
    }

    /// App. A: cycles per flit are 1 + λ·L times this, by `λ_node`: of the flits in the way,
    /// (n − 1)/n are of other classes.
    fn sharing(&self, resource: Resource) -> f64 {
        let Resource::Link(channel, _) = resource else { return 0.0 };
        let (share, classes) = self.flows.links[channel.index()];
        share * f64::from(classes - 1) / f64::from(classes)
    }

    /// Eqs. (3)–(7) for every queue at `rate`, what is ahead first; `None` where one overflows.
    fn sweep(&self, rate: f64) -> Option<Vec<Ahead>> {
        // No channel carries more than a flit per cycle, whatever its classes.
        if rate * self.busiest * self.length >= 1.0 {
            return None;
        }
        let hold_offset = self.model.hold_offset;
        let mut all: Vec<Ahead> = Vec::with_capacity(self.flows.servers.len());
        for server in &self.flows.servers {
            let stretch = 1.0 + rate * self.length * self.sharing(server.resource);
            let own = stretch * self.length;
            let mut here = Ahead { stretch, ..Ahead::default() };
            for &Step { to, share, blocking } in &server.next {
                let next = &all[to as usize];
                // As slow as the slowest channel ahead.
                here.base += share * next.base.max(own);
                here.waiting += share * (next.waiting + blocking * next.wait);
                here.sharing += share * (next.sharing + next.stretch - 1.0);
            }
            if server.next.is_empty() {
                // (11): the end of the route.
                here.base = own;
            }
            if self.waits(server.resource) {
                let service = here.base + here.waiting + hold_offset;
                here.wait = wait(rate * server.share, service, here.base + hold_offset)?;
            }
            all.push(here);
        }
        Some(all)
    }

    fn prediction(&self, [source, blocking, transfer, shared]: Parts, hops: f64) -> Prediction {
        let mut terms = terms(source, blocking, transfer);
        terms.extend(self.shared.then(|| sharing(shared)));
        prediction(terms, hops, 1)
    }

    /// Eq. (1), part by part, for one source; `None` where its queue overflows.
    fn source(&self, rate: f64, source: &Source, all: &[Ahead]) -> Option<Parts> {
        let mut ahead = Ahead::default();
        for &Step { to, share, blocking } in &source.next {
            let first = &all[to as usize];
            ahead.base += share * first.base;
            ahead.waiting += share * first.waiting;
            ahead.sharing += share * first.sharing;
            // For the first channel.
            ahead.wait += share * blocking * first.wait;
        }
        let sharing = ahead.base - self.length + ahead.sharing;
        let links = self.length + source.hops - 1.0;
        let blocking = ahead.wait + ahead.waiting;
        let own = wait(rate * source.share, ahead.base + blocking, ahead.base)?;
        Some(match self.model.terminals {
            Terminals::Channels { .. } => [own, blocking, links + 2.0, sharing],
            // The wait for the first link is spent at the source.
            Terminals::Direct => [own + ahead.wait, ahead.waiting, links, sharing],
        })
    }

    fn sources(&self, rate: f64) -> Option<Vec<Option<Parts>>> {
        let all = self.sweep(rate)?;
        let of = |source: &Source| match source.share {
            ..=0.0 => Some(None),
            _ => self.source(rate, source, &all).map(Some),
        };
        self.flows.sources.iter().map(of).collect()
    }

    /// Eq. (1): the prediction for each source at `rate`, by node id; `None` for a node that sends
    /// nothing.
    pub fn by_source(&self, rate: Rate) -> Result<Vec<Option<Prediction>>, Unsolved> {
        let parts = self.sources(rate.0).ok_or(Unsolved::Saturated { rate })?;
        let of =
            |(source, parts): (&Source, Option<Parts>)| Some(self.prediction(parts?, source.hops));
        Ok(self.flows.sources.iter().zip(parts).map(of).collect())
    }
}

impl Prepared for Sources {
    /// Eq. (2), every source weighted with the messages it sends.
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution> {
        let sources = self.sources(rate).ok_or(NoSolution::Saturated)?;
        let sent: f64 = self.flows.sources.iter().map(|source| source.share).sum();
        let (mut mean, mut hops) = (Parts::default(), 0.0);
        for (source, parts) in self.flows.sources.iter().zip(sources) {
            let Some(parts) = parts else { continue };
            let weight = source.share / sent;
            hops += weight * source.hops;
            mean.iter_mut().zip(parts).for_each(|(mean, part)| *mean += weight * part);
        }
        Ok(self.prediction(mean, hops))
    }

    fn overflow(&self) -> f64 {
        1.0 / (self.busiest * self.length)
    }

    fn utilisation(&self, Rate(rate): Rate) -> Option<Vec<f64>> {
        Some(self.flows.links.iter().map(|(share, _)| rate * share * self.length).collect())
    }
}
