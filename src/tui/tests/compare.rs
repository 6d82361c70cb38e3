//! Tests of two runs on one screen.
//!
//! Keys, shared view settings, the strip, and screens of real runs are tested.

mod kinds;

use std::sync::Arc;

use ratatui::style::{Color, Modifier};

use super::{DARK_THEME, MONO, quick, screen};
use crate::live::{ClockedRun, Command, Options, Speed, Update};
use crate::scenario::{Override, Scenario, builtin, parse};
use crate::tui::action::{Action, Grid, Key, Move, Panes, Pointer, Program, Runs};
use crate::tui::app::{App, Dialog};
use crate::tui::fake::{self, press, sent, type_in};
use crate::tui::run_view::RunView;
use crate::tui::view::{Pane, View};

const TORUS: &str = "papers/adaptive-torus-8x8";

fn scenario(name: &str, settings: &[(&str, &str)]) -> Arc<Scenario> {
    let set = |&(path, value): &(&str, &str)| {
        let (path, value) = (path.to_owned(), value.to_owned());
        let label = format!("--set {path}={value}");
        Override { path, value, label }
    };
    let overrides: Vec<Override> = settings.iter().map(set).collect();
    Arc::new(parse(name, builtin::find(name).unwrap().text, &overrides).unwrap())
}

/// Real runs in a comparison.
struct Pair {
    run: ClockedRun,
    first: Arc<Scenario>,
}

impl Pair {
    fn new(first: &Arc<Scenario>, second: &Arc<Scenario>, cycles: u64) -> Self {
        Self::with(quick(), first, second, cycles)
    }

    fn with(options: Options, first: &Arc<Scenario>, second: &Arc<Scenario>, cycles: u64) -> Self {
        let options = Options { running: false, speed: Speed::Max, ..options };
        let mut run = ClockedRun::new(Arc::clone(first), options);
        run.execute(Command::Against(Arc::clone(second)));
        let mut pair = Self { run, first: Arc::clone(first) };
        pair.step(cycles);
        pair
    }

    /// An adaptive torus compared with dimension order.
    fn routings(cycles: u64) -> Self {
        Self::routings_with(quick(), cycles)
    }

    fn routings_with(options: Options, cycles: u64) -> Self {
        let busy = ("traffic.arrivals.rate", "0.018");
        Self::with(
            options,
            &scenario(TORUS, &[busy]),
            &scenario(TORUS, &[("routing", "DimensionOrder()")]),
            cycles,
        )
    }

    fn step(&mut self, cycles: u64) {
        let mut left = cycles;
        while left > 0 {
            let piece = left.min(4_096);
            self.run.execute(Command::Step(piece));
            left -= piece;
        }
    }

    fn update(&mut self) -> Box<Update> {
        let mut update = Box::new(Update::empty(Arc::clone(&self.first)));
        self.run.draw(&mut update);
        update
    }

    fn app(&mut self, ascii: bool, size: (u16, u16)) -> App {
        let theme = if ascii { MONO } else { DARK_THEME };
        let empty = Box::new(Update::empty(Arc::clone(&self.first)));
        let mut app = fake::app(empty, theme, ascii, size);
        app.receive(self.update());
        app
    }
}

#[test]
fn both_tables_of_messages_follow_an_exchange_of_the_runs() {
    let mut pair = Pair::routings(2_000);
    pair.run.execute(Command::List(true));
    let mut app = pair.app(false, (120, 40));
    let listed = |run: &RunView| run.update.single_messages.listed.len();
    assert_ne!(listed(&app), app.other().map_or(0, |other| listed(&other)), "the tables differ");
    app.update(Runs::Swap);
    app.audit().unwrap();
    app.update(Runs::Swap);
    app.audit().unwrap();
}

#[test]
fn a_terminals_channel_that_the_other_run_lacks_is_chosen_in_one_only() {
    let machine = [("switching.terminals", "Channels"), ("switching.ejection", "PerWorm")];
    let with_channels = scenario(TORUS, &machine);
    let mut app = Pair::new(&with_channels, &scenario(TORUS, &[]), 500).app(false, (120, 40));
    let channels = |run: &RunView| run.update.scenario.system.network.channels().len();
    assert!(app.other().is_some_and(|other| channels(&other) < channels(&app)));
    app.links.chosen = Some(crate::ids::ChannelId::new(channels(&app) - 1));
    screen(&app);
    app.update(Runs::Swap);
    app.audit().unwrap();
    screen(&app);
}

#[test]
fn two_runs_on_screens_of_all_sizes() {
    let mut pair = Pair::routings_with(Options::default(), 20_000);
    for (name, size) in [
        ("two runs 80x24", (80, 24)),
        ("two runs 120x40", (120, 40)),
        ("two runs 200x60", (200, 60)),
        ("two runs 70x24", (70, 24)),
    ] {
        insta::assert_snapshot!(name, screen(&pair.app(false, size)));
    }
    let picture = screen(&pair.app(true, (80, 24)));
    assert!(picture.is_ascii(), "{picture}");
    insta::assert_snapshot!("two runs in ascii", picture);
    let mut app = pair.app(false, (120, 40));
    press(&mut app, Key::Char('d'));
    insta::assert_snapshot!("two runs, their difference", screen(&app));
}

#[test]
fn bars_show_behind_the_line_that_crosses_them() {
    let mut pair = Pair::routings(20_000);
    for theme in [DARK_THEME, MONO] {
        let mut app = pair.app(false, (200, 60));
        app.theme = theme;
        let inner = app.arrangement().inside(Pane::Latency).unwrap();
        let buffer = fake::buffer(&app);
        let mut crossed = 0;
        for (x, y) in (inner.x..inner.right())
            .flat_map(|x| (inner.y + 1..inner.bottom()).map(move |y| (x, y)))
        {
            let [above, here, below] = [y - 1, y, y + 1].map(|y| &buffer[(x, y)]);
            let line =
                here.symbol().starts_with(|glyph| ('\u{2801}'..='\u{28ff}').contains(&glyph));
            // A bar that extends above this cell fills the cell.
            let bar = |symbol: &str| "▁▂▃▄▅▆▇█".contains(symbol);
            if line && bar(above.symbol()) && below.symbol() == "█" {
                let shows = here.bg != Color::Reset || here.modifier.contains(Modifier::REVERSED);
                assert!(shows, "({x},{y}) {here:?}");
                crossed += 1;
            }
        }
        assert!(crossed > 0);
    }
}

#[test]
fn c_asks_for_a_scenario_or_a_setting_and_ends_it_again() {
    let mut pair = Pair::routings(500);
    let alone = || {
        let options = Options { running: false, ..quick() };
        let mut run = ClockedRun::new(scenario(TORUS, &[]), options);
        let mut update = Box::new(Update::empty(scenario(TORUS, &[])));
        run.draw(&mut update);
        fake::app(update, DARK_THEME, false, (100, 30))
    };
    let mut app = alone();
    assert!(press(&mut app, Key::Char('c')).is_empty());
    assert!(screen(&app).contains("compare with"), "{}", screen(&app));
    type_in(&mut app, "switching.buffer_flits=8");
    let picture = screen(&app);
    assert!(picture.contains("itself with switching.buffer_flits = 8"), "{picture}");
    let effects = press(&mut app, Key::Enter);
    let Command::Against(other) = sent(&effects) else { panic!("{effects:?}") };
    assert_eq!(other.system.switching.buffer_flits(), 8);
    assert!(app.dialog.is_none() && app.note.as_ref().unwrap().contains("buffer_flits"));

    // A refused comparison explains the reason and keeps the dialog open.
    for (typed, why) in [
        ("network=Mesh(radix: [8, 8])", "is not the same network as"),
        ("routing=Nonsense()", "has no choice"),
        ("nonsense=3", "nonsense"),
    ] {
        let mut app = alone();
        press(&mut app, Key::Char('c'));
        type_in(&mut app, typed);
        assert!(screen(&app).contains(why), "{}", screen(&app));
        assert!(press(&mut app, Key::Enter).is_empty());
        assert!(matches!(app.dialog, Some(Dialog::Chooser(_))));
        press(&mut app, Key::Esc);
        assert!(app.dialog.is_none());
    }
    // A scenario by name; the library's is a torus of the same size.
    let mut app = alone();
    press(&mut app, Key::Char('c'));
    type_in(&mut app, "papers");
    let effects = press(&mut app, Key::Enter);
    assert!(matches!(sent(&effects), Command::Against(other) if other.seed == 1), "{effects:?}");

    // The key continues with the active run alone during a comparison.
    let mut app = pair.app(false, (100, 30));
    let effects = press(&mut app, Key::Char('c'));
    assert!(matches!(sent(&effects), Command::Part { second: false }), "{effects:?}");
    press(&mut app, Key::Char('x'));
    let effects = press(&mut app, Key::Esc);
    assert!(matches!(sent(&effects), Command::Part { second: true }), "{effects:?}");
    // The innermost mode is left first.
    press(&mut app, Key::Char('z'));
    assert!(press(&mut app, Key::Esc).is_empty());
    press(&mut app, Key::Char('d'));
    assert!(press(&mut app, Key::Esc).is_empty());
    assert_eq!(app.map.view, View::Worms);
}

#[test]
fn x_makes_the_other_run_active_and_it_stays_so() {
    let mut pair = Pair::routings(3_000);
    let mut app = pair.app(false, (120, 40));
    app.update(Move::Move(crate::tui::grid::plane::Side::East));
    let (cursor, scenario) = (app.map.cursor, Arc::clone(&app.update.scenario));
    assert_eq!(app.called().unwrap(), "A MinimalAdaptive");
    assert!(app.arrangement().pane(Pane::Grid).unwrap().x == 0);
    press(&mut app, Key::Char('x'));
    assert_eq!(app.called().unwrap(), "B DimensionOrder");
    assert!(!Arc::ptr_eq(&app.update.scenario, &scenario));
    assert_eq!(app.map.cursor, cursor);
    // The first run is at the left, active or not.
    assert!(app.arrangement().pane(Pane::Grid).unwrap().x > 0);
    assert_eq!(app.shown().both().unwrap().map(|it| it.letter().unwrap()), ['A', 'B']);
    pair.step(64);
    app.receive(pair.update());
    assert_eq!(app.called().unwrap(), "B DimensionOrder");
    assert_eq!(app.update.snapshot.cycle.0, 3_064);
    assert_eq!(app.other().unwrap().update.snapshot.cycle.0, 3_064);
    // The panes show the details of the active run.
    let mean = format!("mean {:.1}", app.update.summary.latency.unwrap().mean);
    assert!(screen(&app).matches(&mean).count() >= 2, "{}", screen(&app));
    press(&mut app, Key::Char('x'));
    assert!(Arc::ptr_eq(&app.update.scenario, &scenario));
    // With a single run, the keys report that nothing can be done.
    for key in ['x', 'd'] {
        let update = fake::update(&fake::scenario(fake::TORUS, &[4, 4], 3), 2);
        let mut app = fake::app(update, DARK_THEME, false, (100, 30));
        assert!(press(&mut app, Key::Char(key)).is_empty());
        assert!(app.note.unwrap().contains("one run only"));
    }
}

#[test]
fn the_same_message_has_the_same_letter_in_both_runs() {
    let mut pair = Pair::routings(2_000);
    let mut app = pair.app(false, (120, 40));
    let mut shared = 0;
    for round in 0..40 {
        if round % 10 == 9 {
            press(&mut app, Key::Char('x'));
        }
        pair.step(3);
        app.receive(pair.update());
        let other = app.other().unwrap();
        for worm in &app.update.snapshot.worms {
            let there = other.letter_of(worm.name());
            shared += u32::from(there.is_some());
            assert!(there.is_none_or(|there| there == worm.letter), "{round} {worm:?}");
        }
    }
    assert!(shared > 100, "{shared}");
}

#[test]
fn a_click_on_the_other_network_makes_its_run_active() {
    let mut pair = Pair::routings(100);
    let mut app = pair.app(false, (120, 40));
    let there = app.arrangement().others[0];
    app.update(Pointer::Click(there.x + 20, there.y + 8));
    assert_eq!(app.letter(), Some('B'));
    let frame = app.shown().shown_frame().unwrap();
    let inner = app.arrangement().inside(Pane::Grid).unwrap();
    let (x, y) = frame.at(app.map.cursor.0, app.map.cursor.1).unwrap();
    assert!((i32::from(inner.x) + x - i32::from(there.x) - 20).abs() <= 2, "{x}");
    assert!((i32::from(inner.y) + y - i32::from(there.y) - 8).abs() <= 2, "{y}");
}

#[test]
fn the_other_run_is_shown_the_same_way() {
    use crate::tui::grid::plane::Side;
    let mut pair = Pair::routings(2_000);
    let mut app = pair.app(false, (120, 40));
    for action in [
        Action::Grid(Grid::ZoomIn),
        Action::Move(Move::Move(Side::North)),
        Action::Move(Move::Page(Side::East)),
        Action::Grid(Grid::View(View::Utilisation)),
        Action::Grid(Grid::VcFilter),
        Action::Program(Program::Theme),
        Action::Move(Move::Next),
        Action::Program(Program::Resize(200, 60)),
        Action::Grid(Grid::ZoomFit),
        Action::Panes(Panes::Zen),
    ] {
        app.update(action);
        let other = app.other().unwrap();
        assert_eq!(
            (app.map.cursor, app.map.origin, app.map.zoom),
            (other.map.cursor, other.map.origin, other.map.zoom)
        );
        assert_eq!(
            (app.map.view, app.map.filter.vc, app.theme),
            (other.map.view, other.map.filter.vc, other.theme)
        );
        let inner = app.arrangement().inside(Pane::Grid).unwrap();
        let beside = crate::tui::layout::within(Pane::Grid, app.arrangement().others[0]);
        let frames = (
            app.shown().frame((inner.width, inner.height)),
            other.frame((beside.width, beside.height)),
        );
        assert_eq!(frames.0, frames.1, "{action:?}");
    }
}

#[test]
fn the_difference_is_use_in_b_less_use_in_a() {
    let mut pair = Pair::routings(30_000);
    let mut app = pair.app(false, (120, 40));
    press(&mut app, Key::Char('d'));
    assert!(app.contrasts() && app.arrangement().others.is_empty());
    let check = |app: &App| {
        let [first, second] = app.shown().both().unwrap().map(|run| &run.run.update.usage.shares);
        let end = app.differences.end().unwrap();
        let mut seen = [false; 2];
        for (channel, (one, two)) in first.iter().zip(second).enumerate() {
            let step = app.differences.channel(crate::ids::ChannelId::new(channel));
            let exact = f64::from(two - one) / end * 5.0;
            assert!((f64::from(step) - exact).abs() <= 0.5 + 1e-4, "{channel} {step} {exact}");
            seen[usize::from(step > 0)] |= step != 0;
        }
        assert_eq!(seen, [true, true]);
    };
    check(&app);
    // The difference is independent of the active run.
    press(&mut app, Key::Char('x'));
    check(&app);
    let picture = screen(&app);
    assert!(picture.contains("d: use of links, B - A"), "{picture}");
    press(&mut app, Key::Char('d'));
    assert_eq!(app.map.view, View::Worms);
}

#[test]
fn the_strip_says_how_the_runs_differ() {
    let mut pair = Pair::routings(60_000);
    let mut app = pair.app(false, (120, 40));
    let pairs = app.update.pairs.unwrap();
    let difference = pairs.paired.difference.unwrap();
    let picture = screen(&app);
    let means = app.shown().both().unwrap().map(|run| run.update.summary.latency.unwrap().mean);
    for part in [
        format!(
            "mean {}{:.1} (",
            if means[1] < means[0] { '−' } else { '+' },
            (means[1] - means[0]).abs()
        ),
        format!(" ± {:.2} cycles", difference.half_width.unwrap()),
        format!("{:.2}", difference.mean.abs()),
        "earlier in B".to_owned(),
        "B − A".to_owned(),
    ] {
        assert!(picture.contains(&part), "{part}: {picture}");
    }
    // The interval of paired messages is much narrower than the interval from separate means.
    let apart = app
        .shown()
        .both()
        .unwrap()
        .map(|run| run.update.summary.latency.unwrap().half_width.unwrap());
    assert!(
        difference.half_width.unwrap() < 0.7 * apart[0].hypot(apart[1]),
        "{difference:?} {apart:?}"
    );
    // The active run's panes show both histograms and both points.
    assert!(picture.contains("A filled, B line") && picture.contains("A B now"), "{picture}");
    app.update(Program::Resize(70, 16));
    assert!(screen(&app).contains("message by message"), "{}", screen(&app));
}

#[test]
fn runs_that_grow_are_not_compared_by_means() {
    let busy = ("traffic.arrivals.rate", "0.06");
    let order = ("routing", "DimensionOrder()");
    let mut pair = Pair::new(&scenario(TORUS, &[busy]), &scenario(TORUS, &[order]), 6_000);
    for size in [(70, 16), (80, 24), (120, 40), (200, 60)] {
        let app = pair.app(false, size);
        assert!(app.all().any(|run| run.summary().is_growing()));
        let picture = screen(&app);
        let strip = app.arrangement().strip.unwrap();
        let lines = picture.lines().skip(strip.y.into()).take(strip.height.into());
        let strip = lines.collect::<Vec<_>>().join("\n");
        let place = |part: &str| strip.find(part).unwrap_or_else(|| panic!("{part}: {picture}"));
        let by_message = place("message by message ");
        // A strip of one line begins with paired messages, followed by as many totals as fit.
        assert!(size.1 == 16 || place("accepted ") < by_message, "{strip}");
        assert!(!picture.contains("Adaptive · mean"), "{picture}");
        assert!(!strip.contains("mean ") && !strip.contains("p99"), "{strip}");
        assert!(strip.contains(" so far") && !strip.contains('±'), "{strip}");
    }
}

#[test]
fn rewound_the_screen_is_the_same_again() {
    let mut pair = Pair::routings(4_000);
    let app = pair.app(false, (120, 40));
    let text = |app: &App| {
        let strip = app.arrangement().strip.unwrap();
        let picture = screen(app);
        picture.lines().skip(strip.y.into()).take(strip.height.into()).collect::<String>()
    };
    let before = (text(&app), screen(&app));
    pair.step(3_000);
    pair.run.execute(Command::Back(3_000));
    let app = pair.app(false, (120, 40));
    assert_eq!(text(&app), before.0);
    let networks = |picture: &str| picture.lines().skip(2).take(15).collect::<Vec<_>>().join("\n");
    assert_eq!(networks(&screen(&app)), networks(&before.1));
}

#[test]
fn the_command_line_of_the_screen_compares() {
    let mut pair = Pair::routings(100);
    let mut app = pair.app(false, (100, 30));
    for (line, buffer) in
        [("compare switching.buffer_flits=5", 5), ("compare papers/adaptive-torus-8x8", 2)]
    {
        app.update(Program::Palette);
        type_in(&mut app, line);
        let effects = press(&mut app, Key::Enter);
        let Command::Against(other) = sent(&effects) else { panic!("{effects:?}") };
        assert_eq!(other.system.switching.buffer_flits(), buffer);
    }
}

#[test]
fn no_word_of_a_comparison_is_cut() {
    let mut pair = Pair::routings(2_000);
    for size in [(60, 16), (80, 24), (120, 40), (200, 60)] {
        let mut app = pair.app(false, size);
        for &pane in Pane::ALL.iter().filter(|&&pane| pane != Pane::Tour) {
            app.panes.focus = pane;
            for expanded in [false, true] {
                app.panes.expanded = expanded;
                let lines = super::whole::cut(&app);
                assert!(lines.is_empty(), "{size:?} {pane:?}: {lines:?}\n{}", screen(&app));
            }
        }
    }
}
