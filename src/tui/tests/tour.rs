//! Tests of the tour: keys, pane, exit and resumption.

use std::sync::Arc;

use super::{DARK_THEME, TORUS, busy, screen};
use crate::live::{ClockedRun, Command, Options, RunState, Speed, Update};
use crate::tui::action::{Action, Grid, Program, Tour as Acts};
use crate::tui::app::{App, Effect};
use crate::tui::bindings::{Binding, Context};
use crate::tui::fake;
use crate::tui::library::{Library, Shelf};
use crate::tui::tour::Tour;
use crate::tui::view::{Pane, View};

/// A screen after the start of the tour and the arrival of its first run.
fn begun(size: (u16, u16)) -> App {
    let mut app = busy(&[4, 4], 9, DARK_THEME, size);
    app.update(Program::Help);
    app.update(Acts::Start);
    arrive(&mut app);
    app
}

/// Delivers the run of the present step to the screen.
fn arrive(app: &mut App) {
    let scenario = Arc::clone(app.guide().unwrap().scenario());
    let mut update = fake::update(&scenario, 0);
    update.run = app.update.run + 1;
    app.receive(update);
}

/// Starts the tour in a state suitable for a row of the table of keys.
pub(super) fn prepare(app: &mut App, binding: &Binding) {
    app.update(Program::Help);
    app.update(Acts::Start);
    if binding.context == Context::Guided {
        app.update(Acts::Choose(1));
    }
    let action = binding.action;
    if action == Acts::Retreat.into() {
        app.update(Acts::Advance);
    } else if action == Acts::PreviousStop.into() {
        app.update(Acts::NextStop);
        app.update(Acts::Choose(1));
    }
}

/// Checks the effect of a key of the tour.
pub(super) fn did(binding: &Binding, app: &App, effects: &[Effect]) {
    let Action::Tour(action) = binding.action else { unreachable!() };
    let Some(tour) = app.guide() else {
        return assert_eq!(action, Acts::Leave);
    };
    let loads = effects.iter().any(|it| matches!(it, Effect::Send(Command::Load(_))));
    let place = (tour.place().0, tour.step_place().0);
    match action {
        Acts::Start => assert!(place == (0, 0) && loads && app.dialog.is_none()),
        Acts::Advance => assert_eq!(place, (0, 1)),
        Acts::Retreat => assert!(place == (0, 0) && tour.is_done()),
        Acts::NextStop => assert!(place == (1, 0) && loads),
        Acts::PreviousStop => assert!(place == (0, 0) && loads),
        Acts::Choose(nth) => {
            let there = usize::from(nth) <= 3;
            assert_eq!(tour.answer(), there.then_some(usize::from(nth) - 1));
        }
        Acts::Leave => panic!("the tour goes on"),
    }
}

#[test]
fn the_tour_is_left_from_anywhere_and_taken_up_where_it_was() {
    for size in [(80, 24), (120, 40), (200, 60)] {
        let mut app = begun(size);
        assert!(
            app.arrangement().pane(Pane::Tour).is_some()
                && app.arrangement().pane(Pane::Grid).is_some()
        );
        app.update(Acts::Choose(2));
        app.update(Acts::Advance);
        let here = |app: &App| app.guide().map(|tour| (tour.place(), tour.step_place()));
        let place = here(&app);
        for pane in Pane::ALL {
            app.panes.focus = *pane;
            assert!(app.arrangement().pane(Pane::Tour).is_some() || app.panes.expanded, "{pane:?}");
            // A table and the history are closed before.
            let is_closed = pane.is_table() || *pane == Pane::History;
            for _ in 0..=u8::from(is_closed) {
                assert_eq!(here(&app), place, "{pane:?}");
                press_esc(&mut app);
            }
            assert!(app.guide().is_none() && here(&app).is_none(), "{pane:?}");
            app.update(Program::Help);
            app.update(Acts::Start);
            assert_eq!(here(&app), place);
        }
    }
}

#[test]
fn leaving_pauses_the_run_and_says_so() {
    let mut app = begun((80, 24));
    for (state, ran) in [(RunState::Running, true), (RunState::Paused, false)] {
        app.update.state = state;
        let action = app.action_of(crate::tui::action::Key::Esc).unwrap();
        let effects = app.update(action);
        let pauses = |it: &Effect| matches!(it, Effect::Send(Command::Pause));
        assert!(app.guide().is_none() && effects.iter().any(pauses));
        let note = app.note.clone().unwrap();
        assert_eq!(note.contains("the run is paused"), ran, "{note}");
        assert!(screen(&app).contains("? and then t goes on"), "{}", screen(&app));
        app.update(Program::Help);
        app.update(Acts::Start);
    }
}

/// Executes the commands of some effects on a run, and receives its state after each.
fn obey(app: &mut App, run: &mut ClockedRun, effects: Vec<Effect>) {
    for effect in effects {
        if let Effect::Send(command) = effect {
            run.execute(command);
            let mut update = Box::new(Update::empty(Arc::clone(&app.update.scenario)));
            run.draw(&mut update);
            app.receive(update);
        }
    }
}

#[test]
fn the_run_before_the_tour_is_back_after_the_tour() {
    let scenario = fake::scenario(TORUS, &[4, 4], 2);
    let options = Options { running: false, speed: Speed::Max, ..Options::default() };
    let mut run = ClockedRun::new(Arc::clone(&scenario), options);
    let empty = Box::new(Update::empty(Arc::clone(&scenario)));
    let mut app = fake::app(empty, DARK_THEME, false, (120, 40));
    obey(&mut app, &mut run, vec![Effect::Send(Command::Step(123))]);
    let before = app.snapshot().worms.clone();
    app.update(Program::Help);
    let effects = app.update(Acts::Start);
    obey(&mut app, &mut run, effects);
    assert!(app.now().0 == 0 && !app.update.scenario.is_same(&scenario));
    let effects = app.update(Acts::Leave);
    obey(&mut app, &mut run, effects);
    while app.update.seeking.is_some() {
        obey(&mut app, &mut run, vec![Effect::Send(Command::Refresh)]);
    }
    assert!(app.now().0 == 123 && app.update.scenario.is_same(&scenario));
    assert_eq!(app.snapshot().worms, before);
    assert!(app.note.as_ref().unwrap().contains("the run before is back"), "{:?}", app.note);
}

#[test]
fn the_stop_is_kept_for_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let shelf = Shelf { recent: Some(folder.path().join("state/recent")), ..Shelf::default() };
    let start = || {
        let first = fake::update(&crate::tui::tour::included()[0].scenario, 0);
        let mut app = App::new(first, Box::new(shelf.clone()), DARK_THEME, false, (80, 24));
        app.update(Program::Help);
        app.update(Acts::Start);
        app
    };
    let mut app = start();
    assert_eq!((app.guide().unwrap().place().0, shelf.stop_left().as_deref()), (0, Some("worm")));
    app.update(Acts::NextStop);
    app.update(Acts::NextStop);
    assert_eq!(shelf.stop_left().as_deref(), Some("deadlock"));
    let mut app = start();
    assert_eq!(app.guide().unwrap().stop().name, "deadlock");
    let note = app.note.clone().unwrap();
    assert!(note.contains("goes on at stop 3 of 11"), "{note}");
    // A user's own stop is not stored.
    app.tour = Some(Tour::new(vec![app.guide().unwrap().stop().clone()], 0));
    app.update(Acts::Choose(1));
    app.update(Acts::Advance);
    assert_eq!(shelf.stop_left().as_deref(), Some("deadlock"));
    // An unknown stored name is ignored.
    shelf.keep_stop(Some("nonsense"));
    assert_eq!(start().guide().unwrap().place().0, 0);
    shelf.keep_stop(None);
    assert_eq!(shelf.stop_left(), None);
}

fn press_esc(app: &mut App) {
    let action = app.action_of(crate::tui::action::Key::Esc).unwrap();
    app.update(action);
}

#[test]
fn what_the_run_before_was_in_counts_for_nothing() {
    let mut app = begun((80, 24));
    let mut stops = crate::tui::tour::included();
    stops.retain(|stop| stop.name == "deadlock");
    app.tour = Some(Tour::new(stops, 0));
    app.update(Acts::Choose(1));
    // Enter the task while another run is in a deadlock.
    let mut old = app.update.clone();
    old.state = RunState::Deadlocked;
    let run = old.run;
    app.tour.as_mut().unwrap().leaving = Some(run);
    app.update(Acts::Advance);
    app.receive(old.clone());
    assert!(!app.guide().unwrap().is_done());
    old.run += 1;
    app.receive(old);
    assert!(app.guide().unwrap().is_done());
}

#[test]
fn digits_answer_questions_and_choose_views_elsewhere() {
    let mut app = begun((80, 24));
    let one = crate::tui::action::Key::Char('1');
    assert_eq!(app.action_of(one), Some(Acts::Choose(1).into()));
    app.update(Acts::Choose(1));
    assert_eq!(app.action_of(one), Some(Grid::View(View::Occupancy).into()));
    let text = screen(&app);
    assert!(text.contains("We shall see") && text.contains("Enter goes on"), "{text}");
}

/// The tour at the beginning of a stop.
fn at(name: &str) -> App {
    let mut app = begun((200, 60));
    let mut stops = crate::tui::tour::included();
    stops.retain(|stop| stop.name == name);
    app.tour = Some(Tour::new(stops, 0));
    arrive(&mut app);
    app
}

#[test]
fn the_header_answers_no_question() {
    use crate::routing::dependency::prove;
    for (name, scenario, answer) in [
        ("deadlock", "ring-deadlock", "can deadlock"),
        // The routing has the same name as the stop, also mentioned in the question.
        ("dateline", "dateline  8x8", "proven deadlock-free"),
        ("turns", "turns  6x6", "not proven deadlock-free"),
        ("escape", "escape  8x8", "not proven deadlock-free"),
    ] {
        let mut app = at(name);
        let prove = |app: &mut App| {
            let system = &app.update.scenario.system;
            let proof = prove(&system.network, &system.relation);
            app.update.proof = Some(Arc::new(proof));
        };
        prove(&mut app);
        let header = |app: &App| screen(app).lines().next().unwrap().to_owned();
        let told = |app: &App| [scenario, answer].map(|part| header(app).contains(part));
        assert_eq!(told(&app), [false, false], "{}", header(&app));
        app.update(Acts::Choose(1));
        app.update(Acts::Advance);
        prove(&mut app);
        app.update(Grid::View(View::Waits));
        assert_eq!(told(&app), [false, false], "{}", header(&app));
        assert!(!screen(&app).contains("could close"), "{}", screen(&app));
        // Without the tour, nothing is concealed.
        app.tour.as_mut().unwrap().on = false;
        assert_eq!(told(&app), [true, true], "{}", header(&app));
    }
}

#[test]
fn a_wrong_answer_gets_a_reason() {
    for stop in crate::tui::tour::included() {
        for step in &stop.steps {
            let crate::tui::tour::Task::Choose { choices, right, why: Some(_), .. } = &step.task
            else {
                continue;
            };
            for choice in 0..choices.len() {
                let reason = step.task.reason(choice);
                assert_eq!(reason.is_some(), choice != *right, "{}: {choice}", stop.name);
            }
        }
    }
}

#[test]
fn a_stop_has_its_pace() {
    use crate::live::Speed;
    let app = at("worm");
    assert_eq!(app.guide().unwrap().pace(), Some(Speed::PerSecond(4.0)));
    let mut app = begun((120, 40));
    app.update(Acts::NextStop);
    let paces = |effects: &[Effect]| -> Vec<Speed> {
        let of = |effect: &Effect| {
            if let Effect::Send(Command::Speed(speed)) = effect { Some(*speed) } else { None }
        };
        effects.iter().filter_map(of).collect()
    };
    assert_eq!(paces(&app.update(Acts::PreviousStop)), [Speed::PerSecond(4.0)]);
    assert_eq!(paces(&app.update(Acts::NextStop)), [Speed::PerSecond(64.0)]);
}

#[test]
fn a_task_that_is_open_says_what_it_waits_for() {
    let mut app = begun((80, 24));
    app.update(Acts::Choose(1));
    app.update(Acts::Advance);
    assert!(screen(&app).contains("a message delivered"));
    if app.guide().unwrap().is_done() {
        return;
    }
    app.update(Acts::Advance);
    assert!(app.note.as_deref().unwrap().contains("not yet: this step needs a message delivered"));
}

#[test]
fn what_a_stop_compares_is_compared_again_when_the_tour_goes_on() {
    let mut app = begun((80, 24));
    let mut stops = crate::tui::tour::included();
    stops.retain(|stop| stop.name == "tornado");
    app.tour = Some(Tour::new(stops, 0));
    arrive(&mut app);
    app.update(Acts::Choose(1));
    let loads = |it: &Effect| matches!(it, Effect::Send(Command::Load(_)));
    let compares = |it: &Effect| matches!(it, Effect::Send(Command::Against(_)));
    assert!(app.update(Acts::Advance).iter().any(compares));
    let again = |app: &mut App| {
        press_esc(app);
        app.update(Program::Help);
        app.update(Acts::Start)
    };
    // The same scenario, parsed again.
    app.update.scenario = Arc::new((*app.update.scenario).clone());
    let effects = again(&mut app);
    assert!(effects.iter().any(compares) && !effects.iter().any(loads), "{effects:?}");
    // Another scenario runs meanwhile.
    app.receive(fake::update(&crate::tui::tour::included()[0].scenario, 0));
    let effects = again(&mut app);
    assert!(effects.iter().any(compares) && effects.iter().any(loads), "{effects:?}");
    assert!(app.note.as_deref().unwrap().contains("begins again"));
    // An answer beyond the last.
    let mut app = begun((80, 24));
    app.update(Acts::Choose(4));
    assert_eq!(app.guide().unwrap().answer(), None);
    assert!(app.note.as_deref().unwrap().contains("there is no such answer"));
}
