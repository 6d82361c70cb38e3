//! What a prediction costs: once per system, and again at every rate.

use std::cell::RefCell;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use flitscope::model::channel_flow::ChannelFlow;
use flitscope::model::circuit::{DataTime, Equations, Reading, Routes, Shape};
use flitscope::model::deterministic_torus::DeterministicTorus;
use flitscope::model::finite_buffers::FiniteBuffers;
use flitscope::model::mesh::Mesh;
use flitscope::model::one_way_torus::OneWayTorus;
use flitscope::model::{Model, Prepared};
use flitscope::scenario::parse;
use flitscope::switching::Circuit;
use flitscope::switching::circuit::Conflict;
use flitscope::system::System;
use flitscope::units::Rate;

fn system(network: &str, vcs: u32) -> Option<System> {
    parsed(network, &format!("virtual_channels: {vcs}"), "Fixed(32)")
}

/// A machine whose buffers hold many worms.
fn long_buffers(network: &str) -> Option<System> {
    let machine = "virtual_channels: 1, buffer_flits: 320, release: Sent, injection: OneMessage, \
                   ejection: Shared, terminals: Channels";
    parsed(network, machine, "Exponential(mean: 32)")
}

fn parsed(network: &str, machine: &str, lengths: &str) -> Option<System> {
    let text = format!(
        "Scenario(
            network: {network},
            switching: Wormhole({machine}),
            routing: DimensionOrder(classes: Dateline),
            traffic: (arrivals: Poisson(rate: 0.001), destinations: Uniform, lengths: {lengths}),
        )"
    );
    parse("bench", &text, &[]).ok().map(|scenario| scenario.system)
}

fn models(criterion: &mut Criterion) {
    let mesh = system("Mesh(radix: [16, 16])", 1);
    let one_way = system("Torus(radix: [16, 16], links: Unidirectional)", 2);
    let torus = system("Torus(radix: [16, 16])", 2);
    let cube = system("Hypercube(dimensions: 8)", 1);
    let large_mesh = system("Mesh(radix: [32, 32])", 2);
    let flow = ChannelFlow::default();
    let stand_in = DeterministicTorus::default();
    let (small, large) =
        (long_buffers("Mesh(radix: [4, 4])"), long_buffers("Mesh(radix: [16, 16])"));
    let buffers = FiniteBuffers::default();
    let cases: [(&str, &dyn Model, &Option<System>); 9] = [
        ("mesh 16x16", &Mesh, &mesh),
        ("one-way torus 16x16", &OneWayTorus, &one_way),
        ("deterministic torus 16x16", &stand_in, &torus),
        ("channel flow, 16x16 mesh", &flow, &mesh),
        ("channel flow, 16x16 torus", &flow, &torus),
        ("channel flow, 8-cube", &flow, &cube),
        ("channel flow, 32x32 mesh", &flow, &large_mesh),
        ("finite buffers, 4x4 mesh", &buffers, &small),
        ("finite buffers, 16x16 mesh", &buffers, &large),
    ];
    for (name, model, system) in cases {
        let Some(system) = system else { continue };
        criterion.bench_function(&format!("prepare {name}"), |bencher| {
            bencher.iter(|| black_box(model.prepare(system)));
        });
        let Ok(prepared) = model.prepare(system) else { continue };
        let half = 0.5 * prepared.saturation_rate().0;
        // The last rate that was solved is known.
        let rates = [half, 0.999 * half].map(Rate).into_iter().cycle();
        let rates = RefCell::new(rates);
        let next = || rates.borrow_mut().next().unwrap_or(Rate(half));
        let predict = |prepared: &dyn Prepared| prepared.predict(next());
        criterion.bench_function(&format!("predict {name}"), |bencher| {
            bencher.iter(|| black_box(predict(black_box(&*prepared))));
        });
    }
}

/// The three strategies of circuit switching in an 8-cube and hold in a torus, at the paper's middle
/// loads. Nothing of note can be worked out before the rate is known.
fn circuits(criterion: &mut Criterion) {
    let cube = Shape::Cube { dimensions: 8, full_duplex: false };
    let uniform = DataTime::Uniform { min: 0.1, max: 1.9 };
    let (drop, adaptive) = (Conflict::Drop { back_off: 1.5 }, Conflict::Adaptive { back_off: 1.5 });
    let hasty = Conflict::Drop { back_off: 0.3 };
    let cases = [
        ("hold 8-cube", cube, Conflict::Hold, uniform, 0.2),
        ("drop 8-cube", cube, drop, uniform, 0.2),
        (
            "drop 8-cube, exponential, back-off 0.3",
            cube,
            hasty,
            DataTime::Exponential { mean: 1.0 },
            0.2,
        ),
        ("adaptive 8-cube", cube, adaptive, uniform, 0.5),
        ("hold 8x8 one-way torus", Shape::OneWayTorus { radix: 8 }, Conflict::Hold, uniform, 0.05),
    ];
    for (name, shape, conflict, data, rate) in cases {
        for reading in [Reading::Refined, Reading::Text] {
            let (machine, routes) = (Circuit::new(conflict), Routes::uniform(shape));
            let equations = Equations { shape, routes, machine, data, reading };
            criterion.bench_function(
                &format!("predict {name}, {}", <&str>::from(reading)),
                |bencher| {
                    bencher.iter(|| black_box(&equations).solve(black_box(rate)));
                },
            );
        }
    }
}

criterion_group!(benches, models, circuits);
criterion_main!(benches);
