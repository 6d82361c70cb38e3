//! The terminal library's events as keys and actions.

use std::time::{Duration, Instant};

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

use crate::tui::action::{Action, Key, Pointer, Program};
use crate::tui::bindings::NAMED;

/// The key of a press; `None` for releases and keys without a name here.
#[expect(clippy::wildcard_enum_match_arm, reason = "the library has many keys without a name here")]
pub(super) fn key_of(event: &KeyEvent) -> Option<Key> {
    if event.kind != KeyEventKind::Press && event.kind != KeyEventKind::Repeat {
        return None;
    }
    let control = event.modifiers.contains(KeyModifiers::CONTROL);
    Some(match event.code {
        KeyCode::Char(letter) if control => Key::Ctrl(letter.to_ascii_lowercase()),
        KeyCode::Char(letter) => Key::Char(letter),
        KeyCode::F(number) => Key::F(number),
        KeyCode::Tab if event.modifiers.contains(KeyModifiers::SHIFT) => Key::BackTab,
        _ => NAMED.iter().find(|(_, code, _)| *code == event.code)?.0,
    })
}

/// How long after a click another one at the same place makes it a double click.
const DOUBLE: Duration = Duration::from_millis(400);

/// What is to be remembered of the mouse: its last click, and when that was.
#[derive(Debug, Default)]
pub(super) struct Clicks(Option<(u16, u16, Instant)>);

impl Clicks {
    /// What an event that is no key does, if it comes at `now`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the library tells of more than is asked")]
    pub(super) fn action_of(&mut self, event: &Event, now: Instant) -> Option<Action> {
        match event {
            Event::Resize(width, height) => Some(Action::Program(Program::Resize(*width, *height))),
            Event::Mouse(mouse) => {
                let (x, y) = (mouse.column, mouse.row);
                let pointer = match mouse.kind {
                    MouseEventKind::Down(MouseButton::Left) => self.click(x, y, now),
                    MouseEventKind::Drag(MouseButton::Left) => Pointer::Drag(x, y),
                    MouseEventKind::Up(MouseButton::Left) => Pointer::Release,
                    MouseEventKind::ScrollUp => Pointer::Wheel(true, x, y),
                    MouseEventKind::ScrollDown => Pointer::Wheel(false, x, y),
                    _ => return None,
                };
                Some(pointer.into())
            }
            _ => None,
        }
    }

    fn click(&mut self, x: u16, y: u16, now: Instant) -> Pointer {
        let again = self.0.is_some_and(|(before_x, before_y, then)| {
            (before_x, before_y) == (x, y) && now.saturating_duration_since(then) <= DOUBLE
        });
        // A third click begins anew.
        self.0 = (!again).then_some((x, y, now));
        if again { Pointer::DoubleClick(x, y) } else { Pointer::Click(x, y) }
    }
}

#[cfg(test)]
mod tests;
