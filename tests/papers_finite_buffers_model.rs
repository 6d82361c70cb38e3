//! The model of finite input buffers (002) against worked-out figures, to the digits printed.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking")]

use std::collections::BTreeMap;
use std::path::Path;

use flitscope::ids::ChannelId;
use flitscope::model::finite_buffers::{FiniteBuffers, Link, Network, Reading, Routes};
use flitscope::model::queue::finite::Queue;
use flitscope::model::queue::moments::Moments;
use flitscope::model::queue::service::Service;
use flitscope::model::{ChannelForecast, Model, Prepared, Unsolved, models_for};
use flitscope::scenario::parse;
use flitscope::system::System;
use flitscope::topology::Role;
use flitscope::traffic::Lengths;
use flitscope::units::{Load, Rate};

/// The mean size of worms in flits.
const SIZE: f64 = 200.0;

/// The rows of a table in `tests/papers`, by column name.
fn rows(file: &str) -> Vec<BTreeMap<String, String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/papers").join(file);
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(path)
        .expect("a table that is part of the project");
    reader.deserialize().map(|row| row.expect("a row with a field per column")).collect()
}

fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(
    row: &BTreeMap<String, String>,
    of: &str,
) -> T {
    row[of].parse().expect("a number")
}

/// Half a unit of the last digit printed (and a rounding error more).
fn half_unit(printed: &str) -> f64 {
    let (digits, exponent) = printed.split_once('e').unwrap_or((printed, "0"));
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    0.500_001 * 10f64.powi(exponent.parse::<i32>().unwrap() - decimals as i32)
}

/// Whether a figure is the one printed.
fn same(found: f64, row: &BTreeMap<String, String>, column: &str) {
    let printed = &row[column];
    let expected: f64 = printed.parse().unwrap();
    assert!((found - expected).abs() <= half_unit(printed), "{row:?} {column}: {found}");
}

/// Switches in a graph, some hosts at each, and links between neighbours in both directions.
struct Switches {
    neighbours: Vec<Vec<usize>>,
    hosts_each: usize,
    delay: u32,
}

impl Switches {
    fn torus() -> Self {
        let neighbours = (0..9)
            .map(|switch: usize| {
                let (x, y) = (switch % 3, switch / 3);
                let at = |x: usize, y: usize| 3 * (y % 3) + x % 3;
                let mut near = vec![at(x + 1, y), at(x + 2, y), at(x, y + 1), at(x, y + 2)];
                near.sort_unstable();
                near
            })
            .collect();
        Self { neighbours, hosts_each: 4, delay: 10 }
    }

    fn mesh() -> Self {
        let neighbours = (0..16)
            .map(|switch: usize| {
                (0..16)
                    .filter(|&other: &usize| {
                        let across = (other % 4).abs_diff(switch % 4);
                        across + (other / 4).abs_diff(switch / 4) == 1
                    })
                    .collect()
            })
            .collect();
        Self { neighbours, hosts_each: 1, delay: 1 }
    }

    fn hosts(&self) -> usize {
        self.neighbours.len() * self.hosts_each
    }

    /// Links between switches first, then injection links, then ejection links.
    fn link(&self, from: usize, to: usize) -> ChannelId {
        let before: usize = self.neighbours[..from].iter().map(Vec::len).sum();
        let place = self.neighbours[from].iter().position(|&near| near == to).unwrap();
        ChannelId::new(before + place)
    }

    fn links(&self) -> usize {
        self.neighbours.iter().map(Vec::len).sum()
    }

    fn ejection(&self, host: usize) -> ChannelId {
        ChannelId::new(self.links() + self.hosts() + host)
    }

    /// Uniform destinations over routes between switches, as sequences of switches.
    fn routes(&self, between: impl Fn(usize, usize) -> Vec<(Vec<usize>, f64)>) -> Routes {
        let of = |role, count| std::iter::repeat_n(Link { role, delay: self.delay }, count);
        let links = of(Role::Link, self.links())
            .chain(of(Role::Injection, self.hosts()))
            .chain(of(Role::Ejection, self.hosts()));
        let mut routes = Routes::new(links.collect());
        let each = 1.0 / (self.hosts() - 1) as f64;
        for source in 0..self.hosts() {
            for destination in (0..self.hosts()).filter(|&host| host != source) {
                let ends = (source / self.hosts_each, destination / self.hosts_each);
                for (way, share) in between(ends.0, ends.1) {
                    let mut links = vec![ChannelId::new(self.links() + source)];
                    links.extend(way.windows(2).map(|step| self.link(step[0], step[1])));
                    links.push(self.ejection(destination));
                    routes.add(&links, each * share);
                }
            }
        }
        routes
    }

    /// All shortest ways from `from` to `to` on which no step up follows a step down, up being
    /// towards switch 0.
    fn up_down(&self, from: usize, to: usize) -> Vec<Vec<usize>> {
        let mut level = vec![usize::MAX; self.neighbours.len()];
        level[0] = 0;
        let mut queue = std::collections::VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            for &near in &self.neighbours[at] {
                if level[near] == usize::MAX {
                    level[near] = level[at] + 1;
                    queue.push_back(near);
                }
            }
        }
        let up = |a: usize, b: usize| (level[b], b) < (level[a], a);
        let mut ways = vec![(vec![from], false)];
        loop {
            let arrived: Vec<_> = ways
                .iter()
                .filter(|(way, _)| way.last() == Some(&to))
                .map(|(way, _)| way.clone())
                .collect();
            if !arrived.is_empty() {
                return arrived;
            }
            ways = ways
                .iter()
                .flat_map(|(way, down)| {
                    let at = *way.last().unwrap();
                    let near = self.neighbours[at].iter().filter(move |&&b| !down || !up(at, b));
                    near.map(move |&b| ([way.as_slice(), &[b]].concat(), !up(at, b)))
                })
                .collect();
        }
    }
}

/// All shortest ways share the worms of their ends.
fn split(switches: &Switches) -> Routes {
    switches.routes(|from, to| {
        let ways = switches.up_down(from, to);
        let share = 1.0 / ways.len() as f64;
        ways.into_iter().map(|way| (way, share)).collect()
    })
}

/// Only the lexicographically first of them is taken.
fn first(switches: &Switches) -> Routes {
    switches.routes(|from, to| vec![(switches.up_down(from, to).into_iter().min().unwrap(), 1.0)])
}

/// x before y on the 4x4 mesh.
fn dimension_order(switches: &Switches) -> Routes {
    switches.routes(|from, to| {
        let mut way = vec![from];
        let mut at = from;
        while at != to {
            at = match (at % 4).cmp(&(to % 4)) {
                std::cmp::Ordering::Less => at + 1,
                std::cmp::Ordering::Greater => at - 1,
                std::cmp::Ordering::Equal if at < to => at + 4,
                std::cmp::Ordering::Equal => at - 4,
            };
            way.push(at);
        }
        vec![(way, 1.0)]
    })
}

fn network(name: &str) -> Routes {
    match name {
        "torus" => split(&Switches::torus()),
        "mesh" => dimension_order(&Switches::mesh()),
        other => panic!("no network {other}"),
    }
}

fn reading(name: &str) -> Reading {
    Reading::ALL.into_iter().find(|reading| reading.name() == name).unwrap()
}

fn lengths(name: &str) -> Lengths {
    if name == "Fixed" { Lengths::Fixed(200) } else { Lengths::Exponential(SIZE) }
}

fn prepared(routes: &Routes, reading: Reading, lengths: Lengths, buffer: u32) -> Network {
    FiniteBuffers::new(reading).prepare_routes(routes, lengths, buffer).unwrap()
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
fn the_torus_has_the_routes_flows_and_ranks_of_the_paper() {
    let torus = Switches::torus();
    let pairs = (0..9).flat_map(|a| (0..9).map(move |b| (a, b)));
    let counts: Vec<usize> = pairs.map(|(a, b)| torus.up_down(a, b).len()).collect();
    assert_eq!(counts.iter().sum::<usize>(), 99);
    assert_eq!(counts.iter().filter(|&&count| count == 2).count(), 18);
    let routes = split(&torus);
    // Unloaded: 200 + 10 times the mean way.
    assert!((routes.delay_mean() - 33.7143).abs() < 1e-4);
    let flows = routes.flows();
    let mut seen: BTreeMap<i64, usize> = BTreeMap::new();
    for &flow in &flows[..36] {
        *seen.entry((flow * 1e5).round() as i64).or_default() += 1;
    }
    assert_eq!(seen, BTreeMap::from([(91_429, 12), (137_143, 12), (182_857, 12)]));
    let ranks = |routes: &Routes| {
        let network = prepared(routes, Reading::Basic, Lengths::Exponential(SIZE), 200);
        let channels = network.channels(rate(0.1)).unwrap();
        let inputs: Vec<u32> = channels.iter().map(|c| c.inputs).filter(|&k| k > 0).collect();
        assert!(inputs.iter().all(|kappa| (4..=7).contains(kappa)) || inputs.len() != 72);
        channels.iter().map(|channel| channel.rank).max().unwrap()
    };
    assert_eq!(ranks(&routes), 10);
    let alone = first(&torus);
    assert_eq!(ranks(&alone), 5);
    let most = alone.flows()[..36].iter().copied().fold(0.0, f64::max);
    assert!((most - 2.28571).abs() < 1e-5);
    let mesh = network("mesh");
    assert_eq!(ranks(&mesh), 8);
    assert!((mesh.flows()[..48].iter().copied().fold(0.0, f64::max) - 1.06667).abs() < 1e-5);
}

#[test]
fn a_ring_is_refused_by_name() {
    let ring = Switches {
        neighbours: (0..5).map(|s| vec![(s + 1) % 5, (s + 4) % 5]).collect(),
        hosts_each: 1,
        delay: 1,
    };
    let routes = ring.routes(|from, to| {
        let hops = (to + 5 - from) % 5;
        let step = if hops <= 2 { 1 } else { 4 };
        let count = if hops <= 2 { hops } else { 5 - hops };
        vec![((0..=count).map(|hop| (from + step * hop) % 5).collect(), 1.0)]
    });
    let refused = FiniteBuffers::default().prepare_routes(&routes, Lengths::Fixed(8), 4);
    let Err(Unsolved::NotCovered(why)) = refused else { panic!("a ring has a cycle") };
    assert!(why.contains("cycle through link "), "{why}");
}

#[test]
fn delays_are_those_worked_out_part_by_part() {
    for row in rows("finite_buffers_model.csv") {
        let routes = network(&row["network"]);
        let network = prepared(
            &routes,
            reading(&row["reading"]),
            lengths(&row["lengths"]),
            number(&row, "buffer"),
        );
        let rate = rate(number(&row, "load"));
        let prediction = network.predict(rate).unwrap();
        same(prediction.latency_mean, &row, "latency");
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
    let torus = Switches::torus();
    let network = prepared(&split(&torus), Reading::Basic, Lengths::Exponential(SIZE), 200);
    let channels = network.channels(rate(0.15)).unwrap();
    let utilisation = network.utilisation(rate(0.15)).unwrap();
    for row in rows("finite_buffers_links.csv") {
        let link = match row["to"].strip_prefix('h') {
            Some(host) => torus.ejection(host.parse().unwrap()),
            None => torus.link(number(&row, "from"), number(&row, "to")),
        };
        let found = channels.iter().find(|channel| channel.channel == link).unwrap();
        assert_eq!(found.rank, number::<u32>(&row, "rank"));
        assert_eq!(found.inputs, number::<u32>(&row, "inputs"));
        same(found.flow / rate(0.15).0, &row, "flow");
        same(found.service.mean, &row, "service_mean");
        same(found.service.square, &row, "service_square");
        same(found.wait_mean, &row, "wait");
        same(found.contention_mean, &row, "contention");
        same(found.buffering_mean, &row, "buffering");
        same(found.full.unwrap_or(0.0), &row, "full");
        assert!((utilisation[link.index()] - found.flow * SIZE).abs() < 1e-12);
        assert!(found.held_mean.unwrap() >= SIZE);
    }
}

#[test]
fn saturation_loads_are_those_worked_out() {
    let routes = network("torus");
    for row in rows("finite_buffers_saturation.csv") {
        let law = Lengths::Exponential(SIZE);
        let network = prepared(&routes, reading(&row["reading"]), law, number(&row, "buffer"));
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
        let routes = network(&row["network"]);
        for one in Reading::ALL {
            let law = Lengths::Exponential(SIZE);
            let network = prepared(&routes, one, law, number(&row, "buffer"));
            match network.predict(rate(number(&row, "load"))) {
                Ok(prediction) => same(prediction.latency_mean, &row, one.name()),
                Err(Unsolved::Saturated { .. }) => assert_eq!(row[one.name()], "sat", "{row:?}"),
                Err(other) => panic!("{other}"),
            }
        }
    }
}

#[test]
fn longer_buffers_help_and_no_load_means_no_wait() {
    let routes = network("mesh");
    for law in [
        Lengths::Exponential(SIZE),
        Lengths::Geometric(SIZE),
        Lengths::Fixed(200),
        Lengths::Uniform { min: 100, max: 300 },
    ] {
        let latencies = [16, 64, 200, 1000].map(|buffer| {
            let network = prepared(&routes, Reading::Basic, law, buffer);
            let unloaded = network.predict(Rate(0.0)).unwrap();
            assert!((unloaded.latency_mean - SIZE - routes.delay_mean()).abs() < 1e-9);
            network.predict(rate(0.15)).unwrap().latency_mean
        });
        // In the model a buffer that just holds the one size there is costs more than it spares.
        let gaps = if law == Lengths::Fixed(200) { 3 } else { 1 };
        for (shorter, longer) in latencies.iter().zip(&latencies[gaps..]) {
            assert!(longer < shorter, "{law:?} {latencies:?}");
        }
    }
    // On the flit grid a mean of 200 is next to continuous.
    let of = |law| prepared(&routes, Reading::Basic, law, 64).predict(rate(0.2)).unwrap();
    let (grid, continuous) = (of(Lengths::Geometric(SIZE)), of(Lengths::Exponential(SIZE)));
    assert!((grid.latency_mean / continuous.latency_mean - 1.0).abs() < 0.01);
}

/// A 4x4 mesh of the machine of the paper, with some fields set otherwise.
fn mesh_system(machine: &str, routing: &str) -> System {
    let text = format!(
        "Scenario(
            network: Mesh(radix: [4, 4]),
            switching: Wormhole(buffer_flits: 64, release: Sent, injection: OneMessage,
                ejection: Shared, terminals: Channels, {machine}),
            routing: {routing},
            traffic: (
                arrivals: Poisson(load: 0.2),
                destinations: Uniform,
                lengths: Exponential(mean: 200),
            ),
        )"
    );
    parse("test", &text, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).system
}

#[test]
fn a_system_is_followed_along_its_routes() {
    let own = "allocation: FirstComeFirstServed, virtual_channels: 1";
    let system = mesh_system(own, "DimensionOrder(classes: None)");
    let model = FiniteBuffers::default();
    assert_eq!(model.mismatches(&system), []);
    let first = models_for(&system).into_iter().next().unwrap();
    assert_eq!((first.name(), first.reading()), (model.name(), "basic"));
    let row =
        &rows("finite_buffers_model.csv").into_iter().find(|r| r["network"] == "mesh").unwrap();
    let prepared = model.prepare(&system).unwrap();
    let found = prepared.predict(rate(0.2)).unwrap();
    // The engine's latencies end when the tail comes in, one cycle before the paper's delays.
    same(found.latency_mean + 1.0, row, "latency");
    let sum: f64 = found.terms.iter().map(|term| term.cycles).sum();
    assert!((sum - found.latency_mean).abs() < 1e-9);
    let channels = prepared.channels(rate(0.2)).unwrap();
    assert_eq!(channels.len(), system.network.channels().len());
}

#[test]
fn what_the_model_does_not_assume_is_named() {
    let found = |machine: &str| {
        let system = mesh_system(machine, "DimensionOrder(classes: None)");
        let broken = FiniteBuffers::default().mismatches(&system);
        broken.into_iter().map(|mismatch| mismatch.found).collect::<Vec<_>>()
    };
    let fcfs = "allocation: FirstComeFirstServed";
    assert_eq!(found(&format!("{fcfs}, virtual_channels: 2")), ["2 VCs per channel"]);
    assert_eq!(found("virtual_channels: 1"), ["the oldest message first"]);
    let adaptive = mesh_system(fcfs, "WestFirst");
    let refused = FiniteBuffers::default().prepare(&adaptive).unwrap_err();
    assert!(refused.to_string().contains("fixed at the source"), "{refused}");
}
