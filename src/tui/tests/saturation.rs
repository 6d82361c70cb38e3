//! Tests of the display of saturation, and of models refuted by the run.

use std::sync::Arc;

use super::{DARK_THEME, MONO, screen};
use crate::live::Update;
use crate::model::Unsolved;
use crate::session::verdict::Evidence;
use crate::stats::Steadiness;
use crate::tui::fake::{self, TORUS};
use crate::tui::theme::Theme;

/// A screen of a run with the given steadiness and accepted load, at an offered load of 0.12.
fn picture(
    (steadiness, accepted): (Steadiness, f64),
    (theme, ascii): (Theme, bool),
    size: (u16, u16),
    change: impl FnOnce(&mut Update),
) -> String {
    let mut update = fake::update(&fake::scenario(TORUS, &[8, 8], 4), 14);
    update.summary.steadiness = steadiness;
    update.summary.accepted = Some(accepted);
    change(&mut update);
    update.judge(Evidence::default);
    screen(&fake::app(update, theme, ascii, size))
}

const SATURATED: (Steadiness, f64) = (Steadiness::Saturated, 0.041);

#[test]
fn the_top_line_says_it_at_every_width() {
    for (width, words) in [
        (200, "SATURATED: accepts 34 % of what is offered"),
        (80, "SATURATED: accepts 34 % of what is offered"),
        (60, "SATURATED  "),
    ] {
        for look in [(DARK_THEME, false), (MONO, true)] {
            let seen = picture(SATURATED, look, (width, 24), |_| ());
            let top = seen.lines().next().unwrap();
            assert!(top.contains(words), "{width}: {top}");
            let steady = picture((Steadiness::Steady, 0.12), look, (width, 24), |_| ());
            let unknown = picture((Steadiness::TooShort, 0.041), look, (width, 24), |_| ());
            assert!(!steady.contains("SATURATED") && !unknown.contains("SATURATED"));
        }
    }
}

#[test]
fn the_mean_of_a_saturated_network_is_compared_with_nothing() {
    let seen = picture(SATURATED, (DARK_THEME, false), (200, 60), |_| ());
    assert!(seen.contains("mean so far 54.8, growing"), "{seen}");
    assert!(!seen.contains("model 53.1") && !seen.contains("54.8 ±"), "{seen}");
    assert!(seen.contains("now, growing"), "{seen}");
}

#[test]
fn a_model_that_the_run_refutes_is_called_wrong() {
    let seen = picture(SATURATED, (DARK_THEME, false), (200, 60), |_| ());
    assert!(seen.contains("model wrong here: it says a steady state"), "{seen}");
    let says_saturated = |update: &mut Update| {
        let mut theory = update.theory.as_deref().unwrap().clone();
        theory.prediction = Err(Unsolved::Saturated { rate: theory.rate });
        update.theory = Some(Arc::new(theory));
    };
    let steady = (Steadiness::Steady, 0.1199);
    let seen = picture(steady, (DARK_THEME, false), (200, 60), says_saturated);
    assert!(seen.contains("model wrong here: it says saturated"), "{seen}");
    let unknown = (Steadiness::TooShort, 0.1199);
    let seen = picture(unknown, (DARK_THEME, false), (200, 60), says_saturated);
    assert!(!seen.contains("wrong here") && seen.contains("model: saturated"), "{seen}");
}

#[test]
fn a_network_that_stands_still_has_no_interval_and_no_model_beside_it() {
    let stands = |update: &mut Update| update.summary = update.summary.clone().deadlocked();
    let steady = (Steadiness::Steady, 0.1199);
    let seen = picture(steady, (DARK_THEME, false), (200, 60), stands);
    assert!(seen.contains("mean 54.8 until the deadlock"), "{seen}");
    assert!(!seen.contains("model 53.1") && !seen.contains("54.8 ±"), "{seen}");
    assert!(seen.contains("now, stands still"), "{seen}");
}
