//! Tests of zoom, origin, aggregation and heat scale: effects of the keys, and drawings.

use super::{DARK_THEME, MONO, busy, graph, inside, note, press, screen};
use crate::ids::{ChannelId, RouterId};
use crate::topology::cube::{Dimension, Family};
use crate::tui::action::{Answer, Grid, Move, Pointer, Program};
use crate::tui::app::App;
use crate::tui::fake::{self, TORUS};
use crate::tui::grid::frame::{BOXES, LINES, ZOOM_MAX};
use crate::tui::grid::link_value::LinkValue;
use crate::tui::grid::pixels::summed;
use crate::tui::view::Aggregate;
use crate::tui::view::{Pane, View};

#[test]
fn routers_as_boxes_with_a_bar_for_each_buffer() {
    let mut app = busy(&[8, 8], 60, DARK_THEME, (120, 40));
    app.map.zoom = Some(BOXES);
    app.update(Grid::View(View::Occupancy));
    insta::assert_snapshot!(inside(&app, Pane::Grid));
    assert!(screen(&app).contains("buffer: free to full"), "{}", screen(&app));
}

#[test]
fn boxes_tell_whose_the_buffers_are_in_the_view_of_worms() {
    let scenario = fake::scenario(TORUS, &[8, 8], 4);
    let mut app = fake::app(fake::update(&scenario, 60), MONO, true, (120, 40));
    app.map.zoom = Some(BOXES);
    app.update(Grid::View(View::Worms));
    let picture = screen(&app);
    assert!(picture.is_ascii(), "{picture}");
    assert!(picture.contains("in boxes: whose VC"), "{picture}");
    insta::assert_snapshot!(inside(&app, Pane::Grid));
}

#[test]
fn every_buffer_of_a_router_in_sight_has_its_bar() {
    // Each held virtual channel of the plane is drawn in the box at its end.
    let mut app = busy(&[4, 4], 30, MONO, (200, 60));
    app.map.zoom = Some(BOXES);
    app.update(Grid::View(View::Occupancy));
    let picture = inside(&app, Pane::Grid);
    let bars = picture.chars().filter(|glyph| app.glyphs.fill[1..].contains(glyph)).count();
    let held = app.update.snapshot.vcs.iter().filter(|vc| vc.holder > 0).count();
    assert!(held > 20, "{held}");
    assert_eq!(bars, held, "{picture}");
}

#[test]
fn many_virtual_channels_share_bars() {
    let scenario = fake::scenario(TORUS, &[4, 4], 16);
    let mut app = fake::app(fake::update(&scenario, 30), DARK_THEME, false, (200, 60));
    app.map.zoom = Some(BOXES);
    app.update(Grid::View(View::Occupancy));
    let picture = screen(&app);
    assert!(picture.contains("a bar is 3 VCs"), "{picture}");
}

#[test]
fn the_highest_zoom_is_one_router_with_all_its_buffers() {
    let mut app = busy(&[8, 8], 60, DARK_THEME, (120, 40));
    press(&mut app, "++++++++");
    assert_eq!(app.map.zoom, Some(ZOOM_MAX));
    app.update(Move::Next);
    let picture = inside(&app, Pane::Grid);
    insta::assert_snapshot!(picture);
    // Moving to the neighbour shows the neighbour's table.
    let before = app.cursor_router();
    press(&mut app, "l");
    assert_ne!(app.cursor_router(), before);
    assert_ne!(inside(&app, Pane::Grid), picture);
    press(&mut app, "-");
    assert_eq!(app.map.zoom, Some(BOXES));
}

#[test]
fn a_long_table_of_a_router_can_be_paged() {
    let scenario = fake::scenario(TORUS, &[8, 8], 16);
    let mut app = fake::app(fake::update(&scenario, 2_000), DARK_THEME, false, (80, 24));
    app.map.zoom = Some(ZOOM_MAX);
    let busiest = (0..64).max_by_key(|&router| {
        let network = &app.update.scenario.system.network;
        let inputs = network.inputs(RouterId(router)).iter();
        let vcs = |channel: &ChannelId| &app.update.snapshot.vcs[channel.index() * 16..][..16];
        inputs.flat_map(vcs).filter(|vc| vc.holder > 0).count()
    });
    let (_, col, row) = app.plane.place(RouterId(busiest.unwrap()));
    app.map.cursor = (col, row);
    app.update(Program::Resize(80, 24));
    let first = inside(&app, Pane::Grid);
    assert!(first.contains("more (J K)"), "{first}");
    press(&mut app, "J");
    let second = inside(&app, Pane::Grid);
    assert_ne!(first, second);
    press(&mut app, "K");
    assert_eq!(inside(&app, Pane::Grid), first);
}

#[test]
fn the_origin_moves_round_a_torus_and_back() {
    let mut app = busy(&[8, 8], 40, DARK_THEME, (120, 40));
    press(&mut app, "hhhkk");
    let cursor = app.map.cursor;
    let straight = inside(&app, Pane::Grid);
    press(&mut app, "O");
    assert_eq!(app.map.cursor, cursor);
    let frame = app.shown().shown_frame().unwrap();
    let middle = frame.shown(frame.across.shown / 2, frame.along.shown / 2);
    assert_eq!(middle, cursor, "the cursor's node is in the middle");
    assert!(note(&app).contains("in the middle"), "{}", note(&app));
    let picture = screen(&app);
    assert!(picture.contains('╱'), "the seam is drawn\n{picture}");
    assert!(picture.contains("seam of the ring"), "{picture}");
    insta::assert_snapshot!(inside(&app, Pane::Grid));
    // Nodes are found at their drawn positions.
    let inner = app.arrangement().inside(Pane::Grid).unwrap();
    for (col, row) in [(0, 0), (7, 7), (0, 7), (3, 1)] {
        let (x, y) = app.shown().shown_frame().unwrap().at(col, row).unwrap();
        app.update(Pointer::Click(inner.x + x as u16, inner.y + y as u16));
        app.update(Pointer::Release);
        assert_eq!(app.map.cursor, (col, row));
    }
    app.update(Move::Find);
    press(&mut app, "2,6");
    app.update(Answer::Accept);
    assert_eq!(app.map.cursor, (2, 6));
    app.map.cursor = cursor;
    press(&mut app, "O");
    assert_eq!(inside(&app, Pane::Grid), straight);
    assert!(note(&app).contains("back at the corner"), "{}", note(&app));
}

#[test]
fn a_network_with_edges_cannot_be_turned() {
    let scenario = fake::scenario(Family::Mesh, &[6, 6], 2);
    let mut app = fake::app(fake::update(&scenario, 9), DARK_THEME, false, (120, 40));
    press(&mut app, "hO");
    assert!(note(&app).contains("has edges"), "{}", note(&app));
    assert!(!app.shown().shown_frame().unwrap().has_seam());
}

#[test]
fn rings_along_x_and_lines_along_y() {
    let lines = Dimension { wraps: false, ..Dimension::new(4) };
    let scenario = fake::rings_and_lines(&[Dimension::new(5), lines]);
    let mut app = fake::app(fake::update(&scenario, 0), MONO, true, (120, 40));
    app.map.zoom = Some(LINES);
    insta::assert_snapshot!(inside(&app, Pane::Grid));
    press(&mut app, "hO");
    let frame = app.shown().shown_frame().unwrap();
    assert!(frame.across.wraps && !frame.along.wraps);
    assert!(note(&app).contains("the seam is marked"), "{}", note(&app));
}

#[test]
fn panning_round_a_torus_comes_back_to_where_it_began() {
    let mut app = busy(&[16, 16], 60, DARK_THEME, (80, 24));
    press(&mut app, "++");
    let frame = app.shown().shown_frame().unwrap();
    assert!(!frame.whole(), "{frame:?}");
    let cursor = app.map.cursor;
    for _ in 0..16 {
        press(&mut app, "l");
        let frame = app.shown().shown_frame().unwrap();
        assert!(frame.at(app.map.cursor.0, app.map.cursor.1).is_some());
    }
    assert_eq!(app.map.cursor, cursor);
    // The seam was visible in between.
    let seam = (0..16).any(|_| {
        press(&mut app, "l");
        app.shown().shown_frame().unwrap().across.seam().is_some()
    });
    assert!(seam);
}

#[test]
fn blocks_show_the_hottest_or_the_mean() {
    let mut app = busy(&[64, 64], 900, MONO, (80, 24));
    app.update(Grid::View(View::Occupancy));
    press(&mut app, "--");
    assert!(app.shown().shown_frame().unwrap().block() > 1);
    let weight = |app: &App| {
        let shades = app.glyphs.shade;
        let of = |glyph: char| shades.iter().position(|&shade| shade == glyph).unwrap_or(0);
        inside(app, Pane::Grid).chars().map(of).sum::<usize>()
    };
    app.update(Program::Resize(200, 60));
    assert!(screen(&app).contains("nodes, the hottest"), "{}", screen(&app));
    let hottest = weight(&app);
    press(&mut app, "A");
    assert_eq!(app.map.aggregate, Aggregate::Mean);
    assert!(note(&app).contains("their mean"));
    assert!(screen(&app).contains("nodes, their mean"));
    let mean = weight(&app);
    assert!(0 < mean && mean < hottest, "{mean} {hottest}");
    press(&mut app, "A");
    assert_eq!(weight(&app), hottest);
}

#[test]
fn what_is_summed_up_is_the_hottest_or_the_mean() {
    let mut app = busy(&[8, 8], 40, DARK_THEME, (120, 40));
    let mut told = |how: Aggregate, view: View, levels: &[u8], steps: &[i8]| {
        (app.map.aggregate, app.map.view) = (how, view);
        summed(&app.shown(), levels.iter().copied(), steps.iter().copied())
    };
    let mut level = |how, levels: &[u8]| told(how, View::Worms, levels, &[9, 9]);
    assert_eq!(level(Aggregate::Hottest, &[0, 7, 2]), Some(LinkValue::Level(7)));
    assert_eq!(level(Aggregate::Mean, &[0, 7, 2]), Some(LinkValue::Level(3)));
    let least = Some(LinkValue::Level(1));
    assert_eq!(level(Aggregate::Mean, &[0, 0, 0, 1]), least, "whatever is not idle shows");
    assert_eq!(level(Aggregate::Mean, &[]), None);
    let mut step = |how, steps: &[i8]| told(how, View::Difference, &[9, 9], steps);
    assert_eq!(step(Aggregate::Hottest, &[-5, 4]), Some(LinkValue::Step(-5)));
    assert_eq!(step(Aggregate::Mean, &[-5, 4, 4]), Some(LinkValue::Step(1)));
    assert_eq!(step(Aggregate::Mean, &[]), None);
}

#[test]
fn the_scale_of_heat_ends_where_it_is_told() {
    let mut app = busy(&[8, 8], 40, DARK_THEME, (120, 40));
    app.update(Grid::View(View::Utilisation));
    let sum = |app: &App| (0..256).map(|at| u32::from(app.heat.channel(at))).sum::<u32>();
    press(&mut app, "}}}");
    let whole = sum(&app);
    press(&mut app, "{");
    assert!((app.map.heat_top - 0.5).abs() < 1e-6);
    assert!(sum(&app) > whole);
    assert!(screen(&app).contains("█ 0.5 "), "{}", screen(&app));
    press(&mut app, "{{{{");
    assert!((app.map.heat_top - 0.125).abs() < 1e-6);
    press(&mut app, "}}}}}");
    assert!((app.map.heat_top - 1.0).abs() < 1e-6);
    assert_eq!(sum(&app), whole);
    app.update(Grid::View(View::Difference));
    press(&mut app, "{");
    assert!(note(&app).contains("largest difference"));
}

#[test]
fn with_several_slices_the_same_keys_change_the_slice() {
    let scenario = fake::scenario(TORUS, &[4, 4, 4], 2);
    let mut app = fake::app(fake::update(&scenario, 20), DARK_THEME, false, (120, 40));
    press(&mut app, "}");
    assert_eq!(app.plane.slice, 1);
    assert!((app.map.heat_top - 1.0).abs() < 1e-6);
}

#[test]
fn the_legend_of_every_view_is_there_in_every_theme() {
    for view in [View::Occupancy, View::Worms, View::Classes, View::Utilisation, View::Waits] {
        for (theme, ascii) in [(DARK_THEME, false), (MONO, false), (MONO, true)] {
            for zoom in 0..=BOXES {
                let scenario = fake::scenario(TORUS, &[8, 8], 4);
                let mut app = fake::app(fake::update(&scenario, 40), theme, ascii, (120, 40));
                app.map.zoom = Some(zoom);
                app.update(Grid::View(view));
                let rect = app.arrangement().pane(Pane::Grid).unwrap();
                let buffer = fake::buffer(&app);
                let legend: String = (rect.x..rect.right())
                    .map(|x| buffer[(x, rect.bottom() - 1)].symbol())
                    .collect();
                let words = match (view, zoom) {
                    (View::Worms, 1..) => "moves",
                    (View::Classes, 1..) => "escape 0",
                    (View::Waits, 1..) => "wants this link",
                    (View::Classes, _) => "share of VCs held",
                    (View::Utilisation, _) => "share of cycles used",
                    _ => "share of buffers full",
                };
                assert!(legend.contains(words), "{view:?} {zoom} {legend}");
                // A scale is drawn in the characters of the network.
                if words.starts_with("share") && zoom > 0 {
                    let is_filled = theme.has_ramp() && !ascii;
                    let glyphs = &app.glyphs;
                    let heavy = if is_filled { glyphs.shade[4] } else { glyphs.across[3] };
                    assert!(
                        legend.contains(&heavy.to_string().repeat(4)),
                        "{view:?} {zoom} {legend}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_graph_can_be_zoomed_about_its_cursor() {
    let mut app = graph(24, 14, DARK_THEME, false, (120, 40));
    let whole = inside(&app, Pane::Grid);
    press(&mut app, "++");
    assert_eq!(app.map.zoom, Some(3));
    let near = inside(&app, Pane::Grid);
    assert_ne!(whole, near);
    assert!(screen(&app).contains("zoom 3"), "{}", screen(&app));
    let inner = app.arrangement().inside(Pane::Grid).unwrap();
    for router in [0, 7, 15, 23, 3] {
        app.update(Move::Find);
        press(&mut app, &router.to_string());
        app.update(Answer::Accept);
        let map = app.shown().map((inner.width, inner.height)).unwrap();
        assert!(map.shows(RouterId(router)));
        assert!(
            inside(&app, Pane::Grid).contains(&format!("{router}]"))
                || app.heat.queued(router as usize) > 0
        );
    }
    press(&mut app, "++");
    assert!(app.shown().shows_one_router());
    assert!(inside(&app, Pane::Grid).contains("owner"), "{}", screen(&app));
    press(&mut app, "0");
    assert_eq!(app.map.zoom, None);
}

#[test]
fn a_difference_is_drawn_for_graphs_as_well() {
    for switches in [24, 300] {
        let mut app = graph(switches, 14, MONO, true, (120, 40));
        app.update(Grid::View(View::Difference));
        let picture = inside(&app, Pane::Grid);
        let signs = picture.chars().filter(|it| ['+', '^', '-', 'v'].contains(it)).count();
        assert!(signs > 5, "{picture}");
        let colours = fake::buffer(&app).content.iter().any(|cell| cell.symbol() == "+");
        assert!(colours);
    }
}
