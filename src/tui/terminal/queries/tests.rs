//! Tests of parsing the terminal's replies.

use super::*;

#[test]
fn backgrounds_are_light_or_dark() {
    for (text, light) in [
        ("]11;rgb:ffff/ffff/ffff", Some(true)),
        ("]11;rgb:fd/f6/e3", Some(true)),
        ("]11;rgb:0/0/0", Some(false)),
        ("]11;rgba:2828/2c2c/3434/ffff", Some(false)),
        ("]11;rgb:ffff", None),
        ("]11;rgb:q", None),
        ("]10;rgb:ffff/ffff/ffff", None),
        ("q", None),
    ] {
        assert_eq!(Reply::of(text), light.map(Reply::Light), "{text}");
    }
}

#[test]
fn a_colour_of_24_bits_is_kept_or_not() {
    for (text, kept) in [
        ("P1$r0;48:2::1:2:3m", Some(true)),
        ("P1$r48;2;1;2;3m", Some(true)),
        ("P1$r0;48:2:1:2:3m", Some(true)),
        ("P1$r0;48;5;16m", Some(false)),
        ("P1$r0m", Some(false)),
        ("P1$r", Some(false)),
        ("P0$r", None),
        ("P1+r5463", None),
        ("P>|xterm(370)", None),
    ] {
        assert_eq!(Reply::of(text), kept.map(Reply::Colours), "{text}");
    }
}
