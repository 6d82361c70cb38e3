//! Names of keys and actions, and keys that a person bound.

use super::*;
use crate::tui::action::{Answer, Grid, Move, Program, Run, Time};
use crate::tui::grid::plane::Side;
use crate::tui::view::View;

#[test]
fn names_of_actions_are_stable_and_lead_back() {
    for (action, name) in [
        (Action::Run(Run::ToggleRun), "toggle-run"),
        (Action::Grid(Grid::View(View::Occupancy)), "view-occupancy"),
        (Action::Move(Move::Move(Side::West)), "move-west"),
        (Action::Program(Program::QuitNow), "quit-now"),
    ] {
        assert_eq!(action_name(action), name);
    }
    let mut names: Vec<String> = bindable().map(|row| action_name(row.action)).collect();
    for row in bindable() {
        assert_eq!(action_named(&action_name(row.action)), Ok(row.action));
        assert!(action_named(row.help).is_ok(), "{row:?}");
    }
    let all = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all, "two rows with one name");
    assert_eq!(action_named("run or pause"), Ok(Action::Run(Run::ToggleRun)));
    assert_eq!(action_named("togle-run"), Err(Some("toggle-run".to_owned())));
}

#[test]
fn names_of_keys_lead_back() {
    for binding in BINDINGS {
        for &key in binding.keys {
            assert_eq!(key_named(&key_name(key)), Ok(key));
        }
    }
    assert_eq!(key_named("ctrl-x"), Ok(Key::Ctrl('x')));
    assert_eq!(key_named("Shift-Tab"), Ok(Key::BackTab));
    assert_eq!(key_named("X"), Ok(Key::Char('X')));
    for (text, says) in [
        ("Spaec", "did you mean `Space`?"),
        ("Ctrl-m", "Enter"),
        ("F13", "F12"),
        ("", "one character"),
        ("Ctrl-", "one character"),
        ("\u{1}", "Ctrl-"),
    ] {
        let error = key_named(text).unwrap_err();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn own_keys_come_first_and_take_what_they_were() {
    let mut keys = Keymap::default();
    keys.bind(Key::Ctrl('x'), Some(Action::Run(Run::ToggleRun)));
    keys.bind(Key::Char('q'), None);
    keys.bind(Key::Char('.'), Some(Action::Run(Run::Faster)));
    let row = |action| bindable().find(|row| row.action == action).unwrap();
    assert_eq!(keys.names(row(Action::Run(Run::ToggleRun)), 3), "Ctrl-X Space");
    assert_eq!(keys.names(row(Action::Program(Program::Quit)), 3), "");
    assert_eq!(keys.way_to(Program::Quit), ":quit");
    assert_eq!(keys.way_to(Run::ToggleRun), "Ctrl-X");
    assert_eq!(keys.way_to(Time::StepBack), ",");
    assert_eq!(keys.names(row(Action::Run(Run::Faster)), 1), ".");
    assert_eq!(keys.action_of(Context::Main, Key::Ctrl('x')), Some(Action::Run(Run::ToggleRun)));
    assert_eq!(keys.action_of(Context::Main, Key::Char('q')), None);
    // Dialogs keep theirs.
    assert_eq!(keys.action_of(Context::Help, Key::Char('q')), Some(Action::Program(Program::Back)));
    assert_eq!(
        keys.action_of(Context::Prompt, Key::Char('q')),
        Some(Action::Answer(Answer::Type('q')))
    );
    keys.bind(Key::Char('q'), Some(Action::Program(Program::Quit)));
    assert_eq!(keys.names(row(Action::Program(Program::Quit)), 3), "q");
    assert_eq!(keys.own().len(), 3);
}
