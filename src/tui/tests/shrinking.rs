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

    /// Executes all effects, and returns those that are no commands.
    fn execute(&mut self) -> Vec<Effect> {
        let mut others = Vec::new();
        for effect in self.app.effects() {
            match effect {
                Effect::Send(command) => {
                    self.run.execute(command);
                    self.run.elapse(std::time::Duration::from_millis(1));
                    self.show();
                }
                other => others.push(other),
            }
        }
        others
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
    bench.app.update(Time::Shrink);
    bench.execute();
    let [Effect::Shrink(saved)] = &bench.execute()[..] else { panic!("{}", note(&bench)) };
    assert!(note(&bench).contains("is reduced beside the run"));
    shrinking::at_once(&mut bench.app, saved);
    assert!(note(&bench).starts_with("4 of "), "{}", note(&bench));
    bench.execute();
    assert_eq!(bench.app.update.scenario.system.network.name(), "4 torus");
    assert!(bench.app.snapshot().deadlock.is_some(), "it opens at its end");
    assert_eq!(bench.app.update.bookmarks.len(), 1);
    assert_eq!(bench.app.snapshot().worms.len(), 4);
}

#[test]
fn a_reduction_ends_on_request_and_with_its_run() {
    let mut bench = Bench::new("switch-ring-deadlock");
    bench.app.update(Time::Shrink);
    assert!(note(&bench).starts_with("there is no deadlock"));
    bench.tell(Command::Change(Change::Rate(Rate(0.05))));
    bench.tell(Command::Step(20_000));
    bench.app.update(Time::Shrink);
    bench.execute();
    let begun = bench.execute();
    assert!(matches!(&begun[..], [Effect::Shrink(_)]));
    bench.app.update(Time::Shrink);
    assert!(matches!(&bench.execute()[..], [Effect::StopShrinking]));
    // News of a reduction that nobody waits for opens nothing.
    bench.tell(Command::Restart);
    bench.tell(Command::Reseed(9));
    let Effect::Shrink(saved) = &begun[0] else { panic!() };
    bench.execute();
    shrinking::at_once(&mut bench.app, saved);
    assert!(bench.execute().iter().all(|it| !matches!(it, Effect::Send(Command::Resume(_)))));
}
