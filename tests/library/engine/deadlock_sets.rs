//! Deadlocks are told exactly: sets, cycle of closing and closing worms are those that a check of
//! the wait-for graph in every cycle finds, by brute force and with what becomes of it in hindsight.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use flitscope::engine::Engine;
use flitscope::engine::{Deadlock, Snapshot, WaitKind};
use flitscope::ids::{MessageId, NodeId};
use flitscope::routing::{Classes, Escape, Paths, Routing};
use flitscope::switching::{Forwarding, OnDeadlock, Release, Wormhole};
use flitscope::system::System;
use flitscope::traffic::{Destinations, Traffic};
use flitscope::units::{Cycle, Rate};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::systems::any_router;

/// Cycles in which a system must lock up to be looked at.
const SOON: u64 = 1_500;
/// Cycles after which whatever has not moved never will: every worm has closed up by then.
const HINDSIGHT: u64 = 6_000;

/// What a head waits for, and who is in the way.
type Wants = BTreeSet<(u8, u32, Option<MessageId>)>;
/// All that wait.
type Graph = BTreeMap<MessageId, Wants>;
type Set = BTreeSet<MessageId>;

fn graph(snapshot: &Snapshot, whole_messages: bool) -> Graph {
    let names: BTreeMap<_, _> = snapshot.worms.iter().map(|worm| (worm.id, worm.name())).collect();
    let mut graph = Graph::new();
    for wait in &snapshot.waits {
        let kind = match wait.kind {
            WaitKind::Vc => 0,
            // Where whole messages need room, a VC is had for good only with room in it.
            WaitKind::Room if whole_messages => 0,
            WaitKind::Room => 1,
            WaitKind::HeadOfLine => 2,
            WaitKind::Reply => 3,
            WaitKind::Credit => 4,
            WaitKind::Output => 5,
            WaitKind::Input => 6,
        };
        let holder = wait.holder.map(|holder| names[&holder]);
        graph.entry(names[&wait.worm]).or_default().insert((kind, wait.wants.0, holder));
    }
    graph
}

/// Those of a graph that can never go on: one after the other is struck out that waits for somebody
/// who is not among them.
fn stuck(mut graph: Graph) -> Graph {
    loop {
        let moves = |wants: &Wants| {
            wants.iter().any(|(.., holder)| holder.is_none_or(|it| !graph.contains_key(&it)))
        };
        let free: Vec<_> = graph.iter().filter(|(_, wants)| moves(wants)).map(|it| *it.0).collect();
        if free.is_empty() {
            return graph;
        }
        graph.retain(|name, _| !free.contains(name));
    }
}

/// Everybody whom one waits for, at whatever remove.
fn reach(graph: &Graph, from: MessageId) -> Set {
    let mut seen = Set::new();
    let mut open = vec![from];
    while let Some(name) = open.pop() {
        for holder in graph[&name].iter().filter_map(|(.., holder)| *holder) {
            if seen.insert(holder) {
                open.push(holder);
            }
        }
    }
    seen
}

/// The sets of those that reach each other.
fn sets(graph: &Graph) -> BTreeSet<Set> {
    let reached: BTreeMap<_, _> = graph.keys().map(|&name| (name, reach(graph, name))).collect();
    let around = |name: MessageId| -> Set {
        reached[&name].iter().copied().filter(|other| reached[other].contains(&name)).collect()
    };
    reached.keys().map(|&name| around(name)).filter(|set| !set.is_empty()).collect()
}

/// What is known of a set: its closing, and who closed it.
type Known = BTreeMap<Set, (u64, Set)>;

/// By brute force: the sets that stood for good at `found`, and those that were only caught.
fn brute(system: &System, seed: u64, found: u64) -> (Known, Set) {
    let whole = system.wormhole().expect("worms").forwarding != Forwarding::Wormhole;
    let mut engine = Engine::new(system, seed, 0);
    let mut snapshot = Snapshot::default();
    let mut graphs = vec![Graph::new()];
    for now in 1..=found {
        engine.advance(Cycle(now));
        engine.observe(&mut snapshot);
        graphs.push(graph(&snapshot, whole));
    }
    engine.advance(Cycle(found + HINDSIGHT));
    engine.observe(&mut snapshot);
    let last = graph(&snapshot, whole);
    let mut same = graphs[found as usize].clone();
    same.retain(|name, wants| last.get(name) == Some(wants));
    let dead = stuck(same);

    let mut known = Known::new();
    for set in sets(&dead) {
        // All whom it hangs on, members included, have waited for the same ever since.
        let whom = reach(&dead, *set.first().expect("no set is empty"));
        let waits = |name: &MessageId, now: usize| graphs[now].get(name) == dead.get(name);
        let stood = |&now: &usize| whom.iter().all(|name| waits(name, now));
        let closed = (1..=found as usize)
            .rev()
            .take_while(stood)
            .last()
            .expect("it stands when it is found");
        assert!(sets(&stuck(graphs[closed].clone())).contains(&set));
        let closers = whom.iter().copied().filter(|name| !waits(name, closed - 1)).collect();
        known.insert(set, (closed as u64, closers));
    }
    let members: Set = known.keys().flatten().copied().collect();
    (known, dead.keys().copied().filter(|name| !members.contains(name)).collect())
}

/// What the engine tells, by names.
fn told(deadlock: &Deadlock, snapshot: &Snapshot) -> (Known, Set) {
    let names: BTreeMap<_, _> = snapshot.worms.iter().map(|worm| (worm.id, worm.name())).collect();
    let sets = deadlock.sets.iter().map(|set| {
        let members: Set = set.worms.iter().map(|id| names[id]).collect();
        (members, (set.closed.0, set.closers.iter().copied().collect()))
    });
    (sets.collect(), deadlock.caught.iter().map(|id| names[id]).collect())
}

/// Same sets, closed in the same cycles by the same worms, same worms caught.
fn agree((told, caught): (Known, Set), (brute, behind): (Known, Set), name: &str) {
    assert_eq!(caught, behind, "{name}");
    assert_eq!(told.keys().collect::<Vec<_>>(), brute.keys().collect::<Vec<_>>(), "{name}");
    for (set, by) in &told {
        assert_eq!(by, &brute[set], "{name}: {set:?}");
    }
}

/// A witness is a circle in its set, and alternatives make a knot.
fn check_witnesses(deadlock: &Deadlock, snapshot: &Snapshot) {
    for set in &deadlock.sets {
        for (at, wait) in set.circle.iter().enumerate() {
            let next = set.circle[(at + 1) % set.circle.len()].worm;
            assert!(wait.holder == Some(next) && set.worms.contains(&wait.worm));
            assert!(snapshot.waits.contains(wait));
        }
        let waits = |id| snapshot.waits.iter().filter(|wait| wait.worm == id).count();
        assert_eq!(set.knot, set.worms.iter().any(|&id| waits(id) > 1));
        assert!(set.knot || set.circle.len() == set.worms.len());
    }
    assert!(deadlock.sets.is_sorted_by_key(|set| set.closed));
}

/// The same network, machine and traffic under rules that may lock up; `what` is done about it.
fn unsafe_rules(drawn: &System, coin: u8, what: OnDeadlock) -> System {
    let machine = *drawn.wormhole().expect("worms");
    let (routing, virtual_channels) = if drawn.network.cube().is_none() {
        (Routing::shortest_path(Paths::Split), machine.virtual_channels.min(2))
    } else if coin.is_multiple_of(3) {
        (Routing::minimal_adaptive(Escape::None), u32::from(coin % 2) + 1)
    } else {
        (Routing::dimension_order(Classes::None), u32::from(coin.is_multiple_of(5)) + 1)
    };
    let machine = Wormhole { virtual_channels, on_deadlock: what, ..machine };
    let rate = Rate(drawn.traffic.rate.0.max(0.4 / drawn.traffic.lengths.mean()));
    let destinations = match &drawn.traffic.destinations {
        Destinations::Hotspot { nodes, .. } if coin.is_multiple_of(2) && nodes[0] == NodeId(0) => {
            drawn.traffic.destinations.clone()
        }
        _ => Destinations::Uniform,
    };
    let traffic = Traffic { rate, destinations, ..drawn.traffic.clone() };
    System::new(Arc::clone(&drawn.network), routing, machine, traffic)
}

#[test]
fn sets_closings_and_closers_are_those_of_a_check_in_every_cycle() {
    let wanted = std::env::var("FLITSCOPE_DEADLOCKS").map_or(15, |text| text.parse().unwrap());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[13; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = (any_router(), any::<u64>(), any::<u8>());
    let (mut locked, mut several, mut knots, mut late, mut sent) = (0, 0, 0, 0, 0);
    while locked < wanted {
        let (drawn, seed, coin) = strategy.new_tree(&mut runner).unwrap().current();
        let system = unsafe_rules(&drawn, coin, OnDeadlock::Stop);
        let mut engine = Engine::new(&system, seed, 0);
        engine.advance(Cycle(SOON));
        let Some(deadlock) = engine.deadlock() else { continue };
        locked += 1;
        let name = format!(
            "number {locked}: {} {:?} {:?} seed {seed}",
            system.network.name(),
            system.relation.routing(),
            system.switching
        );
        assert_eq!(deadlock.found, engine.now(), "{name}");
        assert!(deadlock.found - deadlock.closed() <= 64, "{name}: {deadlock:?}");
        let mut snapshot = Snapshot::default();
        engine.observe(&mut snapshot);
        check_witnesses(deadlock, &snapshot);
        let on = unsafe_rules(&drawn, coin, OnDeadlock::Continue);
        agree(told(deadlock, &snapshot), brute(&on, seed, engine.now().0), &name);
        several += usize::from(deadlock.sets.len() > 1);
        knots += usize::from(deadlock.sets.iter().any(|set| set.knot));
        late += usize::from(deadlock.caught.len() > 1);
        sent += usize::from(system.wormhole().unwrap().release == Release::Sent);
    }
    assert!(
        several.min(knots).min(late).min(sent) * 20 > wanted,
        "{several} {knots} {late} {sent}"
    );
}
