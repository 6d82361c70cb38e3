//! Rates of their own for every path and delays of their own for every link: the model of 002 against a list
//! of paths made here, and lone messages of the engine.

use std::collections::BTreeMap;

use flitscope::engine::Simulator;
use flitscope::engine::wormhole::WormholeEngine;
use flitscope::model::Model;
use flitscope::model::finite_buffers::{FiniteBuffers, Reading};
use flitscope::scenario::parse;
use flitscope::system::System;
use flitscope::units::Rate;

/// A ring of four switches and their hosts: the ends and the delay of each cable.
const CABLES: [(u32, u32, u32); 4] = [(0, 1, 3), (1, 2, 20), (2, 3, 7), (3, 0, 50)];
/// The delay of injection and ejection channels.
const TERMINAL: u32 = 10;
/// Messages of each host (row) to each host.
const WEIGHTS: [[f64; 4]; 4] =
    [[0.0, 2.0, 1.0, 3.0], [1.0, 0.0, 5.0, 0.0], [4.0, 0.5, 0.0, 0.5], [2.0, 2.0, 2.0, 0.0]];

fn system(own: bool, arrivals: &str, lengths: &str) -> System {
    let cable = |(a, b, delay)| {
        if own { format!("({a}, {b}, (delay: {delay}))") } else { format!("({a}, {b})") }
    };
    let cables: Vec<String> = CABLES.map(cable).into();
    let row = |row: [f64; 4]| row.map(|it| it.to_string()).join(", ");
    let text = format!(
        "Scenario(
            network: Switches(links: [{}], hosts: [0, 1, 2, 3]),
            switching: Wormhole(
                preset: FiniteBuffers1997,
                buffer_flits: 200,
                channel_delay: {TERMINAL},
                credit_delay: 1,
            ),
            routing: UpDown(root: 0, paths: Split),
            traffic: (
                arrivals: {arrivals},
                destinations: Matrix(\"{}\"),
                lengths: {lengths},
            ),
        )",
        cables.join(", "),
        WEIGHTS.map(row).join("\n"),
    );
    parse("test", &text, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).system
}

/// The switches on the paths of a pair, up and down from switch 0 over the fewest links: levels 0, 1, 2
/// and 1 around the ring.
fn paths([from, to]: [u32; 2]) -> Vec<Vec<u32>> {
    match [from, to] {
        [0, 2] => vec![vec![0, 1, 2], vec![0, 3, 2]],
        [2, 0] => vec![vec![2, 1, 0], vec![2, 3, 0]],
        // Down to 2 and up again is not allowed.
        [1, 3] => vec![vec![1, 0, 3]],
        [3, 1] => vec![vec![3, 0, 1]],
        _ => vec![vec![from, to]],
    }
}

fn delay(switches: &[u32]) -> u32 {
    let of = |pair: &[u32]| {
        let joins = |it: &&(u32, u32, u32)| [it.0, it.1] == *pair || [it.1, it.0] == *pair;
        CABLES.iter().find(joins).map_or_else(|| panic!("no cable {pair:?}"), |it| it.2)
    };
    2 * TERMINAL + switches.windows(2).map(of).sum::<u32>()
}

#[test]
fn paths_have_the_rates_of_the_matrix_and_the_delays_of_their_links() {
    let [own, equal] =
        [true, false].map(|own| system(own, "Poisson(load: 0.1)", "Exponential(mean: 200)"));
    let sum: f64 = WEIGHTS.as_flattened().iter().sum();
    for reading in [Reading::Basic, Reading::Modified, Reading::SelfExclusion] {
        let model = FiniteBuffers(reading);
        let [with, without] = [&own, &equal].map(|it| model.prepare(it).unwrap());
        let rate = Rate(0.1 / 200.0);
        let waits = |latency: f64, delay: u32| latency - 200.0 - f64::from(delay);
        let mut known = BTreeMap::new();
        for path in without.paths(rate).unwrap() {
            let links = path.channels.len() as u32;
            known.insert(path.channels, waits(path.latency_mean, links * TERMINAL));
        }
        let (mut mean, mut seen) = (0.0, 0);
        for path in with.paths(rate).unwrap() {
            let network = &own.network;
            let mut switches: Vec<u32> =
                path.channels.iter().map(|&it| network.channel(it).to.0).collect();
            switches.pop();
            let pair = [switches[0], *switches.last().unwrap()];
            let all = paths(pair);
            assert!(all.contains(&switches), "{switches:?}");
            let weight = WEIGHTS[pair[0] as usize][pair[1] as usize];
            let share = weight / sum / all.len() as f64;
            assert!((path.share - share).abs() < 1e-9, "{switches:?}: {}, not {share}", path.share);
            // Propagation enters no wait (002, section 5).
            let wait = waits(path.latency_mean, delay(&switches));
            assert!((wait - known[&path.channels]).abs() < 1e-6, "{switches:?}: {wait}");
            mean += path.share * path.latency_mean;
            seen += 1;
        }
        // Two pairs of opposite corners have two paths each, and one pair has no messages.
        assert_eq!(seen, 12 - 1 + 2);
        let predicted = with.predict(rate).unwrap().latency_mean;
        assert!((predicted - mean).abs() < 1e-6, "{predicted}, not {mean}");
    }
}

#[test]
fn a_lone_message_takes_the_delays_of_its_links() {
    let system = system(true, "Poisson(load: 0.0005)", "Fixed(12)");
    let mut engine = WormholeEngine::new(&system, 3, 0);
    let mut all = Vec::new();
    engine.advance(flitscope::units::Cycle(4_000_000));
    engine.take_deliveries(&mut all);
    let mut least = BTreeMap::new();
    for it in &all {
        let least = least.entry([it.source.0, it.destination.0]).or_insert(u64::MAX);
        *least = it.latency().min(*least);
    }
    assert_eq!(least.len(), 11);
    for (pair, latency) in least {
        let shortest = paths(pair).iter().map(|path| delay(path)).min().unwrap();
        assert_eq!(latency, u64::from(12 + shortest), "{pair:?}");
    }
}

#[test]
fn links_with_their_own_rates_are_in_no_model() {
    let text = "Scenario(
        network: Switches(links: [(0, 1, (cycles_per_flit: 2))], hosts: [0, 1]),
        switching: Wormhole(preset: FiniteBuffers1997),
        routing: UpDown(root: 0),
        traffic: (arrivals: Poisson(load: 0.1), destinations: Uniform, lengths: Fixed(20)),
    )";
    let system = parse("test", text, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).system;
    let why = FiniteBuffers(Reading::Basic).prepare(&system).unwrap_err().to_string();
    assert!(why.contains("links have their own rates"), "{why}");
}
