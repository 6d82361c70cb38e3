//! Tests of the table of keys: completeness, uniqueness, names of keys and actions, user bindings.

use super::*;
use crate::tui::action::{ALL, Answer, Grid, Move, Program, Run, Time};
use crate::tui::grid::plane::Side;
use crate::tui::view::View;
use Context::{Chooser, Help, Main, Palette, Prompt};
use Key::{Char, Ctrl};

#[test]
fn no_key_means_two_things_in_one_place() {
    for (at, binding) in BINDINGS.iter().enumerate() {
        for other in &BINDINGS[at..] {
            if other.context != binding.context {
                continue;
            }
            let same = other.keys.iter().filter(|key| binding.keys.contains(key)).count();
            let itself = std::ptr::eq(binding, other);
            assert!(itself || same == 0, "{binding:?} and {other:?}");
        }
        for (nth, key) in binding.keys.iter().enumerate() {
            assert!(!binding.keys[nth + 1..].contains(key), "{binding:?}");
        }
    }
}

#[test]
fn every_key_has_help_and_every_action_a_key() {
    for binding in BINDINGS {
        assert!(!binding.help.is_empty() && !binding.keys.is_empty());
    }
    let bound: Vec<String> = BINDINGS.iter().map(|row| format!("{:?}", row.action)).collect();
    for action in ALL {
        // Mouse, size and typed characters have no key.
        let keyless = ["Pointer(", "Program(Resize", "Answer(Type"];
        let has_key = bound.iter().any(|row| row.starts_with(action));
        assert_ne!(has_key, keyless.iter().any(|it| action.starts_with(it)), "{action}");
    }
}

#[test]
fn quitting_works_everywhere() {
    let others = [Context::Confirm, Context::Problems, Context::Studying];
    for context in [Main, Help, Chooser, Prompt, Palette].into_iter().chain(others) {
        assert_eq!(
            Keymap::default().action_of(context, Ctrl('c')),
            Some(Action::Program(Program::QuitNow))
        );
    }
}

#[test]
fn dialogs_take_letters() {
    assert_eq!(
        Keymap::default().action_of(Chooser, Char('q')),
        Some(Action::Answer(Answer::typed('q')))
    );
    assert_eq!(Keymap::default().action_of(Main, Char('§')), None);
}

#[test]
fn the_table_can_be_printed() {
    let table = markdown();
    assert!(table.contains("| `Space` | run or pause |"));
    assert_eq!(table.lines().count(), 2 + Group::ALL.len() + BINDINGS.len());
}

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
    assert_eq!(key_named("ctrl-x"), Ok(Ctrl('x')));
    assert_eq!(key_named("Shift-Tab"), Ok(Key::BackTab));
    assert_eq!(key_named("X"), Ok(Char('X')));
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
    keys.bind(Ctrl('x'), Some(Action::Run(Run::ToggleRun)));
    keys.bind(Char('q'), None);
    keys.bind(Char('.'), Some(Action::Run(Run::Faster)));
    let row = |action| bindable().find(|row| row.action == action).unwrap();
    assert_eq!(keys.names(row(Action::Run(Run::ToggleRun)), 3), "Ctrl-X Space");
    assert_eq!(keys.names(row(Action::Program(Program::Quit)), 3), "");
    assert_eq!(keys.way_to(Program::Quit), ":quit");
    assert_eq!(keys.way_to(Run::ToggleRun), "Ctrl-X");
    assert_eq!(keys.way_to(Time::StepBack), ",");
    assert_eq!(keys.names(row(Action::Run(Run::Faster)), 1), ".");
    assert_eq!(keys.action_of(Main, Ctrl('x')), Some(Action::Run(Run::ToggleRun)));
    assert_eq!(keys.action_of(Main, Char('q')), None);
    // Bindings of dialogs are unchanged.
    assert_eq!(keys.action_of(Help, Char('q')), Some(Action::Program(Program::Back)));
    assert_eq!(keys.action_of(Prompt, Char('q')), Some(Action::Answer(Answer::typed('q'))));
    keys.bind(Char('q'), Some(Action::Program(Program::Quit)));
    assert_eq!(keys.names(row(Action::Program(Program::Quit)), 3), "q");
    assert_eq!(keys.own.len(), 3);
}
