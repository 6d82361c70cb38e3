//! The terminal library's events as keys and actions.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

use crate::tui::action::{Action, Key};

/// The key of a press; `None` for releases and keys without a name here.
pub(super) fn key_of(event: &KeyEvent) -> Option<Key> {
    if event.kind != KeyEventKind::Press && event.kind != KeyEventKind::Repeat {
        return None;
    }
    let control = event.modifiers.contains(KeyModifiers::CONTROL);
    Some(match event.code {
        KeyCode::Char(letter) if control => Key::Ctrl(letter.to_ascii_lowercase()),
        KeyCode::Char(letter) => Key::Char(letter),
        KeyCode::F(number) => Key::F(number),
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Esc,
        KeyCode::BackTab => Key::BackTab,
        KeyCode::Tab if event.modifiers.contains(KeyModifiers::SHIFT) => Key::BackTab,
        KeyCode::Tab => Key::Tab,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        _ => return None,
    })
}

/// What an event that is no key does.
pub(super) fn action_of(event: &Event) -> Option<Action> {
    match event {
        Event::Resize(width, height) => Some(Action::Resize(*width, *height)),
        Event::Mouse(mouse) => match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) | MouseEventKind::Drag(MouseButton::Left) => {
                Some(Action::Click(mouse.column, mouse.row))
            }
            MouseEventKind::ScrollUp => Some(Action::Wheel(true, mouse.column, mouse.row)),
            MouseEventKind::ScrollDown => Some(Action::Wheel(false, mouse.column, mouse.row)),
            _ => None,
        },
        _ => None,
    }
}
