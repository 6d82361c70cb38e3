//! Tests of layouts and the lens: arrangement and content of panes.

use super::{DARK_THEME, busy, eight, graph, inside, note, press, screen};
use crate::tui::action::{Panes, Pointer};
use crate::tui::app::App;
use crate::tui::fake::{self, TORUS};
use crate::tui::layout::Preset;
use crate::tui::view::Pane;
use crate::units::Cycle;

#[test]
fn layouts_take_turns_and_are_kept() {
    for size in [(80, 24), (120, 40), (200, 60)] {
        let mut app = eight(14, size);
        let area = |app: &App| {
            let rect = app.arrangement().pane(Pane::Grid).unwrap();
            u32::from(rect.width) * u32::from(rect.height)
        };
        let balanced = area(&app);
        press(&mut app, "y");
        assert_eq!(app.panes.preset, Preset::Network);
        assert!(note(&app).contains("layout network: the network large"), "{}", note(&app));
        assert!(area(&app) > balanced, "{size:?}");
        press(&mut app, "y");
        assert_eq!(app.panes.preset, Preset::Statistics);
        assert!(area(&app) < balanced, "{size:?}");
        press(&mut app, "hjklt");
        assert_eq!(app.panes.preset, Preset::Statistics, "kept until changed");
        press(&mut app, "y");
        assert_eq!(app.panes.preset, Preset::Teaching);
        let arranged = app.arrangement();
        for pane in [Pane::Latency, Pane::Curve] {
            assert!(arranged.pane(pane).is_some(), "{pane:?} {size:?}");
        }
        press(&mut app, "y");
        assert_eq!(app.panes.preset, Preset::Balanced);
    }
}

#[test]
fn every_pane_can_be_brought_into_every_layout() {
    for size in [(60, 20), (80, 24), (120, 40), (200, 60)] {
        for preset in Preset::ALL {
            let mut app = busy(&[8, 8], 60, DARK_THEME, size);
            app.panes.preset = preset;
            for &pane in Pane::ALL.iter().filter(|&&pane| pane != Pane::Tour) {
                app.focus_on(pane);
                let arranged = app.arrangement();
                assert!(
                    arranged.pane(app.panes.focus).is_some(),
                    "{:?} {preset:?} {size:?}",
                    app.panes.focus
                );
                screen(&app);
            }
        }
    }
}

#[test]
fn layouts_on_a_small_and_a_medium_screen() {
    let mut app = eight(14, (80, 24));
    app.panes.preset = Preset::Statistics;
    insta::assert_snapshot!("statistics_80x24", screen(&app));
    let mut app = eight(14, (120, 40));
    app.panes.preset = Preset::Teaching;
    insta::assert_snapshot!("teaching_120x40", screen(&app));
}

#[test]
fn a_lens_shows_what_pixels_do_not() {
    let mut app = busy(&[150, 90], 900, DARK_THEME, (120, 40));
    assert!(app.shown().shown_frame().unwrap().block() > 1);
    let arranged = app.arrangement();
    assert!(arranged.pane(Pane::Lens).is_some());
    let network = app.update.scenario.system.network.clone();
    let name = network.router_name(app.cursor_router().unwrap());
    assert!(screen(&app).contains(&format!("lens about {name}")), "{}", screen(&app));
    let lens = inside(&app, Pane::Lens);
    assert!(lens.contains('[') && lens.contains(']'), "the cursor is in it\n{lens}");
    // A click selects the node drawn at the position.
    let inner = arranged.inside(Pane::Lens).unwrap();
    let before = app.map.cursor;
    let buffer = fake::buffer(&app);
    let cursor = inner.positions().find(|&at| buffer[at].symbol() == "[").unwrap();
    app.update(Pointer::Click(cursor.x + 1 + 8, cursor.y));
    assert_eq!(app.map.cursor.1, before.1);
    assert_eq!(app.map.cursor.0, before.0 + 2, "{}", inside(&app, Pane::Lens));
    // The lens is optional if nodes are visible.
    let mut app = eight(14, (120, 40));
    assert!(app.arrangement().pane(Pane::Lens).is_none());
    app.focus_on(Pane::Lens);
    assert!(app.arrangement().pane(Pane::Lens).is_some());
    let mut app = graph(24, 9, DARK_THEME, false, (120, 40));
    app.focus_on(Pane::Lens);
    assert!(inside(&app, Pane::Lens).contains('['), "{}", screen(&app));
}

#[test]
fn the_accepted_load_is_told_beside_where_one_is() {
    for cycle in (0..=12_352).step_by(193) {
        let mut update = fake::update(&fake::scenario(TORUS, &[8, 8], 4), 14);
        (update.snapshot.cycle, update.live) = (Cycle(cycle), Cycle(12_352));
        let seen = screen(&fake::app(update, DARK_THEME, false, (80, 24)));
        let strip = seen.lines().find(|line| line.contains("accepted")).unwrap();
        assert!(strip.contains(" 0.119 of 0.120 "), "{strip}");
        // The unit is complete or omitted.
        assert_eq!(strip.contains("flits"), strip.contains(" flits/node/cycle"), "{strip}");
    }
}

#[test]
fn tab_visits_the_visible_panes_column_by_column() {
    for (size, order) in [
        ((80, 24), &[Pane::Grid, Pane::Latency, Pane::Classes, Pane::Chains][..]),
        ((120, 40), &[Pane::Grid, Pane::Latency, Pane::Classes, Pane::Curve, Pane::Chains]),
    ] {
        let mut app = busy(&[8, 8], 60, DARK_THEME, size);
        for &pane in order.iter().cycle().skip(1).take(2 * order.len()) {
            app.update(Panes::FocusNext);
            assert_eq!(app.panes.focus, pane, "{size:?}");
        }
        app.update(Panes::FocusPrevious);
        assert_eq!(Some(&app.panes.focus), order.last());
    }
    // Alone on the screen, a pane is replaced by the next of all.
    let mut app = busy(&[8, 8], 60, DARK_THEME, (80, 24));
    app.update(Panes::Expand);
    for &pane in Pane::ALL.iter().filter(|&&pane| pane != Pane::Tour).skip(1) {
        app.update(Panes::FocusNext);
        assert_eq!((app.panes.focus, app.arrangement().panes.len()), (pane, 1));
    }
}
