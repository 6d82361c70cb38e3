//! Dimension order in a given order is ascending order on the network with its dimensions permuted.

use super::*;
use crate::routing::head::{Header, OWN_BIT};
use crate::routing::order::Order;
use crate::topology::cube::{Dimension, Family, Sign};

/// The routers and channels of `one`, whose dimension `order[at]` is dimension `at` of `other`.
struct Permuted<'a> {
    one: &'a Cube,
    other: &'a Cube,
    order: &'a [u8],
}

impl Permuted<'_> {
    fn router(&self, router: RouterId) -> RouterId {
        let here = self.one.coordinates(router);
        let there: Vec<u32> =
            self.order.iter().map(|&at| u32::from(here[usize::from(at)])).collect();
        self.other.router_at(&there).unwrap()
    }

    fn direction(&self, (dimension, sign): (usize, Sign)) -> (usize, Sign) {
        (self.order.iter().position(|&at| usize::from(at) == dimension).unwrap(), sign)
    }

    fn bits(&self, bits: u64) -> u64 {
        (0..).zip(self.order).fold(0, |found, (to, &at)| {
            let both = bits >> at & (1 | 1 << OWN_BIT);
            found | both << to
        })
    }
}

fn cases() -> Vec<(Family, Vec<Dimension>, &'static [u8])> {
    let ring = Dimension::new;
    let line = |radix| Dimension { wraps: false, ..ring(radix) };
    let [one_way, torus] = [true, false].map(|unidirectional| Family::Torus { unidirectional });
    vec![
        (Family::Mesh, vec![ring(3), ring(4)], &[1, 0]),
        (torus, vec![ring(4), ring(5)], &[1, 0]),
        (torus, vec![ring(4), line(3)], &[1, 0]),
        (torus, vec![line(4), ring(2), ring(3)], &[2, 0, 1]),
        (one_way, vec![ring(4), ring(3)], &[1, 0]),
        (Family::Hypercube, vec![ring(2); 4], &[3, 1, 0, 2]),
        (torus, vec![ring(4), ring(1), ring(3)], &[2, 1, 0]),
    ]
}

#[test]
fn routes_are_those_of_the_permuted_network() {
    let all = [Classes::Destination, Classes::Dateline, Classes::Static, Classes::Random];
    for (family, dimensions, order) in cases() {
        let permuted: Vec<Dimension> =
            order.iter().map(|&at| dimensions[usize::from(at)]).collect();
        let [one, other] =
            [&dimensions, &permuted].map(|it| Arc::new(Cube::with_dimensions(family, it)));
        let map = Permuted { one: one.grid().unwrap(), other: other.grid().unwrap(), order };
        for classes in all.into_iter().chain([Classes::None]) {
            let routing = Routing::DimensionOrder { classes, order: Order::new(order) };
            let vcs = routing.serves(&one).unwrap().needed + 1;
            let given = Relation::new(routing, Arc::clone(&one), vcs);
            let ascending =
                Relation::new(Routing::dimension_order(classes), Arc::clone(&other), vcs);
            let [left, right] = [(&one, &given), (&other, &ascending)].map(|(it, relation)| {
                let proof = prove(it, relation);
                (matches!(proof.verdict, Verdict::Free { .. }), proof.dependencies)
            });
            assert_eq!(left, right, "{}", one.name());
            let routers = || (0..one.routers()).map(RouterId::new);
            for (at, to) in routers().flat_map(|at| routers().map(move |to| (at, to))) {
                if at == to {
                    continue;
                }
                for bits in given.outcomes(Some(at), to).collect::<Vec<_>>() {
                    let header = Header::new(at, to, bits);
                    let [source, destination] = [at, to].map(|it| map.router(it));
                    let same = Header::new(source, destination, map.bits(bits));
                    let (here, there) = (given.first(at, &header), ascending.first(source, &same));
                    assert_eq!((here.vcs, here.more), (there.vcs, there.more));
                    let led = map.direction(map.one.direction(here.channel));
                    assert_eq!(led, map.other.direction(there.channel), "{}", one.name());
                }
            }
        }
    }
}

#[test]
fn flows_and_runs_follow_the_order() {
    for (network, machine) in [
        ("Torus(radix: [5, 4])", "Wormhole(virtual_channels: 2)"),
        ("Mesh(radix: [3, 3, 2])", "Wormhole()"),
        (
            "SwitchGrid(kind: Mesh, radix: [3, 3], hosts: 2)",
            "Wormhole(terminals: Channels, ejection: PerWorm)",
        ),
        ("Torus(radix: [4, 4])", "Circuit(conflict: Hold, service: 0.01)"),
    ] {
        let order = if network.contains("[3, 3, 2]") { "[2, 0, 1]" } else { "[1, 0]" };
        let circuits = machine.starts_with("Circuit");
        let lengths = if circuits { "Fixed(1.0)" } else { "Fixed(6)" };
        let text = format!(
            "Scenario(network: {network}, switching: {machine}, routing: DimensionOrder(order: \
             {order}), traffic: (arrivals: Poisson(rate: 0.02), destinations: Uniform, lengths: \
             {lengths}))"
        );
        let system = scenario::parse("test", &text, &[]).unwrap().system;
        let mut engine = Engine::new(&system, 3, 0);
        engine.advance(Cycle(20_000 * system.time_unit().cycles));
        engine.audit().unwrap();
        assert!(engine.counters().delivered > 1_000, "{network}");
        if circuits {
            continue;
        }
        // Flows by rows equal the counted routes.
        let flows = Flows::of(&system).unwrap();
        let mut counted = vec![0.0; system.network.links()];
        let nodes = || (0..system.network.nodes()).map(NodeId::new);
        let each = 1.0 / (system.network.nodes() - 1) as f64;
        for (from, to) in nodes().flat_map(|a| nodes().map(move |b| (a, b))) {
            let ways = system.relation.ways(from, to);
            for &bits in ways.iter().filter(|_| from != to) {
                let header = system.relation.header(from, to, bits);
                let mut at = header.source;
                while at != header.destination {
                    let next = system.relation.first(at, &header).channel;
                    counted[next.index()] += each / ways.len() as f64;
                    at = system.network.channel(next).to;
                }
            }
        }
        for (channel, expected) in counted.into_iter().enumerate() {
            let found: f64 = flows.classes.iter().map(|class| class.channels[channel].all()).sum();
            assert!((found - expected).abs() < 1e-9, "{network} {channel}: {found} {expected}");
        }
    }
}
