//! Tests of networks with three dimensions.
//!
//! Large screens show all slices, small screens a single slice.

use super::{DARK_THEME, MONO, inside, press, screen};
use crate::tui::action::Pointer;
use crate::tui::app::App;
use crate::tui::fake::{self, TORUS};
use crate::tui::grid::frame::BOXES;
use crate::tui::theme::Theme;
use crate::tui::view::Pane;

fn cube(theme: Theme, ascii: bool, size: (u16, u16)) -> App {
    let scenario = fake::scenario(TORUS, &[4, 4, 4], 2);
    fake::app(fake::update(&scenario, 20), theme, ascii, size)
}

#[test]
fn all_slices_are_drawn_with_their_names_where_there_is_room() {
    for (ascii, theme) in [(false, DARK_THEME), (true, MONO)] {
        for (size, all) in [((80, 24), false), ((120, 40), true), ((200, 60), true)] {
            let mut app = cube(theme, ascii, size);
            let grid = inside(&app, Pane::Grid);
            for slice in 0..4 {
                assert_eq!(grid.contains(&format!("z = {slice}")), all, "{size:?}\n{grid}");
            }
            assert!(screen(&app).contains("{ } slice"), "{}", screen(&app));
            assert_eq!(grid.matches('[').count(), 1, "one cursor\n{grid}");
            // A high zoom may leave space for one slice only.
            app.map.zoom = Some(BOXES);
            let near = inside(&app, Pane::Grid);
            assert_eq!(near.contains("z = 3"), size == (200, 60), "{near}");
        }
    }
}

#[test]
fn the_cursor_goes_to_the_slice_that_is_chosen_or_clicked() {
    let mut app = cube(DARK_THEME, false, (120, 40));
    let inner = app.arrangement().inside(Pane::Grid).unwrap();
    let size = (inner.width, inner.height);
    press(&mut app, "}");
    assert_eq!(app.plane.slice, 1);
    let cursor = |app: &App| {
        let buffer = fake::buffer(app);
        let at = inner.positions().find(|&at| buffer[at].symbol() == "[").unwrap();
        (i32::from(at.x - inner.x), i32::from(at.y - inner.y))
    };
    let tiles = app.shown().tiles(size).unwrap();
    assert_eq!(tiles.at(cursor(&app)).0, 1);
    // Every node is found at its drawn position in its slice.
    for slice in 0..4 {
        for (col, row) in [(0, 0), (3, 0), (1, 2), (3, 3)] {
            let corner = tiles.plane(slice);
            let (x, y) = app.shown().frame(size).at(col, row).unwrap();
            let (x, y) = (inner.x + corner.x + x as u16, inner.y + corner.y + y as u16);
            app.update(Pointer::Click(x, y));
            app.update(Pointer::Release);
            assert_eq!((app.plane.slice, app.map.cursor), (slice, (col, row)));
            assert_eq!(cursor(&app), (i32::from(x - inner.x) - 1, i32::from(y - inner.y)));
        }
    }
    // Zooming in keeps the slice under the pointer.
    let corner = tiles.plane(2);
    let at = (inner.x + corner.x + corner.width / 2, inner.y + corner.y + corner.height / 2);
    app.update(Pointer::Wheel(true, at.0, at.1));
    assert_eq!((app.plane.slice, app.map.zoom), (2, Some(BOXES)));
    assert!(app.shown().tiles(size).is_none());
}
