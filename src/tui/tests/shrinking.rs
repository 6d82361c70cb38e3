//! A deadlock is reduced beside the run, and the result opened.

use super::letters::Bench;
use crate::live::Command;
use crate::tui::action::Time;
use crate::tui::app::{Effect, shrinking};

/// Executes all requests and those that follow, and returns the ones that are no commands.
fn execute(bench: &mut Bench, first: Vec<Effect>) -> Vec<Effect> {
    let (mut left, mut others) = (first, Vec::new());
    while !left.is_empty() {
        for effect in left {
            match effect {
                Effect::Send(command) => bench.tell(command),
                other => others.push(other),
            }
        }
        left = bench.app.effects();
    }
    others
}

fn press(bench: &mut Bench, action: Time) -> Vec<Effect> {
    let effects = bench.app.update(action);
    execute(bench, effects)
}

fn note(bench: &Bench) -> &str {
    bench.app.note.as_deref().unwrap_or_default()
}

#[test]
fn a_deadlock_is_reduced_and_opened() {
    let mut bench = Bench::new("ring-deadlock");
    bench.tell(Command::Step(400));
    assert!(bench.app.snapshot().deadlock.is_some());
    let requests = press(&mut bench, Time::Shrink);
    let [Effect::Shrink(saved)] = &requests[..] else { panic!("{}", note(&bench)) };
    assert!(note(&bench).contains("is reduced beside the run"));
    shrinking::at_once(&mut bench.app, saved);
    assert!(note(&bench).starts_with("4 of "), "{}", note(&bench));
    let requests = bench.app.effects();
    assert!(execute(&mut bench, requests).is_empty());
    assert_eq!(bench.app.update.scenario.system.network.name(), "4 torus");
    assert!(bench.app.snapshot().deadlock.is_some(), "it opens at its end");
    assert_eq!(bench.app.update.bookmarks.len(), 1);
    assert_eq!(bench.app.snapshot().worms.len(), 4);
}

#[test]
fn a_deadlock_after_a_failure_keeps_the_failure() {
    let mut bench = Bench::new("hangs/stale-tables");
    bench.tell(Command::Step(2600));
    let requests = press(&mut bench, Time::Shrink);
    let [Effect::Shrink(saved)] = &requests[..] else { panic!("{}", note(&bench)) };
    shrinking::at_once(&mut bench.app, saved);
    assert!(note(&bench).contains(" and after the failure ("), "{}", note(&bench));
    let requests = bench.app.effects();
    assert!(execute(&mut bench, requests).is_empty());
    assert_eq!(bench.app.system().plan().failures.given.len(), 1);
    assert!(bench.app.snapshot().deadlock.is_some());
}

#[test]
fn a_reduction_ends_on_request_and_with_its_run() {
    let mut bench = Bench::new("ring-deadlock");
    assert!(press(&mut bench, Time::Shrink).is_empty());
    assert!(note(&bench).starts_with("there is no deadlock"));
    bench.tell(Command::Step(400));
    let begun = press(&mut bench, Time::Shrink);
    let [Effect::Shrink(saved)] = &begun[..] else { panic!("{}", note(&bench)) };
    assert!(matches!(&press(&mut bench, Time::Shrink)[..], [Effect::StopShrinking]));
    // News of a reduction that no run awaits opens nothing.
    bench.tell(Command::Reseed(9));
    let requests = bench.app.effects();
    execute(&mut bench, requests);
    shrinking::at_once(&mut bench.app, saved);
    let requests = bench.app.effects();
    assert!(requests.iter().all(|it| !matches!(it, Effect::Send(Command::Resume(_)))));
}
