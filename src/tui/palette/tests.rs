//! Completing the line, and the lines of before.

use super::*;

fn palette(text: &str, lines: &[&str]) -> Palette {
    let matches = lines.iter().map(|line| Match {
        line: (*line).to_owned(),
        label: (*line).to_owned(),
        keys: String::new(),
        help: String::new(),
        does: Does::Complete,
    });
    Palette { text: text.to_owned(), matches: matches.collect(), ..Palette::default() }
}

#[test]
fn completing_takes_what_is_common_and_then_what_is_chosen() {
    let mut line = palette("the", &["theme dark", "theme λight", "table"]);
    assert_eq!(line.completed().as_deref(), Some("theme "));
    line.text = "theme ".to_owned();
    assert_eq!(line.completed().as_deref(), Some("theme dark"));
    line.choose(true);
    assert_eq!(line.completed().as_deref(), Some("theme λight"));
    line.choose(false);
    line.choose(false);
    assert_eq!(line.completed().as_deref(), Some("table"));
    assert_eq!(palette("x", &[]).completed(), None);
    // Found by its letters only: there is nothing to go on from.
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
    assert_eq!(line.text, "sp");
    line.recall(&lines, true);
    assert_eq!(line.text, "goto 1");
    line.recall(&lines, true);
    line.recall(&lines, true);
    assert_eq!(line.text, "goto 2");
    line.recall(&lines, false);
    line.recall(&lines, false);
    assert_eq!(line.text, "sp");
    for number in 0..300 {
        remember(&mut lines, &number.to_string());
    }
    assert_eq!(lines.len(), REMEMBERED);
}
