//! Tests of rules that read the virtual channel by which a head arrived, or labels and kinds of
//! links.

mod drawn;

use std::sync::Arc;

use super::Relation;
use super::algorithm::prelude::*;
use super::algorithms::Routing;
use super::dependency::{Verdict, prove};
use super::head::{Candidate, Stop};
use crate::engine::Engine;
use crate::flows::Flows;
use crate::ids::ChannelId;
use crate::scenario;
use crate::system::System;
use crate::topology::Network;
use crate::topology::attributes::Attributes;
use crate::topology::labels::{Labels, Level};
use crate::topology::switches::{Cable, Switches};
use crate::units::Cycle;

/// Dimension order that determines the side of the dateline from the arrival alone.
#[derive(Clone, Copy, Debug)]
struct ByArrival {
    /// True if the class increases at the dateline.
    rises: bool,
}

impl Algorithm for ByArrival {
    const NAME: &'static str = "e-cube by arrival";
    const HELP: &'static str = "Class 1 after the dateline.";
    const TIES: Ties = Ties::Settled;
    const READS_SOURCE: bool = false;
    const READS_ARRIVAL: bool = true;

    fn needs(&self, _: &Cube) -> Result<Needs, Misfit> {
        Ok(Needs::new(2, "before the dateline and after it"))
    }

    fn candidates(&self, mut step: Step<'_>) {
        let Some(hop) = step.in_order(Classes::None) else { return };
        let (cube, on) = (step.cube, step.on);
        let (dimension, sign) = cube.direction(hop.channel);
        let crossed = step.came.is_some_and(|came| {
            let from = on.network.channel(came.channel()).from;
            let [from, at] = [from, step.at].map(|router| cube.coordinates(router)[dimension]);
            let along = cube.direction(came.channel()).0 == dimension;
            let rose = on.class_vcs[1] >> came.vc() & 1 == 1;
            along && (rose || wraps(sign, from, at))
        });
        let vcs = on.class_vcs[usize::from(crossed && self.rises)];
        step.offer(dimension, sign, vcs);
    }
}

/// Systems of every machine with dateline classes, the rule by source and the rule by arrival.
fn pairs() -> Vec<(System, System)> {
    let networks = [
        "Torus(radix: [5, 4])",
        "Torus(radix: [5], links: Unidirectional)",
        "Torus(radix: [3, 3, 4])",
    ];
    let machines = [
        "Wormhole(virtual_channels: 2)",
        "Wormhole(virtual_channels: 5, selection: Random)",
        "Wormhole(virtual_channels: 3, release: Sent, buffer_flits: 3)",
        "Wormhole(virtual_channels: 2, terminals: Channels, ejection: PerWorm)",
        "Circuit(conflict: Hold, on_deadlock: Lanes, duplex: Full, service: 0.01)",
    ];
    let mut pairs = Vec::new();
    for network in networks {
        for machine in machines {
            let circuits = machine.starts_with("Circuit");
            let (routing, arrivals, lengths) = if circuits {
                ("DimensionOrder", "Poisson(rate: 0.05)", "Fixed(1.0)")
            } else {
                ("DimensionOrder(classes: Dateline)", "Geometric(rate: 0.02)", "Fixed(6)")
            };
            let text = format!(
                "Scenario(network: {network}, switching: {machine}, routing: {routing}, traffic: \
                 (arrivals: {arrivals}, destinations: Uniform, lengths: {lengths}))"
            );
            let by_source = scenario::parse("test", &text, &[]).unwrap().system;
            let by_arrival = replaced(&by_source, ByArrival { rises: true });
            pairs.push((by_source, by_arrival));
        }
    }
    pairs
}

/// The same system with another rule.
fn replaced(system: &System, rule: ByArrival) -> System {
    let routing: Routing = system.relation.routing().clone();
    let (network, vcs) = (Arc::clone(&system.network), system.relation.virtual_channels());
    let mut other = system.clone();
    other.relation = Relation::by(Arc::new(rule), routing, network, vcs);
    other
}

#[test]
fn proofs_and_flows_follow_the_arrival() {
    for (by_source, by_arrival) in pairs() {
        let [one, other] =
            [&by_source, &by_arrival].map(|system| prove(&system.network, &system.relation));
        assert!(matches!(other.verdict, Verdict::Free { .. }), "{other:?}");
        // Both rules use the same VCs in the same order for messages of all pairs.
        assert_eq!(one.dependencies, other.dependencies);
        let found =
            prove(&by_arrival.network, &replaced(&by_source, ByArrival { rises: false }).relation);
        assert!(matches!(found.verdict, Verdict::Cyclic { .. }), "{found:?}");
        let [one, other] = [&by_source, &by_arrival].map(|system| Flows::of(system).unwrap());
        let total = |flows: &Flows, channel: usize| -> f64 {
            flows.classes.iter().map(|class| class.channels[channel].all()).sum()
        };
        for channel in 0..by_source.network.links() {
            let (one, other) = (total(&one, channel), total(&other, channel));
            assert!((one - other).abs() < 1e-12, "channel {channel}: {one} and {other}");
        }
    }
}

#[test]
fn runs_follow_the_arrival() {
    for (by_source, by_arrival) in pairs() {
        let [mut one, mut other] =
            [&by_source, &by_arrival].map(|system| Engine::new(system, 3, 0));
        let unit = by_source.time_unit().cycles;
        for cycle in (500..=4_000).step_by(500).map(|part| part * unit.div_ceil(4)) {
            one.advance(Cycle(cycle));
            other.advance(Cycle(cycle));
            assert_eq!(one.fingerprint(), other.fingerprint(), "cycle {cycle}");
        }
        assert!(one.counters().delivered > 100);
    }
}

/// Routes over a single global link to the destination's group, with local links before and after.
#[derive(Clone, Copy, Debug)]
struct Hierarchical {
    /// The class after the global link.
    after: usize,
}

impl Algorithm for Hierarchical {
    const NAME: &'static str = "hierarchical";
    const HELP: &'static str = "Local, global, local.";

    fn serves(&self, network: &Network) -> Result<Needs, Misfit> {
        assert_eq!(network.labels().map(|labels| labels.levels().len()), Some(2));
        Ok(Needs::new(1 + self.after as u32, "before the global link, and after"))
    }

    fn candidates(&self, step: Step<'_>) {
        let network = step.network();
        let labels = network.labels().expect("routers have a group each");
        let [at, to, started] = [step.at, step.header.destination, step.header.source];
        let group = |router| labels.of(router)[0];
        let leads = |channel: &ChannelId| {
            let link = network.channel(*channel);
            if group(at) == group(to) {
                link.to == to
            } else {
                link.attributes.kind == 1 && group(link.to) == group(to)
            }
        };
        let arrived = group(at) == group(to) && group(started) != group(to);
        let direct = network.outputs(at).iter().copied().find(leads);
        // Otherwise another router of the group has the global link.
        let local = || {
            network.outputs(at).iter().copied().find(|&channel| {
                let there = network.channel(channel).to;
                let onward = |next: &ChannelId| {
                    let link = network.channel(*next);
                    link.attributes.kind == 1 && group(link.to) == group(to)
                };
                group(there) == group(at) && network.outputs(there).iter().any(onward)
            })
        };
        let class =
            if arrived || direct.is_some() && group(at) != group(to) { self.after } else { 0 };
        let vcs = step.on.class_vcs[class];
        step.found.extend(direct.or_else(local).map(|channel| Candidate { channel, vcs }));
    }
}

/// Groups of 4 routers, each with 2 global links and 2 hosts: 9 groups, every two connected.
fn dragonfly() -> Network {
    let (groups, size, each) = (9u32, 4u32, 2u32);
    let mut links: Vec<Cable> = Vec::new();
    for group in 0..groups {
        for one in 0..size {
            links.extend(
                (one + 1..size)
                    .map(|other| Cable::from((group * size + one, group * size + other))),
            );
        }
        for port in 0..size * each {
            // Port p of a group leads to the group p + 1 further on.
            let to = (group + port + 1) % groups;
            let back = groups - port - 2;
            if group < to {
                let attributes = Attributes { kind: 1, ..Attributes::default() };
                let ends = (group * size + port / each, to * size + back / each);
                links.push(Cable { attributes, ..Cable::from(ends) });
            }
        }
    }
    let hosts: Vec<u32> = (0..groups * size).flat_map(|router| [router; 2]).collect();
    let level = |name: &str, size| Level { name: name.to_owned(), size };
    let values =
        (0..groups).flat_map(|group| (0..size).flat_map(move |at| [group as u16, at as u16]));
    let labels = Labels::new(vec![level("group", groups), level("router", size)], values.collect());
    Switches::network((groups * size) as usize, &links, &hosts, None).with_labels(labels)
}

#[test]
fn a_rule_reads_labels_and_kinds_where_links_follow_no_lattice() {
    let network = Arc::new(dragonfly());
    assert_eq!(network.router_named("(8,3)"), Ok(RouterId(35)));
    let routing = Routing::ShortestPath { paths: Paths::First };
    let by = |after| {
        let rule = Arc::new(Hierarchical { after });
        Relation::by(rule, routing.clone(), Arc::clone(&network), 2)
    };
    let free = prove(&network, &by(1)).verdict;
    assert!(matches!(free, Verdict::Free { .. }), "{free:?}");
    let cyclic = prove(&network, &by(0)).verdict;
    assert!(matches!(cyclic, Verdict::Cyclic { .. }), "{cyclic:?}");
    for one in (0..36).map(RouterId) {
        for other in (0..36).map(RouterId).filter(|&other| other != one) {
            assert_eq!(network.labels().unwrap().router_at(&[one.0 / 4, one.0 % 4]), Some(one));
            let hops = route(&network, &by(1), one, other);
            assert!(hops <= 3 && (one.0 / 4 != other.0 / 4 || hops == 1), "{one:?} {other:?}");
        }
    }
}

/// The number of hops of the only route between two routers.
fn route(network: &Network, relation: &Relation, from: RouterId, to: RouterId) -> u32 {
    let host = |router| network.hosts_at(router)[0];
    let header = relation.header(host(from), host(to), 0);
    let (mut at, mut hops, mut found) = (from, 0, Vec::new());
    while at != to {
        relation.candidates(Stop::start(at), &header, &mut found);
        let [Candidate { channel, .. }] = found[..] else { panic!("{found:?} at {at:?}") };
        (at, hops) = (network.channel(channel).to, hops + 1);
        assert!(hops < 9);
    }
    hops
}
