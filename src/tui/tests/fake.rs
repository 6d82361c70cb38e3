//! Hand-made updates for tests: worms placed in a network by a simple rule, without simulation.

use std::sync::Arc;

use crate::engine::{Counters, Deadlock, DeadlockSet, HeadState, VcView, Wait, WaitKind, WormView};
use crate::ids::{ChannelId, Letter, NodeId, RouterId, VcId, WormId};
use crate::live::{Bin, Command, Latencies, LinkUse, RunState, Speed, Theory, Update};
use crate::model::effect::Effect;
use crate::model::stated_error::StatedError;
use crate::model::{Mismatch, Part, Prediction, Term};
use crate::random::mix;
use crate::routing::{Candidate, Classes, Escape, Header, Paths, Routing, Stop};
use crate::scenario::{LazyCapacity, Place, Problem, Scenario};
use crate::stats::Estimate;
use crate::switching::Wormhole;
use crate::system::System;
use crate::topology::Network;
use crate::topology::cube::{Cube, Dimension, Family};
use crate::topology::generators::Generator;
use crate::topology::switches::{Switches, random};
use crate::traffic::{Destinations, Lengths, Process, Traffic};
use crate::tui::action::Key;
use crate::tui::app::{self, App};
use crate::tui::draw::draw;
use crate::tui::library::{Entry, Kind, Library, OpenedScenario};
use crate::tui::theme::Theme;
use crate::units::{Cycle, Rate};
use crate::words;

pub(crate) const TORUS: Family = Family::Torus { unidirectional: false };

/// A scenario on any cube.
pub(crate) fn scenario(family: Family, radix: &[u32], vcs: u32) -> Arc<Scenario> {
    let network = Arc::new(Cube::network(family, radix));
    let routing = match vcs {
        1 => Routing::dimension_order(Classes::None),
        2 => Routing::dimension_order(Classes::Destination),
        _ => Routing::minimal_adaptive(Escape::Destination),
    };
    system(network, routing, vcs)
}

/// A scenario of dimension order on a torus with rings along some dimensions.
pub(crate) fn rings_and_lines(dimensions: &[Dimension]) -> Arc<Scenario> {
    let network = Arc::new(Cube::with_dimensions(TORUS, dimensions));
    system(network, Routing::dimension_order(Classes::Destination), 2)
}

/// A scenario on a random graph of switches with one host each.
pub(crate) fn switches(count: u32, degree: u32) -> Arc<Scenario> {
    let links = random::links(count, usize::MAX, degree, 5);
    let hosts: Vec<u32> = (0..count).collect();
    let network = Arc::new(Switches::random(count as usize, &links, &hosts));
    let root = RouterId(0);
    system(network, Routing::UpDown { roots: root.into(), paths: Paths::First }, 1)
}

/// A scenario on a generated network of two-way links.
pub(crate) fn generated(text: &str) -> Arc<Scenario> {
    let generator: Generator = words::value(text).expect("the network is written in full");
    graph(generator.network().expect("the parameters are suitable"))
}

/// A scenario on a graph of switches.
pub(crate) fn graph(network: Network) -> Arc<Scenario> {
    let root = RouterId(0);
    system(Arc::new(network), Routing::UpDown { roots: root.into(), paths: Paths::First }, 1)
}

fn system(network: Arc<Network>, routing: Routing, vcs: u32) -> Arc<Scenario> {
    let hot = NodeId::new(network.nodes() / 2);
    let traffic = Traffic::random(
        Process::Poisson,
        Rate(0.01),
        Destinations::Hotspot { nodes: vec![hot], percent: 4.0 },
        Lengths::Fixed(12),
    );
    let switching = Wormhole::new(vcs, 2);
    Arc::new(Scenario {
        notes: Vec::new(),
        name: "scenarios/hotspot.ron".into(),
        file: Some("scenarios/hotspot.ron".into()),
        title: "Adaptive worms with a hot spot".into(),
        description: "A hot node gathers a tree of blocked worms.".into(),
        text: "Scenario()".into(),
        overrides: Vec::new(),
        stream: None,
        system: System::new(network, routing, switching, traffic),
        seed: 7,
        default_release: false,
        capacity: LazyCapacity::default(),
    })
}

/// An update with up to `count` worms in the network.
pub(crate) fn update(scenario: &Arc<Scenario>, count: u64) -> Box<Update> {
    let mut update = Update::empty(Arc::clone(scenario));
    update.state = RunState::Paused;
    update.speed = Speed::PerSecond(64.0);
    update.commands = 3;
    let system = &scenario.system;
    let vcs = system.switching.virtual_channels();
    let snapshot = &mut update.snapshot;
    snapshot.cycle = Cycle(12_345);
    snapshot.virtual_channels = vcs;
    snapshot.buffer_flits = system.switching.buffer_flits();
    snapshot.vcs = vec![VcView::default(); system.network.channels().len() * vcs as usize];
    snapshot.queues = (0..system.network.nodes() as u64)
        .map(|node| mix(node, 5) % 23 / 20 * (1 + node % 3))
        .collect();
    snapshot.counters = Counters { delivered: 48_211, ..Counters::default() };
    for number in 0..count {
        worm(&mut update, number);
    }
    let usage = Arc::make_mut(&mut update.usage);
    for channel in 0..system.network.channels().len() {
        let share = (mix(channel as u64, 9) % 1000) as f32 / 1000.0;
        usage.recent.push(share * share);
        usage.shares.push(0.12 + 0.08 * share * share - 0.03);
    }
    usage.cycles = 10_240;
    figures(&mut update);
    Box::new(update)
}

fn worm(update: &mut Update, number: u64) {
    let system = &update.scenario.system;
    let snapshot = &mut update.snapshot;
    let nodes = system.network.nodes() as u64;
    let source = RouterId::new((mix(number, 1) % nodes) as usize);
    let destination = RouterId::new((mix(number, 2) % nodes) as usize);
    let header = Header::new(source, destination, mix(number, 3));
    let mut at = source;
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut path = Vec::new();
    let mut wanted = None;
    let goal = 2 + mix(number, 4) as usize % 6;
    while path.len() < goal {
        system.relation.candidates(Stop::start(at), &header, &mut candidates);
        let open = |candidate: &Candidate| {
            (0..snapshot.virtual_channels).map(|v| (candidate.channel, v)).find(|&(channel, v)| {
                let row = channel.0 * snapshot.virtual_channels + v;
                candidate.vcs >> v & 1 == 1 && snapshot.vcs[row as usize].holder == 0
            })
        };
        if candidates.is_empty() {
            break;
        }
        let Some((channel, v)) = candidates.iter().find_map(open) else {
            wanted = candidates.first().copied();
            break;
        };
        let vc = VcId(channel.0 * snapshot.virtual_channels + v);
        let flits = 1 + (mix(number, 20 + u64::from(vc.0)) % 2) as u32;
        snapshot.vcs[vc.index()] =
            VcView { holder: snapshot.worms.len() as u32 + 1, flits, in_flight: 0 };
        path.push(vc);
        at = system.network.channel(channel).to;
    }
    if path.is_empty() {
        return;
    }
    let id = WormId::new(snapshot.worms.len());
    let since = Cycle(12_345 - mix(number, 6) % 60);
    let head = match (wanted, at == destination) {
        (Some(candidate), _) => {
            let v = candidate.vcs.trailing_zeros();
            let wants = VcId(candidate.channel.0 * snapshot.virtual_channels + v);
            let holder = snapshot.vcs[wants.index()].holder;
            let holder = holder.checked_sub(1).map(|at| snapshot.worms[at as usize].id);
            snapshot.waits.push(Wait { kind: WaitKind::Vc, worm: id, at, wants, holder });
            HeadState::Blocked(since)
        }
        (None, true) => HeadState::Arriving,
        (None, false) => HeadState::Moving,
    };
    snapshot.worms.push(WormView {
        message_class: 0,
        id,
        letter: Letter(id.0),
        serial: number,
        source: NodeId(source.0),
        destination: NodeId(destination.0),
        born: Cycle(12_345 - 60 - number % 40),
        length: 12,
        at_source: if number.is_multiple_of(3) { 4 } else { 0 },
        consumed: if head == HeadState::Arriving { 5 } else { 0 },
        head,
        stage: None,
        head_at: at,
        path_first: snapshot.path.len() as u32,
        path_len: path.len() as u32,
    });
    snapshot.path.extend(path);
}

fn figures(update: &mut Update) {
    let mut bins = Vec::new();
    for cycles in 16..240u64 {
        let z = ((cycles as f64).ln() - 3.85) / 0.42;
        let count = (2600.0 * (-z * z / 2.0).exp()) as u64;
        if count > 0 {
            bins.push(Bin { low: cycles, high: cycles + 1, count });
        }
    }
    update.latencies = Latencies {
        min: bins[0].low,
        max: bins[bins.len() - 1].low,
        count: bins.iter().map(|bin| bin.count).sum(),
        bins,
    };
    let summary = &mut update.summary;
    summary.measured_from = Some(2048);
    summary.messages = 48_211;
    summary.latency = Some(Estimate { mean: 54.8, half_width: Some(0.6) });
    summary.network_latency_mean = Some(41.2);
    summary.transfer_mean = Some(15.1);
    (summary.latency_p50, summary.latency_p95, summary.latency_p99) =
        (Some(46), Some(121), Some(171));
    summary.hops_mean = Some(4.02);
    summary.accepted = Some(0.1193);
    summary.channel_utilisation_mean = Some(0.241);
    for sample in 0..193u32 {
        let wave = f64::from(sample) * 0.13;
        update.history.push((0.10 + 0.015 * wave.sin() + 0.0001 * f64::from(sample)) as f32);
    }
    update.theory = Some(Arc::new(Theory {
        name: "adaptive torus (Quaglia, Ciciani, Colajanni 2002)",
        reading: "calibrated",
        rate: update.rate,
        prediction: Ok(prediction()),
        mismatches: Vec::new(),
        utilisation: Some(Arc::new(LinkUse::Mean(0.12))),
        channels: None,
        at_work: false,
        unfinished: None,
        short_runs: Arc::default(),
        saturation: Some(Rate(0.018)),
        stated_error: None,
        stated_saturation: StatedError::NotMeasured("systems like this".to_owned()),
        curve: Arc::new(
            (1..48)
                .map(|point| {
                    let rate = 0.018 * (1.0 - (1.0 - f64::from(point) / 48.0).powi(2));
                    (rate, 30.0 + 10.3 * rate / (0.0185 - rate))
                })
                .collect(),
        ),
        bound: None,
    }));
}

fn prediction() -> Prediction {
    let term = |name, part, cycles| Term { name, part, cycles };
    let terms = vec![
        term("source waiting", Part::SourceWait, 12.4),
        term("blocking on the way", Part::Blocking, 24.6),
        term("transfer", Part::Transfer, 15.6),
        term("sharing of links", Part::Blocking, 0.5),
    ];
    Prediction {
        latency_mean: 53.1,
        terms,
        hops_mean: Some(4.1),
        iterations: 12,
        circuits: None,
        spread: None,
    }
}

/// Adds a violated assumption of the model, and resets the network to warming up.
pub(crate) fn outside(mut update: Box<Update>) -> Box<Update> {
    let mut theory = update.theory.as_deref().unwrap().clone();
    theory.mismatches = vec![Mismatch {
        assumes: "uniform destinations".into(),
        found: "4 % of the messages go to a hotspot".into(),
        slower: Some(true),
        effect: Effect { parts: &Part::ALL, error: 0.5 },
    }];
    update.theory = Some(Arc::new(theory));
    update.summary.measured_from = None;
    update
}

/// A cycle of four worms on the lower left square of a mesh or torus, each waiting for the next.
pub(crate) fn deadlocked(family: Family, radix: &[u32]) -> Box<Update> {
    let scenario = scenario(family, radix, 1);
    let mut update = update(&scenario, 0);
    let network = &scenario.system.network;
    let cube = network.cube().unwrap();
    let at = |x: u32, y: u32| cube.router_at(&[x, y]).unwrap();
    let corners = [at(2, 2), at(4, 2), at(4, 4), at(2, 4)];
    let link = |from: RouterId, to: RouterId| -> Vec<ChannelId> {
        let mut way = Vec::new();
        let mut here = from;
        while here != to {
            let next = network.outputs(here).iter().copied().find(|&channel| {
                let there = cube.coordinates(network.channel(channel).to);
                let (from, to) = (cube.coordinates(here), cube.coordinates(to));
                let far = |a: &[u16]| a[0].abs_diff(to[0]) + a[1].abs_diff(to[1]);
                far(there) + 1 == far(from)
            });
            way.push(next.unwrap());
            here = network.channel(next.unwrap()).to;
        }
        way
    };
    let snapshot = &mut update.snapshot;
    let mut cycle = Vec::new();
    for number in 0..4usize {
        let (from, to) = (corners[number], corners[(number + 1) % 4]);
        let path = link(from, to);
        for channel in &path {
            snapshot.vcs[channel.index()] =
                VcView { holder: number as u32 + 1, flits: 2, in_flight: 0 };
        }
        let wants = VcId(link(to, corners[(number + 2) % 4])[0].0);
        let wait = Wait {
            kind: WaitKind::Vc,
            worm: WormId::new(number),
            at: to,
            wants,
            holder: Some(WormId::new((number + 1) % 4)),
        };
        snapshot.waits.push(wait);
        cycle.push(wait);
        snapshot.worms.push(WormView {
            message_class: 0,
            id: WormId::new(number),
            letter: Letter::new(number),
            serial: number as u64,
            source: NodeId(from.0),
            destination: NodeId(corners[(number + 2) % 4].0),
            born: Cycle(12_000),
            length: 12,
            at_source: 8,
            consumed: 0,
            head: HeadState::Blocked(Cycle(12_040)),
            stage: None,
            head_at: to,
            path_first: snapshot.path.len() as u32,
            path_len: path.len() as u32,
        });
        snapshot.path.extend(path.iter().map(|channel| VcId(channel.0)));
    }
    snapshot.deadlock = Some(Deadlock {
        found: Cycle(12_345),
        sets: vec![DeadlockSet {
            closed: Cycle(12_041),
            closers: vec![snapshot.worms[3].name()],
            worms: (0..4).map(WormId::new).collect(),
            circle: cycle,
            knot: false,
        }],
        caught: Vec::new(),
    });
    update.state = RunState::Deadlocked;
    update
}

/// A library of three scenarios, one of them invalid.
#[derive(Debug)]
pub(crate) struct Shelves;

impl Library for Shelves {
    fn list(&self) -> Vec<Entry> {
        ["scenarios/hotspot.ron", "scenarios/broken.ron", "papers/adaptive-torus-8x8"]
            .iter()
            .map(|name| match *name {
                name if name.contains(".ron") => Entry::file(name),
                name => Entry { kind: Kind::Paper, ..Entry::file(name) },
            })
            .collect()
    }

    fn open(&self, entry: &Entry) -> OpenedScenario {
        if entry.name.contains("broken") {
            let line = "    network: Torus(radix: [8, 0]),";
            let problem = Problem {
                source: entry.name.clone(),
                place: Some(Place { line: 4, column: 31, length: 1, text: line.into() }),
                what: "radix 0 in dimension 1; a dimension has at least 2 routers".into(),
                help: Some("write [8, 8], or leave the dimension out".into()),
            };
            return (line.into(), Err(vec![problem]));
        }
        let text = "Scenario(\n    title: \"Adaptive worms in an 8x8 torus\",\n    \
                    network: Torus(radix: [8, 8]),\n    \
                    switching: Wormhole(virtual_channels: 4, buffer_flits: 2),\n    \
                    routing: MinimalAdaptive(escape: Destination),\n    traffic: (\n        \
                    arrivals: Poisson(rate: 0.01),\n    ),\n)\n";
        (text.into(), Ok(scenario(TORUS, &[8, 8], 4)))
    }
}

/// A screen of the given size.
pub(crate) fn app(update: Box<Update>, theme: Theme, ascii: bool, size: (u16, u16)) -> App {
    App::new(update, Box::new(Shelves), theme, ascii, size)
}

/// Renders a screen.
pub(crate) fn buffer(app: &App) -> ratatui::buffer::Buffer {
    let area = ratatui::layout::Rect::new(0, 0, app.size.0, app.size.1);
    let mut buffer = ratatui::buffer::Buffer::empty(area);
    draw(app, &mut buffer);
    buffer
}

/// Asserts that a terminal's rows equal a screen's, ignoring trailing spaces.
pub(crate) fn assert_same<'a>(seen: impl Iterator<Item = &'a str>, shown: &str, what: &str) {
    let seen: Vec<&str> = seen.map(str::trim_end).collect();
    assert_eq!(seen.join("\n").trim_end(), shown.trim_end(), "{what}");
}

/// Presses a key that does something.
pub(crate) fn press(app: &mut App, key: Key) -> Vec<app::Effect> {
    let action = app.action_of(key).unwrap_or_else(|| panic!("{key:?} does nothing"));
    app.update(action)
}

/// Types into an open line.
pub(crate) fn type_in(app: &mut App, words: &str) {
    for letter in words.chars() {
        assert!(press(app, Key::Char(letter)).is_empty(), "{words}");
    }
}

/// The only request: a command to the run.
pub(crate) fn sent(effects: &[app::Effect]) -> &Command {
    match effects {
        [app::Effect::Send(command)] => command,
        other => panic!("one command, not {other:?}"),
    }
}

/// The first line of a picture with all of the words.
pub(crate) fn line<'a>(picture: &'a str, words: &[&str]) -> &'a str {
    let found = picture.lines().find(|line| words.iter().all(|word| line.contains(word)));
    found.unwrap_or_else(|| panic!("no line with {words:?} in\n{picture}"))
}
