//! Tests of `input`.

use super::*;
use crossterm::event::MouseEvent;

fn mouse(kind: MouseEventKind, column: u16) -> Event {
    Event::Mouse(MouseEvent { kind, column, row: 5, modifiers: KeyModifiers::NONE })
}

#[test]
fn two_quick_clicks_at_one_place_are_a_double_click() {
    let mut clicks = Clicks::default();
    let start = Instant::now();
    let mut at = |millis, column| {
        let down = mouse(MouseEventKind::Down(MouseButton::Left), column);
        clicks.action_of(&down, start + Duration::from_millis(millis))
    };
    assert_eq!(at(0, 7), Some(Action::Pointer(Pointer::Click(7, 5))));
    assert_eq!(at(200, 7), Some(Action::Pointer(Pointer::DoubleClick(7, 5))));
    assert_eq!(at(300, 7), Some(Action::Pointer(Pointer::Click(7, 5))));
    assert_eq!(at(500, 8), Some(Action::Pointer(Pointer::Click(8, 5))), "elsewhere");
    assert_eq!(at(1000, 8), Some(Action::Pointer(Pointer::Click(8, 5))), "too late");
}

#[test]
fn the_button_is_held_and_let_go() {
    let mut clicks = Clicks::default();
    let mut of = |kind| clicks.action_of(&mouse(kind, 3), Instant::now());
    assert_eq!(
        of(MouseEventKind::Drag(MouseButton::Left)),
        Some(Action::Pointer(Pointer::Drag(3, 5)))
    );
    assert_eq!(of(MouseEventKind::Up(MouseButton::Left)), Some(Action::Pointer(Pointer::Release)));
    assert_eq!(of(MouseEventKind::ScrollUp), Some(Action::Pointer(Pointer::Wheel(true, 3, 5))));
    assert_eq!(of(MouseEventKind::Moved), None);
}
