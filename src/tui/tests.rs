//! Snapshot tests of screens, and random keys on screens of random sizes.

mod circuits;
mod compare;
mod crowded;
mod failures;
pub(crate) mod fake;
mod first;
mod forms;
mod graphs;
mod hottest;
mod hypercubes;
mod keys;
mod layouts;
mod letters;
mod links;
mod loading;
mod message_classes;
mod messages;
mod mouse;
mod palette;
mod planned;
mod saturation;
mod shrinking;
mod slices;
mod study;
mod theory;
mod tour;
mod whole;
mod zoom;

use proptest::prelude::*;
use strum::VariantArray as _;

use self::fake::TORUS;
use super::action::{Action, Answer, Grid, Key, Move, Panes, Pointer, Program, Run};
use super::app::App;
use super::bindings::BINDINGS;
use super::grid::frame::{BOXES, ZOOM_MAX};
use super::picture::text;
use super::theme::{Depth, Kind, Ramp, Theme};
use super::view::{Pane, View};
use crate::live::Options;
use crate::model::budget;
use crate::topology::cube::Family;

const DARK_THEME: Theme =
    Theme { kind: Kind::Dark, depth: Depth::True, ramp: Ramp::Viridis, look: None, own: None };
const MONO: Theme =
    Theme { kind: Kind::Mono, depth: Depth::True, ramp: Ramp::Viridis, look: None, own: None };

/// Options for runs with short model evaluations.
fn quick() -> Options {
    Options { model_steps: budget::AT_ONCE, ..Options::default() }
}

fn screen(app: &App) -> String {
    text(&fake::buffer(app))
}

fn eight(worms: u64, size: (u16, u16)) -> App {
    let scenario = fake::scenario(TORUS, &[8, 8], 4);
    fake::app(fake::update(&scenario, worms), DARK_THEME, false, size)
}

fn busy(radix: &[u32], worms: u64, theme: Theme, size: (u16, u16)) -> App {
    let scenario = fake::scenario(TORUS, radix, 2);
    fake::app(fake::update(&scenario, worms), theme, false, size)
}

fn press(app: &mut App, keys: &str) {
    for letter in keys.chars() {
        let key = Key::Char(letter);
        let action = app.action_of(key).unwrap_or_else(|| panic!("{key:?} does nothing"));
        assert!(app.update(action).is_empty(), "{key:?}");
    }
}

fn note(app: &App) -> &str {
    app.note.as_deref().unwrap_or_default()
}

/// The characters inside a pane.
fn inside(app: &App, pane: Pane) -> String {
    let inner = app.arrangement().inside(pane).unwrap();
    let buffer = fake::buffer(app);
    let row = |y| (inner.x..inner.right()).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (inner.y..inner.bottom()).map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn small_screen() {
    insta::assert_snapshot!(screen(&eight(14, (80, 24))));
}

#[test]
fn small_screen_in_ascii() {
    let scenario = fake::scenario(TORUS, &[8, 8], 4);
    let app = fake::app(fake::update(&scenario, 14), MONO, true, (80, 24));
    let picture = screen(&app);
    assert!(picture.is_ascii(), "{picture}");
    insta::assert_snapshot!(picture);
}

#[test]
fn medium_screen_with_blocked_worms() {
    insta::assert_snapshot!(screen(&busy(&[16, 16], 150, DARK_THEME, (120, 40))));
}

#[test]
fn large_screen() {
    insta::assert_snapshot!(screen(&busy(&[16, 16], 80, DARK_THEME, (200, 60))));
}

#[test]
fn tiny_screen() {
    insta::assert_snapshot!(screen(&eight(14, (30, 8))));
}

#[test]
fn deadlock_on_a_medium_screen() {
    let update = fake::deadlocked(Family::Mesh, &[8, 8]);
    insta::assert_snapshot!(screen(&fake::app(update, DARK_THEME, false, (120, 40))));
}

#[test]
fn a_model_outside_its_assumptions_says_so() {
    let scenario = fake::scenario(TORUS, &[8, 8], 4);
    let update = fake::outside(fake::update(&scenario, 14));
    let picture = screen(&fake::app(update, DARK_THEME, false, (120, 40)));
    assert!(picture.contains("warming up"), "{picture}");
    assert!(picture.contains("the model assumes uniform destinations"), "{picture}");
}

#[test]
fn loads_measured_before_stay_on_the_curve() {
    let mut app = eight(14, (120, 40));
    let before = app.update.rate;
    let mut faster = app.update.clone();
    faster.rate = crate::units::Rate(before.0 * 1.2);
    app.receive(faster);
    assert_eq!(app.simulated.len(), 1);
    assert_eq!(app.simulated[0].0, before);
    assert!(screen(&app).contains("before"), "{}", screen(&app));
    // Another scenario starts a new curve.
    app.receive(fake::update(&fake::scenario(TORUS, &[4, 4], 4), 3));
    assert!(app.simulated.is_empty());
}

#[test]
fn the_chooser_shows_problems_with_their_place() {
    let mut app = eight(14, (100, 30));
    app.update(Program::Open);
    app.update(Answer::Down);
    let picture = screen(&app);
    assert!(picture.contains("line 4, column 31: radix 0"), "{picture}");
    let effects = app.update(Answer::Accept);
    assert!(effects.is_empty() && app.dialog.is_some());
    app.update(Answer::typed('8'));
    assert!(screen(&app).contains("valid: 8x8 torus"), "{}", screen(&app));
    assert_eq!(app.update(Answer::Accept).len(), 1);
    assert!(app.dialog.is_none());
}

fn graph(switches: u32, worms: u64, theme: Theme, ascii: bool, size: (u16, u16)) -> App {
    let scenario = fake::switches(switches, 4);
    fake::app(fake::update(&scenario, worms), theme, ascii, size)
}

#[test]
fn mono_paints_no_colour() {
    use ratatui::style::Color;
    for &view in View::VARIANTS {
        for zoom in 0..=BOXES {
            let mut app = busy(&[8, 8], 40, MONO, (120, 40));
            app.map.zoom = Some(zoom);
            app.update(Grid::View(view));
            for cell in fake::buffer(&app).content {
                assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset), "{view:?} {zoom}");
            }
        }
    }
}

#[test]
fn every_pane_can_be_brought_in_and_expanded() {
    for size in [(60, 16), (80, 24), (120, 40), (200, 60)] {
        let mut app = busy(&[8, 8], 60, DARK_THEME, size);
        for &pane in Pane::ALL.iter().filter(|&&pane| pane != Pane::Tour) {
            app.focus_on(pane);
            let arranged = app.arrangement();
            assert!(arranged.pane(app.panes.focus).is_some(), "{:?} {size:?}", app.panes.focus);
            app.update(Panes::Expand);
            assert_eq!(app.arrangement().panes.len(), 1);
            screen(&app);
            app.update(Program::Back);
        }
    }
}

#[test]
fn going_to_blocked_worms_and_places() {
    let mut app = busy(&[16, 16], 150, DARK_THEME, (120, 40));
    app.update(Move::Next);
    assert!(app.note.as_deref().is_some_and(|note| note.contains("blocked for")), "{:?}", app.note);
    for letter in "(3,12)".chars() {
        if app.dialog.is_none() {
            app.update(Move::Find);
        }
        app.update(Answer::typed(letter));
    }
    app.update(Answer::Accept);
    assert_eq!(app.map.cursor, (3, 12));
    app.update(Move::Find);
    for letter in "99,1".chars() {
        app.update(Answer::typed(letter));
    }
    app.update(Answer::Accept);
    assert!(app.dialog.is_some() && app.map.cursor == (3, 12));
}

#[test]
fn a_break_condition_is_asked_for_and_shown() {
    use super::app::Effect;
    use crate::live::{Breakpoint, Command};
    let mut app = eight(14, (120, 40));
    let mut answer = |text: &str| {
        app.update(Run::Break);
        text.chars().for_each(|letter| drop(app.update(Answer::typed(letter))));
        app.update(Answer::Accept)
    };
    let wanted = Breakpoint { chain: Some(5), latency: Some(200), ..Breakpoint::default() };
    let effects = answer("chain 5, latency 200");
    assert!(
        matches!(&effects[..], [Effect::Send(Command::Break(found))] if *found == wanted),
        "{effects:?}"
    );
    assert!(answer("chain of").is_empty() && app.dialog.is_some());
    app.update(Program::Back);
    let mut later = fake::update(&app.update.scenario.clone(), 14);
    later.breakpoint = wanted.clone();
    later.stopped_by = Some("chain of 6".into());
    app.receive(later);
    let picture = screen(&app);
    assert!(picture.contains("PAUSED: chain of 6"), "{picture}");
    assert!(picture.contains("stopped: chain of 6"), "{picture}");
    app.update(Run::Break);
    assert!(screen(&app).contains("stop when? now: chain 5, latency 200"));
}

#[test]
fn waits_are_edges_and_a_deadlock_is_reversed() {
    use ratatui::style::Modifier;
    for (ascii, blocked) in [(false, "\u{25c6}"), (true, "X")] {
        let mut app = fake::app(fake::deadlocked(TORUS, &[8, 8]), MONO, ascii, (120, 40));
        app.update(Grid::View(View::Waits));
        let inner = app.arrangement().inside(Pane::Grid).unwrap();
        let buffer = fake::buffer(&app);
        let heads = inner.positions().filter(|&at| {
            let cell = &buffer[at];
            cell.symbol() == blocked && cell.modifier.contains(Modifier::REVERSED)
        });
        assert_eq!(heads.count(), 4, "{}", screen(&app));
        assert!(screen(&app).contains("in the deadlock"), "{}", screen(&app));
        assert!(screen(&app).contains("view 5: wait-for"), "{}", screen(&app));
    }
}

#[test]
fn a_ring_that_could_close_is_marked_while_the_run_has_none() {
    use crate::routing::dependency::prove;
    use ratatui::style::Modifier;
    let scenario = fake::scenario(TORUS, &[8, 8], 1);
    let mut update = fake::update(&scenario, 0);
    let system = &scenario.system;
    update.proof = Some(std::sync::Arc::new(prove(&system.network, &system.relation)));
    let mut app = fake::app(update, MONO, false, (120, 40));
    app.update(Grid::View(View::Waits));
    let picture = screen(&app);
    assert!(picture.contains("a ring of 8 virtual channels that could close"), "{picture}");
    let inner = app.arrangement().inside(Pane::Grid).unwrap();
    let buffer = fake::buffer(&app);
    let arrows = inner.positions().filter(|&at| {
        let cell = &buffer[at];
        app.glyphs.arrow.iter().any(|&arrow| cell.symbol() == arrow.to_string())
            && cell.modifier.contains(Modifier::REVERSED)
    });
    assert_eq!(arrows.count(), 8, "{picture}");
    let mut stopped = fake::deadlocked(TORUS, &[8, 8]);
    stopped.proof.clone_from(&app.update.proof);
    app.receive(stopped);
    assert!(!screen(&app).contains("could close"));
}

#[test]
fn before_a_deadlock_its_own_ring_is_marked_and_what_it_lacks() {
    use crate::live::{ClockedRun, Command, Options, Update};
    use crate::units::Cycle;
    let text = crate::scenario::builtin::find("ring-deadlock").unwrap().text;
    let scenario = std::sync::Arc::new(crate::scenario::parse("ring", text, &[]).unwrap());
    let options = Options { running: false, ..Options::default() };
    let mut run = ClockedRun::new(std::sync::Arc::clone(&scenario), options);
    run.execute(Command::Step(1_000));
    for size in [(80, 24), (120, 40), (200, 60)] {
        let mut update = Box::new(Update::empty(std::sync::Arc::clone(&scenario)));
        run.draw(&mut update);
        let mut app = fake::app(update.clone(), DARK_THEME, false, size);
        app.update(Grid::View(View::Waits));
        let dead = app.snapshot().waits.iter().filter(|wait| app.shown().is_dead(wait.worm));
        let closed: Vec<_> = dead.map(|wait| wait.wants).collect();
        run.execute(Command::Seek(Cycle(308)));
        run.draw(&mut update);
        assert!(update.proof.is_some() && update.ring.is_some());
        app.receive(update);
        let picture = screen(&app);
        for part in ["closes in 1 cycle", "?", "missing"] {
            assert!(picture.contains(part), "{part}: {picture}");
        }
        assert!(!picture.contains("could close"), "{picture}");
        // The final ring consists of the same links.
        let ring = &app.update.ring.as_ref().unwrap().waits;
        assert!(ring.iter().all(|wait| closed.contains(&wait.wants)), "{picture}");
        run.execute(Command::Seek(Cycle(1_000)));
    }
}

fn any_action() -> impl Strategy<Value = Action> {
    prop_oneof![
        10 => prop::sample::select(BINDINGS).prop_map(|binding| binding.action),
        2 => any::<char>().prop_map(|letter| Answer::typed(letter).into()),
        2 => (0u16..260, 0u16..90).prop_map(|(x, y)| Action::Pointer(Pointer::Click(x, y))),
        1 => (0u16..260, 0u16..90).prop_map(|(x, y)| Action::Pointer(Pointer::DoubleClick(x, y))),
        2 => (0u16..260, 0u16..90).prop_map(|(x, y)| Action::Pointer(Pointer::Drag(x, y))),
        1 => (any::<bool>(), 0u16..260, 0u16..90).prop_map(|(up, x, y)| Action::Pointer(Pointer::Wheel(up, x, y))),
        2 => (0u16..240, 0u16..80).prop_map(|(w, h)| Action::Program(Program::Resize(w, h))),
        1 => (0u16..12, 0u16..12).prop_map(|(w, h)| Action::Program(Program::Resize(w, h))),
    ]
}

fn any_network() -> impl Strategy<Value = (Family, Vec<u32>, u32)> {
    prop::sample::select(vec![
        (TORUS, vec![8, 8], 4),
        (TORUS, vec![2, 2], 3),
        (TORUS, vec![40], 2),
        (TORUS, vec![4, 3, 5], 2),
        (Family::Torus { unidirectional: true }, vec![5, 7], 2),
        (Family::Mesh, vec![33, 6], 1),
        (Family::Mesh, vec![3, 2, 2, 3], 1),
        (Family::Hypercube, vec![2; 5], 2),
        (Family::Hypercube, vec![2], 1),
        (Family::Mesh, vec![1, 9], 1),
        (TORUS, vec![5, 1, 3], 3),
        (TORUS, vec![150, 90], 2),
    ])
}

/// Draws a graph of switches in a view, with and without panes.
fn draw_graph(size: (u16, u16), switches: u32, view: usize, zoom: Option<u8>) {
    let views = [
        View::Occupancy,
        View::Worms,
        View::Classes,
        View::Utilisation,
        View::Waits,
        View::Difference,
    ];
    let mut app = graph(switches, 30, DARK_THEME, false, size);
    app.map.zoom = zoom;
    app.update(Grid::View(views[view]));
    screen(&app);
    app.update(Panes::Zen);
    screen(&app);
}

#[test]
fn a_graph_fits_one_character() {
    draw_graph((1, 1), 2, 0, None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_is_done_panics(
        (family, radix, vcs) in any_network(),
        next in any_network(),
        worms in 0u64..120,
        ascii in any::<bool>(),
        size in (1u16..230, 1u16..75),
        actions in prop::collection::vec(any_action(), 1..60),
    ) {
        let scenario = fake::scenario(family, &radix, vcs);
        let mut app = fake::app(fake::update(&scenario, worms), DARK_THEME, ascii, size);
        let other = fake::scenario(next.0, &next.1, next.2);
        let mut later = Some(fake::update(&other, worms / 2));
        for (nth, action) in actions.into_iter().enumerate() {
            app.update(action);
            fake::buffer(&app);
            let router = app.cursor_router();
            prop_assert!(router.is_some());
            if nth == 30
                && let Some(later) = later.take() {
                    app.receive(later);
                }
        }
    }

    #[test]
    fn a_graph_can_be_drawn_at_any_size(
        width in 1u16..260,
        height in 1u16..90,
        switches in 2u32..60,
        view in 0usize..6,
        zoom in prop::option::of(0u8..=ZOOM_MAX),
    ) {
        draw_graph((width, height), switches, view, zoom);
    }

    #[test]
    fn any_size_can_be_drawn(width in 1u16..260, height in 1u16..90, vcs in 1u32..=32) {
        let scenario = fake::scenario(TORUS, &[6, 5], vcs.max(3));
        let app = fake::app(fake::update(&scenario, 30), DARK_THEME, false, (width, height));
        fake::buffer(&app);
        let app = fake::app(
            fake::deadlocked(TORUS, &[8, 8]), MONO, true, (width, height));
        fake::buffer(&app);
    }
}
