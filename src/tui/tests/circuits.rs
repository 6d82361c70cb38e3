//! Tests of circuits on the screen: states, controllers, comparison with the model, units of time.

use std::sync::Arc;

use super::{DARK_THEME, MONO, screen};
use crate::engine::CircuitState;
use crate::live::{Command, Speed, Theory, Update};
use crate::model::models_for;
use crate::scenario::{Override, builtin, parse};
use crate::session::Session;
use crate::stats::WarmUp;
use crate::tui::action::{Answer, Grid, Panes, Program, Run};
use crate::tui::app::{App, Effect};
use crate::tui::fake::{self, line};
use crate::tui::states;
use crate::tui::view::{Pane, View};
use crate::units::Cycle;

/// Runs a built-in scenario up to a cycle, and returns an update as the simulation thread would.
fn run(name: &str, overrides: &[Override], until: u64) -> Box<Update> {
    let text = builtin::find(&format!("papers/circuit-{name}")).unwrap().text;
    let scenario = Arc::new(parse(name, text, overrides).unwrap());
    let mut session = Session::new(Arc::clone(&scenario), 1, 0, WarmUp::Automatic);
    let mut update = fake::update(&scenario, 0);
    session.letters().want();
    session.advance(Cycle(until));
    session.observe(&mut update.snapshot);
    update.summary = session.summary();
    update.latencies.read(session.statistics().latencies());
    update.set_ups.read(session.statistics().set_ups().unwrap());
    let rate = scenario.system.traffic.rate;
    let model = models_for(&scenario.system).remove(0);
    let theory = update.theory.as_deref().unwrap().clone();
    update.theory = Some(Arc::new(Theory {
        name: model.name(),
        reading: model.reading(),
        rate,
        prediction: model.predict(&scenario.system, rate),
        mismatches: model.mismatches(&scenario.system),
        ..theory
    }));
    update
}

fn set(path: &str, value: &str) -> Override {
    Override { path: path.into(), value: value.into(), label: format!("--set {path}={value}") }
}

#[test]
fn every_view_and_pane_has_words_for_circuits() {
    for name in ["torus-hold-8x8", "hold-8", "drop-8", "adaptive-8"] {
        let update = run(name, &[], 9_000);
        assert!(update.snapshot.worms.len() > 1);
        for (size, ascii) in [((80, 24), false), ((120, 40), true), ((200, 60), false)] {
            let mut app = fake::app(update.clone(), DARK_THEME, ascii, size);
            for view in [
                View::Worms,
                View::Occupancy,
                View::Classes,
                View::Utilisation,
                View::Waits,
                View::Difference,
            ] {
                app.update(Grid::View(view));
                for &pane in Pane::ALL.iter().filter(|&&pane| pane != Pane::Tour) {
                    app.focus_on(pane);
                    let picture = screen(&app);
                    assert!(!ascii || picture.is_ascii(), "{picture}");
                    for word in ["cycle", "worm", "flit", "buffer"] {
                        // The key bar uses terms for both machines.
                        let (left, _) = picture.trim_end().rsplit_once('\n').unwrap();
                        assert!(
                            !left.replace("flitscope", "").contains(word),
                            "{word} in {name}\n{picture}"
                        );
                    }
                    assert!(picture.contains("time 8.789 T"), "{picture}");
                }
            }
        }
    }
}

/// The characters inside the network's pane.
fn signs(app: &App) -> String {
    let inner = app.arrangement().inside(Pane::Grid).unwrap();
    let buffer = fake::buffer(app);
    inner.positions().map(|at| buffer[at].symbol().to_owned()).collect()
}

#[test]
fn each_state_has_its_sign_on_every_network_and_in_the_legend() {
    let mut seen = [false; 7];
    for (name, until) in
        [("torus-hold-8x8", 60_000), ("hold-8", 60_000), ("drop-8", 60_000), ("adaptive-8", 60_001)]
    {
        for ascii in [false, true] {
            // Slow services make each state last longer.
            let slow = [set("switching.service", "0.05")];
            let mut app = fake::app(run(name, &slow, until), MONO, ascii, (200, 60));
            let picture = screen(&app);
            let counts = states::counts(&app.update.snapshot);
            for zoom in [None, Some(0)] {
                app.map.zoom = zoom;
                let drawn = signs(&app);
                for (at, state) in states::ALL.into_iter().enumerate() {
                    if !states::occurs(app.system(), state) {
                        assert_eq!(counts[at], 0, "{state:?} in {name}");
                        continue;
                    }
                    line(
                        &picture,
                        &[&format!("{} {}", states::sign(&app.glyphs, state), states::name(state))],
                    );
                    // Circuits in other states may be drawn over these.
                    let hidden =
                        matches!(state, CircuitState::BackingOff | CircuitState::Releasing);
                    let sign = states::sign(&app.glyphs, state);
                    if counts[at] > 0 && !hidden {
                        assert!(drawn.contains(sign), "{state:?} in {name}\n{picture}");
                    }
                    seen[at] |= drawn.contains(sign);
                }
            }
        }
    }
    assert!(seen.iter().filter(|&&seen| seen).count() >= 5, "{seen:?}");
}

#[test]
fn signs_differ_in_shape_and_in_colour() {
    for ascii in [false, true] {
        let app = fake::app(run("drop-8", &[], 100), DARK_THEME, ascii, (80, 24));
        for (at, one) in states::ALL.into_iter().enumerate() {
            for other in &states::ALL[at + 1..] {
                assert_ne!(states::sign(&app.glyphs, one), states::sign(&app.glyphs, *other));
                assert_ne!(states::style(app.theme, one), states::style(app.theme, *other));
            }
        }
    }
}

#[test]
fn circuits_are_counted_and_compared_with_the_model() {
    let app = fake::app(run("drop-8", &[], 80_000), DARK_THEME, false, (120, 40));
    let picture = screen(&app);
    let counts = states::counts(&app.update.snapshot);
    for (at, state) in states::ALL.into_iter().enumerate() {
        if states::occurs(app.system(), state) {
            line(&picture, &[states::name(state), &counts[at].to_string()]);
        }
    }
    let theory = app.update.theory.as_deref().unwrap();
    let model = theory.prediction.as_ref().unwrap().circuits.unwrap();
    let summary = &app.update.summary;
    let unit = app.times();
    let simulated = [summary.aborts_mean.unwrap(), unit.of(summary.source_wait_mean().unwrap())];
    let predicted = [model.aborts, unit.of(model.set_up_cycles)];
    for (nth, name) in ["aborts/msg", "set-up, T"].into_iter().enumerate() {
        line(
            &picture,
            &[name, &format!("{:.3}", predicted[nth]), &format!("{:.3}", simulated[nth])],
        );
    }
    let small = screen(&fake::app(app.update.clone(), DARK_THEME, false, (80, 24)));
    line(&small, &["aborts/msg", &format!("{:.3}", simulated[0])]);
    line(&small, &["set-up, T", &format!("{:.3}", simulated[1])]);
    // Two named histograms in a row.
    line(&picture, &["latency", "set-up"]);
    assert_eq!(app.update.set_ups.count, app.update.latencies.count);
    assert!(app.update.set_ups.max < app.update.latencies.max);
}

#[test]
fn parts_of_circuits_add_up_on_both_sides() {
    let mut app = fake::app(run("hold-8", &[], 80_000), DARK_THEME, false, (200, 60));
    app.update(Panes::Terms);
    app.update(Panes::Expand);
    let picture = screen(&app);
    let figures = |name: &str| -> [f64; 2] {
        let line = line(&picture, &[name, "%"]);
        let numbers: Vec<f64> =
            line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        [numbers[0], numbers[1]]
    };
    let parts = ["set-up", "data", "release"].map(figures);
    let whole = figures("latency");
    for side in 0..2 {
        let sum: f64 = parts.iter().map(|part| part[side]).sum();
        assert!((sum - whole[side]).abs() < 2e-4, "{sum} {whole:?}\n{picture}");
        assert!((parts[1][side] - 1.0).abs() < 0.1, "{parts:?}");
    }
}

#[test]
fn steps_are_events_and_units_of_time() {
    let mut app = fake::app(run("hold-8", &[], 2_000), DARK_THEME, false, (120, 40));
    assert!(matches!(app.update(Run::Step)[..], [Effect::Send(Command::StepEvent)]));
    app.update(Run::StepMany);
    assert!(screen(&app).contains("units of time"));
    "0.5".chars().for_each(|letter| drop(app.update(Answer::typed(letter))));
    assert!(matches!(app.update(Answer::Accept)[..], [Effect::Send(Command::Step(512))]));
    app.update(Run::StepMany);
    "1e".chars().for_each(|letter| drop(app.update(Answer::typed(letter))));
    assert!(app.update(Answer::Accept).is_empty() && app.dialog.is_some());
    app.update(Program::Back);
    app.update(Run::Faster);
    let faster = Speed::PerSecond(256.0);
    assert_eq!(app.times().pace(faster), "0.25 T/s");
    assert!(app.note.as_deref().is_some_and(|note| note.ends_with("T/s")), "{:?}", app.note);
    // A switch from worms to circuits resets the pace.
    let worms = fake::scenario(fake::TORUS, &[4, 4], 2);
    app.receive(fake::update(&worms, 3));
    assert!(matches!(app.update(Run::Step)[..], [Effect::Send(Command::Step(1))]));
}

#[test]
fn the_inspector_says_what_circuits_do_at_a_node() {
    let mut app = fake::app(run("hold-8", &[], 60_000), DARK_THEME, false, (120, 40));
    let circuit = app.update.snapshot.circuits.iter().find(|one| one.set_up.is_some()).copied();
    let circuit = circuit.unwrap();
    let source = app.update.scenario.system.network.router_of(circuit.source);
    let (_, col, row) = app.plane.place(source);
    app.map.cursor = (col, row);
    app.update(Panes::Inspect);
    app.update(Panes::Expand);
    let picture = screen(&app);
    line(&picture, &["controller:"]);
    line(&picture, &["links out:"]);
    line(&picture, &["set up in", &app.times().with_unit(circuit.set_up.unwrap())]);
}

#[test]
fn a_twelve_cube_is_drawn() {
    let larger = [set("network", "Hypercube(dimensions: 12)")];
    let mut app = fake::app(run("drop-8", &larger, 6_000), DARK_THEME, false, (120, 40));
    assert_eq!(app.update.scenario.system.network.nodes(), 4096);
    let drawn = signs(&app);
    assert!(
        drawn.contains(states::sign(&app.glyphs, CircuitState::Transmitting)),
        "{}",
        screen(&app)
    );
    for view in [View::Occupancy, View::Utilisation] {
        app.update(Grid::View(view));
        screen(&app);
    }
}
