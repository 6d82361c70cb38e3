//! Tests of comparisons of every kind.
//!
//! Circuits, switches, a deadlock, different messages and random keys are tested.

use proptest::prelude::*;

use super::super::any_action;
use super::{Pair, TORUS, press, scenario};
use crate::tui::action::{Key, Runs};
use crate::tui::fake;
use crate::tui::tests::screen;

#[test]
fn runs_of_different_messages_are_shown_but_not_paired() {
    let hot = [("traffic.destinations", "Hotspot(nodes: [(3, 3)], percent: 30)")];
    let mut pair = Pair::new(&scenario(TORUS, &[]), &scenario(TORUS, &hot), 2_000);
    let app = pair.app(false, (120, 40));
    assert!(app.update.pairs.is_none());
    let picture = screen(&app);
    assert!(picture.contains("do not send the same messages"), "{picture}");
    assert!(picture.contains("B Hotspot"), "{picture}");
}

#[test]
fn a_deadlock_of_one_is_told_and_the_other_goes_on() {
    let free = [("routing.classes", "Dateline"), ("switching.virtual_channels", "2")];
    let mut pair =
        Pair::new(&scenario("ring-deadlock", &[]), &scenario("ring-deadlock", &free), 20_000);
    let mut app = pair.app(false, (120, 40));
    let picture = screen(&app);
    assert!(picture.contains("A stands in a deadlock since cycle 309"), "{picture}");
    assert!(picture.contains(" so far") && !picture.contains("p99 +"), "{picture}");
    assert!(
        picture.contains("cycle 20,000") || app.other().unwrap().update.snapshot.cycle.0 == 20_000
    );
    // The deadlocked run is at its newest cycle, and bookmarks are common to both runs.
    assert!(!app.is_behind() && !picture.contains("REPLAY"), "{picture}");
    press(&mut app, Key::Char('m'));
    assert_eq!(app.note.as_deref(), Some("bookmark at cycle 20,000"));
}

#[test]
fn circuits_are_compared_with_worms() {
    let circuits = scenario("papers/circuit-adaptive-8", &[]);
    let worms = [
        ("switching", "Wormhole(virtual_channels: 4, buffer_flits: 4)"),
        ("traffic.lengths", "Uniform(min: 102, max: 1946)"),
        ("traffic.arrivals.rate", "0.0001953125"),
    ];
    let mut pair = Pair::new(&circuits, &scenario("papers/circuit-adaptive-8", &worms), 12_000);
    for size in [(80, 24), (120, 40), (200, 60)] {
        let mut app = pair.app(false, size);
        let picture = screen(&app);
        assert!(picture.contains("do not send the same messages"), "{picture}");
        app.update(Runs::Contrast);
        screen(&app);
    }
}

#[test]
fn circuits_and_switches_are_compared_too() {
    let hold = scenario("papers/circuit-hold-8", &[]);
    let drop = scenario("papers/circuit-hold-8", &[("switching.conflict", "Drop(back_off: 1.5)")]);
    let campus = scenario("switches-campus", &[]);
    let other = scenario("switches-campus", &[("routing", "ShortestPath()")]);
    for (one, two, unit) in [(hold, drop, " T"), (campus, other, " cycles")] {
        let mut pair = Pair::new(&one, &two, 12_000);
        for size in [(80, 24), (120, 40), (200, 60)] {
            let mut app = pair.app(false, size);
            let picture = screen(&app);
            assert!(picture.contains(unit) && picture.contains("earlier in B"), "{picture}");
            app.update(Runs::Contrast);
            screen(&app);
        }
    }
}

#[test]
fn mono_paints_no_colour_over_two_runs() {
    use ratatui::style::Color;
    let mut pair = Pair::routings(4_000);
    for key in ['2', 'd'] {
        let mut app = pair.app(true, (120, 40));
        press(&mut app, Key::Char(key));
        for cell in fake::buffer(&app).content {
            assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset), "{key}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_is_done_to_two_runs_panics(
        size in (1u16..230, 1u16..75),
        ascii in any::<bool>(),
        kind in 0usize..3,
        actions in prop::collection::vec(any_action(), 1..40),
    ) {
        let mut pair = match kind {
            0 => Pair::routings(700),
            1 => Pair::new(
                &scenario("papers/circuit-hold-8", &[]),
                &scenario("papers/circuit-hold-8", &[("switching.conflict", "Drop(back_off: 1.5)")]),
                2_000,
            ),
            _ => Pair::new(
                &scenario("switches-campus", &[]),
                &scenario("switches-campus", &[("routing", "ShortestPath()")]),
                700,
            ),
        };
        let mut app = pair.app(ascii, size);
        let half = actions.len() / 2;
        for (nth, action) in actions.into_iter().enumerate() {
            app.update(action);
            fake::buffer(&app);
            if nth == half {
                pair.step(50);
                app.receive(pair.update());
            }
        }
    }
}
