//! Thousands of actions in a row on runs that obey, and other scenarios loaded while everything is
//! open: nothing panics, no pane, place or message lies outside, whatever the size.
//!
//! `FLITSCOPE_SECONDS=3600 cargo test --lib as_long_as_asked -- --ignored --nocapture` goes on for an
//! hour and says in figures what it did; `FLITSCOPE_ACTIONS=50000` in its place for that number of actions,
//! `FLITSCOPE_SEED=7` with other ones.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::DARK_THEME;
use crate::live::{Command, Options, RunState, Staged, Update};
use crate::random::mix;
use crate::scenario::{Override, Scenario, builtin, parse};
use crate::session::events::Events;
use crate::tui::action::{Action, Answer, Grid, Key, Move, Panes, Pointer, Program, Runs, Time};
use crate::tui::app::{App, Effect, Written};
use crate::tui::bindings::BINDINGS;
use crate::tui::fake;
use crate::tui::library::{Entry, Library, Opened};
use crate::tui::picture::text;
use crate::tui::view::View;
use crate::units::Cycle;

/// Actions in all, where nothing else is asked for.
const ACTIONS: u64 = 10_000;
/// Actions on one screen; then another one begins.
const SITTING: u64 = 2_500;
/// The farthest that a run may be sent at once, in cycles: numbers are typed at random.
const FAR: u64 = 2_000;
const VIEWS: [View; 6] =
    [View::Occupancy, View::Worms, View::Classes, View::Utilisation, View::Waits, View::Difference];
/// What else is loaded, with what is set in it.
const LOADED: [(&str, &str, &str); 16] = [
    ("mesh-8x8", "", ""),
    ("mesh-8x8", "network", "Mesh(radix: [2, 2])"),
    ("mesh-8x8", "network", "Mesh(radix: [3, 2, 2])"),
    ("mesh-8x8", "network", "Mesh(radix: [12, 9])"),
    ("mesh-8x8", "network", "Mesh(radix: [17])"),
    ("mesh-8x8", "traffic.lengths", "Fixed(1)"),
    ("ring-deadlock", "", ""),
    ("ring-deadlock", "network", "Torus(radix: [3], links: Unidirectional)"),
    ("papers/adaptive-torus-8x8", "", ""),
    ("papers/adaptive-torus-8x8", "network", "Torus(radix: [3, 4])"),
    ("papers/circuit-torus-hold-8x8", "", ""),
    ("papers/circuit-hold-8", "", ""),
    ("papers/circuit-drop-8-constant", "", ""),
    ("switches-campus", "", ""),
    ("ring-deadlock", "switching.on_deadlock", "Abort"),
    ("papers/mesh-8x8-20", "", ""),
];

fn loaded((name, path, value): (&str, &str, &str)) -> Arc<Scenario> {
    let given = |(path, value): (&str, &str)| Override {
        path: path.into(),
        value: value.into(),
        label: format!("{path}={value}"),
    };
    let set: Vec<Override> =
        Some((path, value)).filter(|_| !path.is_empty()).map(given).into_iter().collect();
    let text = builtin::find(name).unwrap().text;
    Arc::new(parse(name, text, &set).unwrap_or_else(|problems| panic!("{problems:?}")))
}

/// What the chooser offers, by number.
#[derive(Clone, Debug)]
struct Stock(Vec<Arc<Scenario>>);

impl Library for Stock {
    fn list(&self) -> Vec<Entry> {
        (0..self.0.len()).map(|at| Entry { name: format!("s{at}"), file: false }).collect()
    }

    fn open(&self, entry: &Entry) -> Opened {
        let at: usize = entry.name.trim_start_matches('s').parse().unwrap_or(0);
        // Every opening makes a scenario and a network of its own.
        let scenario = &self.0[at % self.0.len()];
        (scenario.text.clone(), scenario.with([]).map(Arc::new))
    }
}

/// Draws numbers, always the same ones.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 += 1;
        mix(self.0, 0x6b65_7973) % end
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    /// A key that means something now, a letter, a place for the mouse, or a size.
    fn action(&mut self, app: &App) -> Option<Action> {
        let place = (self.below(210) as u16, self.below(64) as u16);
        Some(match self.below(40) {
            0 => Action::Program(Program::Resize(place.0, place.1)),
            1 => Action::Program(Program::Resize(80 + place.0 / 2, 24 + place.1 / 2)),
            2 => Action::Pointer(Pointer::Click(place.0, place.1)),
            3 => Action::Pointer(Pointer::DoubleClick(place.0, place.1)),
            4 => Action::Pointer(Pointer::Drag(place.0, place.1)),
            5 => Action::Pointer(Pointer::Wheel(self.below(2) == 0, place.0, place.1)),
            6 => Action::Pointer(Pointer::Release),
            7..12 => {
                let letters: Vec<char> = "0123456789,()#-. abcdefhilnorstu=".chars().collect();
                return app.action_of(Key::Char(self.of(&letters)));
            }
            _ => {
                let rows: Vec<_> =
                    BINDINGS.iter().filter(|row| row.context == app.context()).collect();
                rows[self.below(rows.len() as u64) as usize].action
            }
        })
    }
}

/// A command as far as it can be obeyed at once.
fn tamed(command: Command, update: &Update) -> Option<Command> {
    Some(match command {
        Command::Step(cycles) => Command::Step(cycles.min(FAR)),
        Command::Seek(Cycle(cycle)) => Command::Seek(Cycle(cycle.min(update.live.0 + FAR))),
        // What never happens is never found.
        Command::NextEvent(_) => Command::NextEvent(Events::all() - Events::DEADLOCK),
        Command::Quit => return None,
        command => command,
    })
}

/// Somebody at a screen who does anything.
struct Sitting {
    app: App,
    run: Staged,
    dice: Dice,
    stock: Stock,
    /// The last actions, to be printed if the audit fails.
    last: Vec<Action>,
    /// How often what was done.
    did: BTreeMap<String, u64>,
}

impl Sitting {
    fn begin(stock: &Stock, scenario: &Arc<Scenario>, seed: u64) -> Self {
        let empty = Box::new(Update::empty(Arc::clone(scenario)));
        let app = App::new(empty, Box::new(stock.clone()), DARK_THEME, false, (120, 40));
        let run = Staged::new(Arc::clone(scenario), Options::default());
        let (stock, last, did) = (stock.clone(), Vec::new(), BTreeMap::new());
        let mut sitting = Self { app, run, dice: Dice(seed), stock, last, did };
        sitting.show();
        sitting
    }

    fn count(&mut self, what: impl Into<String>) {
        *self.did.entry(what.into()).or_default() += 1;
    }

    /// Has the screen take the newest picture.
    fn show(&mut self) {
        self.count("pictures");
        loop {
            let mut update = Box::new(Update::empty(Arc::clone(&self.app.update.scenario)));
            self.run.draw(&mut update);
            self.app.receive(update);
            let effects = self.app.effects();
            if effects.is_empty() {
                return;
            }
            for effect in effects {
                // A session that is to be saved is not written here.
                if let Effect::Send(errand) = effect {
                    self.run.obey(errand);
                }
            }
        }
    }

    fn act(&mut self, action: Action) {
        self.count("actions");
        self.last.push(action);
        for effect in self.app.update(action) {
            match effect {
                Effect::Send(command) => {
                    if let Some(command) = tamed(command, &self.app.update) {
                        self.count(match &command {
                            Command::Load(_) => "scenarios loaded",
                            Command::Against(_) => "comparisons",
                            _ => "other commands",
                        });
                        self.run.obey(command);
                    }
                }
                Effect::Record(path) => self.app.wrote(Written::Recording, &path, &Ok(())),
                Effect::EndRecording => self.app.recording = None,
                Effect::Quit
                | Effect::Suspend
                | Effect::Repaint
                | Effect::Mouse(_)
                | Effect::Picture(_)
                | Effect::Write(_)
                | Effect::Edit(..) => {}
            }
        }
    }

    /// Gives a command with arguments, whatever is open.
    fn line(&mut self, line: &str) {
        for _ in 0..4 {
            if self.app.dialog.is_some() {
                self.act(Action::Program(Program::Back));
            }
        }
        self.act(Action::Program(Program::Palette));
        line.chars().for_each(|letter| self.act(Action::Answer(Answer::Type(letter))));
        self.act(Action::Answer(Answer::Accept));
    }

    /// Opens something that holds on to the run that is shown.
    fn open_something(&mut self) {
        let nodes = self.app.update.scenario.system.network.nodes() as u64;
        // The last terminals are those that a smaller network lacks.
        let node = if self.dice.below(2) == 0 { nodes - 1 } else { self.dice.below(nodes) };
        let serial = self.dice.below(4);
        match self.dice.below(14) {
            0 | 1 => self.act(Action::Move(Move::History)),
            2 => self.act(Action::Move(Move::Follow)),
            3 => self.act(Action::Move(Move::Pin)),
            4 => self.line(&format!("break node {node}, message {node}#{serial}")),
            5 => self.line("break chain 3, latency 300"),
            6 => (0..=self.dice.below(2)).for_each(|_| self.act(Action::Panes(Panes::Tables))),
            7 => self.act(Action::Panes(Panes::Inspect)),
            8 => {
                let field = self.dice.of(&["routing=DimensionOrder()", "switching.buffer_flits=3"]);
                self.line(&format!("compare {field}"));
            }
            9 => self.line(&format!("find {node}#{serial}")),
            10 => {
                let view = self.dice.of(&VIEWS);
                self.act(Action::Grid(Grid::View(view)));
            }
            11 => self.act(Action::Time(Time::Bookmark)),
            12 => {
                let line = self.dice.of(&["record a.cast", "back 100", "set load 0.9"]);
                self.line(line);
            }
            _ => {
                let action = self.dice.of(&[
                    Action::Move(Move::Next),
                    Action::Runs(Runs::Contrast),
                    Action::Grid(Grid::VcFilter),
                ]);
                self.act(action);
            }
        }
    }

    /// Everything is opened, then another scenario, mostly a smaller one; what is done next may still
    /// be meant for the one before.
    fn load(&mut self) {
        for _ in 0..2 + self.dice.below(5) {
            self.open_something();
            if self.dice.below(3) > 0 {
                self.run.elapse(Duration::from_micros(300));
                self.show();
            }
            self.audit();
        }
        let nodes = |scenario: &Scenario| scenario.system.network.nodes();
        let now = nodes(&self.app.update.scenario);
        let all: Vec<usize> = (0..self.stock.0.len()).collect();
        let smaller: Vec<usize> =
            all.iter().copied().filter(|&at| nodes(&self.stock.0[at]) < now).collect();
        let pool = if smaller.is_empty() || self.dice.below(3) == 0 { &all } else { &smaller };
        let chosen = self.dice.of(pool);
        let wide = self.app.singles.history.is_some();
        if nodes(&self.stock.0[chosen]) < now {
            self.count("smaller ones");
        }
        if wide {
            self.count("loaded with a history open");
        }
        if self.app.other().is_some() {
            self.count("loaded in a comparison");
        }
        if self.app.singles.followed.is_some() {
            self.count("loaded while following");
        }
        self.line(&format!("open s{chosen}"));
        for _ in 0..self.dice.below(4) {
            self.open_something();
        }
        self.run.elapse(Duration::from_micros(300));
        self.show();
        self.audit();
    }

    /// That what is shown is whole and true.
    fn audit(&self) {
        let what = || format!("after {:?}", &self.last[self.last.len().saturating_sub(20)..]);
        self.app.audit().unwrap_or_else(|wrong| panic!("{wrong}\n{}", what()));
        let screen = fake::buffer(&self.app);
        for (pane, rect) in self.app.arrangement().panes {
            assert_eq!(rect.intersection(screen.area), rect, "{pane:?} {}", what());
        }
        let top = text(&screen);
        let top = top.lines().next().unwrap_or_default();
        let (width, height) = self.app.size;
        assert!(width < 20 || height == 0 || !top.is_empty(), "{}", what());
        if width >= 60 && height >= 8 {
            let state = match self.app.update.state {
                RunState::Running => "RUN",
                RunState::Paused | RunState::Limit => "PAUSED",
                RunState::Deadlocked => "DEADLOCK",
                RunState::Seeking => "SEEK",
            };
            assert!(top.contains(state), "{state}? {top} {}", what());
            let now = self.app.times().now(self.app.update.snapshot.cycle.0);
            assert!(width < 120 || top.contains(&now), "{now}? {top} {}", what());
        }
    }

    fn play(&mut self, actions: u64, until: Option<Instant>) {
        let end = self.did.get("actions").copied().unwrap_or(0) + actions;
        while self.did.get("actions").copied().unwrap_or(0) < end
            && until.is_none_or(|until| Instant::now() < until)
        {
            if self.dice.below(80) == 0 {
                self.load();
            }
            let Some(action) = self.dice.action(&self.app) else { continue };
            self.act(action);
            if self.dice.below(3) == 0 {
                self.run.elapse(Duration::from_micros(200));
            }
            // Not every action waits for a picture.
            if self.dice.below(8) > 0 {
                self.show();
            }
            self.audit();
        }
    }
}

/// Plays sitting after sitting; says how often what was done.
fn play(actions: u64, until: Option<Instant>, seed: u64) -> BTreeMap<String, u64> {
    let stock = Stock(LOADED.into_iter().map(loaded).collect());
    let mut did = BTreeMap::new();
    let (mut sitting, mut left) = (0, actions);
    while left > 0 && until.is_none_or(|until| Instant::now() < until) {
        let first = &stock.0[(sitting + seed) as usize % stock.0.len()];
        let mut now = Sitting::begin(&stock, first, mix(seed, sitting) >> 8);
        now.play(left.min(SITTING), until);
        sitting += 1;
        left = left.saturating_sub(SITTING);
        now.did.into_iter().for_each(|(what, times)| *did.entry(what).or_default() += times);
    }
    did
}

/// A number from the environment.
fn asked<T: FromStr<Err: Debug>>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|why| panic!("{name}={text}: {why:?}")))
}

#[test]
fn ten_thousand_actions_leave_a_whole_screen() {
    let did = play(ACTIONS, None, 1);
    for what in ["smaller ones", "loaded with a history open", "loaded in a comparison"] {
        assert!(did.get(what).is_some_and(|&times| times > 5), "{what}: {did:?}");
    }
}

#[test]
#[ignore = "goes on for FLITSCOPE_SECONDS, or for FLITSCOPE_ACTIONS"]
#[expect(clippy::print_stdout, reason = "its figures are for the person who runs it")]
fn actions_for_as_long_as_asked() {
    let began = Instant::now();
    let seconds = asked("FLITSCOPE_SECONDS").map(Duration::from_secs);
    let actions = asked("FLITSCOPE_ACTIONS").unwrap_or(seconds.map_or(ACTIONS, |_| u64::MAX));
    let did = play(actions, seconds.map(|time| began + time), asked("FLITSCOPE_SEED").unwrap_or(1));
    println!("{:.1} s", began.elapsed().as_secs_f64());
    for (what, times) in did {
        println!("{times:>10} {what}");
    }
}
