//! Tests of the mouse, and of visibility and clicks at any zoom and origin.

use std::sync::Arc;

use proptest::prelude::*;
use ratatui::style::Modifier;

use super::{DARK_THEME, any_network, busy, graph, inside, screen};
use crate::tui::action::{Grid, Move, Pointer, Program};
use crate::tui::app::{App, Dialog, Effect};
use crate::tui::display::Display;
use crate::tui::fake::{self, TORUS};
use crate::tui::grid::frame::{BOXES, ZOOM_MAX};
use crate::tui::grid::plane::Side;
use crate::tui::layout::Preset;
use crate::tui::view::{Pane, View};

/// The screen position of a node of the layout.
fn spot(app: &App, col: u32, row: u32) -> Option<(u16, u16)> {
    let inner = app.arrangement().inside(Pane::Grid)?;
    let frame = app.shown().frame((inner.width, inner.height));
    let (x, y) = frame.at(col, row)?;
    let y = if frame.zoom == 0 && app.shown().half_rows() { y.div_euclid(2) } else { y };
    let tiles = app.shown().tiles((inner.width, inner.height));
    let corner = tiles.map(|tiles| tiles.plane(app.plane.slice)).unwrap_or_default();
    let (x, y) = (x + i32::from(corner.x), y + i32::from(corner.y));
    Some((inner.x + u16::try_from(x).ok()?, inner.y + u16::try_from(y).ok()?))
}

#[test]
fn dragging_pans_and_a_double_click_inspects() {
    let mut app = busy(&[16, 16], 60, DARK_THEME, (120, 40));
    app.map.zoom = Some(BOXES);
    app.update(Move::Move(Side::East));
    let at = spot(&app, app.map.cursor.0, app.map.cursor.1).unwrap();
    app.update(Pointer::Click(at.0, at.1));
    let node = app.map.cursor;
    // A node to the left and one down: the node follows the pointer.
    app.update(Pointer::Drag(at.0 - 12, at.1 + 6));
    assert_eq!(spot(&app, node.0, node.1), Some((at.0 - 12, at.1 + 6)));
    app.update(Pointer::Drag(at.0.saturating_sub(60), at.1));
    let frame = app.shown().shown_frame().unwrap();
    assert!(frame.at(app.map.cursor.0, app.map.cursor.1).is_some(), "the cursor stays in sight");
    app.update(Pointer::Release);
    let cursor = spot(&app, app.map.cursor.0, app.map.cursor.1).unwrap();
    app.update(Pointer::DoubleClick(cursor.0, cursor.1));
    assert_eq!(app.panes.focus, Pane::Inspector);
    // A double click on a title expands the pane or restores all panes.
    let rect = app.arrangement().pane(Pane::Latency).unwrap();
    app.update(Pointer::DoubleClick(rect.x + 4, rect.y));
    assert_eq!(app.arrangement().panes.len(), 1);
    assert!(app.arrangement().pane(Pane::Latency).is_some());
    app.update(Pointer::DoubleClick(4, 1));
    assert!(app.arrangement().panes.len() > 1);
}

#[test]
fn dragging_a_torus_that_fits_turns_it_round() {
    let mut app = busy(&[8, 8], 40, DARK_THEME, (120, 40));
    let at = spot(&app, 4, 4).unwrap();
    app.update(Pointer::Click(at.0, at.1));
    let pitch = app.shown().shown_frame().unwrap().across.pitch as u16;
    app.update(Pointer::Drag(at.0 + 2 * pitch, at.1));
    assert_eq!(spot(&app, 4, 4), Some((at.0 + 2 * pitch, at.1)));
    assert_eq!(app.shown().shown_frame().unwrap().across.seam(), Some(2));
}

#[test]
fn the_wheel_zooms_about_the_pointer() {
    let mut app = busy(&[64, 64], 300, DARK_THEME, (120, 40));
    app.map.zoom = Some(1);
    app.update(Move::Move(Side::East));
    let (col, row) = app.shown().shown_frame().unwrap().shown(20, 9);
    let at = spot(&app, col, row).unwrap();
    for _ in 0..2 {
        app.update(Pointer::Wheel(true, at.0, at.1));
        let now = spot(&app, col, row).unwrap();
        let frame = app.shown().shown_frame().unwrap();
        let near = |a: u16, b: u16, pitch: i32| i32::from(a.abs_diff(b)) <= pitch / 2 + 1;
        assert!(
            near(now.0, at.0, frame.across.pitch) && near(now.1, at.1, frame.along.pitch),
            "{now:?}"
        );
        assert!(frame.at(app.map.cursor.0, app.map.cursor.1).is_some());
    }
    assert_eq!(app.map.zoom, Some(3));
    app.update(Pointer::Wheel(false, at.0, at.1));
    assert_eq!(app.map.zoom, Some(2));
    // The wheel scrolls lists and dialogs.
    app.update(Program::Help);
    app.update(Pointer::Wheel(false, 10, 10));
    assert!(matches!(&app.dialog, Some(Dialog::Help(help)) if help.from > (0, 0)));
    app.update(Pointer::Wheel(true, 10, 10));
    assert!(matches!(&app.dialog, Some(Dialog::Help(help)) if help.from == (0, 0)));
}

#[test]
fn the_wheel_over_either_of_two_networks_zooms_both() {
    let mut app = busy(&[16, 16], 150, DARK_THEME, (160, 48));
    let mut update = app.update.clone();
    update.others = vec![*fake::update(&fake::scenario(TORUS, &[16, 16], 4), 90)];
    app.receive(update);
    let other = app.arrangement().others[0];
    let active = Arc::clone(&app.update.scenario);
    let before = app.shown().shown_frame().unwrap().zoom;
    app.update(Pointer::Wheel(true, other.x + 9, other.y + 9));
    assert_eq!(app.shown().shown_frame().unwrap().zoom, before + 1);
    assert!(Arc::ptr_eq(&active, &app.update.scenario), "the same run is active");
    let frames = |app: &App| {
        let inner = app.arrangement().inside(Pane::Grid).unwrap();
        let size = (inner.width, inner.height);
        (app.shown().frame(size), app.other().unwrap().frame(size))
    };
    let (one, two) = frames(&app);
    assert_eq!(one, two);
    // A click activates the other run, and a drag pans both networks.
    app.update(Pointer::Click(other.x + 20, other.y + 9));
    assert!(!Arc::ptr_eq(&active, &app.update.scenario));
    app.update(Pointer::Drag(other.x + 32, other.y + 9));
    let (active, other) = frames(&app);
    assert_eq!(active, other);
    assert_ne!(active, one);
}

#[test]
fn dragging_and_zooming_a_graph_keep_its_cursor_in_sight() {
    let mut app = graph(24, 14, DARK_THEME, false, (120, 40));
    app.map.zoom = Some(3);
    app.update(Move::Next);
    let inner = app.arrangement().inside(Pane::Grid).unwrap();
    let before = inside(&app, Pane::Grid);
    app.update(Pointer::Click(inner.x + 20, inner.y + 10));
    app.update(Pointer::Drag(inner.x + 50, inner.y + 20));
    assert_ne!(inside(&app, Pane::Grid), before);
    let map = app.shown().map((inner.width, inner.height)).unwrap();
    assert!(map.shows(app.cursor_router().unwrap()));
    app.update(Pointer::Release);
    app.update(Pointer::Wheel(false, inner.x + 20, inner.y + 10));
    assert_eq!(app.map.zoom, Some(2));
    let map = app.shown().map((inner.width, inner.height)).unwrap();
    assert!(map.shows(app.cursor_router().unwrap()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_zoom_from_any_origin_shows_the_cursor_and_finds_what_is_clicked(
        (family, radix, vcs) in any_network(),
        size in (60u16..220, 16u16..70),
        zoom in prop::option::of(0u8..=ZOOM_MAX),
        corner in (0u32..200, 0u32..200),
        turn in (0u32..200, 0u32..200),
        cursor in (0.0f64..1.0, 0.0f64..1.0),
        preset in 0usize..4,
        view in 0usize..6,
        ascii in any::<bool>(),
        spots in prop::collection::vec((0.0f64..1.0, 0.0f64..1.0), 4),
        drag in (-40i32..40, -20i32..20),
    ) {
        let views = [View::Occupancy, View::Worms, View::Classes, View::Utilisation, View::Waits,
            View::Difference];
        let scenario = fake::scenario(family, &radix, vcs);
        let mut app = fake::app(fake::update(&scenario, 60), DARK_THEME, ascii, size);
        app.map.zoom = zoom;
        app.panes.preset = Preset::ALL[preset];
        let part = |share: f64, all: u32| ((share * f64::from(all)) as u32).min(all - 1);
        app.map.cursor = (part(cursor.0, app.plane.cols), part(cursor.1, app.plane.rows));
        app.map.origin.corner = (corner.0 % app.plane.cols, corner.1 % app.plane.rows);
        app.map.origin.turn = (turn.0 % app.plane.cols, turn.1 % app.plane.rows);
        app.update(Grid::View(views[view]));
        fake::buffer(&app);
        prop_assert!(spot(&app, app.map.cursor.0, app.map.cursor.1).is_some());
        for place in spots {
            let (col, row) = (part(place.0, app.plane.cols), part(place.1, app.plane.rows));
            let Some((x, y)) = spot(&app, col, row) else { continue };
            let frame = app.shown().shown_frame().unwrap();
            app.update(Pointer::Click(x, y));
            app.update(Pointer::Release);
            if frame.block() == 1 && (frame.zoom > 0 || !app.shown().half_rows()) {
                prop_assert_eq!(app.map.cursor, (col, row));
            } else {
                // A character may show the pixels of two rows.
                let (across, along) = (&frame.across, &frame.along);
                prop_assert_eq!(across.seat(app.map.cursor.0), across.seat(col));
                prop_assert!(along.seat(app.map.cursor.1).abs_diff(along.seat(row)) <= 1);
            }
            prop_assert!(spot(&app, app.map.cursor.0, app.map.cursor.1).is_some());
        }
        let inner = app.arrangement().inside(Pane::Grid).unwrap();
        let from = (inner.x + inner.width / 2, inner.y + inner.height / 2);
        app.update(Pointer::Click(from.0, from.1));
        let to = |at: u16, by: i32| u16::try_from((i32::from(at) + by).max(0)).unwrap();
        app.update(Pointer::Drag(to(from.0, drag.0), to(from.1, drag.1)));
        prop_assert!(spot(&app, app.map.cursor.0, app.map.cursor.1).is_some());
        app.update(Grid::Origin);
        prop_assert!(spot(&app, app.map.cursor.0, app.map.cursor.1).is_some());
        app.update(Pointer::Wheel(drag.0 > 0, from.0, from.1));
        prop_assert!(spot(&app, app.map.cursor.0, app.map.cursor.1).is_some());
        fake::buffer(&app);
    }
}

#[test]
fn dragging_in_a_pane_of_text_selects_and_copies() {
    let mut display = Display::<Vec<u8>>::new(busy(&[8, 8], 60, DARK_THEME, (120, 40)), None);
    let inner = display.app.arrangement().inside(Pane::Latency).unwrap();
    let whole = screen(&display.app);
    let from = (inner.x, inner.bottom() - 2);
    display.hear(0, Pointer::Click(from.0, from.1).into());
    display.hear(0, Pointer::Drag(from.0 + 6, from.1 - 1).into());
    assert!(display.app.selection().is_some_and(|selection| !selection.is_empty()));
    let marked = display.buffer();
    let is_reversed = |x, y| marked[(x, y)].modifier.contains(Modifier::REVERSED);
    assert!(is_reversed(from.0, from.1) && is_reversed(from.0 + 7, from.1 - 1));
    let left = display.hear(0, Pointer::Release.into());
    let [Effect::Copy(text)] = &left[..] else { panic!("{left:?}") };
    assert!(!text.is_empty() && text.lines().all(|line| whole.contains(line)), "{text}");
    let note = display.app.note.clone().unwrap_or_default();
    assert!(note.starts_with("copied "), "{note}");
    assert!(display.app.selection().is_none());
    // A click without movement copies nothing.
    display.hear(0, Pointer::Click(from.0, from.1).into());
    assert!(display.hear(0, Pointer::Release.into()).is_empty());
}
