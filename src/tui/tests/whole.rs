//! Tests that names on the network and its legend are never truncated, at many sizes.

use std::collections::{BTreeMap, BTreeSet};
use strum::VariantArray as _;

use super::first::after;
use super::{DARK_THEME, inside, press, quick, screen};
use crate::live::{ClockedRun, Command, Options, Update};
use crate::scenario::{builtin, parse};
use crate::tui::action::{Grid, Program};
use crate::tui::app::{App, Dialog};
use crate::tui::fake;
use crate::tui::grid::frame::{BOXES, LINES, ZOOM_MAX};
use crate::tui::grid::legend_words;
use crate::tui::names::{capital, is_letter};
use crate::tui::tour::{Tour, included};
use crate::tui::view::{Pane, View};
use crate::units::Cycle;

const SIZES: [(u16, u16); 5] = [(80, 24), (100, 30), (120, 40), (160, 48), (200, 60)];

/// Networks of each kind, each with a cycle to stop at.
const SCENARIOS: [(&str, u64); 9] = [
    ("ring-deadlock", 512),
    ("mesh-8x8", 900),
    ("torus-8x8", 2_000),
    ("hotspot-torus-16x16", 2_000),
    ("torus-4x4x4", 1_500),
    ("hypercube-6", 1_500),
    ("switches-campus", 2_000),
    ("switches-random-24", 2_000),
    ("papers/circuit-hold-8", 40_000),
];

#[test]
fn a_name_on_the_network_is_whole_and_stands_once() {
    let mut named = BTreeMap::new();
    for (name, cycles) in &SCENARIOS[..4] {
        for ascii in [false, true] {
            let mut app = after(name, *cycles, ascii, SIZES[0]);
            let known: BTreeSet<String> =
                app.snapshot().worms.iter().map(|worm| capital(worm.letter)).collect();
            for size in SIZES {
                app.update(Program::Resize(size.0, size.1));
                for zoom in [None, Some(1), Some(LINES)] {
                    app.map.zoom = zoom;
                    if app.shown().shown_frame().is_none_or(|frame| frame.zoom >= BOXES) {
                        continue;
                    }
                    let picture = inside(&app, Pane::Grid);
                    let mut seen = BTreeSet::new();
                    for word in picture.split(|sign: char| !is_letter(sign)) {
                        let what = format!("{name} {size:?} zoom {zoom:?}: {word}\n{picture}");
                        assert!(word.is_empty() || known.contains(word), "{what}");
                        assert!(word.is_empty() || seen.insert(word), "twice: {what}");
                    }
                    *named.entry((*name, zoom)).or_insert(0) += seen.len();
                    let alone = seen.len() < app.snapshot().worms.len();
                    let legend = screen(&app);
                    let words = [" unnamed", "name hidden", " others"];
                    let told = words.iter().any(|words| legend.contains(words));
                    let whole =
                        app.shown().shown_frame().is_some_and(|it| it.whole() && it.zoom > 0);
                    assert!(!whole || !alone || told, "{name} {size:?} {zoom:?}\n{}", screen(&app));
                }
            }
        }
    }
    // Most names fit: of about 40 worms of the ring at zoom 2.
    let ring = named[&("ring-deadlock", Some(LINES))] / (2 * SIZES.len());
    assert!(ring >= 25, "{ring} {named:?}");
}

#[test]
fn those_of_a_deadlock_are_named_before_others() {
    for size in SIZES {
        let app = after("ring-deadlock", 512, false, size);
        let picture = inside(&app, Pane::Grid);
        let names: Vec<&str> = picture.split(|sign: char| !is_letter(sign)).collect();
        for (at, worm) in app.snapshot().worms.iter().enumerate() {
            let name = capital(worm.letter);
            let circle = &app.deadlock().unwrap().sets[0].worms;
            assert!(!app.is_doomed(at) || !circle.contains(&worm.id) || names.contains(&&*name));
        }
    }
}

#[test]
fn a_legend_is_whole_at_every_size() {
    let mut cut = Vec::new();
    for (name, cycles) in SCENARIOS {
        for ascii in [false, true] {
            let mut app = after(name, cycles, ascii, SIZES[0]);
            // Symbols have equal widths in both character sets.
            for &size in &SIZES[..if ascii { 1 } else { 5 }] {
                app.update(Program::Resize(size.0, size.1));
                for &view in View::VARIANTS {
                    app.update(Grid::View(view));
                    for zoom in [None, Some(0), Some(LINES), Some(ZOOM_MAX)] {
                        app.map.zoom = zoom;
                        let rect = app.arrangement().pane(Pane::Grid).unwrap();
                        let all = screen(&app);
                        let shown: String = all
                            .lines()
                            .take(usize::from(rect.bottom()))
                            .map(|line| line.chars().take(rect.right().into()).collect::<String>())
                            .collect();
                        let [long, short] = legend_words(&app.shown());
                        let is_whole = |words: &[String]| words.iter().all(|it| shown.contains(it));
                        if !is_whole(&long) && !is_whole(&short) {
                            cut.push(format!(
                                "{name} {size:?} {view:?} {zoom:?}: {short:?}\n{all}"
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(cut.is_empty(), "{} are cut:\n{}", cut.len(), cut.join("\n"));
}

#[test]
fn the_card_leaves_the_legend_in_sight() {
    for size in SIZES {
        let mut app = after("torus-8x8", 400, false, size);
        let [long, short] = legend_words(&app.shown());
        app.dialog = Some(Dialog::Card);
        let shown = screen(&app);
        let is_whole = |words: &[String]| words.iter().all(|it| shown.contains(it));
        assert!(shown.contains("one flit at a time"), "{shown}");
        assert!(is_whole(&long) || is_whole(&short), "{size:?}\n{shown}");
    }
}

/// The ring after detecting the deadlock, rewound to the cycle of its closure.
fn closes(size: (u16, u16)) -> App {
    let scenario = parse("ring", builtin::find("ring-deadlock").unwrap().text, &[]).unwrap();
    let scenario = std::sync::Arc::new(scenario);
    let options = Options { running: false, ..quick() };
    let mut run = ClockedRun::new(std::sync::Arc::clone(&scenario), options);
    run.execute(Command::Step(512));
    let mut update = Box::new(Update::empty(scenario));
    run.draw(&mut update);
    let closed = update.snapshot.deadlock.as_ref().unwrap().sets[0].closed;
    assert!(closed < update.snapshot.cycle);
    for cycle in [closed.0 - 1, closed.0] {
        run.execute(Command::Seek(Cycle(cycle)));
        run.draw(&mut update);
        assert_eq!(
            (update.snapshot.cycle, update.snapshot.deadlock.is_none()),
            (Cycle(cycle), true)
        );
        assert_eq!(
            update.present_deadlock.is_some(),
            cycle == closed.0,
            "it stands from {closed} on"
        );
    }
    fake::app(update, DARK_THEME, false, size)
}

#[test]
fn where_a_deadlock_closes_its_worms_are_marked() {
    for size in SIZES {
        let mut app = closes(size);
        let circle = app.deadlock().unwrap().sets[0].circle.clone();
        let marked = app.snapshot().worms.iter().enumerate().filter(|&(at, _)| app.is_doomed(at));
        assert!(marked.count() >= circle.len() && circle.len() >= 5);
        let chains = inside(&app, Pane::Chains);
        assert!(chains.contains(&format!("DEADLOCK: a circle of {}", circle.len())), "{chains}");
        let words = chains.split_whitespace().collect::<Vec<_>>().join(" ");
        let told = words.replace(['│', '┤'], "");
        assert!(
            told.contains("closed at cycle 309 by") && told.contains("not yet detected"),
            "{chains}"
        );
        press(&mut app, "5");
        let shown = screen(&app);
        assert!(shown.contains("in the deadlock") || shown.contains("in deadlock"), "{shown}");
    }
}

#[test]
fn when_a_deadlock_closed_and_was_seen_is_told_whole() {
    for size in SIZES {
        let mut app = after("ring-deadlock", 512, false, size);
        app.panes.focus = Pane::Chains;
        let chains = inside(&app, Pane::Chains);
        let words = chains.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("detected at cycle 320"), "{size:?}\n{chains}");
    }
}

#[test]
fn what_was_set_is_told_beside_the_name() {
    let set = |path: &str, value: &str| crate::scenario::Override {
        path: path.to_owned(),
        value: value.to_owned(),
        label: format!("--set {path}={value}"),
    };
    let text = builtin::find("ring-deadlock").unwrap().text;
    let vcs = set("switching.virtual_channels", "2");
    let routing = set("routing", "DimensionOrder(classes: Destination)");
    let title = parse("ring", text, &[]).unwrap().title;
    let scenario = parse("ring", text, &[vcs, routing, set("seed", "4")]).unwrap();
    let told =
        "switching.virtual_channels set to 2, routing set to DimensionOrder(classes: Destination)";
    assert_eq!(scenario.full_title(), format!("{title}, {told}"));
    let update = Box::new(Update::empty(std::sync::Arc::new(scenario)));
    for size in SIZES {
        let app = fake::app(update.clone(), DARK_THEME, false, size);
        assert!(
            screen(&app).contains("ring (changed: virtual channels, routing)"),
            "{}",
            screen(&app)
        );
    }
}

#[test]
fn the_models_line_leaves_the_bars_of_the_histogram_in_sight() {
    use ratatui::style::Modifier;
    let scenario = fake::scenario(super::TORUS, &[8, 8], 4);
    for ascii in [false, true] {
        for size in SIZES {
            let app = fake::app(fake::update(&scenario, 14), super::MONO, ascii, size);
            let (inner, buffer) = (app.arrangement().inside(Pane::Latency), fake::buffer(&app));
            let lines: Vec<_> = inner
                .unwrap()
                .positions()
                .map(|at| &buffer[at])
                .filter(|cell| cell.symbol() == app.glyphs.mark[1].to_string())
                .collect();
            let over = lines.iter().filter(|cell| cell.modifier.contains(Modifier::REVERSED));
            // A bar of blocks continues behind a character as its background; a bar of ASCII
            // characters has no background.
            assert_eq!(over.count() > 0, !ascii, "{size:?}\n{}", screen(&app));
            assert!(lines.len() > 1, "{size:?}\n{}", screen(&app));
        }
    }
}

#[test]
fn a_quantile_is_told_once() {
    for size in SIZES {
        let app = fake::app(
            fake::update(&fake::scenario(super::TORUS, &[8, 8], 4), 14),
            DARK_THEME,
            false,
            size,
        );
        let told = inside(&app, Pane::Latency);
        assert!(told.matches("p99").count() <= 1, "{size:?}\n{told}");
        assert!(told.contains("p99") || size.0 < 120, "{size:?}\n{told}");
    }
}

/// The rows of a screen that are cut.
pub(super) fn cut_rows(app: &App) -> Vec<String> {
    let all = screen(app);
    all.lines().filter(|row| row.contains(app.glyphs.ellipsis)).map(str::to_owned).collect()
}

/// The rows of a screen and the titles of panes that are cut.
pub(super) fn cut(app: &App) -> Vec<String> {
    let all = screen(app);
    let titles = app.arrangement().panes.into_iter().map(|(pane, _)| pane.title(&app.shown()));
    cut_rows(app).into_iter().chain(titles.filter(|title| !all.contains(title))).collect()
}

#[test]
fn no_word_is_cut_on_any_screen() {
    let mut found = BTreeMap::new();
    for (name, cycles) in SCENARIOS {
        let mut app = after(name, cycles, false, SIZES[0]);
        for size in [(60, 16), (80, 24), (120, 40), (200, 60)] {
            app.update(Program::Resize(size.0, size.1));
            let panes = Pane::VARIANTS.iter().filter(|&&pane| pane != Pane::Tour);
            let of_panes = panes.map(|&pane| (pane, View::Worms));
            let of_views = View::VARIANTS.iter().map(|&view| (Pane::Grid, view));
            for (pane, view) in of_panes.chain(of_views) {
                app.update(Grid::View(view));
                (app.note, app.panes.focus) = (None, pane);
                if pane != Pane::Grid {
                    app.panes.spare_pane = pane;
                }
                for expanded in [false, true] {
                    app.panes.expanded = expanded;
                    for line in cut(&app) {
                        let place = format!("{name} {size:?} {pane:?} {view:?} {expanded}");
                        found.entry(line).or_insert(place);
                    }
                }
            }
            // A message longer than the bottom line takes the lines above.
            let words = ["message"; 20].join(" ");
            app.note = Some(format!("{words} end"));
            let all = screen(&app);
            assert!(cut(&app).is_empty() && all.matches("message").count() == 20, "{all}");
        }
    }
    let list: Vec<String> = found.iter().map(|(line, place)| format!("{place}: {line}")).collect();
    assert!(list.is_empty(), "{} are cut:\n{}", list.len(), list.join("\n"));
}

#[test]
fn no_word_is_cut_in_the_tour_and_in_dialogs() {
    let mut found = BTreeMap::new();
    let mut note = |app: &App, place: String| {
        for line in cut_rows(app) {
            found.entry(line).or_insert_with(|| place.clone());
        }
    };
    for size in [(60, 16), (80, 24), (120, 40), (200, 60)] {
        for stop in included() {
            let name = stop.name.clone();
            let mut app = fake::app(fake::update(&stop.scenario, 0), DARK_THEME, false, size);
            app.tour = Some(Tour::new(vec![stop], 0));
            note(&app, format!("stop {name} {size:?}"));
        }
        let mut app = after("torus-8x8", 400, false, size);
        for keys in ["", "?", ":", "o", "c", "b", "g", ";"] {
            (app.dialog, app.note) = (None, None);
            press(&mut app, keys);
            // The preview of a file has its lines, however long.
            if !["o", "c"].contains(&keys) || size.0 > 60 {
                note(&app, format!("keys {keys:?} {size:?}"));
            }
        }
    }
    let list: Vec<String> = found.iter().map(|(line, place)| format!("{place}: {line}")).collect();
    assert!(list.is_empty(), "{} are cut:\n{}", list.len(), list.join("\n"));
}
