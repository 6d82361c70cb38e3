//! The model of finite input buffers (002) against worked-out figures, to the digits printed.

use super::tables;
use flitscope::model::finite_buffers::{FiniteBuffers, Reading};
use flitscope::model::queue::finite::{Queue, Service};
use flitscope::model::queue::moments::Moments;
use flitscope::model::{ChannelForecast, Model, Prepared, Unsolved, models_for};
use flitscope::scenario::parse;
use flitscope::system::System;
use flitscope::topology::Role;
use flitscope::units::{Load, Rate};
use strum::VariantArray;
use tables::{Row, number, rows};

/// The mean size of worms in flits.
const SIZE: f64 = 200.0;

/// Half a unit of the last digit printed (and a rounding error more).
fn half_unit(printed: &str) -> f64 {
    let (digits, exponent) = printed.split_once('e').unwrap_or((printed, "0"));
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    0.500_001 * 10f64.powf(exponent.parse::<f64>().unwrap() - decimals as f64)
}

/// Whether a figure is the one printed.
fn same(found: f64, row: &Row, column: &str) {
    let printed = &row[column];
    let expected: f64 = printed.parse().unwrap();
    assert!((found - expected).abs() <= half_unit(printed), "{row:?} {column}: {found}");
}

/// The paper's machine on a network, by the fields that differ.
fn system(network: &str, machine: &str, routing: &str, lengths: &str) -> System {
    let text = format!(
        "Scenario(
            network: {network},
            switching: Wormhole(preset: FiniteBuffers1997, {machine}),
            routing: {routing},
            traffic: (
                arrivals: Poisson(load: 0.1),
                destinations: Uniform,
                lengths: {lengths},
            ),
        )"
    );
    parse("test", &text, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).system
}

/// The 3x3 torus of the paper, or a 4x4 mesh.
fn named(network: &str, lengths: &str, buffer: u32) -> System {
    match network {
        "torus" => torus("Split", lengths, buffer),
        "mesh" => {
            let machine = format!("buffer_flits: {buffer}, channel_delay: 1, credit_delay: 1");
            let mesh = "SwitchGrid(kind: Mesh, radix: [4, 4], hosts: 1)";
            system(mesh, &machine, "DimensionOrder(classes: None)", &law(lengths))
        }
        other => panic!("no network {other}"),
    }
}

fn torus(paths: &str, lengths: &str, buffer: u32) -> System {
    let torus = "SwitchGrid(kind: Torus, radix: [3, 3], hosts: 4)";
    let routing = format!("UpDown(root: 0, paths: {paths})");
    system(torus, &format!("buffer_flits: {buffer}"), &routing, &law(lengths))
}

/// Worms of 200 flits in the mean.
fn law(lengths: &str) -> String {
    match lengths {
        "Exponential" | "Geometric" => format!("{lengths}(mean: {SIZE})"),
        "Fixed" => "Fixed(200)".to_owned(),
        "Uniform" => "Uniform(min: 100, max: 300)".to_owned(),
        other => panic!("no law {other}"),
    }
}

fn reading(name: &str) -> Reading {
    Reading::VARIANTS.iter().copied().find(|reading| <&str>::from(reading) == name).unwrap()
}

fn prepared(system: &System, reading: Reading) -> Box<dyn Prepared> {
    FiniteBuffers(reading).prepare(system).unwrap()
}

fn rate(load: f64) -> Rate {
    Load(load).to_rate(SIZE)
}

#[test]
fn single_queues_are_those_worked_out() {
    for row in rows("finite_queue.csv") {
        let (mean, variation): (f64, f64) = (number(&row, "mean"), number(&row, "variation"));
        let service = Service::new(Moments::with_variance(mean, variation * mean * mean));
        let mut queue = Queue::default();
        let solution = queue.solve(number(&row, "accepted"), &service, number(&row, "room"), 0.0);
        same(solution.offered, &row, "offered");
        same(solution.blocked, &row, "blocked");
        same(solution.wait.mean, &row, "wait_mean");
        same(solution.wait.square, &row, "wait_square");
        for (found, printed) in queue.left_behind().iter().zip(row["left_behind"].split(' ')) {
            assert!((found - printed.parse::<f64>().unwrap()).abs() <= half_unit(printed));
        }
    }
}

#[test]
fn flows_ranks_and_input_ports_are_those_of_the_paper() {
    let check = |system: &System, flows: &[(f64, usize)], rank: u32| {
        let channels = prepared(system, Reading::Basic).channels(rate(0.1)).unwrap();
        let network = &system.network;
        let link = |c: &&ChannelForecast| network.channel(c.channel).role == Role::Link;
        let of_links: Vec<f64> =
            channels.iter().filter(link).map(|c| c.flow / rate(0.1).0).collect();
        for &(flow, count) in flows {
            let found = of_links.iter().filter(|&&found| (found - flow).abs() < 1e-5).count();
            assert_eq!(found, count, "{flow}: {of_links:?}");
        }
        assert_eq!(channels.iter().map(|channel| channel.rank).max(), Some(rank));
        channels
    };
    let split = torus("Split", "Exponential", 200);
    let flows = [(1.82857, 12), (1.37143, 12), (0.91429, 12)];
    for channel in check(&split, &flows, 10) {
        let inputs = match split.network.channel(channel.channel).role {
            Role::Injection => 0..=0,
            Role::Link => 4..=6,
            Role::Ejection => 7..=7,
        };
        assert!(inputs.contains(&channel.inputs), "{channel:?}");
    }
    // A way for each pair of hosts makes the same flows as ways that are drawn.
    check(&torus("Host", "Exponential", 200), &flows, 10);
    let first = check(&torus("First", "Exponential", 200), &[], 5);
    let most = first.iter().map(|channel| channel.flow / rate(0.1).0).fold(0.0, f64::max);
    assert!((most - 2.28571).abs() < 1e-5);
    let mesh = check(&named("mesh", "Exponential", 64), &[], 8);
    let most = mesh.iter().map(|channel| channel.flow / rate(0.1).0).fold(0.0, f64::max);
    assert!((most - 1.06667).abs() < 1e-5);
}

#[test]
fn a_ring_is_refused_by_name() {
    let ring = "Switches(links: [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], hosts: 1)";
    let ring = system(ring, "virtual_channels: 1", "ShortestPath", "Fixed(8)");
    let Err(Unsolved::NotCovered(why)) = FiniteBuffers::default().prepare(&ring) else {
        panic!("a ring has a cycle")
    };
    assert!(why.contains("cycle through s"), "{why}");
}

#[test]
fn delays_are_those_worked_out_part_by_part() {
    for row in rows("finite_buffers_model.csv") {
        let system = named(&row["network"], &row["lengths"], number(&row, "buffer"));
        assert_eq!(FiniteBuffers::default().mismatches(&system), []);
        let network = prepared(&system, reading(&row["reading"]));
        let rate = rate(number(&row, "load"));
        let prediction = network.predict(rate).unwrap();
        same(prediction.latency_mean, &row, "latency");
        let sum: f64 = prediction.terms.iter().map(|term| term.cycles).sum();
        assert!((sum - prediction.latency_mean).abs() < 1e-9);
        let term = |name| {
            prediction.terms.iter().find(|term| term.name == name).map(|term| term.cycles).unwrap()
        };
        same(term("source waiting"), &row, "source");
        same(term("contention for links") + term("behind others in buffers"), &row, "ways");
        assert!((term("transfer") - SIZE).abs() < 1e-9);
        let channels = network.channels(rate).unwrap();
        let busiest = channels.iter().map(ChannelForecast::busy).fold(0.0, f64::max);
        same(busiest, &row, "busy_max");
    }
}

#[test]
fn single_links_are_those_worked_out() {
    let torus = torus("Split", "Exponential", 200);
    let network = prepared(&torus, Reading::Basic);
    let channels = network.channels(rate(0.15)).unwrap();
    let utilisation = network.utilisation(rate(0.15)).unwrap();
    for row in rows("finite_buffers_links.csv") {
        let to =
            if row["to"].starts_with('h') { row["to"].clone() } else { format!("s{}", row["to"]) };
        let name = format!("s{}→{to}", row["from"]);
        let found =
            channels.iter().find(|it| torus.network.channel_name(it.channel) == name).unwrap();
        assert_eq!(found.rank, number::<u32>(&row, "rank"));
        assert_eq!(found.inputs, number::<u32>(&row, "inputs"));
        same(found.flow / rate(0.15).0, &row, "flow");
        same(found.service.mean, &row, "service_mean");
        same(found.service.square, &row, "service_square");
        same(found.wait_mean, &row, "wait");
        same(found.contention_mean, &row, "contention");
        same(found.buffering_mean, &row, "buffering");
        same(found.full.unwrap_or(0.0), &row, "full");
        assert!((utilisation[found.channel.index()] - found.flow * SIZE).abs() < 1e-12);
        assert!(found.held_mean.unwrap() >= SIZE);
    }
}

#[test]
fn saturation_loads_are_those_worked_out() {
    for row in rows("finite_buffers_saturation.csv") {
        let system = torus("Split", "Exponential", number(&row, "buffer"));
        let network = prepared(&system, reading(&row["reading"]));
        let Rate(limit) = network.saturation_rate();
        same(limit * SIZE, &row, "load");
        assert!(network.predict(Rate(0.9999 * limit)).is_ok());
        let beyond = network.predict(Rate(1.0001 * limit));
        assert!(matches!(beyond, Err(Unsolved::Saturated { .. })));
    }
}

#[test]
fn delay_curves_are_those_worked_out() {
    for row in rows("finite_buffers_delays.csv") {
        let system = named(&row["network"], "Exponential", number(&row, "buffer"));
        let covers = |reading: &&Reading| FiniteBuffers(**reading).covers(&system);
        for &one in Reading::VARIANTS.iter().filter(covers) {
            match prepared(&system, one).predict(rate(number(&row, "load"))) {
                Ok(prediction) => same(prediction.latency_mean, &row, <&str>::from(one)),
                Err(Unsolved::Saturated { .. }) => {
                    assert_eq!(row[<&str>::from(one)], "sat", "{row:?}");
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
}

#[test]
fn longer_buffers_help_and_no_load_means_no_wait() {
    let at = |lengths: &str, buffer| {
        let network = prepared(&named("mesh", lengths, buffer), Reading::Basic);
        let unloaded = network.predict(Rate(0.0)).unwrap();
        // Mean way: 2 2/3 links and those of the hosts.
        assert!((unloaded.latency_mean - SIZE - 14.0 / 3.0).abs() < 1e-9);
        network.predict(rate(0.15)).unwrap().latency_mean
    };
    for lengths in ["Exponential", "Geometric", "Uniform", "Fixed"] {
        let latencies = [16, 64, 200, 1000].map(|buffer| at(lengths, buffer));
        // In the model a buffer that just holds the one size there is costs more than it spares.
        let gaps = if lengths == "Fixed" { 3 } else { 1 };
        for (shorter, longer) in latencies.iter().zip(&latencies[gaps..]) {
            assert!(longer < shorter, "{lengths} {latencies:?}");
        }
    }
    // On the flit grid a mean of 200 is next to continuous.
    assert!((at("Geometric", 64) / at("Exponential", 64) - 1.0).abs() < 0.01);
}

#[test]
fn what_the_model_does_not_assume_is_named() {
    let mesh = |machine: &str, routing: &str| {
        system("Mesh(radix: [4, 4])", machine, routing, "Exponential(mean: 200)")
    };
    let model = FiniteBuffers::default();
    let found = |machine: &str| {
        let broken = model.mismatches(&mesh(machine, "DimensionOrder(classes: None)"));
        broken.into_iter().map(|mismatch| mismatch.found).collect::<Vec<_>>()
    };
    assert_eq!(found("virtual_channels: 1"), Vec::<String>::new());
    assert_eq!(found("virtual_channels: 2"), ["2 VCs per channel"]);
    assert_eq!(found("allocation: OldestFirst"), ["the oldest message first"]);
    assert_eq!(found("release: Drained").len(), 1);
    assert_eq!(found("buffer_flits: 19"), ["19 flits, and 20 cycles"]);
    let own = mesh("virtual_channels: 1", "DimensionOrder(classes: None)");
    let first = models_for(&own).into_iter().next().unwrap();
    assert_eq!((first.name(), first.reading()), (model.name(), "basic"));
    // An engine that counts to the tail's coming in is one cycle ahead of the paper.
    let early = mesh("latency_to: Arrival", "DimensionOrder(classes: None)");
    let latency = |system: &System| model.predict(system, rate(0.1)).unwrap().latency_mean;
    assert!((latency(&own) - latency(&early) - 1.0).abs() < 1e-9);
    let refused = model.prepare(&mesh("virtual_channels: 1", "WestFirst")).unwrap_err();
    assert!(refused.to_string().contains("fixed when a message is sent"), "{refused}");
}

/// (19) path by path: the figures of the links along every route of the network add up to its delay, and the
/// mean over all messages is the latency.
#[test]
fn delays_of_paths_are_sums_over_their_links() {
    let without_buffers = system(
        "SwitchGrid(kind: Torus, radix: [3, 3], hosts: 4)",
        "buffer_flits: 10, channel_delay: 10, credit_delay: 0",
        "UpDown(root: 0, paths: Split)",
        &law("Exponential"),
    );
    for (system, delay, readings) in [
        (named("torus", "Geometric", 200), 10.0, 4),
        (named("mesh", "Fixed", 64), 1.0, 4),
        (without_buffers, 10.0, 5),
    ] {
        let models = Reading::VARIANTS.iter().map(|&reading| FiniteBuffers(reading));
        let models: Vec<FiniteBuffers> = models.filter(|model| model.covers(&system)).collect();
        assert_eq!(models.len(), readings);
        for model in models {
            let prepared = model.prepare(&system).unwrap();
            let rate = Rate(0.5 * prepared.saturation_rate().0);
            let prediction = prepared.predict(rate).unwrap();
            let channels = prepared.channels(rate).unwrap();
            let wait = |channel| {
                let is_it = |it: &&ChannelForecast| it.channel == channel;
                channels.iter().find(is_it).unwrap().wait_mean
            };
            let transfer = prediction.terms.iter().find(|term| term.name == "transfer").unwrap();
            let (mut shares, mut latency) = (0.0, 0.0);
            for path in prepared.paths(rate).unwrap() {
                let ends = path.channels.iter().map(|&channel| system.network.channel(channel));
                let ends: Vec<_> = ends.collect();
                assert!(ends.windows(2).all(|pair| pair[0].to == pair[1].from));
                let waits: f64 = path.channels.iter().copied().map(wait).sum();
                let wanted = waits + transfer.cycles + delay * path.channels.len() as f64;
                assert!((path.latency_mean - wanted).abs() < 1e-9, "{path:?}: {wanted}");
                shares += path.share;
                latency += path.share * path.latency_mean;
            }
            assert!((shares - 1.0).abs() < 1e-12, "{shares}");
            assert!((latency / prediction.latency_mean - 1.0).abs() < 1e-12, "{latency}");
        }
    }
}
