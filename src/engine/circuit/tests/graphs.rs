//! Tests of circuits on graphs of switches, and with failed links.

use std::sync::Arc;

use super::{CircuitEngine, UNIFORM, machine};
use crate::engine::{Delivery, Simulator};
use crate::ids::ChannelId;
use crate::routing::{Classes, Paths, Rising, Roots, Routing};
use crate::switching::Circuit;
use crate::switching::circuit::{Conflict, Duplex};
use crate::system::System;
use crate::topology::cube::{Cube, Family};
use crate::topology::generators::{Butterfly, FatTree, Generator};
use crate::traffic::{Destinations, Lengths, Process, Traffic};
use crate::units::{Cycle, Rate};

/// Graphs of switches: hosts with links of their own, and one-way links; with failed links.
pub(super) fn all(rate: f64) -> Vec<System> {
    let up = || Routing::UpDown { roots: Roots::Hosts, paths: Paths::Host };
    let closer = || Routing::Minimal { classes: Rising::None };
    let shortest = || Routing::shortest_path(Paths::Split);
    let tree = || Generator::FatTree(FatTree { arity: 2, levels: 3 });
    let fly = || Generator::Butterfly(Butterfly { arity: 2, levels: 2 });
    let (drop, adaptive) = (Conflict::Drop { back_off: 0.7 }, Conflict::Adaptive { back_off: 0.3 });
    let mut systems = Vec::new();
    for (generator, routing, conflict, duplex) in [
        (tree(), up(), Conflict::Hold, Duplex::Full),
        (tree(), up(), Conflict::Hold, Duplex::Half),
        (tree(), up(), drop, Duplex::Full),
        (tree(), closer(), adaptive, Duplex::Half),
        (fly(), shortest(), Conflict::Hold, Duplex::Full),
        (fly(), closer(), adaptive, Duplex::Full),
    ] {
        let network = Arc::new(generator.network().unwrap());
        let traffic = Traffic::random(Process::Poisson, Rate(rate), Destinations::Uniform, UNIFORM);
        let system = System::new(network, routing, machine(conflict, duplex), traffic);
        let fails = system.relation.routing().offers_choice() && duplex == Duplex::Half;
        let failed = [ChannelId(0)].into_iter().filter(|_| fails).collect();
        systems.push(system.with_failed(failed));
    }
    systems
}

#[test]
fn hosts_of_a_switch_have_a_link_each_way_that_carries_one_circuit() {
    let cycles = |cycles: u64| cycles as f64 / 1024.0;
    let times = Circuit {
        verify: cycles(3),
        connect: cycles(5),
        release: cycles(11),
        acknowledge: cycles(7),
        ..machine(Conflict::Hold, Duplex::Full)
    };
    let network = Generator::FatTree(FatTree { arity: 2, levels: 3 }).network().unwrap();
    let traffic = Traffic::random(
        Process::Poisson,
        Rate(1e-5),
        Destinations::Uniform,
        Lengths::Fixed(10_000),
    );
    let up = Routing::UpDown { roots: Roots::Hosts, paths: Paths::Split };
    let lone = System::new(Arc::new(network), up, times, traffic);
    assert_eq!(lone.terminal_hops(), 2);
    let mut engine = CircuitEngine::new(&lone, 5, 0);
    assert_eq!(engine.links(), lone.network.links());
    let mut deliveries = Vec::new();
    engine.advance(Cycle(4_000_000 * 1024));
    engine.take_deliveries(&mut deliveries);
    let mut seen = [0u32; 7];
    for (at, delivery) in deliveries.iter().enumerate() {
        let clear = |other: &Delivery| {
            *other == *delivery || other.done < delivery.born || other.born > delivery.done
        };
        if !deliveries.iter().all(clear) {
            continue;
        }
        let ends = [delivery.source, delivery.destination].map(|it| lone.network.router_of(it));
        let hops = u64::from(delivery.hops);
        assert_eq!(delivery.hops, lone.network.distance(ends[0], ends[1]) + 2);
        assert_eq!(delivery.latency(), hops * (3 + 5) + 7 + 1024 + hops * 11, "{at}");
        // Links of hosts are not channels between routers.
        let held: u64 =
            (2..hops).map(|link| (hops - link) * (3 + 5) + 5 + 7 + 1024 + link * 11).sum();
        assert_eq!(delivery.held, held);
        seen[delivery.hops as usize] += 1;
    }
    assert!([2, 4, 6].iter().all(|&hops| seen[hops] > 10), "{seen:?}");
}

#[test]
fn a_failed_link_is_never_held_and_stops_only_hold() {
    let network = || Arc::new(Cube::network(Family::Hypercube, &[2; 4]));
    for (conflict, routing) in [
        (Conflict::Hold, Routing::dimension_order(Classes::None)),
        (Conflict::Adaptive { back_off: 0.3 }, Routing::Minimal { classes: Rising::None }),
    ] {
        let network = network();
        // Of the last dimension: circuits that wait for the link hold others.
        let fails = |&link: &ChannelId| {
            let channel = network.channel(link);
            [channel.from.0, channel.to.0].iter().all(|end| [0, 8].contains(end))
        };
        let failed: Vec<ChannelId> =
            (0..network.links()).map(ChannelId::new).filter(fails).collect();
        assert_eq!(failed.len(), 2);
        let placement = routing.on(&network.avoiding(&failed)).unwrap();
        let traffic = Traffic::random(Process::Poisson, Rate(0.1), Destinations::Uniform, UNIFORM);
        let machine = machine(conflict, Duplex::Half);
        let system = System::of(Arc::clone(&network), placement, machine, traffic);
        let mut engine = CircuitEngine::new(&system.with_failed(failed.clone()), 3, 0);
        let mut before = 0;
        for step in 1..=20 {
            engine.advance(Cycle(step * 100 * 1024));
            engine.audit().expect("the laws hold with failed links");
            assert!(failed.iter().all(|&link| engine.crossed(link) == 0 && engine.is_down(link)));
            let delivered = engine.counters().delivered;
            // 16 nodes generate 160 messages in 100 units of time.
            let goes_on = delivered - before > 100;
            before = delivered;
            assert!(step < 10 || goes_on == (conflict != Conflict::Hold), "{conflict:?} {step}");
        }
    }
}
