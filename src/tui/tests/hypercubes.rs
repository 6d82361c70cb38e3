//! Tests of hypercubes: crossing dimensions, and links out of the plane.

use super::{DARK_THEME, MONO, eight, inside, note, press, screen};
use crate::engine::letters::LETTERS;
use crate::ids::RouterId;
use crate::topology::cube::Family;
use crate::tui::action::{Answer, Grid, Program};
use crate::tui::app::{App, Dialog};
use crate::tui::fake;
use crate::tui::grid::frame::{BOXES, LINES};
use crate::tui::theme::Theme;
use crate::tui::view::{Pane, View};

fn hypercube(bits: usize, worms: u64, theme: Theme, ascii: bool, size: (u16, u16)) -> App {
    let scenario = fake::scenario(Family::Hypercube, &vec![2; bits], 2);
    fake::app(fake::update(&scenario, worms), theme, ascii, size)
}

#[test]
fn crossing_a_dimension_flips_its_bit() {
    let mut app = hypercube(6, 30, DARK_THEME, false, (120, 40));
    let mut here = app.cursor_router().unwrap().0;
    for (digit, bit) in [('0', 0), ('5', 5), ('3', 3), ('3', 3), ('2', 2)] {
        press(&mut app, "^");
        assert!(matches!(app.dialog, Some(Dialog::Prompt(_))));
        app.update(Answer::typed(digit));
        assert!(app.dialog.is_none(), "one digit is enough");
        here ^= 1 << bit;
        assert_eq!(app.cursor_router(), Some(RouterId(here)));
        assert!(note(&app).starts_with(&format!("dimension {digit}: (")), "{}", note(&app));
    }
    press(&mut app, "^");
    app.update(Answer::typed('6'));
    assert!(screen(&app).contains("dimensions are 0 to 5"), "{}", screen(&app));
    app.update(Program::Back);
    assert_eq!(app.cursor_router(), Some(RouterId(here)));
    let mut app = hypercube(12, 30, DARK_THEME, false, (120, 40));
    let here = app.cursor_router().unwrap().0;
    press(&mut app, "^");
    app.update(Answer::typed('b'));
    assert_eq!(app.cursor_router(), Some(RouterId(here ^ 1 << 11)));
    let mut app = eight(14, (120, 40));
    press(&mut app, "^");
    assert!(app.dialog.is_none() && note(&app).contains("hypercube"), "{}", note(&app));
}

#[test]
fn the_number_of_a_node_is_the_sum_of_the_labels_of_its_column_and_row() {
    let mut app = hypercube(4, 6, DARK_THEME, false, (120, 40));
    app.map.zoom = Some(LINES);
    insta::assert_snapshot!(inside(&app, Pane::Grid));
}

#[test]
fn hops_out_of_the_plane_are_letters_beside_their_nodes() {
    for (ascii, theme) in [(false, DARK_THEME), (true, MONO)] {
        let mut app = hypercube(6, 50, theme, ascii, (120, 40));
        app.map.zoom = Some(LINES);
        if ascii {
            assert!(screen(&app).is_ascii());
        } else {
            insta::assert_snapshot!(inside(&app, Pane::Grid));
        }
        assert!(
            screen(&app).contains("letters beside a node: links not drawn here"),
            "{}",
            screen(&app)
        );
        for view in [View::Occupancy, View::Utilisation, View::Classes, View::Waits] {
            app.update(Grid::View(view));
            screen(&app);
        }
    }
}

#[test]
fn every_worm_on_a_link_out_of_the_plane_is_seen_at_both_ends() {
    // One worm at a time, with its label at the end of the link of its head.
    let mut seen = 0;
    for number in 1..40 {
        let mut app = hypercube(6, number, DARK_THEME, false, (120, 40));
        app.map.zoom = Some(LINES);
        let snapshot = &app.update.snapshot;
        let Some(worm) = snapshot.worms.iter().rfind(|worm| worm.letter.0 < LETTERS) else {
            continue;
        };
        let Some(&last) = snapshot.path_of(worm).last() else { continue };
        let (channel, _) = snapshot.split(last);
        let letter = crate::tui::names::capital(worm.letter);
        if app.plane.seat_of(channel).is_some() {
            continue;
        }
        let network = &app.update.scenario.system.network;
        let (dimension, _) = network.cube().unwrap().direction(channel);
        let (_, col, row) = app.plane.place(network.channel(channel).to);
        app.map.cursor = (col, row);
        let frame = app.shown().shown_frame().unwrap();
        let (x, y) = frame.at(col, row).unwrap();
        let inner = app.arrangement().inside(Pane::Grid).unwrap();
        let buffer = fake::buffer(&app);
        let cell = |right: i32| {
            let at = (inner.x + (x + 1 + right) as u16, inner.y + (y + 1) as u16);
            buffer[at].symbol().to_owned()
        };
        let cells: Vec<String> = (1..5).map(cell).collect();
        let digit = cells.iter().position(|cell| *cell == dimension.to_string());
        assert!(digit.is_some(), "{cells:?} {dimension} {letter}");
        // Several links in use may leave space for their digits only.
        seen += usize::from(digit.is_some_and(|digit| cells.get(digit + 1) == Some(&letter)));
    }
    assert!(seen > 3, "{seen}");
}

#[test]
fn only_at_the_cursor_digits_say_which_dimension_is_crossed() {
    let mut app = hypercube(6, 50, DARK_THEME, false, (120, 40));
    for zoom in [LINES, BOXES] {
        app.map.zoom = Some(zoom);
        let frame = app.shown().shown_frame().unwrap();
        let inner = app.arrangement().inside(Pane::Grid).unwrap();
        let buffer = fake::buffer(&app);
        let (mut elsewhere, mut here) = (0, 0);
        for ((col, row), (x, y)) in frame.places() {
            // The cells between two rows of nodes, left of the margin.
            let (x, y) = (x + frame.across.size, y + frame.along.size);
            let digits = (y..y + frame.along.pitch - frame.along.size)
                .flat_map(|y| (x..x + 4).map(move |x| (x, y)))
                .filter_map(|(x, y)| {
                    let at = (inner.x.checked_add_signed(x as i16)?, inner.y + y as u16);
                    buffer.cell(at).filter(|_| inner.contains(at.into()))
                })
                .filter(|cell| cell.symbol().chars().all(|it| it.is_ascii_digit()))
                .count();
            let at_cursor = (col, row) == app.map.cursor;
            if at_cursor {
                here += digits;
            } else if col + 1 < app.plane.cols && row > 0 {
                elsewhere += digits;
            }
        }
        assert_eq!(elsewhere, 0, "zoom {zoom}\n{}", inside(&app, Pane::Grid));
        assert!(here < 8);
    }
}

#[test]
fn a_hypercube_has_lines_from_node_to_node_on_every_screen() {
    for (dimensions, size) in [(3, (120, 40)), (4, (200, 60)), (6, (200, 60))] {
        let app = hypercube(dimensions, 6, DARK_THEME, false, size);
        assert_eq!(app.shown().shown_frame().unwrap().zoom, LINES, "{dimensions} {size:?}");
    }
}
