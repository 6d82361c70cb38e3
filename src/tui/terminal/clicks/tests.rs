//! Tests of `clicks`.

use super::*;

#[test]
fn two_quick_clicks_at_one_place_are_a_double_click() {
    let mut clicks = Clicks::default();
    let start = Instant::now();
    let mut at = |millis, column| {
        clicks.action_of(Gesture::Press, column, 5, start + Duration::from_millis(millis))
    };
    assert_eq!(at(0, 7), Pointer::Click(7, 5));
    assert_eq!(at(200, 7), Pointer::DoubleClick(7, 5));
    assert_eq!(at(300, 7), Pointer::Click(7, 5));
    assert_eq!(at(500, 8), Pointer::Click(8, 5), "elsewhere");
    assert_eq!(at(1000, 8), Pointer::Click(8, 5), "too late");
}

#[test]
fn the_button_is_held_and_let_go() {
    let mut clicks = Clicks::default();
    let mut of = |gesture| clicks.action_of(gesture, 3, 5, Instant::now());
    assert_eq!(of(Gesture::Drag), Pointer::Drag(3, 5));
    assert_eq!(of(Gesture::Release), Pointer::Release);
    assert_eq!(of(Gesture::WheelUp), Pointer::Wheel(true, 3, 5));
    assert_eq!(of(Gesture::WheelDown), Pointer::Wheel(false, 3, 5));
}
