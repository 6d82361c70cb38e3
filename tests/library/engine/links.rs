//! Links that are closed and opened at random: nothing is lost, nothing new gets a closed link, and how a
//! run is cut, copied or moved changes nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use flitscope::engine::wormhole::WormholeEngine;
use flitscope::engine::{Change, CircuitState, Engine, Simulator, Snapshot};
use flitscope::ids::{ChannelId, MessageId, RouterId};
use flitscope::routing::dependency::Verdict;
use flitscope::routing::{Classes, Escape, Paths, Relation, Routing};
use flitscope::switching::circuit::{Circuit, Conflict, Duplex};
use flitscope::switching::{OnDeadlock, Switching, Wormhole};
use flitscope::system::System;
use flitscope::system::failures::{
    Failure, Failures, Flits, OnFailure, Part, RandomFailures, UnderWay,
};
use flitscope::topology::cube::{Cube, Family};
use flitscope::topology::switches::Switches;
use flitscope::traffic::arrivals::RATE_MIN;
use flitscope::units::{CYCLES_PER_TIME, Cycle, Rate};
use proptest::prelude::*;

use crate::systems::{
    any_system, circuit_system, default_system, router_system, switch_circuits, switch_systems,
    torus, uniform,
};

/// Steps of a run: a cycle of worms, several of circuits.
const STEPS: u64 = 400;
const CYCLES_OF_CIRCUITS: u64 = 13;
/// The links of a network that are closed and opened.
const LINKS: usize = 6;

/// Worms or circuits, and the cycles in a step.
fn systems() -> impl Strategy<Value = (System, u64)> {
    prop_oneof![
        3 => failing(any_system().boxed()).prop_map(|system| (system, 1)).boxed(),
        2 => failing(default_system().boxed()).prop_map(|system| (system, 1)).boxed(),
        3 => failing(router_system().boxed()).prop_map(|system| (system, 1)).boxed(),
        3 => failing(circuit_system().boxed())
            .prop_map(|system| (system, CYCLES_OF_CIRCUITS))
            .boxed(),
        2 => failing(switch_circuits()).prop_map(|system| (system, CYCLES_OF_CIRCUITS)).boxed(),
    ]
}

prop_compose! {
    /// A system with any consequences of failures, and perhaps failures of its own.
    fn failing(of: BoxedStrategy<System>)(
        system in of,
        flits in prop::sample::select(vec![Flits::Lose, Flits::Stall]),
        reroute_after in prop::sample::select(vec![0, 0, 9, 60]),
        under_way in prop::sample::select(vec![UnderWay::Continue, UnderWay::Continue, UnderWay::Lose]),
        random in prop::option::weighted(0.3, (1e-4f64..2e-3, any::<u64>(), prop::option::of(1u64..200))),
        given in prop::collection::vec((0..STEPS, any::<u32>(), prop::option::of(1u64..200)), 0..3),
    ) -> System {
        let routers = system.network.routers() as u32;
        let given = given.into_iter().map(|(cycle, router, lasts)| {
            Failure { cycle, part: Part::Router(RouterId(router % routers)), lasts }
        });
        let random = random.filter(|_| system.network.links() > 0);
        let failures = Failures {
            given: given.collect(),
            random: random.map(|(rate, seed, lasts)| RandomFailures { rate, seed, lasts }),
            consequences: OnFailure { flits, reroute_after, under_way },
        };
        system.with_failures(failures)
    }
}

/// Steps in which a link, one of [`LINKS`], is closed or opened.
pub fn toggles() -> impl Strategy<Value = Vec<(u64, usize)>> {
    prop::collection::vec((0..STEPS, 0..LINKS), 1..24)
}

/// The changes of a step: what is up goes down, what is down goes up.
pub fn changes(
    engine: &dyn Simulator,
    system: &System,
    toggles: &[(u64, usize)],
    step: u64,
) -> Vec<Change> {
    let links = system.network.links();
    let mut down: BTreeSet<ChannelId> =
        (0..links).map(ChannelId::new).filter(|&link| engine.is_down(link)).collect();
    let now = toggles.iter().filter(|(at, _)| *at == step && links > 0);
    now.map(|&(_, which)| {
        let link = ChannelId::new(which * links / LINKS);
        if down.remove(&link) {
            return Change::LinkUp(link);
        }
        down.insert(link);
        Change::LinkDown(link)
    })
    .collect()
}

fn closed(engine: &dyn Simulator, system: &System) -> Vec<ChannelId> {
    (0..system.network.links()).map(ChannelId::new).filter(|&link| engine.is_down(link)).collect()
}

/// For each closed link who holds its VCs, and what has crossed it.
type Held = Vec<(ChannelId, Vec<Option<MessageId>>, u64)>;

fn held(engine: &dyn Simulator, system: &System, snapshot: &mut Snapshot) -> Held {
    engine.observe(snapshot);
    closed(engine, system)
        .into_iter()
        .map(|link| {
            let holder = |vc| snapshot.owner(vc).map(|(_, worm)| worm.name());
            let holders = snapshot.vcs_of(link).iter().map(holder).collect();
            (link, holders, engine.crossed(link))
        })
        .collect()
}

/// Opens all links and sends nothing more until all is delivered, or a deadlock is there, or circuits
/// get into each other's way for ever: attempts that back off for the same time can meet again and again.
fn drain(engine: &mut Engine, system: &System) -> Result<(), TestCaseError> {
    engine.apply(Change::Rate(Rate(RATE_MIN)));
    let left = |engine: &Engine| {
        let counters = engine.counters();
        counters.generated - counters.delivered - counters.discarded - counters.lost
    };
    let mut aborts = 0;
    for turn in 0..20 {
        if left(engine) == 0 || engine.find_deadlock().is_some() {
            break;
        }
        aborts = engine.counters().aborts;
        for link in closed(&**engine, system) {
            engine.apply(Change::LinkUp(link));
        }
        let until = engine.now() + (256 << turn);
        engine.advance(until);
    }
    engine.audit().unwrap();
    let meets_again = engine.counters().aborts - aborts > 1000;
    prop_assert!(
        left(engine) == 0 || engine.find_deadlock().is_some() || meets_again,
        "{} are left",
        left(engine)
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn laws_hold_nobody_gets_a_closed_link_and_all_is_delivered_when_they_are_open(
        (system, cycles) in systems(),
        seed in any::<u64>(),
        toggles in toggles(),
    ) {
        let mut engine = Engine::new(&system, seed, 0);
        let mut snapshot = Snapshot::default();
        for step in 0..STEPS {
            for change in changes(&*engine, &system, &toggles, step) {
                engine.apply(change);
                engine.audit().unwrap();
            }
            // By cycles, because the scenario may open a link and close it again within a step.
            for cycle in step * cycles..(step + 1) * cycles {
                let before = held(&*engine, &system, &mut snapshot);
                engine.advance(Cycle(cycle + 1));
                let after = held(&*engine, &system, &mut snapshot);
                // Links that the scenario opens are not among those after.
                let both = before.iter().filter_map(|before| {
                    Some((before, after.iter().find(|after| after.0 == before.0)?))
                });
                for ((link, before, had), (_, after, has)) in both {
                    for (before, after) in before.iter().zip(after) {
                        prop_assert!(after.is_none() || after == before, "{link:?} in {cycle}");
                    }
                    let empty = before.iter().all(Option::is_none);
                    prop_assert!(!empty || had == has, "{link:?} is crossed in {cycle}");
                }
            }
            engine.audit().unwrap();
            if let Some(deadlock) = engine.deadlock() {
                // It stays one whatever is opened.
                let mut open = engine.clone();
                for link in closed(&*engine, &system) {
                    open.apply(Change::LinkUp(link));
                }
                let still = open.find_deadlock().expect("it lasts");
                for worm in deadlock.worms() {
                    prop_assert!(still.holds(worm));
                }
                prop_assert!(deadlock.circles().all(|wait| wait.holder.is_some()));
                return Ok(());
            }
        }
        drain(&mut engine, &system)?;
        let of_phases: u64 = engine.phases().iter().map(|phase| phase.lost).sum();
        prop_assert_eq!(of_phases, engine.counters().lost);
    }

    #[test]
    fn cuts_copies_and_orders_change_nothing_while_links_are_closed(
        (system, cycles) in systems(),
        seed in any::<u64>(),
        toggles in toggles(),
        cut in 1..STEPS,
    ) {
        let mut straight = Engine::new(&system, seed, 0);
        let mut kept = None;
        let mut states = Vec::new();
        for step in 0..STEPS {
            // Looked at in every step, and gone on with a copy in used storage.
            if step == cut {
                kept = Some(straight.clone());
            }
            for change in changes(&*straight, &system, &toggles, step) {
                straight.apply(change);
            }
            straight.advance(Cycle((step + 1) * cycles));
            states.push(straight.fingerprint());
        }
        let mut again = Engine::new(&system, seed ^ 1, 0);
        again.advance(Cycle(300));
        again.clone_from(&kept.unwrap());
        for step in cut..STEPS {
            for change in changes(&*again, &system, &toggles, step) {
                again.apply(change);
                // What is done already is not done again.
                again.apply(change);
            }
            again.advance(Cycle((step + 1) * cycles));
            prop_assert_eq!(again.fingerprint(), states[step as usize], "step {}", step);
        }
        // From the beginning, cut only where something is changed.
        let mut whole = Engine::new(&system, seed, 0);
        for step in 0..STEPS {
            if toggles.iter().any(|&(at, _)| at == step) {
                whole.advance(Cycle(step * cycles));
            }
            for change in changes(&*whole, &system, &toggles, step) {
                whole.apply(change);
            }
        }
        whole.advance(Cycle(STEPS * cycles));
        prop_assert_eq!(whole.fingerprint(), straight.fingerprint());
        prop_assert_eq!(whole.counters(), straight.counters());
    }

    #[test]
    fn no_proof_of_routes_in_transition_is_refuted(
        system in failing(
            prop_oneof![switch_systems(), router_system().boxed(), switch_circuits()].boxed()
        ),
        seed in any::<u64>(),
        toggles in toggles(),
    ) {
        let mut engine = Engine::new(&system, seed, 0);
        engine.apply(Change::Rate(system.rate_max()));
        for step in 0..STEPS {
            for change in changes(&*engine, &system, &toggles, step) {
                engine.apply(change);
            }
            let cycles = if system.circuit().is_some() { CYCLES_OF_CIRCUITS } else { 1 };
            engine.advance(Cycle((step + 1) * cycles));
            if engine.deadlock().is_some() {
                break;
            }
        }
        engine.audit().unwrap();
        let relations: Vec<Relation> =
            engine.relations().into_iter().map(|routed| routed.relation).collect();
        if engine.find_deadlock().is_some() && !relations.is_empty() {
            let proof = system.proof_of_transition(&relations, engine.closed_links());
            let free = proof.is_some_and(|it| matches!(it.verdict, Verdict::Free { .. }));
            prop_assert!(!free, "a deadlock, although none is possible");
        }
    }

    #[test]
    fn moving_worms_as_a_whole_changes_nothing_while_links_are_closed(
        system in failing(prop_oneof![default_system(), any_system()].boxed()),
        seed in any::<u64>(),
        share in 0.02f64..1.0,
        toggles in toggles(),
        shuffle in 1u64..,
    ) {
        let mut whole = WormholeEngine::new(&system, seed, 0);
        whole.set_rate(Rate(system.traffic.rate.0 * share));
        let (mut flits, mut shuffled) = (whole.clone(), whole.clone());
        flits.set_free_runs(false);
        shuffled.set_shuffle(shuffle);
        let mut tables = WormholeEngine::with_tables(&system, seed, 0, true);
        tables.set_rate(Rate(system.traffic.rate.0 * share));
        for step in 0..STEPS {
            let due = changes(&whole, &system, &toggles, step);
            for engine in [&mut whole, &mut flits, &mut shuffled, &mut tables] {
                for &change in &due {
                    engine.apply(change);
                }
                engine.advance(Cycle(step + 1));
            }
            if step % 7 == 0 || !due.is_empty() {
                let print = whole.fingerprint();
                prop_assert_eq!(print, flits.fingerprint(), "by step {}", step);
                prop_assert_eq!(print, shuffled.fingerprint(), "by step {}", step);
                prop_assert_eq!(print, tables.fingerprint(), "by step {}", step);
                prop_assert_eq!(whole.counters(), flits.counters());
                flits.audit().unwrap();
                tables.audit().unwrap();
            }
        }
    }
}

/// The link that leads from one router to another.
fn link(system: &System, from: u32, to: u32) -> ChannelId {
    let outputs = system.network.outputs(RouterId(from)).iter();
    let mut found = outputs.filter(|&&link| system.network.channel(link).to == RouterId(to));
    *found.next().expect("they are neighbours")
}

#[test]
fn a_closed_link_is_in_the_fingerprint_and_an_opened_one_is_as_if_never_closed() {
    let routing = Routing::dimension_order(Classes::Dateline);
    let worms = torus(&[4, 4], routing, 2, 2, uniform(0.01, 4));
    let hold = Circuit::new(Conflict::Hold);
    let network = Arc::new(Cube::network(Family::Hypercube, &[2; 3]));
    let routing = Routing::dimension_order(Classes::None);
    let circuits = System::new(network, routing, hold, uniform(0.2, 10_000));
    for system in [worms, circuits] {
        let mut engine = Engine::new(&system, 3, 0);
        engine.advance(Cycle(500));
        let (open, link) = (engine.fingerprint(), ChannelId(5));
        engine.apply(Change::LinkDown(link));
        let closed = engine.fingerprint();
        assert_ne!(closed, open);
        engine.apply(Change::LinkDown(link));
        assert_eq!(engine.fingerprint(), closed);
        engine.apply(Change::LinkDown(ChannelId(6)));
        assert_ne!(engine.fingerprint(), closed);
        engine.apply(Change::LinkUp(ChannelId(6)));
        assert_eq!(engine.fingerprint(), closed);
        engine.apply(Change::LinkUp(link));
        engine.apply(Change::LinkUp(link));
        assert_eq!(engine.fingerprint(), open);
        assert!(!engine.is_down(link));
    }
}

/// In a mesh with a corner cut off to one side messages go by the other side, if routing lets them.
#[test]
fn heads_take_another_candidate_where_they_have_one() {
    let traffic = uniform(0.004, 4);
    let network = Arc::new(Cube::network(Family::Mesh, &[3, 3]));
    let system =
        |routing| System::new(Arc::clone(&network), routing, Wormhole::new(3, 2), traffic.clone());
    // Those who start in the corner and go to neither of its neighbours' sides have a choice.
    for (adaptive, routing) in [
        (true, Routing::minimal_adaptive(Escape::None)),
        (false, Routing::dimension_order(Classes::None)),
    ] {
        let mut engine = Engine::new(&system(routing), 11, 0);
        let cut = link(&system(Routing::dimension_order(Classes::None)), 0, 1);
        engine.apply(Change::LinkDown(cut));
        let (mut batch, mut off_axis, mut along) = (Vec::new(), 0, 0);
        for now in (1..=200).map(|turn| Cycle(turn * 100)) {
            engine.advance(now);
            engine.take_deliveries(&mut batch);
            for delivery in batch.iter().filter(|it| it.source.0 == 0) {
                let to = delivery.destination.0;
                off_axis += u32::from(to % 3 > 0 && to / 3 > 0);
                along += u32::from(to / 3 == 0);
            }
        }
        assert_eq!(engine.crossed(cut), 0);
        assert_eq!(along, 0, "along the first row there is one way");
        assert_eq!(off_axis > 10, adaptive, "{off_axis}");
        assert!(engine.find_deadlock().is_none() && engine.deadlock().is_none());
    }
}

/// A one-way ring cut at one link: all wait behind it, and no circle of waits is thought closed.
#[test]
fn heads_that_wait_for_a_closed_link_are_in_no_deadlock_and_go_on_when_it_is_open() {
    let ring = Family::Torus { unidirectional: true };
    let network = Arc::new(Cube::network(ring, &[6]));
    let routing = Routing::dimension_order(Classes::Dateline);
    let worms = Wormhole { on_deadlock: OnDeadlock::Stop, ..Wormhole::new(2, 2) };
    let circuits =
        Circuit { duplex: Duplex::Full, ..Circuit::new(Conflict::Drop { back_off: 0.2 }) };
    let hold = Circuit { duplex: Duplex::Full, ..Circuit::new(Conflict::Hold) };
    let mesh = Arc::new(Cube::network(Family::Mesh, &[6]));
    let plain = Routing::dimension_order(Classes::None);
    let machines: [(_, _, Switching, _, _); 3] = [
        (Arc::clone(&network), routing, worms.into(), uniform(0.02, 6), 50),
        (Arc::clone(&mesh), plain.clone(), circuits.into(), uniform(0.1, 10_000), CYCLES_PER_TIME),
        (mesh, plain, hold.into(), uniform(0.1, 10_000), CYCLES_PER_TIME),
    ];
    for (network, routing, switching, traffic, unit) in machines {
        let system = System::new(network, routing, switching, traffic);
        let mut engine = Engine::new(&system, 5, 0);
        let cut = link(&system, 2, 3);
        engine.apply(Change::LinkDown(cut));
        engine.advance(Cycle(60 * unit));
        engine.apply(Change::Rate(Rate(RATE_MIN)));
        engine.advance(Cycle(200 * unit));
        let left = engine.counters().generated - engine.counters().delivered;
        assert!(left > 5, "{left} wait");
        assert!(engine.deadlock().is_none() && engine.find_deadlock().is_none());
        let mut snapshot = Snapshot::default();
        engine.observe(&mut snapshot);
        let before = snapshot.waits.iter().filter(|wait| wait.holder.is_none());
        let stops = system.circuit().is_some_and(|it| matches!(it.conflict, Conflict::Drop { .. }));
        assert_eq!(before.count() == 0, stops, "whose wait has no holder waits for the link");
        engine.audit().unwrap();
        engine.apply(Change::LinkUp(cut));
        engine.audit().unwrap();
        engine.advance(Cycle(600 * unit));
        assert_eq!(engine.counters().generated, engine.counters().delivered);
        engine.audit().unwrap();
    }
}

/// Both directions of a link that circuits share are closed together.
#[test]
fn a_link_shared_by_both_directions_is_closed_as_long_as_one_of_them_is() {
    let network = Arc::new(Cube::network(Family::Mesh, &[2]));
    let machine = Circuit { duplex: Duplex::Half, ..Circuit::new(Conflict::Hold) };
    let routing = Routing::dimension_order(Classes::None);
    let system = System::new(network, routing, machine, uniform(0.2, 10_000));
    let (there, back) = (link(&system, 0, 1), link(&system, 1, 0));
    let mut engine = Engine::new(&system, 1, 0);
    engine.apply(Change::LinkDown(there));
    engine.apply(Change::LinkDown(back));
    engine.advance(Cycle(40 * CYCLES_PER_TIME));
    engine.apply(Change::LinkUp(there));
    engine.advance(Cycle(80 * CYCLES_PER_TIME));
    engine.audit().unwrap();
    assert_eq!(engine.counters().delivered, 0);
    assert!(engine.counters().generated > 10);
    engine.apply(Change::LinkUp(back));
    engine.apply(Change::Rate(Rate(RATE_MIN)));
    engine.advance(Cycle(400 * CYCLES_PER_TIME));
    assert_eq!(engine.counters().generated, engine.counters().delivered);
}

/// A line of two routers, on which a circuit transmits, with the engine at that cycle.
fn transmitting(flits: Flits) -> (System, Engine, ChannelId) {
    let network = Arc::new(Cube::network(Family::Mesh, &[2]));
    let machine = Circuit { duplex: Duplex::Full, ..Circuit::new(Conflict::Hold) };
    let routing = Routing::dimension_order(Classes::None);
    let system = System::new(network, routing, machine, uniform(0.05, 10_000));
    let consequences = OnFailure { flits, ..OnFailure::default() };
    let system = system.with_failures(Failures { consequences, ..Failures::default() });
    let mut engine = Engine::new(&system, 4, 0);
    let mut snapshot = Snapshot::default();
    loop {
        let next = engine.now() + 100;
        engine.advance(next);
        engine.observe(&mut snapshot);
        let sends = snapshot.circuits.iter().find(|it| it.state == CircuitState::Transmitting);
        if let Some(circuit) = sends.filter(|it| it.consumed > 0 && snapshot.circuits.len() == 1) {
            let router = |node| system.network.router_of(node).0;
            let way = link(&system, router(circuit.source), router(circuit.destination));
            return (system, engine, way);
        }
    }
}

#[test]
fn a_stopped_transmission_continues_when_its_link_works_again() {
    let (_, mut straight, way) = transmitting(Flits::Stall);
    let mut stopped = straight.clone();
    let (now, mut snapshot) = (straight.now(), Snapshot::default());
    stopped.apply(Change::LinkDown(way));
    stopped.advance(now + 777);
    stopped.observe(&mut snapshot);
    let circuit = &snapshot.circuits[0];
    assert_eq!((circuit.state, circuit.since), (CircuitState::Stopped, now));
    assert!(snapshot.waits.iter().any(|it| it.worm == circuit.worm && it.holder.is_none()));
    stopped.audit().unwrap();
    stopped.apply(Change::LinkUp(way));
    let first = |engine: &mut Engine| {
        let mut batch = Vec::new();
        engine.take_deliveries(&mut batch);
        engine.advance(now + 4 * CYCLES_PER_TIME);
        engine.take_deliveries(&mut batch);
        batch[0]
    };
    let [on_time, late] = [first(&mut straight), first(&mut stopped)];
    assert_eq!((on_time.source, on_time.serial), (late.source, late.serial));
    assert_eq!(late.done.0, on_time.done.0 + 777);
    assert_eq!(stopped.counters().lost, 0);
    stopped.audit().unwrap();
}

#[test]
fn a_circuit_across_a_failed_link_is_lost_with_its_data_and_releases_its_links() {
    let (_, mut engine, way) = transmitting(Flits::Lose);
    let mut snapshot = Snapshot::default();
    engine.apply(Change::LinkDown(way));
    let next = engine.now() + 100;
    engine.advance(next);
    engine.observe(&mut snapshot);
    let counters = engine.counters();
    assert_eq!(counters.lost, 1);
    assert!(counters.flits_lost > 0 && counters.flits_lost < 10_000);
    assert!(snapshot.circuits.iter().all(|it| it.path_len == 0), "{:?}", snapshot.circuits);
    engine.audit().unwrap();
}

/// The messages of a saturated source are lost one after the other when its router fails.
#[test]
fn a_long_queue_of_circuits_without_a_route_is_lost() {
    let links = [(0, 1), (1, 2), (2, 0)];
    let network = Arc::new(Switches::random(3, &links, &[0, 1, 2]));
    let routing = Routing::UpDown { roots: RouterId(0).into(), paths: Paths::Split };
    let hold = Circuit { duplex: Duplex::Full, ..Circuit::new(Conflict::Hold) };
    let system = System::new(network, routing, hold, uniform(0.2, 10_000));
    let mut engine = Engine::new(&system, 2, 0);
    engine.apply(Change::Rate(system.rate_max()));
    while engine.counters().generated < 1_000_000 {
        let next = engine.now() + 64 * CYCLES_PER_TIME;
        engine.advance(next);
    }
    for way in Part::Router(RouterId(0)).links(&system.network) {
        engine.apply(Change::LinkDown(way));
    }
    let next = engine.now() + CYCLES_PER_TIME;
    engine.advance(next);
    assert!(engine.counters().lost > 300_000, "{}", engine.counters().lost);
    engine.audit().unwrap();
}
