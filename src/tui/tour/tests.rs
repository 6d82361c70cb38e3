//! Plays every included stop by its own keys.

use std::cell::RefCell;

use super::*;
use crate::tui::film::rehearse;
use crate::tui::library::Shelf;
use crate::tui::terminal::Options;
use crate::tui::theme::Kind;

fn play(kind: Kind, ascii: bool, size: (u16, u16)) {
    for (name, text) in texts() {
        let stop = parse(name, text).unwrap_or_else(|problems| {
            panic!("{}", crate::scenario::render(&problems));
        });
        let options = Options { theme: Some(kind), ascii, ..Options::new(Shelf::default()) };
        let screens = RefCell::new(Vec::new());
        let played = rehearse(options, &stop, size, |screen| {
            screens.borrow_mut().push(screen.to_owned());
        });
        let screens = screens.into_inner();
        if let Err(why) = played {
            let last = screens.last().map_or("", String::as_str);
            panic!("{name} at {size:?}: {why:?}\n{last}");
        }
        assert_eq!(screens.len(), 2 * stop.steps.len());
        for screen in &screens {
            let end = |line: &str| line.chars().rev().take(30).collect::<String>();
            let cut = screen.lines().any(|line| end(line).contains("erom senil"));
            assert!(!cut, "{name} does not fit {size:?}:\n{screen}");
            assert!(screen.contains("tour"), "{screen}");
            assert!(!ascii || screen.is_ascii(), "{screen}");
        }
    }
}

#[test]
fn every_stop_is_played_by_its_keys_on_a_small_screen() {
    play(Kind::Dark, false, (80, 24));
}

#[test]
fn every_stop_is_played_by_its_keys_on_a_larger_screen() {
    play(Kind::Dark, false, (120, 40));
}

#[test]
fn every_stop_is_played_by_its_keys_in_ascii_without_colours() {
    play(Kind::Mono, true, (80, 24));
}
