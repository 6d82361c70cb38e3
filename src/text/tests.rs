//! Tests of displayable characters, and of replacements for the others.

use super::*;

#[test]
fn what_does_not_show_is_said_by_its_number() {
    let hostile = "a\u{1b}[2J\u{7f}\u{9b}\u{202e}\u{2066}\u{200f}\u{feff}\u{fffe}\u{ffff}\r\nb";
    let told = "a\\u{1b}[2J\\u{7f}\\u{9b}\\u{202e}\\u{2066}\\u{200f}\\u{feff}\\u{fffe}\\u{ffff}\
                \\r\\nb";
    assert_eq!(line(hostile), told);
    assert_eq!(line(&line(hostile)), told);
    assert_eq!(lines("a\tb\r\nc\u{85}d\n"), "a    b\nc\\u{85}d");
    for text in ["plain \"text\" 'x' \\y", "\u{e9}\u{4e2d}\u{3b7}\u{2192}\u{1f600}"] {
        assert_eq!(line(text), text);
    }
}

#[test]
fn one_character_stands_for_one() {
    for number in 0..=0x10_ffff {
        let Some(hostile) = char::from_u32(number) else { continue };
        let plain = matches!(hostile, '"' | '\'' | '\\') || hostile.escape_debug().len() == 1;
        assert_eq!(shows(hostile), plain, "{number:x}");
        let shown = letter(hostile);
        assert!(shows(shown) && !shown.is_control(), "{number:x}");
        assert!(line(&hostile.to_string()).chars().all(shows), "{number:x}");
    }
}
