//! Mean latency of wormhole networks whose input buffers may hold several worms: the model of
//! P.-C. Hu and L. Kleinrock, "An Analytical Model for Wormhole Routing with Finite Size Input
//! Buffers" ("002"), for any set of routes that are fixed at the source and whose links depend on
//! each other without a cycle.
//!
//! Contention for a link and the buffer behind it are one M/G/1/K queue
//! ([`queue::finite`]): K counts the input ports that compete and the worms
//! that fit into the buffer. Times are worked out as two moments, link by link, from the ejection
//! links back to the hosts (`solve`); no fixed point is needed but the one within the queue.
//!
//! | symbol | here | meaning | unit | equation |
//! |---|---|---|---|---|
//! | γ | `rate` | worms generated per host | 1/cycle | – |
//! | Δ | `buffer_flits` | room of an input buffer | flits | (8) |
//! | η | [`Link::delay`] | cycles from sending a flit to its being usable | cycles | (19) |
//! | κ | [`ChannelForecast::inputs`] | input ports that send worms to the link | – | 5.1 |
//! | T | [`Prediction::latency_mean`] | delay | cycles | (19) |
//!
//! What the paper leaves open is decided so: κ counts ports that really feed the link; the host's
//! queue and the first input buffer are one M/G/1 queue, whose service is S of the injection link;
//! an ejection link needs no buffer. Not in the model: propagation and the way back of credits do
//! not enter the waits.

mod follow;
mod order;
mod reading;
mod routes;
mod sizes;
mod solve;
mod stations;

use super::assumptions::{self, broken};
use super::{ChannelForecast, Mismatch, Model, Part, Prediction, Prepared, Term, Unsolved, queue};
use crate::ids::ChannelId;
use crate::switching::{
    Allocation, Bandwidth, Ejection, Forwarding, Injection, LatencyTo, Release, Terminals,
};
use crate::system::System;
use crate::topology::Role;
use crate::traffic::Lengths;
use crate::units::Rate;
pub use reading::Reading;
pub use routes::{Link, Routes};
use solve::{Equations, Refused};

/// Relative width at which the search for the saturation rate stops.
const RATE_TOLERANCE: f64 = 1e-9;

/// The model in one of its readings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FiniteBuffers {
    reading: Reading,
}

impl FiniteBuffers {
    /// The model in this reading.
    pub const fn new(reading: Reading) -> Self {
        Self { reading }
    }

    /// Whether the model is made for machines like this: hosts with an injection channel and an
    /// ejection channel that one worm holds at a time.
    pub fn covers(system: &System) -> bool {
        system.wormhole().is_some_and(|machine| {
            machine.terminals == Terminals::Channels && machine.ejection == Ejection::Shared
        })
    }

    /// The equations for any routes: worms of these lengths, buffers of `buffer_flits` at the end
    /// of every link. Fails where links wait for each other in a cycle, or a buffer holds more
    /// worms than the model follows.
    pub fn prepare_routes(
        &self,
        routes: &Routes,
        lengths: Lengths,
        buffer_flits: u32,
    ) -> Result<Network, Unsolved> {
        self.network(routes, lengths, buffer_flits, &|link| format!("link {}", link.0))
    }

    fn network(
        self,
        routes: &Routes,
        lengths: Lengths,
        buffer_flits: u32,
        name: &dyn Fn(ChannelId) -> String,
    ) -> Result<Network, Unsolved> {
        let equations = Equations::new(routes, lengths, buffer_flits, self.reading);
        let equations = equations.map_err(|refused| {
            Unsolved::NotCovered(match refused {
                Refused::Cyclic(link) => format!(
                    "the model needs links that wait for each other without a cycle; these routes \
                     have a cycle through {}",
                    name(link)
                ),
                Refused::TooLong => format!(
                    "the model follows at most {} worms in a buffer; {buffer_flits} flits can \
                     hold more",
                    sizes::WORMS_MAX
                ),
            })
        })?;
        Ok(Network { equations, links: routes.links().len(), early: 0.0 })
    }
}

/// The equations for one network.
#[derive(Clone, Debug)]
pub struct Network {
    equations: Equations,
    links: usize,
    /// Cycles before the end of the cycle in which the tail comes in at which a delay ends: 0 in
    /// the paper.
    early: f64,
}

impl Prepared for Network {
    fn predict(&self, rate: Rate) -> Result<Prediction, Unsolved> {
        let solution = self.equations.solve(rate.0).ok_or(Unsolved::Saturated { rate })?;
        let terms = vec![
            Term { name: "source waiting", part: Part::SourceWait, cycles: solution.source },
            Term {
                name: "contention for links",
                part: Part::Blocking,
                cycles: solution.contention,
            },
            Term {
                name: "behind others in buffers",
                part: Part::Blocking,
                cycles: solution.buffering,
            },
            Term {
                name: "transfer",
                part: Part::Transfer,
                cycles: self.equations.size.mean - self.early,
            },
            Term { name: "propagation", part: Part::Transfer, cycles: self.equations.delay },
        ];
        let links = self.equations.stations.iter().filter(|station| station.role == Role::Link);
        let hops = links.map(|station| station.flow).sum::<f64>() / self.equations.sent;
        Ok(super::prediction(terms, hops, 1))
    }

    fn saturation_rate(&self) -> Rate {
        let busiest = self.equations.stations.iter().map(|s| s.flow).fold(0.0, f64::max);
        let overflow = 1.0 / (busiest * self.equations.size.mean);
        queue::saturation_within(overflow, RATE_TOLERANCE, |rate| {
            self.equations.solve(rate).is_some()
        })
    }

    fn utilisation(&self, Rate(rate): Rate) -> Option<Vec<f64>> {
        let mut flits = vec![0.0; self.links];
        for station in &self.equations.stations {
            flits[station.link.index()] = rate * station.flow * self.equations.size.mean;
        }
        Some(flits)
    }

    fn channels(&self, Rate(rate): Rate) -> Option<Vec<ChannelForecast>> {
        let solution = self.equations.solve(rate)?;
        let stations = self.equations.stations.iter().zip(&solution.here);
        let mut channels: Vec<ChannelForecast> = stations
            .map(|(station, here)| {
                let flow = rate * station.flow;
                let link = station.role == Role::Link;
                let source = queue::wait_of(flow, here.service);
                let first = station.role == Role::Injection;
                ChannelForecast {
                    channel: station.link,
                    rank: station.rank,
                    inputs: station.inputs as u32,
                    flow,
                    service: here.service,
                    wait_mean: if first { source } else { here.wait.mean },
                    contention_mean: if first { source } else { here.contention.mean },
                    buffering_mean: here.buffering.mean,
                    full: link.then_some(here.full),
                    held_mean: (!first).then_some(here.held),
                }
            })
            .collect();
        channels.sort_by_key(|channel| channel.channel);
        Some(channels)
    }
}

impl Model for FiniteBuffers {
    fn name(&self) -> &'static str {
        "finite input buffers (Hu, Kleinrock)"
    }

    fn reading(&self) -> &'static str {
        self.reading.name()
    }

    fn mismatches(&self, system: &System) -> Vec<Mismatch> {
        let Some(machine) = system.wormhole() else {
            return assumptions::worms(system).into_iter().collect();
        };
        let one_message = (machine.injection != Injection::OneMessage).then(|| {
            broken("hosts that send one message at a time", format!("{:?}", machine.injection))
        });
        let release = (machine.release == Release::Drained).then(|| {
            broken(
                "links that are free when a tail has crossed, and worms one behind the other in a \
                 buffer",
                "links that are free when the tail has left the buffer",
            )
        });
        let order = (machine.allocation == Allocation::OldestFirst)
            .then(|| broken("first come first served", "the oldest message first"));
        let forwarding = match machine.forwarding {
            Forwarding::Wormhole => None,
            Forwarding::CutThrough => Some("cut-through"),
            Forwarding::StoreAndForward => Some("store-and-forward"),
        };
        let fixed = (machine.bandwidth == Bandwidth::Fixed && machine.virtual_channels > 1)
            .then(|| broken("links that pass a flit per cycle", "a share of the link for each VC"));
        let round_trip = machine.round_trip();
        let short = (machine.buffer_flits < round_trip).then(|| {
            broken(
                "buffers that cover the way of a flit and its credit",
                format!("{} flits, and {round_trip} cycles", machine.buffer_flits),
            )
        });
        let others = [
            assumptions::poisson(system),
            assumptions::virtual_channels(system, 1, "1 VC per channel"),
            one_message,
            release,
            order,
            forwarding.map(|found| broken("wormhole switching", found)),
            fixed,
            short,
        ];
        others.into_iter().flatten().collect()
    }

    fn prepare(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        let machine = assumptions::machine(system)?;
        if !Self::covers(system) {
            return Err(Unsolved::NotCovered(
                "the model needs an injection channel, and an ejection channel that one worm \
                 holds at a time"
                    .to_owned(),
            ));
        }
        let routes = follow::routes(system, machine.channel_delay)?;
        let name = |link| system.network.channel_name(link);
        let network = self.network(&routes, system.traffic.lengths, machine.buffer_flits, &name)?;
        let early = if machine.latency_to == LatencyTo::EndOfCycle { 0.0 } else { 1.0 };
        Ok(Box::new(Network { early, ..network }))
    }
}
