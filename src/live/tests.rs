//! Tests of commands to the simulation thread.

mod breakpoints;
mod compare;
mod links;
mod probe;
mod ring;
mod theory;

use std::time::Instant;

use super::*;
use crate::engine::Change;
use crate::routing::{Classes, Routing};
use crate::switching::Wormhole;
use crate::system::System;
use crate::topology::cube::{Cube, Family};
use crate::traffic::{Destinations, Lengths, Process, Traffic};

pub(super) fn scenario() -> Arc<Scenario> {
    scenario_with(Classes::Destination, 2, 0.01)
}

fn scenario_with(classes: Classes, virtual_channels: u32, rate: f64) -> Arc<Scenario> {
    let network = Cube::network(Family::Torus { unidirectional: false }, &[4, 4]);
    let routing = Routing::dimension_order(classes);
    let switching = Wormhole::new(virtual_channels, 2);
    let traffic =
        Traffic::random(Process::Poisson, Rate(rate), Destinations::Uniform, Lengths::Fixed(8));
    Arc::new(Scenario {
        notes: Vec::new(),
        name: "test".into(),
        file: None,
        title: "A small torus".into(),
        description: String::new(),
        text: String::new(),
        overrides: Vec::new(),
        stream: None,
        system: System::new(Arc::new(network), routing, switching, traffic),
        seed: 3,
        default_release: false,
        capacity: crate::scenario::LazyCapacity::default(),
    })
}

pub(super) fn start(options: Options) -> Live {
    Live::start(scenario(), options).unwrap()
}

/// Starts a run that soon deadlocks.
pub(super) fn start_deadlocking(options: Options) -> Live {
    Live::start(scenario_with(Classes::None, 1, 0.05), options).unwrap()
}

/// Waits for the first update that satisfies `wanted`.
pub(super) fn wait(live: &Live, wanted: impl Fn(&Update) -> bool) -> Box<Update> {
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        match live.take() {
            Some(update) if wanted(&update) => return update,
            Some(update) => live.give_back(update),
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    }
    panic!("no such update within a minute; died: {:?}", live.death());
}

#[test]
fn a_paused_run_steps_and_rests() {
    let mut live = start(Options { running: false, ..Options::default() });
    assert_eq!(wait(&live, |_| true).snapshot.cycle, Cycle(0));
    live.send(Command::Step(5));
    let update = wait(&live, |update| update.commands == 1);
    assert_eq!((update.state, live.sent()), (RunState::Paused, 1));
    live.send(Command::Step(10_000));
    wait(&live, |update| update.commands == 2 && update.state == RunState::Paused);
    assert!(live.death().is_none());
}

#[test]
fn commands_are_obeyed_while_it_runs() {
    let mut live = start(Options { speed: Speed::Max, ..Options::default() });
    wait(&live, |update| update.state == RunState::Running);
    live.send(Command::Change(Change::Rate(Rate(0.02))));
    live.send(Command::Window(64));
    live.send(Command::Reseed(99));
    let update = wait(&live, |update| update.commands == 3);
    assert_eq!((update.rate, update.window, update.seed), (Rate(0.02), 64, 99));
    live.send(Command::Pause);
    live.send(Command::Load(scenario()));
    let update = wait(&live, |update| update.commands == 5);
    assert_eq!((update.rate, update.seed), (Rate(0.01), 3));
    assert_eq!(update.state, RunState::Paused);
}

#[test]
fn slices_change_nothing() {
    let end = 3_000;
    let fast = Options { speed: Speed::Max, limit: Some(Cycle(end)), ..Options::default() };
    let live = start(fast);
    let ran = wait(&live, |update| !matches!(update.state, RunState::Running | RunState::Seeking));
    let mut live = start(Options { running: false, ..Options::default() });
    let mut left = end;
    for step in [1, 7, 64, 200, 1000].into_iter().cycle() {
        live.send(Command::Step(step.min(left)));
        left -= step.min(left);
        if left == 0 {
            break;
        }
    }
    let sent = live.sent();
    let stepped = wait(&live, |update| update.commands == sent);
    assert_eq!(ran.snapshot, stepped.snapshot);
    assert_eq!(ran.summary, stepped.summary);
    assert_eq!(ran.history, stepped.history);
    // Recent use depends on the times of drawing.
    assert_eq!(ran.usage.shares, stepped.usage.shares);
    assert_eq!(ran.usage.census, stepped.usage.census);
    assert_eq!((ran.usage.census.samples, ran.usage.census.period), (2, 1024));
}

#[test]
fn a_run_goes_on_after_a_breakpoint_and_its_results_are_the_same() {
    let mut live = start(Options { running: false, speed: Speed::Max, ..Options::default() });
    live.send(Command::Break(Breakpoint {
        chain: Some(2),
        latency: Some(50),
        ..Breakpoint::default()
    }));
    live.send(Command::Change(Change::Rate(Rate(0.05))));
    let mut halts = 0;
    let update = loop {
        live.send(Command::Step(3_000));
        let sent = live.sent();
        let update = wait(&live, |update| update.commands == sent);
        if update.stopped_by.is_none() {
            break update;
        }
        halts += 1;
        if halts == 5 {
            live.send(Command::Break(Breakpoint::default()));
        }
    };
    let mut other = start(Options { running: false, ..Options::default() });
    other.send(Command::Change(Change::Rate(Rate(0.05))));
    other.send(Command::Step(update.snapshot.cycle.0));
    let same = wait(&other, |other| {
        other.snapshot.cycle == update.snapshot.cycle && other.state == RunState::Paused
    });
    assert_eq!((halts, update.breakpoint), (5, Breakpoint::default()));
    assert_eq!((&update.snapshot, &update.summary), (&same.snapshot, &same.summary));
}

#[test]
fn circuits_step_from_event_to_event() {
    use crate::scenario::{builtin, parse};
    let text = builtin::find("papers/circuit-hold-8").unwrap().text;
    let scenario = Arc::new(parse("hold", text, &[]).unwrap());
    let mut live = Live::start(scenario, Options { running: false, ..Options::default() }).unwrap();
    let mut before: Option<(u64, u64)> = None;
    for _ in 0..20 {
        live.send(Command::StepEvent);
        let deadline = Instant::now() + Duration::from_secs(60);
        let update = loop {
            match live.take() {
                Some(update) if update.commands == live.sent() => break update,
                _ => assert!(Instant::now() < deadline),
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let now = (update.snapshot.counters.events, update.snapshot.cycle.0);
        if let Some(before) = before {
            assert!(now.0 > before.0 && now.1 > before.1, "{before:?} {now:?}");
        }
        assert_eq!(update.state, RunState::Paused);
        before = Some(now);
    }
}
