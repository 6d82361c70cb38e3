//! Tests of single messages in updates of the simulation thread.

use super::*;
use crate::engine::messages::MessageState;
use crate::ids::{MessageId, NodeId};
use crate::session::tape::Keep;

fn paused(speed: Speed, keep: Keep) -> Live {
    start(Options { running: false, speed, keep, ..Options::default() })
}

fn tell(live: &mut Live, command: Command) -> Box<Update> {
    live.send(command);
    let sent = live.sent();
    wait(live, |update| {
        update.commands == sent && !matches!(update.state, RunState::Seeking | RunState::Running)
    })
}

/// The update with the whole history of a message.
fn traced(live: &mut Live, name: MessageId) -> Box<Update> {
    live.send(Command::Trace(Some(name)));
    whole(live, name)
}

fn whole(live: &mut Live, name: MessageId) -> Box<Update> {
    // Forces an update: the last one may have been taken.
    live.send(Command::Window(256));
    wait(live, |update| {
        let traced = update.single_messages.traced.as_ref();
        update.commands == live.sent()
            && traced.is_some_and(|traced| traced.trace.name == name && traced.share >= 1.0)
    })
}

#[test]
fn all_messages_under_way_are_listed_when_asked_for() {
    let mut live = paused(Speed::Max, Keep::default());
    tell(&mut live, Command::Change(Change::Rate(Rate(0.12))));
    let update = tell(&mut live, Command::Step(2_000));
    assert!(update.single_messages.listed.is_empty());
    let update = tell(&mut live, Command::List(true));
    let (listed, snapshot) = (&update.single_messages.listed, &update.snapshot);
    let waiting: u64 = snapshot.queues.iter().sum();
    assert!(waiting > 0 && snapshot.worms.len() > 10);
    assert_eq!(listed.len() as u64, snapshot.worms.len() as u64 + waiting);
    assert_eq!(update.single_messages.unlisted, 0);
    assert!(listed.is_sorted_by_key(|view| view.born));
    for worm in &snapshot.worms {
        let view = listed.iter().find(|view| view.name == worm.name()).unwrap();
        assert_eq!((view.at, view.at_source, view.worm), (worm.head_at, worm.at_source, worm.id));
        assert_eq!(view.activity, crate::engine::messages::Activity::Worm(worm.head));
        assert!(view.hops > 0);
    }
    let update = tell(&mut live, Command::List(false));
    assert!(update.single_messages.listed.is_empty());
}

#[test]
fn a_message_is_followed_from_before_its_birth_to_its_delivery() {
    let mut live = paused(Speed::Max, Keep { work_per_byte: 0, ..Keep::default() });
    let name = MessageId { source: NodeId(6), serial: 4 };
    let followed = |update: &Update| update.single_messages.followed.unwrap();
    let update = tell(&mut live, Command::Follow(Some(name)));
    assert_eq!(followed(&update).state, MessageState::Unborn);
    // The whole life of the message in a single step.
    let update = tell(&mut live, Command::Step(4_000));
    let delivery = followed(&update).delivery.unwrap();
    assert_eq!((followed(&update).state, delivery.name()), (MessageState::Gone, name));
    let back = tell(&mut live, Command::Seek(delivery.born + 1));
    assert!(matches!(followed(&back).state, MessageState::Present(_)));
    assert_eq!(followed(&back).delivery, None);
    let again = tell(&mut live, Command::Seek(delivery.done));
    assert_eq!(followed(&again).delivery, Some(delivery));
    // Another run has other messages.
    let update = tell(&mut live, Command::Reseed(77));
    assert_eq!(update.single_messages.followed, None);
    let update = tell(&mut live, Command::Follow(Some(name)));
    assert_eq!(followed(&update).state, MessageState::Unborn);
    assert_eq!(tell(&mut live, Command::Follow(None)).single_messages.followed, None);
}

#[test]
fn a_history_is_made_beside_the_run_and_kept_up_to_date() {
    for keep in [Keep { work_per_byte: 0, ..Keep::default() }, Keep { bytes: 0, work_per_byte: 0 }]
    {
        let mut live = paused(Speed::Max, keep);
        let name = MessageId { source: NodeId(9), serial: 6 };
        tell(&mut live, Command::Step(4_000));
        let all = traced(&mut live, name).single_messages.traced.clone().unwrap().trace;
        let delivery = all.delivery.unwrap();
        assert!(all.hops.len() as u32 > delivery.hops);
        // In the past, only the history known then, growing on the way forward.
        tell(&mut live, Command::Seek(delivery.born + 2));
        let part = whole(&mut live, name).single_messages.traced.clone().unwrap().trace;
        assert_eq!((part.delivery, part.until), (None, delivery.born + 2));
        for _ in 0..delivery.latency() {
            live.send(Command::Step(1));
            whole(&mut live, name);
        }
        let again = whole(&mut live, name).single_messages.traced.clone().unwrap().trace;
        assert_eq!(again, all);
        assert!(tell(&mut live, Command::Trace(None)).single_messages.traced.is_none());
    }
}

#[test]
fn a_long_replay_is_told_of_and_can_be_given_up() {
    // Without checkpoints, the replay of every message takes long.
    let mut live = paused(Speed::Max, Keep { bytes: 0, work_per_byte: 0 });
    tell(&mut live, Command::Step(300_000));
    let name = MessageId { source: NodeId(1), serial: 2_800 };
    live.send(Command::Trace(Some(name)));
    let way = wait(&live, |update| {
        update.single_messages.traced.as_ref().is_some_and(|traced| traced.share > 0.0)
    });
    assert!(way.single_messages.traced.as_ref().is_some_and(|traced| traced.share < 1.0));
    // The run executes commands meanwhile.
    let update = tell(&mut live, Command::Step(1));
    assert_eq!(update.snapshot.cycle, Cycle(300_001));
    let update = tell(&mut live, Command::Trace(None));
    assert!(update.single_messages.traced.is_none());
}

#[test]
fn another_load_in_the_past_makes_another_history() {
    let mut live = paused(Speed::Max, Keep { work_per_byte: 0, ..Keep::default() });
    let name = MessageId { source: NodeId(9), serial: 6 };
    tell(&mut live, Command::Step(4_000));
    let first = traced(&mut live, name).single_messages.traced.clone().unwrap().trace;
    let born = first.delivery.unwrap().born;
    tell(&mut live, Command::Seek(Cycle(born.0 / 2)));
    tell(&mut live, Command::Change(Change::Rate(Rate(0.05))));
    tell(&mut live, Command::Step(4_000));
    let other = whole(&mut live, name).single_messages.traced.clone().unwrap().trace;
    assert!(other.delivery.is_some_and(|delivery| delivery.born < born), "{other:?}");
}

#[test]
fn watching_changes_no_result() {
    let mut plain = paused(Speed::Max, Keep::default());
    let mut watched = paused(Speed::Max, Keep::default());
    watched.send(Command::Follow(Some(MessageId { source: NodeId(2), serial: 3 })));
    watched.send(Command::List(true));
    watched.send(Command::Trace(Some(MessageId { source: NodeId(2), serial: 9 })));
    for live in [&mut plain, &mut watched] {
        for step in [700, 1, 299, 5_000] {
            tell(live, Command::Step(step));
        }
    }
    let a = tell(&mut plain, Command::Step(1));
    let b = tell(&mut watched, Command::Step(1));
    assert_eq!((&a.snapshot, &a.summary, &a.history), (&b.snapshot, &b.summary, &b.history));
}

#[test]
fn both_of_two_runs_tell_of_the_same_message() {
    let mut live = paused(Speed::Max, Keep { work_per_byte: 0, ..Keep::default() });
    let name = MessageId { source: NodeId(9), serial: 6 };
    live.send(Command::Follow(Some(name)));
    tell(&mut live, Command::Step(1_000));
    let other = scenario_with(Classes::Dateline, 3, 0.01);
    tell(&mut live, Command::Against(other));
    tell(&mut live, Command::Step(3_000));
    live.send(Command::Trace(Some(name)));
    let told = |single_messages: &SingleMessages| {
        single_messages.traced.as_ref().is_some_and(|traced| traced.share >= 1.0)
    };
    let update = wait(&live, |update| {
        let against = update.others.first();
        told(&update.single_messages)
            && against.is_some_and(|against| told(&against.single_messages))
    });
    let against = update.others.first().unwrap();
    for one in [&update, against] {
        let delivery = one.single_messages.followed.unwrap().delivery.unwrap();
        let trace = &one.single_messages.traced.as_ref().unwrap().trace;
        assert_eq!((delivery.name(), trace.delivery), (name, Some(delivery)));
        let vcs = one.scenario.system.switching.virtual_channels();
        let highest = trace.hops.iter().filter_map(|hop| hop.vc).map(|vc| vc.0 % vcs).max();
        assert!(highest < Some(vcs));
    }
    // Each follows its own routing.
    let born = |update: &Update| update.single_messages.followed.unwrap().delivery.unwrap().born;
    assert_eq!(born(&update), born(against));
    let theirs = against.single_messages.clone();
    let alone = tell(&mut live, Command::Part { second: true });
    assert_eq!(alone.single_messages.followed, theirs.followed);
    assert_eq!(alone.single_messages.traced, theirs.traced);
}
