//! What the screen is told.

use super::*;
use crate::scenario;

#[test]
fn no_colours_are_the_look_without_any() {
    let shelf = Shelf {
        builtin: Vec::new(),
        folders: Vec::new(),
        check: |name, text| scenario::parse(name, text, &[]),
    };
    let asked = Screen {
        color: Some(ColorChoice::Never),
        theme: Some(ThemeChoice::Dark),
        ..Screen::default()
    };
    let options = asked.options(shelf, Keymap::default());
    assert_eq!((options.theme, options.color), (Some(Kind::Mono), None));
}
