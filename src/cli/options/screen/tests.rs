//! What the screen is told.

use super::*;

#[test]
fn no_colours_are_the_look_without_any() {
    let asked = Screen {
        color: Some((false, None)),
        theme: Some(Wanted::Ground(Kind::Dark)),
        ..Screen::default()
    };
    let options = asked.options(Shelf::default(), Keymap::default());
    assert_eq!((options.theme, options.color), (Some(Kind::Mono), None));
}
