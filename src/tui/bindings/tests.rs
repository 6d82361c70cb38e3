//! The table of keys is whole, and says nothing twice.

use super::*;
use crate::tui::action::{ALL, Answer, Program};
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
        // The mouse, sizes and letters typed come without a key of their own.
        let keyless = ["Pointer(", "Program(Resize", "Answer(Type"];
        let has_key = bound.iter().any(|row| row.starts_with(action));
        assert_ne!(has_key, keyless.iter().any(|it| action.starts_with(it)), "{action}");
    }
}

#[test]
fn quitting_works_everywhere() {
    for context in [Main, Help, Chooser, Prompt, Palette, Context::Confirm, Context::Problems] {
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
        Some(Action::Answer(Answer::Type('q')))
    );
    assert_eq!(Keymap::default().action_of(Main, Char('§')), None);
}

#[test]
fn the_table_can_be_printed() {
    let table = markdown();
    assert!(table.contains("| `Space` | run or pause |"));
    assert_eq!(table.lines().count(), 2 + Group::ALL.len() + BINDINGS.len());
}
