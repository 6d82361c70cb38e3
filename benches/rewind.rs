//! What going back costs: 100,000 cycles in a network at half load, and the checkpoints while going on.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use flitscope::scenario::{Scenario, parse};
use flitscope::session::Session;
use flitscope::session::tape::{Keep, SeekProgress, Tape};
use flitscope::stats::WarmUp;
use flitscope::units::Cycle;

/// Cycles to go back.
const BACK: u64 = 100_000;

/// A torus at about half of the load that it carries.
fn torus(radix: u32, load: f64) -> Option<Arc<Scenario>> {
    let text = format!(
        "Scenario(
            network: Torus(radix: [{radix}, {radix}]),
            switching: Wormhole(virtual_channels: 2, buffer_flits: 4),
            routing: DimensionOrder(classes: Destination),
            traffic: (arrivals: Poisson(load: {load}), destinations: Uniform, lengths: Fixed(12)),
        )"
    );
    parse("bench", &text, &[]).ok().map(Arc::new)
}

fn tape(scenario: &Arc<Scenario>, keep: Keep) -> Tape {
    Tape::new(Session::new(Arc::clone(scenario), 1, 0, WarmUp::Automatic), keep)
}

fn rewind(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rewind");
    group.sample_size(10);
    for (radix, load) in [(16, 0.087), (64, 0.0217)] {
        let Some(scenario) = torus(radix, load) else { continue };
        let mut run = tape(&scenario, Keep::default());
        run.advance(Cycle(3 * BACK));
        let name = format!("back 100,000 cycles, {radix}x{radix}");
        let mut times = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                // Another cycle every time: where one has been, a checkpoint may be left.
                times += 1;
                run.seek(Cycle(2 * BACK - times * 977 % 50_000), 256);
                while !matches!(run.advance_seek(4096), SeekProgress::Done | SeekProgress::Nothing)
                {
                }
                black_box(run.now());
                run.seek(run.live(), 0);
                while !matches!(
                    run.advance_seek(1 << 20),
                    SeekProgress::Done | SeekProgress::Nothing
                ) {}
            });
        });
        let none = Keep { bytes: 0, ..Keep::default() };
        for (what, keep) in [("with", Keep::default()), ("without", none)] {
            let name = format!("go on 100,000 cycles, {radix}x{radix}, {what} checkpoints");
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    let mut run = tape(&scenario, keep);
                    run.advance(Cycle(BACK));
                    black_box(run.now())
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, rewind);
criterion_main!(benches);
