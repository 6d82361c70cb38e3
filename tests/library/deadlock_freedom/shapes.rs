//! Networks and rules to try.

use std::sync::Arc;

use flitscope::ids::VcId;
use flitscope::routing::dependency::Graph;
use flitscope::routing::{
    Classes, Escape, HalfWay, NorthLastClasses, PlanarClasses, Relation, Rising, Routing,
};
use flitscope::topology::Network;
use flitscope::topology::cube::{Cube, Family};
use petgraph::graph::DiGraph;

pub const TORUS: Family = Family::Torus { unidirectional: false };
pub const ONE_WAY: Family = Family::Torus { unidirectional: true };

pub const CLASSES: [Classes; 5] =
    [Classes::Destination, Classes::Dateline, Classes::Static, Classes::Random, Classes::None];
pub const ESCAPES: [Escape; 3] = [Escape::Destination, Escape::Dateline, Escape::None];
pub const NORTH_LAST: [NorthLastClasses; 9] = [
    NorthLastClasses::TwoNetwork,
    NorthLastClasses::TwoNetworkDateline,
    NorthLastClasses::SeparateDateline,
    NorthLastClasses::SeparateDestination,
    NorthLastClasses::SeparateStatic,
    NorthLastClasses::NoSeamAhead,
    NorthLastClasses::AfterFirstSeam,
    NorthLastClasses::AnySeam,
    NorthLastClasses::SeamsCrossed,
];

/// Planar-adaptive routing: in its safe form, with shared VCs, and with other classes on tori, of which
/// the first are safe.
pub const PLANAR: [Routing; 4] = [
    Routing::PlanarAdaptive { classes: PlanarClasses::ByDirection },
    Routing::PlanarAdaptive { classes: PlanarClasses::Shared },
    Routing::PlanarAdaptive { classes: PlanarClasses::SeamsCrossed },
    Routing::PlanarAdaptive { classes: PlanarClasses::SeparateDateline },
];

/// Every rule.
pub fn routings() -> Vec<Routing> {
    let mut all = vec![
        Routing::POSITIVE_HOP,
        Routing::NegativeHop,
        Routing::WestFirst,
        Routing::NegativeFirst,
        Routing::OddEven,
        Routing::O1Turn,
        Routing::Minimal { classes: Rising::Hops },
        Routing::Minimal { classes: Rising::None },
    ];
    all.extend(PLANAR);
    all.extend(CLASSES.map(Routing::dimension_order));
    all.extend(ESCAPES.map(Routing::minimal_adaptive));
    all.extend([Escape::Destination, Escape::Dateline].map(Routing::final_escape));
    all.extend(NORTH_LAST.map(|classes| Routing::NorthLast { classes }));
    all
}

/// A network, and the rule on it with `more` VCs than it needs.
pub fn system(
    routing: &Routing,
    half_way: HalfWay,
    family: Family,
    radix: &[u32],
    more: u32,
) -> (Arc<Network>, Relation) {
    let network = Arc::new(Cube::network(family, radix));
    let vcs = routing.serves(&network).unwrap().needed + more;
    let relation =
        Relation::new(routing.clone(), Arc::clone(&network), vcs).with_half_way(half_way);
    (network, relation)
}

/// Every radix list with up to `nodes` nodes, each dimension 2 at least and no longer than `longest`.
fn radixes(nodes: u32, longest: u32) -> Vec<Vec<u32>> {
    let mut all = Vec::new();
    let mut open = vec![vec![]];
    while let Some(radix) = open.pop() {
        for k in 2..=longest {
            let mut radix: Vec<u32> = radix.clone();
            radix.push(k);
            if radix.iter().product::<u32>() <= nodes {
                all.push(radix.clone());
                open.push(radix);
            }
        }
    }
    all
}

/// Every cube of up to `nodes` nodes.
pub fn networks(nodes: u32) -> Vec<(Family, Vec<u32>)> {
    let mut all = Vec::new();
    for radix in radixes(nodes, nodes) {
        for family in [TORUS, ONE_WAY, Family::Mesh] {
            all.push((family, radix.clone()));
        }
        if radix.iter().all(|&k| k == 2) {
            all.push((Family::Hypercube, radix));
        }
    }
    all
}

/// The same graph in the hands of another library.
pub fn second_opinion(graph: &Graph) -> DiGraph<(), (), u32> {
    let mut other = DiGraph::with_capacity(graph.vertices(), 0);
    for _ in 0..graph.vertices() {
        other.add_node(());
    }
    for vertex in 0..graph.vertices() {
        for to in graph.successors(VcId::new(vertex)) {
            other.add_edge((vertex as u32).into(), to.0.into(), ());
        }
    }
    other
}

/// Asserts that `cycle` is a cycle of `graph`.
pub fn assert_cycle(graph: &Graph, cycle: &[VcId]) {
    assert!(!cycle.is_empty());
    for (at, &vc) in cycle.iter().enumerate() {
        let next = cycle[(at + 1) % cycle.len()];
        assert!(graph.successors(vc).any(|to| to == next), "{vc:?} does not lead to {next:?}");
    }
}
