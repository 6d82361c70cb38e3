//! Tests of the options passed to the screen.

use super::*;

#[test]
fn no_colours_are_the_look_without_any() {
    let asked = Screen {
        color: Some((false, None)),
        theme: Some(RequestedTheme::Ground(Kind::Dark)),
        ..Screen::default()
    };
    let options = asked.options(Shelf::default(), Keymap::default());
    assert_eq!((options.theme, options.color), (Some(Kind::Mono), None));
}

#[test]
fn every_option_is_read_as_it_was_declared() {
    use clap::FromArgMatches;

    let command = Screen::augment_args(clap::Command::new("x"));
    let line = "x --theme night --color 256 --palette cividis --ascii --marker strokes --layout network \
                --fps 9 --no-mouse --history 7 --pace max --window 9";
    let read = Screen::from_arg_matches(&command.get_matches_from(line.split(' '))).unwrap();
    assert_eq!(read.palette, Some(Some(Ramp::Cividis)));
    assert_eq!(read.theme, Some(RequestedTheme::Named("night")));
    assert_eq!(read.options(Shelf::default(), Keymap::default()).ramp, Some(Ramp::Cividis));
}
