//! Tests of graphs of switches on the screen: map, matrix, ASCII, and cursor movement.

use super::{DARK_THEME, MONO, fake, graph, screen};
use crate::tui::action::{Answer, Grid, Move, Panes};
use crate::tui::app::App;
use crate::tui::view::View;

#[test]
fn a_graph_of_switches() {
    insta::assert_snapshot!(screen(&graph(24, 14, DARK_THEME, false, (120, 40))));
}

#[test]
fn a_graph_of_switches_in_ascii() {
    for view in [View::Occupancy, View::Worms, View::Classes, View::Utilisation, View::Waits] {
        for switches in [12, 300] {
            let mut app = graph(switches, 20, MONO, true, (80, 24));
            app.update(Grid::View(view));
            let picture = screen(&app);
            assert!(picture.is_ascii(), "{picture}");
            if (view, switches) == (View::Utilisation, 12) {
                insta::assert_snapshot!(picture);
            }
            for cell in fake::buffer(&app).content {
                use ratatui::style::Color;
                assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset), "{view:?}");
            }
        }
    }
}

#[test]
fn a_graph_too_large_to_draw_is_a_matrix_with_a_table() {
    let mut app = graph(300, 20, DARK_THEME, false, (200, 60));
    app.update(Panes::Zen);
    app.update(Grid::View(View::Utilisation));
    let picture = screen(&app);
    assert!(picture.contains("from (down) to (across), a pixel is"), "{picture}");
    assert!(picture.contains("hottest links"), "{picture}");
}

#[test]
fn the_cursor_goes_to_the_nearest_switch_on_a_side() {
    use crate::tui::grid::plane::Side;
    let mut app = graph(24, 5, DARK_THEME, false, (120, 40));
    let network = app.update.scenario.system.network.clone();
    let place = |app: &App| network.switches().unwrap().place(app.cursor_router().unwrap());
    let mut moved = 0;
    for side in [Side::East, Side::North, Side::West, Side::South, Side::East, Side::South] {
        let before = place(&app);
        app.update(Move::Move(side));
        let after = place(&app);
        if after == before {
            continue;
        }
        moved += 1;
        match side {
            Side::East => assert!(after.x > before.x),
            Side::North => assert!(after.y > before.y),
            Side::West => assert!(after.x < before.x),
            Side::South => assert!(after.y < before.y),
        }
    }
    assert!(moved >= 3, "{moved}");
    app.update(Move::Find);
    for letter in "h7".chars() {
        app.update(Answer::typed(letter));
    }
    app.update(Answer::Accept);
    assert_eq!(app.cursor_router().unwrap().0, 7);
    assert!(screen(&app).contains("7]"), "{}", screen(&app));
}
