//! Tests of theory compared with simulation.
//!
//! Latency by parts, and measured minus predicted use of links are tested.

use std::sync::Arc;

use super::{DARK_THEME, MONO, eight, screen};
use crate::live::Theory;
use crate::model::Unsolved;
use crate::tui::action::{Grid, Move, Panes};
use crate::tui::app::App;
use crate::tui::fake::{self, TORUS, line};
use crate::tui::grid::frame::BOXES;
use crate::tui::view::{Pane, View};

/// The line of a screen containing all given words.
#[test]
fn latency_by_parts_stands_on_every_screen() {
    for (size, rows) in [((80, 24), 5), ((120, 40), 8), ((200, 60), 8)] {
        let mut app = eight(14, size);
        app.update(Panes::Terms);
        assert!(app.arrangement().inside(Pane::Terms).unwrap().height >= rows, "{size:?}");
        let picture = screen(&app);
        assert!(picture.contains("latency by parts"), "{picture}");
        // Errors relative to the simulation: 12.40 of 54.8 − 41.2, 24.6 + 0.5 of 41.2 − 15.1.
        line(&picture, &["source wait", "12.40", "13.60", "-8.8"]);
        line(&picture, &["blocking", "25.10", "26.10", "-3.8"]);
        line(&picture, &["transfer", "15.60", "15.10", "+3.3"]);
        line(&picture, &["latency", "53.10", "54.80", "-3.1"]);
        if rows >= 8 {
            line(&picture, &["per hop", "6.12", "6.49", "-5.7"]);
            line(&picture, &["model", "░", "▒", "█"]);
            line(&picture, &["simulated", "░", "▒", "█"]);
        }
    }
}

#[test]
fn parts_of_a_model_outside_its_assumptions_are_dashed() {
    let scenario = fake::scenario(TORUS, &[8, 8], 4);
    let mut app = fake::app(fake::outside(fake::update(&scenario, 14)), MONO, true, (120, 40));
    app.update(Panes::Terms);
    app.update(Panes::Expand);
    let picture = screen(&app);
    assert!(picture.is_ascii());
    assert!(picture.contains("latency by parts, warming up"), "{picture}");
    line(&picture, &["the model assumes uniform destinations"]);
    line(&picture, &["sharing of links", "0.50"]);
    let bars: Vec<&str> =
        picture.lines().filter(|line| line.contains("...") && line.contains("###")).collect();
    assert!(bars.len() == 1 && bars[0].contains("simulated"), "{bars:?}");
    line(&picture, &["model", ".. .. ..", "## ##"]);
}

#[test]
fn without_a_model_the_simulated_parts_stand_alone() {
    let scenario = fake::scenario(TORUS, &[8, 8], 4);
    let mut update = fake::update(&scenario, 14);
    update.theory = None;
    let mut app = fake::app(update, DARK_THEME, false, (120, 40));
    app.update(Panes::Terms);
    let picture = screen(&app);
    line(&picture, &["source wait", "–", "13.60"]);
    assert!(picture.contains("no model for this network"), "{picture}");
}

#[test]
fn work_that_is_not_done_is_said_to_be_under_way_or_stopped() {
    let scenario = fake::scenario(TORUS, &[8, 8], 4);
    let picture = |at_work: bool, unfinished: Option<Unsolved>| {
        let mut update = fake::update(&scenario, 14);
        let theory = (**update.theory.as_ref().unwrap()).clone();
        let curve = Arc::default();
        let theory = Theory { saturation: None, curve, at_work, unfinished, ..theory };
        update.theory = Some(Arc::new(theory));
        screen(&fake::app(update, DARK_THEME, false, (200, 60)))
    };
    line(&picture(true, None), &["saturates", "at work"]);
    let stopped = Unsolved::OverBudget { steps: 7_000 };
    line(&picture(false, Some(stopped)), &["saturates", "stopped after 7000 steps"]);
    let mut update = fake::update(&scenario, 14);
    (update.theory, update.theory_at_work) = (None, true);
    let picture = screen(&fake::app(update, DARK_THEME, false, (200, 60)));
    assert!(picture.contains("the model is at work"), "{picture}");
}

#[test]
fn a_bound_stands_beyond_the_histogram_and_beside_the_quantiles() {
    let scenario = fake::scenario(TORUS, &[8, 8], 4);
    let picture = |bound: Option<u64>| {
        let mut update = fake::update(&scenario, 14);
        let theory = (**update.theory.as_ref().unwrap()).clone();
        update.theory = Some(Arc::new(Theory { bound, ..theory }));
        screen(&fake::app(update, DARK_THEME, false, (200, 60)))
    };
    let none = picture(None);
    assert!(!none.contains("bound"), "{none}");
    let [near, far] = [picture(Some(700)), picture(Some(70_000))];
    line(&near, &["p99 171", "bound 700"]);
    line(&far, &["p99 171", "bound 70,000"]);
    // A bound near the measured range is also drawn as a line.
    let lines = |picture: &str| picture.matches('┃').count() + picture.matches('│').count();
    assert!(lines(&near) > lines(&far) && lines(&far) == lines(&none), "{near}");
}

fn differing(size: (u16, u16), ascii: bool) -> App {
    let scenario = fake::scenario(TORUS, &[8, 8], 4);
    let mut app = fake::app(fake::update(&scenario, 14), MONO, ascii, size);
    app.update(Grid::View(View::Difference));
    app
}

#[test]
fn differences_have_a_sign_a_scale_and_numbers() {
    for (ascii, signs, less) in
        [(false, ['+', '▲', '−', '▼'], "−0.05"), (true, ['*', '^', '-', 'v'], "-0.05")]
    {
        for zoom in 0..=BOXES {
            let mut app = differing((120, 40), ascii);
            app.map.zoom = Some(zoom);
            let picture = screen(&app);
            assert!(picture.contains(less) && picture.contains("+0.05"), "{picture}");
            assert!(picture.contains("one mean for all links: 0.120"), "{picture}");
            let inner = app.arrangement().inside(Pane::Grid).unwrap();
            let buffer = fake::buffer(&app);
            for sign in [signs[0], signs[1], signs[2]] {
                let seen = inner.positions().any(|at| buffer[at].symbol() == sign.to_string());
                // The strongest input of a node hides weak ones at the lowest zoom.
                assert!(seen || zoom <= 1, "{sign} at zoom {zoom}\n{picture}");
            }
        }
    }
}

#[test]
fn the_inspector_has_both_numbers_of_every_link() {
    for size in [(80, 24), (120, 40), (200, 60)] {
        let app = differing(size, false);
        let picture = screen(&app);
        let router = app.cursor_router().unwrap();
        let network = &app.update.scenario.system.network;
        let channel = network.outputs(router)[0];
        let measured = app.update.usage.shares[channel.index()];
        let difference = f64::from(measured) - 0.12;
        let figures = [format!("{measured:.4}"), format!("{difference:+.4}")];
        line(&picture, &["out +X", &figures[0], "0.1200", &figures[1]]);
    }
}

#[test]
fn nothing_predicted_is_said_in_words() {
    let mut app = differing((120, 40), false);
    let mut update = app.update.clone();
    let mut theory = update.theory.as_deref().unwrap().clone();
    theory.utilisation = None;
    update.theory = Some(Arc::new(theory));
    app.receive(update.clone());
    assert!(screen(&app).contains("no model predicts the use of these links"));
    update.theory = None;
    app.receive(update);
    assert!(screen(&app).contains("no model for this network"));
}

#[test]
fn n_goes_to_the_links_farthest_off() {
    let mut app = differing((120, 40), false);
    app.update(Move::Next);
    let note = app.note.clone().unwrap_or_default();
    assert!(note.starts_with("off the model into ("), "{note}");
}

#[test]
fn the_curve_says_why_the_model_is_outside() {
    let scenario = fake::scenario(TORUS, &[8, 8], 4);
    let update = fake::outside(fake::update(&scenario, 14));
    let app = fake::app(update, DARK_THEME, false, (120, 40));
    let picture = screen(&app);
    let said = picture.matches("the model assumes uniform destinations").count();
    assert_eq!(said, 1, "once, where the latencies are\n{picture}");
    // The curve shows the reason if the latencies are hidden.
    let mut app = app;
    app.panes.focus = Pane::Curve;
    app.panes.expanded = true;
    let picture = screen(&app);
    assert_eq!(picture.matches("the model assumes uniform destinations").count(), 1, "{picture}");
}
