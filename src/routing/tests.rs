//! Tests of rules that read the virtual channel by which a head arrived, or labels and kinds of
//! links.

mod arrivals;
mod detours;
mod digraphs;
mod drawn;
mod hyper_x;
mod layered;
mod lines;
mod mended;
mod orders;
mod tables;
mod trees;

use std::sync::Arc;

use super::Relation;
use super::algorithm::prelude::*;
use super::algorithms::Routing;
use super::algorithms::minimal::Rising;
use super::dependency::{Verdict, prove};
use super::head::Stop;
use super::steps::wraps;
use crate::engine::Engine;
use crate::flows::Flows;
use crate::ids::NodeId;
use crate::scenario;
use crate::system::System;
use crate::topology::Network;
use crate::topology::generators::Generator;
use crate::units::Cycle;
use crate::words;

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

fn generated(text: &str) -> Arc<Network> {
    let generator: Generator = words::value(text).unwrap();
    Arc::new(generator.network().unwrap())
}

/// Proves a rule with all VCs that it needs.
fn verdict(network: &Arc<Network>, routing: &Routing) -> (u32, Verdict) {
    let needed = routing.serves(network).unwrap().needed;
    let relation = Relation::new(routing.clone(), Arc::clone(network), needed);
    (needed, prove(network, &relation).verdict)
}

#[test]
fn minimal_and_hierarchical_routing_are_proven_on_dragonflies() {
    let network = generated("Dragonfly(group: 4, hosts: 2, global: 2)");
    let needed = [
        (Routing::Hierarchical, 2),
        (Routing::Minimal { classes: Rising::Hops }, 3),
        // Some shortest routes cross three global links.
        (Routing::Minimal { classes: Rising::Kind(1) }, 4),
    ];
    for (routing, expected) in needed {
        let (needed, verdict) = verdict(&network, &routing);
        assert_eq!(needed, expected, "{routing:?}");
        assert!(matches!(verdict, Verdict::Free { .. }), "{routing:?}: {verdict:?}");
    }
    // No link has kind 7, so all classes are one, and shortest routes with two global links wait
    // for each other.
    let (needed, verdict) = verdict(&network, &Routing::Minimal { classes: Rising::Kind(7) });
    assert_eq!(needed, 1);
    assert!(matches!(verdict, Verdict::Cyclic { .. }), "{verdict:?}");
}

#[test]
fn hierarchical_routes_cross_one_global_link() {
    let network = generated("Dragonfly(group: 4, hosts: 2, global: 2)");
    let labels = network.labels().unwrap();
    let relation = Relation::new(Routing::Hierarchical, Arc::clone(&network), 2);
    let (mut found, mut with_two) = (Vec::new(), 0);
    let pairs =
        (0..36u32).flat_map(|one| (0..36).map(move |other| (RouterId(one), RouterId(other))));
    for (one, other) in pairs.filter(|(one, other)| one != other) {
        let host = |router| network.hosts_at(router)[0];
        let header = relation.header(host(one), host(other), 0);
        let (mut stop, mut hops, mut global) = (Stop::start(one), 0, 0);
        while stop.at != other {
            relation.candidates(stop, &header, &mut found);
            let [Candidate { channel, vcs }] = found[..] else { panic!("{found:?} at {stop:?}") };
            global += u32::from(network.channel(channel).attributes.kind);
            assert_eq!(vcs, 1 << global);
            (stop, hops) = (relation.stop_after(stop, &header, channel, global), hops + 1);
        }
        let groups = [one, other].map(|router| labels.of(router)[0]);
        assert_eq!(global, u32::from(groups[0] != groups[1]));
        assert!(hops <= 3);
        // Shorter routes with two global links exist.
        with_two += u32::from(hops > network.distances(one)[other.index()]);
    }
    assert!(with_two > 0);
}

#[test]
fn minimal_routing_offers_every_shortest_route_of_any_graph() {
    for (text, diameter) in [
        ("TwistedTorus(radix: [8, 4], twist: 4, hosts: 1)", 4),
        ("HyperX(radix: [3, 4], hosts: 2, width: [2, 1])", 2),
        ("Butterfly(arity: 2, levels: 3)", 7),
        ("FatTree(arity: 3, levels: 3)", 4),
    ] {
        let network = generated(text);
        let (needed, verdict) = verdict(&network, &Routing::Minimal { classes: Rising::Hops });
        assert_eq!(needed, diameter, "{text}");
        assert!(matches!(verdict, Verdict::Free { .. }), "{text}: {verdict:?}");
    }
    let cubes =
        ["Torus(radix: [4, 4])", "Mesh(radix: [5])", "Torus(radix: [5], links: Unidirectional)"];
    for cube in cubes {
        let text = format!(
            "Scenario(network: {cube}, switching: Wormhole(virtual_channels: 4), \
             routing: Minimal(), traffic: (arrivals: Poisson(rate: 0.02), destinations: Uniform, \
             lengths: Fixed(8)))"
        );
        let system = scenario::parse("test", &text, &[]).unwrap().system;
        let proof = prove(&system.network, &system.relation);
        assert!(matches!(proof.verdict, Verdict::Free { .. }), "{cube}: {proof:?}");
        let mut engine = Engine::new(&system, 5, 0);
        engine.advance(Cycle(20_000));
        engine.audit().unwrap();
        assert!(engine.counters().delivered > 500, "{cube}");
    }
}

#[test]
fn rules_refuse_graphs_that_they_do_not_serve() {
    let why = |network: &str, routing: Routing| {
        routing.serves(&generated(network)).unwrap_err().to_string()
    };
    let torus = "TwistedTorus(radix: [8, 4], twist: 4, hosts: 1)";
    assert_eq!(
        why(torus, Routing::Hierarchical),
        "hierarchical routing needs fully joined groups, and no link leads from s0 to s16; \
         write `Minimal()` or `UpDown()`"
    );
    assert!(why("Complete(routers: 4, hosts: 1)", Routing::Hierarchical).contains("has none"));
    let hyper = "HyperX(radix: [3, 3], hosts: 1)";
    assert!(Routing::Hierarchical.serves(&generated(hyper)).is_ok());
}
