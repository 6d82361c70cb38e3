//! Checks the assumptions of models about a system.
//!
//! Each assumption is a function that describes its violation, or returns `None` if satisfied.

use super::Mismatch;
use super::effect::{self, Effect};
use crate::routing::Routing;
use crate::switching::{Bandwidth, Forwarding, Injection, Terminals};
use crate::system::System;
use crate::text::count;
use crate::traffic::{Destinations, Lengths};

pub(super) fn broken(assumes: &str, found: impl Into<String>, effect: Effect) -> Mismatch {
    Mismatch { assumes: assumes.to_string(), found: found.into(), slower: None, effect }
}

/// Requires that `holds` is true.
pub(super) fn required(
    holds: bool,
    assumes: &str,
    found: impl Into<String>,
    effect: Effect,
) -> Option<Mismatch> {
    (!holds).then(|| broken(assumes, found, effect))
}

pub(super) fn worms(system: &System) -> Option<Mismatch> {
    let circuit = system.circuit()?;
    let found = format!("circuits ({})", circuit.name());
    Some(broken("messages that travel as worms", found, effect::OTHER_NETWORK))
}

pub(super) fn random(system: &System) -> Option<Mismatch> {
    let traffic = &system.traffic;
    if traffic.closed_loop.is_some() {
        return Some(broken("random messages", "a closed loop", effect::OTHER_NETWORK));
    }
    if !traffic.classes.is_empty() {
        let found = "messages of several classes";
        return Some(broken("messages of one class", found, effect::OTHER_NETWORK));
    }
    let script = traffic.script.as_ref()?;
    let messages = count(script.len() as usize, "message", "messages");
    let found = format!("{messages} given one by one");
    Some(broken("random messages", found, effect::OTHER_NETWORK))
}

pub(super) fn uniform(system: &System) -> Option<Mismatch> {
    let (found, slower, effect) = match &system.traffic.destinations {
        Destinations::Uniform if system.traffic.to_itself => {
            let found = format!("one in {} messages is for its own source", system.network.nodes());
            (found, Some(false), effect::LOCALITY)
        }
        Destinations::Uniform => return all_send(system),
        Destinations::Hotspot { nodes, percent } => {
            let hot = match nodes.len() {
                1 => "a hot node".to_owned(),
                many => format!("{many} hot nodes"),
            };
            let effect = effect::hotspot(system, *percent / 100.0 / nodes.len() as f64);
            (format!("{percent} % of the messages go to {hot}"), Some(true), effect)
        }
        other @ (Destinations::Permutation(_) | Destinations::Offset(_)) => {
            (format!("{} destinations", other.name()), None, effect::PERMUTATION)
        }
        other @ Destinations::Weighted(_) => {
            (format!("destinations by a {}", other.name()), None, effect::PERMUTATION)
        }
        other @ Destinations::Local(_) => {
            (format!("{} destinations", other.name()), Some(false), effect::LOCALITY)
        }
    };
    Some(Mismatch { slower, ..broken("uniform destinations", found, effect) })
}

/// Destinations are uniform or depend on distance, so that all channels are used alike.
pub(super) fn by_distance(system: &System) -> Option<Mismatch> {
    if system.traffic.destinations.depend_on_distance() {
        all_send(system)
    } else {
        uniform(system)
    }
}

/// All nodes send at the same rate.
fn all_send(system: &System) -> Option<Mismatch> {
    let rates = system.rates();
    let found = format!("messages of {} of {} nodes", rates.senders(), system.network.nodes());
    required(rates.all_alike(), "messages of all nodes", found, effect::PERMUTATION)
}

pub(super) fn poisson(system: &System) -> Option<Mismatch> {
    let process = system.traffic.process;
    let bursts = process.comes_at_once();
    let effect = if bursts { effect::BURSTS } else { effect::REGULAR_GAPS };
    let found = broken("Poisson arrivals", process.unlike_poisson()?, effect);
    Some(found.making(bursts))
}

pub(super) fn one_length(system: &System) -> Option<Mismatch> {
    let found = match system.traffic.lengths {
        Lengths::Fixed(_) => return None,
        Lengths::Geometric { mean } => format!("geometric lengths with a mean of {mean} flits"),
        Lengths::Exponential { mean } => format!("exponential lengths with a mean of {mean} flits"),
        Lengths::Uniform { min, max } => format!("lengths from {min} to {max} flits"),
    };
    Some(broken("messages of one length", found, effect::LENGTHS).making(true))
}

pub(super) fn routing(system: &System, fits: bool, assumes: &str) -> Option<Mismatch> {
    required(fits, assumes, system.relation.routing().name(), effect::ROUTING)
}

pub(super) fn dimension_order(system: &System) -> Option<Mismatch> {
    let routing_of = system.relation.routing();
    let fits = matches!(routing_of, Routing::DimensionOrder { order, .. } if order.is_ascending());
    routing(system, fits, "dimension order")
}

/// Every channel has `expected` virtual channels; `why` contains the reason.
pub(super) fn virtual_channels(system: &System, expected: u32, why: &str) -> Option<Mismatch> {
    let found = system.wormhole()?.virtual_channels;
    let effect = effect::VIRTUAL_CHANNELS;
    let broken = required(found == expected, why, format!("{found} VCs per channel"), effect)?;
    Some(broken.making(found < expected))
}

/// Messages are longer than the longest route, so that the head arrives before the tail leaves the
/// source.
pub(super) fn long_messages(system: &System) -> Option<Mismatch> {
    let farthest = match system.relation.routes() {
        Some(routes) => routes.longest(),
        None => system.network.diameter(),
    };
    let length = system.traffic.lengths.mean();
    let found = format!("{length} flits, {farthest} channels");
    let long = length > f64::from(farthest);
    let effect = effect::short_messages(length, farthest);
    Some(required(long, "messages longer than the longest route", found, effect)?.making(false))
}

/// A worm without obstacles moves a flit per cycle and channel.
pub(super) fn full_speed(system: &System) -> Option<Mismatch> {
    let machine = system.wormhole()?;
    if let Some(pipelined) = immediate(system) {
        return Some(pipelined);
    }
    let found = if machine.bandwidth == Bandwidth::Fixed && machine.virtual_channels > 1 {
        format!("a flit in {} cycles on each of the VCs", machine.virtual_channels)
    } else if machine.forwarding == Forwarding::StoreAndForward {
        "store-and-forward".to_string()
    } else if machine.buffer_flits < machine.round_trip() {
        let (flits, cycles) = (machine.buffer_flits, machine.round_trip());
        let plural = |number| if number == 1 { "" } else { "s" };
        let pass = if flits == 1 { "one flit".into() } else { format!("{flits} flits") };
        format!("buffers of {flits} flit{}, which pass {pass} in {cycles} cycles", plural(flits))
    } else if machine.channel_delay > 1 {
        format!("channels over which a flit is under way for {} cycles", machine.channel_delay)
    } else {
        return None;
    };
    Some(broken("a flit per cycle and channel", found, effect::PACE).making(true))
}

/// A router without a pipeline.
pub(super) fn immediate(system: &System) -> Option<Mismatch> {
    let stages = system.wormhole()?.pipeline.stages()?;
    let found = format!("a pipeline, in which a head takes {} cycles", stages.of_head());
    Some(broken("routers that a head passes in a cycle", found, effect::PACE).making(true))
}

/// A source sends one flit per cycle, with any number of messages waiting.
pub(super) fn one_flit_per_cycle(system: &System) -> Option<Mismatch> {
    let found = match system.wormhole()?.injection {
        Injection::OneFlitPerCycle | Injection::OneMessage | Injection::RepliesFirst => {
            return None;
        }
        Injection::Independent { .. } => "messages that leave their source independently",
    };
    Some(broken("sources that send a flit per cycle", found, effect::SOURCES).making(false))
}

/// Nodes have injection and ejection channels counted as hops, or sources feed the first link
/// directly.
pub(super) fn terminals(system: &System, channels: bool) -> Option<Mismatch> {
    const CHANNELS: &str = "injection and ejection channels, 2 hops of every route";
    const DIRECT: &str = "sources that feed the first link directly";
    let found = system.wormhole()?.terminals == Terminals::Channels;
    let (assumes, other) = if channels { (CHANNELS, DIRECT) } else { (DIRECT, CHANNELS) };
    Some(required(found == channels, assumes, other, effect::TERMINALS)?.making(found))
}
