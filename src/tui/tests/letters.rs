//! Tests that labels depend on run and cycle only, not on earlier views.

use std::sync::Arc;
use std::time::Duration;

use super::{DARK_THEME, inside};
use crate::engine::letters::LETTERS;
use crate::live::{ClockedRun, Command, Options, Speed, Update};
use crate::scenario::{Scenario, builtin, parse};
use crate::tui::app::App;
use crate::tui::fake;
use crate::tui::grid::frame::BOXES;
use crate::tui::run_view::RunView;
use crate::tui::view::Pane;
use crate::units::Cycle;

/// A screen with its run, without a thread.
pub(super) struct Bench {
    pub(super) app: App,
    run: ClockedRun,
}

impl Bench {
    pub(super) fn new(name: &str) -> Self {
        let scenario = parse(name, builtin::find(name).unwrap().text, &[]).unwrap();
        let scenario: Arc<Scenario> = Arc::new(scenario);
        let options = Options { running: false, ..Options::default() };
        let run = ClockedRun::new(Arc::clone(&scenario), options);
        let update = Box::new(Update::empty(scenario));
        Self { app: fake::app(update, DARK_THEME, false, (200, 60)), run }
    }

    fn show(&mut self) {
        let mut update = Box::new(Update::empty(Arc::clone(&self.app.update.scenario)));
        self.run.draw(&mut update);
        self.app.receive(update);
    }

    pub(super) fn tell(&mut self, command: Command) {
        self.run.execute(command);
        self.show();
    }

    /// Runs to a cycle at a pace, with a frame every `frame` milliseconds.
    fn run_to(&mut self, cycle: u64, pace: f64, frame: u64) {
        self.tell(Command::Speed(Speed::PerSecond(pace)));
        self.tell(Command::Run);
        while self.app.update.snapshot.cycle.0 < cycle {
            self.run.elapse(Duration::from_millis(frame));
            self.show();
        }
        self.tell(Command::Pause);
        self.tell(Command::Seek(Cycle(cycle)));
    }

    /// The network and the list of worms.
    fn picture(&self) -> String {
        format!("{}\n{}", inside(&self.app, Pane::Grid), inside(&self.app, Pane::Worms))
    }
}

#[test]
fn worms_are_called_the_same_however_one_came_to_the_cycle() {
    for (name, cycle) in [("ring-deadlock", 270), ("mesh-8x8", 900)] {
        let mut straight = Bench::new(name);
        straight.tell(Command::Step(cycle));
        let picture = straight.picture();
        let ways: [&dyn Fn(&mut Bench); 6] = [
            &|bench| (0..cycle).for_each(|_| bench.tell(Command::Step(1))),
            &|bench| {
                bench.tell(Command::Step(cycle - 49));
                bench.tell(Command::Step(49));
            },
            &|bench| {
                bench.tell(Command::Step(cycle + 100));
                bench.tell(Command::Seek(Cycle(cycle - 49)));
                bench.tell(Command::Seek(Cycle(cycle)));
            },
            &|bench| {
                bench.tell(Command::Step(cycle + 31));
                (0..31).for_each(|_| bench.tell(Command::Back(1)));
            },
            &|bench| bench.run_to(cycle, 700.0, 33),
            &|bench| bench.run_to(cycle, 60.0, 250),
        ];
        for (way, go) in ways.into_iter().enumerate() {
            let mut bench = Bench::new(name);
            go(&mut bench);
            assert_eq!(bench.app.update.snapshot.cycle.0, cycle);
            assert_eq!(bench.picture(), picture, "{name}, way {way}");
        }
    }
}

#[test]
fn a_comparison_leaves_the_letters_of_both_runs_as_they_are_alone() {
    let other = Bench::new("ring-deadlock").app.update.scenario.clone();
    let with = |text: &str| {
        let text = text.replace("virtual_channels: 1", "virtual_channels: 2");
        Arc::new(parse("two", &text, &[]).unwrap())
    };
    let other = with(&other.text);
    let mut bench = Bench::new("ring-deadlock");
    bench.tell(Command::Step(300));
    let alone = bench.picture();
    let letters = |app: &RunView| -> Vec<_> {
        app.update.snapshot.worms.iter().map(|worm| (worm.name(), worm.letter)).collect()
    };
    let first = letters(&bench.app);
    bench.tell(Command::Against(Arc::clone(&other)));
    let [one, two] = bench.app.shown().both().unwrap();
    assert_eq!((letters(one.run), one.update.snapshot.cycle.0), (first, 300));
    let both: Vec<_> =
        letters(two.run).into_iter().filter(|it| letters(one.run).contains(it)).collect();
    assert!(both.len() > 10, "{}", both.len());
    // The second run alone has labels as without the first.
    bench.tell(Command::Part { second: true });
    let mut second = Bench::new("ring-deadlock");
    second.tell(Command::Load(other));
    second.tell(Command::Step(300));
    assert_eq!(letters(&bench.app), letters(&second.app));
    // Likewise the first run, if continued alone.
    let mut bench = Bench::new("ring-deadlock");
    bench.tell(Command::Step(300));
    bench.tell(Command::Against(second.app.update.scenario.clone()));
    bench.tell(Command::Part { second: false });
    assert_eq!(bench.picture(), alone);
}

#[test]
fn a_name_of_several_letters_is_never_cut_to_some_of_them() {
    let scenario = fake::scenario(fake::TORUS, &[8, 8], 2);
    let mut app = fake::app(fake::update(&scenario, 60), DARK_THEME, false, (120, 40));
    let many: Vec<_> = app.update.snapshot.worms.iter().map(|worm| worm.letter).collect();
    assert!(many.iter().any(|letter| letter.0 >= LETTERS));
    // Without worms of one letter, no single letter may appear on the screen.
    for worm in &mut app.update.snapshot.worms {
        worm.letter.0 += LETTERS;
    }
    for zoom in 1..=BOXES {
        app.map.zoom = Some(zoom);
        let picture = inside(&app, Pane::Grid);
        let words: Vec<&str> = picture
            .split(|sign: char| !sign.is_ascii_uppercase())
            .filter(|it| !it.is_empty())
            .collect();
        assert!(words.iter().all(|word| word.len() % 2 == 0), "zoom {zoom}: {words:?}\n{picture}");
        assert_eq!(words.is_empty(), zoom == 1, "zoom {zoom}: {words:?}\n{picture}");
        let tails = picture.lines().take(30).collect::<String>();
        assert!(!tails.contains(|sign: char| sign.is_ascii_lowercase()), "{picture}");
    }
}
