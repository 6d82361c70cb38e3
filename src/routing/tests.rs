//! Tests of rules that read the virtual channel by which a head arrived.

mod drawn;

use std::sync::Arc;

use super::Relation;
use super::algorithm::prelude::*;
use super::algorithms::Routing;
use super::dependency::{Verdict, prove};
use crate::engine::Engine;
use crate::flows::Flows;
use crate::scenario;
use crate::system::System;
use crate::units::Cycle;

/// Dimension order that knows by the arrival alone on which side of the dateline a head is.
#[derive(Clone, Copy, Debug)]
struct ByArrival {
    /// Whether the class rises on the dateline.
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
        // Both put messages of all pairs on the same VCs, one after the other.
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
