//! What engines did when this was written down, system by system: whatever changes a run, a picture or
//! a fingerprint shows here, and which of the columns differ says what it changed. Where that is meant,
//! `INSTA_UPDATE=always cargo test --test library golden` writes it down anew.

use std::fmt::{self, Write};

use flitscope::engine::{Counters, Engine, Snapshot};
use flitscope::ids::RouterId;
use flitscope::random::mix;
use flitscope::switching::Switching;
use flitscope::system::System;
use flitscope::units::Cycle;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::systems::{circuit_system, default_system, plain_system};

/// A hash of what is written into it.
#[derive(Default)]
struct Hash(u64);

impl Write for Hash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = text.bytes().fold(self.0, |hash, byte| mix(hash, u64::from(byte)));
        Ok(())
    }
}

impl Hash {
    fn add(&mut self, what: impl fmt::Debug) {
        self.add_text(&format!("{what:?};"));
    }

    fn add_text(&mut self, text: &str) {
        // Written down before routers had stages, and before links failed: none here has, or does.
        // Activities had another name.
        let text = text.replace(", stage: None", "").replace(", activity: ", ", doing: ");
        let text = text.replace(", lost: 0, flits_lost: 0, lost_cycles: 0", "");
        self.write_str(&text).unwrap();
    }
}

/// All that can be seen of an engine.
fn look(engine: &Engine, system: &System, snapshot: &mut Snapshot, hash: &mut Hash) {
    engine.observe(snapshot);
    let mut crossings = Vec::new();
    engine.crossings(&mut crossings);
    // Written down when snapshots had the crossings.
    let queues = format!(", crossed: {crossings:?}, queues: [");
    let text = format!("{snapshot:?};").replacen(", queues: [", &queues, 1);
    hash.add_text(&text);
    hash.add(engine.find_deadlock());
    let (mut messages, mut path, mut waits, mut names) = (vec![], vec![], vec![], vec![]);
    engine.messages(&mut messages);
    for message in messages {
        engine.path_of(message.worm, &mut path);
        engine.waits_of(message.worm, &mut waits);
        hash.add((message, &path, &waits, engine.state_of(message.name, None)));
    }
    for router in (0..system.network.routers()).map(RouterId::new) {
        engine.heads_at(router, &mut names);
        hash.add(&names);
    }
}

/// What a system does, as a line.
fn told(at: usize, system: &System) -> String {
    let mut engine = Engine::new(system, at as u64, 0);
    let (mut snapshot, mut batch) = (Snapshot::default(), Vec::new());
    let (mut deliveries, mut looks) = (Hash::default(), Hash::default());
    let step = system.time_unit().cycles.div_ceil(50);
    for turn in 1..=600 {
        engine.advance(Cycle(turn * step));
        engine.take_deliveries(&mut batch);
        // Written down before links had paces of their own, and routers pipelines: none here has.
        let text = format!("{batch:?};").replace(", own_pace: 0", "");
        let text = text.replace(", head_waits: None", "");
        deliveries.write_str(&text).unwrap();
        if turn % 60 == 7 {
            look(&engine, system, &mut snapshot, &mut looks);
        }
    }
    engine.audit().unwrap();
    let machine = match &system.switching {
        Switching::Wormhole(machine) => machine.differences().join(", "),
        Switching::Circuit(machine) => format!("{machine:?}"),
    };
    let Counters { delivered, flit_hops, message_cycles, aborts, events, .. } = engine.counters();
    let stopped =
        engine.deadlock().map_or(String::new(), |lock| format!(", stuck from {}", lock.closed()));
    let routing = format!("{:?}", system.relation.routing());
    let routing = routing.replace(", leave_escape: LeaveEscape(true)", "");
    format!(
        "{at}. {} · {routing} · {machine}\n    {delivered} delivered, {flit_hops} hops, {message_cycles} cycles, \
         {aborts} aborts, {events} events{stopped}\n    deliveries {:016x}, looks {:016x}, state {:016x}\n",
        system.network.name(),
        deliveries.0,
        looks.0,
        engine.fingerprint(),
    )
}

fn all_told(count: usize, systems: impl Strategy<Value = System>) -> String {
    let dice = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), dice);
    (0..count).map(|at| told(at, &systems.new_tree(&mut runner).unwrap().current())).collect()
}

#[test]
fn worms_do_what_they_did() {
    insta::assert_snapshot!(all_told(100, plain_system()));
}

#[test]
fn worms_of_the_default_machine_do_what_they_did() {
    insta::assert_snapshot!(all_told(40, default_system()));
}

#[test]
fn circuits_do_what_they_did() {
    insta::assert_snapshot!(all_told(60, circuit_system()));
}
