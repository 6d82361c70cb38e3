//! Tests of the hottest links: access by keys and commands, and displayed measurements.

use std::collections::BTreeSet;
use std::sync::Arc;

use ratatui::style::Modifier;

use super::{DARK_THEME, busy, graph, inside, press, screen};
use crate::ids::ChannelId;
use crate::topology::Role;
use crate::traffic::Destinations;
use crate::tui::action::{Answer, Key, Program};
use crate::tui::app::App;
use crate::tui::fake::{self, TORUS};
use crate::tui::grid::frame::BOXES;
use crate::tui::view::Pane;

#[test]
fn a_command_reaches_it() {
    for size in [(80, 24), (120, 40), (200, 60)] {
        let mut app = busy(&[8, 8], 40, DARK_THEME, size);
        app.update(Program::Palette);
        "pane hottest".chars().for_each(|letter| drop(app.update(Answer::typed(letter))));
        app.update(app.action_of(Key::Enter).unwrap());
        assert_eq!(app.panes.focus, Pane::HottestLinks);
        assert!(screen(&app).contains("hottest links"), "{}", screen(&app));
    }
}

#[test]
fn the_busiest_stand_first_with_what_is_sent_over_them() {
    let mut app = busy(&[8, 8], 60, DARK_THEME, (160, 40));
    app.focus_on(Pane::HottestLinks);
    press(&mut app, "e");
    let text = inside(&app, Pane::HottestLinks);
    let network = &app.update.scenario.system.network;
    let snapshot = &app.update.snapshot;
    let mut links: Vec<(f32, usize)> = (0..network.channels().len())
        .filter(|&at| network.channels()[at].role == Role::Link)
        .map(|at| (app.update.usage.shares[at], at))
        .collect();
    links.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut held = 0;
    for ((nth, line), (share, at)) in text.lines().enumerate().zip(&links[..10]) {
        let link = ChannelId::new(*at);
        assert!(
            line.trim_start()[1..].trim_start().starts_with(&network.channel_name(link)),
            "{line}"
        );
        assert!(line.trim_start().starts_with(&((nth + 1) % 10).to_string()), "{line}");
        assert!(line.contains(&format!("{:.1} %", share * 100.0)), "{line}");
        let vcs = (0..snapshot.virtual_channels).filter_map(|vc| snapshot.holder(link, vc));
        for worm in vcs {
            let [from, to] = [worm.source, worm.destination].map(|node| network.node_name(node));
            assert!(line.contains(&format!(" {from}→{to}")), "{from} {to}: {line}");
            held += 1;
        }
        assert_eq!(line.contains("free"), (0..2).all(|vc| snapshot.holder(link, vc).is_none()));
    }
    assert!(held > 0, "{text}");
    assert_eq!(text.lines().filter(|line| line.contains(" %")).count(), 10, "{text}");
    // The same numbers mark the starts of the links in the network.
    press(&mut app, "e");
    let grid = inside(&app, Pane::Grid);
    assert!("1234567890".chars().all(|digit| grid.contains(digit)), "{grid}");
    assert!(text.contains("share of 10,240 cycles"), "{text}");
}

#[test]
fn the_hot_spot_is_marked_at_every_zoom_and_named() {
    for (ascii, sign) in [(false, '¤'), (true, '%')] {
        let scenario = fake::scenario(TORUS, &[8, 8], 4);
        let mut app = fake::app(fake::update(&scenario, 0), DARK_THEME, ascii, (200, 60));
        for zoom in 0..=BOXES {
            app.map.zoom = Some(zoom);
            let grid = inside(&app, Pane::Grid);
            assert_eq!(grid.matches(sign).count(), 1, "zoom {zoom}\n{grid}");
            assert!(screen(&app).contains(&format!("{sign} hot spot")), "{}", screen(&app));
        }
        // Uniform traffic has no hot spot to mark.
        let mut scenario = (*scenario).clone();
        scenario.system.traffic.destinations = Destinations::Uniform;
        let update = fake::update(&Arc::new(scenario), 0);
        let app = fake::app(update, DARK_THEME, ascii, (200, 60));
        assert!(!inside(&app, Pane::Grid).contains(sign));
    }
}

#[test]
fn ranks_stand_on_pixels_on_lines_between_switches_and_in_the_matrix() {
    let torus = || busy(&[8, 8], 60, DARK_THEME, (160, 40));
    let cube = fake::scenario(crate::topology::cube::Family::Hypercube, &[2; 6], 2);
    let cube = fake::app(fake::update(&cube, 50), DARK_THEME, false, (160, 40));
    let switches = |count| graph(count, 14, DARK_THEME, false, (160, 40));
    for (zoom, mut app) in [
        (Some(0), torus()),
        (Some(1), torus()),
        (None, cube),
        (None, switches(24)),
        (None, switches(300)),
    ] {
        app.map.zoom = zoom;
        let marked = |app: &App| {
            let inner = app.arrangement().inside(Pane::Grid).unwrap();
            let buffer = fake::buffer(app);
            let style = app.theme.warning().add_modifier(Modifier::REVERSED);
            let cells = inner.positions().map(|at| &buffer[at]);
            let digits = cells
                .filter(|cell| cell.fg == style.fg.unwrap())
                .filter(|cell| cell.modifier.contains(Modifier::REVERSED))
                .filter_map(|cell| cell.symbol().parse::<usize>().ok());
            digits.collect::<BTreeSet<usize>>()
        };
        assert!(marked(&app).is_empty());
        app.focus_on(Pane::HottestLinks);
        // Several ranks on one character show the busiest.
        let marked = marked(&app);
        assert!(marked.contains(&1) && marked.len() > 3, "{marked:?}\n{}", screen(&app));
    }
}
