//! Predicts the mean latency of wormhole networks with input buffers for several worms.
//!
//! The model is that of P.-C. Hu and L. Kleinrock, "An Analytical Model for Wormhole Routing with
//! Finite Size Input Buffers" ("002"), for any set of routes fixed at the source, with an acyclic
//! dependency graph of links.
//!
//! Contention for a link and the buffer behind it are one M/G/1/K queue
//! ([`finite`](super::queue::finite)): K is the number of competing input ports plus the worms that
//! fit into the buffer. Times are computed as two moments, link by link, from the ejection links
//! back to the hosts (`solve`), without a fixed point except within the queue.
//!
//! | Symbol | Code | Meaning | Unit | Equation |
//! |---|---|---|---|---|
//! | γ | `rate` | worms generated per host | 1/cycle | – |
//! | Δ | `buffer_flits` | size of an input buffer | flits | (8) |
//! | η | `channel_delay`, or a link's own | cycles from the sending of a flit until the flit is usable | cycles | (19) |
//! | κ | [`ChannelForecast::inputs`](super::ChannelForecast::inputs) | input ports that send worms to the link | – | 5.1 |
//! | T | [`Prediction::latency_mean`](super::Prediction::latency_mean) | delay | cycles | (19) |
//!
//! Choices not specified in the paper: κ counts only ports with flow to the link; the host's queue
//! and the first input buffer are one M/G/1 queue, with S of the injection link as service; an
//! ejection link needs no buffer. Not in the model: propagation and credit return do not affect the
//! waits.

mod routes;
mod sizes;
mod solve;

use super::assumptions::{self, required};
use super::link_paces::LinkPaces;
use super::{Mismatch, Model, Prepared, Unsolved, effect};
use crate::switching::{Allocation, Bandwidth, Ejection, Forwarding, Release, Terminals, Wormhole};
use crate::system::System;
use solve::Buffers;
pub use solve::Reading;

/// The model in one of its readings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FiniteBuffers(pub Reading);

impl Model for FiniteBuffers {
    fn title(&self) -> [&'static str; 2] {
        ["finite input buffers (Hu, Kleinrock)", self.0.into()]
    }

    /// True for machines with an injection channel, and an ejection channel for one worm at a time; in
    /// the reading `bufferless` only if flits stop in flight.
    fn covers(&self, system: &System) -> bool {
        system.wormhole().is_some_and(|machine| {
            machine.terminals == Terminals::Channels
                && machine.ejection == Ejection::Shared
                && (self.0 != Reading::Bufferless || machine.stops_flits_in_flight())
        })
    }

    fn assumptions(&self, system: &System) -> Vec<Option<Mismatch>> {
        let Some(machine) = system.wormhole() else { return Vec::new() };
        let forwarding = match machine.forwarding {
            Forwarding::Wormhole => "",
            Forwarding::CutThrough => "cut-through",
            Forwarding::StoreAndForward => "store-and-forward",
            Forwarding::Bubble => "bubble flow control",
        };
        let round_trip = longest_round_trip(system, machine);
        vec![
            assumptions::poisson(system),
            assumptions::virtual_channels(system, 1, "1 VC per channel"),
            assumptions::immediate(system),
            required(
                machine.injection.is_of_one_message(),
                "hosts that send one message at a time",
                format!("{:?}", machine.injection),
                effect::SOURCES,
            ),
            required(
                machine.release != Release::Drained,
                "links that are free when a tail has crossed, and worms one behind the other in a \
                 buffer",
                "links that are free when the tail has left the buffer",
                effect::MACHINE,
            ),
            required(
                machine.allocation != Allocation::OldestFirst,
                "first come first served",
                "the oldest message first",
                effect::SERVICE_ORDER,
            ),
            required(forwarding.is_empty(), "wormhole switching", forwarding, effect::PACE),
            required(
                machine.bandwidth != Bandwidth::Fixed || machine.virtual_channels == 1,
                "links that pass a flit per cycle",
                "a share of the link for each VC",
                effect::PACE,
            ),
            required(
                machine.buffer_flits >= round_trip,
                "buffers that cover the round trip of a flit and its credit",
                format!("{} flits, and {round_trip} cycles", machine.buffer_flits),
                effect::PACE,
            ),
        ]
    }

    fn link_paces(&self) -> LinkPaces {
        LinkPaces::Delays
    }

    /// Slightly lower for `bufferless`, which comes first on the machines it covers.
    fn usual_error(&self, _system: &System) -> f64 {
        if self.0 == Reading::Bufferless { 0.09 } else { 0.1 }
    }

    fn equations(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        let Some(machine) = system.wormhole().filter(|_| self.covers(system)) else {
            let needs = if self.0 == Reading::Bufferless {
                "this reading needs links whose flits stop in flight: `credit_delay: 0`, and \
                 `buffer_flits` equal to `channel_delay`"
            } else {
                "the model needs an injection channel, and an ejection channel that one worm \
                 holds at a time"
            };
            return Err(Unsolved::NotCovered(needs.to_owned()));
        };
        Ok(Box::new(Buffers::new(system, machine, self.0)?))
    }
}

/// Cycles from the sending of a flit over the longest link until its slot can be used again.
fn longest_round_trip(system: &System, machine: &Wormhole) -> u32 {
    let delays = system.network.channels().iter().filter_map(|it| it.attributes.delay);
    let own = delays.max().map_or(0, |delay| 2 * u32::from(delay.get()) + machine.credit_delay);
    machine.round_trip().max(own)
}
