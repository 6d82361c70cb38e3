//! Every rule on every network of up to 64 nodes: the safe ones are proven, the unsafe ones are not.

use flitscope::routing::dependency::{Method, Verdict, graph, prove};
use flitscope::routing::{
    Classes, Escape, HalfWay, NorthLastClasses, PlanarClasses, Rising, Routing,
};
use flitscope::topology::cube::{Cube, Family};
use rayon::prelude::*;

use super::shapes::{ONE_WAY, TORUS, assert_cycle, networks, routings, second_opinion, system};
use crate::share::share;

/// Hops of the longest path along a ring of `k` nodes.
fn longest(family: Family, k: u32) -> u32 {
    match family {
        TORUS => k / 2,
        _ => k - 1,
    }
}

/// Whether there can be no deadlock, by what is known of the rule.
fn safe(routing: &Routing, family: Family, radix: &[u32]) -> bool {
    let rings = matches!(family, Family::Torus { .. });
    // A ring whose paths are one hop long has no dependencies.
    let long_ring = rings && radix.iter().any(|&k| longest(family, k) >= 2);
    match routing {
        Routing::DimensionOrder { classes: Classes::None, .. } => !long_ring,
        Routing::DimensionOrder { classes: Classes::Static, .. } => {
            family != ONE_WAY || radix.iter().all(|&k| k < 4)
        }
        Routing::MinimalAdaptive { escape: Escape::None, .. }
        | Routing::Minimal { classes: Rising::None } => !long_ring && radix.len() == 1,
        // One way there is no other direction to share VCs with.
        Routing::PlanarAdaptive { classes: PlanarClasses::Shared } => {
            radix.len() == 1 || family == ONE_WAY
        }
        Routing::PlanarAdaptive { classes: PlanarClasses::SeparateDateline } => {
            radix.len() == 1 || !rings
        }
        Routing::NorthLast { classes } if rings => {
            use NorthLastClasses::{SeamsCrossed, TwoNetwork, TwoNetworkDateline};
            matches!(classes, TwoNetwork | TwoNetworkDateline | SeamsCrossed)
        }
        _ => true,
    }
}

/// Whether an unsafe rule may be safe after all on so small a network.
fn small_enough(routing: &Routing, family: Family, radix: &[u32]) -> bool {
    let by_size = match routing {
        Routing::NorthLast { .. } => true,
        Routing::PlanarAdaptive { .. } => family == TORUS,
        _ => false,
    };
    by_size && radix.iter().any(|&k| k < 4)
}

fn examine(routing: &Routing, half_way: HalfWay, family: Family, radix: &[u32], more: u32) -> bool {
    let (network, relation) = system(routing, half_way, family, radix, more);
    let proof = prove(&network, &relation);
    let name = format!("{} {half_way:?} on {family:?} {radix:?}", routing.name());
    let graph = graph(&network, &relation).unwrap_or_else(|no| panic!("{name}: {no:?}"));
    let method = match routing {
        Routing::MinimalAdaptive { escape: Escape::None, .. } => Method::DallySeitz,
        Routing::MinimalAdaptive { .. } => Method::Duato,
        _ => Method::DallySeitz,
    };
    assert_eq!(proof.method, method);
    let free = match &proof.verdict {
        Verdict::Free { numbering } => {
            graph.check(numbering).expect("numbers grow along every edge");
            assert!(graph.cyclic_components().iter().all(Option::is_none));
            true
        }
        Verdict::Cyclic { cycle } => {
            assert_cycle(&graph, cycle);
            let components = graph.cyclic_components();
            assert!(cycle.iter().all(|vc| components[vc.index()].is_some()));
            false
        }
        other => panic!("{name}: {other:?}"),
    };
    assert_eq!(free, !petgraph::algo::is_cyclic_directed(&second_opinion(&graph)), "{name}");
    assert!(
        free == safe(routing, family, radix) || free && small_enough(routing, family, radix),
        "{name}: {}",
        if free { "free" } else { "cyclic" }
    );
    free
}

#[test]
fn every_rule_on_every_network_up_to_64_nodes() {
    let mut cases = Vec::new();
    for (family, radix) in networks(64) {
        // The order of the dimensions matters to the rules, but from the third on only in name.
        if radix.len() > 2 && !radix.is_sorted() {
            continue;
        }
        let network = Cube::network(family, &radix);
        for routing in routings() {
            if routing.serves(&network).map_or(u32::MAX, |needs| needs.needed) > 32 {
                continue;
            }
            for half_way in [HalfWay::Random, HalfWay::Positive, HalfWay::Adaptive] {
                let ties = family == TORUS && radix.iter().any(|k| k % 2 == 0);
                let drawn = half_way == HalfWay::Random;
                if drawn || ties && (half_way != HalfWay::Adaptive || routing.may_choose_ways()) {
                    cases.push((routing.clone(), half_way, family, radix.clone()));
                }
            }
        }
    }
    assert!(cases.len() > 5000, "{}", cases.len());
    let cases = share(cases, 5);
    let free = cases
        .par_iter()
        .filter(|(routing, half_way, family, radix)| examine(routing, *half_way, *family, radix, 0))
        .count();
    assert!(free > cases.len() / 2 && free < cases.len());
}

#[test]
fn more_virtual_channels_change_no_verdict() {
    for (family, radix) in networks(20) {
        let network = Cube::network(family, &radix);
        for routing in routings() {
            if routing.serves(&network).is_ok_and(|needs| needs.needed <= 29) {
                examine(&routing, HalfWay::Random, family, &radix, 3);
            }
        }
    }
}

#[test]
fn what_is_too_large_is_refused_at_once() {
    for (routing, radix) in [
        (Routing::NegativeHop, [512, 2]),
        (Routing::dimension_order(Classes::Dateline), [256, 256]),
        (Routing::dimension_order(Classes::Destination), [256, 256]),
        (Routing::minimal_adaptive(Escape::Destination), [128, 128]),
    ] {
        let needs = routing.serves(&Cube::network(TORUS, &radix)).unwrap();
        if needs.needed > 32 {
            continue;
        }
        let (network, relation) = system(&routing, HalfWay::Random, TORUS, &radix, 0);
        let proof = prove(&network, &relation);
        assert!(matches!(proof.verdict, Verdict::TooLarge { .. }), "{:?}", proof.verdict);
    }
}
