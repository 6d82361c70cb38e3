//! Tests of seeks on the simulation thread.

use crate::engine::Change;
use crate::live::tests::{start, wait};
use crate::live::{Command, Live, Options, RunState, Speed, Update};
use crate::session::events::Events;
use crate::session::tape::Keep;
use crate::units::{Cycle, Rate};

/// Sends a command and waits until the run is at rest again.
pub(in crate::live) fn tell(live: &mut Live, command: Command) -> Box<Update> {
    live.send(command);
    let sent = live.sent();
    let rests = |update: &Update| {
        update.commands == sent && !matches!(update.state, RunState::Seeking | RunState::Running)
    };
    wait(live, rests)
}

fn paused(keep: Keep) -> Live {
    start(Options { running: false, speed: Speed::Max, keep, ..Options::default() })
}

fn dense() -> Keep {
    Keep { work_per_byte: 0, ..Keep::default() }
}

#[test]
fn back_and_forward_show_what_was_shown() {
    for keep in [dense(), Keep { bytes: 0, work_per_byte: 0 }] {
        let mut live = paused(keep);
        tell(&mut live, Command::Step(1_500));
        tell(&mut live, Command::Change(Change::Rate(Rate(0.02))));
        let past = tell(&mut live, Command::Step(500));
        let newest = tell(&mut live, Command::Step(1_000));
        let back = tell(&mut live, Command::Back(1_000));
        assert_eq!((back.snapshot.cycle, back.live), (Cycle(2_000), Cycle(3_000)));
        assert_eq!((&back.snapshot, &back.summary), (&past.snapshot, &past.summary));
        assert_eq!(back.latencies, past.latencies);
        assert_eq!(back.history, newest.history);
        let early = tell(&mut live, Command::Seek(Cycle(1_499)));
        assert_eq!((early.rate, early.snapshot.cycle), (Rate(0.01), Cycle(1_499)));
        let one = tell(&mut live, Command::Back(1));
        assert_eq!(one.snapshot.cycle, Cycle(1_498));
        // Averages cover the cycles before the present one, without the cycles after.
        assert!(one.usage.recent.iter().any(|&share| share > 0.0));
        let again = tell(&mut live, Command::ToLive);
        assert_eq!((&again.snapshot, &again.summary), (&newest.snapshot, &newest.summary));
        assert_eq!(again.rate, Rate(0.02));
        // A seek beyond the newest cycle continues the run.
        let beyond = tell(&mut live, Command::Seek(Cycle(9_000)));
        assert_eq!((beyond.snapshot.cycle, beyond.live), (Cycle(9_000), Cycle(9_000)));
        assert_eq!(beyond.history.end(), 9_000 / 64 * 64);
    }
}

#[test]
fn another_load_in_the_past_forks_the_future() {
    let mut live = paused(dense());
    tell(&mut live, Command::Step(1_000));
    tell(&mut live, Command::Bookmark(Cycle(1_000)));
    tell(&mut live, Command::Step(2_000));
    let marked = tell(&mut live, Command::Bookmark(Cycle(3_000)));
    assert_eq!(marked.bookmarks, [1_000, 3_000]);
    tell(&mut live, Command::Seek(Cycle(1_010)));
    let forked = tell(&mut live, Command::Change(Change::Rate(Rate(0.03))));
    assert_eq!((forked.live, forked.rate), (Cycle(1_010), Rate(0.03)));
    assert_eq!(forked.bookmarks, [1_000]);
    assert_eq!(forked.history.end(), 960);
    let on = tell(&mut live, Command::Step(2_000));
    let mut straight = paused(Keep::default());
    tell(&mut straight, Command::Step(1_010));
    tell(&mut straight, Command::Change(Change::Rate(Rate(0.03))));
    let same = tell(&mut straight, Command::Step(2_000));
    assert_eq!((&on.snapshot, &on.summary), (&same.snapshot, &same.summary));
    assert_eq!(on.history.end(), same.history.end());
}

#[test]
fn events_are_gone_to_in_both_directions() {
    let mut live = paused(dense());
    let deliveries = Events::DELIVERY;
    let mut seen = Vec::new();
    for _ in 0..6 {
        let update = tell(&mut live, Command::NextEvent(deliveries));
        seen.push((update.snapshot.cycle, update.snapshot.counters.delivered));
    }
    assert!(seen.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
    for &(cycle, delivered) in seen.iter().rev().skip(1) {
        let update = tell(&mut live, Command::BackToEvent(deliveries));
        assert_eq!((update.snapshot.cycle, update.snapshot.counters.delivered), (cycle, delivered));
        assert!(!update.no_such_event);
    }
    let update = tell(&mut live, Command::BackToEvent(deliveries));
    assert_eq!((update.snapshot.cycle, update.no_such_event), (Cycle(0), true));
}

#[test]
fn a_long_way_is_told_and_can_be_given_up() {
    // Without checkpoints, every seek back takes long.
    let mut live = paused(Keep { bytes: 0, work_per_byte: 0 });
    tell(&mut live, Command::Step(400_000));
    live.send(Command::Seek(Cycle(399_000)));
    let sent = live.sent();
    let way = wait(&live, |update| update.commands == sent && update.seeking.is_some());
    assert_eq!((way.state, way.live), (RunState::Seeking, Cycle(400_000)));
    assert!(way.seeking.is_some_and(|way| way.to == Some(Cycle(399_000)) && way.share < 1.0));
    let back = tell(&mut live, Command::Cancel);
    assert!([399_000, 400_000].contains(&back.snapshot.cycle.0));
    assert_eq!(back.live, Cycle(400_000));
}

#[test]
fn a_long_step_is_told_and_stops_where_it_is_given_up() {
    let mut live = paused(dense());
    for command in [Command::Seek(Cycle(1 << 40)), Command::Step(1 << 40)] {
        live.send(command);
        let sent = live.sent();
        let goes = |update: &Update| update.commands == sent && update.snapshot.cycle.0 > 0;
        let way = wait(&live, |update| goes(update) && update.seeking.is_some());
        assert_eq!(way.state, RunState::Seeking);
        assert!(way.seeking.is_some_and(|way| way.to.is_some_and(|to| to.0 >= 1 << 40)));
        let there = tell(&mut live, Command::Cancel);
        assert_eq!((there.state, there.seeking), (RunState::Paused, None));
        assert!((way.snapshot.cycle.0..1 << 40).contains(&there.snapshot.cycle.0));
        assert_eq!(there.snapshot.cycle, there.live);
    }
}

#[test]
fn a_deadlock_is_left_by_going_back_and_met_again() {
    let mut live = crate::live::tests::start_deadlocking(Options {
        running: false,
        speed: Speed::Max,
        keep: dense(),
        ..Options::default()
    });
    let locked = tell(&mut live, Command::Step(100_000));
    assert_eq!(locked.state, RunState::Deadlocked);
    let back = tell(&mut live, Command::Back(300));
    assert_eq!(back.state, RunState::Paused);
    let again = tell(&mut live, Command::Run);
    assert_eq!((again.state, &again.snapshot), (RunState::Deadlocked, &locked.snapshot));
}

#[test]
fn events_of_deadlock_are_where_it_closed_and_that_is_bookmarked() {
    let mut live = crate::live::tests::start_deadlocking(Options {
        running: false,
        speed: Speed::Max,
        keep: dense(),
        ..Options::default()
    });
    let locked = tell(&mut live, Command::Step(100_000));
    let deadlock = locked.snapshot.deadlock.as_ref().expect("it locks up");
    let mut closed: Vec<u64> = deadlock.sets.iter().map(|set| set.closed.0).collect();
    closed.dedup();
    assert_eq!(locked.bookmarks, closed);
    let noted = locked.history.events.iter().map(|&(cycle, _)| cycle).min();
    assert_eq!(noted, Some(closed[0]));
    assert!(deadlock.found > deadlock.closed() && deadlock.found - deadlock.closed() <= 64);
    let wanted = Events::DEADLOCK;
    let last = tell(&mut live, Command::BackToEvent(wanted));
    assert_eq!((last.snapshot.cycle.0, last.no_such_event), (closed[closed.len() - 1], false));
    tell(&mut live, Command::Seek(Cycle(0)));
    let first = tell(&mut live, Command::NextEvent(wanted));
    assert_eq!((first.snapshot.cycle.0, first.no_such_event), (closed[0], false));
    assert_eq!(first.bookmarks, closed);
}
