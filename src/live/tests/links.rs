//! Tests of the measured figures of links.
//!
//! Figures agree with the engine's counts, with exact results of queueing theory, and with Little's
//! law.

use super::*;
use crate::ids::{ChannelId, NodeId};
use crate::scenario::{builtin, parse};
use crate::switching::Preset;
use crate::topology::Role;
use crate::topology::switches::Switches;

/// The update of a run after `cycles`, with the model's predictions.
fn after(scenario: Arc<Scenario>, warm_up: u64, cycles: u64) -> Box<Update> {
    let warm_up = WarmUp::Cycles(warm_up);
    let options = Options { running: false, speed: Speed::Max, warm_up, ..Options::default() };
    let mut live = Live::start(scenario, options).unwrap();
    live.send(Command::Step(cycles));
    wait(&live, |update| {
        update.commands == 1 && update.state == RunState::Paused && update.theory.is_some()
    })
}

#[track_caller]
fn close(found: Option<f64>, wanted: f64, share: f64) {
    let found = found.expect("there is a figure");
    assert!((found / wanted - 1.0).abs() < share, "{found}, wanted {wanted}");
}

/// Two hosts on a switch, each sending at half the capacity of its links, with worms of 200 flits
/// on average. Without conflicts, each host is an M/G/1 queue (here M/M/1).
#[test]
fn two_hosts_on_a_switch_are_two_queues() {
    let network = Switches::random(1, &[], &[0, 0]);
    let machine = Wormhole {
        buffer_flits: 200,
        channel_delay: 10,
        ..Wormhole::preset(Preset::FiniteBuffers1997, 1)
    };
    let traffic = Traffic::random(
        Process::Poisson,
        Rate(0.0025),
        Destinations::Uniform,
        Lengths::Exponential { mean: 200.0 },
    );
    let routing = Routing::UpDown {
        roots: crate::ids::RouterId(0).into(),
        paths: crate::routing::Paths::Split,
    };
    let system = System::new(Arc::new(network), routing, machine, traffic);
    let scenario = Scenario { system, ..Arc::unwrap_or_clone(scenario()) };
    let update = after(Arc::new(scenario), 100_000, 16_000_000);
    let census = &update.usage.census;
    assert!(census.period == 1024 && census.samples >= 15_500, "{}", census.samples);
    let network = &update.scenario.system.network;
    for node in [0, 1] {
        let injection = LinkFigures::of(&update, network.injection_of(NodeId(node)).unwrap());
        // ρ/(1 − ρ) of 200 cycles, as in the model.
        close(injection.wait.predicted, 200.0, 1e-9);
        close(injection.wait.measured, 200.0, 0.06);
        close(injection.flow.predicted, 0.5, 1e-9);
        let flow = injection.flow.measured.unwrap();
        close(Some(flow), 0.5, 0.02);
        // Census and counter agree: a channel is held exactly while flits cross, without a gap.
        close(injection.held.measured, flow, 0.03);
        close(injection.heads.measured, flow, 0.06);
        let ejection = LinkFigures::of(&update, network.ejection_of(NodeId(node)).unwrap());
        close(ejection.held.measured, flow, 0.03);
        assert_eq!(ejection.heads.measured, Some(0.0));
        assert_eq!((ejection.full.measured, ejection.full.predicted), (None, None));
    }
}

/// The number of waiting heads is the product of messages per cycle and their waits, and the error
/// of the model of 002 is the same as against its reference simulation.
#[test]
fn the_waits_for_links_add_up_to_the_latency() {
    let name = "papers/switch-torus-3x3-200";
    let scenario = parse(name, builtin::find(name).unwrap().text, &[]).unwrap();
    let update = after(Arc::new(scenario), 100_000, 4_000_000);
    let system = &update.scenario.system;
    let network = &system.network;
    let all = (0..network.channels().len()).map(ChannelId::new);
    let figures: Vec<_> = all.map(|channel| (channel, LinkFigures::of(&update, channel))).collect();
    let heads: f64 = figures.iter().map(|(_, link)| link.heads.measured.unwrap()).sum();
    let summary = &update.summary;
    let wait = summary.source_wait_mean().unwrap() + summary.blocking_mean().unwrap();
    let messages = summary.accepted.unwrap() / system.traffic.lengths.mean();
    close(Some(heads / messages / network.nodes() as f64), wait, 0.05);

    let links = figures.iter().filter(|&&(channel, _)| network.channel(channel).role == Role::Link);
    let ranked =
        links.filter(|&&(channel, _)| (3..=6).contains(&forecast(&update, channel).unwrap().rank));
    let mut sums = [[0.0; 2]; 4];
    for (_, link) in ranked {
        let pairs = [link.flow, link.held, link.heads, link.full];
        for (sum, pair) in sums.iter_mut().zip(pairs) {
            sum[0] += pair.measured.unwrap();
            sum[1] += pair.predicted.unwrap();
        }
    }
    let [flow, held, heads, full] = sums.map(|[measured, predicted]| predicted / measured);
    assert!((0.98..1.02).contains(&flow), "flow {flow}");
    assert!((1.0..1.12).contains(&held), "held {held}");
    assert!((1.3..1.95).contains(&heads), "wait {heads}");
    assert!(full > 0.5, "full {full}");
}
