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

mod routes;
mod sizes;
mod solve;
mod stations;

use super::assumptions::{self, required};
use super::fixed_point::NoSolution;
use super::queue;
use super::{ChannelForecast, Mismatch, Model, Part, Prediction, Prepared, Term, Unsolved};
use crate::ids::ChannelId;
use crate::switching::{
    Allocation, Bandwidth, Ejection, Forwarding, Injection, LatencyTo, Release, Terminals,
};
use crate::system::System;
use crate::topology::Role;
use crate::traffic::Lengths;
use crate::units::Rate;
pub use routes::{Link, Routes};
pub use solve::{Buffers, Reading};

/// The model in one of its readings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FiniteBuffers(pub Reading);

impl FiniteBuffers {
    /// The equations for any routes: worms of these lengths, buffers of `buffer_flits` at the end
    /// of every link. Fails where links wait for each other in a cycle, or a buffer holds more
    /// worms than the model follows.
    pub fn prepare_routes(
        &self,
        routes: &Routes,
        lengths: Lengths,
        buffer_flits: u32,
    ) -> Result<Buffers, Unsolved> {
        let name = |link: ChannelId| format!("link {}", link.0);
        Buffers::new(routes, lengths, buffer_flits, self.0, &name)
    }
}

impl Prepared for Buffers {
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution> {
        let Self { size, delay, ref stations, sent, .. } = *self;
        let solution = self.solution(rate).ok_or(NoSolution::Saturated)?;
        let term = |name, part, cycles| Term { name, part, cycles };
        let terms = vec![
            term("source waiting", Part::SourceWait, solution.source),
            term("contention for links", Part::Blocking, solution.contention),
            term("behind others in buffers", Part::Blocking, solution.buffering),
            term("transfer", Part::Transfer, size.mean - self.early),
            term("propagation", Part::Transfer, delay),
        ];
        let links = stations.iter().filter(|station| station.role == Role::Link);
        let hops = links.map(|station| station.flow).sum::<f64>() / sent;
        Ok(super::prediction(terms, hops, 1))
    }

    fn overflow(&self) -> f64 {
        let busiest = self.stations.iter().map(|s| s.flow).fold(0.0, f64::max);
        1.0 / (busiest * self.size.mean)
    }

    fn rate_tolerance(&self) -> f64 {
        1e-9
    }

    fn utilisation(&self, Rate(rate): Rate) -> Option<Vec<f64>> {
        let mut flits = vec![0.0; self.links];
        for station in &self.stations {
            flits[station.link.index()] = rate * station.flow * self.size.mean;
        }
        Some(flits)
    }

    fn channels(&self, Rate(rate): Rate) -> Option<Vec<ChannelForecast>> {
        let solution = self.solution(rate)?;
        let stations = self.stations.iter().zip(&solution.here);
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
        self.0.into()
    }

    /// An injection channel, and an ejection channel that one worm holds at a time.
    fn covers(&self, system: &System) -> bool {
        system.wormhole().is_some_and(|machine| {
            machine.terminals == Terminals::Channels && machine.ejection == Ejection::Shared
        })
    }

    fn assumptions(&self, system: &System) -> Vec<Option<Mismatch>> {
        let Some(machine) = system.wormhole() else { return Vec::new() };
        let forwarding = match machine.forwarding {
            Forwarding::Wormhole => "",
            Forwarding::CutThrough => "cut-through",
            Forwarding::StoreAndForward => "store-and-forward",
        };
        let round_trip = machine.round_trip();
        vec![
            assumptions::poisson(system),
            assumptions::virtual_channels(system, 1, "1 VC per channel"),
            required(
                machine.injection == Injection::OneMessage,
                "hosts that send one message at a time",
                format!("{:?}", machine.injection),
            ),
            required(
                machine.release != Release::Drained,
                "links that are free when a tail has crossed, and worms one behind the other in a \
                 buffer",
                "links that are free when the tail has left the buffer",
            ),
            required(
                machine.allocation != Allocation::OldestFirst,
                "first come first served",
                "the oldest message first",
            ),
            required(forwarding.is_empty(), "wormhole switching", forwarding),
            required(
                machine.bandwidth != Bandwidth::Fixed || machine.virtual_channels == 1,
                "links that pass a flit per cycle",
                "a share of the link for each VC",
            ),
            required(
                machine.buffer_flits >= round_trip,
                "buffers that cover the way of a flit and its credit",
                format!("{} flits, and {round_trip} cycles", machine.buffer_flits),
            ),
        ]
    }

    fn equations(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        let Some(machine) = system.wormhole().filter(|_| self.covers(system)) else {
            return Err(Unsolved::NotCovered(
                "the model needs an injection channel, and an ejection channel that one worm \
                 holds at a time"
                    .to_owned(),
            ));
        };
        let routes = Routes::follow(system, machine.channel_delay)?;
        let name = |link| system.network.channel_name(link);
        let lengths = system.traffic.lengths;
        let mut buffers = Buffers::new(&routes, lengths, machine.buffer_flits, self.0, &name)?;
        let early = if machine.latency_to == LatencyTo::EndOfCycle { 0.0 } else { 1.0 };
        buffers.early = early;
        Ok(Box::new(buffers))
    }
}
