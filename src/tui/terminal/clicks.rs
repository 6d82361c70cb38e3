//! Converts mouse gestures to actions.
//!
//! Two quick clicks at one position are a double click.

use std::time::{Duration, Instant};

use super::input::Gesture;
use crate::tui::action::Pointer;

/// Maximum time between the clicks of a double click.
const DOUBLE: Duration = Duration::from_millis(400);

/// Position and time of the last click.
#[derive(Debug, Default)]
pub(super) struct Clicks(Option<(u16, u16, Instant)>);

impl Clicks {
    /// Returns the action of a gesture at a column and row, at time `now`.
    pub(super) fn action_of(&mut self, gesture: Gesture, x: u16, y: u16, now: Instant) -> Pointer {
        match gesture {
            Gesture::Press => self.click(x, y, now),
            Gesture::Drag => Pointer::Drag(x, y),
            Gesture::Release => Pointer::Release,
            Gesture::WheelUp => Pointer::Wheel(true, x, y),
            Gesture::WheelDown => Pointer::Wheel(false, x, y),
        }
    }

    fn click(&mut self, x: u16, y: u16, now: Instant) -> Pointer {
        let again = self.0.is_some_and(|(before_x, before_y, then)| {
            (before_x, before_y) == (x, y) && now.saturating_duration_since(then) <= DOUBLE
        });
        // A third click starts a new sequence.
        self.0 = (!again).then_some((x, y, now));
        if again { Pointer::DoubleClick(x, y) } else { Pointer::Click(x, y) }
    }
}

#[cfg(test)]
mod tests;
