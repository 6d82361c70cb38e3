//! A deadlock is reduced beside the run, and the result opened.

use std::sync::Arc;

use super::{DARK_THEME, fake};
use crate::engine::Change;
use crate::live::{ClockedRun, Command, Options, Update};
use crate::scenario::{builtin, parse};
use crate::tui::action::Time;
use crate::tui::app::{App, Effect, shrinking};
use crate::units::Rate;

/// A screen with its run, which executes all commands at once.
struct Bench {
    app: App,
    run: ClockedRun,
}

impl Bench {
    fn new(name: &str) -> Self {
        let scenario = parse(name, builtin::find(name).unwrap().text, &[]).unwrap();
        let scenario = Arc::new(scenario);
        let options = Options { running: false, ..Options::default() };
        let run = ClockedRun::new(Arc::clone(&scenario), options);
        let update = Box::new(Update::empty(scenario));
        let mut bench = Self { app: fake::app(update, DARK_THEME, false, (120, 40)), run };
        bench.show();
        bench
    }

    fn show(&mut self) {
        let mut update = Box::new(Update::empty(Arc::clone(&self.app.update.scenario)));
        self.run.draw(&mut update);
        self.app.receive(update);
    }

    /// Executes all requests and those that follow, and returns the ones that are no commands.
    fn execute(&mut self, first: Vec<Effect>) -> Vec<Effect> {
        let (mut left, mut others) = (first, Vec::new());
        while !left.is_empty() {
            for effect in left {
                match effect {
                    Effect::Send(command) => self.tell(command),
                    other => others.push(other),
                }
            }
            left = self.app.effects();
        }
        others
    }

    fn press(&mut self, action: Time) -> Vec<Effect> {
        let effects = self.app.update(action);
        self.execute(effects)
    }

    fn tell(&mut self, command: Command) {
        self.run.execute(command);
        self.run.elapse(std::time::Duration::from_millis(1));
        self.show();
    }
}

fn note(bench: &Bench) -> &str {
    bench.app.note.as_deref().unwrap_or_default()
}

#[test]
fn a_deadlock_is_reduced_and_opened() {
    let mut bench = Bench::new("ring-deadlock");
    bench.tell(Command::Step(400));
    assert!(bench.app.snapshot().deadlock.is_some());
    let requests = bench.press(Time::Shrink);
    let [Effect::Shrink(saved)] = &requests[..] else { panic!("{}", note(&bench)) };
    assert!(note(&bench).contains("is reduced beside the run"));
    shrinking::at_once(&mut bench.app, saved);
    assert!(note(&bench).starts_with("4 of "), "{}", note(&bench));
    let requests = bench.app.effects();
    assert!(bench.execute(requests).is_empty());
    assert_eq!(bench.app.update.scenario.system.network.name(), "4 torus");
    assert!(bench.app.snapshot().deadlock.is_some(), "it opens at its end");
    assert_eq!(bench.app.update.bookmarks.len(), 1);
    assert_eq!(bench.app.snapshot().worms.len(), 4);
}

#[test]
fn a_reduction_ends_on_request_and_with_its_run() {
    let mut bench = Bench::new("switch-ring-deadlock");
    assert!(bench.press(Time::Shrink).is_empty());
    assert!(note(&bench).starts_with("there is no deadlock"));
    bench.tell(Command::Change(Change::Rate(Rate(0.05))));
    bench.tell(Command::Step(20_000));
    let begun = bench.press(Time::Shrink);
    let [Effect::Shrink(saved)] = &begun[..] else { panic!("{}", note(&bench)) };
    assert!(matches!(&bench.press(Time::Shrink)[..], [Effect::StopShrinking]));
    // News of a reduction that no run awaits opens nothing.
    bench.tell(Command::Restart);
    bench.tell(Command::Reseed(9));
    let requests = bench.app.effects();
    bench.execute(requests);
    shrinking::at_once(&mut bench.app, saved);
    let requests = bench.app.effects();
    assert!(requests.iter().all(|it| !matches!(it, Effect::Send(Command::Resume(_)))));
}
