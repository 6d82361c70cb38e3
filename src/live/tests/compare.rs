//! Tests that each of two compared runs equals a single run at the same cycle.

use super::{scenario_with, start};
use crate::engine::Change;
use crate::ids::Letter;
use crate::live::seek::tests::tell;
use crate::live::{Breakpoint, ClockedRun, Command, Options, RunState, Speed, Update};
use crate::routing::Classes;
use crate::scenario::Scenario;
use crate::session::events::Events;
use crate::units::{Cycle, Rate};
use std::sync::Arc;
use std::time::Duration;

/// Cycles after which a deadlock has formed.
const LONG: u64 = 60_000;

fn one() -> Arc<Scenario> {
    scenario_with(Classes::Destination, 2, 0.01)
}

fn other() -> Arc<Scenario> {
    scenario_with(Classes::Dateline, 3, 0.01)
}

fn paused() -> Options {
    Options { running: false, speed: Speed::Max, ..Options::default() }
}

/// The update of a single run at `cycle`, with its load changed at cycle 1500.
fn alone(scenario: &Arc<Scenario>, cycle: u64) -> Box<Update> {
    let mut run = ClockedRun::new(Arc::clone(scenario), paused());
    run.execute(Command::Step(cycle.min(1_500)));
    if cycle >= 1_500 {
        run.execute(Command::Change(Change::Rate(Rate(0.02))));
        run.execute(Command::Step(cycle - 1_500));
        run.elapse(Duration::ZERO);
    }
    let mut update = Box::new(Update::empty(Arc::clone(scenario)));
    run.draw(&mut update);
    update
}

/// Compares updates, except the labels of messages, the only influence of the first run on the
/// second.
fn assert_same(update: &Update, single: &Update) {
    let [own, alone] = [update, single].map(|update| {
        let mut snapshot = update.snapshot.clone();
        snapshot.worms.iter_mut().for_each(|worm| worm.letter = Letter(0));
        snapshot
    });
    assert_eq!(own, alone);
    assert_eq!(update.summary, single.summary);
    assert_eq!(update.latencies, single.latencies);
    assert_eq!((update.rate, update.seed), (single.rate, single.seed));
}

#[test]
fn each_of_two_runs_is_what_it_is_alone() {
    let mut live = start(paused());
    tell(&mut live, Command::Step(700));
    tell(&mut live, Command::Against(other()));
    let check = |update: &Update, cycle: u64| {
        assert_eq!(update.snapshot.cycle, Cycle(cycle));
        assert_same(update, &alone(&one(), cycle));
        assert_same(update.others.first().unwrap(), &alone(&other(), cycle));
    };
    check(&tell(&mut live, Command::Step(0)), 700);
    tell(&mut live, Command::Step(800));
    tell(&mut live, Command::Change(Change::Rate(Rate(0.02))));
    check(&tell(&mut live, Command::Step(1_500)), 3_000);
    for (command, cycle) in [
        (Command::Back(1), 2_999),
        (Command::Back(2_000), 999),
        (Command::Seek(Cycle(1_700)), 1_700),
        (Command::Seek(Cycle(8_200)), 8_200),
        (Command::Back(8_200), 0),
        (Command::ToLive, 8_200),
    ] {
        check(&tell(&mut live, command), cycle);
    }
    // The first run determines the cycle of an event, and the other seeks the same cycle.
    let delivery = Events::DELIVERY;
    let back = tell(&mut live, Command::BackToEvent(delivery)).snapshot.cycle.0;
    check(&tell(&mut live, Command::Step(0)), back);
    let forth = tell(&mut live, Command::NextEvent(delivery)).snapshot.cycle.0;
    assert!(forth > back);
    check(&tell(&mut live, Command::Step(0)), forth);
    assert!(tell(&mut live, Command::Part { second: false }).others.is_empty());
}

#[test]
fn a_comparison_can_begin_in_the_past() {
    let mut live = start(paused());
    tell(&mut live, Command::Step(1_500));
    tell(&mut live, Command::Change(Change::Rate(Rate(0.02))));
    tell(&mut live, Command::Step(1_000));
    tell(&mut live, Command::Back(600));
    let both = tell(&mut live, Command::Against(other()));
    assert_eq!((both.snapshot.cycle, both.live), (Cycle(1_900), Cycle(2_500)));
    assert_same(both.others.first().unwrap(), &alone(&other(), 1_900));
    let both = tell(&mut live, Command::ToLive);
    assert_same(both.others.first().unwrap(), &alone(&other(), 2_500));
    // Both restart from the beginning with another seed.
    let both = tell(&mut live, Command::Reseed(9));
    let against = both.others.first().unwrap();
    assert_eq!((both.seed, against.seed, against.snapshot.cycle), (9, 9, Cycle(0)));
    assert_eq!(against.rate, Rate(0.02));
}

#[test]
fn a_deadlock_of_one_leaves_the_other_going() {
    let deadlocking = scenario_with(Classes::None, 1, 0.05);
    let sound = scenario_with(Classes::Destination, 2, 0.05);
    for (first, second) in [(&deadlocking, &sound), (&sound, &deadlocking)] {
        let mut run = ClockedRun::new(Arc::clone(first), paused());
        run.execute(Command::Against(Arc::clone(second)));
        run.execute(Command::Step(LONG));
        run.elapse(Duration::ZERO);
        let mut both = Update::empty(Arc::clone(first));
        run.draw(&mut both);
        assert_eq!(both.state, RunState::Paused);
        let against = both.others.first().unwrap();
        let cycles = [both.snapshot.cycle.0, against.snapshot.cycle.0];
        let dead = usize::from(!Arc::ptr_eq(first, &deadlocking));
        assert!(cycles[dead] < LONG && cycles[1 - dead] == LONG, "{cycles:?}");
        let deadlock = if dead == 0 { &both.snapshot } else { &against.snapshot };
        assert!(deadlock.deadlock.is_some());
        // Before the deadlock, both are at the same cycle again; forward, the same deadlock
        // follows.
        run.execute(Command::Seek(Cycle(cycles[dead] - 1)));
        run.draw(&mut both);
        let against = both.others.first().unwrap();
        assert_eq!(both.snapshot.cycle, against.snapshot.cycle);
        run.execute(Command::ToLive);
        run.draw(&mut both);
        let against = both.others.first().unwrap();
        assert_eq!([both.snapshot.cycle.0, against.snapshot.cycle.0], cycles);
    }
}

#[test]
fn a_breakpoint_of_either_stops_both() {
    let mut run = ClockedRun::new(one(), paused());
    run.execute(Command::Against(other()));
    run.execute(Command::Break(Breakpoint { latency: Some(18), ..Breakpoint::default() }));
    run.execute(Command::Step(4_000));
    let mut both = Update::empty(one());
    run.draw(&mut both);
    let against = both.others.first().unwrap();
    assert_eq!(both.snapshot.cycle, against.snapshot.cycle);
    assert!(both.snapshot.cycle.0 < 4_000);
    assert!(both.stopped_by.is_some() || against.stopped_by.is_some());
}

#[test]
fn either_run_goes_on_alone_with_its_past() {
    for second in [false, true] {
        let keeper = if second { other() } else { one() };
        let mut run = ClockedRun::new(one(), paused());
        run.execute(Command::Step(1_500));
        run.execute(Command::Against(other()));
        run.execute(Command::Change(Change::Rate(Rate(0.02))));
        run.execute(Command::Step(1_700));
        run.execute(Command::Part { second });
        let mut update = Update::empty(one());
        for (command, cycle) in [
            (Command::Refresh, 3_200),
            (Command::Back(1_900), 1_300),
            (Command::ToLive, 3_200),
            (Command::Step(400), 3_600),
        ] {
            run.execute(command);
            run.draw(&mut update);
            assert!(update.others.is_empty() && update.pairs.is_none());
            assert_eq!(update.snapshot.cycle, Cycle(cycle));
            assert_same(&update, &alone(&keeper, cycle));
        }
    }
}

#[test]
fn pairs_are_the_same_again_after_going_back() {
    let mut run = ClockedRun::new(one(), paused());
    run.execute(Command::Against(other()));
    let mut pictures = Vec::new();
    let mut update = Update::empty(one());
    for _ in 0..12 {
        run.execute(Command::Step(2_000));
        run.draw(&mut update);
        let pairs = update.pairs.expect("both send the same messages");
        let against = update.others.first().unwrap();
        let both = [&update.latencies, &against.latencies].map(Clone::clone);
        pictures.push((update.snapshot.cycle, pairs, both));
    }
    for (cycle, pairs, both) in pictures.iter().rev() {
        run.execute(Command::Seek(*cycle));
        run.draw(&mut update);
        assert_eq!(update.pairs.as_ref(), Some(pairs));
        let against = update.others.first().unwrap();
        assert_eq!([&update.latencies, &against.latencies].map(Clone::clone), *both);
    }
}

#[test]
fn another_network_is_not_compared() {
    let text = crate::scenario::builtin::find("mesh-8x8").unwrap().text;
    let mesh = Arc::new(crate::scenario::parse("mesh-8x8", text, &[]).unwrap());
    let mut run = ClockedRun::new(one(), paused());
    run.execute(Command::Against(mesh));
    let mut update = Update::empty(one());
    run.draw(&mut update);
    assert!(update.others.is_empty());
}
