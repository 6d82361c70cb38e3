//! What can be done at the screen, and the keys it is done with.

use super::grid::plane::Side;
use super::view::View;

/// A key, whatever the terminal library calls it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "keys are called what is printed on them")]
pub enum Key {
    Char(char),
    Ctrl(char),
    F(u8),
    Enter,
    Esc,
    Tab,
    BackTab,
    Backspace,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
}

/// Declares [`Action`], and for each room of `app` an enum of what is done there.
macro_rules! actions {
    ($($(#[$doc:meta])* $room:ident { $($what:ident $(($($with:ty),+))?),+ $(,)? })+) => {
        /// Something done at the screen.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Action {
            $($(#[$doc])* $room($room),)+
        }

        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            #[expect(missing_docs, reason = "the table of keys says what each does")]
            pub enum $room { $($what $(($($with),+))?),+ }

            impl From<$room> for Action {
                fn from(what: $room) -> Self {
                    Self::$room(what)
                }
            }
        )+

        /// Every action as `Debug` writes it, without what it takes.
        #[cfg(test)]
        pub(super) const ALL: &[&str] =
            &[$($(concat!(stringify!($room), "(", stringify!($what))),+),+];
    };
}

actions! {
    /// The run: its pace, its load, where it stops.
    Run { ToggleRun, Step, StepMany, Slower, Faster, LoadDown, LoadUp, Break, Restart, NewSeed }
    /// Back and forth in time; the session.
    Time {
        StepBack, StepBackMany, LastEvent, NextEvent, Events, ToDeadlock, GoTo, ToLive, Bookmark,
        Bookmarks, Save,
    }
    /// What the grid shows, and how large.
    Grid { View(View), ZoomIn, ZoomOut, ZoomFit, Origin, Aggregate, VcFilter, Window }
    /// The cursor, and what it jumps to; in a list, the list.
    Move { Move(Side), Page(Side), SliceDown, SliceUp, Next, Previous, Find, Cross }
    /// One message.
    Message { Follow, Pin, History }
    /// Several runs.
    Runs { Compare, Swap, Contrast }
    /// The panes and their arrangement.
    Panes {
        Layout, FocusNext, FocusPrevious, Expand, Zen, Inspect, Terms, Tables, SortTable,
    }
    /// Recordings and pictures of the screen.
    Film { Record, Picture }
    /// The program as a whole; the terminal now has this many columns and rows.
    Program {
        Help, Palette, Open, Edit, Theme, Mouse, Back, Repaint, Suspend, Quit, QuitNow,
        Resize(u16, u16),
    }
    /// What is done to a dialog.
    Answer { Accept, Up, Down, Erase, Clear, Complete, ChooseNext, ChoosePrevious, Type(char) }
    /// The mouse at a column and row; its wheel also whether up (in).
    Pointer {
        Click(u16, u16), DoubleClick(u16, u16), Drag(u16, u16), Release, Wheel(bool, u16, u16),
    }
}

impl Answer {
    /// Changes a line that is being typed; says whether this answer does.
    pub(super) fn edits(self, line: &mut String) -> bool {
        match self {
            Self::Type(letter) => line.push(letter),
            Self::Erase => drop(line.pop()),
            Self::Clear => line.clear(),
            Self::Accept
            | Self::Up
            | Self::Down
            | Self::Complete
            | Self::ChooseNext
            | Self::ChoosePrevious => return false,
        }
        true
    }
}

/// An action's name in files and on the command line: `toggle-run`, `view-occupancy`, `move-west`.
/// It is made from the action's name in the program, so that every new action has one.
pub fn action_name(action: Action) -> String {
    let debug = format!("{action:?}");
    let what = debug.split_once('(').map_or("", |(_, what)| what);
    let mut name = String::new();
    for letter in what.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
        match letter {
            '(' => name.push('-'),
            letter if letter.is_ascii_alphanumeric() => name.push(letter.to_ascii_lowercase()),
            _ => {}
        }
    }
    name
}
