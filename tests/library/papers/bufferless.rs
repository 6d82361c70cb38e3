//! Links without buffers, whose flits stop in flight: the machine against rows of registers, and the model
//! against a second implementation of equation (1) of 002, path by path.

use flitscope::engine::Simulator;
use flitscope::engine::wormhole::WormholeEngine;
use flitscope::model::finite_buffers::{FiniteBuffers, Reading};
use flitscope::model::queue::finite::{Queue, Service};
use flitscope::model::queue::moments::Moments;
use flitscope::model::{Model, models_for};
use flitscope::scenario::parse;
use flitscope::system::System;
use flitscope::topology::Role;
use flitscope::units::Rate;

/// The paper's machine without buffers.
fn system(network: &str, delay: u32, lengths: &str, load: f64) -> System {
    let text = format!(
        "Scenario(
            network: {network},
            switching: Wormhole(
                preset: FiniteBuffers1997,
                buffer_flits: {delay},
                channel_delay: {delay},
                credit_delay: 0,
            ),
            routing: UpDown(root: 0, paths: Split),
            traffic: (
                arrivals: Poisson(load: {load}),
                destinations: Uniform,
                lengths: {lengths},
            ),
        )"
    );
    parse("test", &text, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).system
}

/// Three switches in a line with two hosts each.
const LINE: &str = "Switches(links: [(0, 1), (1, 2)], hosts: [0, 0, 1, 1, 2, 2])";

/// The line with a switch for every cycle of a link's delay but one.
fn registers(delay: u32) -> String {
    let (mut links, mut hosts) = (Vec::new(), Vec::new());
    let mut switches = 3;
    let mut row = |from: u32, count: u32| {
        let mut at = from;
        for _ in 0..count {
            links.push((at, switches));
            at = switches;
            switches += 1;
        }
        at
    };
    let ends: Vec<(u32, u32)> =
        [(0, 1), (1, 2)].map(|(from, to)| (row(from, delay - 1), to)).into();
    for host in 0..6 {
        hosts.push(row(host / 2, delay - 1));
    }
    links.extend(ends);
    format!("Switches(links: {links:?}, hosts: {hosts:?})")
}

/// Sources, births and arrivals of the first messages.
fn deliveries(system: &System) -> Vec<(u32, u64, u64)> {
    let mut engine = WormholeEngine::new(system, 5, 0);
    let (mut all, mut batch) = (Vec::new(), Vec::new());
    while all.len() < 4000 {
        engine.advance(engine.now() + 1024);
        engine.take_deliveries(&mut batch);
        all.extend(batch.drain(..).map(|it| (it.source.0, it.born.0, it.done.0)));
    }
    engine.audit().expect("every law holds");
    all.truncate(4000);
    all
}

/// A link of delay η is a row of η registers, each of which is refilled in the cycle in which it is emptied.
#[test]
fn a_link_without_a_buffer_is_a_row_of_registers() {
    for (delay, load) in [(2, 0.3), (3, 0.4), (7, 0.4), (10, 0.5)] {
        for lengths in ["Fixed(40)", "Geometric(mean: 25)", "Fixed(3)"] {
            let link = deliveries(&system(LINE, delay, lengths, load));
            let row = deliveries(&system(&registers(delay), 1, lengths, load));
            let same = link.iter().zip(&row).take_while(|(one, other)| one == other).count();
            assert!(same == link.len(), "{delay} cycles, {lengths}: {same} messages are the same");
        }
    }
}

/// A link passes a flit per cycle at any delay.
#[test]
fn a_link_without_a_buffer_passes_a_flit_per_cycle() {
    for delay in [1, 2, 10, 64] {
        let system = system(LINE, delay, "Fixed(500)", 0.001);
        assert_eq!(system.wormhole().unwrap().round_trip(), delay);
        let unloaded = deliveries(&system).into_iter().map(|(_, born, done)| done - born);
        // Two hosts of one switch are two links apart.
        assert_eq!(unloaded.min(), Some(500 + 2 * u64::from(delay)));
    }
}

/// W of every link by the queue M/G/1/κ with B as service, and B by (1): the worm and W of all later links of
/// its path.
#[test]
fn waits_and_delays_are_those_of_equation_1() {
    let torus = "SwitchGrid(kind: Torus, radix: [3, 3], hosts: 4)";
    let system = system(torus, 10, "Exponential(mean: 200)", 0.1);
    let prepared = FiniteBuffers(Reading::Bufferless).prepare(&system).unwrap();
    for share in [0.2, 0.6, 0.9] {
        let rate = Rate(share * prepared.saturation_rate().0);
        let all = rate.0 * system.network.nodes() as f64;
        let mut channels = prepared.channels(rate).unwrap();
        channels.sort_by_key(|channel| channel.rank);
        let paths = prepared.paths(rate).unwrap();
        let mut waits = vec![Moments::NONE; system.network.channels().len()];
        let mut queue = Queue::default();
        for channel in channels {
            let (mut flow, mut mean, mut square) = (0.0, 0.0, 0.0);
            for path in &paths {
                let Some(at) = path.channels.iter().position(|&it| it == channel.channel) else {
                    continue;
                };
                let later = path.channels[at + 1..].iter().map(|it| waits[it.index()]);
                let (mut held, mut variance) = (200.0, 200.0 * 200.0);
                for wait in later {
                    held += wait.mean;
                    variance += wait.square - wait.mean * wait.mean;
                }
                flow += all * path.share;
                mean += all * path.share * held;
                square += all * path.share * (variance + held * held);
            }
            let held = Moments { mean: mean / flow, square: square / flow };
            assert!((flow / channel.flow - 1.0).abs() < 1e-9);
            assert!((held.mean / channel.service.mean - 1.0).abs() < 1e-9, "{channel:?}");
            assert!((held.square / channel.service.square - 1.0).abs() < 1e-9, "{channel:?}");
            let wait = if system.network.channel(channel.channel).role == Role::Injection {
                flow * held.square / (2.0 * (1.0 - flow * held.mean))
            } else {
                let service = Service::new(held);
                let wait = queue.solve(flow, &service, channel.inputs as usize, 0.0).wait;
                waits[channel.channel.index()] = wait;
                assert!((channel.held_mean.unwrap() / held.mean - 1.0).abs() < 1e-9);
                assert_eq!(channel.full, None);
                wait.mean
            };
            assert!((wait - channel.wait_mean).abs() < 1e-6, "{wait} {channel:?}");
        }
    }
    let first = models_for(&system).into_iter().next().unwrap();
    assert_eq!(first.reading(), "bufferless");
}
