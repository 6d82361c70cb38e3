//! The pictures in `screenshots/` are what the program draws of real runs, byte for byte.
//!
//! `FLITSCOPE_UPDATE=1 cargo test --test program screen` writes them.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flitscope::live::{ClockedRun, Command, Live, Options, Update};
use flitscope::recording::Palette;
use flitscope::scenario::{self, Override, builtin};
use flitscope::tui::action::{Action, Grid, Move, Panes, Program};
use flitscope::tui::app::App;
use flitscope::tui::draw::draw;
use flitscope::tui::picture::{self, DARK, LIGHT};
use flitscope::tui::theme::{Depth, Kind, Ramp, Theme};
use flitscope::tui::{Entry, Library};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The built-in scenarios as the chooser sees them, without files.
#[derive(Debug)]
struct Shelf;

impl Library for Shelf {
    fn list(&self) -> Vec<Entry> {
        flitscope::tui::Shelf::default().list()
    }

    fn open(&self, entry: &Entry) -> flitscope::tui::library::OpenedScenario {
        let text = builtin::find(&entry.name).unwrap().text;
        (text.to_owned(), scenario::parse(&entry.name, text, &[]).map(Arc::new))
    }
}

/// A run of a built-in scenario after some cycles, looked at after each step, with what theory
/// says of it.
fn run(name: &str, steps: &[u64]) -> Box<Update> {
    let scenario = scenario::parse(name, builtin::find(name).unwrap().text, &[]).unwrap();
    let options = Options { running: false, ..Options::default() };
    // Theory comes when it is ready; where there is a model it must have come.
    let expected = !flitscope::model::models_for(&scenario.system).is_empty();
    let mut live = Live::start(Arc::new(scenario), options).unwrap();
    let ready = |update: &Update| {
        let explanation = update.single_messages.explanation.as_ref();
        let explained = explanation.is_some_and(|it| it.grants.iter().all(|it| it.cycle.is_some()));
        update.proof.is_some()
            && (!expected || update.theory.as_ref().is_some_and(|theory| !theory.at_work))
            && (update.snapshot.deadlock.is_none() || explained)
    };
    wait(&live, ready);
    let (last, before) = steps.split_last().unwrap();
    for &cycles in before {
        live.send(Command::Step(cycles));
        wait(&live, |update| update.commands == live.sent());
    }
    live.send(Command::Step(*last));
    wait(&live, |update| update.commands == live.sent() && ready(update))
}

fn wait(live: &Live, wanted: impl Fn(&Update) -> bool) -> Box<Update> {
    let deadline = Instant::now() + Duration::from_secs(120);
    let mut last: Option<Box<Update>> = None;
    loop {
        if let Some(update) = live.take() {
            last = Some(update);
        }
        if last.as_ref().is_some_and(|update| wanted(update)) {
            return last.take().unwrap();
        }
        assert!(Instant::now() < deadline, "no such update; died: {:?}", live.death());
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn compare(name: &str, app: &App, size: (u16, u16), palette: Palette) {
    let mut buffer = Buffer::empty(Rect::new(0, 0, size.0, size.1));
    draw(app, &mut buffer);
    let drawn = picture::svg(&buffer, palette);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots").join(name);
    if std::env::var_os("FLITSCOPE_UPDATE").is_some() {
        std::fs::write(&path, drawn).unwrap();
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        drawn == committed,
        "{name} is not what the program draws now (see {}); it draws\n{}",
        file!(),
        picture::text(&buffer)
    );
}

const DARK_THEME: Theme =
    Theme { kind: Kind::Dark, depth: Depth::True, ramp: Ramp::Viridis, look: None, own: None };

fn picture_of(name: &str, update: Box<Update>, theme: Theme, size: (u16, u16), keys: &[Action]) {
    let mut app = App::new(update, Box::new(Shelf), theme, false, size);
    for &key in keys {
        app.update(key);
    }
    let paper = if theme.kind == Kind::Light { LIGHT } else { DARK };
    compare(name, &app, size, paper);
}

#[test]
fn a_hotspot_in_a_torus_and_its_routers_as_boxes() {
    use flitscope::tui::view::View;
    let update = run("hotspot-torus-16x16", &[4096, 4096, 4096, 4096]);
    picture_of("hotspot-120x40.svg", update.clone(), DARK_THEME, (120, 40), &[]);
    let keys = [
        Action::Grid(Grid::View(View::Occupancy)),
        Action::Grid(Grid::ZoomIn),
        Action::Grid(Grid::ZoomIn),
    ];
    picture_of("boxes-120x40.svg", update, DARK_THEME, (120, 40), &keys);
}

#[test]
fn a_deadlock() {
    let update = run("ring-deadlock", &[256, 256]);
    picture_of("deadlock-120x40.svg", update, DARK_THEME, (120, 40), &[]);
}

#[test]
fn a_local_network_of_switches() {
    let update = run("switches-campus", &[4096, 4096, 4096]);
    picture_of("switches-120x40.svg", update, DARK_THEME, (120, 40), &[]);
}

#[test]
fn a_small_screen() {
    let update = run("papers/adaptive-torus-8x8", &[4096, 4096, 4000]);
    picture_of("adaptive-80x24.svg", update, DARK_THEME, (80, 24), &[]);
}

#[test]
fn a_large_screen_with_the_classes_of_virtual_channels() {
    use flitscope::tui::view::View;
    let update = run("uniform-torus-16x16", &[4096, 4096, 4096, 4096]);
    let keys = [Action::Grid(Grid::View(View::Classes))];
    picture_of("classes-200x60.svg", update, DARK_THEME, (200, 60), &keys);
}

#[test]
fn a_light_terminal_with_channel_heat() {
    use flitscope::tui::view::View;
    let update = run("mesh-8x8", &[4096, 4096, 4096]);
    let light =
        Theme { kind: Kind::Light, depth: Depth::True, ramp: Ramp::Viridis, look: None, own: None };
    let keys = [Action::Grid(Grid::View(View::Utilisation))];
    picture_of("mesh-light-120x40.svg", update, light, (120, 40), &keys);
}

#[test]
fn theory_beside_simulation() {
    use flitscope::tui::view::View;
    let update = run("papers/mesh-8x8-20", &[4096; 12]);
    let keys = [
        Action::Grid(Grid::View(View::Difference)),
        Action::Move(Move::Next),
        Action::Panes(Panes::Terms),
    ];
    picture_of("theory-200x60.svg", update, DARK_THEME, (200, 60), &keys);
}

#[test]
fn the_table_of_links() {
    use flitscope::tui::grid::plane::Side;
    let update = run("papers/switch-torus-3x3-200", &[4096; 250]);
    let keys = [
        Action::Panes(Panes::Tables),
        Action::Panes(Panes::SortTable),
        Action::Panes(Panes::SortTable),
        Action::Panes(Panes::SortTable),
    ]
    .into_iter()
    .chain([Action::Move(Move::Move(Side::South)); 36])
    .collect::<Vec<_>>();
    picture_of("links-200x60.svg", update, DARK_THEME, (200, 60), &keys);
}

#[test]
fn circuits_in_a_hypercube() {
    let update = run("papers/circuit-hold-8-slow", &[4096; 12]);
    picture_of("circuits-120x40.svg", update, DARK_THEME, (120, 40), &[]);
}

#[test]
fn a_hypercube_with_hops_out_of_the_plane() {
    let update = run("hypercube-6", &[4096, 4096]);
    picture_of(
        "hypercube-120x40.svg",
        update,
        DARK_THEME,
        (120, 40),
        &[Action::Panes(Panes::Inspect)],
    );
}

#[test]
fn two_runs_side_by_side() {
    let open = |field: &str, value: &str| {
        let label = format!("--set {field}={value}");
        let one = Override { path: field.to_owned(), value: value.to_owned(), label };
        let name = "papers/adaptive-torus-8x8";
        Arc::new(scenario::parse(name, builtin::find(name).unwrap().text, &[one]).unwrap())
    };
    let first = open("traffic.arrivals.load", "0.21");
    let options = Options { running: false, ..Options::default() };
    let mut run = ClockedRun::new(Arc::clone(&first), options);
    run.execute(Command::Against(open("routing", "DimensionOrder()")));
    for _ in 0..12 {
        run.execute(Command::Step(4096));
    }
    let mut update = Box::new(Update::empty(first));
    run.draw(&mut update);
    picture_of("compare-120x40.svg", update, DARK_THEME, (120, 40), &[]);
}

#[test]
fn the_chooser() {
    let update = run("papers/adaptive-torus-8x8", &[1000]);
    picture_of(
        "chooser-120x40.svg",
        update,
        DARK_THEME,
        (120, 40),
        &[Action::Program(Program::Open)],
    );
}
