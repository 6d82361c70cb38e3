//! What an event of the circuit engine costs, with full statistics on: an 8-cube under each law, and
//! hypercubes of 6 and 12 dimensions.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use flitscope::experiment::cases;
use flitscope::session::Session;
use flitscope::stats::WarmUp;
use flitscope::units::{CYCLES_PER_TIME, Cycle};

/// Units of time that fill the network before anything is measured.
const FILLING: u64 = 50;
/// Events that one measurement should make, about.
const EVENTS: u64 = 300_000;

/// Every case from the same filled state on, over the same time.
fn events(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("circuit_event");
    for case in cases::all().filter(|case| case.circuits) {
        let scenario = case.scenario();
        let seed = scenario.seed;
        let mut session = Session::new(scenario, seed, 0, WarmUp::Automatic);
        session.advance(Cycle(FILLING * CYCLES_PER_TIME));
        let before = session.counters();
        let until = session.now() + FILLING * CYCLES_PER_TIME * EVENTS / before.events.max(1);
        let mut run = session.clone();
        run.advance(until);
        let made = run.counters().events - before.events;
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

criterion_group!(benches, events);
criterion_main!(benches);
