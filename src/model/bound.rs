//! The longest that a message can take, whatever happens, where token buckets limit what sources send.
//!
//! It follows the worst chain of events that the machine's rules allow. It is a calculus of our own for this machine, in the manner of
//! buffer-aware network calculus for wormholes (F. Giroudot and A. Mifdaoui, *Buffer-aware worst-case
//! timing analysis of wormhole `NoCs` using network calculus*, RTAS 2018; *Graph-based approach for
//! buffer-aware timing analysis of heterogeneous wormhole `NoCs` under bursty traffic*, IEEE Access
//! 8, 2020), whose direct and indirect blocking it follows, over as many routers as a worm stretches.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | L, B | `Worms` | longest message, buffer | flits |
//! | n | `hops` | links of a route | – |
//! | w | `width` | VCs that may share a channel of the route | – |
//! | b, r | [`Bucket`] | the bucket of a source | messages, 1/cycle |
//! | `N_s(t)` | [`Bucket::messages_within`] | messages that source s generates within t cycles, at most | – |
//! | `D_s` | `longest` | the longest that a message of s can take | cycles |
//! | `c_s` | `Closure::cost` | what one of its messages can cost another one | cycles |
//!
#![doc = include_str!("bound/derivation.md")]

mod blocking;
mod routes;

use self::blocking::{Blocking, Worms};
use self::routes::{Route, Routes};
use super::{Unsolved, wanted};
use crate::ids::NodeId;
use crate::switching::Wormhole;
use crate::system::System;
use crate::traffic::Lengths;
use crate::traffic::arrivals::Bucket;
use crate::traffic::sources::window;
use crate::units::Rate;

/// The most that routes times sets of VCs may be: some seconds of work.
const WORK_MAX: usize = 1 << 24;
/// No bound is above this many cycles.
const CYCLES_MAX: f64 = 1e9;

/// The longest that messages of one source to one destination can take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flow {
    pub source: NodeId,
    pub destination: NodeId,
    /// Links of the longest of their routes.
    pub hops: u32,
    /// Cycles from generation to the consumption of the tail that no message exceeds.
    pub cycles: u64,
}

/// The longest that messages can take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// Of every pair of nodes between which messages are sent, by source and destination.
    pub flows: Vec<Flow>,
}

impl Bound {
    /// The flow with the longest, of equals the first.
    pub fn worst(&self) -> Flow {
        let worst = self.flows.iter().rev().max_by_key(|flow| flow.cycles);
        *worst.expect("some node sends")
    }
}

/// The bound of `system` at `rate` messages per sending node and cycle; why there is none in one
/// sentence.
pub fn bound(system: &System, rate: Rate) -> Result<Bound, Unsolved> {
    Equations::of(system)?.solve(rate)
}

/// What does not depend on the rate.
#[derive(Clone, PartialEq, Debug)]
pub struct Equations {
    process: crate::traffic::Process,
    worms: Worms,
    routes: Routes,
    order: Vec<u32>,
    nodes: usize,
}

impl Equations {
    /// The equations of `system`, or why it has none.
    pub fn of(system: &System) -> Result<Self, Unsolved> {
        let refuse = |why: String| Err(Unsolved::NotCovered(why));
        let Some(machine) = system.wormhole() else {
            return refuse("the bound is one of worms, and here messages use circuits".into());
        };
        let process = system.traffic.process;
        if process.bucket(system.traffic.rate).is_none() {
            return refuse(
                "no source is kept from sending any number of messages at once; `TokenBucket` and \
                 `GreedyBucket` arrivals are limited"
                    .into(),
            );
        }
        let length = match system.traffic.lengths {
            Lengths::Fixed(length) | Lengths::Uniform { max: length, .. } => length,
            Lengths::Geometric { .. } | Lengths::Exponential { .. } => {
                return refuse(
                    "messages may have any length; `Fixed` and `Uniform` ones have not".into(),
                );
            }
        };
        if system.network.has_paced_links() {
            return refuse(super::PACED_LINKS.into());
        }
        if !machine.moves_by_default() {
            let found = machine.differences().join(", ");
            return refuse(format!(
                "it is derived for the default machine, and this one has {found}"
            ));
        }
        let routes = Routes::of(system)?;
        let Some(order) = routes.order.clone() else {
            return refuse(
                "worms may wait for each other in a circle, so that some wait for ever".into(),
            );
        };
        if routes.all.len() * routes.resources.len() > WORK_MAX {
            return refuse(format!(
                "it follows every pair of nodes over every channel, and {} routes over {} channels \
                 are too many",
                routes.all.len(),
                routes.resources.len()
            ));
        }
        let Wormhole { buffer_flits: buffer, .. } = *machine;
        let nodes = system.network.nodes();
        Ok(Self { process, worms: Worms { length, buffer }, routes, order, nodes })
    }

    /// The bound at a rate: the least fixed point of the equations, from below.
    pub fn solve(&self, rate: Rate) -> Result<Bound, Unsolved> {
        let Some(bucket) = self.process.bucket(rate) else {
            return Err(Unsolved::NotCovered("sources have no bucket".into()));
        };
        let Self { routes: Routes { all, .. }, nodes, .. } = self;
        let most = u64::from(window(*nodes));
        let mut longest = vec![0; *nodes];
        let mut times = vec![0; all.len()];
        let mut blocking = Blocking::default();
        loop {
            let under_way: Vec<u64> =
                longest.iter().map(|&it| bucket.messages_within(it)).collect();
            if under_way.iter().any(|&messages| messages > most) {
                return Err(too_high(rate));
            }
            let routes = &self.routes;
            let new = Blocking::of(routes, &self.order, self.worms, &under_way, &blocking)?;
            blocking = new.unwrap_or(blocking);
            let before = longest.clone();
            for (at, route) in all.iter().enumerate() {
                if route.source != all[at.saturating_sub(1)].source {
                    wanted::still()?;
                }
                let Some(time) = self.time(&bucket, &blocking, (at, route), times[at], &before)
                else {
                    return Err(too_high(rate));
                };
                times[at] = time;
                let source = &mut longest[route.source.index()];
                *source = time.max(*source);
            }
            if longest == before {
                return Ok(self.bound_of(&times));
            }
        }
    }

    /// How long a message on route `at` can take, if those of each source take at most `longest`; it is
    /// known to be no less than `least`. `None` if it would be more than [`CYCLES_MAX`].
    fn time(
        &self,
        bucket: &Bucket,
        blocking: &Blocking,
        (at, route): (usize, &Route),
        least: u64,
        longest: &[u64],
    ) -> Option<u64> {
        let alone = self.worms.moves(route.hops.len()) * f64::from(blocking.width_of_route[at]);
        let own = route.source.index();
        let rivalry = blocking.rivalry[own];
        let closure = blocking.of_route[at].map(|it| &blocking.closures[it as usize]);
        let mut time = least;
        loop {
            let messages = |source: usize| {
                let all = bucket.messages_within(longest[source] + time);
                (all - u64::from(source == own)) as f64
            };
            let cost = closure.map_or(&[][..], |closure| &closure.cost);
            let others = (0..).zip(cost).filter(|&(source, &cost)| cost > 0.0 && source != own);
            let others: f64 = others.map(|(source, cost)| messages(source) * cost).sum();
            let of_own = cost.get(own).copied().unwrap_or(0.0);
            // Younger messages of its source that hold it up may lose their turns to its own flits.
            let itself = if of_own > 0.0 { rivalry } else { 0.0 };
            let all = alone + others + messages(own) * of_own.max(rivalry) + itself;
            if all > CYCLES_MAX {
                return None;
            }
            // What is cut off by rounding is less than a cycle.
            let after = (all - 1e-6).ceil() as u64;
            if after <= time {
                return Some(time);
            }
            time = after;
        }
    }

    fn bound_of(&self, times: &[u64]) -> Bound {
        let mut flows: Vec<Flow> = Vec::new();
        for (route, &cycles) in self.routes.all.iter().zip(times) {
            let &Route { source, destination, ref hops } = route;
            let hops = hops.len() as u32;
            match flows.last_mut() {
                Some(last) if (last.source, last.destination) == (source, destination) => {
                    last.cycles = last.cycles.max(cycles);
                    last.hops = last.hops.max(hops);
                }
                _ => flows.push(Flow { source, destination, hops, cycles }),
            }
        }
        Bound { flows }
    }
}

fn too_high(Rate(rate): Rate) -> Unsolved {
    Unsolved::NotCovered(format!(
        "at {rate} messages/node/cycle buckets refill while their last messages may still be under way, \
         so that delays may add up without end"
    ))
}

#[cfg(test)]
mod tests;
