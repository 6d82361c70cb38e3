//! Rules whose graph has a cycle are seen to deadlock, and what is found at run time lies inside the
//! component that was predicted; rules without one go on under the same load.

use flitscope::engine::Simulator;
use flitscope::engine::Snapshot;
use flitscope::engine::wormhole::WormholeEngine;
use flitscope::routing::dependency::{Verdict, graph, prove};
use flitscope::routing::{Classes, Escape, HalfWay, HopClasses, NorthLastClasses, Routing};
use flitscope::switching::Wormhole;
use flitscope::system::System;
use flitscope::topology::cube::Family;
use flitscope::traffic::{Destinations, Lengths, Process, Traffic};
use flitscope::units::{Cycle, Rate};

use super::shapes::{NORTH_LAST, ONE_WAY, PLANAR, TORUS, system};

fn overloaded(routing: Routing, half_way: HalfWay, family: Family, radix: &[u32]) -> System {
    let (network, relation) = system(&routing, half_way, family, radix, 0);
    let traffic =
        Traffic::random(Process::Poisson, Rate(0.03), Destinations::Uniform, Lengths::Fixed(20));
    let virtual_channels = relation.virtual_channels();
    System::new(network, routing, Wormhole::new(virtual_channels, 1), traffic)
        .with_half_way(half_way)
}

/// Runs until deadlock and checks that it is the one predicted.
fn deadlocks_as_predicted(routing: Routing, family: Family, radix: &[u32]) {
    let name = routing.name();
    let system = overloaded(routing, HalfWay::Random, family, radix);
    let proof = prove(&system.network, &system.relation);
    assert!(matches!(proof.verdict, Verdict::Cyclic { .. }), "{name}");
    let graph = graph(&system.network, &system.relation).expect("small enough");
    let components = graph.cyclic_components();

    let mut engine = WormholeEngine::new(&system, 1, 0);
    engine.advance(Cycle(400_000));
    let deadlock = engine.deadlock().unwrap_or_else(|| panic!("{name} went on")).clone();
    let mut snapshot = Snapshot::default();
    engine.observe(&mut snapshot);
    let circle = &deadlock.sets[0].circle;
    let home = components[circle[0].wants.index()];
    assert!(home.is_some(), "{name}");
    for (at, wait) in circle.iter().enumerate() {
        assert_eq!(components[wait.wants.index()], home, "{name}");
        // What the next worm holds from the VC wanted up to its head closes the walk.
        let next = circle[(at + 1) % circle.len()].worm;
        let view = snapshot.worms.iter().find(|view| view.id == next).expect("it is there");
        let held = snapshot.path_of(view);
        let from = held.iter().position(|&vc| vc == wait.wants).expect("it holds it");
        assert!(held[from..].iter().all(|vc| components[vc.index()] == home), "{name}");
    }
}

#[test]
fn unsafe_rules_deadlock_inside_the_predicted_component() {
    let mut rules = vec![
        Routing::dimension_order(Classes::None),
        Routing::minimal_adaptive(Escape::None),
        Routing::PositiveHop { classes: HopClasses::Below },
    ];
    rules.extend(
        NORTH_LAST
            .into_iter()
            .filter(|classes| {
                use NorthLastClasses::{SeamsCrossed, TwoNetwork, TwoNetworkDateline};
                !matches!(classes, TwoNetwork | TwoNetworkDateline | SeamsCrossed)
            })
            .map(|classes| Routing::NorthLast { classes }),
    );
    for routing in rules {
        deadlocks_as_predicted(routing, TORUS, &[6, 6]);
    }
    let classes = Classes::Static;
    deadlocks_as_predicted(Routing::dimension_order(classes), ONE_WAY, &[8, 8]);
    let [_, shared, _, separate] = PLANAR;
    deadlocks_as_predicted(shared.clone(), Family::Mesh, &[6, 6]);
    deadlocks_as_predicted(shared.clone(), Family::Mesh, &[4, 4, 3]);
    for radix in [&[6, 6][..], &[4, 4, 3]] {
        deadlocks_as_predicted(shared.clone(), TORUS, radix);
    }
    deadlocks_as_predicted(separate, TORUS, &[6, 6]);
    for routing in super::detours::unsafe_rules() {
        deadlocks_as_predicted(routing, Family::Mesh, &[6, 6]);
    }
}

#[test]
fn safe_rules_go_on() {
    let [planar, _, crossed, _] = PLANAR;
    let safe = [
        (Routing::POSITIVE_HOP, TORUS, HalfWay::Adaptive),
        (Routing::NegativeHop, TORUS, HalfWay::Adaptive),
        (Routing::NorthLast { classes: NorthLastClasses::TwoNetwork }, TORUS, HalfWay::Random),
        (
            Routing::NorthLast { classes: NorthLastClasses::TwoNetworkDateline },
            TORUS,
            HalfWay::Positive,
        ),
        (Routing::NorthLast { classes: NorthLastClasses::SeamsCrossed }, TORUS, HalfWay::Random),
        (Routing::dimension_order(Classes::Random), TORUS, HalfWay::Random),
        (Routing::minimal_adaptive(Escape::Dateline), TORUS, HalfWay::Adaptive),
        (Routing::final_escape(Escape::Dateline), TORUS, HalfWay::Adaptive),
        (Routing::WestFirst, Family::Mesh, HalfWay::Random),
        (Routing::NegativeFirst, Family::Mesh, HalfWay::Random),
        (Routing::OddEven, Family::Mesh, HalfWay::Random),
        (Routing::O1Turn, Family::Mesh, HalfWay::Random),
        (planar.clone(), Family::Mesh, HalfWay::Random),
        (planar, TORUS, HalfWay::Random),
        (crossed, TORUS, HalfWay::Random),
    ];
    let detours = super::detours::safe_rules(2);
    let detours = detours.map(|routing| (routing, Family::Mesh, HalfWay::Random));
    for (routing, family, half_way) in safe.into_iter().chain(detours) {
        let system = overloaded(routing.clone(), half_way, family, &[6, 6]);
        let proof = prove(&system.network, &system.relation);
        assert!(matches!(proof.verdict, Verdict::Free { .. }));
        let mut engine = WormholeEngine::new(&system, 1, 0);
        engine.advance(Cycle(60_000));
        assert_eq!(engine.deadlock(), None, "{}", routing.name());
        let delivered = engine.counters().delivered;
        engine.advance(Cycle(62_000));
        assert!(engine.counters().delivered > delivered);
    }
}

/// Boppana and Chalasani 1993, first footnote: "cannot be used for deadlock-free WH routing". Their
/// lemma is a sufficient condition only, and the messages with the most hops always advance.
#[test]
fn any_class_up_to_the_hops_goes_on_in_spite_of_its_cycles() {
    let routing = Routing::PositiveHop { classes: HopClasses::UpTo };
    for (family, radix) in [(TORUS, [6, 6]), (Family::Mesh, [4, 4])] {
        let system = overloaded(routing.clone(), HalfWay::Adaptive, family, &radix);
        let proof = prove(&system.network, &system.relation);
        assert!(matches!(proof.verdict, Verdict::Cyclic { .. }));
        assert!(proof.alternatives && !proof.can_deadlock());
        let mut engine = WormholeEngine::new(&system, 1, 0);
        engine.advance(Cycle(60_000));
        assert_eq!(engine.deadlock(), None);
        let delivered = engine.counters().delivered;
        engine.advance(Cycle(62_000));
        assert!(engine.counters().delivered > delivered);
    }
}
