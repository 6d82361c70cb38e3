//! Tests of completion, history, commands by name, and ranking.

use super::commands::{COMMANDS, What, named, split};
use super::*;

fn palette(text: &str, lines: &[&str]) -> Palette {
    let matches = lines.iter().map(|line| Match {
        line: (*line).to_owned(),
        label: (*line).to_owned(),
        keys: String::new(),
        help: String::new(),
        does: LineEffect::Complete,
    });
    Palette { text: text.into(), matches: matches.collect(), ..Palette::default() }
}

#[test]
fn completing_takes_what_is_common_and_then_what_is_chosen() {
    let mut line = palette("the", &["theme dark", "theme λight", "table"]);
    assert_eq!(line.completed().as_deref(), Some("theme "));
    line.text = "theme ".into();
    assert_eq!(line.completed().as_deref(), Some("theme dark"));
    line.choose(true);
    assert_eq!(line.completed().as_deref(), Some("theme λight"));
    line.choose(false);
    line.choose(false);
    assert_eq!(line.completed().as_deref(), Some("table"));
    assert_eq!(palette("x", &[]).completed(), None);
    // A match by letters in order has no common prefix with the text.
    assert_eq!(palette("tm", &["theme"]).completed().as_deref(), Some("theme"));
}

#[test]
fn lines_of_before_come_back_and_what_was_typed_is_not_lost() {
    let mut lines = Vec::new();
    for line in ["goto 1", "goto 2", "goto 1"] {
        remember(&mut lines, line);
    }
    assert_eq!(lines, ["goto 2", "goto 1"]);
    let mut line = palette("sp", &[]);
    line.recall(&lines, false);
    assert_eq!(&*line.text, "sp");
    line.recall(&lines, true);
    assert_eq!(&*line.text, "goto 1");
    line.recall(&lines, true);
    line.recall(&lines, true);
    assert_eq!(&*line.text, "goto 2");
    line.recall(&lines, false);
    line.recall(&lines, false);
    assert_eq!(&*line.text, "sp");
    for number in 0..300 {
        remember(&mut lines, &number.to_string());
    }
    assert_eq!(lines.len(), REMEMBERED);
}

#[test]
fn lines_are_taken_apart() {
    assert_eq!(split(" :goto   4000 "), ("goto", "4000"));
    assert_eq!(split("quit"), ("quit", ""));
    assert_eq!(split("set network Mesh(radix: [8, 8])"), ("set", "network Mesh(radix: [8, 8])"));
    assert_eq!(named("GOTO").map(|command| command.what), Some(What::Cycle));
    assert_eq!(named("got"), None);
}

#[test]
fn every_command_is_there_once_and_says_what_it_does() {
    for (at, command) in COMMANDS.iter().enumerate() {
        assert!(!command.help.is_empty(), "{command:?}");
        assert!(COMMANDS[at + 1..].iter().all(|other| other.name != command.name));
        assert!(COMMANDS[at + 1..].iter().all(|other| other.what != command.what));
    }
}

#[test]
fn the_nearer_the_better() {
    let help = "fit the network into the pane";
    let ranks = ["zoom-fit", "Zoom", "fit", "om-f", "network pane", "etwor", "zft"]
        .map(|typed| rank(typed, "zoom-fit", help));
    assert_eq!(ranks, [0, 1, 2, 3, 4, 5, 6].map(Some));
    assert_eq!(rank("", "zoom-fit", help), Some(0));
    assert_eq!(rank("zoom fit", "zoom-fit", help), Some(0));
    assert_eq!(rank("torus", "zoom-fit", help), None);
}

#[test]
fn letters_in_order_match() {
    assert!(has_in_order("papers/adaptive-torus-8x8", "adto8"));
    assert!(has_in_order("Ring.ron", "ring"));
    assert!(!has_in_order("ring.ron", "gnir"));
}
