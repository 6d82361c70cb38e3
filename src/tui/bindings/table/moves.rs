//! The rows of the table of keys that move about on the main screen.

use super::{Action, Binding, Group, Key, row};
use crate::tui::bindings::Context::Main;
use crate::tui::grid::plane::Side;
use Key::Char;

/// The keys that move about.
pub(super) const MOVES: &[Binding] = &[
    row(
        Main,
        &[Char('{')],
        Action::SliceDown,
        Group::Move,
        "slice before; with one slice, the heat scale ends lower",
        None,
    ),
    row(
        Main,
        &[Char('}')],
        Action::SliceUp,
        Group::Move,
        "slice after; with one slice, the heat scale ends higher",
        None,
    ),
    row(Main, &[Char('h'), Key::Left], Action::Move(Side::West), Group::Move, "west", None),
    row(
        Main,
        &[Char('j'), Key::Down],
        Action::Move(Side::South),
        Group::Move,
        "south, or down in a list",
        None,
    ),
    row(
        Main,
        &[Char('k'), Key::Up],
        Action::Move(Side::North),
        Group::Move,
        "north, or up in a list",
        None,
    ),
    row(Main, &[Char('l'), Key::Right], Action::Move(Side::East), Group::Move, "east", None),
    row(Main, &[Char('H'), Key::Home], Action::Page(Side::West), Group::Move, "a page west", None),
    row(
        Main,
        &[Char('J'), Key::PageDown],
        Action::Page(Side::South),
        Group::Move,
        "a page south",
        None,
    ),
    row(
        Main,
        &[Char('K'), Key::PageUp],
        Action::Page(Side::North),
        Group::Move,
        "a page north",
        None,
    ),
    row(Main, &[Char('L'), Key::End], Action::Page(Side::East), Group::Move, "a page east", None),
];
