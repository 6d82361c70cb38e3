//! Tests of neighbours, loads and shells in the inspector.

use std::sync::Arc;

use super::*;
use crate::topology::cube::Family;
use crate::tui::app::App;
use crate::tui::fake::{self, TORUS};
use crate::tui::theme::Theme;

fn text(app: &App) -> Vec<String> {
    let mut lines = Vec::new();
    add(&app.shown(), app.cursor_router().unwrap(), 50, &mut lines);
    lines.iter().map(Item::to_string).collect()
}

#[test]
fn shells_of_a_hypercube_are_binomial_and_neighbours_differ_in_one_bit() {
    let scenario = fake::scenario(Family::Hypercube, &[2; 6], 2);
    let app = fake::app(fake::update(&scenario, 40), Theme::default(), false, (120, 40));
    let lines = text(&app);
    for (distance, count) in [1, 6, 15, 20, 15, 6, 1].into_iter().enumerate() {
        let head = format!("{distance:<3}{count:>6} ");
        assert_eq!(lines.iter().filter(|line| line.starts_with(&head)).count(), 1, "{head}");
    }
    let here = app.cursor_router().unwrap();
    let network = &app.update.scenario.system.network;
    for bit in 0..6 {
        let name = network.router_name(RouterId(here.0 ^ 1 << bit));
        let head = format!("{bit:<3}{name} ");
        assert!(lines.iter().any(|line| line.starts_with(&head)), "{head}: {lines:?}");
    }
}

#[test]
fn loads_of_dimensions_are_means_over_their_links() {
    let scenario = fake::scenario(TORUS, &[4, 3, 5], 2);
    let mut update = fake::update(&scenario, 5);
    let network = &scenario.system.network;
    for (channel, used) in Arc::make_mut(&mut update.usage).recent.iter_mut().enumerate() {
        let (dimension, _) = network.cube().unwrap().direction(ChannelId::new(channel));
        *used = [0.05, 0.2, 0.1][dimension];
    }
    let app = fake::app(update, Theme::default(), true, (120, 40));
    let lines = text(&app);
    for (name, bar, load) in [("X", 3, "0.050"), ("Y", 13, "0.200"), ("Z", 6, "0.100")] {
        let line = lines.iter().find(|line| line.starts_with(&format!("{name}  "))).unwrap();
        assert!(line.contains(load), "{line}");
        // The model's point may cover a part of the bar.
        let full = line.matches('#').count();
        assert!(full == bar || full + 1 == bar, "{line}");
    }
    assert!(lines.iter().any(|line| line.starts_with("load per dimension, to 0.25; o model")));
}

#[test]
fn two_dimensions_are_told_by_the_picture() {
    let scenario = fake::scenario(TORUS, &[8, 8], 2);
    let app = fake::app(fake::update(&scenario, 5), Theme::default(), false, (120, 40));
    assert!(text(&app).is_empty());
}
