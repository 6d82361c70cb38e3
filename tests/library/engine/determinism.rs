//! The same scenario and seed give the same run, however it is cut, watched or copied.

use std::sync::Arc;

use flitscope::engine::wormhole::WormholeEngine;
use flitscope::engine::{Engine, Simulator, Snapshot};
use flitscope::ids::{Letter, MessageId, WormId};
use flitscope::routing::{Classes, Escape, Routing};
use flitscope::scenario::{builtin, parse};
use flitscope::switching::{Preset, Release, Wormhole};
use flitscope::system::System;
use flitscope::topology::cube::{Cube, Family};
use flitscope::units::{Cycle, Rate};
use proptest::prelude::*;

use crate::systems::{any_router, any_system, default_system, uniform};

/// What the messages in the network are called, by age.
fn letters(engine: &WormholeEngine) -> Vec<(MessageId, Letter)> {
    let mut snapshot = Snapshot::default();
    engine.observe(&mut snapshot);
    snapshot.worms.iter().map(|worm| (worm.name(), worm.letter)).collect()
}

/// What is seen of the network, by names that last.
fn picture(engine: &WormholeEngine) -> impl PartialEq + std::fmt::Debug {
    let mut snapshot = Snapshot::default();
    engine.observe(&mut snapshot);
    let worms: Vec<_> = snapshot
        .worms
        .iter()
        .map(|worm| (worm.name(), worm.at_source, worm.consumed, worm.head, worm.head_at))
        .collect();
    let name = |row: WormId| engine.name_of(row);
    let waits: Vec<_> = snapshot
        .waits
        .iter()
        .map(|wait| (wait.kind, name(wait.worm), wait.at, wait.wants, wait.holder.map(name)))
        .collect();
    let stuck = engine.find_deadlock().map(|deadlock| {
        let names = |worms: &[WormId]| worms.iter().copied().map(name).collect::<Vec<_>>();
        let sets: Vec<_> = deadlock
            .sets
            .iter()
            .map(|set| (set.closed, set.closers.clone(), names(&set.worms), set.knot))
            .collect();
        (sets, names(&deadlock.caught))
    });
    let mut crossings = Vec::new();
    engine.crossings(&mut crossings);
    let Snapshot { vcs, path, path_flits, .. } = snapshot;
    (vcs, path, path_flits, crossings, worms, waits, stuck)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn slicing_watching_and_copying_change_nothing(
        system in any_router(),
        seed in any::<u64>(),
        cuts in prop::collection::vec(1u64..200, 1..12),
    ) {
        let end = Cycle(2500);
        let mut straight = Engine::new(&system, seed, 0);
        straight.advance(end);

        let mut cut = Engine::new(&system, seed, 0);
        let mut other = Engine::new(&system, seed ^ 1, 0);
        other.advance(Cycle(700));
        let mut snapshot = Snapshot::default();
        let mut batch = Vec::new();
        for cycles in cuts.iter().cycle() {
            let until = Cycle((cut.now().0 + cycles).min(end.0));
            cut.advance(until);
            cut.observe(&mut snapshot);
            let mut first = Snapshot::default();
            cut.observe(&mut first);
            prop_assert!(snapshot == first, "in used storage, a snapshot is another");
            cut.take_deliveries(&mut batch);
            // Go on in a copy made into used storage.
            other.clone_from(&cut);
            prop_assert_eq!(other.fingerprint(), cut.fingerprint());
            std::mem::swap(&mut cut, &mut other);
            if until == end || cut.deadlock().is_some() {
                break;
            }
        }
        prop_assert_eq!(cut.fingerprint(), straight.fingerprint());
        prop_assert_eq!(cut.counters(), straight.counters());
        prop_assert_eq!(cut.deadlock(), straight.deadlock());

        let mut reseeded = Engine::new(&system, seed.wrapping_add(1), 0);
        reseeded.advance(end);
        prop_assert_ne!(reseeded.fingerprint(), straight.fingerprint());
        let mut replicated = Engine::new(&system, seed, 1);
        replicated.advance(end);
        prop_assert_ne!(replicated.fingerprint(), straight.fingerprint());
    }

    #[test]
    fn the_order_in_which_lists_are_visited_changes_nothing(
        system in any_system(),
        seed in any::<u64>(),
        shuffle in 1u64..,
    ) {
        let mut straight = WormholeEngine::new(&system, seed, 0);
        let mut shuffled = straight.clone();
        shuffled.set_shuffle(shuffle);
        for now in (1..=40).map(|turn| Cycle(50 * turn)) {
            straight.advance(now);
            shuffled.advance(now);
            prop_assert_eq!(straight.fingerprint(), shuffled.fingerprint(), "by cycle {}", now);
            // Rows, and so the names of worms, may differ; what they hold and want may not.
            let places = |engine: &WormholeEngine| {
                engine.deadlock().map(|deadlock| {
                    let wants: Vec<_> =
                        deadlock.circles().map(|wait| (wait.kind, wait.at, wait.wants)).collect();
                    let sets: Vec<_> = deadlock
                        .sets
                        .iter()
                        .map(|set| (set.closed, set.closers.clone(), set.worms.len(), set.knot))
                        .collect();
                    (deadlock.found, sets, deadlock.caught.len(), wants)
                })
            };
            prop_assert_eq!(places(&straight), places(&shuffled));
            prop_assert_eq!(letters(&straight), letters(&shuffled));
        }
    }

    #[test]
    fn the_default_machine_is_the_same_with_the_tables_that_others_need(
        system in default_system(),
        seed in any::<u64>(),
    ) {
        let mut default = WormholeEngine::new(&system, seed, 0);
        let mut tables = WormholeEngine::with_tables(&system, seed, 0, true);
        for now in (1..=40).map(|turn| Cycle(50 * turn)) {
            default.advance(now);
            tables.advance(now);
            prop_assert_eq!(default.fingerprint(), tables.fingerprint(), "by cycle {}", now);
            prop_assert_eq!(default.counters(), tables.counters());
            prop_assert_eq!(letters(&default), letters(&tables));
        }
    }

    #[test]
    fn moving_worms_as_a_whole_changes_nothing(
        system in prop_oneof![default_system(), any_system()],
        seed in any::<u64>(),
        share in 0.02f64..1.0,
        turns in prop::collection::vec(1u64..60, 1..20),
    ) {
        // Low loads, where worms run free for long, as well as high ones.
        let rate = Rate(system.traffic.rate.0 * share);
        let mut whole = WormholeEngine::new(&system, seed, 0);
        let mut flits = whole.clone();
        let mut mixed = whole.clone();
        flits.set_free_runs(false);
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for engine in [&mut whole, &mut flits, &mut mixed] {
            engine.set_rate(rate);
        }
        let mut now = 0;
        for (turn, cycles) in turns.iter().cycle().take(120).enumerate() {
            now += cycles;
            mixed.set_free_runs(turn % 3 != 0);
            for engine in [&mut whole, &mut flits, &mut mixed] {
                engine.advance(Cycle(now));
                engine.audit().unwrap();
            }
            prop_assert_eq!(whole.fingerprint(), flits.fingerprint(), "by cycle {}", now);
            prop_assert_eq!(mixed.fingerprint(), flits.fingerprint());
            prop_assert_eq!(whole.counters(), flits.counters());
            prop_assert_eq!(whole.deadlock().is_some(), flits.deadlock().is_some());
            whole.take_deliveries(&mut left);
            flits.take_deliveries(&mut right);
            prop_assert_eq!(&left, &right);
            prop_assert_eq!(picture(&whole), picture(&flits));
        }
    }

    #[test]
    fn a_copy_taken_back_lives_the_same_future(system in any_router(), seed in any::<u64>()) {
        let mut engine = Engine::new(&system, seed, 0);
        engine.advance(Cycle(400));
        let saved = engine.clone();
        let future = |engine: &mut Engine| {
            engine.set_rate(Rate(system.traffic.rate.0 / 2.0));
            engine.advance(Cycle(1200));
            engine.fingerprint()
        };
        let first = future(&mut engine);
        engine.clone_from(&saved);
        prop_assert_eq!(future(&mut engine), first);
    }
}

/// The papers' machines, whose buffers are the shallowest and the deepest, from low loads to far
/// beyond saturation.
#[test]
fn worms_of_the_papers_move_as_a_whole_as_they_do_flit_by_flit() {
    let mut seen = 0;
    for scenario in builtin::ALL.iter() {
        let Ok(parsed) = parse(scenario.name, scenario.text, &[]) else { continue };
        let system = parsed.system;
        if system.wormhole().is_none() || system.network.nodes() > 256 {
            continue;
        }
        seen += 1;
        for share in [0.3, 1.0, 3.0] {
            let rate = Rate((system.traffic.rate.0 * share).min(0.9));
            let mut whole = WormholeEngine::new(&system, 7, 0);
            whole.set_rate(rate);
            let mut flits = whole.clone();
            flits.set_free_runs(false);
            for now in (1..=12).map(|turn| Cycle(97 * turn)) {
                whole.advance(now);
                flits.advance(now);
                let (left, right) = (whole.fingerprint(), flits.fingerprint());
                assert_eq!(left, right, "{} at {share} by cycle {now}", scenario.name);
                assert_eq!(whole.counters(), flits.counters());
            }
            whole.audit().unwrap();
        }
    }
    assert!(seen > 30, "{seen} scenarios");
}

/// Busy networks with instant credit, where channels wait for each other's turns in circles.
#[test]
fn circles_of_turns_do_not_depend_on_the_order_of_visits() {
    let adaptive = Routing::minimal_adaptive(Escape::Dateline);
    let ordered = Routing::dimension_order(Classes::Dateline);
    let mut machines = Vec::new();
    for buffer_flits in [1, 2] {
        for release in [Release::Drained, Release::Sent] {
            machines.push(Wormhole { credit_delay: 0, release, ..Wormhole::new(4, buffer_flits) });
        }
    }
    machines.push(Wormhole::preset(Preset::MeshTorus1997, 4));
    for machine in machines {
        for (routing, radix) in
            [(adaptive.clone(), [4, 4]), (ordered.clone(), [5, 5]), (ordered.clone(), [9, 2])]
        {
            for unidirectional in [false, true] {
                let network = Cube::network(Family::Torus { unidirectional }, &radix);
                let system =
                    System::new(Arc::new(network), routing.clone(), machine, uniform(0.05, 16));
                let mut straight = WormholeEngine::new(&system, 1, 0);
                let mut shuffled = straight.clone();
                shuffled.set_shuffle(u64::from(radix[0]));
                for now in (1..=40).map(|turn| Cycle(200 * turn)) {
                    straight.advance(now);
                    shuffled.advance(now);
                    let (left, right) = (straight.fingerprint(), shuffled.fingerprint());
                    assert_eq!(left, right, "{machine:?}, {routing:?} by cycle {now}");
                }
                straight.audit().unwrap();
            }
        }
    }
}
