//! Tests of every key in the table: effects on the state, or commands to the run.

use std::sync::Arc;

use super::{DARK_THEME, busy, study, tour};
use crate::engine::Change;
use crate::live::{Command, RunState, Speed};
use crate::topology::cube::Family;
use crate::tui::action::{Action, Answer, Grid, Move, Panes, Pointer, Program, Run, Runs, Time};
use crate::tui::app::{App, Confirm, Dialog, Effect, Written};
use crate::tui::bindings::{BINDINGS, Binding, Context};
use crate::tui::fake::{self, TORUS, press, sent, type_in};
use crate::tui::grid::plane::Side;
use crate::tui::palette::commands::What;
use crate::tui::view::{Pane, View};
use crate::units::Cycle;

/// A torus larger than its pane, with blocked worms, at a past cycle.
fn torus() -> App {
    let mut app = busy(&[16, 16], 150, DARK_THEME, (120, 40));
    let mut update = app.update.clone();
    update.live = Cycle(20_000);
    update.bookmarks = vec![2_000];
    app.receive(update);
    app
}

/// Two compared runs.
fn two() -> App {
    let mut app = busy(&[16, 16], 150, DARK_THEME, (120, 40));
    let mut update = app.update.clone();
    update.others = vec![*fake::update(&fake::scenario(TORUS, &[16, 16], 4), 90)];
    app.receive(update);
    app
}

/// An app in the context of a row, with something for its keys to act on.
fn ready_for(binding: &Binding) -> App {
    let mut app = torus();
    match binding.context {
        Context::Main => {
            if matches!(binding.action, Action::Move(Move::Follow | Move::Pin | Move::History)) {
                // Jump to the head of a worm.
                app.update(Grid::View(View::Worms));
                app.update(Move::Next);
            } else if binding.action == Action::Grid(Grid::Origin) {
                // Move off the centre.
                app.update(Move::Page(Side::East));
            }
        }
        Context::Guided | Context::Question => tour::prepare(&mut app, binding),
        Context::Studying => study::prepare(&mut app),
        Context::Help => {
            app.update(Program::Help);
            app.update(Answer::ChooseNext);
            app.update(Answer::Down);
        }
        Context::Search => {
            app.update(Program::Help);
            app.update(Answer::Complete);
            type_in(&mut app, "worm");
            app.update(Answer::Down);
        }
        Context::Chooser => {
            app.update(Program::Open);
            type_in(&mut app, "o");
            app.update(Answer::Down);
            if binding.action == Action::Answer(Answer::Accept) {
                // The previous entry is invalid.
                app.update(Answer::Down);
            }
        }
        Context::Prompt => drop(app.update(Run::StepMany)),
        Context::Confirm => drop(app.update(Run::LoadUp)),
        Context::Palette => {
            for line in ["view 2", "view 3", "view 4"] {
                app.update(Program::Palette);
                type_in(&mut app, line);
                app.update(Answer::Accept);
            }
            app.update(Program::Palette);
            if matches!(binding.action, Action::Answer(Answer::Up | Answer::Down)) {
                app.update(Answer::Up);
                app.update(Answer::Up);
            } else {
                type_in(&mut app, "the");
                app.update(Answer::ChooseNext);
            }
        }
        Context::Line => {
            app.update(Program::Palette);
            type_in(&mut app, "the");
            // The cursor is between two letters.
            app.update(Answer::Edit(crate::tui::line::Edit::Left));
        }
        Context::Problems => {
            app.reload_text("a.ron", &"Scenario(\n".repeat(9));
            app.update(Answer::Down);
        }
    }
    match binding.context {
        Context::Line => assert!(app.context().has_line()),
        context => assert_eq!(app.context(), context),
    }
    app
}

fn asks(app: &App, what: What) -> bool {
    matches!(&app.dialog, Some(Dialog::Prompt(prompt)) if prompt.what == what)
}

#[test]
fn every_key_does_what_help_says() {
    let mut tried = 0;
    for binding in BINDINGS {
        for &key in binding.keys {
            let mut app = ready_for(binding);
            let before = format!("{:?}", app.dialog);
            let effects = press(&mut app, key);
            if matches!(binding.action, Action::Tour(_)) {
                tour::did(binding, &app, &effects);
            } else if binding.context == Context::Studying {
                study::did(binding, &app, &effects);
            } else if binding.context == Context::Main {
                on_the_main_screen(binding, &mut app, &effects);
            } else {
                in_a_dialog(binding, &mut app, &effects, &before);
            }
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried} keys");
}

/// The cursor's displacement in columns and rows.
fn moved(app: &App, before: &App) -> (i32, i32) {
    let by = |a: u32, b: u32| a as i32 - b as i32;
    (by(app.map.cursor.0, before.map.cursor.0), by(app.map.cursor.1, before.map.cursor.1))
}

/// Checks the effect of a key of the main screen on [`torus`].
#[expect(clippy::too_many_lines, reason = "one line for each action")]
fn on_the_main_screen(binding: &Binding, app: &mut App, effects: &[Effect]) {
    let new = torus();
    let frame = |app: &App| app.shown().shown_frame().unwrap();
    match binding.action {
        Action::Run(Run::ToggleRun) => {
            assert!(matches!(sent(effects), Command::Run));
            app.update.state = RunState::Running;
            assert!(matches!(sent(&app.update(Run::ToggleRun)), Command::Pause));
        }
        Action::Run(Run::Step) => assert!(matches!(sent(effects), Command::Step(1))),
        Action::Run(Run::StepMany) => assert!(asks(app, What::Cycles)),
        Action::Run(Run::Break) => assert!(asks(app, What::Break)),
        Action::Time(Time::StepBack) => assert!(matches!(sent(effects), Command::Back(1))),
        Action::Time(Time::StepBackMany) => assert!(asks(app, What::CyclesBack)),
        Action::Time(Time::LastEvent) => {
            assert!(matches!(sent(effects), Command::BackToEvent(all) if all.is_all()));
        }
        Action::Time(Time::NextEvent) => {
            assert!(matches!(sent(effects), Command::NextEvent(all) if all.is_all()));
        }
        Action::Time(Time::ToDeadlock) => {
            assert_eq!(app.note.as_deref(), Some("no deadlock has been found"));
        }
        // In a file of its own.
        Action::Time(Time::Shrink) => {
            assert!(
                app.note.as_deref().is_some_and(|note| note.starts_with("there is no deadlock"))
            );
        }
        Action::Time(Time::Events) => assert!(asks(app, What::Events)),
        Action::Time(Time::GoTo) => assert!(asks(app, What::Cycle)),
        Action::Time(Time::ToLive) => assert!(matches!(sent(effects), Command::ToLive)),
        Action::Time(Time::Bookmark) => assert!(matches!(sent(effects), Command::Bookmark(_))),
        Action::Time(Time::Bookmarks) => assert!(asks(app, What::Mark)),
        Action::Time(Time::Save) => assert!(asks(app, What::Session)),
        Action::Run(Run::Slower | Run::Faster) => {
            let wanted = if binding.action == Action::Run(Run::Faster) { 256.0 } else { 16.0 };
            let is = |pace: &f64| (pace / wanted - 1.0).abs() < 1e-9;
            assert!(matches!(sent(effects), Command::Speed(Speed::PerSecond(pace)) if is(pace)));
        }
        Action::Run(Run::LoadDown | Run::LoadUp) => {
            let Some(Dialog::Confirm(Confirm::Fork(rate))) = &app.dialog else {
                panic!("nothing is asked")
            };
            let more = rate.0 > app.update.rate.0;
            assert_eq!(more, binding.action == Action::Run(Run::LoadUp));
        }
        Action::Run(Run::Fail) => {
            assert!(matches!(app.dialog, Some(Dialog::Confirm(Confirm::Fail(_)))));
            app.update(Answer::Accept);
            let note = app.note.clone().unwrap_or_default();
            assert!(note.contains("fails: ") && note.starts_with("router ("), "{note}");
        }
        Action::Run(Run::Sweep) => {
            assert!(matches!(effects, [Effect::Sweep(_, seed)] if *seed == app.update.seed));
        }
        Action::Run(Run::Restart) => assert!(matches!(sent(effects), Command::Restart)),
        Action::Run(Run::NewSeed) => {
            assert!(matches!(sent(effects), Command::Reseed(seed) if *seed != app.update.seed));
        }
        Action::Grid(Grid::View(view)) => assert_eq!(app.map.view, view),
        Action::Grid(Grid::ZoomIn) => assert_eq!(frame(app).zoom, frame(&new).zoom + 1),
        Action::Grid(Grid::ZoomOut) => assert_eq!(frame(app).zoom, frame(&new).zoom - 1),
        Action::Grid(Grid::ZoomFit) => {
            app.update(Grid::ZoomIn);
            app.update(Grid::ZoomFit);
            assert_eq!((app.map.zoom, frame(app)), (None, frame(&new)));
        }
        Action::Grid(Grid::Origin) => {
            let turned = app.map.origin.turn;
            app.update(Grid::Origin);
            assert_eq!((turned == (0, 0), app.map.origin.turn), (false, (0, 0)));
        }
        Action::Grid(Grid::Aggregate) => assert_ne!(app.map.aggregate, new.map.aggregate),
        Action::Panes(Panes::Layout) => {
            assert_eq!(app.panes.preset, new.panes.preset.next());
            assert_ne!(app.arrangement().panes, new.arrangement().panes);
        }
        Action::Move(Move::Cross) => {
            let mut cube = fake::app(
                fake::update(&fake::scenario(Family::Hypercube, &[2; 5], 2), 9),
                DARK_THEME,
                false,
                (120, 40),
            );
            let from = cube.cursor_router().unwrap();
            cube.update(Move::Cross);
            assert!(asks(&cube, What::Dimension));
            cube.update(Answer::typed('3'));
            cube.update(Answer::Accept);
            assert_eq!(cube.cursor_router().map(|to| to.0), Some(from.0 ^ 8));
        }
        Action::Grid(Grid::VcFilter) => {
            assert_eq!(app.map.filter.vc, Some(0));
            app.update(Grid::VcFilter);
            app.update(Grid::VcFilter);
            assert_eq!(app.map.filter.vc, None);
        }
        // In a file of its own.
        Action::Grid(Grid::ClassFilter) => assert_eq!(app.map.filter.message_class, None),
        Action::Grid(Grid::Window) => assert!(matches!(sent(effects), Command::Window(1024))),
        Action::Move(Move::Move(side)) => assert_eq!(moved(app, &new), side.step()),
        // Half of the visible part, around the torus.
        Action::Move(Move::Page(side)) => {
            let (across, along) = moved(app, &new);
            assert_eq!((across != 0, along != 0), (side.is_across(), !side.is_across()));
            assert!(across.abs() > 1 || along.abs() > 1);
        }
        Action::Move(Move::SliceDown | Move::SliceUp) => {
            let mut cube = busy(&[4, 4, 4], 30, DARK_THEME, (120, 40));
            cube.update(binding.action);
            let other = if binding.action == Action::Move(Move::SliceUp) { 1 } else { 3 };
            assert_eq!((cube.plane.slice, app.plane.slice), (other, 0));
        }
        Action::Move(Move::Next | Move::Previous) => {
            let first = (app.map.cursor, app.note.clone());
            app.update(Move::Next);
            app.update(Move::Previous);
            assert!(app.note.is_some() && first.1.is_some());
            assert_eq!((app.map.cursor, app.note.clone()), first);
        }
        Action::Move(Move::Queue) => {
            let at = app.cursor_router().expect("the cursor is on a node");
            let queues = &app.snapshot().queues;
            assert_eq!(Some(&queues[at.index()]), queues.iter().max());
            let first = app.map.cursor;
            app.update(Move::Queue);
            assert_ne!(app.map.cursor, first, "again: the next");
            assert!(app.note.as_deref().is_some_and(|note| note.contains("waiting messages at")));
        }
        Action::Program(Program::Record) => {
            assert!(asks(app, What::Recording));
            app.update(Program::Back);
            app.wrote(Written::Recording, "a.cast", &Ok(()));
            assert!(matches!(app.update(Program::Record)[..], [Effect::EndRecording]));
        }
        Action::Program(Program::Picture) => assert!(asks(app, What::Picture)),
        Action::Move(Move::Find) => assert!(asks(app, What::Place)),
        Action::Panes(Panes::Inspect) => assert_eq!(app.panes.focus, Pane::Inspector),
        Action::Panes(Panes::Terms) => assert_eq!(app.panes.focus, Pane::Terms),
        Action::Panes(Panes::Tables) => {
            assert_eq!((app.panes.table, app.panes.focus), (Some(Pane::Links), Pane::Links));
            app.update(Panes::Tables);
            assert_eq!((app.panes.table, app.panes.focus), (Some(Pane::Messages), Pane::Messages));
            app.update(Panes::Tables);
            assert_eq!((app.panes.table, app.panes.focus), (None, Pane::Grid));
        }
        Action::Panes(Panes::SortTable) => {
            assert_eq!(app.panes.table, Some(Pane::Links));
            let before = app.links.order;
            app.update(binding.action);
            assert_ne!(app.links.order, before);
        }
        Action::Move(Move::Follow) => {
            let name = app.tracking.followed.unwrap();
            let told =
                |e: &Effect| matches!(e, Effect::Send(Command::Follow(Some(it))) if *it == name);
            assert!(effects.iter().any(told));
            app.update(Move::Follow);
            assert_eq!(app.tracking.followed, None);
        }
        Action::Move(Move::Pin) => {
            assert_eq!(app.pins.len(), 1);
            app.update(Move::Pin);
            assert_eq!(app.pins.len(), 0);
        }
        Action::Move(Move::History) => {
            assert!(effects.iter().any(|e| matches!(e, Effect::Send(Command::Trace(Some(_))))));
            assert_eq!(app.panes.focus, Pane::History);
        }
        Action::Runs(Runs::Swap) => {
            let mut app = two();
            let active = Arc::clone(&app.update.scenario);
            app.update(Runs::Swap);
            assert!(!Arc::ptr_eq(&active, &app.update.scenario));
            app.update(Runs::Swap);
            assert!(Arc::ptr_eq(&active, &app.update.scenario));
        }
        Action::Runs(Runs::Contrast) => {
            let mut app = two();
            app.update(Runs::Contrast);
            assert!(app.map.view == View::Difference && app.contrasts());
            app.update(Runs::Contrast);
            assert!(app.map.view == new.map.view && !app.contrasts());
        }
        Action::Panes(Panes::FocusNext | Panes::FocusPrevious) => {
            assert_ne!(app.panes.focus, new.panes.focus);
            let back = match binding.action {
                Action::Panes(Panes::FocusNext) => Action::Panes(Panes::FocusPrevious),
                _ => Action::Panes(Panes::FocusNext),
            };
            app.update(back);
            assert_eq!(app.panes.focus, new.panes.focus);
        }
        Action::Panes(Panes::Expand) => {
            assert!(app.panes.expanded && app.arrangement().panes.len() == 1);
        }
        Action::Panes(Panes::Zen) => assert!(app.panes.zen && app.arrangement().panes.len() == 1),
        Action::Program(Program::Theme) => {
            assert_ne!(app.theme.kind, new.theme.kind);
            assert!(app.note.as_deref().is_some_and(|note| note.starts_with("theme")));
        }
        Action::Program(Program::Open) | Action::Runs(Runs::Compare) => {
            assert!(matches!(app.dialog, Some(Dialog::Chooser(_))));
        }
        Action::Program(Program::Palette) => {
            assert!(matches!(app.dialog, Some(Dialog::Palette(_))));
        }
        Action::Program(Program::Edit) => {
            let file = "scenarios/hotspot.ron";
            assert!(matches!(effects, [Effect::Edit(path, None)] if path == file));
        }
        Action::Program(Program::Help) => assert!(matches!(app.dialog, Some(Dialog::Help(_)))),
        Action::Program(Program::Back) => {
            app.update(Panes::Zen);
            app.update(Program::Back);
            assert!(!app.panes.zen);
            app.update(Grid::VcFilter);
            app.update(Program::Back);
            assert_eq!(app.map.filter.vc, None);
        }
        Action::Program(Program::Copy) => {
            let copied = |effect: &Effect| matches!(effect, Effect::Copy(name) if !name.is_empty());
            assert!(effects.iter().any(copied), "{effects:?}");
            assert!(app.note.as_deref().is_some_and(|note| note.starts_with("copied ")));
        }
        Action::Program(Program::Mouse) => {
            assert!(app.mouse && matches!(effects, [Effect::Mouse(true)]));
        }
        Action::Program(Program::Repaint) => assert!(matches!(effects, [Effect::Repaint])),
        Action::Program(Program::Suspend) => assert!(matches!(effects, [Effect::Suspend])),
        Action::Program(Program::Quit | Program::QuitNow) => {
            assert!(matches!(effects, [Effect::Quit]));
        }
        Action::Study(_) => study::did(binding, app, effects),
        Action::Tour(_)
        | Action::Answer(
            Answer::Accept
            | Answer::Up
            | Answer::Down
            | Answer::Complete
            | Answer::ChooseNext
            | Answer::ChoosePrevious
            | Answer::Edit(_),
        )
        | Action::Pointer(
            Pointer::Click(..)
            | Pointer::DoubleClick(..)
            | Pointer::Drag(..)
            | Pointer::Release
            | Pointer::Wheel(..),
        )
        | Action::Program(Program::Resize(..)) => panic!("{binding:?} is not for the main screen"),
    }
}

/// Checks the effect of a key on a dialog; `before` is the dialog's former state.
fn in_a_dialog(binding: &Binding, app: &mut App, effects: &[Effect], before: &str) {
    match (binding.context, binding.action) {
        (_, Action::Program(Program::QuitNow)) => assert!(matches!(effects, [Effect::Quit])),
        (Context::Search, Action::Program(Program::Back)) => {
            assert!(matches!(&app.dialog, Some(Dialog::Help(help)) if help.search.is_none()));
        }
        (_, Action::Program(Program::Back)) => assert!(app.dialog.is_none() && effects.is_empty()),
        (Context::Confirm, Action::Answer(Answer::Accept)) => {
            assert!(
                matches!(sent(effects), Command::Change(Change::Rate(_))) && app.dialog.is_none()
            );
        }
        (Context::Prompt, Action::Answer(Answer::Accept)) => {
            assert!(matches!(sent(effects), Command::Step(100)) && app.dialog.is_none());
        }
        (Context::Chooser, Action::Answer(Answer::Accept)) => {
            assert!(app.dialog.is_none());
            assert!(effects.iter().any(|e| matches!(e, Effect::Send(Command::Load(_)))));
        }
        (Context::Problems, Action::Program(Program::Edit)) => {
            assert!(matches!(effects, [Effect::Edit(path, None)] if path == "a.ron"));
        }
        _ => assert_ne!(format!("{:?}", app.dialog), before, "{binding:?}"),
    }
}

#[test]
fn copying_takes_what_is_in_focus() {
    let mut app = fake::app(
        fake::update(&fake::scenario(TORUS, &[8, 8], 4), 14),
        DARK_THEME,
        false,
        (120, 40),
    );
    let mut copied = |pane: Pane| {
        app.focus_on(pane);
        let effects = app.update(Program::Copy);
        let copied = |effect: &Effect| {
            if let Effect::Copy(text) = effect { Some(text.clone()) } else { None }
        };
        effects.iter().find_map(copied).unwrap()
    };
    assert_eq!(copied(Pane::Grid).lines().count(), 1);
    assert!(copied(Pane::Latency).starts_with("latency 54.8 ± 0.6 cycles, p50 "));
    let text = copied(Pane::Links);
    let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 2, "{text}");
    assert!(rows[0].len() > 4, "{text}");
    assert!(copied(Pane::Inspector).ends_with('.'));
}
