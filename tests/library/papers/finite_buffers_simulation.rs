//! Simulation on the machine of 002 agrees with the reference simulation of a torus of switches and
//! of a mesh, and with the queue M/G/1 where nobody meets anybody in the network.

use std::sync::Arc;

use flitscope::engine::Delivery;
use flitscope::engine::Simulator;
use flitscope::engine::wormhole::WormholeEngine;
use flitscope::ids::RouterId;
use flitscope::routing::{Classes, Paths, Routing};
use flitscope::stats::Estimate;
use flitscope::switching::{Preset, Wormhole};
use flitscope::system::System;
use flitscope::topology::Network;
use flitscope::topology::cube::{Cube, Family};
use flitscope::topology::switches::Switches;
use flitscope::traffic::{Destinations, Lengths, Process, Traffic};
use flitscope::units::Load;
use rayon::prelude::*;

use crate::share::share;

/// Batches of a run, as the reference has them.
const BATCHES: usize = 20;

fn system(network: Network, machine: Wormhole, lengths: Lengths, load: f64) -> System {
    let routing = if network.switches().is_some() {
        Routing::UpDown { roots: RouterId(0).into(), paths: Paths::Split }
    } else {
        Routing::dimension_order(Classes::None)
    };
    let traffic = Traffic::random(
        Process::Poisson,
        Load(load).to_rate(lengths.mean()),
        Destinations::Uniform,
        lengths,
    );
    System::new(Arc::new(network), routing, machine, traffic)
}

/// One switch with this many hosts.
fn one_switch(hosts: usize) -> Network {
    Switches::random(1, &[], &vec![0; hosts])
}

fn machine(buffer_flits: u32, channel_delay: u32, credit_delay: u32) -> Wormhole {
    let preset = Wormhole::preset(Preset::FiniteBuffers1997, 1);
    Wormhole { buffer_flits, channel_delay, credit_delay, ..preset }
}

/// The first `count` messages by birth, after `skip` that are left out.
fn messages(system: &System, seed: u64, skip: usize, count: usize) -> Vec<Delivery> {
    let mut engine = WormholeEngine::new(system, seed, 0);
    let (mut all, mut batch) = (Vec::new(), Vec::new());
    // Messages born before one that is counted are all delivered when many born after it are.
    while all.len() < skip + count + 1000 {
        engine.advance(engine.now() + 1024);
        engine.take_deliveries(&mut batch);
        all.append(&mut batch);
    }
    engine.audit().expect("every law holds");
    all.sort_unstable_by_key(|delivery| (delivery.born, delivery.source));
    all.drain(skip..skip + count).collect()
}

fn mean_delay(system: &System, seed: u64, count: usize) -> Estimate {
    let messages = messages(system, seed, count / 10, count);
    let mean = |batch: &[Delivery]| {
        batch.iter().map(|message| message.latency() as f64).sum::<f64>() / batch.len() as f64
    };
    let means: Vec<f64> = messages.chunks(count / BATCHES).map(mean).collect();
    Estimate::of_independent(&means).expect("there are batches")
}

struct Row {
    torus: bool,
    buffer: u32,
    load: f64,
    delay: f64,
    half_width: f64,
}

impl Row {
    /// The load as a share of that at which the reference's delay reaches 10 times that of an empty
    /// network.
    fn of_saturation(&self) -> f64 {
        self.load
            / match (self.torus, self.buffer) {
                (true, 50) => 0.2305,
                (true, 200) => 0.2487,
                (true, 800) => 0.2929,
                (true, 2000) => 0.3133,
                (false, 16) => 0.3490,
                (false, 64) => 0.3708,
                (false, 200) => 0.4278,
                (false, 400) => 0.4621,
                (_, buffer) => panic!("no saturation is known for buffers of {buffer}"),
            }
    }
}

fn rows() -> Vec<Row> {
    include_str!("../../papers/finite_buffers_delays.csv")
        .lines()
        .filter(|line| line.starts_with("torus,") || line.starts_with("mesh,"))
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let number = |at: usize| fields[at].parse::<f64>().expect("a number");
            Row {
                torus: fields[0] == "torus",
                buffer: number(1) as u32,
                load: number(2),
                delay: number(3),
                half_width: number(4),
            }
        })
        .collect()
}

/// Runs a row with this many worms; says if it lies outside both intervals and 2 %.
fn judge(row: &Row, worms: usize) -> Option<String> {
    let &Row { torus, buffer, load, delay, half_width } = row;
    let lengths = Lengths::Exponential { mean: 200.0 };
    // 36 hosts at 9 switches 10 cycles apart; 16 routers with a node each, 1 cycle apart.
    let (network, far) = if torus {
        let hosts: Vec<u32> = (0..36).map(|host| host / 4).collect();
        (Switches::grid(Family::Torus { unidirectional: false }, &[3, 3], &hosts), 10)
    } else {
        (Cube::network(Family::Mesh, &[4, 4]), 1)
    };
    let system = system(network, machine(buffer, far, far), lengths, load);
    let found = mean_delay(&system, 1, worms);
    let own = found.half_width.expect("there are batches");
    ((found.mean - delay).abs() > half_width + own + 0.02 * delay).then(|| {
        format!(
            "torus {torus}, buffer {buffer}, load {load}: {:.1} ± {own:.1}, reference {delay} ± \
             {half_width}",
            found.mean
        )
    })
}

/// All rows up to 80 % of saturation, with as many worms as the reference had.
#[test]
fn networks_are_as_slow_as_the_reference_says() {
    let rows: Vec<Row> = rows().into_iter().filter(|row| row.of_saturation() <= 0.81).collect();
    assert!(rows.iter().any(|row| row.torus) && rows.iter().any(|row| !row.torus));
    assert!(rows.len() > 30, "{}", rows.len());
    let rows = share(rows, 8);
    let failures: Vec<String> = rows.par_iter().filter_map(|row| judge(row, 60_000)).collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Two hosts of one switch that send to each other: every message waits for those before it at its own source and
/// for nobody else, whatever the buffers (002, equation (19), with the size as the service).
#[test]
fn without_anybody_in_the_way_a_host_is_a_queue_m_g_1() {
    let sizes: [(Lengths, f64); 2] = [
        (Lengths::Fixed(200), 200.0 * 200.0),
        // Geometric with mean 200: variance 200 · 199.
        (Lengths::Exponential { mean: 200.0 }, 200.0 * 199.0 + 200.0 * 200.0),
    ];
    let load = 0.5;
    for (lengths, second_moment) in sizes {
        let system = system(one_switch(2), machine(200, 10, 10), lengths, load);
        let wait = load / 200.0 * second_moment / (2.0 * (1.0 - load));
        let theory = wait + 200.0 + 2.0 * 10.0;
        let found = mean_delay(&system, 7, 40_000);
        let half = found.half_width.expect("there are batches");
        assert!(half < 0.05 * theory, "{half} says little");
        // Twice the half width: 99.99 %; arrivals are counted from the beginning of their cycle.
        assert!((found.mean - theory).abs() < 2.0 * half + 1.0, "{found:?}, theory {theory}");
    }
}

/// On one switch buffers only decide where a message waits, not how long.
#[test]
fn on_one_switch_buffers_and_credits_change_nothing() {
    let run = |buffer, credit_delay| {
        let lengths = Lengths::Exponential { mean: 200.0 };
        let machine = machine(buffer, 10, credit_delay);
        // When a head leaves its source does depend on the buffers; when the tail arrives does not.
        messages(&system(one_switch(5), machine, lengths, 0.45), 3, 0, 3000)
            .iter()
            .map(|message| (message.source, message.serial, message.born, message.done))
            .collect::<Vec<_>>()
    };
    let reference = run(20, 10);
    for (buffer, credit_delay) in [(11, 1), (50, 10), (200, 1), (2000, 10), (65_535, 10)] {
        assert!(run(buffer, credit_delay) == reference, "buffer {buffer}, credits {credit_delay}");
    }
}
