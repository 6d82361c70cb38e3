//! What a flit-hop costs: the cases of the speed measurements, in flit-hops per second, with full
//! statistics on; what a checkpoint costs to refill; what a picture costs to draw.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use flitscope::engine::Simulator;
use flitscope::engine::Snapshot;
use flitscope::engine::wormhole::WormholeEngine;
use flitscope::experiment::cases::{self, Case};
use flitscope::session::Session;
use flitscope::stats::WarmUp;
use flitscope::units::Cycle;

/// Cycles that fill the network before anything is measured.
const FILLING: u64 = 20_000;
/// Flit-hops that one measurement should make, about.
const FLIT_HOPS: u64 = 200_000;

/// A session of `case` in its steady state.
fn filled(case: &Case) -> Session {
    let scenario = case.scenario();
    let seed = scenario.seed;
    let mut session = Session::new(scenario, seed, 0, WarmUp::Automatic);
    session.advance(Cycle(FILLING));
    session
}

/// Every case from the same filled state on, over the same cycles.
fn flit_hops(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("flit_hop");
    for case in cases::all().filter(|case| !case.circuits) {
        let session = filled(&case);
        let per_cycle = session.counters().flit_hops / FILLING;
        let until = session.now() + FLIT_HOPS / per_cycle.max(1);
        let mut run = session.clone();
        run.advance(until);
        let made = run.counters().flit_hops - session.counters().flit_hops;
        group.throughput(Throughput::Elements(made));
        group.bench_function(case.name, |bencher| {
            bencher.iter_batched_ref(
                || session.clone(),
                |session| session.advance(black_box(until)),
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

/// An engine of the case of this name, filled.
fn engine(name: &str) -> WormholeEngine {
    let scenario = cases::find(name).expect("the case is in the list").scenario();
    let mut engine = WormholeEngine::new(&Arc::clone(&scenario).system, scenario.seed, 0);
    engine.advance(Cycle(FILLING));
    engine.take_deliveries(&mut Vec::new());
    engine
}

/// A checkpoint refilled from an engine that has gone on since.
fn checkpoint(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("checkpoint");
    for name in ["8x8", "32x32", "64x64"] {
        let mut engine = engine(name);
        let mut slot = engine.clone();
        engine.advance(Cycle(FILLING + 1_000));
        engine.take_deliveries(&mut Vec::new());
        group.bench_function(name, |bencher| {
            bencher.iter(|| slot.clone_from(black_box(&engine)));
        });
    }
    group.finish();
}

/// A picture drawn into recycled storage.
fn observe(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("observe");
    for name in ["8x8", "64x64"] {
        let engine = engine(name);
        let mut snapshot = Snapshot::default();
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(&engine).observe(&mut snapshot));
        });
    }
    group.finish();
}

criterion_group!(benches, flit_hops, checkpoint, observe);
criterion_main!(benches);
