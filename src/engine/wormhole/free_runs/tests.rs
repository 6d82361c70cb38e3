//! Measures the share of bulk motion.
//!
//! Free runs affect only the cost, visible in no other test.

use std::fmt::Write;
use std::sync::Arc;

use crate::engine::Simulator;
use crate::engine::wormhole::WormholeEngine;
use crate::engine::wormhole::records::{Motion, NONE};
use crate::routing::{Classes, Escape, Routing};
use crate::switching::{Bandwidth, Ejection, Injection, Release, Terminals, Wormhole};
use crate::system::System;
use crate::topology::cube::{Cube, Family};
use crate::traffic::{Destinations, Lengths, Process, Traffic};
use crate::units::{Cycle, Rate};

/// Sums over cycles: free runs, paused runs, channels, ejections and routers visited, messages held
/// back, timers and arriving heads, and tails, revivals and clashes.
fn work(engine: &mut WormholeEngine, cycles: u64) -> [u64; 8] {
    let mut sums = [0; 8];
    for cycle in 1..=cycles {
        engine.advance(Cycle(cycle));
        let (state, runs) = (&engine.state, &engine.runs);
        let moving = |how: Motion| state.live().filter(|(_, worm)| worm.motion == how).count();
        let held = state.delayed.iter().filter(|&&row| row != NONE).count();
        let now = [
            moving(Motion::Free),
            moving(Motion::Blocked),
            state.active.len(),
            state.ejecting.len(),
            state.requested.len(),
            held,
            runs.timers.ahead(cycle).count() + runs.coming.ahead(cycle).count(),
            runs.tails.ahead(cycle).count() + runs.revived.len() + runs.clashes.len(),
        ];
        for (sum, now) in sums.iter_mut().zip(now) {
            *sum += now as u64;
        }
    }
    sums
}

#[test]
fn as_much_is_moved_as_a_whole_as_ever() {
    let ordered = Routing::dimension_order(Classes::Dateline);
    let adaptive = Routing::minimal_adaptive(Escape::Dateline);
    let torus = Family::Torus { unidirectional: false };
    let default = Wormhole::new(3, 2);
    let ejects = Wormhole { ejection: Ejection::PerWorm, ..Wormhole::new(3, 4) };
    let channels = Wormhole { terminals: Terminals::Channels, ..ejects };
    let machines = [
        ("default", default, false),
        ("with tables", default, true),
        ("deep buffers", Wormhole::new(3, 20), false),
        ("one message", Wormhole { injection: Injection::OneMessage, ..default }, true),
        ("sent", Wormhole { release: Release::Sent, ..Wormhole::new(3, 4) }, true),
        ("instant", Wormhole { credit_delay: 0, ..default }, true),
        ("fixed", Wormhole { bandwidth: Bandwidth::Fixed, ..default }, true),
        ("far", Wormhole { channel_delay: 3, credit_delay: 2, ..Wormhole::new(3, 8) }, true),
        ("channels", channels, true),
    ];
    let mut told = String::new();
    for (name, machine, tables) in machines {
        for (family, routing) in
            [(torus, ordered.clone()), (torus, adaptive.clone()), (Family::Mesh, ordered.clone())]
        {
            for rate in [0.002, 0.01, 0.03] {
                let traffic = Traffic::random(
                    Process::Poisson,
                    Rate(rate),
                    Destinations::Uniform,
                    Lengths::Uniform { min: 1, max: 23 },
                );
                let network = Arc::new(Cube::network(family, &[4, 4]));
                let system = System::new(network, routing.clone(), machine, traffic);
                let mut engine = WormholeEngine::with_tables(&system, 3, 0, tables);
                let sums = work(&mut engine, 1500);
                let hops = engine.counters().flit_hops;
                writeln!(told, "{name}, {routing:?} at {rate}: {hops} hops, {sums:?}").unwrap();
            }
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn where_they_are_not_allowed_every_worm_moves_flit_by_flit() {
    let scenario = crate::scenario::builtin::find("torus-8x8").unwrap();
    let system = crate::scenario::parse(scenario.name, scenario.text, &[]).unwrap().system;
    let mut engine = WormholeEngine::new(&system, 3, 0);
    let free = |engine: &WormholeEngine| {
        engine.state.live().filter(|(_, worm)| worm.motion != Motion::Single).count()
    };
    engine.advance(Cycle(500));
    assert!(free(&engine) > 0);
    engine.set_free_runs(false);
    assert_eq!(free(&engine), 0);
    engine.advance(Cycle(600));
    assert_eq!(free(&engine), 0);
    engine.set_free_runs(true);
    engine.advance(Cycle(700));
    assert!(free(&engine) > 0);
}
